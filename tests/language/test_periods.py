"""Dates, and lengths and ends of periods, as headers, sentences and questions name them."""

import re

import pytest

from docqa.language.periods import (
    DATE,
    dates_in,
    months_asked,
    months_named,
    periods_in,
    read_period,
    same_length,
    same_period,
    time_scope,
)
from docqa.types.period import NO_PERIOD


@pytest.mark.parametrize(
    ("text", "months", "end"),
    [
        ("Three Months Ended June 25, 2022", 3, (2022, 6, 25)),
        ("Nine months ended July 1, 2023", 9, (2023, 7, 1)),
        ("13 weeks ended 30 September 2023", 3, (2023, 9, 30)),
        ("Fifty-two weeks ended January 29, 2022", 12, (2022, 1, 29)),
        ("Year ended December 31, 2023", 12, (2023, 12, 31)),
        ("As of June 25, 2022", 0, (2022, 6, 25)),
        ("March 2025", 0, (2025, 3, 0)),
        ("FY2018", 12, (2018, 12, 0)),
        ("fiscal year 2019", 12, (2019, 12, 0)),
        ("FY23", 12, (2023, 12, 0)),
        ("Q2 2023", 3, (2023, 6, 0)),
        ("third quarter of 2021", 3, (2021, 9, 0)),
        ("2Q23", 3, (2023, 6, 0)),
        ("first fiscal quarter of 2023", 3, (2023, 3, 0)),
        ("16 weeks ended June 15, 2024", 4, (2024, 6, 15)),
        ("quarterly period ended July 2, 2023", 3, (2023, 7, 2)),
        ("half-year ended June 30, 2023", 6, (2023, 6, 30)),
        ("T-12 June 2024", 12, (2024, 6, 0)),
        ("T12 June 30, 2024", 12, (2024, 6, 30)),
        ("TTM ended 30 June 2024", 12, (2024, 6, 30)),
        ("LTM Sept 2024", 12, (2024, 9, 0)),
        ("LTM to 2024", 12, (2024, 12, 0)),
        ("TTM Technologies, December 31, 2023", 0, (2023, 12, 31)),
        ("fiscal years ended June 30, 2023", 12, (2023, 6, 30)),
        ("2024", None, (2024, 12, 0)),
        ("2026E", None, (2026, 12, 0)),
        ("FY2024A", 12, (2024, 12, 0)),
        ("FY25F", 12, (2025, 12, 0)),
    ],
)
def test_what_a_header_says(text: str, months: int | None, end: tuple[int, int, int]) -> None:
    period = read_period(text)
    assert (period.months, period.end) == (months, end)


@pytest.mark.parametrize(
    "text", ["", "Total", "$2,024", "2024 sq ft", "12/2024", "Suite 2100.50", "Series 2024A"]
)
def test_what_is_no_period(text: str) -> None:
    assert read_period(text) == NO_PERIOD


def test_how_a_period_is_printed() -> None:
    heads = (
        "Years  Ended December 31, 2023",
        "Fiscal year ended June 30, 2023",
        "Three Months Ended",
    )
    assert [read_period(head).text for head in heads] == [
        "year ended December 31, 2023",
        "year ended June 30, 2023",
        "",
    ]


@pytest.mark.parametrize("text", ["rates decreased 2022", "Market 2022", "fourth quarters of 2022"])
def test_a_word_that_begins_like_a_month_is_none(text: str) -> None:
    [period] = periods_in(text)
    assert (period.text, period.months) == ("2022", None)


def test_the_end_of_several_years_is_not_the_end_of_one() -> None:
    [period] = periods_in("in the three-year period ended December 31, 2021")
    assert (period.months, period.text) == (0, "December 31, 2021")


def test_every_period_of_a_sentence_once() -> None:
    text = "from $1,084,000 in 2022 to $1,200,000 in 2024, at June 30, 2025"
    assert [period.year for period in periods_in(text)] == [2022, 2024, 2025]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2024", "FY2024", True),
        ("2024", "year ended December 31, 2024", True),
        ("2024", "December 31, 2024", True),
        ("2024", "2023", False),
        ("2024", "", True),
        ("three months ended June 25, 2022", "three months ended July 1, 2022", True),
        ("three months ended June 25, 2022", "nine months ended June 25, 2022", False),
        ("three months ended June 25, 2022", "three months ended March 26, 2022", False),
        ("2024", "Q4 2024", False),
    ],
)
def test_which_periods_are_one(first: str, second: str, same: bool) -> None:
    one, other = read_period(first), read_period(second)
    assert same_period(one, other) is same
    assert same_period(other, one) is same


def test_a_quarter_and_a_year_are_of_different_length() -> None:
    assert not same_length(read_period("Q4 2024"), read_period("FY2024"))
    assert same_length(read_period("Q4 2024"), read_period("Q4 2023"))


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
    assert months_named(heads) == months


def test_a_length_that_no_company_reports_counts_only_where_it_ended() -> None:
    assert months_named("a notice of two months or 24 months, 12 weeks' pay") == set()
    assert months_named("12 weeks ended June 15, 2024") == {3}


def test_dates_in_every_form_are_one_date() -> None:
    forms = "May 1, 2024; 1 May 2024; the 1st day of May, 2024; 2024-05-01; 05/01/2024"
    assert {(date.year, date.month, date.day) for date in dates_in(forms)} == {(2024, 5, 1)}
    assert len(dates_in(forms)) == 5
    assert len(re.findall(DATE, forms, re.IGNORECASE)) == 3


@pytest.mark.parametrize("text", ["Dec. 5", "Sept 5", "September 5", "may 5th"])
def test_a_month_may_be_shortened(text: str) -> None:
    [date] = dates_in(text)
    assert (date.year, date.day) == (0, 5)
    assert date.text == text


def test_what_a_text_says_of_time() -> None:
    scope = time_scope("Three Months Ended June 25, 2022")
    assert [*scope.years, *scope.months, *scope.lengths] == [2022, 6, 3]
    assert [*time_scope("Q2'23").quarters] == [2]
    assert not scope.agrees(time_scope("Nine months ended June 25, 2022"))
    assert scope.agrees(time_scope("2022"))


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("FY2022", {12}),
        ("in fiscal year 2022", {12}),
        ("third quarter of fiscal year 2022", {3}),
        ("Q3 of fiscal year 2022", set()),  # the number of the quarter says more
        ("the nine months of the report for Q3 2022", {9}),
    ],
)
def test_the_lengths_that_must_agree(text: str, lengths: set[int]) -> None:
    assert time_scope(text).lengths == lengths
