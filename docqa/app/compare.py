"""A comparison on its way: what is found in each document, and what the others have like it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from docqa.answer.events import (
    AnswerEvent,
    Events,
    PassagesFound,
    Search,
    Searching,
    TextDelta,
    relayed,
)
from docqa.answer.model.claude import ClaudeAnswerer
from docqa.app.resources import Opened
from docqa.compare import comparison
from docqa.compare.gather import Vectors, counterparts, gather, joined, nearest_to
from docqa.compare.pieces import pieces_of
from docqa.errors import AnswerError, AnswerStopped
from docqa.library.catalog import Catalog
from docqa.settings import Settings
from docqa.types.comparison import Comparison
from docqa.types.document import Document
from docqa.types.search import Hit


@dataclass(frozen=True, slots=True)
class Comparing:
    """What a comparison works with; ``search`` looks in the whole library."""

    opened: Opened
    catalog: Catalog
    search: Search
    settings: Settings
    claude: ClaudeAnswerer | None

    def events(self, documents: Sequence[Document], question: str) -> Events:
        """What happens on the way; the last event is the `Comparison`."""
        started = time.perf_counter()
        asked = question if any(map(str.isalnum, question)) else comparison.OVERALL
        hits: dict[str, tuple[Hit, ...]] = {}
        vectors: dict[str, Vectors] = {}
        for document in documents:
            yield Searching(asked, (document.id,))
            found = gather(
                [document], asked, search=self.search, top_k=self.settings.compare_chunks
            )
            yield PassagesFound(len(found[document.id]), (document.name,))
            hits[document.id], vectors[document.id] = self._pieces(
                found[document.id], asked, limit=self.settings.compare_pieces
            )
        evidence = self._evidence(documents, asked, hits, vectors)
        reranker = self.opened.reranker if self.settings.use_reranker else None
        compared = comparison.compare(
            documents, asked, evidence, settings=self.settings, reranker=reranker
        )

        def timed(event: AnswerEvent) -> AnswerEvent:
            if isinstance(event, Comparison):
                return replace(event, seconds=time.perf_counter() - started)
            return event

        yield from relayed(self._written_up(compared), timed)

    def _written_up(self, compared: Comparison) -> Events:
        """Claude's words on a comparison; where none arrive, those made without it."""
        if self.claude is None:
            yield TextDelta(compared.text)
            yield compared
            return
        try:
            yield from self.claude.compare(
                compared, search=self.search, read_page=self.catalog.blocks
            )
        except AnswerError as error:
            stopped = isinstance(error, AnswerStopped)
            reason = "The writing was stopped before it began." if stopped else str(error)
            said = f"{reason} The comparison shown was made without it."
            yield replace(compared, warnings=(*compared.warnings, said))

    def _evidence(
        self,
        documents: Sequence[Document],
        question: str,
        hits: Mapping[str, tuple[Hit, ...]],
        vectors: Mapping[str, Vectors],
    ) -> comparison.Evidence:
        """What was found, and what in each whole document comes nearest to the others' pieces."""
        all_hits, all_vectors = dict(hits), dict(vectors)
        partners: frozenset[str] = frozenset()
        for document in documents:
            mine = document.id
            found = self._counterparts(document, vectors)
            own, rows = self._pieces(
                found, question, limit=len(found) * self.settings.compare_pieces
            )
            all_hits[mine], all_vectors[mine], ids = joined(hits[mine], vectors[mine], own, rows)
            partners |= ids
        blocks = {document.id: self.catalog.blocks(document.id) for document in documents}
        unread = {
            document.id: sum(
                page.source == "none" and bool(page.warnings)
                for page in self.catalog.health(document.id)
            )
            for document in documents
        }
        return comparison.Evidence(all_hits, all_vectors, blocks, frozenset(partners), unread)

    def _counterparts(
        self,
        document: Document,
        vectors: Mapping[str, Vectors],
    ) -> list[Hit]:
        """The document's passages nearest to what was found in the others."""
        known = {chunk.id: chunk for chunk in self.catalog.document_chunks(document.id)}
        ids, own = self.catalog.document_vectors([document.id])
        chunks = [known[each] for each in ids if each in known]
        own = own[[each in known for each in ids]]
        found: dict[str, Hit] = {}
        for other, pieces in vectors.items():
            if other != document.id:
                near = counterparts(pieces, chunks, own, limit=self.settings.compare_chunks)
                found.update((chunk.id, Hit(chunk, document)) for chunk in near)
        return list(found.values())

    def _pieces(
        self, hits: Sequence[Hit], question: str, *, limit: int
    ) -> tuple[tuple[Hit, ...], Vectors]:
        """The pieces of the hits that are nearest to the question, and their vectors."""
        pieces = pieces_of(hits)
        texts = [piece.chunk.embedded_text for piece in pieces]
        encoder = self.opened.encoder
        vectors = encoder.encode_now(texts) if texts else self.catalog.vectors([])
        return nearest_to(encoder.encode_query(question), pieces, vectors, limit=limit)
