"""Which period each amount of a sentence is for."""

import re
from collections.abc import Sequence

from docqa.language.amounts import Amount
from docqa.language.periods import TimeScope, time_scope, years_in

_LINK_AFTER = re.compile(
    r"[\s)]*(?:(?:thousand|million|billion|per \w+|a \w+)\s+)?\(?\s*(?:in|for|during|at|as of|as at"
    r"|through|by|on|ended|ending)\b[^.;:$€£]{0,45}$",
    re.IGNORECASE,
)  # "$4 million in", "$4 million (in the year ended June 30,"
_BASE = re.compile(
    r"\b(?:from|against|versus|vs\.?|than|compared (?:to|with))[\s$€£(]*$", re.IGNORECASE
)
_LINK_BEFORE = re.compile(
    r"^[\s),:—–-]*(?:(?:was|were|is|are|totaled|totalled|amounted to|of|at|it was|net|approximately"
    r"|about)[\s:]*){0,3}\(?\s*$",
    re.IGNORECASE,
)


def link_periods(sentence: str, amounts: Sequence[Amount]) -> list[tuple[TimeScope, bool]]:
    """For each amount the period it is for, and whether that is certain.

    With one year in the sentence everything is for it. With several, an amount belongs to the
    year that follows it ("$4 million in 2022") or leads to it ("2022: $4 million"), or, where the
    sentence says "respectively", to the year in the same place; otherwise to any of them.
    """
    whole = time_scope(sentence)
    years = years_in(sentence)
    if len({year for year, _ in years}) < 2:
        return [(_unless_earlier(sentence, amount, whole), True) for amount in amounts]
    if re.search(r"\brespectively\b", sentence, re.I) and len(amounts) % len(years) == 0:
        return [(_only(years[i % len(years)][0]), True) for i in range(len(amounts))]
    linked = [_linked(sentence, amount, amounts, years, whole) for amount in amounts]
    return _shared(sentence, amounts, linked)


def _unless_earlier(sentence: str, amount: Amount, period: TimeScope) -> TimeScope:
    """No period for a figure that only another is measured from ("up from $4 million")."""
    dated = re.match(r"\s+in\s+(?:19|20)\d\d", sentence[amount.end :])
    return period if dated or not is_base(sentence[: amount.start]) else TimeScope()


def is_base(before: str) -> bool:
    """Whether another figure is measured from the one that follows ("up from $4 million")."""
    return _BASE.search(before) is not None


def _shared(
    sentence: str, amounts: Sequence[Amount], linked: list[tuple[TimeScope, bool]]
) -> list[tuple[TimeScope, bool]]:
    """The links, one figure's passed to its other expression ("1% or $2 million", "$9 (3%)")."""
    for i in range(len(amounts) - 1):
        gap = sentence[amounts[i].end : amounts[i + 1].start].strip("$€£ ")
        if gap in ("or", ", or", "(", ", (", "/"):
            if linked[i + 1][1] and not linked[i][1]:
                linked[i] = linked[i + 1]
            elif linked[i][1] and not linked[i + 1][1]:
                linked[i + 1] = linked[i]
    return linked


def _linked(
    sentence: str,
    amount: Amount,
    amounts: Sequence[Amount],
    years: Sequence[tuple[int, int]],
    whole: TimeScope,
) -> tuple[TimeScope, bool]:
    after = next((pair for pair in years if pair[1] >= amount.end), None)
    before = next((pair for pair in reversed(years) if pair[1] < amount.start), None)
    if after and not _between(amounts, amount.end, after[1]):
        gap = sentence[amount.end : after[1]]
        if gap.strip() in ("(", "(FY") or _LINK_AFTER.match(gap):
            return _only(after[0]), True
    if before and not _between(amounts, before[1] + 4, amount.start):
        gap = sentence[before[1] + 4 : amount.start].rstrip("$€£( -")
        if _LINK_BEFORE.match(gap):
            return _only(before[0]), True
    return whole, False


def _between(amounts: Sequence[Amount], start: int, end: int) -> bool:
    return any(start <= amount.start < end for amount in amounts)


def _only(year: int) -> TimeScope:
    return TimeScope(years=frozenset({year}))
