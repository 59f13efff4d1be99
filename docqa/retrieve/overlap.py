"""Words and phrases that a question and a passage share; words are the scorer of last resort."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from docqa.language.keywords import keywords
from docqa.language.words import STOP_WORDS

_WORD = re.compile(r"[a-z]+|\d+(?:[.,]\d+)*")
_KEPT = 3  # letters of a word before its ending
_ENDING = re.compile(rf"(?<=[a-z]{{{_KEPT}}})(?:ations?|ings?|ment|ies|ed|es|ly|s)$")


class SharedWords:
    """The reranker where no model can be used."""

    name = "shared words"

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        return np.array([jaccard(question, passage) for passage in passages], dtype=np.float32)

    score_lines = score


def jaccard(first: str, second: str) -> float:
    """Shared keywords over all keywords, 0–1; 0 where neither has any.

    >>> jaccard("The rent is due monthly", "rent due yearly")
    0.5
    """
    one, other = set(keywords(first)), set(keywords(second))
    union = one | other
    return len(one & other) / len(union) if union else 0.0


def shared_phrases(question: str, passages: Sequence[str]) -> list[float]:
    """For each passage, the share of the question's phrases that it has, 0–1.

    A phrase is two words in a row, stop words left out, whatever their endings.

    >>> shared_phrases("What is the notice period?", ["Notice periods", "A period of notice"])
    [1.0, 0.0]
    """
    wanted = _phrases(question)
    if not wanted:
        return [0.0] * len(passages)
    begin = {word[:_KEPT] for pair in wanted for word in pair}
    return [len(wanted & _phrases(passage, begin)) / len(wanted) for passage in passages]


def _phrases(text: str, begin: Collection[str] = ()) -> set[tuple[str, str]]:
    """The pairs of words without endings; of words that do not ``begin`` so, "" (if it is given).

    To take off the endings took the longest; what a word begins with stays as it is.
    """
    words = (word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS)
    sought = (word if not begin or word[:_KEPT] in begin else "" for word in words)
    return set(pairwise(_ENDING.sub("", word) if word else "" for word in sought))
