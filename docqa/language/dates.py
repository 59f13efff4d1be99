"""Dates, years, periods and references in a text, so that they can be compared; pure."""

import re
from dataclasses import dataclass

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR = r"(?:19|20)\d\d"
_DATES = (
    re.compile(rf"\b(?P<m>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>{_YEAR})\b", re.I),
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<m>{_MONTH}),?\s+(?P<y>{_YEAR})\b",
        re.I,
    ),
    re.compile(rf"\b(?P<y>{_YEAR})-(?P<m>\d\d)-(?P<d>\d\d)\b"),
    re.compile(rf"\b(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})/(?P<y>{_YEAR})\b"),
    re.compile(rf"\b(?P<m>{_MONTH}),?\s+(?P<y>{_YEAR})\b", re.I),
    re.compile(rf"\b(?P<m>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)", re.I),
)
_REFERENCE = re.compile(
    r"\b(?:sections?|sec\.|§+|articles?|art\.|clauses?|paragraphs?|para\.|notes?|items?|exhibits?"
    r"|schedules?|appendix|annex|chapters?|parts?|rules?|regulations?|forms?|tables?|figures?"
    r"|steps?|topics?|asu|asc|no\.|nos\.|number)\s*(?:no\.\s*)?(?P<ref>\d[\w.()-]*\w|\d)",
    re.IGNORECASE,
)
_PAGE_REFERENCE = re.compile(r"\b(?:pages?|pp?\.)\s*(?P<ref>\d+)", re.IGNORECASE)
_SPANS = re.compile(
    r"\b(?:(?P<n>three|six|nine|twelve|3|6|9|12)[- ]months?|(?P<q>quarter(?:ly)?)"
    r"|(?P<h>half[- ]year|(?:first|second) half)|(?P<y>(?:fiscal|full|calendar)?[- ]?years?\s+ended"
    r"|annual(?:ly)?|full[- ]year|year ended|fy)(?=\b|\d))",
    re.IGNORECASE,
)
_SPAN_NOT_AMOUNT = re.compile(
    r"\b(?:three|six|nine|twelve|3|6|9|12)[- ]months?(?=[- ](?:ended|ending|period|to)\b)"
    r"|(?<=\bfirst )(?:three|six|nine|3|6|9) months?\b"
    r"|(?<=\bover )(?:three|six|nine|twelve) months?\b"
    r"|(?<=\bover the )(?:three|six|nine|twelve) months?\b"
    r"|\b(?:fiscal|calendar) years?\b",
    re.IGNORECASE,
)
_QUARTERS = re.compile(
    r"\bq(?P<n>[1-4])\b|\bq(?P<m>[1-4])(?=\s*'?\d)|\b(?P<w>first|second|third|fourth)\s+(?:fiscal\s+)?"
    r"quarter|\b(?P<d>[1-4])q\b",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(
    rf"(?<![\w$€£¥,.])(?:FY|CY|fiscal\s+)?'?({_YEAR})(?:E|A)?(?![\w%]|,\d|\.\d)"
)
_SHORT_YEAR = re.compile(r"\b(?:FY|CY)\s?'?(\d\d)\b|\b[Qq][1-4]\s?'(\d\d)\b")


@dataclass(frozen=True, slots=True)
class Day:
    """A date: month and day are 0 where the text gives none, the year likewise."""

    year: int
    month: int
    day: int
    text: str
    start: int
    end: int

    def within(self, other: "Day") -> bool:
        """Whether ``other`` is this date, or says more about it ("May 2024", "1 May 2024")."""
        mine, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        return all(not a or a == b for a, b in zip(mine, theirs, strict=True))


@dataclass(frozen=True, slots=True)
class Period:
    """What a text says of the time a figure is for; empty sets where it says nothing."""

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    spans: frozenset[int] = frozenset()  # in months
    quarters: frozenset[int] = frozenset()

    def agrees(self, other: "Period") -> bool:
        """Whether nothing one says is contradicted by the other."""
        return all(
            not mine or not theirs or bool(mine & theirs)
            for mine, theirs in (
                (self.years, other.years),
                (self.months, other.months),
                (self.spans, other.spans),
                (self.quarters, other.quarters),
            )
        )


def days_in(text: str) -> list[Day]:
    """The dates in ``text``, in order; where two readings overlap, the fuller one."""
    found: list[Day] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            day = _day(match)
            free = all(match.end() <= d.start or match.start() >= d.end for d in found)
            if free and 1 <= day.month <= 12 and day.day <= 31:
                found.append(day)
    return sorted(found, key=lambda day: day.start)


def _day(match: re.Match[str]) -> Day:
    groups = match.groupdict()
    month = groups["m"].lower()[:3]
    number = int(month) if month.isdigit() else _MONTHS.index(month) + 1
    year = int(groups.get("y") or 0)
    return Day(year, number, int(groups.get("d") or 0), match.group(), *match.span())


def years_in(text: str) -> list[tuple[int, int]]:
    """Years named in ``text`` and where, dates' years included: (year, position), in order."""
    found = [(int(match[1]), match.start(1)) for match in _BARE_YEAR.finditer(text)]
    for match in _SHORT_YEAR.finditer(text):
        found.append((2000 + int(match[1] or match[2]), match.start()))
    return sorted(found, key=lambda pair: pair[1])


def period_of(text: str) -> Period:
    """Everything ``text`` says of periods.

    >>> sorted(period_of("Three Months Ended June 30, 2022").years)
    [2022]
    """
    return Period(
        frozenset(year for year, _ in years_in(text)),
        frozenset(day.month for day in days_in(text) if day.month),
        frozenset(_months(match) for match in _SPANS.finditer(text)),
        frozenset(
            int(m["n"] or m["m"] or m["d"] or _ORDINALS[m["w"].lower()])
            for m in _QUARTERS.finditer(text)
        ),
    )


def _months(match: re.Match[str]) -> int:
    if match["n"]:
        return {"three": 3, "six": 6, "nine": 9, "twelve": 12}.get(
            match["n"].lower(), int(match["n"]) if match["n"].isdigit() else 0
        )
    return 3 if match["q"] else 6 if match["h"] else 12


def references_in(text: str) -> list[tuple[str, int, int]]:
    """Numbers that name a place ("Section 4.2"): the number and its span; pages left out."""
    return [(m["ref"], m.start(), m.end()) for m in _REFERENCE.finditer(text)]


def pages_in(text: str) -> list[tuple[int, int, int]]:
    """Pages referred to ("p. 4"): the page and its span."""
    return [(int(m["ref"]), m.start(), m.end()) for m in _PAGE_REFERENCE.finditer(text)]


def places_in(text: str) -> list[tuple[int, int]]:
    """Where digits are a date, a year, a length of a period or a place, and no amount."""
    spans = [(day.start, day.end) for day in days_in(text)]
    spans += [(start, end) for _, start, end in (*references_in(text), *pages_in(text))]
    spans += [match.span(1) for match in _BARE_YEAR.finditer(text)]
    spans += [match.span() for match in _SHORT_YEAR.finditer(text)]
    spans += [match.span() for match in _SPAN_NOT_AMOUNT.finditer(text)]
    spans += [match.span() for match in re.finditer(r"(?m)^\s*\d{1,2}[.)](?=\s)", text)]
    return spans
