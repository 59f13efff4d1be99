"""Lengths and ends of periods, as headers and sentences name them."""

import pytest

from docqa.language.periods import NO_PERIOD, periods_in, read_period, same_length, same_period


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
        ("2024", None, (2024, 12, 0)),
    ],
)
def test_what_a_header_says(text: str, months: int | None, end: tuple[int, int, int]) -> None:
    period = read_period(text)
    assert (period.months, period.end) == (months, end)


@pytest.mark.parametrize(
    "text", ["", "Total", "$2,024", "2024 sq ft", "12/2024", "Suite 2100.50", "ISO 9001"]
)
def test_what_is_no_period(text: str) -> None:
    assert read_period(text) == NO_PERIOD


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
