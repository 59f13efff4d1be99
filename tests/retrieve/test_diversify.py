import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from docqa.retrieve.diversify import drop_near_duplicates, maximal_marginal_relevance
from tests.retrieve.passages import hit

CLAUSE = "The tenant shall pay a deposit of ${} before taking possession of the premises."


def indexes(*texts: str, document: str = "a") -> list[int]:
    hits = [hit(text, document=document, index=index) for index, text in enumerate(texts)]
    return [each.chunk.index for each in drop_near_duplicates(hits, ratio=0.8)]


def test_a_repetition_goes_and_the_first_stays() -> None:
    assert indexes(CLAUSE.format("25,000"), "Something else.", CLAUSE.format("25,000")) == [0, 1]


def test_a_reworded_repetition_goes() -> None:
    clause = "The landlord keeps the roof and the outer walls in good repair"
    assert indexes(f"{clause} at all times.", f"{clause} at any time.") == [0]


def test_another_amount_stays() -> None:
    assert indexes(CLAUSE.format("25,000"), CLAUSE.format("31,500")) == [0, 1]


def test_another_name_date_or_negation_stays() -> None:
    clause = "This agreement is governed by the laws of {} and {} be assigned after 1 May {}."
    texts = [
        clause.format("Ohio", "may", "2020"),
        clause.format("Utah", "may", "2020"),
        clause.format("Ohio", "may not", "2020"),
        clause.format("Ohio", "may", "2021"),
    ]
    assert indexes(*texts) == [0, 1, 2, 3]


def test_a_number_in_words_counts() -> None:
    clause = "Either party may end this agreement by giving {} days of notice in writing."
    assert indexes(clause.format("sixty"), clause.format("thirty")) == [0, 1]


def test_another_document_may_say_the_same() -> None:
    hits = [hit("The same sentence.", document=document) for document in "ab"]
    assert drop_near_duplicates(hits, ratio=0.8) == hits


def test_a_repetition_stays_where_no_likeness_is_enough() -> None:
    hits = [hit("The same sentence."), hit("The same sentence.", index=1)]
    assert drop_near_duplicates(hits, ratio=1.01) == hits


def test_the_second_choice_is_the_one_least_like_the_first() -> None:
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    relevance = np.array([0.9, 0.8, 0.5])
    # after the first: 0.5·0.8 − 0.5·0.8 = 0 for the second, 0.5·0.5 − 0.5·0 = 0.25 for the third
    chosen = maximal_marginal_relevance(relevance, vectors, mmr_lambda=0.5, top_k=3)
    assert [place for place, _ in chosen] == [0, 2, 1]
    # of the second, at last, 0.5·0.8 − 0.5·0.8
    assert [value for _, value in chosen] == pytest.approx([0.45, 0.25, 0.0], abs=1e-6)


def test_ties_go_to_the_earlier() -> None:
    vectors = np.eye(3, dtype=np.float32)
    chosen = maximal_marginal_relevance(np.ones(3), vectors, mmr_lambda=0.5, top_k=2)
    assert chosen == [(0, 0.5), (1, 0.5)]


def test_nothing_in_nothing_out() -> None:
    empty = np.zeros((0, 2), dtype=np.float32)
    assert maximal_marginal_relevance(np.zeros(0), empty, mmr_lambda=0.5, top_k=5) == []


cosines = arrays.arrays(np.float64, st.integers(1, 8), elements=st.floats(-1, 1))


@settings(deadline=None)  # a busy machine is no fault
@given(cosines, st.floats(0, 1), st.integers(1, 10))
def test_choices_are_distinct_and_as_many_as_there_are(
    relevance: np.ndarray, mmr_lambda: float, top_k: int
) -> None:
    vectors = np.eye(len(relevance), dtype=np.float32)
    chosen = maximal_marginal_relevance(relevance, vectors, mmr_lambda=mmr_lambda, top_k=top_k)
    assert len({place for place, _ in chosen}) == len(chosen) == min(top_k, len(relevance))


@settings(deadline=None)  # a busy machine is no fault
@given(cosines, st.integers(0, 99))
def test_lambda_one_is_the_order_of_relevance(relevance: np.ndarray, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(relevance), 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chosen = maximal_marginal_relevance(relevance, vectors, mmr_lambda=1, top_k=8)
    assert [place for place, _ in chosen] == sorted(
        range(len(relevance)), key=lambda place: -relevance[place]
    )
