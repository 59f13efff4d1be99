import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqa.retrieve.fuse import best_of, reciprocal_rank_fusion

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


scored = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.01, 1), max_size=6)


def test_the_best_place_counts_on_the_scale_of_the_first() -> None:
    # b: 0.3 of 0.4 in the first, 0.19 of 0.2 in the second, which is the better: 0.95 · 0.4
    assert best_of([{"a": 0.4, "b": 0.3}, {"c": 0.2, "b": 0.19}]) == {"a": 0.4, "c": 0.4, "b": 0.38}


def test_what_answers_one_part_stands_before_what_has_a_little_of_both() -> None:
    parts = [["rent", "both"], ["term", "both"]]
    assert next(iter(reciprocal_rank_fusion(parts, k=60))) == "both"
    apart = [reciprocal_rank_fusion([each], k=60) for each in parts]
    assert list(best_of(apart)) == ["rent", "term", "both"]


def test_of_no_rankings_there_is_none() -> None:
    assert best_of([]) == best_of([{}, {}]) == {}


@settings(deadline=None)  # a busy machine is no fault
@given(st.lists(scored, min_size=1, max_size=4))
def test_the_best_of_each_ranking_stand_first(rankings: list[dict[str, float]]) -> None:
    best = best_of(rankings)
    assert set(best) == {item for ranking in rankings for item in ranking}
    assert list(best.values()) == sorted(best.values(), reverse=True)
    for ranking in filter(None, rankings):
        leader = max(ranking, key=lambda item: ranking[item])
        assert best[leader] == pytest.approx(max(best.values()))


@settings(deadline=None)  # a busy machine is no fault
@given(scored)
def test_one_ranking_keeps_its_scores(ranking: dict[str, float]) -> None:
    assert best_of([ranking]) == pytest.approx(ranking)
