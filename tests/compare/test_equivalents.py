"""Rows that mean the same under other words: what is read, and what is not taken for the same."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from docqa.compare.equivalents import WORDS, Fact, equivalents

LEAD = Fact("Lead time", "6 weeks", "time")
DELIVERY = Fact("Delivery", "8 weeks from order", "time")
WARRANTY = Fact("Warranty", "2 years", "time")


def all_near(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.ones((len(texts), 1), np.float32)


class Reader:
    """Scores of questions with the beginning of what answers them, 0 for all others."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores
        self.questions: list[str] = []

    def score(self, query: str, passages: Sequence[str]) -> NDArray[np.float32]:
        self.questions.append(query)
        return np.array([self.scores.get(each.split(":")[0], 0.0) for each in passages], np.float32)


def same(*sides: Fact, **scores: float) -> list[tuple[str, str]]:
    """What is the same of the first fact and the others."""
    found = equivalents(sides[:1], sides[1:], all_near, Reader(**scores))
    return [(one.label, other.label) for one, other in found]


def test_the_row_that_answers_best_in_either_direction_is_the_same() -> None:
    assert same(LEAD, WARRANTY, DELIVERY, Delivery=0.6) == [("Lead time", "Delivery")]
    assert same(DELIVERY, LEAD, **{"Delivery": 0.6}) == [("Delivery", "Lead time")]
    assert same(LEAD, DELIVERY, Delivery=0.4) == []
    reader = Reader()
    equivalents([LEAD], [DELIVERY], all_near, reader)
    assert reader.questions == ["What is the lead time?", "What is the delivery?"]


@pytest.mark.parametrize(
    "other",
    [
        Fact("Delivery", "$90", "money"),
        Fact("Response time", "6 weeks", "time"),  # another sort of what it shares a word with
    ],
)
def test_values_of_another_kind_and_another_sort_of_one_thing_are_not_read(other: Fact) -> None:
    reader = Reader()
    assert equivalents([LEAD], [other], all_near, reader) == []
    assert reader.questions == []


def test_two_facts_known_under_different_names_are_different() -> None:
    occupancy, vacancy = Fact("Occupancy", "94%", "%"), Fact("Vacancy rate", "4%", "%")
    assert same(occupancy, vacancy, **{"Vacancy rate": 0.9}) == []


def test_of_words_more_is_asked() -> None:
    landlord, tenant = Fact("Owner", "Elm Ltd", WORDS), Fact("Occupier", "Oak plc", WORDS)
    assert same(landlord, tenant, Occupier=0.7) == []
    assert same(landlord, tenant, Occupier=0.8) == [("Owner", "Occupier")]


def test_nothing_is_the_same_as_nothing() -> None:
    assert equivalents([LEAD], [], all_near, Reader()) == []
