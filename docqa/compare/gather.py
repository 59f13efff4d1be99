"""Evidence of each document, by a full search of that document alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from docqa.types import Document, Hit, SearchResult

Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]


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


def nearest_to(
    question: Vector, hits: Sequence[Hit], vectors: Vectors, *, limit: int
) -> tuple[tuple[Hit, ...], Vectors]:
    """The ``limit`` hits nearest to the question, best first, and their vectors (limit, d).

    ``question`` (d,) and ``vectors`` (n, d) are of length 1; each hit's "dense" is its own cosine.
    Equally near ones keep their order.
    """
    if not hits:
        return (), vectors[:0]
    cosines = vectors @ question
    order = np.argsort(-cosines, kind="stable")[:limit]
    near = (
        replace(hits[place], scores={**hits[place].scores, "dense": float(cosines[place])})
        for place in order
    )
    return tuple(near), vectors[order]
