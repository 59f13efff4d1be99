"""Printed amounts, dates and periods as values that can be compared; pure.

Values are exact decimals with their own scale word applied ("$1.2 million" is 1200000, "(363)"
in a table is −363, "620 bps" is 6.2 %). Number words count where a unit follows or in contracts'
double form ("six (6) months").
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

_SCALES = {
    "thousand": 3, "thousands": 3, "k": 3,
    "million": 6, "millions": 6, "mn": 6, "mm": 6, "m": 6,
    "billion": 9, "billions": 9, "bn": 9, "b": 9,
    "trillion": 12, "trillions": 12, "tn": 12,
}  # fmt: skip
_CURRENCIES = {
    "us$": "USD", "usd": "USD", "$": "USD", "a$": "AUD", "c$": "CAD", "ca$": "CAD",
    "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP", "¥": "JPY", "jpy": "JPY", "chf": "CHF",
}  # fmt: skip
_CURRENCY_WORDS = {"dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY"}
_UNITS = {
    "day": "day", "month": "month", "year": "year", "week": "week", "hour": "hour",
    "minute": "minute", "quarter": "quarter", "anniversary": "anniversary", "installment":
    "installment", "instalment": "installment", "share": "share", "employee": "employee",
    "people": "employee", "unit": "unit", "space": "space", "floor": "floor", "acre": "acre",
    "mile": "mile", "page": "page", "store": "store", "country": "country", "location": "location",
    "percent": "%", "sq": "sq ft", "square": "sq ft", "sf": "sq ft", "sqft": "sq ft",
    "point": "point", "copy": "copy", "time": "x", "tenant": "tenant", "lease": "lease",
    "property": "property", "building": "building", "visit": "visit",
}  # fmt: skip
_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBER_WORDS = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
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
_NUMBER = re.compile(
    r"(?<![\w.,/])(?<![A-Za-z]-)"
    r"(?P<open>\()?\s*(?P<sign>[-−–+])?\s*"
    r"(?P<cur>(?i:us\$|ca\$|a\$|c\$|usd|eur|gbp|chf|jpy)|[$€£¥])?\s*"
    r"(?P<open2>\()?(?P<sign2>[-−–])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<close>\s*\))?"
    r"(?:\s*(?P<pct>%|(?i:per\s?cent(?:age\s+points?)?\b|percentage\s+points?|bps\b|bp\b"
    r"|basis\s+points?|pp\b|pps\b|x\b|×))"
    r"|(?:[ -]?(?=[a-z]{2}|[A-Z]{2}|[MB][a-z])| ?)"
    r"(?P<scale>(?i:thousands?|millions?|billions?|trillions?|mn|mm|bn|tn)\b|[kKMBm]\b(?![²³])))?"
    r"(?P<close2>\))?"
    r"(?![\w²³])(?!-[A-Z]\b)"
)
_WORD_NUMBER = re.compile(
    rf"\b(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<ones>{'|'.join(_SMALL[1:10])}))?\b"
    rf"|\b(?P<small>{'|'.join(_SMALL)})\b(?P<hundred>[- ]hundred\b)?|\b(?P<one>a|one) hundred\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s-]*(?:\(\s*\w+(?:[- ]\w+)?\s*%?\s*\))?[\s-]*((?:[A-Za-z]+['’]?[\s-]*){1,3})"
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
class Amount:
    """A number in a text: ``value`` as meant there, ``unit`` "" where none is printed.

    ``step`` is the size of the last printed digit; ``digits`` how many are significant;
    ``scaled`` says that a scale word stood with it; ``bracketed`` that it stood in parentheses.
    """

    value: Decimal
    unit: str
    text: str
    start: int
    end: int
    step: Decimal
    digits: int
    scaled: bool = False
    bracketed: bool = False


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


def amounts_in(text: str, *, table: bool = False, words: bool = True) -> list[Amount]:
    """The amounts in ``text``, in order: no dates, years, section or page numbers.

    In a ``table`` parentheses mean a negative; in prose they are noted only. With ``words`` number
    words count where a unit follows them.
    """
    taken = _taken(text)
    found = [
        _amount(match, text, table=table)
        for match in _NUMBER.finditer(text)
        if not _overlaps((match.start("digits"), match.end("digits")), taken)
    ]
    if words:
        found += _word_amounts(text, [*taken, *((a.start, a.end) for a in found)])
    return sorted(found, key=lambda amount: amount.start)


def _taken(text: str) -> list[tuple[int, int]]:
    """Where digits mean something other than an amount."""
    spans = [(day.start, day.end) for day in days_in(text)]
    spans += [(start, end) for _, start, end in (*references_in(text), *pages_in(text))]
    spans += [match.span(1) for match in _BARE_YEAR.finditer(text)]
    spans += [match.span() for match in _SHORT_YEAR.finditer(text)]
    spans += [match.span() for match in _SPAN_NOT_AMOUNT.finditer(text)]
    spans += [match.span() for match in re.finditer(r"(?m)^\s*\d{1,2}[.)](?=\s)", text)]
    return spans


def _overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _amount(match: re.Match[str], text: str, *, table: bool) -> Amount:
    digits = match["digits"].replace(",", "")
    scale = (match["scale"] or "").lower()
    factor = Decimal(10) ** _SCALES.get(scale, 0)
    unit, unit_factor = _unit(match, text)
    places = len(digits.partition(".")[2])
    bracketed = bool((match["open"] or match["open2"]) and (match["close"] or match["close2"]))
    negative = bool(match["sign2"]) or match["sign"] in ("-", "−") or _is_minus(match)
    sign = -1 if negative or (bracketed and (table or match["cur"])) else 1
    value = Decimal(digits) * factor * unit_factor * sign
    step = Decimal(1).scaleb(-places) * factor * unit_factor
    significant = len(digits.replace(".", "").lstrip("0"))
    shown = match.group().strip()
    if not bracketed:
        shown = shown.strip("() ")
    return Amount(
        value, unit, shown, match.start("digits"), match.end(), step, significant,
        scaled=bool(scale), bracketed=bracketed,
    )  # fmt: skip


def _is_minus(match: re.Match[str]) -> bool:
    """An en dash is a minus only when it stands against the figure after a blank."""
    return match["sign"] == "–" and not match.group().startswith("– ")


def _unit(match: re.Match[str], text: str) -> tuple[str, Decimal]:
    printed = (match["pct"] or "").lower()
    if printed.startswith(("bps", "bp", "basis")):
        return "%", Decimal("0.01")
    if printed in ("x", "×"):
        return "x", Decimal(1)
    if printed:
        return "%", Decimal(1)
    if match["cur"]:
        return _CURRENCIES[match["cur"].lower()], Decimal(1)
    return unit_after(text, match.end()), Decimal(1)


def unit_after(text: str, at: int) -> str:
    """The unit named within three words after position ``at``, or "".

    >>> unit_after("6 calendar months", 1), unit_after("30 business days", 2)
    ('month', 'business day')
    """
    match = _AFTER.match(text, at)
    before = ""
    for word in re.findall(r"[a-z]+", match[1].lower()) if match else ():
        single = "country" if word == "countries" else word.removesuffix("s")
        single = "property" if word == "properties" else single
        if word in _UNITS or single in _UNITS:
            unit = _UNITS.get(word) or _UNITS[single]
            return f"business {unit}" if before == "business" else unit
        if single in _CURRENCY_WORDS:
            return _CURRENCY_WORDS[single]
        if word in ("of", "in", "to", "and", "or", "for", "the", "on", "at", "from", "per", "a"):
            return ""
        before = word
    return ""


def _word_amounts(text: str, taken: Iterable[tuple[int, int]]) -> Iterator[Amount]:
    spans = list(taken)
    for match in _WORD_NUMBER.finditer(text):
        unit = unit_after(text, match.end())
        if not unit or _overlaps(match.span(), spans):
            continue
        value = Decimal(_word_value(match))
        yield Amount(value, unit, match.group(), *match.span(), Decimal(1), len(str(value)))


def _word_value(match: re.Match[str]) -> int:
    if match["tens"]:
        return NUMBER_WORDS[match["tens"].lower()] + NUMBER_WORDS.get(
            (match["ones"] or "").lower(), 0
        )
    if match["one"]:
        return 100
    return NUMBER_WORDS[match["small"].lower()] * (100 if match["hundred"] else 1)


def scaled(amount: Amount, exponent: int) -> Amount:
    """The amount with a scale named elsewhere ("in thousands") applied to it."""
    factor = Decimal(10) ** exponent
    return replace(amount, value=amount.value * factor, step=amount.step * factor, scaled=True)


def scale_exponent(text: str) -> int:
    """The power of ten a phrase like "(in millions)" stands for; 0 where there is none."""
    match = re.search(
        r"\b(?:in|of)\s+(?:[\w.$€£]+\s+){0,4}?(thousands|millions|billions)", text, re.I
    )
    if match is None:
        match = re.search(
            r"[$€£](?:\s|’|')*(000s?|mm?|mn|bn|thousand|million|billion)\b", text, re.I
        )
    if match is None:
        return 0
    word = match[1].lower()
    return 3 if word.startswith("000") else _SCALES[word]


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
