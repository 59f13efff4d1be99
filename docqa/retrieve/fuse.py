"""Reciprocal rank fusion: several rankings of the same things become one."""

from collections.abc import Sequence


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], *, k: int, weights: Sequence[float] | None = None
) -> dict[str, float]:
    """Score by id, best first: the sum over the rankings of ``weight / (k + rank)``.

    Ranks count from 1. An id named twice in one ranking counts at its first place. Ties stay in
    the order of first appearance. ``weights`` has one entry for each ranking (default: all 1);
    a ranking of weight 0 adds nothing, not even its ids. ValueError if the lengths differ.

    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
    rank learning methods", SIGIR 2009.

    >>> reciprocal_rank_fusion([["a", "b"], ["b"]], k=60) == {"b": 1/62 + 1/61, "a": 1/61}
    True
    """
    scores: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        if weight <= 0:
            continue
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return dict(sorted(scores.items(), key=lambda entry: -entry[1]))
