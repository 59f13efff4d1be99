import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.retrieve.relevance import (
    BASE,
    FUSED,
    MEANING,
    PHRASES,
    READ,
    WORDS,
    relevance,
)

chances = st.floats(0.0, 1.0)


def found(*scores: float) -> dict[str, float]:
    return dict(zip(("read", "rrf", "bm25", "dense", "phrases"), scores, strict=True))


def test_a_worked_sum() -> None:
    first, second = found(0.5, 0.04, 12.0, 0.2, 0.0), found(0.8, 0.02, 9.0, 0.6, 0.25)
    odds = (
        READ * math.log(0.8 / 0.2)
        + FUSED * 0.5
        + WORDS * 0.75
        + MEANING * 0.6
        + PHRASES * 0.25
        + BASE
    )
    made = relevance([first, second])
    assert made[1] == pytest.approx(1 / (1 + math.exp(-odds)))


@given(chances, chances, st.tuples(chances, chances, chances, chances))
def test_it_is_a_chance_and_rises_with_the_reading(
    read: float, other: float, rest: tuple[float, float, float, float]
) -> None:
    low, high = sorted((read, other))
    made = relevance([found(low, *rest), found(high, *rest)])
    assert 0 < made[0] <= made[1] < 1


def test_no_passages_have_no_relevance() -> None:
    assert relevance([]) == []
