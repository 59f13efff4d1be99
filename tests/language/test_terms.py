"""When terms end."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.language.terms import terms_in


@pytest.mark.parametrize(
    ("text", "counted", "last"),
    [
        (
            "Term: 10 years from and including 25 March 2025",
            "10 years from and including 25 March 2025",
            "24 March 2035",
        ),
        (
            "This lease is for sixty (60) months commencing on March 1, 2024.",
            "sixty (60) months beginning on March 1, 2024",
            "February 28, 2029",
        ),
        (
            "commences on December 10, 2015 and will continue until five (5) year(s) from then",
            "five (5) year(s) beginning on December 10, 2015",
            "December 9, 2020",
        ),
        ("for ten years from 1 May 2024", "ten years from 1 May 2024", "1 May 2034"),
        ("30 days after the 1st day of May, 2024", "30 days from 1 May 2024", "31 May 2024"),
        (
            "one year beginning on 29 February 2024",
            "one year beginning on 29 February 2024",
            "28 February 2025",
        ),
    ],
)
def test_a_term_ends_as_it_is_counted(text: str, counted: str, last: str) -> None:
    [term] = terms_in(text)
    assert (term.counted, term.last) == (counted, last)


@pytest.mark.parametrize(
    "text",
    [
        "This Agreement is dated 1 May 2024. Notice of 30 days is needed.",
        "an initial term of three (3) years from the Effective Date",
        "The term of ten years. It begins on 1 May 2024.",
        "for ten years from May 2024",
        "for ten years from 31 June 2024",
    ],
)
def test_what_is_not_of_one_term_tells_no_end(text: str) -> None:
    assert list(terms_in(text)) == []


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)), st.integers(1, 90))
def test_years_end_on_the_day_before_the_same_day(first: date, years: int) -> None:
    [term] = terms_in(f"{years} years from and including {first:%B} {first.day}, {first.year}")
    after = f"{first.month} {first.day} {first.year + years}"
    if (first.month, first.day) != (2, 29):
        next_day = date(*_parts(term.last)) + timedelta(days=1)
        assert f"{next_day.month} {next_day.day} {next_day.year}" == after


def _parts(printed: str) -> tuple[int, int, int]:
    month, day, year = printed.replace(",", "").split()
    names = [f"{date(2024, number, 1):%B}" for number in range(1, 13)]
    return int(year), names.index(month) + 1, int(day)
