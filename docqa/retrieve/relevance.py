"""One relevance from what was found out about a passage: its reading, its place, its phrases."""

import math
from collections.abc import Sequence

# The first three by how they rank the pages that answer, their scale and the last by how often a
# passage answers, on questions of documents that the reranker has not learnt from. Fitted anew to
# this reranker the first three ranked no better.
READ, FUSED, PHRASES, BASE = 0.44, 0.43, 0.84, -1.11
CERTAIN = 12.0  # log-odds beyond which a reading is as good as certain


def relevance(
    readings: Sequence[float], *, fused: Sequence[float], phrases: Sequence[float]
) -> list[float]:
    """The chance that each passage answers, 0–1: a weighted sum of log-odds.

    ``readings`` are a reranker's scores (0–1), ``fused`` those of rank fusion, of which each is
    taken as its share of the highest, ``phrases`` shares of the question's word pairs. The
    lengths are equal.

    >>> low, high = relevance([0.5, 0.5], fused=[0.01, 0.02], phrases=[0.0, 0.0])
    >>> low < high
    True
    """
    highest = max(fused, default=0.0) or 1.0
    return [
        _chance(READ * _log_odds(read) + FUSED * share / highest + PHRASES * phrase + BASE)
        for read, share, phrase in zip(readings, fused, phrases, strict=True)
    ]


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, _chance(-CERTAIN)), _chance(CERTAIN))
    return math.log(bounded / (1 - bounded))


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
