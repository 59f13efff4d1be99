"""A raw score becomes a chance: Platt, "Probabilistic outputs for SVMs", 1999."""

from collections.abc import Sequence

import numpy as np


def platt(scores: Sequence[float], answers: Sequence[bool]) -> tuple[float, float]:
    """Slope and shift of the log-odds, by Newton's method; lightly held towards 0.

    >>> slope, shift = platt([-2, -1, -1, 1, 1, 2], [False, False, True, False, True, True])
    >>> slope > 0 and abs(shift) < 1e-6
    True
    """
    given = np.column_stack([scores, np.ones(len(scores))]).astype(np.float64)
    target = np.asarray(answers, dtype=np.float64)
    weights = np.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-given @ weights))
        gradient = given.T @ (chance - target) / len(target) + 1e-4 * weights
        spread = (given.T * (chance * (1 - chance))) @ given / len(target)
        weights -= np.linalg.solve(spread + 1e-4 * np.eye(2), gradient)
    return float(weights[0]), float(weights[1])
