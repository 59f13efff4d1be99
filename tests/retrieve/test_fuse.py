import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqa.retrieve.fuse import reciprocal_rank_fusion

rankings = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=5)


def test_ranks_count_from_one() -> None:
    scores = reciprocal_rank_fusion([["a", "b", "c"], ["c"]], k=60)
    assert scores["c"] == 1 / (60 + 3) + 1 / (60 + 1)
    assert scores["a"] == 1 / (60 + 1)
    assert list(scores) == ["c", "a", "b"]


def test_weights_scale_each_list() -> None:
    scores = reciprocal_rank_fusion([["a"], ["b"]], k=60, weights=[0.7, 0.3])
    assert scores == {"a": 0.7 / 61, "b": 0.3 / 61}


def test_a_list_of_weight_zero_is_not_there() -> None:
    assert reciprocal_rank_fusion([["a"], ["b"]], k=60, weights=[0, 1]) == {"b": 1 / 61}


def test_ties_stay_in_order_of_first_appearance() -> None:
    assert list(reciprocal_rank_fusion([["b"], ["a"]], k=60)) == ["b", "a"]


def test_a_repeated_id_counts_once_at_its_first_place() -> None:
    scores = reciprocal_rank_fusion([["a", "a", "b"]], k=60)
    assert scores == {"a": 1 / 61, "b": 1 / 62}


def test_weights_must_match_the_lists() -> None:
    with pytest.raises(ValueError, match="zip"):
        reciprocal_rank_fusion([["a"], ["b"]], k=60, weights=[1.0])


@settings(deadline=None)  # a busy machine is no fault
@given(rankings)
def test_every_id_comes_back_once_best_first(lists: list[list[str]]) -> None:
    scores = reciprocal_rank_fusion(lists, k=60)
    assert set(scores) == {item for ranking in lists for item in ranking}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


@settings(deadline=None)  # a busy machine is no fault
@given(st.lists(st.sampled_from("abcdefgh"), unique=True))
def test_one_list_keeps_its_order(ranking: list[str]) -> None:
    assert list(reciprocal_rank_fusion([ranking], k=60)) == ranking
