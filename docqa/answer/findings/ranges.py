"""Rows that are ranges, of a quantity or of time, as grids and schedules have them; pure.

"Above 2.50:1 up to 3.00:1" is the row for a leverage of 2.8x, "3 years but less than 6" that for
four years of service, "31 March 2025 to 30 September 2025" that for a test in June 2025, and
"Months 25–36" that for the rent in year 3.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from docqa.answer.findings.quotes import Quote
from docqa.language.amounts import Amount, measured_amounts, unit_named
from docqa.language.numbers import CURRENCIES
from docqa.language.periods import Date, dates_in, periods_in, says_only_when
from docqa.language.words import blanked, content_words
from docqa.types.period import Period

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
# "month 30", "the third lease year", but no year of a calendar.
_OF_THE_TERM = re.compile(
    rf"\b(?P<unit>month|year)\s+(?P<number>\d{{1,3}})\b|\b(?P<which>{'|'.join(_ORDINALS)}"
    r"|\d{1,3}(?=st|nd|rd|th))(?:st|nd|rd|th)?\s+(?:lease\s+)?(?P<of>month|year)\b",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"\W*(?:lease\s+)?(?P<unit>months?|years?)?\W*(?P<first>\d{1,3})"
    r"(?:\s*(?:[-–—]|to|through)\s*(?P<last>\d{1,3}))?\W*",
    re.IGNORECASE,
)
_YEAR = 12  # months
_NAMED = 0.9  # the chance of a step of what the heads over it say in the words asked with

_Months = tuple[int, int]  # of a term, the first and the last
_Says = Callable[[str], bool]

_FEWEST = 2  # rows that make a grid
_NAMING = 2  # words over a grid that a text has, from which it is of that though it is not first
_ONE_OF_THEM = ("first", "last", "final", "initial", "current", "next", "year ", "latest")
_IN_DIGITS = re.compile(r"(\d{1,2})\D(\d{1,2})\D\d")
_TO = re.compile(r"\W*(?:(?:up )?to|until|through|and)?(?: and including)?\W*", re.IGNORECASE)
_MONEY = "money"  # of any currency
_TO_ONE = re.compile(r"(?<=\d)(?::\s?1(?:\.0+)?\b|\s?times\b)")
_WORD_BEFORE = re.compile(r"([a-z]+)\s+$", re.IGNORECASE)
_ABOVE = r"above|over|greater|more|higher|exceed|at least|from|[>≥]|\d\+"
_BELOW = r"below|under|less|lower|up to|(?<!equal )to|at most|[<≤]"
_LIMIT = re.compile(rf"(?P<not>\bnot? )?(?:(?P<above>{_ABOVE})|\b(?:{_BELOW}))", re.IGNORECASE)
_OR_EQUAL = re.compile(r"equal|\bor\b|at least|at most|up to|from|\bnot? |[≥≤]|[<>]=|\+", re.I)
_PLAINLY = re.compile(r"\W*(?:to\W*)?", re.IGNORECASE)  # "99.3% to 99.69%" has both its ends


def holding_first(ranked: list[Quote], text: str) -> list[Quote]:
    """The quotes with the row first whose range holds the one quantity that a text gives, or the
    one month, of the grid that the first is of, and its other rows left out; as they are where
    there is no such row. Its chance is that of any row of the grid, as no other can be meant."""
    if steps := _steps_asked(ranked, text):
        return [*steps, *(each for each in ranked if _months_of(each) is None)]
    if not ranked:
        return ranked
    words = set(content_words(text))
    for is_range, holds in (*_of_quantities(text), _of_time(text), _of_steps(text)):
        rows = (quote for quote in ranked if quote.row and is_range(quote.row.label))
        headed = (quote for quote in rows if len(words & _heads(quote)) >= _NAMING)
        grid = _grid(ranked, is_range) or _grid(ranked, is_range, next(headed, None))
        holding = [each for each in grid if each.row and holds(each.row.label)]
        if len(holding) == 1:
            one_of_them = min(1.0, sum(each.chance for each in grid))
            own = replace(holding[0], chance=one_of_them)
            return [own, *(each for each in ranked if each not in grid)]
    return ranked


def _steps_asked(ranked: Sequence[Quote], text: str) -> list[Quote]:
    """The rows for the month or year of a term that a text names, of what the heads over them say
    in its words ("the rent in year 3"), or for the month of a calendar that it names, of what they
    say in some of them; in their order."""
    asked, (_, spans) = list(_OF_THE_TERM.finditer(text)), _of_time(text)
    dated = [(period.start, period.stop) for period in periods_in(text)]
    words = set(content_words(blanked(text, [*dated, *(each.span() for each in asked)])))
    held = []
    for quote in ranked:
        row = quote.row
        heads = {w for e in (row.entries if row else ()) for w in content_words(e.header)}
        months = _months_of(quote) if len(asked) == 1 and words and words <= heads else None
        first, last = _months_asked(asked[0]) if months else (0, 0)
        is_step = months is not None and months[0] <= last and first <= months[1]
        if is_step or (row and words & heads and _span(row.label) and spans(row.label)):
            held.append(replace(quote, chance=max(quote.chance, _NAMED)))
    label = held[0].piece.label if held else ""
    return sorted((q for q in held if q.piece.label == label), key=lambda each: each.place)


def _months_asked(match: re.Match[str]) -> _Months:
    which = (match["which"] or match["number"]).casefold()
    number = _ORDINALS.index(which) + 1 if which in _ORDINALS else int(which)
    is_year = (match["unit"] or match["of"]).casefold() == "year"
    return (_YEAR * (number - 1) + 1, _YEAR * number) if is_year else (number, number)


def _months_of(quote: Quote) -> _Months | None:
    """The months of a term that a row is for; None where its label says none."""
    return step_of(quote.row.label, quote.row.corner) if quote.row else None


def step_of(label: str, corner: str = "") -> _Months | None:
    """The first and the last month of a term that "Year 2" or "Months 25–36" is; None for others.

    >>> step_of("Year 2"), step_of("Months 25-36"), step_of("Rent")
    ((13, 24), (25, 36), None)
    """
    step = _STEP.fullmatch(label)
    if step is None:
        return None
    unit = (step["unit"] or corner).casefold()
    first, last = int(step["first"]), int(step["last"] or step["first"])
    if "month" in unit:
        return first, last
    return (_YEAR * (first - 1) + 1, _YEAR * last) if "year" in unit else None


def _of_steps(text: str) -> tuple[_Says, _Says]:
    """Whether a label is a step of a term, and whether the one month or year of a text is in it."""
    asked = list(_OF_THE_TERM.finditer(text))
    if len(asked) != 1:
        return _never, _never
    first, last = _months_asked(asked[0])

    def holds(label: str) -> bool:
        months = step_of(label)
        return months is not None and months[0] <= last and first <= months[1]

    return lambda label: step_of(label) is not None, holds


def whole_schedule_first(ranked: list[Quote], text: str) -> list[Quote]:
    """The quotes with all rows of the schedule first that the first is of, in its order and as
    likely as that, where rows run from one date to another and a text names no time."""
    if not ranked or periods_in(text) or any(word in text.casefold() for word in _ONE_OF_THEM):
        return ranked
    grid = _grid(ranked, _runs)
    in_order = sorted(grid, key=lambda each: each.place)
    first = [replace(each, chance=ranked[0].chance) for each in in_order]
    return [*first, *(each for each in ranked if each not in grid)]


def tells_time(label: str) -> bool:
    """Whether a row's label is a time alone: "1 July 2024 to 31 August 2024", "Year 2", "2026"."""
    return _runs(label) or says_only_when(label)


def _heads(quote: Quote) -> set[str]:
    """The words over a row's label and cells; none of a sentence."""
    row = quote.row
    heads = (row.corner, *(entry.header for entry in row.entries)) if row else ()
    return {word for head in heads for word in content_words(head)}


def _grid(ranked: Sequence[Quote], belongs: _Says, one: Quote | None = None) -> list[Quote]:
    """The rows with such labels of the passage that ``one`` of them is of, else the first quote if
    it is one."""
    one = one or ranked[0]
    of_passage = (each for each in ranked if each.piece.label == one.piece.label)
    grid = [each for each in of_passage if each.row and belongs(each.row.label)]
    return grid if len(grid) >= _FEWEST and one in grid else []


def _of_quantities(text: str) -> Iterator[tuple[_Says, _Says]]:
    """For each unit in which a text gives one quantity, whether a label is a range in it, and
    whether that holds the quantity."""
    given = [each for each in _amounts(text) if each.unit]
    often = Counter(each.unit for each in given)
    for each in given:
        if often[each.unit] == 1:
            holds = partial(_holds, quantity=each.value, unit=each.unit)
            yield partial(_is_range, unit=each.unit), holds


def _amounts(text: str) -> list[Amount]:
    """The amounts of a text, ratios as multiples ("2.50:1"), money as of any currency, others in
    the unit that stands after or before them.

    >>> [(each.unit, int(each.value)) for each in _amounts("week 40, £2.9m, 3.00:1, six months")]
    [('weeks', 40), ('money', 2900000), ('x', 3), ('months', 6)]
    """
    in_times = _TO_ONE.sub(lambda match: "x".ljust(len(match.group())), text)
    return [replace(each, unit=_unit_of(each, in_times)) for each in measured_amounts(in_times)]


def _unit_of(amount: Amount, text: str) -> str:
    if amount.unit in CURRENCIES.values():
        return _MONEY
    before = _WORD_BEFORE.search(text, 0, amount.start)
    return amount.unit or (unit_named(before[1]) if before else "")


def _of_time(text: str) -> tuple[_Says, _Says]:
    """Whether a label runs from one date to another, and whether the month of a text is within."""
    given = [period for period in periods_in(text) if period.month]
    if len(given) != 1:
        return _never, _never
    return _runs, lambda label: _spans(label, given[0])


def _never(label: str) -> bool:
    return False


def _runs(label: str) -> bool:
    """Whether a label runs from one date to another."""
    return bool(_span(label))


def _span(label: str) -> list[Date]:
    """The two dates that a label runs between, none for another label.

    >>> [date.text for date in _span("Each Quarter Date from 31 March 2025 to 30 June 2025")]
    ['31 March 2025', '30 June 2025']
    >>> [(date.month, date.day) for date in _span("7 1/9/2031 - 31/8/2032")]
    [(9, 1), (8, 31)]
    >>> _span("1/9/2031 - 1/8/2032")
    []
    """
    ends = [date for date in dates_in(label) if date.year and date.month]
    runs = len(ends) == 2 and _TO.fullmatch(label[ends[0].end : ends[1].start]) is not None
    return _in_one_order(ends) if runs else []


def _in_one_order(dates: Sequence[Date]) -> list[Date]:
    """Dates in digits as one of them shows that days and months stand; none where none shows it."""
    digits = [_IN_DIGITS.match(date.text) for date in dates]
    if None in digits:
        return list(dates)
    pairs = [(int(found[1]), int(found[2])) for found in digits if found]
    if any(first > _YEAR for first, _ in pairs):
        pairs = [(second, first) for first, second in pairs]
    elif not any(second > _YEAR for _, second in pairs):
        return []
    both = zip(dates, pairs, strict=True)
    return [replace(date, month=month, day=day) for date, (month, day) in both]


def _spans(label: str, asked: Period) -> bool:
    runs = _span(label)
    if not runs:
        return False
    first, last = ((date.year, date.month, date.day) for date in runs)
    year, month, day = asked.year, asked.month, asked.day
    until = (*last[:2], last[2] or 31)
    return first <= (year, month, day or 31) and (year, month, day or 1) <= until


def _is_range(label: str, unit: str) -> bool:
    limits = _limits(label, unit)
    return len(limits) > 1 or (bool(limits) and _LIMIT.search(label) is not None)


def _limits(label: str, unit: str) -> list[Amount]:
    """The numbers of a label, of which one at least has the unit: "3 years but less than 6"."""
    limits = _amounts(label)
    return limits if any(each.unit == unit for each in limits) else []


def _holds(label: str, quantity: Decimal, unit: str) -> bool:
    """Whether a quantity is within each limit of a range, by the words before (or after) it.

    >>> label = "Above 2.50:1 up to 3.00:1"
    >>> [_holds(label, Decimal(n), "x") for n in ("2.5", "2.8", "3.0", "3.1")]
    [False, True, True, False]
    >>> _holds("2.00:1 or below", Decimal(2), "x"), _holds("Less than 2.00x", Decimal(2), "x")
    (True, False)
    >>> _holds("Greater than 2.00:1 but not more than 2.50:1", Decimal("2.3"), "x")
    True
    >>> [_holds("Three years but less than 6", Decimal(n), "years") for n in (2, 3, 4, 6)]
    [False, True, True, False]
    >>> [_holds(f"{n} years", Decimal(7), "years") for n in ("Up to 5", "6 to 9", "More than 9")]
    [False, True, False]
    >>> _holds("£2,750,000 to £3,099,999", Decimal(2900000), "money")
    True
    """
    limits = _limits(label, unit)
    starts = [0, *(limit.end for limit in limits[:-1])]
    for number, (start, limit) in enumerate(zip(starts, limits, strict=True)):
        said = label[start : limit.start] if len(limits) > 1 else label
        if limit.value == quantity:
            if not (_OR_EQUAL.search(said) or _PLAINLY.fullmatch(said)):
                return False
        elif _is_least(said, number, len(limits)) != (quantity > limit.value):
            return False
    return True


def _is_least(said: str, number: int, of: int) -> bool:
    """Whether a limit is a range's lower one: as it says, else the first of two is."""
    if limit := _LIMIT.search(said):
        return bool(limit["above"]) != bool(limit["not"])
    return of > 1 and number == 0
