"""Whether a question asks for rows of a list, or for those with the most, by how it is put; learnt.

`tests.training.rows_asked` teaches it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docqa.language.linear import bundled

KINDS = ("other", "rows", "most", "least")
ASKS = -1.0  # the log odds from which on the likeliest table is shown with more of its rows


@dataclass(frozen=True, slots=True)
class RowsAsked:
    """The log odds that a question asks for rows; for the one or few with the most or the least of
    something; and, where it does, that it is the most."""

    rows: float
    furthest: float
    most: float


def rows_asked(question: str, vector: Sequence[float] | NDArray[np.float32]) -> RowsAsked:
    """By a question's words and its vector, (d,), by the encoder that comes with docqa."""
    other, rows, most, least = map(
        float, bundled(__package__, "rows_asked.json").odds(question, vector)
    )
    furthest = float(np.logaddexp(most, least))
    return RowsAsked(
        rows - float(np.logaddexp(other, furthest)),
        furthest - float(np.logaddexp(other, rows)),
        most - least,
    )


def asks_for_rows(question: str, vector: Sequence[float] | NDArray[np.float32]) -> float:
    """The log odds that a question asks for rows, as `rows_asked`."""
    return rows_asked(question, vector).rows
