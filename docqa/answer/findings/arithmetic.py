"""The arithmetic of formulas: worked out of what their names stand for, and as it is shown."""

import ast
import operator
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from decimal import Decimal

Part = tuple[Decimal, str]
Lookup = Callable[..., Part]

_SIGNS: dict[type[ast.operator], tuple[str, Callable[[Decimal, Decimal], Decimal]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("−", operator.sub),
    ast.Mult: ("×", operator.mul),
    ast.Div: ("÷", operator.truediv),
}


class Missing(Exception):
    """An input that is not printed."""


def evaluated(text: str, names: Iterable[str], number: Lookup) -> Part:
    """The result of a formula, and its sum as it is shown.

    ``number(name, at=, optional=)`` gives what a name stands for, ``at`` "avg" or "prior" the mean
    of its last two times or the one before. Raises `Missing` where that does, and what `decimal`
    raises.

    >>> six = lambda name, **how: (Decimal(6), "6")
    >>> evaluated("avg(cost) / (price or 4) - 1", ["cost", "price"], six)
    (Decimal('0'), '6 ÷ 6 − 1')
    """

    def in_python(found: re.Match[str]) -> str:  # names are texts, brackets are called
        return "bracketed(" if found[0] == "(" else repr(found[0])

    written = re.sub(rf"{_any_of(names)}|(?<![a-z])\(", in_python, text)
    return _worked(ast.parse(written, mode="eval").body, number)


def names_in(text: str, names: Iterable[str]) -> list[str]:
    """The names in a formula, with "?" those that may be missing."""
    return re.findall(_any_of(names), text)


def _any_of(names: Iterable[str]) -> str:
    return rf"(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})\??"


def _worked(tree: ast.expr, number: Lookup) -> Part:
    """A part of a formula; of "a or b" in brackets the first whose inputs are there."""
    match tree:
        case ast.BinOp(left, sign, right):
            (value, shown), (other, text) = _worked(left, number), _worked(right, number)
            written, work_out = _SIGNS[type(sign)]
            return work_out(value, other), f"{shown} {written} {text}" if text else shown
        case ast.BoolOp(_, [*choices, last]):
            for choice in choices:
                with suppress(Missing):
                    return _worked(choice, number)
            return _worked(last, number)
        case ast.Call(ast.Name("avg" | "prior" as at), [ast.Constant(str(name))]):
            return number(name.rstrip("?"), at=at, optional=name.endswith("?"))
        case ast.Call(ast.Name(called), [inside]):
            value, shown = _worked(inside, number)
            if called == "abs":
                return abs(value), shown.strip("()").lstrip("−")
            return value, f"({shown})" if " " in shown else shown
        case ast.Constant(str(name)):
            return number(name.rstrip("?"), at="", optional=name.endswith("?"))
        case ast.Constant(int(whole)):
            return Decimal(whole), str(whole)
    raise ValueError(ast.unparse(tree))
