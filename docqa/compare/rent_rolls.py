"""What rent rolls of different properties share: a largest tenant, a first lease to expire.

Their rows cannot be: each has tenants of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.compare.tables import cell_value
from docqa.compare.terms import note_of
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.document import Block, Document
from docqa.types.table import Row, Table

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
    largest = {id_: max(roll, key=lambda t: t.size) for id_, roll in rolls.items() if roll}
    dated = {id_: [t for t in roll if t.ends] for id_, roll in rolls.items()}
    first = {id_: min(roll, key=lambda t: t.ends) for id_, roll in dated.items() if roll}
    told = (("Largest tenant", largest), ("First lease to expire", first))
    return tuple(_row(topic, found, documents, blocks) for topic, found in told if found)


def _tenancies(tables: Sequence[Table]) -> Iterator[_Tenancy]:
    for table in tables:
        if table.role != "rent roll":
            continue
        for row in table.rows:
            cells = [cell_value(table, row, at) for at in range(len(row.cells))]
            told = [cell for cell in cells if cell]
            sizes = [value for value, unit in told if len(unit) == 3] or [
                value
                for value, unit in told
                if unit and "/" not in unit and unit not in ("date", "%")
            ]
            ends = [value for value, unit in told if unit == "date"]
            if sizes and not _TOTAL.match(row.label):
                yield _Tenancy(row, max(sizes), max(ends, default=Decimal(0)))


def _row(
    topic: str,
    found: Mapping[str, _Tenancy],
    documents: Sequence[Document],
    blocks: Mapping[str, Sequence[Block]],
) -> TermComparison:
    sides = []
    for document in documents:
        tenancy = found.get(document.id)
        own = tuple(b for b in blocks[document.id] if tenancy and b.index in tenancy.row.blocks)
        quote = " ".join(block.text for block in own)
        sides.append(TermSide(document.id, document.name, quote, own))
    return TermComparison(topic, tuple(sides), note_of(sides))
