"""Tables printed under one another in one frame: told apart where the columns are named again."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from docqa.language.periods import YEAR_ALONE
from docqa.types.document import Block, Cell

_DIGIT = re.compile(r"\d")


def parted(rows: Sequence[Block]) -> list[Block]:
    """The rows of one table; where its columns are named again, another table begins.

    They are where two cells or more repeat a year's header of the table's top, and no other cell
    has a figure. Rows above that name columns too, and have no label, go with it. The second table
    has the number after the first's.
    """
    names = {cell.text for row in rows if row.column_header for cell in row.cells}
    heads, starts = set[int](), list[int]()
    for at, row in enumerate(rows):
        if _names_again(row, names) and any(not each.column_header for each in rows[:at]):
            above = range(at - 1, 0, -1)
            leading = takewhile(lambda k: k not in heads and _leads(rows[k], names), above)
            starts.append(min(leading, default=at))
            heads.update(range(starts[-1], at + 1))
    return [
        replace(
            row,
            table=row.table + sum(start <= at for start in starts),
            column_header=row.column_header or at in heads,
        )
        for at, row in enumerate(rows)
    ]


def _names_again(row: Block, names: set[str]) -> bool:
    years = [cell for cell in row.cells if cell.text in names and YEAR_ALONE.search(cell.text)]
    others = [cell for cell in row.cells if cell.text not in names]
    return not row.column_header and len(years) > 1 and not _has_figures(others)


def _leads(row: Block, names: set[str]) -> bool:
    """Whether a row over one that names columns again names columns too."""
    unlabelled = bool(row.cells) and row.cells[0].column > 0
    return (
        unlabelled
        and not row.column_header
        and not _has_figures([cell for cell in row.cells if cell.text not in names])
    )


def _has_figures(cells: Sequence[Cell]) -> bool:
    return any(_DIGIT.search(cell.text) for cell in cells)
