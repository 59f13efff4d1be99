"""A cell's value as Excel shows it, by its number format (ECMA-376 part 1, 18.8.31).

Dates whose format is that of the reader's own country are written year first, since a file does not
say which country that is. What a format asks for that is not known here leaves the plain value.
"""

import calendar
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import groupby

Value = str | bool | int | float | datetime | date | time | timedelta | None

_OF_THE_COUNTRY = {
    "mm-dd-yy": "yyyy-mm-dd",
    "m/d/yy": "yyyy-mm-dd",
    "m/d/yy h:mm": "yyyy-mm-dd hh:mm",
}
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|(?P<space>_.)|(?P<fill>\*.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<half>AM/PM|A/P)|(?P<general>General)|(?P<exponent>[eE][+-])|(?P<fraction>\.0+(?=\D|$))"
    r"|(?P<date>y+|m+|d+|h+|s+)|(?P<digit>[0#?.,])|(?P<text>@)|(?P<percent>%)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?[\d.]+)$")
_FRACTION = re.compile(r"(?P<whole>[#0?]+)?\s*[#0?]+/(?P<below>[?#]+|\d+)$")
_ELAPSED = {"h": 3600, "m": 60, "s": 1}
_COMPARE: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "<>": lambda a, b: a != b,
}
_BY_PLACE = {1: ("",), 2: (">=0", ""), 3: (">0", "<0", "")}  # conditions of sections without one


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # the name of its group in `_TOKEN`
    text: str


def shown(value: Value, code: str) -> str:
    """The value as text under the number format ``code``; "" for nothing.

    >>> shown(0.0525, "0.00%"), shown(-1234.5, "$#,##0_);($#,##0)"), shown(7, "General")
    ('5.25%', '($1,235)', '7')
    """
    try:
        return _shown(value, code)
    except (ArithmeticError, IndexError, ValueError):
        return str(value)


def _shown(value: Value, code: str) -> str:
    sections = _sections(code or "General")
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case str():
            return _text(value, sections)
        case int() | float():
            number = Decimal(f"{value:.15g}") if isinstance(value, float) else Decimal(value)
            return _tidy(_number(number, sections)) if number.is_finite() else str(value)
        case timedelta():
            return _tidy(_elapsed(value, sections[0]))
    return _tidy(_dated(value, _sections(_OF_THE_COUNTRY.get(code, code))[0]))


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _sections(code: str) -> list[list[_Token]]:
    """The tokens of each section; semicolons part them."""
    tokens = [
        _Token(found.lastgroup or "other", found[found.lastgroup or 0] or "")
        for found in _TOKEN.finditer(code)
    ]
    parts: list[list[_Token]] = [[]]
    for token in tokens:
        if token == _Token("other", ";"):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _literal(token: _Token) -> str:
    """What a token shows by itself: no colours, no fillers, of a bracket its currency."""
    match token.kind:
        case "space":
            return " "
        case "quoted" | "escaped" | "other" | "percent":
            return token.text
        case "bracket" if token.text.startswith("$"):
            return token.text[1:].partition("-")[0]
    return ""


def _text(value: str, sections: Sequence[Sequence[_Token]]) -> str:
    section = sections[3] if len(sections) > 3 else sections[-1]
    if not any(token.kind == "text" for token in section):
        return value
    return "".join(value if token.kind == "text" else _literal(token) for token in section)


def general(value: Decimal) -> str:
    """A number without a format: whole ones in full, others to eleven digits."""
    if value == value.to_integral_value() and abs(value) < 10**15:
        return f"{value:.0f}"
    rounded = Decimal(f"{value:.11g}")
    return f"{rounded:.5E}" if abs(rounded.adjusted()) > 15 else f"{rounded.normalize():f}"


def _number(value: Decimal, sections: Sequence[Sequence[_Token]]) -> str:
    numeric = sections[:3]
    for place, section in enumerate(numeric):
        own = _condition(section)
        condition = own or _BY_PLACE[len(numeric)][place]
        if _meets(value, condition):
            unsigned = place > 0 and condition in ("<0", "") and len(numeric) > 1
            sign = "-" if value < 0 and not unsigned else ""
            return sign + _in_section(abs(value), section)
    return general(value)


def _condition(section: Sequence[_Token]) -> str:
    brackets = (token.text for token in section if token.kind == "bracket")
    return next((text for text in brackets if _CONDITION.match(text)), "")


def _meets(value: Decimal, condition: str) -> bool:
    found = _CONDITION.match(condition)
    return found is None or _COMPARE[found[1]](value, Decimal(found[2]))


def _in_section(value: Decimal, section: Sequence[_Token]) -> str:
    """A number that is not negative under one section."""
    kinds = {token.kind for token in section}
    if kinds & {"general", "text", "date", "half"}:
        before, _, after = _around(section, ("general", "text"))
        return before + general(value) + after
    pattern = "".join(t.text if t.kind in ("digit", "fraction", "other") else "" for t in section)
    if found := _FRACTION.search(pattern.strip()):
        return _as_fraction(value, found["below"], whole=bool(found["whole"]))
    before, digits, after = _around(section, ("digit", "fraction", "exponent"))
    if not set(digits) & set("0#?"):
        return before + after
    percents = sum(token.kind == "percent" for token in section)
    return before + _digits(value * 100**percents, digits) + after


def _around(section: Sequence[_Token], kinds: Sequence[str]) -> tuple[str, str, str]:
    """What stands before the digits, the digits' pattern with what is between, what is after."""
    places = [place for place, token in enumerate(section) if token.kind in kinds]
    if not places:
        return "".join(map(_literal, section)), "", ""
    first, last = places[0], places[-1]
    inside = "".join(
        token.text if token.kind in kinds else _literal(token)
        for token in section[first : last + 1]
    )
    before, after = section[:first], section[last + 1 :]
    return "".join(map(_literal, before)), inside, "".join(map(_literal, after))


def _digits(value: Decimal, pattern: str) -> str:
    """A number in a pattern such as "#,##0.00", "0.0E+00" or "000-0000"."""
    mantissa, exponent, power = re.match(r"([^eE]*)([eE][+-])?(.*)", pattern, re.DOTALL).groups()  # type: ignore[union-attr]
    if exponent:
        return _scientific(value, mantissa, exponent, len(power))
    whole, _, decimals = mantissa.partition(".")
    scaled = re.search(r"(,+)$", decimals if "." in mantissa else whole)
    if scaled:
        value = value / 1000 ** len(scaled[1])
    decimals = re.sub(r"[^0#?]", "", decimals)
    rounded = value.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    ahead, _, behind = f"{rounded:f}".partition(".")
    while behind and decimals[len(behind) - 1] in "#?" and behind.endswith("0"):
        behind = behind[:-1]
    return _whole(ahead, whole.rstrip(",")) + (f".{behind}" if behind else "")


def _whole(digits: str, pattern: str) -> str:
    """The digits before the point: at least as many as the pattern has zeros, in thousands."""
    least = pattern.count("0")
    digits = digits.lstrip("0").rjust(least, "0") if digits.strip("0") else "0" * least
    if "," in pattern:
        return re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", digits)
    places = list(re.sub(r"[#?]", "0", pattern))
    if set(places) <= {"0"}:
        return digits
    kept = list(digits)
    for at in range(len(places) - 1, -1, -1):
        if places[at] == "0":
            places[at] = kept.pop() if kept else ""
    return "".join(kept) + "".join(places)


def _scientific(value: Decimal, mantissa: str, exponent: str, width: int) -> str:
    decimals = len(re.sub(r"[^0#?]", "", mantissa.partition(".")[2]))
    head, _, power = f"{value:.{decimals}E}".partition("E")
    sign = "-" if power.startswith("-") else "+" if exponent.endswith("+") else ""
    return f"{head}E{sign}{power.lstrip('+-').rjust(width, '0')}"


def _as_fraction(value: Decimal, below: str, *, whole: bool) -> str:
    exact = Fraction(value)
    if below.isdecimal():
        near = Fraction(round(exact * int(below)), int(below))
    else:
        near = exact.limit_denominator(10 ** len(below) - 1)
    ahead = int(near) if whole else 0
    rest = near - ahead
    if not rest:
        return str(ahead)
    bottom = int(below) if below.isdecimal() else rest.denominator
    part = f"{rest.numerator * bottom // rest.denominator}/{bottom}"
    return f"{ahead} {part}" if ahead else part


def _dated(value: datetime | date | time, section: Sequence[_Token]) -> str:
    tokens = [token for token in section if token.kind != "bracket"]
    if not any(token.kind == "date" for token in tokens):
        return _iso(value)
    half = any(token.kind == "half" for token in tokens)
    dated = list(_with_minutes(tokens))
    if isinstance(value, datetime) and value.time() == time():
        dated = _day_alone(dated)
    parts = [_date_part(value, token, half) for token in dated]
    return "".join(parts) if None not in parts else _iso(value)  # type: ignore[arg-type]


def _day_alone(tokens: list[_Token]) -> list[_Token]:
    """The tokens without those of the time after a day: what is of midnight is of the day."""
    clock = [at for at, token in enumerate(tokens) if _is_clock(token)]
    days = [at for at, token in enumerate(tokens) if token.kind == "date" and not _is_clock(token)]
    return tokens[: clock[0]] if clock and days and days[-1] < clock[0] else tokens


def _is_clock(token: _Token) -> bool:
    return token.kind == "minute" or (token.kind == "date" and token.text[0] in "hHsS")


def _iso(value: datetime | date | time) -> str:
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()


def _with_minutes(tokens: Sequence[_Token]) -> Iterator[_Token]:
    """The tokens, "m" told as a minute where it follows an hour or comes before a second."""
    parts = [at for at, token in enumerate(tokens) if token.kind == "date"]
    minutes = {
        at
        for before, at, after in zip([None, *parts], parts, [*parts[1:], None], strict=False)
        if tokens[at].text[0] in "mM"
        and (
            (before is not None and tokens[before].text[0] in "hH")
            or (after is not None and tokens[after].text[0] in "sS")
        )
    }
    for at, token in enumerate(tokens):
        yield _Token("minute", token.text) if at in minutes else token


def _date_part(value: datetime | date | time, token: _Token, half: bool) -> str | None:
    """What one token shows of a date or time; None where the value has no such part."""
    text = token.text.lower()
    if token.kind == "half":
        late = value.hour >= 12 if isinstance(value, datetime | time) else False
        return ("PM" if late else "AM")[: 2 if len(text) > 3 else 1]
    if token.kind == "fraction":
        return ""
    if token.kind == "digit":
        return token.text
    if token.kind not in ("date", "minute"):
        return _literal(token)
    if token.kind == "minute" or text[0] in "hs":
        return _clock_part(value, token.kind == "minute", text, half)
    return _calendar_part(value, text) if isinstance(value, date) else None


def _clock_part(value: datetime | date | time, minute: bool, text: str, half: bool) -> str | None:
    if not isinstance(value, datetime | time):
        return "00"[: len(text)]
    if minute:
        number = value.minute
    elif text[0] == "s":
        number = value.second
    else:
        number = (value.hour - 1) % 12 + 1 if half else value.hour
    return f"{number:0{min(len(text), 2)}d}"


def _calendar_part(value: date, text: str) -> str:
    length = len(text)
    if text[0] == "y":
        return f"{value.year:04d}" if length > 2 else f"{value.year % 100:02d}"
    if length <= 2:
        return f"{value.month if text[0] == 'm' else value.day:0{length}d}"
    names = (
        calendar.month_name[value.month] if text[0] == "m" else calendar.day_name[value.weekday()]
    )
    return names[:1] if length == 5 else names[:3] if length == 3 else names


def _elapsed(value: timedelta, section: Sequence[_Token]) -> str:
    """A length of time: the first unit holds all that is over ("[h]:mm" is "30:05")."""
    seconds = round(abs(value.total_seconds()))
    parts = ["-"] if value < timedelta() else []
    for token in section:
        text = token.text.lower()
        unit = text[:1] if token.kind in ("date", "bracket") else ""
        if unit in _ELAPSED and set(text) == {unit}:
            number, seconds = divmod(seconds, _ELAPSED[unit])
            parts.append(f"{number:0{len(text)}d}")
        else:
            parts.append(token.text if token.kind == "digit" else _literal(token))
    if not any(kind == "date" or kind == "bracket" for kind, _ in groupby(t.kind for t in section)):
        return str(value)
    return "".join(parts)
