"""When a term ends of which the length and the first day are told; pure."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from docqa.language.numbers import COUNT, count_of
from docqa.language.periods import MONTHS, Date, dates_in

_LENGTH = re.compile(
    rf"\b(?P<count>{COUNT}|\d{{3}})(?:\s*\((?P<digits>\d{{1,3}})\))?[\s-]+"
    r"(?:full\s+|calendar\s+|consecutive\s+)?(?P<unit>year|month|week|day)(?:s|\(s\))?(?!\w)",
    re.IGNORECASE,
)
_MONTHS = {"year": 12, "month": 1}
_DAYS = {"week": 7, "day": 1}
_FROM = re.compile(  # before the first day; what counts it in, and what does not
    r"\b(?:(?P<included>from\s+and\s+including|(?:commenc|beginn|start)ing(?:\s+on)?"
    r"|(?:commence|begin|start)s?(?:\s+on)?)|from|after|following)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_WITHIN = 90  # characters between length and first day, of one sentence
_ENDED = re.compile(r"[.;]\s")


@dataclass(frozen=True, slots=True)
class Term:
    """A term: its length as printed, its first day and its last, and how it is counted."""

    length: str
    since: str  # "from and including", "beginning on", "from"
    first: str
    last: str

    @property
    def counted(self) -> str:
        return f"{self.length} {self.since} {self.first}"


def terms_in(text: str) -> Iterator[Term]:
    """The terms of a text, in order.

    "From" and "after" leave the day out from which a term is counted, so that it ends on a day of
    the same name; what begins on a day, or counts it in, ends on the day before.

    >>> [term.last for term in terms_in("10 years from and including 25 March 2025")]
    ['24 March 2035']
    >>> said = "shall commence on January 31, 2024 and continue for a period of one (1) month"
    >>> [(term.first, term.last) for term in terms_in(said)]
    [('January 31, 2024', 'February 29, 2024')]
    >>> [term.last for term in terms_in("within 30 days after 1 May 2024")]
    ['31 May 2024']
    """
    for first in dates_in(text):
        told, begins = _FROM.search(text[: first.start]), _day_of(first)
        if told is None or begins is None:
            continue
        included = told["included"]
        if length := _last_of(text[: told.start()]) or _first_of(text[first.end :]):
            last = _last_day(begins, length, included=bool(included))
            since = "from and including" if "and" in (included or "") else "beginning on"
            days = _printed(begins, first), _printed(last, first)
            yield Term(length[0], since if included else "from", *days)


def days_in(text: str) -> list[date]:
    """The days that a text names, with their years.

    >>> [str(day) for day in days_in("between 1 May and 2 June 2024, or in July 2024")]
    ['2024-06-02']
    """
    return [day for printed in dates_in(text) if (day := _day_of(printed))]


def reached_in(text: str) -> Iterator[date]:
    """The days that lie before or after one that a text names by a length that it names.

    >>> [str(day) for day in reached_in("six weeks from 5 November 2025")]
    ['2025-12-17', '2025-09-24']
    """
    lengths = list(_LENGTH.finditer(text))
    for day in days_in(text):
        for length in lengths:
            yield from (_moved(day, length, sign) for sign in (1, -1))


def _day_of(printed: Date) -> date | None:
    """The day that is printed; None of a month alone, and of what no calendar has."""
    try:
        return date(printed.year, printed.month, printed.day)
    except ValueError:
        return None


def _last_of(before: str) -> re.Match[str] | None:
    """The length right before the first day: "ten years from …"."""
    found = list(_LENGTH.finditer(before[-_WITHIN:]))
    return found[-1] if found and not _ENDED.search(before[-_WITHIN:], found[-1].end()) else None


def _first_of(after: str) -> re.Match[str] | None:
    """The length after the first day: "… and continues for ten years"."""
    found = _LENGTH.search(after[:_WITHIN])
    told = found and re.search(r"\b(?:for|until)\b", after[: found.start()])
    return found if found and told and not _ENDED.search(after[: found.start()]) else None


def _last_day(begins: date, length: re.Match[str], *, included: bool) -> date:
    named = _moved(begins, length)
    # A month without that day ends the term.
    is_short = length["unit"].lower() in _MONTHS and named.day < begins.day
    return named - timedelta(days=included and not is_short)


def _moved(day: date, length: re.Match[str], sign: int = 1) -> date:
    """The day that is so much later, or earlier; a month's last where it has no such day."""
    count = sign * int(length["digits"] or count_of(length["count"]))
    unit = length["unit"].lower()
    if unit in _DAYS:
        return day + timedelta(days=count * _DAYS[unit])
    months = day.year * 12 + day.month - 1 + count * _MONTHS[unit]
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def _printed(day: date, like: Date) -> str:
    """A day in the order that another is printed in."""
    month = MONTHS[day.month - 1].capitalize()
    if like.text[:1].isdigit():
        return f"{day.day} {month} {day.year}"
    return f"{month} {day.day}, {day.year}"
