"""Several rankings of the same things become one: by their sum, or by the best of them."""

from collections.abc import Mapping, Sequence


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


def best_of(rankings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Score by id, best first: each id's in the ranking where it stands best.

    That is its share of that ranking's highest score, on the scale of the first ranking, so that
    the best of each ranking comes before all others. Where a sum prefers what several rankings
    have a little of, this keeps what one of them has much of. Scores are positive; ties stay in
    the order of first appearance.

    >>> best_of([{"a": 0.4, "b": 0.3}, {"c": 0.2, "b": 0.19}])
    {'a': 0.4, 'c': 0.4, 'b': 0.38}
    """
    scale = max(rankings[0].values(), default=1.0) if rankings else 1.0
    best: dict[str, float] = {}
    for ranking in rankings:
        highest = max(ranking.values(), default=1.0)
        for item, score in ranking.items():
            best[item] = max(best.get(item, 0.0), scale * (score / highest))
    return dict(sorted(best.items(), key=lambda entry: -entry[1]))
