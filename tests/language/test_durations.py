"""Lengths of time in questions and in the heads of tables."""

import pytest

from docqa.language.durations import months_asked, months_said


@pytest.mark.parametrize(
    ("question", "months"),
    [
        ("What was adjusted EBITDA for FY 2023?", 12),
        ("What were sales in fiscal year 2023?", 12),
        ("What were sales for 2023?", 12),
        ("FY23 sales", 12),
        ("Sales for the year ended June 30, 2023", 12),
        ("Sales in the third quarter of fiscal year 2023", 3),
        ("Sales in Q2'2023", 3),
        ("Sales for the nine months ended July 1, 2023", 9),
        ("Sales in the second half of 2023", 6),
        ("Sales of Q1 and of the full year 2023", 0),
        ("Cash as of June 30, 2023", 0),
        ("What is the notice period?", 0),
    ],
)
def test_the_length_of_time_asked_for(question: str, months: int) -> None:
    assert months_asked(question) == months


@pytest.mark.parametrize(
    ("heads", "months"),
    [
        ("Three Months Ended June 30, | Twelve Months Ended June 30,", {3, 12}),
        ("Thirty-nine weeks ended October 1, 2022", {9}),
        ("Years Ended December 31, | 2022 | 2021", {12}),
        ("June 30, 2023 | December 31, 2022", set()),
    ],
)
def test_the_lengths_of_time_that_heads_name(heads: str, months: set[int]) -> None:
    assert months_said(heads) == months
