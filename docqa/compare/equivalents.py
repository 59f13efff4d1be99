"""Which rows of two lists mean the same under other words: "Lead time" and "Delivery".

Vectors alone do not tell: income is as near to expenses as a fee to a charge. So of rows that are
near, with values of one kind, the reranker reads whether one answers what the other is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docqa.compare.align import pairs
from docqa.compare.similarity import Reranker
from docqa.compare.wording import Encode
from docqa.language.labels import is_known, label_key

# Of 61 pairs of rows written down for this, 10 of 22 that mean the same are found at these bounds,
# and 1 of 39 that do not: a minimum and a maximum.
NEAR = 0.4  # cosine of two rows, from which they are read
ANSWERS = 0.5  # score in the better of both directions
ANSWERS_IN_WORDS = 0.75  # the same of words: who the tenant is answers for a landlord with 0.68
WORDS = "words"


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of a list; ``kind`` says what its value is an amount of, or that it is `WORDS`."""

    label: str
    value: str
    kind: str

    @property
    def text(self) -> str:
        return f"{self.label}: {self.value}"

    @property
    def question(self) -> str:
        return f"What is the {self.label[:1].lower()}{self.label[1:]}?"


def equivalents(
    one: Sequence[Fact], other: Sequence[Fact], encode: Encode, reranker: Reranker
) -> list[tuple[Fact, Fact]]:
    """The facts that mean the same, each in one pair at most.

    Two that are known under different names do not, nor two of one sort: a setup and a support fee.
    """
    if not one or not other:
        return []
    near = encode([each.text for each in one]) @ encode([each.text for each in other]).T
    read = np.zeros(near.shape)
    for row, column in zip(*np.nonzero(near >= NEAR), strict=True):
        first, second = one[row], other[column]
        if first.kind == second.kind and not _are_apart(first.label, second.label):
            read[row, column] = _reading(first, second, reranker)
    return [(one[row], other[column]) for row, column, _ in pairs(read, threshold=ANSWERS)]


def _are_apart(label: str, other: str) -> bool:
    """Whether both are known, or share a word while each has another."""
    one, two = set(label_key(label)), set(label_key(other))
    return (is_known(label) and is_known(other)) or all((one & two, one - two, two - one))


def _reading(first: Fact, second: Fact, reranker: Reranker) -> float:
    there = float(reranker.score(first.question, [second.text])[0])
    back = float(reranker.score(second.question, [first.text])[0])
    least = ANSWERS_IN_WORDS if first.kind == WORDS else ANSWERS
    return max(there, back) if max(there, back) >= least else 0.0
