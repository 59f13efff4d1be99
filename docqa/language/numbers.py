"""Numbers as documents print them: signs, brackets, currencies, scales, units and number words.

The tables at the top are the vocabulary; extend them there. What a number is an amount of is read
in `docqa.language.amounts`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_CODES_TEXT = """
CNY HKD SGD SEK KRW NOK NZD MXN TWD ZAR BRL DKK PLN THB ILS IDR CZK AED TRY HUF
"""
_CODES = frozenset(_CODES_TEXT.split())  # in capitals alone, as "try" is a word

# What is printed before or after a number, and the unit it means.
CURRENCIES = {
    **{"$": "USD", "US$": "USD", "USD": "USD", "€": "EUR", "EUR": "EUR", "£": "GBP", "GBP": "GBP"},
    **{"¥": "JPY", "JPY": "JPY", "C$": "CAD", "CA$": "CAD", "CAD": "CAD", "A$": "AUD"},
    **{"AUD": "AUD", "CHF": "CHF", "HK$": "HKD", "INR": "INR", "RS": "INR", "RMB": "CNY"},
    **{"S$": "SGD", "NZ$": "NZD", "R$": "BRL"},
    **{code: code for code in sorted(_CODES)},
}
CURRENCY_WORDS = {
    r"Canadian dollars?\b": "CAD",
    r"Australian dollars?\b": "AUD",
    r"Hong Kong dollars?\b": "HKD",
    r"Singapore dollars?\b": "SGD",
    r"New Zealand dollars?\b": "NZD",
    r"Swiss francs?\b": "CHF",
    r"Norwegian kroner?\b": "NOK",
    r"Danish kroner?\b": "DKK",
    r"Swedish kron(?:a|or)\b": "SEK",
    r"(?:Indian )?rupees?\b": "INR",
    r"(?:renminbi|yuan)\b": "CNY",
    r"(?:U\.?S\.? )?dollars?\b": "USD",
    r"euros?\b": "EUR",
    r"(?:pounds(?: sterling)?|sterling)\b": "GBP",
    r"yen\b": "JPY",
}
SCALES = {
    **{"k": 10**3, "thousand": 10**3, "m": 10**6, "mm": 10**6, "mn": 10**6, "million": 10**6},
    **{"b": 10**9, "bn": 10**9, "billion": 10**9, "t": 10**12, "tn": 10**12},
    **{"trillion": 10**12},
}
MEASURES = {
    r"percentage points?|points?\b|pts\b": "pts",
    r"%|per\s?cent\b|percent\b": "%",
    r"basis points?|bps\b|bp\b": "bps",
    r"pence\b": "pence",
    r"cents?\b": "cents",
    r"(?:rentable |leasable |gross )?(?:square f(?:ee|oo)t|sq\.?\s?ft\b\.?|sqft\b|sf\b)": "sq ft",
    r"square met(?:er|re)s?|sq\.?\s?m\b|m²": "sq m",
    r"acres?\b": "acres",
    r"hectares?\b": "hectares",
    r"(?:business|working|banking)[ -]days?\b": "business days",
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
    r"(?:per|a|each|/)\s?(?:ordinary |common )?share\b": "/share",
}
# Distinguished when an answer is checked; counts of them are not compared.
COUNTED = {
    **{r"business hours?\b": "business hours", r"business weeks?\b": "business weeks"},
    **{r"business months?\b": "business months", r"minutes?\b": "minutes"},
    **{r"quarters?\b": "quarters", r"anniversar(?:y|ies)\b": "anniversaries"},
    **{r"instal?lments?\b": "installments", r"share\b": "shares", r"space\b": "spaces"},
    **{r"(?:employee|people)\b": "employees", r"unit\b": "units", r"bed\b": "beds"},
    **{r"floors?\b": "floors", r"pages?\b": "pages", r"stores?\b": "stores"},
    **{r"countr(?:y|ies)\b": "countries", r"locations?\b": "locations", r"times?\b": "x"},
    **{r"cop(?:y|ies)\b": "copies", r"tenants?\b": "tenants", r"leases?\b": "leases"},
    **{r"propert(?:y|ies)\b": "properties", r"buildings?\b": "buildings", r"visits?\b": "visits"},
    **{r"(?:sq|square)\b": "sq ft"},
}
DURATIONS = ("hours", "days", "business days", "weeks", "months", "years")

_ONES_TEXT = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_TENS_TEXT = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES, _TENS = _ONES_TEXT.split(), _TENS_TEXT.split()
NUMBER_WORDS = {word: number for number, word in enumerate(_ONES)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}


def _any(signs: Iterable[str]) -> str:
    """A pattern for one of the signs, the longest that stands there."""
    return "|".join(re.escape(sign) for sign in sorted(signs, key=lambda sign: (-len(sign), sign)))


_SIGNS = f"(?i:{_any(CURRENCIES.keys() - _CODES)})|{_any(_CODES)}"
# For patterns that ignore case: signs of money, and its codes where they are in capitals.
MONEY_SIGN = rf"(?:{_any(sign for sign in CURRENCIES if not sign.isalpha())})"
MONEY_CODE = rf"(?-i:{_any(sign for sign in CURRENCIES if sign.isalpha() and len(sign) == 3)})"
_MEASURE = re.compile("|".join(MEASURES), re.IGNORECASE)
_PRINTED = re.compile(
    # No blanks at the start, and none given back: long runs of them would take long otherwise.
    r"(?<![\w.,/⁄])(?<![A-Za-z]-)(?!\s)"
    rf"(?P<open>\()?\s*+(?P<sign>[-−–+])?\s*+(?P<currency>{_SIGNS})?\s*+"
    r"(?P<open2>\()?(?P<sign2>[-−–])?"
    # Whole, or not at all: of "2.5d" no 2 is left.
    r"(?>(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+))"
    r"(?P<close>\s*\))?"
    r"(?:\s*(?P<percent>%|(?i:per\s?cent(?:age\s+points?)?\b|percentage\s+points?|bps\b|bp\b"
    r"|basis\s+points?|pp\b|pps\b|(?:x\b|×)(?!\s*[\d(]))"
    # Pence have decimals or are of a share: "5p" may be pages, "1080p" lines.
    r"|(?<=\d)p(?:(?<=\.\dp)|(?<=\.\d\dp)|(?=(?:\s(?:per|a)\s|/)(?:\w+\s)?share))\b(?!\.\w))"
    r"|(?:[ -]?(?=[a-z]{2}|[A-Z]{2}|[MB][a-z])| ?)"
    r"(?P<scale>(?i:thousand|million|billion|trillion)s?\b|(?i:mn|mm|bn|tn)\b"
    r"|(?(currency)|(?<! ))[kKMBm]\b(?![²³])))?"
    r"(?P<close2>\))?"
    # As ledgers print what is below zero: "6,989.81-", with nothing after it in its cell.
    r"(?P<behind>(?:(?<=\.\d\d)|(?<=,\d\d\d))[-−](?=\s*(?:\||$)))?"
    # Pence and cents are printed without a blank: "1.8p", "12.5c"; "18c" is rather a clause.
    rf"(?:(?![\w²³])|(?=(?i:{_MEASURE.pattern}))|(?=p\b)|(?:(?<=\.\d)|(?<=\.\d\d))(?=c\b))"
    r"(?!-[A-Z]\b)"
)
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES)})"
_HUNDREDS = rf"(?:(?:{_SMALL}|an?)[- ]hundred(?:[- ](?:and[- ])?{_SMALL})?|{_SMALL})"
_SCALES_IN_WORDS = "thousand|million|billion|trillion"
_NUMBERS_IN_WORDS = frozenset((*NUMBER_WORDS, "hundred", *_SCALES_IN_WORDS.split("|")))
_WORDED = re.compile(
    rf"\b(?:(?:{_HUNDREDS}|an?)[- ](?:{_SCALES_IN_WORDS})(?:,?[- ](?:and[- ])?{_HUNDREDS}"
    rf"(?:[- ](?:{_SCALES_IN_WORDS}))?)*|{_HUNDREDS})\b",
    re.IGNORECASE,
)
# Numbers under a hundred, in words and also in digits; without groups, for patterns ignoring case.
NUMBER_WORD = _SMALL
COUNT = rf"(?:{NUMBER_WORD}|\d{{1,2}})"
_REFERENCE = re.compile(
    r"\b(?:sections?|sec\.|§+|articles?|art\.|clauses?|paragraphs?|para\.|notes?|items?|exhibits?"
    r"|schedules?|appendix|annex|chapters?|parts?|rules?|regulations?|forms?|tables?|figures?"
    r"|steps?|topics?|asu|asc|no\.|nos\.|number)\s*(?:no\.\s*)?(?P<ref>\d[\w.()-]*\w|\d)",
    re.IGNORECASE,
)
_PAGE_REFERENCE = re.compile(r"\b(?:pages?|pp?\.)\s*(?P<ref>\d+)", re.IGNORECASE)
# Superscript figures after a figure or a word; neither an exponent ("10⁶", "m²") nor a fraction.
_NOTE_MARKS = re.compile(
    r"(?:(?<=[\d%)])(?<!\b10)|(?<=[A-Za-z]{3}))[⁰¹²³⁴-⁹]{1,2}(?:,[⁰¹²³⁴-⁹]{1,2})*(?![\w⁄/])"
)


def without_note_marks(text: str) -> str:
    """The text with each character of a note mark made a blank, so that positions hold.

    >>> without_note_marks("EBITDA² of 1,234³ on 10⁶ m²")
    'EBITDA  of 1,234  on 10⁶ m²'
    """
    return _NOTE_MARKS.sub(lambda mark: " " * len(mark.group()), text)


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number in digits: its ``size`` with the scale word applied, and all that stands with it.

    ``start`` and ``end`` are its span with sign and brackets, ``digits_at`` that of the digits;
    ``percent`` is the sign or word for hundredths after it, at ``percent_at``, "p" for pence.
    """

    size: Decimal
    step: Decimal
    digits: int
    currency: str
    negative: bool
    opened: bool
    closed: bool  # before any sign of hundredths
    closed_after: bool
    scaled: bool
    percent: str
    percent_at: int
    start: int
    end: int
    digits_at: tuple[int, int]


def printed_numbers(text: str) -> Iterator[PrintedNumber]:
    """Every number in digits that ``text`` prints, in order.

    >>> [(str(n.size), n.currency, n.negative) for n in printed_numbers("$1.2 million, -3.5%")]
    [('1200000.0', 'USD', False), ('3.5', '', True)]
    """
    return (_printed(match) for match in _PRINTED.finditer(without_note_marks(text)))


def _printed(match: re.Match[str]) -> PrintedNumber:
    digits = match["digits"].replace(",", "")
    factor = Decimal(scale_factor(match["scale"] or ""))
    negative = bool(match["sign2"] or match["behind"]) or _is_minus(match)
    to = bool(match["sign"]) and not negative and not match["open"]  # "10 – 20"
    return PrintedNumber(
        size=Decimal(digits) * factor,
        step=Decimal(1).scaleb(-len(digits.partition(".")[2])) * factor,
        digits=len(digits.replace(".", "").lstrip("0")),
        currency=CURRENCIES.get((match["currency"] or "").upper(), ""),
        negative=negative,
        opened=bool(match["open"] or match["open2"]),
        closed=bool(match["close"]),
        closed_after=bool(match["close2"]),
        scaled=bool(match["scale"]),
        percent=(match["percent"] or "").lower(),
        percent_at=match.start("percent") if match["percent"] else match.end(),
        start=match.end("sign") if to else match.start(),
        end=match.end(),
        digits_at=match.span("digits"),
    )


def _is_minus(match: re.Match[str]) -> bool:
    """A dash with a blank after it is a minus only where nothing stands before ("10 - 20 days")."""
    if match["sign"] in (None, "+"):
        return False
    apart = match.string[match.end("sign")].isspace()
    alone = not match.string[: match.start("sign")].strip(" ($€£")
    return not apart or (alone and match["sign"] != "–")


def scale_factor(word: str) -> int:
    """What a scale word multiplies by, 1 for none.

    >>> scale_factor("millions"), scale_factor("k"), scale_factor("")
    (1000000, 1000, 1)
    """
    plain = word.strip().lower()
    return SCALES.get(plain) or SCALES.get(plain.removesuffix("s"), 1)


_SCALED = r"(?P<{0}>thousand|million|billion)s"
_MONEY_WORD = rf"\b(?:{'|'.join(CURRENCY_WORDS)}|(?:usd|eur|gbp|{MONEY_CODE})\b)"
_MONEY = rf"(?:{_MONEY_WORD}|{MONEY_SIGN})"
_STATED_SCALE = re.compile(
    # "(in millions)", "in US$ thousands", "amounts in thousands of dollars"; no "tens of millions"
    rf"(?<![A-Za-z])(?:(?:(?:{_MONEY}|amounts?|figures?)\s+)?"
    r"(?:(?:are\s+|is\s+)?(?:expressed|stated|shown)\s+)?"
    r"(?<!tens )(?<!hundreds )(?<!thousands )\b(?:in|of)\s+"
    rf"(?:[\w.$€£]+\s+){{0,2}}?{_SCALED.format('a')}\b"
    rf"(?!\s+of\b(?!\s+(?:[\w.]+\s+)?{_MONEY}))"
    # "(Millions, except per share amounts)", "(Billions)", "(thousands of euros)"
    rf"|(?<=\()\s*(?:[$€£]\s?)?{_SCALED.format('b')}\b"
    rf"(?=\s*(?:[,;)|]|except|unless|of\s+(?:[\w.]+\s+)?{_MONEY}))"
    # "Millions of dollars", alone or over a column
    rf"|(?:^|(?<=\| )){_SCALED.format('c')}(?:\s+of\s+(?:[\w.]+\s+)?{_MONEY})?"
    r"(?=\s*(?:$|\||,\s*except))"
    # "$ millions", "in EUR million", "in million CHF"
    rf"|{_MONEY}\s?(?P<d>thousand|million|billion)s?\b"
    r"|(?:\bin\s+|(?<=\()\s*)(?P<e>thousand|million|billion)\s+(?:of\s+)?"
    rf"(?:{MONEY_CODE}|(?:dollar|euro|pound)s)\b"
    # "£m", "US$bn", "EUR k", and before it: "TEUR", "M€"
    rf"|(?<![\w.])(?:{MONEY_SIGN}|{MONEY_CODE})\s?(?P<f>mm?|mn|bn|k)\b"
    rf"|(?<!\w)(?P<g>(?-i:[TkKM]))(?:{MONEY_SIGN}|{MONEY_CODE}\b)(?!\s?\d)"
    # "$000", "(£'000)", "CHF 000", "in 000s", "(000s omitted)"
    rf"|(?:(?:{MONEY_SIGN}|{MONEY_CODE}|\bin)\s?['’]?|\(\s*['’]?|,\s+['’]?)"
    r"(?P<h>000)(?!\d|,)['’]?s?\b)",
    re.IGNORECASE,
)
_THOUSAND = ("000", "T")


@lru_cache(maxsize=8192)  # the heads of a table are read with every figure under them
def stated_scale(text: str) -> tuple[int, str]:
    """The factor that a caption or header states for all its figures, and its words; else (1, "").

    Only wording about the figures counts, not an amount in a sentence.

    >>> stated_scale("Cash flows (in millions, except per share data)")
    (1000000, 'in millions')
    >>> stated_scale("Revenue in thousands of $")
    (1000, 'in thousands')
    >>> stated_scale("in EUR million"), stated_scale("TEUR")
    ((1000000, 'EUR million'), (1000, 'TEUR'))
    >>> stated_scale("Sales rose by $2 million and by tens of millions of dollars")
    (1, '')
    """
    match = _STATED_SCALE.search(text)
    if match is None:
        return 1, ""
    word = next(group for group in match.groups() if group)
    return 1000 if word in _THOUSAND else scale_factor(word), match.group().strip(" (,")


def worded_numbers(text: str) -> Iterator[tuple[Decimal, int, int]]:
    """Every number in words and its span, in order.

    >>> text = "twenty-four months, one hundred and eighty days, five hundred thousand dollars"
    >>> [int(value) for value, _, _ in worded_numbers(text)]
    [24, 180, 500000]
    """
    if _NUMBERS_IN_WORDS.isdisjoint(re.findall(r"[a-z]+", text.lower())):
        return  # as in most texts, and told faster than by the pattern
    for match in _WORDED.finditer(text):
        yield Decimal(_word_value(match.group())), *match.span()


def _word_value(text: str) -> int:
    whole = part = 0
    for word in re.findall(r"[a-z]+", text.lower()):
        if word == "hundred":
            part = (part or 1) * 100
        elif factor := SCALES.get(word):
            whole, part = whole + (part or 1) * factor, 0
        else:
            part += NUMBER_WORDS.get(word, 1 if word in ("a", "an") else 0)
    return whole + part


def count_of(text: str) -> int:
    """What a text that `COUNT` matches counts.

    >>> count_of("Twenty-six"), count_of("13")
    (26, 13)
    """
    return int(text) if text.isdecimal() else int(next(worded_numbers(text))[0])


def references_in(text: str) -> list[tuple[str, int, int]]:
    """Numbers that name a place ("Section 4.2"): the number and its span; pages left out."""
    return [(m["ref"], m.start(), m.end()) for m in _REFERENCE.finditer(text)]


def pages_in(text: str) -> list[tuple[int, int, int]]:
    """Pages referred to ("p. 4"): the page and its span."""
    return [(int(m["ref"]), m.start(), m.end()) for m in _PAGE_REFERENCE.finditer(text)]


def meaning(patterns: dict[str, str], printed: str) -> str:
    """What the printed words mean by a table of patterns, "" where they are none of them."""
    plain = printed.strip()
    found = (
        name for pattern, name in patterns.items() if re.fullmatch(pattern, plain, re.IGNORECASE)
    )
    return next(found, "") if plain else ""
