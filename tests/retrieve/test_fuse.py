import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.retrieve.fuse import reciprocal_rank_fusion

rankings = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4)


def test_ranks_count_from_one_and_are_summed() -> None:
    fused = reciprocal_rank_fusion([["a", "b", "c"], ["c", "a"]], k=60)
    assert fused == {"a": 1 / 61 + 1 / 62, "c": 1 / 63 + 1 / 61, "b": 1 / 62}
    assert list(fused) == ["a", "c", "b"]


def test_weights_multiply_a_list() -> None:
    fused = reciprocal_rank_fusion([["a"], ["b"]], k=60, weights=[0.3, 0.7])
    assert fused == {"b": 0.7 / 61, "a": 0.3 / 61}


def test_ties_stay_in_order_of_appearance() -> None:
    assert list(reciprocal_rank_fusion([["a", "b"], ["b", "a"]], k=60)) == ["a", "b"]


def test_a_weight_for_each_list() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        reciprocal_rank_fusion([["a"], ["b"]], k=60, weights=[1.0])


@given(rankings)
def test_every_id_is_kept_once(lists: list[list[str]]) -> None:
    fused = reciprocal_rank_fusion(lists, k=60)
    assert set(fused) == {each for ranked in lists for each in ranked}
    scores = list(fused.values())
    assert scores == sorted(scores, reverse=True)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True))
def test_one_list_keeps_its_order(ranked: list[str]) -> None:
    assert list(reciprocal_rank_fusion([ranked], k=60)) == ranked
