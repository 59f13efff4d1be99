"""Notes that a model writes on passages, so that they are found by what they do not say."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from docqa.answer.model import notes
from docqa.answer.model.claude import ClaudeAnswerer
from docqa.answer.model.notes import Part
from docqa.library.catalog import Catalog
from docqa.settings import Price
from docqa.types.costs import NotesEstimate
from docqa.types.document import Chunk, Document


class Noting:
    """Only documents that have been read to the end get notes, each passage one."""

    def __init__(self, catalog: Catalog, recut: Callable[[str], None]) -> None:
        """``recut`` has a document's passages indexed with the notes that the catalog holds."""
        self._catalog = catalog
        self._recut = recut

    def estimate(
        self, documents: Sequence[Document], *, url: str, model: str, price: Price | None
    ) -> NotesEstimate:
        """What `write` would take for these documents; sends nothing."""
        read = _complete(documents)
        missing = {document.id: self._without_note(document.id) for document in read}
        parts = [part for each in read for part in self._parts(each, missing[each.id])]
        tokens, cost = notes.estimate(parts, price=price)
        passages = sum(map(len, missing.values()))
        return NotesEstimate(
            url=url,
            model=model,
            documents=len(read),
            passages=passages,
            written=sum(document.chunk_count for document in read) - passages,
            tokens=tokens,
            cost_usd=cost,
        )

    def write(
        self,
        documents: Sequence[Document],
        claude: ClaudeAnswerer,
        *,
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> int:
        """Have a note written for each passage that has none; how many were. Raises `AnswerError`.

        Each is kept as it arrives, and indexed when its document is done or writing ends early.
        """
        read, written = _complete(documents), 0
        total = sum(len(self._without_note(document.id)) for document in read)
        for document in read:
            with closing(self._writing_notes(document, claude)) as arriving:
                for count in arriving:
                    written += count
                    if progress is not None:
                        progress(written, total)
                    if cancelled is not None and cancelled():
                        return written
        return written

    def _writing_notes(
        self, document: Document, claude: ClaudeAnswerer
    ) -> Generator[int, None, None]:
        """1 for each note that is kept, 0 while waiting; when it ends they are indexed."""
        parts = self._parts(document, self._without_note(document.id))
        try:
            for told in claude.notes(parts):
                if isinstance(told, tuple):
                    self._catalog.keep_notes(document.id, {told[0].text: told[1]})
                yield int(isinstance(told, tuple))
        finally:
            self._index_notes(document.id)

    def _index_notes(self, document_id: str) -> None:
        kept = self._catalog.notes(document_id)
        chunks = self._catalog.document_chunks(document_id)
        if any(chunk.note != kept.get(chunk.text, "") for chunk in chunks):
            self._recut(document_id)

    def _without_note(self, document_id: str) -> list[Chunk]:
        kept = self._catalog.notes(document_id)
        chunks = self._catalog.document_chunks(document_id)
        return list({each.text: each for each in chunks if each.text not in kept}.values())

    def _parts(self, document: Document, chunks: Sequence[Chunk]) -> list[Part]:
        return notes.parts_of(document, self._catalog.blocks(document.id), chunks) if chunks else []


def _complete(documents: Sequence[Document]) -> list[Document]:
    return [document for document in documents if document.state == "complete"]
