"""Rows of a table with their labels first, wherever they are printed."""

import re
from collections.abc import Sequence

from docqa.ingest.tables.cells import filled, is_figure, moved
from docqa.types.document import Block, Cell

MOST = 0.8  # of the rows: those with words where the labels stand; and figures before them
FEWEST = 4  # rows that tell where labels stand
_AMOUNT = re.compile(r"\d,\d{3}|\d\.\d\d(?!\d)|[$€£¥]")  # no number of a row, and no year


def labels_first(rows: Sequence[Block]) -> Sequence[Block]:
    """Rows whose labels stand amid their figures, as those of a settlement statement between what
    the seller and what the buyer pays, with the labels moved before these."""
    place = _place_of_labels(rows)
    return [moved(row, lambda cell: _first(cell, place)) for row in rows] if place else rows


def _place_of_labels(rows: Sequence[Block]) -> int:
    """The first column of words in a table that begins with columns of amounts, else 0."""
    cells = [cell for row in rows for cell in filled(row) if not row.column_header]
    body = sum(bool(filled(row)) and not row.column_header for row in rows)
    if body < FEWEST:
        return 0
    for column in sorted({cell.column for cell in cells}):
        own = [cell for cell in cells if cell.column == column]
        amounts = sum(_AMOUNT.search(c.text) is not None and is_figure(c.text) for c in own)
        if amounts < MOST * len(own):
            worded = sum(not is_figure(cell.text) for cell in own)
            return column if worded >= MOST * max(len(own), body) else 0
    return 0


def _first(cell: Cell, place: int) -> int:
    """The column of a cell where what stands at a place is put first."""
    if cell.column == place:
        return 0
    return cell.column + (cell.column + cell.span <= place)
