"""Places among the hits kept for each document, so that none starves."""

from collections.abc import Sequence

from docqa.types.search import Hit


def with_quota(hits: Sequence[Hit], *, document_ids: Sequence[str], top_k: int) -> list[Hit]:
    """The ``top_k`` best hits, but at least a fair share of them from each named document.

    ``hits`` are best first. Half of the places, shared evenly (one at least, while places last),
    are kept for the best hits of each of ``document_ids``; the others go by rank. The hits keep
    their order. A document without hits leaves its places to the rest.
    """
    share = max(1, top_k // (2 * len(document_ids))) if document_ids else 0
    kept = [hit.chunk.id for one in document_ids for hit in _of(hits, one)[:share]][:top_k]
    others = [hit.chunk.id for hit in hits if hit.chunk.id not in kept]
    chosen = {*kept, *others[: top_k - len(kept)]}
    return [hit for hit in hits if hit.chunk.id in chosen]


def _of(hits: Sequence[Hit], document_id: str) -> list[Hit]:
    return [hit for hit in hits if hit.chunk.document_id == document_id]
