"""Amounts: numbers with the units they are printed with, exactly; read in two ways, and printed.

`measured_amounts` takes the unit printed right after a number, for comparisons: a wrong unit would
put two unlike figures side by side. `stated_amounts` looks up to three words on ("60 consecutive
days") and leaves out dates, years and references, to check what an answer states: a missed amount
would go unchecked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache

from docqa.language.numbers import (
    COUNTED,
    CURRENCIES,
    CURRENCY_WORDS,
    DURATIONS,
    MEASURES,
    RATES,
    PrintedNumber,
    meaning,
    pages_in,
    printed_numbers,
    references_in,
    worded_numbers,
)
from docqa.language.periods import read_period, spans_of_time
from docqa.types.units import SYMBOLS

Span = tuple[int, int]

_MEASURE = "|".join(MEASURES)
_BESIDE = re.compile(
    rf"\s?-?(?P<unit>{_MEASURE})?(?:['’]s?)?(?:\s?(?P<rate>{'|'.join(RATES)}))?", re.IGNORECASE
)
_AFTER_WORD = re.compile(
    rf"\s*(?:\((?P<digits>\d+)\)\s*)?-?(?P<unit>{_MEASURE})(?:['’]s?)?", re.IGNORECASE
)
_MONEY_IN_WORDS = re.compile(rf"\b(?:{'|'.join(CURRENCY_WORDS)})$", re.IGNORECASE)
_REACH = 120  # characters before a number in brackets, in which it may stand in words
_GOES_ON = re.compile(r"\s*[.,;](?!\d)|\s+[a-z]{2}")
_WANTS_AMOUNT = re.compile(
    r"\b(?:of|to|from|at|by|was|were|is|are|be|and|or|than|with|for|between)$", re.IGNORECASE
)
_ITEM_NUMBER = re.compile(r"(?m)^\s*\d{1,2}[.)](?=\s)")
_BROKEN_OFF = re.compile(r"[,./]\d")

_UNITS = MEASURES | COUNTED | CURRENCY_WORDS
_UNIT = re.compile("|".join(rf"(?:{pattern})" for pattern in _UNITS), re.IGNORECASE)
_BEFORE_UNIT = re.compile(r"[\s-]*(?:\(\s*\w+(?:[- ]\w+)?\s*%?\s*\))?[\s-]*")
_WORD = re.compile(r"[A-Za-z]+['’]?[\s-]*")
_WORDS_TO_UNIT = 3
_NO_UNIT_BEYOND_TEXT = "of in to and or for the on at from per a"
_NO_UNIT_BEYOND = frozenset(_NO_UNIT_BEYOND_TEXT.split())


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a text: ``value`` with its scale applied, ``unit`` "" where none is printed.

    ``text`` stands from ``start`` to ``end``. ``step`` is the size of the last printed digit,
    ``digits`` the number of significant ones; ``scaled`` says that a scale word stood with it,
    ``bracketed`` that it stood in parentheses.
    """

    value: Decimal
    unit: str
    text: str
    start: int
    end: int
    step: Decimal = Decimal(1)
    digits: int = 0
    scaled: bool = False
    bracketed: bool = False


def measured_amounts(text: str) -> list[Amount]:
    """Every number in ``text`` with the unit right after it ("" for none), in order.

    >>> found = measured_amounts("$1.2M in NOI, a 6.2% cap rate; 60 days' notice")
    >>> [(amount.value, amount.unit) for amount in found]
    [(Decimal('1200000'), 'USD'), (Decimal('6.2'), '%'), (Decimal('60'), 'days')]
    >>> [(a.value, a.unit) for a in measured_amounts("five years, (98,000) and ninety (90) days")]
    [(Decimal('5'), 'years'), (Decimal('-98000'), ''), (Decimal('90'), 'days')]
    """
    return list(_measured_amounts(text))


@lru_cache(maxsize=8192)  # a table's cells are asked again for its units, its scales and its sums
def _measured_amounts(text: str) -> tuple[Amount, ...]:
    worded = list(_worded_measures(text))
    taken = [(amount.start, amount.end) for amount in worded]
    printed = (
        _measured(number, text)
        for number in printed_numbers(text)
        if not _BROKEN_OFF.match(text, number.end)
    )
    free = (amount for amount in printed if not _overlaps((amount.start, amount.end), taken))
    return tuple(sorted([*worded, *free], key=lambda amount: amount.start))


def _measured(number: PrintedNumber, text: str) -> Amount:
    # "(4.5%)" is an aside in a sentence, and below zero where it is all that a cell says
    negated = not number.percent or text[number.start : number.end].strip() == text.strip()
    enclosed = number.opened and (number.closed or (number.closed_after and negated))
    pence = number.percent == "p"
    beside = _BESIDE.match(text, number.percent_at + pence)
    measure, rate = (beside["unit"] or "", beside["rate"] or "") if beside else ("", "")
    unit = number.currency or ("pence" if pence else unit_named(measure))
    if unit and rate:
        unit += meaning(RATES, rate)
    end = beside.end() if beside and (measure or rate) else number.percent_at + pence
    end = max(end, number.end) if enclosed else end
    shown = text[number.start : end].strip()
    if not enclosed:
        shown = shown.strip("() ")
    start = text.index(shown, number.start)
    beside_words = _repeats(number, text) or _is_aside(number, text)
    below = number.negative or (enclosed and not beside_words)
    value = -number.size if below else number.size
    return Amount(
        _plain(value), unit, shown, start, start + len(shown), number.step, number.digits,
        scaled=number.scaled, bracketed=enclosed,
    )  # fmt: skip


def _repeats(number: PrintedNumber, text: str) -> bool:
    """Whether brackets only say once more what stands before them, in words or in other money.

    "ONE MILLION DOLLARS ($1,000,000)", "¥5,000 ($35)"; elsewhere they may mean below zero.
    """
    before = text[max(0, number.start - _REACH) : number.start].rstrip()
    in_words = any(value == number.size for value, _, _ in worded_numbers(before))
    beside = (each.currency for each in printed_numbers(before) if each.end == len(before))
    converted = any(number.currency and each not in ("", number.currency) for each in beside)
    return in_words or converted or _MONEY_IN_WORDS.search(before) is not None


def _is_aside(number: PrintedNumber, text: str) -> bool:
    """Whether brackets come after a word that needs no amount, and their sentence goes on.

    "Costs fell to £37m in 2023 (£38m), and"; not "a result of (£3m) in 2023".
    """
    before = text[max(0, number.start - _REACH) : number.start].rstrip()
    goes_on = _GOES_ON.match(text, number.end) is not None
    return goes_on and before[-1:].isalnum() and not _WANTS_AMOUNT.search(before)


def _worded_measures(text: str) -> Iterator[Amount]:
    """Numbers in words with a unit: "ninety days", "ninety (90) days"."""
    for value, start, end in worded_numbers(text):
        if after := _AFTER_WORD.match(text, end):
            given = Decimal(after["digits"]) if after["digits"] else value
            unit = unit_named(after["unit"])
            yield Amount(given, unit, text[start : after.end()], start, after.end())


def unit_named(printed: str) -> str:
    """The unit that a printed word means, "" where it means none."""
    return meaning(MEASURES, printed)


def stated_amounts(text: str, *, table: bool = False, words: bool = True) -> list[Amount]:
    """The amounts that ``text`` states, in order: no dates, years, section or page numbers.

    In a ``table`` parentheses mean a negative, in prose around money alone; not where they repeat
    what is said before them. With ``words`` number words count where a unit follows them. Basis
    points are given as percent.
    """
    taken = _no_amounts(text)
    found = [
        _stated(number, text, table=table)
        for number in printed_numbers(text)
        if not _overlaps(number.digits_at, taken)
    ]
    if words:
        found += _stated_in_words(text, [*taken, *((a.start, a.end) for a in found)])
    return sorted(found, key=lambda amount: amount.start)


def _no_amounts(text: str) -> list[Span]:
    """Where digits are a time, a place in a text or the number of a list's item."""
    spans = spans_of_time(text)
    spans += [(start, end) for _, start, end in (*references_in(text), *pages_in(text))]
    return spans + [match.span() for match in _ITEM_NUMBER.finditer(text)]


def _overlaps(span: Span, others: Iterable[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _stated(number: PrintedNumber, text: str, *, table: bool) -> Amount:
    unit = _stated_unit(number, text)
    factor = Decimal("0.01") if number.percent.startswith("b") else Decimal(1)  # basis points
    bracketed = number.opened and (number.closed or number.closed_after)
    enclosed = bracketed and (table or number.currency) and not _repeats(number, text)
    sign = -1 if number.negative or enclosed else 1
    shown = text[number.start : number.end].strip()
    if not bracketed:
        shown = shown.strip("() ")
    return Amount(
        number.size * factor * sign, unit, shown, number.digits_at[0], number.end,
        number.step * factor, number.digits, scaled=number.scaled, bracketed=bracketed,
    )  # fmt: skip


def _stated_unit(number: PrintedNumber, text: str) -> str:
    if number.percent:
        return {"p": "pence", "x": "x", "×": "x"}.get(number.percent, "%")
    return number.currency or unit_after(text, number.end)


def unit_after(text: str, at: int) -> str:
    """The unit named within three words after position ``at``, or "".

    >>> unit_after("6 calendar months", 1), unit_after("30 business days", 2)
    ('months', 'business days')
    """
    before = _BEFORE_UNIT.match(text, at)
    at = before.end() if before else at
    for _ in range(_WORDS_TO_UNIT):
        if found := _UNIT.match(text, at):
            return meaning(_UNITS, found.group())
        word = _WORD.match(text, at)
        if word is None or word.group().rstrip("'’ -\n").lower() in _NO_UNIT_BEYOND:
            return ""
        at = word.end()
    return ""


def _stated_in_words(text: str, taken: Sequence[Span]) -> Iterator[Amount]:
    for value, start, end in worded_numbers(text):
        unit = unit_after(text, end)
        if unit and not _overlaps((start, end), taken):
            yield Amount(value, unit, text[start:end], start, end, digits=len(str(value)))


def _plain(value: Decimal) -> Decimal:
    """Without an exponent or trailing zeros before the point being lost: 1.2E+6 is 1200000."""
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def date_value(text: str) -> Decimal | None:
    """A date as the number YYYYMMDD, None where ``text`` is no full date.

    >>> date_value("Mar 31, 2031"), date_value("2031")
    (Decimal('20310331'), None)
    """
    period = read_period(text)
    if not (period.day and period.stop - period.start >= len(text.strip()) - 2):
        return None
    return Decimal(period.year * 10_000 + period.month * 100 + period.day)


def difference(first: Decimal, second: Decimal, unit: str) -> Decimal:
    """First minus second, exactly; of dates the number of days."""
    return Decimal(_day(first) - _day(second)) if unit == "date" else first - second


def _day(value: Decimal) -> int:
    number = int(value)
    try:
        return date(number // 10_000, number // 100 % 100, number % 100).toordinal()
    except ValueError:  # no such day, February 30: count to the first of the month
        return date(number // 10_000, max(1, min(12, number // 100 % 100)), 1).toordinal()


def percent_change(first: Decimal, second: Decimal) -> str:
    """The change from the second to the first, in percent to one place; "" where it means nothing.

    >>> percent_change(Decimal(1200000), Decimal(1100000))
    '+9.1%'
    """
    if second <= 0 or first < 0:
        return ""
    change = (first - second) * 100 / second
    rounded = change.quantize(Decimal("0.1"))
    return f"{_sign(rounded)}{abs(rounded)}%"


def printed_difference(value: Decimal, unit: str) -> str:
    """A difference, short, signed and exact.

    Money is printed in K, M or B where that loses nothing, percentages in points.

    >>> [printed_difference(Decimal(v), u) for v, u in ((100000, "USD"), (-30, "days"))]
    ['+$100K', '−30 days']
    >>> printed_difference(Decimal("0.4"), "%"), printed_difference(Decimal(12300), "sq ft")
    ('+0.4 pts', '+12,300 sq ft')
    """
    if unit == "date":
        return f"{_sign(value)}{abs(value):,} days" if value else "same date"
    money, _, rate = unit.partition("/")
    per = f"/{rate}" if rate else ""
    if money in CURRENCIES.values():
        symbol = SYMBOLS.get(money, f"{money} ")
        return f"{_sign(value)}{symbol}{_compact(abs(value))}{per}"
    if money in ("%", "pts"):
        return f"{_sign(value)}{_digits(abs(value))} pts{per}"
    spaced = "" if not money else money if money == "x" else f" {_agreeing(money, abs(value))}"
    return f"{_sign(value)}{_digits(abs(value))}{spaced}{per}"


def _agreeing(unit: str, value: Decimal) -> str:
    return unit.removesuffix("s") if value == 1 and unit in DURATIONS else unit


def _sign(value: Decimal) -> str:
    return "+" if value > 0 else "−" if value < 0 else ""


def _compact(value: Decimal) -> str:
    """In B or M with at most three places, in K with one, else every digit.

    Three places because amounts in millions are compared in billions; $19,480 is clearer than
    19.48K.
    """
    for letter, scale, places in (("B", 10**9, 3), ("M", 10**6, 3), ("K", 10**3, 1)):
        scaled = value / scale
        if scaled >= 1 and scaled == round(scaled, places):
            return f"{_digits(_plain(scaled))}{letter}"
    whole = value == value.to_integral_value()
    return (
        f"{value:,.0f}" if whole else f"{value:,.2f}" if value == round(value, 2) else f"{value:,f}"
    )


def _digits(value: Decimal) -> str:
    return f"{_plain(value):,f}"
