"""Rows that are ranges of a ratio, as a grid of margins has them; pure.

"Above 2.50:1 up to 3.00:1" is the row for a leverage of 2.8x.
"""

import re
from dataclasses import replace
from decimal import Decimal

from docqa.answer.findings.quotes import Quote

_FEWEST = 2  # rows that make a grid
_RATIO = re.compile(r"(\d+(?:\.\d+)?)\s?(?:x\b|:\s?1(?:\.0+)?\b|times\b|%|per\s?cent\b)", re.I)
_ABOVE = re.compile(r"above|over|greater|more|higher|exceed|at least|from|[>≥]", re.IGNORECASE)
_BELOW = re.compile(r"below|under|less|lower|up to|at most|not exceed|[<≤]", re.IGNORECASE)
_OR_EQUAL = re.compile(r"equal|\bor\b|at least|at most|up to|from|not exceed|[≥≤]|[<>]=", re.I)


def holding_first(ranked: list[Quote], text: str) -> list[Quote]:
    """The quotes with the row first whose range holds the one ratio that a text gives, of the grid
    that the first is of, and its other rows left out; as they are where there is no such row."""
    given = _RATIO.findall(text)
    if len(given) != 1 or not ranked:
        return ranked
    first = ranked[0]
    of_passage = (each for each in ranked if each.piece.label == first.piece.label)
    grid = [each for each in of_passage if each.row and _is_range(each.row.label)]
    holding = [each for each in grid if each.row and _holds(each.row.label, Decimal(given[0]))]
    if first not in grid or len(grid) < _FEWEST or len(holding) != 1:
        return ranked
    own = replace(holding[0], chance=max(first.chance, holding[0].chance))
    return [own, *(each for each in ranked if each not in grid)]


def _is_range(label: str) -> bool:
    return len(_RATIO.findall(label)) > 1 or bool(_ABOVE.search(label) or _BELOW.search(label))


def _holds(label: str, ratio: Decimal) -> bool:
    """Whether a ratio is within each limit of a range, by the words before (or after) it.

    >>> [_holds("Above 2.50:1 up to 3.00:1", Decimal(n)) for n in ("2.5", "2.8", "3.0", "3.1")]
    [False, True, True, False]
    >>> _holds("2.00:1 or below", Decimal(2)), _holds("Less than 2.00x", Decimal(2))
    (True, False)
    """
    limits = list(_RATIO.finditer(label))
    starts = [0, *(limit.end() for limit in limits[:-1])]
    for number, (start, limit) in enumerate(zip(starts, limits, strict=True)):
        said = label[start : limit.start()] if len(limits) > 1 else label
        value = Decimal(limit[1])
        if value == ratio:
            if not _OR_EQUAL.search(said):
                return False
        elif _is_least(said, number, len(limits)) != (ratio > value):
            return False
    return True


def _is_least(said: str, number: int, of: int) -> bool:
    """Whether a limit is a range's lower one: as it says, else the first of two is."""
    if _BELOW.search(said):
        return False
    return bool(_ABOVE.search(said)) or (of > 1 and number == 0)
