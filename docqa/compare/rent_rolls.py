"""What rent rolls of different properties share, and what is said of their tenants' rights.

Their rows cannot be: each has tenants of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.compare.tables import cell_value
from docqa.compare.terms import CLAUSE_CHARS, Sentence, note_of, sentences_of
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.document import Block, Document
from docqa.types.table import Row, Table
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

    row: Row
    size: Decimal
    ends: Decimal


def compare_rent_rolls(
    documents: Sequence[Document],
    tables: Mapping[str, Sequence[Table]],
    blocks: Mapping[str, Sequence[Block]],
) -> tuple[TermComparison, ...]:
    """A row for each thing that two rent rolls tell or more; () where fewer documents have one."""
    rolls = {each.id: list(_tenancies(tables[each.id])) for each in documents}
    if sum(bool(roll) for roll in rolls.values()) < 2:
        return ()
    read = {each.id: sentences_of(blocks[each.id]) for each in documents}
    largest = {id_: max(roll, key=lambda t: t.size) for id_, roll in rolls.items() if roll}
    dated = {id_: [t for t in roll if t.ends] for id_, roll in rolls.items()}
    first = {id_: min(roll, key=lambda t: t.ends) for id_, roll in dated.items() if roll}
    rows = {
        "Rent roll (date)": {each.id: _dated(tables[each.id], read[each.id]) for each in documents},
        "Largest tenant": {id_: _printed(t, blocks[id_]) for id_, t in largest.items()},
        "First lease to expire": {id_: _printed(t, blocks[id_]) for id_, t in first.items()},
        **{right: {id_: _saying(right, own) for id_, own in read.items()} for right in _RIGHTS},
    }
    return tuple(_row(topic, told, documents) for topic, told in rows.items() if any(told.values()))


def _tenancies(tables: Sequence[Table]) -> Iterator[_Tenancy]:
    for table in tables:
        if table.role != "rent roll":
            continue
        for row in table.rows:
            cells = [cell_value(table, row, at) for at in range(len(row.cells))]
            told = [cell for cell in cells if cell]
            sizes = [value for value, unit in told if is_currency(unit)] or [
                value
                for value, unit in told
                if unit and "/" not in unit and unit not in ("date", "%")
            ]
            ends = [value for value, unit in told if unit == "date"]
            if sizes and not _TOTAL.match(row.label):
                yield _Tenancy(row, max(sizes), max(ends, default=Decimal(0)))


def _printed(tenancy: _Tenancy, blocks: Sequence[Block]) -> list[Sentence]:
    own = (block for block in blocks if block.index in tenancy.row.blocks)
    return [Sentence(block.text, "", (block,)) for block in own]


def _dated(tables: Sequence[Table], sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentence that says of which day the rent roll is."""
    rolls = (table for table in tables if table.role == "rent roll")
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


def _row(
    topic: str, told: Mapping[str, Sequence[Sentence]], documents: Sequence[Document]
) -> TermComparison:
    sides = []
    for document in documents:
        own = told.get(document.id, ())
        blocks = tuple(dict.fromkeys(block for each in own for block in each.blocks))
        quote = " ".join(each.text for each in own)
        sides.append(TermSide(document.id, document.name, quote, blocks))
    return TermComparison(topic, tuple(sides), note_of(sides))
