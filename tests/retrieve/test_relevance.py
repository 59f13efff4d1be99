import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.retrieve.relevance import BASE, FUSED, PHRASES, READ, relevance

chances = st.floats(0.0, 1.0)


def test_a_worked_sum() -> None:
    odds = READ * math.log(0.8 / 0.2) + FUSED * 0.5 + PHRASES * 0.25 + BASE
    made = relevance([0.5, 0.8], fused=[0.04, 0.02], phrases=[0.0, 0.25])
    assert made[1] == pytest.approx(1 / (1 + math.exp(-odds)))


@given(chances, chances, chances, chances)
def test_it_is_a_chance_and_rises_with_each_part(
    read: float, other: float, share: float, phrases: float
) -> None:
    low, high = sorted((read, other))
    made = relevance([low, high], fused=[share, share], phrases=[phrases, phrases])
    assert 0 < made[0] <= made[1] < 1


def test_no_passages_have_no_relevance() -> None:
    assert relevance([], fused=[], phrases=[]) == []
