"""One relevance from what was found out about a passage: its reading, its place, its words."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# By how they rank the pages that answer, on filings, handbooks and contracts; the base by how often
# a passage answers.
READ, FUSED, WORDS, MEANING, PHRASES, OPENING = 0.44, 0.7, 0.45, 1.0, 0.84, 2.0
BASE = -1.7
CERTAIN = 12.0  # log-odds beyond which a reading is as good as certain


@dataclass(frozen=True, slots=True)
class Found:
    """What was found out about a passage: a reranker's ``reading`` of it (0–1), the scores of rank
    fusion and of BM25, the cosine, the share of the question's word pairs that it has, and the
    chance that it is asked for as the ``opening`` of a document."""

    reading: float
    fused: float
    words: float
    cosine: float
    phrases: float
    opening: float = 0.0


def relevance(passages: Sequence[Found]) -> list[float]:
    """The chance that each passage answers, 0–1: a weighted sum of log-odds.

    The scores of rank fusion and of BM25 are taken as their share of the highest.

    >>> low, high = relevance([Found(0.5, 0.01, 2, 0.4, 0), Found(0.5, 0.02, 4, 0.4, 0)])
    >>> low < high
    True
    """
    fused = _highest(each.fused for each in passages)
    words = _highest(each.words for each in passages)
    return [
        _chance(
            READ * _log_odds(each.reading)
            + FUSED * each.fused / fused
            + WORDS * each.words / words
            + MEANING * each.cosine
            + PHRASES * each.phrases
            + OPENING * each.opening
            + BASE
        )
        for each in passages
    ]


def _highest(scores: Iterable[float]) -> float:
    return max(scores, default=0.0) or 1.0


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, _chance(-CERTAIN)), _chance(CERTAIN))
    return math.log(bounded / (1 - bounded))


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))
