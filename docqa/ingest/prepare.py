"""What a file becomes before it is kept: blocks, checked chunks, vectors; nothing is stored."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from docqa.errors import NoText, ReadingCancelled
from docqa.ingest.chunks.suspicion import noted
from docqa.ingest.reading.parse import Parsed
from docqa.models.load import Encoder
from docqa.settings import Settings, adjust
from docqa.types.document import Block, Chunk, Discard, Document, PageHealth
from docqa.types.progress import Progress, Stage

APART = ("pptx", "xlsx", "csv")  # kinds whose slides or sheets share no passage
CUTTING = 1  # of how blocks become chunks; raise it where the same blocks become other ones
DESCRIBING = 4  # of the paragraph on a document; raise it where the same blocks get another


def recipe(encoder: str, settings: Settings) -> str:
    """How passages are made, as text: of two libraries with the same, the passages are alike."""
    made_with = {"encoder": encoder, "cutting": CUTTING}
    return json.dumps({**made_with, **asdict(settings.chunking)})


def cut_as(recorded: str, settings: Settings) -> Settings:
    """The settings, but those of a recorded `recipe` where they say how passages are made."""
    names = asdict(settings.chunking).keys()
    made_with = json.loads(recorded).items()
    return adjust(settings, **{name: value for name, value in made_with if name in names})


@dataclass(frozen=True, slots=True)
class Watch:
    """What receives the progress of adding files, and can cancel it."""

    progress: Callable[[Progress], None]
    cancelled: Callable[[], bool]

    def check(self, name: str) -> None:
        if self.cancelled():
            raise ReadingCancelled(name)

    def stage(self, name: str, stage: Stage) -> Callable[[int, int], None]:
        """A callback for one stage of one file; it raises `ReadingCancelled` when told to stop."""

        def report(done: int, total: int) -> None:
            self.check(name)
            self.progress(Progress(name, stage, done, total))

        return report

    def within(self, document: Document, *, before: int, total: int) -> "Watch":
        """A watch for one of many documents, told of pages: ``before`` are done, of ``total``."""

        def report(latest: Progress) -> None:
            share = latest.done / latest.total if latest.total else 0.0
            done = before + int(document.page_count * share)
            self.progress(Progress(latest.file, latest.stage, done, total))

        return Watch(report, self.cancelled)


UNWATCHED = Watch(lambda latest: None, lambda: False)


def watching(
    progress: Callable[[Progress], None] | None, cancelled: Callable[[], bool] | None
) -> Watch:
    """A watch of whoever there is; None is nobody."""
    return Watch(progress or UNWATCHED.progress, cancelled or UNWATCHED.cancelled)


NO_NOTES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document with everything that is kept of it.

    ``vectors`` is (chunks, dimensions), None where they are still to be made.
    """

    document: Document
    blocks: Sequence[Block]
    chunks: Sequence[Chunk]
    vectors: NDArray[np.float32] | None
    health: Sequence[PageHealth]
    discards: Sequence[Discard]


def drafted(
    document: Document, blocks: Sequence[Block], health: Sequence[PageHealth], *, settings: Settings
) -> Prepared:
    """A document's plain text as passages that are searched by words alone.

    Their tokens are not counted, since they are not embedded as they are: that keeps it quick.
    """
    tokens = 2 * settings.chunking.chunk_chars
    chunks, _ = _cut(document, blocks, len, tokens, settings=settings)
    named = [replace(each, id=f"{document.id}:text{each.index}") for each in chunks]
    counted = replace(described(document, blocks), chunk_count=len(named))
    return Prepared(counted, blocks, named, None, health, ())


def _cut(
    document: Document,
    blocks: Sequence[Block],
    count_tokens: Callable[[str], int],
    max_tokens: int,
    *,
    settings: Settings,
    restored: Container[str] = (),
) -> tuple[list[Chunk], list[Discard]]:
    from docqa.ingest.chunks.pack import chunk  # with its rules, which reading a library needs not
    from docqa.ingest.chunks.validate import validate

    made = chunk(
        document.id,
        document.name,
        document.title,
        blocks,
        count_tokens=count_tokens,
        max_tokens=max_tokens,
        settings=settings,
        apart=document.kind in APART,
    )
    return validate(made, settings=settings, restored=restored)


def described(document: Document, blocks: Sequence[Block]) -> Document:
    """The document with a paragraph on what it is."""
    from docqa.ingest.description import paragraph

    description = paragraph(document.title, blocks, kind=document.kind)
    return replace(document, description=description)


def with_scans(
    parsed: Parsed, blocks: Sequence[Block], health: Sequence[PageHealth]
) -> tuple[list[Block], list[PageHealth]]:
    """A file read again, with the pages that OCR had read before as they were.

    ``blocks`` and ``health`` are those of the reading before.
    """
    scans = {page.page: page for page in health if page.source == "OCR"}
    tables = max((block.table for block in parsed.blocks), default=0)
    kept = [
        replace(block, table=block.table + tables if block.table else 0)
        for block in blocks
        if block.page in scans
    ]
    read = [block for block in parsed.blocks if block.page not in scans]
    in_order = sorted([*read, *kept], key=lambda block: block.page)
    counted = [replace(block, index=index) for index, block in enumerate(in_order)]
    return counted, [scans.get(page.page, page) for page in parsed.health]


def passages(
    document: Document,
    blocks: Sequence[Block],
    health: Sequence[PageHealth],
    *,
    encoder: Encoder,
    settings: Settings,
    restored: Container[str] = (),
    notes: Mapping[str, str] = NO_NOTES,
) -> Prepared:
    """A document's blocks cut into chunks the encoder reads whole, and checked.

    ``restored`` are texts that validation does not leave out, ``notes`` what was written of
    passages, by their text. The document comes back with its counts. Raises `NoText` where no
    chunk is left and no page waits for OCR.
    """
    count, tokens = encoder.count_tokens, encoder.max_tokens
    chunks, discards = _cut(document, blocks, count, tokens, settings=settings, restored=restored)
    if not chunks and not document.waiting_pages:
        raise NoText(document.name)
    suspicious = noted(health, blocks)
    remarks = [
        f"Page {new.page}: {text}."
        for old, new in zip(health, suspicious, strict=True)
        for text in new.warnings[len(old.warnings) :]
    ]
    counted = replace(
        described(document, blocks),
        chunk_count=len(chunks),
        discard_count=len(discards),
        warnings=tuple(dict.fromkeys((*document.warnings, *remarks))),
    )
    chunks = [replace(each, note=notes.get(each.text, "")) for each in chunks]
    return Prepared(counted, blocks, chunks, None, suspicious, discards)


def embedded(
    prepared: Prepared,
    *,
    encoder: Encoder,
    watch: Watch,
    known: Mapping[str, NDArray[np.float32]] | None = None,
) -> Prepared:
    """The same with the vectors of its chunks, taken from those ``known`` by their text.

    Raises `ReadingCancelled`.
    """
    have = dict(known or {})
    texts = [each.embedded_text for each in prepared.chunks]
    missing = [text for text in dict.fromkeys(texts) if text not in have]
    if missing:
        report = watch.stage(prepared.document.name, "embedding")
        made = encoder.encode(missing, progress=report)
        have.update(zip(missing, made, strict=True))
    empty = np.zeros((0, encoder.dimensions), np.float32)
    vectors = np.stack([have[text] for text in texts]) if texts else empty
    document = replace(prepared.document, state="complete")
    return replace(prepared, document=document, vectors=vectors)


def prepare(
    document: Document,
    blocks: Sequence[Block],
    health: Sequence[PageHealth],
    *,
    encoder: Encoder,
    settings: Settings,
    watch: Watch,
    restored: Container[str] = (),
    notes: Mapping[str, str] = NO_NOTES,
) -> Prepared:
    """`passages`, `embedded`; raises what they raise."""
    cut = passages(
        document,
        blocks,
        health,
        encoder=encoder,
        settings=settings,
        restored=restored,
        notes=notes,
    )
    return embedded(cut, encoder=encoder, watch=watch)
