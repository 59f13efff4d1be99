"""What a question says that things must be: of a time, or above or below an amount; pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from docqa.language.amounts import measured_amounts
from docqa.language.periods import dates_in, periods_in
from docqa.types.period import Period

_BEFORE = re.compile(
    r"\b(?:by|before|until|through|prior to|no later than|up to)\s+(?:the\s+)?(?:end\s+of\s+)?",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\b(?:after|since|beyond|later than)\s+(?:the\s+)?(?:end\s+of\s+)?", re.I)
_STRICTLY = re.compile(r"\b(?:before|prior to)\s*$", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:over|above|at least|exceed\w*|(?:more|greater|higher|larger|bigger|longer) than)\s*$",
    re.I,
)
_LESS = re.compile(
    r"\b(?:under|below|at most|up to|(?:less|fewer|lower|smaller|shorter) than)\s*$", re.I
)
_OR_EQUAL = re.compile(r"\b(?:at least|at most|up to)\s*$", re.IGNORECASE)

Day = tuple[int, int, int]
Passes = Callable[[str], bool]


def of_time(text: str) -> Passes | None:
    """Whether a text's date is in, before or after what a question names; None where it names none.

    >>> passes = of_time("Which leases expire before 2028?")
    >>> passes("2027-12-31"), passes("1 January 2028")
    (True, False)
    """
    asked = next(iter(periods_in(text)), None)
    if asked is None:
        return None
    said = text[: asked.start]
    first, last = first_day(asked), last_day(asked)
    if match := _ending(_BEFORE, said):
        strictly = _STRICTLY.search(match) is not None
        return lambda cell: _dated(cell, lambda day: day < first if strictly else day <= last)
    if _ending(_AFTER, said):
        return lambda cell: _dated(cell, lambda day: day > last)
    return lambda cell: _dated(cell, lambda day: first <= day <= last)


def _ending(pattern: re.Pattern[str], said: str) -> str:
    """The last match of a pattern where a text ends with it."""
    found = [match for match in pattern.finditer(said) if match.end() == len(said)]
    return found[-1].group() if found else ""


def last_day(period: Period) -> Day:
    """The last day of a period, the 31st of a month whatever its length."""
    return period.year, period.month or 12, period.day or 31


def first_day(period: Period) -> Day:
    """The first day of a period, by its end and its length."""
    months = period.months or 0
    month = period.month or (1 if not months or months >= 12 else 12)
    return period.year, max(1, month - max(months, 1) + 1) if months < 12 else 1, period.day or 1


def _dated(cell: str, holds: Callable[[Day], bool]) -> bool:
    dates = (date for date in dates_in(cell) if date.year)
    return any(holds((date.year, date.month, date.day or 1)) for date in dates)


@dataclass(frozen=True, slots=True)
class Bound:
    """An amount that what is asked for is above or below; ``said`` is what stands before it."""

    unit: str
    limit: Decimal
    above: bool
    or_equal: bool
    said: str

    def passes(self, number: Decimal) -> bool:
        if number == self.limit:
            return self.or_equal
        return number > self.limit if self.above else number < self.limit


def bounds_in(text: str) -> Iterator[Bound]:
    """The amounts that a question sets as limits, in order.

    >>> [bound] = bounds_in("Which leases have a rent of at least £400,000?")
    >>> bound.unit, bound.passes(Decimal(400_000)), bound.passes(Decimal(399_999))
    ('GBP', True, False)
    """
    end = 0
    for amount in measured_amounts(text):
        said, end = text[end : amount.start], amount.end
        more, less = _MORE.search(said), _LESS.search(said)
        if more or less:
            or_equal = _OR_EQUAL.search(said) is not None
            yield Bound(amount.unit, amount.value, bool(more), or_equal, said)
