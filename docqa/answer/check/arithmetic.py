"""Whether a figure follows from others: as sum, difference, ratio, share or percent change."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import permutations

from docqa.language.amounts import Amount

_ADDING = re.compile(
    r"\b(?:sum\w*|totals?|totall?ing|together|combined|aggregat\w+|plus|adds?|altogether)\b|\+",
    re.I,
)
_COMPARING = re.compile(
    r"\b(?:by|increas\w+|decreas\w+|rose|ris\w+|gr[eo]w\w*|fell|fall\w*|declin\w+|chang\w+"
    r"|differ\w*|exceed\w*|more|less|higher|lower|leav\w+|left|remain\w*|minus|gap|spread|up|down"
    r"|gain\w*|reduc\w+|improv\w+|drop\w*|delta|variance|premium|discount)\b|[-−–+]\s?[$€£]?\d|=",
    re.IGNORECASE,
)
_SHARING = re.compile(
    r"\b(?:shares?|proportion\w*|represent\w*|account\w* for|contribut\w+|compris\w+|percentage"
    r"|margin|rate|ratio|of (?:the )?total|of which|make\w* up|made up)\b",
    re.IGNORECASE,
)


def distinct(values: Iterable[Amount]) -> list[Amount]:
    return list({(value.value, value.unit): value for value in values}.values())


def follows(amount: Amount, operands: Sequence[Amount], *, said: str) -> bool:
    """Whether ``amount`` is what ``said`` makes of ``operands``.

    Multiples are ratios; a difference, sum, share or change counts only where the words (or a
    sign) speak of one. Sums are of two or of all. Results agree when they
    round to what is printed; the sign of a difference or change is left to the words.
    """
    if amount.unit == "%":
        results = _percentages(operands, said)
    elif amount.unit == "x":
        results = _ratios(operands)
    else:
        alike = [o for o in operands if o.unit in (amount.unit, "") or not amount.unit]
        results = _sums(alike) if _ADDING.search(said) else []
        results += _differences(alike) if _COMPARING.search(said) else []
        results += _ratios(operands) if re.search(r"\b(?:ratio|times)\b", said, re.I) else []
    return any(abs(abs(result) - abs(amount.value)) * 2 <= amount.step for result in results)


def _percentages(operands: Sequence[Amount], said: str) -> list[Decimal]:
    """Points between percentages, changes and shares of amounts, where the words speak of them."""
    results: list[Decimal] = []
    comparing = bool(_COMPARING.search(said))
    sharing = bool(_SHARING.search(said))
    for a, b in permutations(operands, 2):
        if a.unit != b.unit or not b.value:
            continue
        if a.unit == "%":
            results += [a.value - b.value] if comparing else []
            continue
        results += [(a.value - b.value) / abs(b.value) * 100] if comparing else []
        results += [a.value / b.value * 100] if sharing else []
    return results


def _differences(operands: Sequence[Amount]) -> list[Decimal]:
    return [a.value - b.value for a, b in permutations(operands, 2)]


def _ratios(operands: Sequence[Amount]) -> list[Decimal]:
    return [a.value / b.value for a, b in permutations(operands, 2) if b.value]


def _sums(operands: Sequence[Amount]) -> list[Decimal]:
    pairs = [a.value + b.value for a, b in permutations(operands, 2)]
    return [*pairs, sum((o.value for o in operands), Decimal(0))] if len(operands) > 1 else []
