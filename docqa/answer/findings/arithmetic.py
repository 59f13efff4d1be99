"""The arithmetic of formulas: worked out of what their names stand for, and as it is shown."""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

Part = tuple[Decimal, str]
Lookup = Callable[..., Part]


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
    return _Parsed(tokens_of(text, names), number).whole()


def tokens_of(text: str, names: Iterable[str]) -> list[str]:
    """The names, signs and numbers of a formula."""
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    found = re.findall(rf"(?:{known})\??|avg\(|prior\(|abs\(|\bor\b|\d+|[-+*/()]", text)
    return [str(each) for each in found]


class _Parsed:
    """A formula worked out by recursive descent: sums of products of lines and numbers."""

    def __init__(self, tokens: Sequence[str], number: Lookup) -> None:
        self._tokens = list(tokens)
        self._number = number

    def whole(self) -> Part:
        return self._sum()

    def _next(self, *among: str) -> str:
        if self._tokens and (not among or self._tokens[0] in among):
            return self._tokens.pop(0)
        return ""

    def _sum(self) -> Part:
        value, shown = self._product()
        while sign := self._next("+", "-"):
            other, text = self._product()
            value = value + other if sign == "+" else value - other
            shown = f"{shown} {'+' if sign == '+' else '−'} {text}" if text else shown
        return value, shown

    def _product(self) -> Part:
        value, shown = self._atom()
        while sign := self._next("*", "/"):
            other, text = self._atom()
            value = value * other if sign == "*" else value / other
            shown = f"{shown} {'×' if sign == '*' else '÷'} {text}"
        return value, shown

    def _atom(self) -> Part:
        token = self._next()
        if token == "(":
            return self._bracketed()
        if token == "abs(":
            value, shown = self._bracketed()
            return abs(value), shown.strip("()").lstrip("−")
        if token.isdecimal():
            return Decimal(token), token
        at = token.rstrip("(") if token in ("avg(", "prior(") else ""
        name = self._next() if at else token
        if at:
            self._next(")")
        return self._number(name.rstrip("?"), at=at, optional=name.endswith("?"))

    def _bracketed(self) -> Part:
        """In brackets; of "a or b" the first whose inputs are there."""
        depth, inside = 1, list[str]()
        while depth and self._tokens:
            token = self._next()
            depth += (token.endswith("(")) - (token == ")")
            inside.append(token)
        choices = [[]] if not inside else _choices(inside[:-1])
        for at, choice in enumerate(choices):
            try:
                value, shown = _Parsed(choice, self._number).whole()
            except Missing:
                if at == len(choices) - 1:
                    raise
                continue
            return value, f"({shown})" if " " in shown else shown
        raise Missing


def _choices(tokens: Sequence[str]) -> list[list[str]]:
    choices: list[list[str]] = [[]]
    for token in tokens:
        if token == "or":
            choices.append([])
        else:
            choices[-1].append(token)
    return choices
