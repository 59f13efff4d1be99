"""How alike two passages are, with and without a reranker."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from docqa.compare.similarity import (
    CENTRE,
    FAR,
    MOST_READ,
    SLOPE,
    WEIGHTS,
    Passages,
    most_alike,
    readings,
    respects,
    similarities,
    weighed,
)
from docqa.settings import DEFAULTS
from tests.compare.pages import hit

RENT = "The tenant pays rent on the first day of each month."
COSTS = "The tenant pays costs of heating on the first day of each month."
PETS = "Dogs and cats are welcome in every flat."
LETTERS = "abcdefgh"


def side(*texts: str, name: str = "a") -> Passages:
    """Passages whose vectors all point one way, so that words alone tell them apart."""
    hits = [hit(name, at, text) for at, text in enumerate(texts)]
    vectors = np.tile(np.array([[1.0, 0.0]], np.float32), (len(texts), 1))
    return Passages(hits, vectors)


class Reader:
    """Scores by how many words two texts share, and keeps what it read."""

    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []

    def score(self, query: str, passages: Sequence[str]) -> NDArray[np.float32]:
        self.read += [(query, passage) for passage in passages]
        words = set(query.split())
        shares = [len(words & set(each.split())) / len(each.split()) for each in passages]
        return np.array(shares, np.float32)


class Undecided:
    def score(self, query: str, passages: Sequence[str]) -> NDArray[np.float32]:
        return np.full(len(passages), 0.14, np.float32)


def test_the_threshold_is_where_it_was_calibrated() -> None:
    similarity = DEFAULTS.comparing.pair_threshold
    total = CENTRE + math.log(similarity / (1 - similarity)) / SLOPE
    assert total == pytest.approx(0.255, abs=0.001)


def test_no_passages() -> None:
    assert similarities(side(), side(RENT), reranker=Reader()).shape == (0, 1)


def test_the_reranker_decides_between_passages_as_alike() -> None:
    one, other = side(RENT, PETS, name="a"), side(RENT, COSTS, name="b")
    plain, read = similarities(one, other), similarities(one, other, reranker=Reader())
    assert read[0, 0] > plain[0, 0]
    assert read[0, 1] != plain[0, 1]


def test_it_reads_the_most_alike_in_both_directions_and_no_others() -> None:
    reader = Reader()
    one, other = side(RENT, name="a"), side(RENT, COSTS, PETS, name="b")
    similarities(one, other, reranker=reader)
    assert sorted(reader.read) == sorted([(RENT, RENT), (RENT, COSTS), (RENT, RENT), (COSTS, RENT)])


@pytest.mark.parametrize("size", [1, 5, 10, 60])
def test_what_it_reads_is_bounded(size: int) -> None:
    total = np.arange(size * 70, dtype=np.float64).reshape(size, 70)
    assert most_alike(total).sum() == min(2 * size, MOST_READ)


def test_texts_that_are_all_the_same_are_not_all_read() -> None:
    assert not most_alike(np.ones((60, 60))).any()
    assert most_alike(np.ones((2, 2))).all()


def test_one_that_cannot_tell_changes_nothing() -> None:
    one, other = side(RENT, PETS, name="a"), side(COSTS, RENT, name="b")
    plain, read = similarities(one, other), similarities(one, other, reranker=Undecided())
    assert (plain == read).all()


def test_one_pair_alone_has_nothing_beside_it() -> None:
    one, other = side(RENT, name="a"), side(COSTS, name="b")
    plain, read = similarities(one, other), similarities(one, other, reranker=Reader())
    assert (plain == read).all()


sentences = st.lists(st.text(alphabet=f"{LETTERS} ", min_size=1, max_size=30), max_size=6)


@given(sentences, sentences)
def test_laws(first: list[str], second: list[str]) -> None:
    """Between 0 and 1, the same both ways round, and the reranker's say is bounded."""
    texts = ([f"word {text}" for text in each] for each in (first, second))
    one, other = (side(*own, name=name) for own, name in zip(texts, "ab", strict=True))
    there = similarities(one, other, reranker=Reader())
    assert there == pytest.approx(similarities(other, one, reranker=Reader()).T)
    assert ((there >= 0) & (there <= 1)).all()
    if first and second:
        total = weighed(respects(one, other))
        said = readings(one, other, most_alike(total), Reader())
        assert np.abs(WEIGHTS["reranker"] * said).max() <= WEIGHTS["reranker"] * FAR
