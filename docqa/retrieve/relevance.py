"""One relevance from what was found out about a passage: its reading, its place, its words."""

import math
from collections.abc import Iterable, Mapping, Sequence

# By how they rank the pages that answer, on filings, handbooks and contracts; the base by how often
# a passage answers.
READ, FUSED, WORDS, MEANING, PHRASES, OPENING = 0.44, 0.7, 0.45, 1.0, 0.84, 2.0
BASE = -1.7
CERTAIN = 12.0  # log-odds beyond which a reading is as good as certain


def relevance(passages: Sequence[Mapping[str, float]]) -> list[float]:
    """The chance that each passage answers, 0–1: a weighted sum of log-odds.

    Each has its scores by stage: how a reranker ``read`` it (0–1), its cosine ("dense"), the share
    of the question's ``phrases`` that it has; and where there are any, those of rank fusion
    ("rrf") and of BM25 ("bm25"), which are taken as their share of the highest, and the chance
    that it is asked for as the ``opening`` of a document.

    >>> low, high = ({"read": 0.5, "rrf": n, "dense": 0.4, "phrases": 0.0} for n in (0.01, 0.02))
    >>> one, other = relevance([low, high])
    >>> one < other
    True
    """
    fused = _highest(each.get("rrf", 0.0) for each in passages)
    words = _highest(each.get("bm25", 0.0) for each in passages)
    return [
        _chance(
            READ * _log_odds(each["read"])
            + FUSED * each.get("rrf", 0.0) / fused
            + WORDS * each.get("bm25", 0.0) / words
            + MEANING * each["dense"]
            + PHRASES * each["phrases"]
            + OPENING * each.get("opening", 0.0)
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
