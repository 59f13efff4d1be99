"""Evidence of each document, by a full search of that document alone."""

from collections.abc import Sequence
from typing import Protocol

from docqa.types import Document, Hit, SearchResult


class Search(Protocol):
    """Search as it is handed in: it knows where the documents are kept."""

    def __call__(
        self, query: str, *, document_ids: tuple[str, ...] = (), top_k: int | None = None
    ) -> SearchResult: ...


def gather(
    documents: Sequence[Document], question: str, *, search: Search, top_k: int
) -> dict[str, tuple[Hit, ...]]:
    """For each document's id its own best ``top_k`` hits, so that none starves another."""
    return {
        document.id: search(question, document_ids=(document.id,), top_k=top_k).hits
        for document in documents
    }
