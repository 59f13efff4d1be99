"""Which sum a question asks for, and whether a table answers it, told from how it is put.

Two small learned classifiers over a question's words, with names of figures left as they are and
numbers as marks; that of the sums also over the question's vector, which tells what is put in other
words ("midpoint" of an average). Taught by `tests.training.operations`.
"""

import json
from functools import lru_cache
from importlib import resources
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from docqa.language.linear import Linear, linear_of

Operation = Literal[
    "none", "difference", "change", "average", "sum", "share", "highest", "lowest", "count"
]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)


@lru_cache(maxsize=1)
def _taught() -> tuple[Linear, Linear]:
    text = resources.files("docqa.answer.findings").joinpath("operations.json").read_text("utf-8")
    kept = json.loads(text)
    return linear_of(kept["operations"]), linear_of(kept["row"])


def operation_of(question: str, vector: NDArray[np.float32]) -> tuple[Operation, float]:
    """The likeliest operation that a question asks for, and its chance, 0–1.

    ``vector`` (d,) is the question's, by the encoder that comes with docqa.
    """
    odds = _taught()[0].odds(question, vector)
    shares = np.exp(odds - odds.max())
    best = int(shares.argmax())
    return OPERATIONS[best], float(shares[best] / shares.sum())


@lru_cache(maxsize=256)
def row_odds(question: str) -> float:
    """The log odds that a row of a table answers a question rather than a sentence."""
    return float(_taught()[1].odds(question)[0])
