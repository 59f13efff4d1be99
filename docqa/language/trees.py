"""Boosted trees as numbers, read and weighed without the package that taught them.

(Friedman, "Greedy function approximation", 2001.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trees:
    """Boosted trees: for each node the feature it asks for, its threshold and where to go on.

    A leaf's ``feature`` is -1 and its ``value`` is added to the log odds, which begin at ``base``.
    Arrays are (trees, nodes).
    """

    base: float
    feature: NDArray[np.int16]
    threshold: Numbers
    below: NDArray[np.int16]
    above: NDArray[np.int16]
    value: Numbers

    def chances(self, rows: Numbers) -> Numbers:
        """(n, features) to (n,)."""
        chances: Numbers = (1 / (1 + np.exp(-self.odds(rows)))).astype(np.float32)
        return chances

    def odds(self, rows: Numbers) -> Numbers:
        """(n, features) to the log odds, (n,)."""
        odds = np.full(len(rows), self.base, np.float32)
        for tree in range(len(self.feature)):
            odds += self._value(tree, rows)
        return odds

    def _value(self, tree: int, rows: Numbers) -> Numbers:
        at = np.zeros(len(rows), np.int64)
        every = np.arange(len(rows))
        while (inner := self.feature[tree][at] >= 0).any():
            asked = np.maximum(self.feature[tree][at], 0)
            under = rows[every, asked] <= self.threshold[tree][at]
            onward = np.where(under, self.below[tree][at], self.above[tree][at])
            at = np.where(inner, onward, at)
        value: Numbers = self.value[tree][at]
        return value


def trees_of(kept: Mapping[str, Any], names: Sequence[str]) -> Trees:
    """Trees as `tests.training.judge` and `tests.training.programs` write them.

    Raises ValueError where they were taught with other features than those of these ``names``.
    """
    if kept["features"] != list(names):
        raise ValueError("The trees were taught with other features than are measured.")
    kinds = {"feature": np.int16, "below": np.int16, "above": np.int16}
    arrays = {
        name: np.array(kept[name], kinds.get(name, np.float32))
        for name in ("feature", "threshold", "below", "above", "value")
    }
    return Trees(float(kept["base"]), **arrays)  # type: ignore[arg-type]
