"""Sums that a text shows ("($2,605 + $24,506) / $50,171 = 0.54"): read and worked out exactly.

Nothing of a text is run: its numbers and signs are found by the pattern below, and Python's own
grammar says in which order decimals are worked with. A result carries how far it may be off where
its operands were rounded as they are printed.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, localcontext
from itertools import groupby
from operator import add, mul, pow, sub, truediv

from docqa.language.numbers import CURRENCIES, MEASURES, RATES, scale_factor

_MOST_TOKENS = 200  # of one sum, so that nesting stays shallow
_DIGITS = Context(prec=40, Emax=999, Emin=-999)
_MOST_POWER = 100
_HUNDRED = Decimal(100)

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
_PYTHON = {"^": "**"}


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

    def __neg__(self) -> "Result":
        return Result(-self.value, self.slack)

    def __add__(self, other: "Result") -> "Result":
        return Result(self.value + other.value, self.slack + other.slack)

    def __sub__(self, other: "Result") -> "Result":
        return self + -other

    def __mul__(self, other: "Result") -> "Result":
        slack = abs(self.value) * other.slack + abs(other.value) * self.slack
        return Result(self.value * other.value, slack)

    def __truediv__(self, other: "Result") -> "Result":
        return self * Result(1 / other.value, other.slack / other.value**2)

    def __pow__(self, other: "Result") -> "Result":
        """Raises ValueError where that would be no real number, or one of thousands of digits."""
        if abs(other.value) > _MOST_POWER or self.value <= 0:
            raise ValueError
        value = self.value**other.value
        return Result(value, abs(value * other.value / self.value) * self.slack)


_OPERATIONS: dict[type[ast.operator], Callable[[Result, Result], Result]] = {
    ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv, ast.Pow: pow,
}  # fmt: skip

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
        split = groupby(run, key=lambda placed: placed[0] == "=")
        sides = [tuple(token for token, _, _ in side) for equal, side in split if not equal]
        if any(map(_has_operation, sides)):
            found.append(Sum(tuple(sides), run[0][1], run[-1][2]))
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


def _has_operation(side: Sequence[Token]) -> bool:
    """Whether an operation stands between two numbers."""
    numbers = sum(isinstance(token, Operand) for token in side)
    return numbers > 1 and any(token in _OPERATORS for token in side)


def evaluate(
    side: Sequence[Token], values: Mapping[int, Result] | None = None, *, hundredths: bool = False
) -> Result | None:
    """What a side comes to, None where it comes to nothing (a division by zero, a loose bracket).

    ``values`` are what operands stand for where that is known better than printed, by their
    ``start``. With ``hundredths`` a percentage counts as a fraction of one.
    """
    numbers = [token for token in side if isinstance(token, Operand)]
    known = (_result(each, values or {}, hundredths=hundredths) for each in numbers)
    written = ("n" if isinstance(token, Operand) else _PYTHON.get(token, token) for token in side)
    try:
        tree = ast.parse(" ".join(written), mode="eval")
        with localcontext(_DIGITS):
            return _worked(tree.body, known)
    except (SyntaxError, DecimalException, ValueError, KeyError):
        return None


def _result(number: Operand, values: Mapping[int, Result], *, hundredths: bool) -> Result:
    result = values.get(number.start, Result(number.value))
    return result / Result(_HUNDRED) if number.percent and hundredths else result


def _worked(tree: ast.expr, numbers: Iterator[Result]) -> Result:
    """Raises KeyError for anything but operations; names stand for the numbers in their order."""
    if isinstance(tree, ast.Name):
        return next(numbers)
    if isinstance(tree, ast.UnaryOp):
        inner = _worked(tree.operand, numbers)
        return -inner if isinstance(tree.op, ast.USub) else inner
    if not isinstance(tree, ast.BinOp):
        raise KeyError
    left = _worked(tree.left, numbers)
    return _OPERATIONS[type(tree.op)](left, _worked(tree.right, numbers))


def agrees(result: Result, printed: Decimal, step: Decimal) -> bool:
    """Whether a result may be printed so: it rounds to it, what its operands may be off allowed.

    >>> agrees(Result(Decimal("0.5403")), Decimal("0.54"), Decimal("0.01"))
    True
    >>> agrees(Result(Decimal("0.5403")), Decimal("0.55"), Decimal("0.01"))
    False
    """
    return abs(result.value - printed) * 2 <= step + result.slack * 2
