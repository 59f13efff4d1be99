"""Which sum a question asks for, and whether a table answers it, told from how it is put.

Two small learned classifiers: logistic regression over a question's words and pairs of neighbouring
words, with names of figures left as they are and numbers as marks. Taught by
`tests.training.operations`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from docqa.language.words import words

Operation = Literal[
    "none", "difference", "change", "average", "sum", "share", "highest", "lowest", "count"
]
OPERATIONS: tuple[Operation, ...] = (
    "none", "difference", "change", "average", "sum", "share", "highest", "lowest", "count",
)  # fmt: skip


def terms_of(question: str) -> Iterator[str]:
    """A question's words and pairs of words, with marks at its ends; numbers as "#", years as "@".

    >>> list(terms_of("Total in 2019?"))
    ['total', 'in', '@', '< total', 'total in', 'in @', '@ >']
    """
    plain = [_plain(word) for word in words(question)]
    yield from plain
    ends = ["<", *plain, ">"]
    yield from (f"{one} {other}" for one, other in pairwise(ends))


def _plain(word: str) -> str:
    if re.fullmatch(r"(?:fy|cy)?'?(?:19|20)\d\d", word):
        return "@"
    return "#" if word[:1].isdigit() else word


@dataclass(frozen=True, slots=True)
class _Linear:
    """A linear classifier over terms: ``weights`` are (classes, terms), ``base`` (classes,)."""

    numbers: dict[str, int]
    weights: NDArray[np.float32]
    base: NDArray[np.float32]

    def odds(self, question: str) -> NDArray[np.float32]:
        held = [self.numbers[term] for term in set(terms_of(question)) & self.numbers.keys()]
        odds: NDArray[np.float32] = self.base + self.weights[:, held].sum(axis=1)
        return odds


@lru_cache(maxsize=1)
def _taught() -> tuple[_Linear, _Linear]:
    text = resources.files("docqa.answer.findings").joinpath("operations.json").read_text("utf-8")
    kept = json.loads(text)
    operations, row = (
        _Linear(
            {term: at for at, term in enumerate(each["terms"])},
            np.array(each["weights"], np.float32),
            np.array(each["base"], np.float32),
        )
        for each in (kept["operations"], kept["row"])
    )
    return operations, row


@lru_cache(maxsize=256)
def operation_of(question: str) -> tuple[Operation, float]:
    """The likeliest operation that a question asks for, and its chance, 0–1."""
    odds = _taught()[0].odds(question)
    shares = np.exp(odds - odds.max())
    best = int(shares.argmax())
    return OPERATIONS[best], float(shares[best] / shares.sum())


@lru_cache(maxsize=256)
def row_odds(question: str) -> float:
    """The log odds that a row of a table answers a question rather than a sentence."""
    return float(_taught()[1].odds(question)[0])
