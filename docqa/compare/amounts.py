"""Printed numbers as exact decimals with their units, and differences as they are printed."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from docqa.compare.periods import read_period

# What stands before or after a number, and the unit it means. Extend here.
CURRENCIES = {
    **{"$": "USD", "US$": "USD", "USD": "USD", "€": "EUR", "EUR": "EUR", "£": "GBP", "GBP": "GBP"},
    **{"¥": "JPY", "JPY": "JPY", "C$": "CAD", "CAD": "CAD", "A$": "AUD", "AUD": "AUD"},
    **{"CHF": "CHF", "HK$": "HKD", "INR": "INR", "Rs": "INR"},
}
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CAD": "C$", "AUD": "A$", "HKD": "HK$"}
CURRENCY_WORDS = {
    r"(?:U\.?S\.? )?dollars": "USD",
    r"euros?": "EUR",
    r"pounds(?: sterling)?|sterling": "GBP",
    r"yen": "JPY",
}
UNITS = {
    r"percentage points?|points?\b|pts\b": "pts",
    r"%|per\s?cent\b|percent\b": "%",
    r"basis points?|bps\b|bp\b": "bps",
    r"(?:rentable |leasable |gross )?(?:square f(?:ee|oo)t|sq\.?\s?ft\b\.?|sqft\b|sf\b)": "sq ft",
    r"square met(?:er|re)s?|sq\.?\s?m\b|m²": "sq m",
    r"acres?\b": "acres",
    r"hectares?\b": "hectares",
    r"(?:business|working|banking) days?\b": "business days",
    r"(?:calendar |consecutive )?days?\b": "days",
    r"weeks?\b": "weeks",
    r"(?:calendar )?months?\b": "months",
    r"(?:calendar )?years?\b": "years",
    r"hours?\b": "hours",
    r"shares\b": "shares",
    r"employees\b": "employees",
    r"(?:parking )?spaces\b": "spaces",
    r"units\b": "units",
    r"beds\b": "beds",
    r"miles?\b": "miles",
    r"(?:feet|ft)\b": "ft",
    r"tons?\b": "tons",
    r"kW\b": "kW",
    r"x\b": "x",
}
RATES = {
    r"(?:per|a|each|/)\s?(?:annum|year|yr)\b|annually\b|yearly\b|p\.a\.": "/year",
    r"(?:per|a|each|/)\s?month\b|monthly\b": "/month",
    r"(?:per|a|each|/)\s?hour\b|hourly\b": "/hour",
    r"(?:per|a|each|/)\s?day\b": "/day",
    r"(?:per|a|each|/)\s?(?:rentable )?(?:square foot|sq\.?\s?ft|sf)\b\.?": "/sq ft",
    r"(?:per|a|each|/)\s?share\b": "/share",
}
SCALES = {
    **{"k": 10**3, "thousand": 10**3, "thousands": 10**3, "m": 10**6, "mm": 10**6, "mn": 10**6},
    **{"million": 10**6, "millions": 10**6, "b": 10**9, "bn": 10**9, "billion": 10**9},
    **{"billions": 10**9, "trillion": 10**12, "t": 10**12},
}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
NUMBER_WORDS = {word: number for number, word in enumerate(_ONES.split())} | {
    word: number for number, word in zip(range(20, 100, 10), _TENS.split("|"), strict=True)
}
DURATIONS = ("hours", "days", "business days", "weeks", "months", "years")

_UNIT = "|".join(UNITS)
_RATE = "|".join(RATES)
_CURRENCY = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
_WORDS = rf"(?:{_TENS})(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?|" + "|".join(
    sorted(NUMBER_WORDS, key=len, reverse=True)
)
_AMOUNT = re.compile(
    rf"(?<![\w.,/])(?P<open>\(\s*)?(?P<minus>[-−–]\s?)?(?:(?P<currency>{_CURRENCY})\s?)?"
    r"(?P<open2>\()?(?P<minus2>[-−–])?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<scale>k|mm|mn|m|bn|b|\s?(?:thousand|million|billion|trillion))?(?![\w]|,\d|\.\d|/\d)"
    rf"\s?(?P<close>\))?\s?-?(?P<unit>{_UNIT})?(?:['’]s?)?(?:\s?(?P<rate>{_RATE}))?",
    re.IGNORECASE,
)
_WORDED = re.compile(
    rf"\b(?P<words>{_WORDS})\s*(?:\((?P<digits>\d+)\)\s*)?-?(?P<unit>{_UNIT})(?:['’]s?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as printed from ``start`` to ``stop``; ``scaled`` where it names its own scale."""

    value: Decimal
    unit: str
    text: str
    start: int
    stop: int
    scaled: bool = False


def amounts_in(text: str) -> list[Amount]:
    """Every number in ``text`` with its unit ("" for a bare one), in order, exactly.

    >>> [(a.value, a.unit) for a in amounts_in("$1.2M in NOI, a 6.2% cap rate; 60 days' notice")]
    [(Decimal('1200000'), 'USD'), (Decimal('6.2'), '%'), (Decimal('60'), 'days')]
    >>> [(a.value, a.unit) for a in amounts_in("five years, (98,000) and ninety (90) days")]
    [(Decimal('5'), 'years'), (Decimal('-98000'), ''), (Decimal('90'), 'days')]
    """
    worded = [_worded(match) for match in _WORDED.finditer(text)]
    printed = [
        _printed(match)
        for match in _AMOUNT.finditer(text)
        if not any(a.start < match.end() and match.start() < a.stop for a in worded)
    ]
    return sorted([*worded, *printed], key=lambda amount: amount.start)


def _printed(match: re.Match[str]) -> Amount:
    scale = (match["scale"] or "").strip().lower()
    value = Decimal(match["number"].replace(",", "")) * SCALES.get(scale, 1)
    enclosed = (match["open"] or match["open2"]) and match["close"]
    if enclosed or match["minus"] or match["minus2"]:
        value = -value
    currency = _currency(match["currency"])
    unit = currency or unit_name(match["unit"] or "")
    if match["rate"] and (currency or unit):
        unit += _named(RATES, match["rate"])
    text, start = match[0], match.start()
    if match["open"] and not match["close"]:
        start += len(match["open"])
        text = text[len(match["open"]) :]
    if match["close"] and not (match["open"] or match["open2"]):
        text = text[: match.start("close") - start]
    text = text.rstrip()
    start += len(text) - len(text.lstrip())
    return Amount(_plain(value), unit, text.strip(), start, start + len(text.strip()), bool(scale))


def _worded(match: re.Match[str]) -> Amount:
    words = match["words"].lower().replace("-", " ").split()
    value = int(match["digits"]) if match["digits"] else sum(NUMBER_WORDS[word] for word in words)
    unit = unit_name(match["unit"])
    return Amount(Decimal(value), unit, match[0], match.start(), match.end())


def _currency(sign: str | None) -> str:
    if not sign:
        return ""
    return CURRENCIES.get(sign) or CURRENCIES[sign.upper()]


def unit_name(printed: str) -> str:
    """The unit that a printed word means, "" where it means none."""
    return _named(UNITS, printed)


def _named(patterns: dict[str, str], printed: str) -> str:
    plain = printed.strip()
    found = (
        name for pattern, name in patterns.items() if re.fullmatch(pattern, plain, re.IGNORECASE)
    )
    return next(found, "") if plain else ""


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
