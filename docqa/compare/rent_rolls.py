"""What rent rolls of different properties share, and what is said of their tenants' rights.

Their rows cannot be: each has tenants of its own.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.compare.tables import Side, cell_value
from docqa.compare.terms import CLAUSE_CHARS, Sentence, said_by, sentences_of, term
from docqa.types.comparison import TermComparison
from docqa.types.units import is_currency

_RIGHTS = {
    "Options to renew": (
        r"\b(?:options?|rights?)\b.{0,40}\b(?:renew|extend|extension)"
        r"|\b(?:renewal|extension) (?:options?|rights?)\b"
        r"|\bmay (?:renew|extend) (?:its|their|the) (?:lease|term|tenancy)\b"
    ),
    "Rights to terminate": (
        r"\b(?:options?|rights?) (?:to|of) (?:early )?(?:terminat|cancel|break)"
        r"|\bearly termination\b|\bbreak (?:clauses?|options?|rights?)\b"
        r"|\bmay (?:terminate|cancel|break|end) (?:its|their|the) (?:lease|tenancy)\b"
    ),
}
_TOTAL = re.compile(r"(?:sub-?)?totals?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Tenancy:
    """A row of a rent roll: what is paid, or else let, and the day it ends on as a number."""

    printed: Sequence[Sentence]
    size: Decimal
    ends: Decimal


def compare_rent_rolls(sides: Sequence[Side]) -> tuple[TermComparison, ...]:
    """A row for each thing that two rent rolls tell or more; () where fewer documents have one."""
    rolls = [list(_tenancies(each)) for each in sides]
    if sum(map(bool, rolls)) < 2:
        return ()
    read = [sentences_of(list(each.blocks.values())) for each in sides]
    dated = [[tenancy for tenancy in roll if tenancy.ends] for roll in rolls]
    rows: dict[str, Sequence[Sequence[Sentence]]] = {
        "Rent roll (date)": list(map(_dated, sides, read)),
        "Largest tenant": [_first(roll, key=lambda each: -each.size) for roll in rolls],
        "First lease to expire": [_first(roll, key=lambda each: each.ends) for roll in dated],
        **{right: [_saying(right, own) for own in read] for right in _RIGHTS},
    }
    return tuple(
        term(topic, [said_by(side.document, own) for side, own in zip(sides, told, strict=True)])
        for topic, told in rows.items()
        if any(told)
    )


def _tenancies(side: Side) -> Iterator[_Tenancy]:
    rolls = [each for each in side.tables if each.role == "rent roll"]
    for table, row in ((roll, row) for roll in rolls for row in roll.rows):
        told = [cell for at in range(len(row.cells)) if (cell := cell_value(table, row, at))]
        paid = [value for value, unit in told if is_currency(unit)]
        let = [v for v, unit in told if unit and "/" not in unit and unit not in ("date", "%")]
        ends = [value for value, unit in told if unit == "date"]
        sizes = paid or let
        if sizes and not _TOTAL.match(row.label):
            own = [Sentence(block.text, "", (block,)) for block in side.printed(row)]
            yield _Tenancy(own, max(sizes), max(ends, default=Decimal(0)))


def _first(roll: Sequence[_Tenancy], *, key: Callable[[_Tenancy], Decimal]) -> Sequence[Sentence]:
    return min(roll, key=key).printed if roll else ()


def _dated(side: Side, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentence that says of which day the rent roll is."""
    rolls = (table for table in side.tables if table.role == "rent roll")
    days = {c.period.text for table in rolls for c in table.columns if c.period.day}
    named = (each for each in sentences if "rent roll" in each.text.lower())
    return [each for each in named if any(day in each.text for day in days)][:1]


def _saying(right: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that say which tenants have a right, or have none, as far as they fit."""
    found: list[Sentence] = []
    for each in sentences:
        if re.search(_RIGHTS[right], each.text, re.IGNORECASE | re.DOTALL):
            left = CLAUSE_CHARS - sum(len(one.text) for one in found)
            found += [each] if len(each.text) <= left else []
    return found
