"""Texts that were encoded lately are not encoded again, and come back in their order."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docqa.models.recent import RecentVectors


def test_each_text_is_encoded_once_while_it_is_kept() -> None:
    encoded: list[list[str]] = []

    def lengths(texts: Sequence[str]) -> NDArray[np.float32]:
        encoded.append(list(texts))
        return np.array([[len(text), 1] for text in texts], np.float32)

    recent = RecentVectors(kept=6)  # numbers
    found = recent.of(["a", "bb", "a"], lengths)
    assert [each.tolist() for each in found] == [[1, 1], [2, 1], [1, 1]]
    assert [each.tolist() for each in recent.of(["ccc", "a"], lengths)] == [[3, 1], [1, 1]]
    assert encoded == [["a", "bb"], ["ccc"]]
    recent.of(["dddd"], lengths)  # "bb" goes, which was asked for longest ago
    recent.of(["a", "bb"], lengths)
    assert encoded[2:] == [["dddd"], ["bb"]]
    assert recent.of([], lengths) == []
