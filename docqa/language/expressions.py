"""Sums that a text shows ("($2,605 + $24,506) / $50,171 = 0.54"): read and worked out exactly.

Nothing is run: a text is read by the grammar below into numbers and operations on decimals. A
result carries how far it may be off where its operands were rounded as they are printed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, localcontext

from docqa.language.numbers import CURRENCIES, MEASURES, RATES, scale_factor

_MOST_TOKENS = 200  # of one sum, so that nesting stays shallow
_DIGITS = Context(prec=40, Emax=999, Emin=-999)
_MOST_POWER = 100

_CURRENCY = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
_SCALE = r"thousand|million|billion|trillion|(?:mn|mm|bn|tn|[kKmMbB])(?![\w²³])"
_UNIT = "|".join(pattern for pattern in MEASURES if not pattern.startswith(("x", "%")))
_ASIDE = r"\((?=[^()]*[A-Za-z]|(?:FY|CY)?\s?(?:19|20)\d\d\))(?:[^()\d]|(?:19|20)\d\d|Q\d)*\)"
_TOKEN = re.compile(
    # No amount has thirty digits; more are a text's noise, and no operand.
    rf"(?<![\w.,])(?=[\d.$€£¥A-Z])(?P<currency>(?:{_CURRENCY})\s?)?"
    r"(?P<digits>\d{1,3}(?:,\d{3}){1,8}(?:\.\d{1,9})?|\d{1,29}(?:\.\d{1,9})?|\.\d{1,9})(?![.,]?\d)"
    rf"(?:[ -]?(?P<scale>(?i:{_SCALE})s?))?"
    r"(?:\s?(?P<percent>%|(?i:per\s?cent\b|percent\b)))?"
    rf"(?:[ -](?i:{_UNIT})(?:\s?(?i:{'|'.join(RATES)}))?|(?i:{'|'.join(RATES)}))?"
    rf"(?:\s?{_ASIDE})?"
    r"|(?P<sign>[-−–+×*·/÷⁄^()\[\]=≈]|(?<=\s)x(?=\s)"
    r"|(?<=\s)(?:plus|minus|divided by|multiplied by)(?=\s))"
)  # fmt: skip
_SPACE = re.compile(r"\s*")
_WORDS = re.compile(r"\s*(?:[A-Za-z&'’-]{2,}\s+){0,5}")
_SIGNS = {
    **dict.fromkeys("-−–", "-"), **dict.fromkeys("×*·x", "*"), **dict.fromkeys("/÷⁄", "/"),
    **dict.fromkeys("([", "("), **dict.fromkeys(")]", ")"), **dict.fromkeys("=≈", "="),
    "+": "+", "^": "^", "plus": "+", "minus": "-", "divided by": "/", "multiplied by": "*",
}  # fmt: skip
_OPERATORS = ("+", "-", "*", "/", "^")


@dataclass(frozen=True, slots=True)
class Operand:
    """A number of a sum: ``value`` with its ``scale`` applied, ``step`` that of its last digit.

    ``start`` is where its digits begin in the text.
    """

    value: Decimal
    step: Decimal
    start: int
    end: int
    percent: bool = False
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """A value, and by how much at most it may be off."""

    value: Decimal
    slack: Decimal = Decimal(0)


Token = Operand | str  # one of "+-*/^()"


@dataclass(frozen=True, slots=True)
class Sum:
    """Sides that a text sets equal, from left to right; a single side where it shows no result.

    A side is the tokens of its expression; a lone number is one token.
    """

    sides: tuple[tuple[Token, ...], ...]
    start: int
    end: int

    @property
    def result(self) -> Operand | None:
        """The number it ends with, where that is all its last side says; negative ones too."""
        last = [token for token in self.sides[-1] if token not in ("-", "(", ")")]
        only = last[0] if len(last) == 1 and len(self.sides) > 1 else None
        return only if isinstance(only, Operand) else None

    @property
    def operands(self) -> tuple[Operand, ...]:
        return tuple(token for side in self.sides for token in side if isinstance(token, Operand))


def sums_in(text: str) -> list[Sum]:
    """Every sum that ``text`` shows, in order: two numbers at least, with an operation between.

    >>> [found] = sums_in("so 12 × ($1.5 million - $1.2 million) = $3.6 million a year")
    >>> [str(evaluate(side).value) for side in found.sides]
    ['3600000.0', '3600000.0']
    """
    found = []
    for run in _runs(text):
        sides = [side for side in _split(run) if side]
        if any(_operations(side) for side in sides):
            found.append(Sum(tuple(map(_plain, sides)), run[0][1], run[-1][2]))
    return found


_Placed = tuple[Token, int, int]


def _runs(text: str) -> Iterator[list[_Placed]]:
    """Runs of tokens that may be sums: with words beside their operations where they show a result
    ("(cash of $5 + receivables of $7) / debt of $24 = 0.5"), else with blanks alone."""
    for run in _joined(text, 0, len(text), _WORDS):
        if any(token == "=" for token, _, _ in run):
            yield from _whole(run)
        elif run:
            for part in _joined(text, run[0][1], run[-1][2], _SPACE):
                yield from _whole(part)


def _joined(text: str, start: int, end: int, gap: re.Pattern[str]) -> Iterator[list[_Placed]]:
    """Runs of tokens between which only ``gap`` stands; words only beside an operation."""
    run: list[_Placed] = []
    at = start
    for match in _TOKEN.finditer(text, start, end):
        token = _token(match)
        if run:
            before = run[-1][0]
            beside = before not in (*_OPERATORS, "(", "=") and token not in (*_OPERATORS, ")", "=")
            worded = _SPACE.fullmatch(text, at, match.start()) is None
            loose = worded and gap.fullmatch(text, at, match.start()) is None
            if beside or loose or len(run) > _MOST_TOKENS:
                yield run
                run = []
        run.append((token, match.start(), match.end()))
        at = match.end()
    yield run


def _whole(run: list[_Placed]) -> Iterator[list[_Placed]]:
    """A run that begins and ends as a sum can, in its longest form."""
    while run and run[-1][0] in ("(", "=", *_OPERATORS):
        run = run[:-1]
    while run and run[0][0] in (")", "=", "+", "*", "/", "^"):
        run = run[1:]
    while run and (unmatched := _unmatched(run)) is not None:
        before, after = run[:unmatched], run[unmatched + 1 :]
        run = max(before, after, key=len)
        if run and run[-1][0] in ("(", "=", *_OPERATORS):
            run = run[:-1]
    if sum(isinstance(token, Operand) for token, _, _ in run) > 1:
        yield run


def _unmatched(run: Sequence[_Placed]) -> int | None:
    """The place of a bracket without its partner, None where all have one."""
    opened: list[int] = []
    for place, (token, _, _) in enumerate(run):
        if token == "(":
            opened.append(place)
        elif token == ")":
            if not opened:
                return place
            opened.pop()
        elif token == "=" and opened:
            return opened[-1]
    return opened[-1] if opened else None


def _token(match: re.Match[str]) -> Token:
    if match["digits"] is None:
        return _SIGNS[match["sign"]]
    digits = match["digits"].replace(",", "")
    factor = scale_factor(match["scale"] or "")
    step = Decimal(1).scaleb(-len(digits.partition(".")[2])) * factor
    return Operand(
        Decimal(digits) * factor, step, match.start("digits"), match.end("digits"),
        percent=bool(match["percent"]), scale=factor,
    )  # fmt: skip


def _split(run: Sequence[_Placed]) -> list[list[_Placed]]:
    sides: list[list[_Placed]] = [[]]
    for placed in run:
        if placed[0] == "=":
            sides.append([])
        else:
            sides[-1].append(placed)
    return sides


def _plain(side: Sequence[_Placed]) -> tuple[Token, ...]:
    return tuple(token for token, _, _ in side)


def _operations(side: Sequence[_Placed]) -> bool:
    """Whether an operation stands between two numbers."""
    tokens = _plain(side)
    numbers = sum(isinstance(token, Operand) for token in tokens)
    return numbers > 1 and any(token in _OPERATORS for token in tokens)


def evaluate(
    side: Sequence[Token],
    values: Mapping[int, Result] | None = None,
    *,
    hundredths: bool = False,
) -> Result | None:
    """What a side comes to, None where it comes to nothing (a division by zero, a loose bracket).

    ``values`` are what operands stand for where that is known better than printed, by their
    ``start``. With ``hundredths`` a percentage counts as a fraction of one.
    """
    reader = _Reader(side, values or {}, hundredths=hundredths)
    try:
        with localcontext(_DIGITS):
            result = reader.sum()
    except (DecimalException, ValueError, IndexError):
        return None
    return result if reader.done else None


class _Reader:
    """Recursive descent over the tokens of one side; raises ValueError where they make no sum."""

    def __init__(
        self, tokens: Sequence[Token], values: Mapping[int, Result], *, hundredths: bool
    ) -> None:
        self._tokens, self._values, self._hundredths = tokens, values, hundredths
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at == len(self._tokens)

    def _take(self, *wanted: str) -> str:
        token = "" if self.done else self._tokens[self._at]
        if isinstance(token, str) and token in wanted and token:
            self._at += 1
            return token
        return ""

    def sum(self) -> Result:
        total = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = total.value + other.value if sign == "+" else total.value - other.value
            total = Result(value, total.slack + other.slack)
        return total

    def _product(self) -> Result:
        total = self._power()
        while sign := self._take("*", "/"):
            other = self._power()
            total = _times(total, other if sign == "*" else _inverse(other))
        return total

    def _power(self) -> Result:
        base = self._signed()
        if not self._take("^"):
            return base
        exponent = self._signed()
        if abs(exponent.value) > _MOST_POWER or base.value <= 0:
            raise ValueError
        value = base.value**exponent.value
        return Result(value, abs(value * exponent.value / base.value) * base.slack)

    def _signed(self) -> Result:
        if self._take("-"):
            inner = self._signed()
            return Result(-inner.value, inner.slack)
        self._take("+")
        if self._take("("):
            inner = self.sum()
            if not self._take(")"):
                raise ValueError
            return inner
        return self._number()

    def _number(self) -> Result:
        token = None if self.done else self._tokens[self._at]
        if not isinstance(token, Operand):
            raise ValueError
        self._at += 1
        result = self._values.get(token.start, Result(token.value))
        if token.percent and self._hundredths:
            return Result(result.value / 100, result.slack / 100)
        return result


def _times(one: Result, other: Result) -> Result:
    slack = abs(one.value) * other.slack + abs(other.value) * one.slack
    return Result(one.value * other.value, slack)


def _inverse(one: Result) -> Result:
    return Result(1 / one.value, one.slack / (one.value * one.value))


def agrees(result: Result, printed: Decimal, step: Decimal) -> bool:
    """Whether a result may be printed so: it rounds to it, what its operands may be off allowed.

    >>> agrees(Result(Decimal("0.5403")), Decimal("0.54"), Decimal("0.01"))
    True
    >>> agrees(Result(Decimal("0.5403")), Decimal("0.55"), Decimal("0.01"))
    False
    """
    return abs(result.value - printed) * 2 <= step + result.slack * 2
