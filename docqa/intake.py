"""What a file becomes before it is kept: blocks, checked chunks, vectors; nothing is stored."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from docqa.errors import NoText, ReadingCancelled
from docqa.ingest.chunk import chunk
from docqa.ingest.validate import validate
from docqa.models import Encoder
from docqa.settings import Settings
from docqa.types import Block, Chunk, Discard, Document, PageHealth, Progress, Stage

_CUT_BY = (
    "chunk_chars",
    "overlap_chars",
    "min_chunk_chars",
    "min_alphanumeric",
    "max_special",
)
CUTTING = 1  # of how blocks become chunks; raise it where the same blocks become other ones


def recipe(encoder: str, settings: Settings) -> str:
    """How passages are made, as text: of two libraries with the same, the passages are alike."""
    made_with = {name: getattr(settings, name) for name in _CUT_BY}
    return json.dumps({"encoder": encoder, "cutting": CUTTING, **made_with})


def cut_as(recorded: str, settings: Settings) -> Settings:
    """The settings, but those of a recorded `recipe` where they say how passages are made."""
    made_with = json.loads(recorded)
    return replace(settings, **{name: made_with[name] for name in _CUT_BY if name in made_with})


@dataclass(frozen=True, slots=True)
class Watch:
    """Who follows the adding of files: told of progress, asked whether to stop."""

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

        def report(told: Progress) -> None:
            share = told.done / told.total if told.total else 0.0
            done = before + int(document.page_count * share)
            self.progress(Progress(told.file, told.stage, done, total))

        return Watch(report, self.cancelled)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document with everything that is kept of it; ``vectors`` is (chunks, dimensions)."""

    document: Document
    blocks: Sequence[Block]
    chunks: Sequence[Chunk]
    vectors: NDArray[np.float32]
    health: Sequence[PageHealth]
    discards: Sequence[Discard]


def prepare(
    document: Document,
    blocks: Sequence[Block],
    health: Sequence[PageHealth],
    *,
    encoder: Encoder,
    settings: Settings,
    watch: Watch,
) -> Prepared:
    """Cut a document's blocks into chunks the encoder reads whole, check and embed them.

    The document comes back with its counts. Raises `NoText` where no chunk is left and
    `ReadingCancelled`.
    """
    made = chunk(
        document.id,
        document.name,
        document.title,
        blocks,
        count_tokens=encoder.count_tokens,
        max_tokens=encoder.max_tokens,
        settings=settings,
    )
    chunks, discards = validate(made, settings=settings)
    if not chunks:
        raise NoText(document.name)
    vectors = encoder.encode(
        [each.embedded_text for each in chunks], progress=watch.stage(document.name, "embedding")
    )
    counted = replace(document, chunk_count=len(chunks), discard_count=len(discards))
    return Prepared(counted, blocks, chunks, vectors, health, discards)
