"""Whether a question asks for what is more, or less, than what it is held against; learnt.

"Who is over budget?", "which sites shrank?": by how it is put, as `tests.training.direction`
teaches it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docqa.language.linear import bundled

DIRECTIONS = ("neither", "more", "less")


@dataclass(frozen=True, slots=True)
class Direction:
    """The log odds that a question asks for either, and, where it does, that it is for more."""

    asked: float
    more: float


def direction_of(question: str, vector: Sequence[float] | NDArray[np.float32]) -> Direction:
    """By a question's words and its vector, (d,), by the encoder that comes with docqa."""
    neither, more, less = bundled(__package__, "direction.json").odds(question, vector).tolist()
    return Direction(float(np.logaddexp(more, less)) - neither, more - less)
