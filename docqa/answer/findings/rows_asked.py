"""Whether a question asks for rows of a list, by how it is put; learnt.

`tests.training.rows_asked` teaches it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docqa.language.linear import bundled

ASKS = -1.0  # the log odds from which on the likeliest table is shown with more of its rows


def asks_for_rows(question: str, vector: Sequence[float] | NDArray[np.float32]) -> float:
    """The log odds that a question asks for rows, by how it is put and its vector, (d,)."""
    return float(bundled(__package__, "rows_asked.json").odds(question, vector)[0])
