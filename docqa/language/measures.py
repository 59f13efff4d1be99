"""Amounts as figures to be compared: exact decimals with the unit printed right after them, and
differences as they are printed."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from docqa.language.amounts import (
    CURRENCIES,
    DURATIONS,
    MEASURES,
    Amount,
    Printed,
    meaning,
    printed_numbers,
    worded_numbers,
)
from docqa.language.periods import read_period

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CAD": "C$", "AUD": "A$", "HKD": "HK$"}
RATES = {
    r"(?:per|a|each|/)\s?(?:annum|year|yr)\b|annually\b|yearly\b|p\.a\.": "/year",
    r"(?:per|a|each|/)\s?month\b|monthly\b": "/month",
    r"(?:per|a|each|/)\s?hour\b|hourly\b": "/hour",
    r"(?:per|a|each|/)\s?day\b": "/day",
    r"(?:per|a|each|/)\s?(?:rentable )?(?:square foot|sq\.?\s?ft|sf)\b\.?": "/sq ft",
    r"(?:per|a|each|/)\s?share\b": "/share",
}

_UNIT = "|".join(MEASURES)
_BESIDE = re.compile(
    rf"\s?-?(?P<unit>{_UNIT})?(?:['’]s?)?(?:\s?(?P<rate>{'|'.join(RATES)}))?", re.IGNORECASE
)
_AFTER_WORD = re.compile(
    rf"\s*(?:\((?P<digits>\d+)\)\s*)?-?(?P<unit>{_UNIT})(?:['’]s?)?", re.IGNORECASE
)
_BROKEN_OFF = re.compile(r"[,./]\d")


def amounts_in(text: str) -> list[Amount]:
    """Every number in ``text`` with its unit ("" for a bare one), in order, exactly.

    >>> [(a.value, a.unit) for a in amounts_in("$1.2M in NOI, a 6.2% cap rate; 60 days' notice")]
    [(Decimal('1200000'), 'USD'), (Decimal('6.2'), '%'), (Decimal('60'), 'days')]
    >>> [(a.value, a.unit) for a in amounts_in("five years, (98,000) and ninety (90) days")]
    [(Decimal('5'), 'years'), (Decimal('-98000'), ''), (Decimal('90'), 'days')]
    """
    worded = list(_worded(text))
    printed = [
        amount
        for number in printed_numbers(text)
        if not _BROKEN_OFF.match(text, number.end)
        for amount in (_measured(number, text),)
        if not any(a.start < amount.end and amount.start < a.end for a in worded)
    ]
    return sorted([*worded, *printed], key=lambda amount: amount.start)


def _measured(number: Printed, text: str) -> Amount:
    # "(4.5%)" is an aside in a sentence, and below zero where it is all that a cell says
    negated = not number.percent or text[number.start : number.end].strip() == text.strip()
    enclosed = number.opened and (number.closed or (number.closed_after and negated))
    beside = _BESIDE.match(text, number.percent_at)
    measure, rate = (beside["unit"] or "", beside["rate"] or "") if beside else ("", "")
    unit = number.currency or meaning(MEASURES, measure)
    if unit and rate:
        unit += meaning(RATES, rate)
    end = beside.end() if beside and (measure or rate) else number.percent_at
    end = max(end, number.end) if enclosed else end
    shown = text[number.start : end].strip()
    if not enclosed:
        shown = shown.strip("() ")
    start = text.index(shown, number.start)
    value = -number.size if enclosed or number.negative else number.size
    return Amount(
        _plain(value), unit, shown, start, start + len(shown), number.step, number.digits,
        scaled=number.scaled, bracketed=enclosed,
    )  # fmt: skip


def _worded(text: str) -> Iterator[Amount]:
    """Numbers in words with a unit: "ninety days", "ninety (90) days"."""
    for value, start, end in worded_numbers(text):
        if after := _AFTER_WORD.match(text, end):
            given = Decimal(after["digits"]) if after["digits"] else value
            unit = meaning(MEASURES, after["unit"])
            yield Amount(given, unit, text[start : after.end()], start, after.end())


def unit_name(printed: str) -> str:
    """The unit that a printed word means, "" where it means none."""
    return meaning(MEASURES, printed)


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
    except ValueError:  # February 30 and the like: as far as the month goes
        return date(number // 10_000, max(1, min(12, number // 100 % 100)), 1).toordinal()


def percent_change(first: Decimal, second: Decimal) -> str:
    """How much the first is over the second, in percent to one place; "" where that says nothing.

    >>> percent_change(Decimal(1200000), Decimal(1100000))
    '+9.1%'
    """
    if second <= 0 or first < 0:
        return ""
    change = (first - second) * 100 / second
    rounded = change.quantize(Decimal("0.1"))
    return f"{_sign(rounded)}{abs(rounded)}%"


def printed_difference(value: Decimal, unit: str) -> str:
    """A difference in few characters and exactly, with its sign.

    Money goes in K, M or B where that loses nothing, percentages in points.

    >>> [printed_difference(Decimal(v), u) for v, u in ((100000, "USD"), (-30, "days"))]
    ['+$100K', '−30 days']
    >>> printed_difference(Decimal("0.4"), "%"), printed_difference(Decimal(12300), "sq ft")
    ('+0.4 pts', '+12,300 sq ft')
    """
    if unit == "date":
        return f"{_sign(value)}{abs(value):,} days" if value else "same date"
    money, _, rate = unit.partition("/")
    per = f"/{rate}" if rate else ""
    if money in SYMBOLS or money in CURRENCIES.values():
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
    """In B or M with at most three places, K with one, else every digit.

    Three places, as amounts in millions are compared in billions; $19,480 is clearer than 19.48K.
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
