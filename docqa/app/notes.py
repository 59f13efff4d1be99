"""Notes that a model writes on passages, so that they are found by what they do not say.

Only documents that have been read to the end get notes, each passage one.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from docqa.answer.model import notes
from docqa.answer.model.notes import Part
from docqa.app.costs import Ledger
from docqa.app.documents import complete
from docqa.app.model import address, open_claude
from docqa.app.resources import Resources
from docqa.settings import Settings, adjust, key_to_use
from docqa.types.costs import NotesEstimate
from docqa.types.document import Chunk, Document
from docqa.types.progress import no_progress

if TYPE_CHECKING:
    from docqa.answer.model.claude import ClaudeAnswerer

Recut = Callable[[str], None]
"""Has a document's passages indexed with the notes that the catalog holds."""


class Notes:
    """The notes of one library; ``recut`` indexes those of a document that were written."""

    def __init__(self, resources: Resources, recut: Recut) -> None:
        self._resources = resources
        self._recut = recut

    def estimate(
        self, document_ids: Sequence[str] = (), *, settings: Settings | None = None
    ) -> NotesEstimate:
        """What `write` would take for these documents, or for all; sends nothing."""
        resources, settings = self._resources, settings or self._resources.settings
        read, model = complete(resources, document_ids), settings.answering.small_model
        missing = {document.id: _without_note(resources, document.id) for document in read}
        parts = [part for each in read for part in _parts(resources, each, missing[each.id])]
        tokens, cost = notes.estimate(parts, price=Ledger(resources.catalog).prices().get(model))
        passages = sum(map(len, missing.values()))
        return NotesEstimate(
            url=address(settings),
            model=model,
            documents=len(read),
            passages=passages,
            written=sum(document.chunk_count for document in read) - passages,
            tokens=tokens,
            cost_usd=cost,
        )

    def write(
        self,
        document_ids: Sequence[str] = (),
        *,
        api_key: str | None = None,
        settings: Settings | None = None,
        progress: Callable[[int, int], None] = no_progress,
    ) -> int:
        """Have the small model write a note for each passage that has none; how many it wrote.

        The documents' whole text is sent. Each note is kept as it arrives and indexed with its
        passage when its document is done, or when writing ends early: interrupted, or by an
        `AnswerError`, which is raised. Asked for again it goes on with those that are missing.
        Raises `NoKey` at once.
        """
        resources, settings = self._resources, settings or self._resources.settings
        resources.check_writable()
        by_small_model = adjust(settings, model=settings.answering.small_model)
        read, written = complete(resources, document_ids), 0
        total = sum(len(_without_note(resources, document.id)) for document in read)
        with (
            closing(open_claude(resources, by_small_model, key_to_use(api_key))) as claude,
            closing(_writing(resources, read, claude, self._recut)) as arriving,
        ):
            for count in arriving:
                written += count
                progress(written, total)
        return written


def _writing(
    resources: Resources, documents: Iterable[Document], claude: "ClaudeAnswerer", recut: Recut
) -> Generator[int, None, None]:
    """1 for each note that is kept, 0 while waiting; at a document's end they are indexed."""
    for document in documents:
        parts = _parts(resources, document, _without_note(resources, document.id))
        try:
            for noted in claude.notes(parts):
                if isinstance(noted, tuple):
                    resources.catalog.keep_notes(document.id, {noted[0].text: noted[1]})
                yield int(isinstance(noted, tuple))
        finally:
            _index_notes(resources, document.id, recut)


def _index_notes(resources: Resources, document_id: str, recut: Recut) -> None:
    kept = resources.catalog.notes(document_id)
    chunks = resources.catalog.document_chunks(document_id)
    if any(chunk.note != kept.get(chunk.text, "") for chunk in chunks):
        recut(document_id)


def _without_note(resources: Resources, document_id: str) -> list[Chunk]:
    kept = resources.catalog.notes(document_id)
    chunks = resources.catalog.document_chunks(document_id)
    return list({each.text: each for each in chunks if each.text not in kept}.values())


def _parts(resources: Resources, document: Document, chunks: Sequence[Chunk]) -> list[Part]:
    return notes.parts_of(document, resources.catalog.blocks(document.id), chunks) if chunks else []
