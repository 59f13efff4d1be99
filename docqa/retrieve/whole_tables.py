"""Hits on rows become passages with their tables: what was found is a row, what is read a table.

The best hits bring every table they touch whole, with what is printed over it, so that no row
stands under another header or apart from its total; a primary statement is brought whole by any
hit. Of other tables, and of those longer than `WHOLE_CHARS`, a passage has the rows that were
found, by whichever hit, with their group, their neighbours and the header. Nothing is given
twice: what a better hit has brought is left out of the next, and a hit of which nothing is left
goes, so that the pieces of a table take one place.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from docqa.types.document import Block
from docqa.types.search import Hit
from docqa.types.table import STATEMENTS, Row, Table

# Measured by `tests.eval.whole_tables`, which prints what they are worth.
WHOLE_CHARS = 4000  # of a table given whole: each of 47 primary statements has fewer
FIRST = 5  # hits that bring their tables whole; with more, other passages lose their place
NEIGHBOURS = 2  # rows above and below one that was found

Blocks = Callable[[str, int], Sequence[Block]]
"""``blocks(document_id, page)``: the page's blocks in reading order."""

Known = AbstractSet[tuple[int, str]]  # index and text of blocks: long ones are cut, of one index


def with_whole_tables(hits: Sequence[Hit], *, blocks: Blocks) -> list[Hit]:
    """The hits in their order with the tables they touch, which each names in ``tables``."""
    found: dict[str, set[int]] = {}
    for hit in hits:
        found.setdefault(hit.document.id, set()).update(b.index for b in hit.chunk.blocks)
    given: dict[str, set[tuple[int, str]]] = {one: set() for one in found}
    whole = []
    for rank, hit in enumerate(hits, start=1):
        own = hit.document.id
        passage = _passage(hit, found[own], given[own], blocks, whole=rank <= FIRST)
        if passage:
            given[own] |= {(block.index, block.text) for block in passage}
            whole.append(hit.holding(passage))
    return whole


def _passage(
    hit: Hit, found: AbstractSet[int], given: Known, blocks: Blocks, *, whole: bool
) -> tuple[Block, ...]:
    """The hit's own blocks and those of its tables, in page order, without those given before."""
    tables = [table.pages for table in hit.tables]
    # What leads to a table may stand on the page before.
    pages = sorted({page for own in tables for page in (*own, max(1, own[0] - 1))})
    printed = {b.index: b for page in pages for b in blocks(hit.document.id, page)}
    wanted = {
        index
        for table in hit.tables
        for index in _wanted(table, found, printed, whole=whole or table.role in STATEMENTS)
    }
    own = [block for block in hit.chunk.blocks if (block.index, block.text) not in given]
    known = {*(index for index, _ in given), *(block.index for block in own)}
    more = [block for index, block in printed.items() if index in wanted - known]
    if not more and all(block.kind in ("heading", "caption") for block in own):
        return ()
    return tuple(sorted([*own, *more], key=lambda block: block.index))


def _wanted(
    table: Table, found: AbstractSet[int], printed: Mapping[int, Block], *, whole: bool
) -> set[int]:
    """The indexes of a table's blocks that a passage has: all, or those about the rows found."""
    first = min((row.block for row in table.rows), default=0)
    over = {*table.lead, *(head for head in table.heads if head < first)}  # none repeated below
    every = over | {index for row in table.rows for index in row.blocks}
    chars = sum(len(printed[index].text) for index in every if index in printed)
    if whole and chars <= WHOLE_CHARS:
        return every
    return over | {index for row in _near(table, found) for index in row.blocks}


def _near(table: Table, found: AbstractSet[int]) -> list[Row]:
    """The rows found with their neighbours, and the rows that name the groups they are in."""
    hits = [at for at, row in enumerate(table.rows) if not found.isdisjoint(row.blocks)]
    near = {at + step for at in hits for step in range(-NEIGHBOURS, NEIGHBOURS + 1)}
    for at in hits:
        for label in table.rows[at].path:
            near |= set([n for n in range(at - 1, -1, -1) if table.rows[n].label == label][:1])
    return [row for at, row in enumerate(table.rows) if at in near]
