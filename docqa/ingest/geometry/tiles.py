"""Tiles: figures side by side in large type, each over what it is; pure.

They are rows of a label and its figure, as no figure names a column.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

from docqa.ingest.geometry.cells import Piece, joined_text
from docqa.ingest.geometry.grids import grid_of
from docqa.ingest.geometry.table_rows import LARGER, ROUNDED, SAME_EDGE
from docqa.ingest.geometry.tables import Found
from docqa.ingest.geometry.words import Line, around, cell_text, rows_of
from docqa.language.amounts import measured_amounts

FEWEST = 2  # side by side
MOST_LINES = 3  # of a label
NEAR = 0.7  # of a line's height: what is below it, and still of it, is nearer


def tiles_of(lines: Iterable[Line]) -> list[Found]:
    """The tiles among lines, each row of them as a table."""
    rows = rows_of(lines)
    tiled = (_tiled(row, rows[at + 1 :]) for at, row in enumerate(rows))
    return [_found(tiles) for tiles in tiled if tiles]


def _tiled(row: Sequence[Line], below: Sequence[Sequence[Line]]) -> list[tuple[Line, list[Line]]]:
    """The figures of a row, each with the lines of its label; none where one lacks it."""
    if len(row) < FEWEST or not all(map(_is_figure, row)):
        return []
    near = [line for each in below[: 2 * MOST_LINES] for line in each]
    ends = [*(line.box.left for line in row[1:]), float("inf")]
    labels = [_label(line, end, near) for line, end in zip(row, ends, strict=True)]
    return list(zip(row, labels, strict=True)) if all(labels) else []


def _is_figure(line: Line) -> bool:
    """Whether a line is an amount with its sign, scale and unit, and nothing else."""
    amounts = measured_amounts(line.text)
    return len(amounts) == 1 and amounts[0].text == line.text.strip(" +")


def _label(figure: Line, end: float, lines: Iterable[Line]) -> list[Line]:
    """The lines in smaller type right below a figure that begin where it does, or have its middle,
    and end before the next; none for other."""
    held: list[Line] = []
    for line in lines:
        above = held[-1] if held else figure
        gap = line.box.top - above.box.bottom
        if not _is_under(line, figure) or line.box.right >= end or gap < -above.size:
            continue
        alike = not held or abs(line.size - held[0].size) <= ROUNDED
        if gap > NEAR * above.size or not alike or len(held) == MOST_LINES:
            break
        held.append(line)
    words = held and any(letter.isalpha() for letter in held[0].text)
    return held if words and held[0].size * LARGER <= figure.size else []


def _is_under(line: Line, figure: Line) -> bool:
    one, other = line.box, figure.box
    middles = (one.left + one.right - other.left - other.right) / 2
    return abs(one.left - other.left) <= SAME_EDGE or abs(middles) <= SAME_EDGE


def _found(tiles: Sequence[tuple[Line, Sequence[Line]]]) -> Found:
    lines = [line for figure, label in tiles for line in (figure, *label)]
    rows = [[_piece(0, label), _piece(1, [figure])] for figure, label in tiles]
    return Found(tuple(lines), grid_of(rows, 2, around(line.box for line in lines), headers=0))


def _piece(column: int, lines: Sequence[Line]) -> Piece:
    text = reduce(joined_text, (cell_text(line.text) for line in lines))
    bold = all(line.bold for line in lines)
    box = around(line.box for line in lines)
    return Piece(column, column, text, box, bold, font=lines[0].font)
