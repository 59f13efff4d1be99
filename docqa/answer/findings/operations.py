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
MOST = ("highest", "lowest")


@lru_cache(maxsize=1)
def _taught() -> tuple[Linear, Linear]:
    text = resources.files("docqa.answer.findings").joinpath("operations.json").read_text("utf-8")
    kept = json.loads(text)
    return linear_of(kept["operations"]), linear_of(kept["row"])


def operation_of(question: str, vector: NDArray[np.float32]) -> tuple[Operation, float]:
    """The operation that a question asks for, if it asks for one, and the chance, 0–1, of that.

    ``vector`` (d,) is the question's, by the encoder that comes with docqa.
    """
    return likeliest(operation_odds(question, vector))


def operation_odds(question: str, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The log odds of each of `OPERATIONS`, (operations,); ``vector`` as of `operation_of`."""
    return _taught()[0].odds(question, vector)


def likeliest(odds: NDArray[np.float32]) -> tuple[Operation, float]:
    """As `operation_of`, by the log odds of each of `OPERATIONS`."""
    none, *asked = chances_of(odds).values()
    return OPERATIONS[1 + asked.index(max(asked))], 1 - none


def chances_of(odds: NDArray[np.float32]) -> dict[Operation, float]:
    """The chance of each of `OPERATIONS`, in their order, by their log odds."""
    shares = np.exp(odds - odds.max())
    return dict(zip(OPERATIONS, (shares / shares.sum()).tolist(), strict=True))


@lru_cache(maxsize=256)
def row_odds(question: str) -> float:
    """The log odds that a row of a table answers a question rather than a sentence."""
    return float(_taught()[1].odds(question)[0])
