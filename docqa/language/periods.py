"""Months, dates, years, quarters and lengths of time, as documents and questions name them.

Two nouns, as there are two needs. A `Period` is the one time that a figure is for, read from the
head over its column or from its sentence. A `TimeScope` is all that a text says of time, to tell
whether two texts can be about the same one.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from docqa.language.numbers import COUNT, count_of, without_note_marks
from docqa.language.words import blanked, words
from docqa.types.period import NO_PERIOD, Period

_MONTHS_TEXT = """
january february march april may june july august september october november december
"""
MONTHS = tuple(_MONTHS_TEXT.split())
_SHORT_NAMES = [name[:3] for name in MONTHS]
_VERBS = ("may", "march")
_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS)

# Patterns without groups, for patterns that ignore case.
MONTH = rf"(?:{_NAMES}|sept)\.?"
YEAR = r"(?:19|20)\d\d"
YEAR_ALONE = re.compile(rf"\b{YEAR}\b")
# The year or the like before this one.
TIME_BEFORE = re.compile(
    r"\b(?:year|quarter|period|month)s?\s+(?:ago|before|earlier)\b"
    r"|\b(?:last|previous|prior|preceding)\s+(?:(?:fiscal|financial|first|second)[\s-]+)?"
    r"(?:year|half|quarter|period|month)\b",
    re.IGNORECASE,
)
_OF_PERIODS_TEXT = """
for as of at the and three six nine twelve month months week weeks year years fiscal
quarter quarters ended ending
"""
_OF_PERIODS = frozenset([*_OF_PERIODS_TEXT.split(), *MONTHS, *_SHORT_NAMES, "sept"])

_M, _D, _Y = rf"(?P<m>{MONTH})", r"(?P<d>\d{1,2})(?:st|nd|rd|th)?", rf"(?P<y>{YEAR})"
_FULL = (rf"{_M}\s+{_D}\s*,?\s+{_Y}", rf"{_D}\s+(?:day\s+of\s+)?{_M},?\s+{_Y}")
_MONTH_AND_YEAR = rf"{_M},?\s+{_Y}"
# 3/4/2025 is read as in America, 31/3/2025 as it can be read alone, 3.4.2025 as in Europe.
_IN_DIGITS = (
    rf"{_Y}-(?P<m>\d\d)-(?P<d>\d\d)",
    rf"(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})/{_Y}",
    rf"(?P<d>1[3-9]|2\d|3[01])/(?P<m>\d{{1,2}})/{_Y}",
    rf"(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.{_Y}",
)
_SHORT = rf"(?:(?P<d>\d{{1,2}})-)?(?P<m>{_NAMES}|sept)-(?P<y>{YEAR}|\d\d)"  # 24-Jun-28, Aug-26
_DATES, _WRITTEN_DATES = (
    # The 12 of "T-12 June 2024", the twelve months to it, is no day.
    [re.compile(rf"(?<!\bT-)\b{pattern}\b", re.IGNORECASE) for pattern in patterns]
    for patterns in (
        (*_FULL, *_IN_DIGITS, _SHORT, _MONTH_AND_YEAR, rf"{_M}\s+{_D}"),
        (*_FULL, _SHORT, _MONTH_AND_YEAR),
    )
)
# What every date has: most texts have none, and one look is cheaper than one for each pattern.
_DATE_HINT = re.compile(rf"\b{MONTH}(?![a-z])|\d[-/.]\d", re.IGNORECASE)
DATE = re.sub(r"\(\?P<\w>", "(?:", f"(?:{'|'.join(_FULL)})")  # in full and written out

_DAY_OF_MONTH = re.compile(rf"\b{_D}\s+{_M}(?![a-z])", re.IGNORECASE)

_QUARTER = re.compile(
    rf"\b(?:(?P<before>{YEAR})\s)?(?:Q(?P<q>[1-4])|(?P<nth>[1-4])Q"
    r"|(?P<word>first|second|third|fourth)\s+(?:fiscal\s+)?quarter(?P<several>s)?)"
    rf"(?:\s*(?:of\s+)?(?:fiscal\s+)?(?:year\s+)?(?:FY\s*)?[’']?(?P<y>{YEAR}|(?(word)(?!)|\d\d))\b)?"
    r"(?!\w)",
    re.IGNORECASE,
)
_QUARTERS = ("first", "second", "third", "fourth")
_HALF = r"(?:first|second)[\s-]+half|half[\s-]years?|H[12](?!\w)|[12]H(?=\W|\d|$)"
_PART_OF_YEAR = re.compile(rf"{_QUARTER.pattern}|\b(?!half)(?:{_HALF})(?![a-z])", re.IGNORECASE)
_QUARTER_IN_WORDS = re.compile(
    rf"\b(?P<word>{'|'.join(_QUARTERS)})\s+(?:fiscal\s+)?quarter"
    r"(?:\s+of)?(?:\s+the)?(?:\s+fiscal)?(?:\s+year)?\b"
    r"|\b(?P<nth>[1-4])Q ?[’']?(?P<y>(?:20)?\d\d)\b",
    re.IGNORECASE,
)
# What a year's figures are: actual, estimated, forecast, projected, budgeted ("FY2024A", "2026E").
_OF_KIND = r"(?-i:[AEFPB])?"
_FISCAL = re.compile(
    rf"\b(?:FY|CY|fiscal(?:\s+year)?)\s*[’']?(?P<y>{YEAR}|\d\d){_OF_KIND}\b", re.IGNORECASE
)
# A year that runs over two: "2025/26", and "25/26" where it can be no day of a month.
_OVER_TWO = re.compile(
    r"(?<![\w/.-])(?:FY\s?)?(?P<first>(?:19|20)?\d\d)/(?P<last>(?:20)?\d\d)(?![\w/])"
)
_NO_MONTH = 13
# A year as a period: no part of a range, of a date in digits or of an amount.
_YEAR = re.compile(
    rf"(?<![\w$€£.,/-])(?<!Series )(?P<y>{YEAR}){_OF_KIND}"
    r"(?![\w%/]|[.,]\d|-\d|\s*(?:sq|square)|\s+[Aa]ct\b)"
)
# A year as a claim names it: both of "2021-2022".
_BARE_YEAR = re.compile(
    rf"(?<![\w$€£¥,.])(?:FY|CY|fiscal\s+)?'?({YEAR}){_OF_KIND}(?![\w%]|,\d|\.\d)"
)
_FROM_YEAR_TO = re.compile(
    r"\b((?:19|20)\d\d)\s*(?:to|through|until|[-–—])\s*(?:FY\s*)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\b(?:FY|CY)\s?'?(\d\d)\b|\b[Qq][1-4]\s?'(\d\d)\b")

_IS_WHEN = re.compile(
    rf"(?:{YEAR}|(?:fy|cy)(?:20)?\d\d)[aefpb]?|(?:q[1-4]|[1-4]q|h[12]|[12]h)(?:(?:20)?\d\d)?",
    re.IGNORECASE,
)

_LENGTH = re.compile(
    rf"\b(?:(?P<count>{COUNT})[\s-]+(?P<unit>month|week)s?"
    rf"|(?P<half>{_HALF})"
    r"|(?P<quarter>quarter(?:s|ly)?|(?P<numbered>[1-4]q|q[1-4](?=\W|\d|$)))"
    r"|(?P<fiscal>(?:fiscal|financial)\s+years?|FY(?=\W?\d))"
    # "T-12 June 2024", "LTM Sept 2024": the twelve months to it
    rf"|(?P<trailing>(?:T-?12M?|[TL]TM)(?:\s+to)?)(?=(?:\s+end(?:ed|ing))?\W+(?:{MONTH}\s|\d))"
    r"|(?P<year>full[\s-]years?|annual(?:ly)?|years?(?=[\s-]+(?:then\s+)?end(?:ed|ing)\b)))"
    r"(?:(?P<ended>(?:\s+period)?s?\s+end(?:ed|ing))?\b|(?<=q\d)(?=\d)|(?<=\dH)(?=\d)|(?<=FY)(?=\d))",
    re.IGNORECASE,
)
_REPORTED = {"month": (3, 6, 9, 12), "week": (13, 26, 39, 52, 53)}  # unless it says "ended"
_LENGTH_NOT_AMOUNT = re.compile(
    r"\b(?:three|six|nine|twelve|3|6|9|12)[- ]months?(?=[- ](?:ended|ending|period|to)\b)"
    r"|\bfirst (?:three|six|nine|3|6|9) months?\b"
    r"|\bover (?:the )?(?:three|six|nine|twelve) months?\b"
    r"|\b(?:fiscal|calendar) years?\b",
    re.IGNORECASE,
)
_REPORT = re.compile(r"\b(?:annual|quarterly)\s+(?:report|filing)s?\b", re.I)
_ANY_YEAR = re.compile(rf"\b(?:[FC]Y\s?)?['’]?{YEAR}\b|\b[FC]Y\s?['’]?\d\d\b", re.I)
_IN_A_MONTH = re.compile(rf"\b{MONTH}\s+(?:\d|of\b)", re.I)


@dataclass(frozen=True, slots=True)
class Date:
    """A date: month and day are 0 where the text gives none, the year likewise."""

    year: int
    month: int
    day: int
    text: str
    start: int
    end: int

    def within(self, other: "Date") -> bool:
        """Whether ``other`` is this date, or says more about it ("May 2024", "1 May 2024")."""
        mine, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        return all(not a or a == b for a, b in zip(mine, theirs, strict=True))


def dates_in(text: str) -> list[Date]:
    """The dates in ``text``, in order; where two readings overlap, the fuller one.

    >>> [(d.year, d.month, d.day) for d in dates_in("the 1st day of May, 2024; 06/30/2025; June 5")]
    [(2024, 5, 1), (2025, 6, 30), (0, 6, 5)]
    >>> [(d.year, d.month, d.day) for d in dates_in("29/09/2021, 1.4.2025, 24-Jun-28, Aug-26")]
    [(2021, 9, 29), (2025, 4, 1), (2028, 6, 24), (2026, 8, 0)]
    """
    return _dates(without_note_marks(text), _DATES)


def _dates(text: str, patterns: Iterable[re.Pattern[str]]) -> list[Date]:
    found: list[Date] = []
    if not _DATE_HINT.search(text):
        return found
    for pattern in patterns:
        for match in pattern.finditer(text):
            date = _date(match)
            free = all(match.end() <= d.start or match.start() >= d.end for d in found)
            if free and 1 <= date.month <= 12 and date.day <= 31:
                found.append(date)
    return sorted(found, key=lambda date: date.start)


def _date(match: re.Match[str]) -> Date:
    groups = match.groupdict()
    month = groups["m"].lower()[:3]
    number = _SHORT_NAMES.index(month) + 1 if month in _SHORT_NAMES else int(month)
    year = full_year(groups["y"]) if groups.get("y") else 0
    return Date(year, number, int(groups.get("d") or 0), match.group(), *match.span())


def years_in(text: str) -> list[tuple[int, int]]:
    """Years named in ``text`` and where, dates' years included: (year, position), in order."""
    found = [(int(match[1]), match.start(1)) for match in _BARE_YEAR.finditer(text)]
    for match in _SHORT_YEAR.finditer(text):
        found.append((2000 + int(match[1] or match[2]), match.start()))
    return sorted(found, key=lambda pair: pair[1])


def years_named(text: str) -> frozenset[int]:
    """The years that a text names, those of its dates included.

    >>> sorted(years_named("FY24 against 31 May 2023"))
    [2023, 2024]
    """
    return frozenset(year for year, _ in years_in(text))


def years_asked(text: str) -> frozenset[int]:
    """The years that a question names, with those between where it goes from one to another.

    >>> sorted(years_asked("the limits for 2026 to 2029")), sorted(years_asked("2019 and 2021"))
    ([2026, 2027, 2028, 2029], [2019, 2021])
    """
    runs = (range(int(run[1]), int(run[2])) for run in _FROM_YEAR_TO.finditer(text))
    return years_named(text).union(*runs)


def spans_of_time(text: str) -> list[tuple[int, int]]:
    """Where digits and number words are a date, a year or the length of a period; no amounts."""
    spans = [(date.start, date.end) for date in dates_in(text)]
    spans += [match.span(1) for match in _BARE_YEAR.finditer(text)]
    spans += [match.span() for match in _SHORT_YEAR.finditer(text)]
    return spans + [match.span() for match in _LENGTH_NOT_AMOUNT.finditer(text)]


@dataclass(frozen=True, slots=True)
class _Length:
    months: int
    text: str  # "three months ended", "year ended"; "" where it does not say so
    fiscal: bool  # a fiscal year, which quarters are of as well
    numbered: bool  # "Q3", "3Q"


def _lengths(text: str) -> list[_Length]:
    """The lengths of reporting periods, in order; "two months" of notice is not one."""
    lengths = []
    for match in _LENGTH.finditer(text):
        count = count_of(match["count"]) if match["count"] else 0
        if match["ended"] or not count or count in _REPORTED[match["unit"].lower()]:
            lengths.append(_length(match, count))
    return lengths


def without_times(text: str) -> str:
    """A text without the periods and lengths of reporting periods that it names.

    >>> without_times("cloud revenue, six months ended June 30, 2025").split()
    ['cloud', 'revenue,']
    """
    spans = [(period.start, period.stop) for period in periods_in(text)]
    spans += [match.span() for match in _LENGTH.finditer(text) if _lengths(match[0])]
    return blanked(text, spans)


def _length(match: re.Match[str], count: int) -> _Length:
    printed = " ".join(match[0].split()) if match["trailing"] or match["ended"] else ""
    printed = printed if match["trailing"] else printed.lower()
    printed = re.sub(r"^(?:\w+ )?(year|quarter)s?\b", r"\1", printed)
    return _Length(_months(match, count), printed, bool(match["fiscal"]), bool(match["numbered"]))


def _months(match: re.Match[str], count: int) -> int:
    if count:
        return count if match["unit"].lower() == "month" else round(count * 12 / 52)
    return 6 if match["half"] else 3 if match["quarter"] else 12


@lru_cache(maxsize=4096)  # the heads of a table are read with every row of it
def months_named(text: str) -> frozenset[int]:
    """The lengths of time that a text names, in months; none where it has but dates or years.

    >>> sorted(months_named("Three Months Ended June 30, | Twelve Months Ended June 30,"))
    [3, 12]
    >>> months_named("June 30, 2023 | 2022")
    frozenset()
    """
    return frozenset(length.months for length in _lengths(text))


def calendar_months(text: str) -> frozenset[int]:
    """The months of the year that a text names, 1 to 12; "may" and "march" small are verbs, but
    for the end of a year.

    >>> sorted(calendar_months("from the march year end to 30 Sept 2024; it may fall in June"))
    [3, 6, 9]
    """
    names = re.finditer(rf"\b({MONTH})(?![a-z])(\s+(?:year|quarter)\b)?", text, re.IGNORECASE)
    said = (each[1] for each in names if each[1][0].isupper() or each[2] or each[1] not in _VERBS)
    return frozenset(_SHORT_NAMES.index(name[:3].lower()) + 1 for name in said)


# "Week 3", "Yr 8", "month 12": a time of a plan or a lease.
_COUNTED = re.compile(
    r"\b(?P<unit>w(?:ee)?k|mo(?:nth)?|y(?:ea)?r)s?\.?[\s-]*(?P<number>\d{1,2})\b(?![\d,.]*\d)", re.I
)


@lru_cache(maxsize=4096)  # the heads of a table are read with every row of it
def days_named(text: str) -> frozenset[tuple[int | str, int]]:
    """The days of the year that a text names, as month and day; the day is 0 for a month alone.
    Weeks, months and years that are counted are told by what they are and their number.

    >>> sorted(days_named("from June to 28 Nov, and 24/12/2025"))
    [(6, 0), (11, 28), (12, 24)]
    >>> days_named("Wk 3") == days_named("in week 3"), sorted(days_named("year 2024"))
    (True, [])
    """
    dates = [*dates_in(text), *map(_date, _DAY_OF_MONTH.finditer(text))]
    days = {(date.month, date.day) for date in dates if date.day}
    months = calendar_months(text) - {month for month, _ in days}
    counted = {(each["unit"][0].lower(), int(each["number"])) for each in _COUNTED.finditer(text)}
    return frozenset({*days, *((month, 0) for month in months), *counted})


def in_days(days: Iterable[tuple[int | str, int]], others: Iterable[tuple[int | str, int]]) -> bool:
    """Whether one of ``days`` is one of the others, or in its month where one has no day."""
    others = tuple(others)
    return any(m == n and (d == e or not d or not e) for m, d in days for n, e in others)


def months_asked(question: str) -> int:
    """How many months a question's figures are for; 0 where it names no time, or several.

    A year alone is the whole of it.

    >>> [months_asked(q) for q in ("EBITDA for FY 2023", "sales in Q2 2023", "cash at May 1, 2023")]
    [12, 3, 0]
    >>> [months_asked(q) for q in ("sales in H1 2023", "1H23 sales", "first-half sales")]
    [6, 6, 6]
    """
    plain = _REPORT.sub(" ", question)
    named = {length.months for length in _lengths(plain) if not length.fiscal}
    if named:  # of "the second quarter of fiscal year 2023" the quarter
        return named.pop() if len(named) == 1 else 0
    return 12 if _ANY_YEAR.search(plain) and not _IN_A_MONTH.search(plain) else 0


@dataclass(frozen=True, slots=True)
class TimeScope:
    """What a text says of the time a figure is for; empty sets where it says nothing."""

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()  # of dates, 1 to 12
    lengths: frozenset[int] = frozenset()  # in months
    quarters: frozenset[int] = frozenset()

    def agrees(self, other: "TimeScope") -> bool:
        """Whether nothing one says is contradicted by the other."""
        mine = (self.years, self.months, self.lengths, self.quarters)
        theirs = (other.years, other.months, other.lengths, other.quarters)
        return all(not a or not b or bool(a & b) for a, b in zip(mine, theirs, strict=True))


@lru_cache(maxsize=8192)  # the heads of a table are read with every figure under them
def time_scope(text: str) -> TimeScope:
    """Everything ``text`` says of time.

    >>> scope = time_scope("Three Months Ended June 30, 2022")
    >>> sorted(scope.years), sorted(scope.months), sorted(scope.lengths)
    ([2022], [6], [3])
    """
    years = years_named(text)
    months = frozenset(date.month for date in dates_in(text))
    quarters = frozenset(map(_number_of_quarter, _QUARTER.finditer(text)))
    return TimeScope(years, months, _lengths_stated(text, quarters), quarters)


def _lengths_stated(text: str, quarters: frozenset[int]) -> frozenset[int]:
    """A numbered quarter states its number, not a length: a report for Q3 gives nine months too."""
    lengths = [length for length in _lengths(text) if not length.numbered]
    stated = frozenset(length.months for length in lengths if not length.fiscal)
    return stated or frozenset(length.months for length in lengths if not quarters)


def _number_of_quarter(match: re.Match[str]) -> int:
    if word := match["word"]:
        return _QUARTERS.index(word.lower()) + 1
    return int(match["q"] or match["nth"])


def parts_of_year(text: str) -> list[tuple[int, int]]:
    """Where a text names quarters and halves of a year, whether or not it names the year.

    >>> parts_of_year("in Q3 and in the first half")
    [(3, 5), (17, 27)]
    """
    return [match.span() for match in _PART_OF_YEAR.finditer(text)]


def with_numbered_quarters(text: str) -> str:
    """The text with each quarter as Q and its number, and nothing else changed.

    >>> with_numbered_quarters("the third quarter of fiscal 2022 and 3Q21")
    'the Q3 2022 and Q3 2021'
    """
    return _QUARTER_IN_WORDS.sub(_numbered_quarter, text)


def _numbered_quarter(match: re.Match[str]) -> str:
    if word := match["word"]:
        return f"Q{_QUARTERS.index(word.lower()) + 1}"
    return f"Q{match['nth']} {full_year(match['y'])}"


def read_period(text: str) -> Period:
    """The first period that ``text`` names, `NO_PERIOD` where it names none.

    >>> read_period("Three Months Ended June 25, 2022").text
    'three months ended June 25, 2022'
    >>> [read_period(t).months for t in ("FY2018", "Q2 2023", "2023 Q2", "June 30, 2022", "2024E")]
    [12, 3, 3, 0, None]
    """
    found = periods_in(text)
    return found[0] if found else NO_PERIOD


def periods_in(text: str) -> list[Period]:
    """Every period named in ``text``, in order; a date inside a longer wording counts once.

    >>> [(p.year, p.months) for p in periods_in("Budget 2026/27, Actual 24/25, 3/4 of 10/11")]
    [(2027, 12), (2025, 12)]
    >>> [(p.year, p.month) for p in periods_in("Nov-26")]
    [(2026, 11)]
    """
    text = without_note_marks(text)
    length = next((length for length in _lengths(text) if length.text), None)
    found = [_ended(date, length, 0) for date in _dates(text, _WRITTEN_DATES)]
    years = (Date(int(each["y"]), 0, 0, each["y"], *each.span()) for each in _YEAR.finditer(text))
    bare = (_ended(year, length, None) for year in years)
    for period in (*_quarters(text), *_fiscal_years(text), *bare):
        if not any(p.start < period.stop and period.start < p.stop for p in found):
            found.append(period)
    return sorted(found, key=lambda period: period.start)


def _ended(date: Date, length: _Length | None, months: int | None) -> Period:
    """The period that ends so, of the length that is said or else of so many months."""
    text = " ".join([*(length.text.split() if length else ()), *date.text.split()])
    months = length.months if length else months
    return Period(text, months, date.year, date.month, date.day, date.start, date.end)


def _quarters(text: str) -> Iterator[Period]:
    """The quarters named with a year, but for several ("the first and second quarters")."""
    for match in _QUARTER.finditer(text):
        if (digits := match["y"] or match["before"]) and not match["several"]:
            quarter, year = _number_of_quarter(match), full_year(digits)
            yield Period(f"Q{quarter} {year}", 3, year, quarter * 3, 0, *match.span())


def _fiscal_years(text: str) -> Iterator[Period]:
    """ "FY2023", and years that run over two; neither of these is a day or a month."""
    for match in _FISCAL.finditer(text):
        yield Period(f"FY{full_year(match['y'])}", 12, full_year(match["y"]), 0, 0, *match.span())
    for match in _OVER_TWO.finditer(text):
        first, year = match["first"], full_year(match["last"])
        alone = len(first) == len("2025") or int(first) >= _NO_MONTH
        if alone and year == full_year(first) + 1:
            yield Period(match[0], 12, year, 0, 0, *match.span())


def full_year(digits: str) -> int:
    """
    >>> full_year("23"), full_year("1999")
    (2023, 1999)
    """
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


def says_only_when(text: str) -> bool:
    """Whether a text names a period and nothing of it.

    >>> [says_only_when(t) for t in ("Years ended December 31,", "FY2025", "Rent for 2025")]
    [True, True, False]
    """
    said = words(text)
    when = [word in _OF_PERIODS or _IS_WHEN.fullmatch(word) is not None for word in said]
    return any(when) and all(
        named or re.fullmatch(r"\d{1,2}", word) for named, word in zip(when, said, strict=True)
    )
