"""The time a figure is for: its length and its end, read from headers and sentences."""

import re
from dataclasses import dataclass

from docqa.language.numbers import without_note_marks

_MONTHS = "january february march april may june july august september october november december"
MONTHS = _MONTHS.split()
_MONTH = r"(?P<{0}>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\b(?:{_MONTH.format('m1')}\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y1>(?:19|20)\d\d)"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?{_MONTH.format('m2')},?\s+"
    rf"(?P<y2>(?:19|20)\d\d)"
    rf"|{_MONTH.format('m3')},?\s+(?P<y3>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_COUNTS = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6},
    **{"nine": 9, "twelve": 12, "thirteen": 13, "twenty-six": 26, "thirty-nine": 39},
    **{"fifty-two": 52, "fifty-three": 53},
}
_COUNT = "|".join([*sorted(_COUNTS, key=len, reverse=True), r"\d{1,2}"])
_LENGTH = re.compile(
    rf"\b(?:(?P<count>{_COUNT})[\s-]+(?P<unit>months?|weeks?)|(?P<whole>quarters?|years?))"
    r"(?:\s+period)?s?\s+end(?:ed|ing)\b",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\bQ(?P<q>[1-4])\s*(?:of\s+)?(?:FY\s*)?[’']?(?P<y>(?:19|20)?\d\d)\b"
    r"|\b(?P<word>first|second|third|fourth)\s+quarter\s+(?:of\s+)?(?:fiscal\s+)?"
    r"(?:year\s+)?(?P<y2>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_FISCAL = re.compile(
    r"\b(?:FY|CY|fiscal(?:\s+year)?)\s*[’']?(?P<y>(?:19|20)\d\d|\d\d)\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\w$€£.,/-])(?P<y>(?:19|20)\d\d)(?![\w%/]|[.,]\d|-\d|\s*(?:sq|square))")
_QUARTER_WORDS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Period:
    """``months`` is the length: 0 a moment, None unknown. Unknown parts of the end are 0.

    ``start`` and ``stop`` are where it stands in the text it was read from.
    """

    text: str = ""
    months: int | None = None
    year: int = 0
    month: int = 0
    day: int = 0
    start: int = 0
    stop: int = 0

    @property
    def end(self) -> tuple[int, int, int]:
        """For putting periods in order: a year whose month is unknown ends with December."""
        return self.year, self.month or 12, self.day


NO_PERIOD = Period()


def read_period(text: str) -> Period:
    """The first period that ``text`` names, `NO_PERIOD` where it names none.

    >>> read_period("Three Months Ended June 25, 2022").text
    'three months ended June 25, 2022'
    >>> [read_period(t).months for t in ("FY2018", "Q2 2023", "June 30, 2022", "2024")]
    [12, 3, 0, None]
    """
    found = periods_in(text)
    return found[0] if found else NO_PERIOD


def periods_in(text: str) -> list[Period]:
    """Every period named in ``text``, in order; a date inside a longer wording counts once."""
    text = without_note_marks(text)
    found: list[Period] = []
    length = _LENGTH.search(text)
    for match in _DATE.finditer(text):
        found.append(_dated(match, length))
    for pattern, read in ((_QUARTER, _quarter), (_FISCAL, _fiscal), (_YEAR, _bare_year)):
        for match in pattern.finditer(text):
            if not any(p.start < match.end() and match.start() < p.stop for p in found):
                found.append(read(match, length))
    return sorted(found, key=lambda period: period.start)


def _dated(match: re.Match[str], length: re.Match[str] | None) -> Period:
    parts = match.groupdict()
    name = (parts["m1"] or parts["m2"] or parts["m3"])[:3].lower()
    month = next(i for i, full in enumerate(MONTHS, start=1) if full.startswith(name))
    year = int(parts["y1"] or parts["y2"] or parts["y3"])
    day = int(parts["d1"] or parts["d2"] or 0)
    printed = " ".join(match[0].split())
    return Period(
        f"{_length_text(length)}{printed}",
        _months(length) if length else 0,
        year,
        month,
        day,
        match.start(),
        match.end(),
    )


def _months(length: re.Match[str]) -> int:
    if whole := length["whole"]:
        return 3 if whole.lower().startswith("q") else 12
    written = length["count"].lower()
    count = _COUNTS.get(written) or int(written)
    return round(count * 12 / 52) if length["unit"].lower().startswith("week") else count


def _length_text(length: re.Match[str] | None) -> str:
    said = " ".join(length[0].lower().split()) if length else ""
    return re.sub(r"^(year|quarter)s\b", r"\1", said) + " " if said else ""


def _quarter(match: re.Match[str], length: re.Match[str] | None) -> Period:
    word = match["word"]
    quarter = int(match["q"]) if match["q"] else _QUARTER_WORDS.index(word.lower()) + 1
    year = _full_year(match["y"] or match["y2"])
    return Period(f"Q{quarter} {year}", 3, year, quarter * 3, 0, match.start(), match.end())


def _fiscal(match: re.Match[str], length: re.Match[str] | None) -> Period:
    year = _full_year(match["y"])
    return Period(f"FY{year}", 12, year, 0, 0, match.start(), match.end())


def _bare_year(match: re.Match[str], length: re.Match[str] | None) -> Period:
    months = _months(length) if length else None
    text = f"{_length_text(length)}{match['y']}"
    return Period(text, months, int(match["y"]), 0, 0, match.start(), match.end())


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def same_period(first: Period, second: Period) -> bool:
    """Whether two periods may be one: what either leaves open does not tell them apart.

    Ends a week apart are the same (52-week years end on a weekday, not on a date).
    """
    if not first.year or not second.year:
        return True
    return first.year == second.year and same_length(first, second) and _same_end(first, second)


def same_length(first: Period, second: Period) -> bool:
    """Whether both are of one length, as far as it is known; a bare year is a year or its end."""
    lengths = {first.months, second.months}
    if None in lengths:
        return lengths <= {None, 0, 12}
    return len(lengths) == 1


def _same_end(first: Period, second: Period) -> bool:
    if not first.month or not second.month:
        return True
    apart = abs((first.month - second.month) * 30 + (first.day or 15) - (second.day or 15))
    return apart <= 7 if first.day and second.day else first.month == second.month
