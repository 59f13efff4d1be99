"""How alike two passages are, with and without a reranker."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from docqa.compare.defined import defined_terms, used
from docqa.compare.similarity import (
    CENTRE,
    FAR,
    MOST_READ,
    SLOPE,
    WEIGHTS,
    Side,
    most_alike,
    readings,
    respects,
    similarities,
    weighed,
)
from docqa.settings import DEFAULTS
from tests.compare.pages import block, hit

RENT = "The tenant pays rent on the first day of each month."
COSTS = "The tenant pays costs of heating on the first day of each month."
PETS = "Dogs and cats are welcome in every flat."
LETTERS = "abcdefgh"


def side(*texts: str, name: str = "a", heading: str = "", defined: str = "") -> Side:
    """Passages whose vectors all point one way, so that words alone tell them apart."""
    hits = [hit(name, at, text, heading=heading) for at, text in enumerate(texts)]
    vectors = np.tile(np.array([[1.0, 0.0]], np.float32), (len(texts), 1))
    return Side(hits, vectors, frozenset(defined.split(",")) - {""})


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


def test_headings_in_common_count() -> None:
    here, there, elsewhere = (
        side(RENT, name=name, heading=heading)
        for name, heading in (("a", "Payment"), ("b", "Payment"), ("c", "Repairs"))
    )
    same, other = (respects(here, each)["headings"] for each in (there, elsewhere))
    assert same == 1
    assert other == 0
    assert similarities(here, there) > similarities(here, elsewhere)


def test_terms_that_both_documents_define_count() -> None:
    one = side("Base Rent is due monthly.", PETS, COSTS, name="a", defined="base rent,premises")
    other = side("He pays Base Rent yearly.", PETS, RENT, name="b", defined="base rent,landlord")
    found = respects(one, other)["defined terms"]
    assert found[0, 0] == 1
    assert np.delete(found.ravel(), 0).max() == 0


def test_a_term_that_most_passages_have_tells_nothing() -> None:
    texts = [f"This Agreement covers {letter}." for letter in LETTERS]
    one, other = (side(*texts, name=name, defined="agreement") for name in "ab")
    assert not respects(one, other)["defined terms"].any()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ('(the "Base Rent")', {"base rent"}),
        ("the “Letter of Credit,” or", {"letter of credit"}),
        ('he said "no" and "Yes"', set()),
        ("Base Rent", set()),
    ],
)
def test_defined_terms(text: str, terms: set[str]) -> None:
    assert defined_terms([block(text)]) == terms


def test_a_term_is_used_as_whole_words() -> None:
    terms = frozenset({"base rent", "fee"})
    assert used(terms, "Base Rents are due") == {"base rent"}
    assert used(terms, "feeder cattle") == frozenset()


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
