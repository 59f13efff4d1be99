"""Amounts as answers and their sources state them, exact and comparable; pure.

Values have their own scale word applied ("$1.2 million" is 1200000, "(363)" in a table is −363,
"620 bps" is 6.2 %). Number words count where a unit follows or in contracts' double form
("six (6) months").
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal

from docqa.language.amounts import (
    COUNTED,
    CURRENCY_WORDS,
    MEASURES,
    Amount,
    Printed,
    meaning,
    printed_numbers,
    scale_said,
    worded_numbers,
)
from docqa.language.dates import places_in

_BEFORE_UNIT = re.compile(r"[\s-]*(?:\(\s*\w+(?:[- ]\w+)?\s*%?\s*\))?[\s-]*")
_WORD = re.compile(r"[A-Za-z]+['’]?[\s-]*")
_UNITS = MEASURES | COUNTED | CURRENCY_WORDS
_UNIT = re.compile("|".join(rf"(?:{pattern})" for pattern in _UNITS), re.IGNORECASE)
_WORDS_TO_UNIT = 3
_NO_UNIT_BEYOND = frozenset(
    ["of", "in", "to", "and", "or", "for", "the", "on", "at", "from", "per", "a"]
)


def amounts_in(text: str, *, table: bool = False, words: bool = True) -> list[Amount]:
    """The amounts in ``text``, in order: no dates, years, section or page numbers.

    In a ``table`` parentheses mean a negative; in prose they are noted only. With ``words`` number
    words count where a unit follows them.
    """
    taken = places_in(text)
    found = [
        _amount(number, text, table=table)
        for number in printed_numbers(text)
        if not _overlaps(number.digits_at, taken)
    ]
    if words:
        found += _word_amounts(text, [*taken, *((a.start, a.end) for a in found)])
    return sorted(found, key=lambda amount: amount.start)


def _overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _amount(number: Printed, text: str, *, table: bool) -> Amount:
    unit, factor = _unit(number, text)
    bracketed = number.opened and (number.closed or number.closed_after)
    sign = -1 if number.negative or (bracketed and (table or number.currency)) else 1
    shown = text[number.start : number.end].strip()
    if not bracketed:
        shown = shown.strip("() ")
    return Amount(
        number.size * factor * sign, unit, shown, number.digits_at[0], number.end,
        number.step * factor, number.digits, scaled=number.scaled, bracketed=bracketed,
    )  # fmt: skip


def _unit(number: Printed, text: str) -> tuple[str, Decimal]:
    if number.percent.startswith(("bps", "bp", "basis")):
        return "%", Decimal("0.01")
    if number.percent:
        return "x" if number.percent in ("x", "×") else "%", Decimal(1)
    return number.currency or unit_after(text, number.end), Decimal(1)


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


def _word_amounts(text: str, taken: Iterable[tuple[int, int]]) -> Iterator[Amount]:
    spans = list(taken)
    for value, start, end in worded_numbers(text):
        unit = unit_after(text, end)
        if unit and not _overlaps((start, end), spans):
            yield Amount(value, unit, text[start:end], start, end, digits=len(str(value)))


def scaled(amount: Amount, exponent: int) -> Amount:
    """The amount with a scale named elsewhere ("in thousands") applied to it."""
    factor = Decimal(10) ** exponent
    return replace(amount, value=amount.value * factor, step=amount.step * factor, scaled=True)


def scale_exponent(text: str) -> int:
    """The power of ten a phrase like "(in millions)" stands for; 0 where there is none."""
    factor, _ = scale_said(text)
    return len(str(factor)) - 1


def same_value(claimed: Amount, found: Amount) -> bool:
    """Whether the claimed value is the found one, exactly or properly rounded.

    Rounding is allowed where a scale word or decimals show it was meant, with at least two
    significant digits: 1,214 thousand is "$1.2 million", not "$1 million".
    """
    if claimed.value == found.value:
        return True
    may_round = claimed.digits >= 2 and (claimed.scaled or claimed.step < 1)
    if not may_round or found.step >= claimed.step:
        return False
    return abs(claimed.value - found.value) * 2 <= claimed.step
