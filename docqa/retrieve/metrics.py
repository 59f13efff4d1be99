"""Figures of ranked retrieval over pages; pure."""

from collections.abc import Iterable, Mapping, Sequence

from docqa.types.evaluation import Rate

Page = tuple[str, int]  # document name, page


def page_ranking(spans: Iterable[tuple[str, int, int]]) -> list[Page]:
    """The pages of hits (document, first page, last page) in rank order, each once."""
    pages = ((document, page) for document, first, last in spans for page in range(first, last + 1))
    return list(dict.fromkeys(pages))


def rank_of_gold(ranking: Sequence[Page], gold: Iterable[Page]) -> int:
    """The rank, from 1, of the first page in the ranking that is gold; 0 where none is."""
    wanted = set(gold)
    return next((rank for rank, page in enumerate(ranking, start=1) if page in wanted), 0)


def hits_at(ranks: Sequence[int], depth: int) -> Rate:
    """How many of the questions have a gold page among their first ``depth`` pages."""
    return Rate(sum(0 < rank <= depth for rank in ranks), len(ranks))


def mean_reciprocal_rank(ranks: Sequence[int]) -> float:
    """The mean of 1 / rank, a question without a gold page counting 0."""
    return sum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else 0.0


def recall_at(ranking: Sequence[Page], gold: Iterable[Page], depth: int) -> float:
    """The share of the gold pages that are among the first ``depth``.

    >>> recall_at([("a", 1), ("a", 2), ("a", 3)], [("a", 2), ("a", 3)], 2)
    0.5
    """
    wanted = set(gold)
    return len(wanted & set(ranking[:depth])) / len(wanted) if wanted else 0.0


def gold_pages(sources: Mapping[str, Sequence[int]]) -> set[Page]:
    """The pages of a `GoldQuestion`'s sources."""
    return {(document, page) for document, pages in sources.items() for page in pages}
