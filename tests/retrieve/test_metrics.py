import pytest

from docqa.retrieve.metrics import hits_at, mean_reciprocal_rank, page_ranking, rank_of_gold
from docqa.types.evaluation import Rate


def test_pages_are_counted_once_in_rank_order() -> None:
    spans = [("a", 3, 4), ("b", 3, 3), ("a", 4, 5), ("a", 3, 3)]
    assert page_ranking(spans) == [("a", 3), ("a", 4), ("b", 3), ("a", 5)]


def test_the_first_gold_page_counts() -> None:
    ranking = [("a", 3), ("a", 4), ("b", 3)]
    assert rank_of_gold(ranking, {("b", 3), ("a", 4)}) == 2
    assert rank_of_gold(ranking, {("b", 4)}) == 0


def test_rates_over_questions() -> None:
    ranks = [1, 0, 4, 6]
    assert hits_at(ranks, 1) == Rate(1, 4)
    assert hits_at(ranks, 5) == Rate(2, 4)
    assert mean_reciprocal_rank(ranks) == (1 + 1 / 4 + 1 / 6) / 4


def test_wilson_interval() -> None:
    # 10 of 34: the published formula worked by hand gives .168 to .461
    assert Rate(10, 34).interval == pytest.approx((0.168, 0.461), abs=1e-3)
    assert Rate(0, 34).interval[0] == 0
    assert Rate(0, 0).interval == (0, 1)
