"""Figures of ranked retrieval over pages, with how sure they are."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z = 1.959964  # of the normal distribution, for 95 %


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of ``n`` questions, with its Wilson score interval (95 %)."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        return self.hits / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson, "Probable inference, the law of succession, and statistical inference", 1927."""
        if not self.n:
            return 0.0, 1.0
        spread = Z * math.sqrt(self.value * (1 - self.value) / self.n + Z**2 / (4 * self.n**2))
        middle, scale = self.value + Z**2 / (2 * self.n), 1 + Z**2 / self.n
        return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.3f} [{low:.2f}, {high:.2f}] n={self.n}"


def page_ranking(spans: Iterable[tuple[str, int, int]]) -> list[tuple[str, int]]:
    """The pages of hits (document, first page, last page) in rank order, each once."""
    pages = ((document, page) for document, first, last in spans for page in range(first, last + 1))
    return list(dict.fromkeys(pages))


def rank_of_gold(ranking: Sequence[tuple[str, int]], gold: Iterable[tuple[str, int]]) -> int:
    """The rank, from 1, of the first page in the ranking that is gold; 0 where none is."""
    wanted = set(gold)
    return next((rank for rank, page in enumerate(ranking, start=1) if page in wanted), 0)


def hits_at(ranks: Sequence[int], depth: int) -> Rate:
    """How many of the questions have a gold page among their first ``depth`` pages."""
    return Rate(sum(0 < rank <= depth for rank in ranks), len(ranks))


def mean_reciprocal_rank(ranks: Sequence[int]) -> float:
    """The mean of 1 / rank, a question without a gold page counting 0."""
    return sum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else 0.0
