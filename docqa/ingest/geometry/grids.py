"""Rows of lines, or words between rules, to a grid.

Pure geometry. Columns come from what stands under one another (:func:`aligned_grid`) or from
rules (:func:`ruled_grid`).
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from statistics import median

from docqa.ingest.geometry.cells import Grid, GridCell, Piece, Pieces
from docqa.ingest.geometry.columns import Columns, columns_of, placed
from docqa.ingest.geometry.forms import Field, fields_of
from docqa.ingest.geometry.headers import header_rows, with_heads
from docqa.ingest.geometry.ruled_tables import Lattice, Span
from docqa.ingest.geometry.rules import is_level
from docqa.ingest.geometry.words import (
    NUMBER,
    Line,
    Word,
    across,
    around,
    is_amid,
    line_of,
    middle,
    rows_of,
    segments,
)
from docqa.ingest.geometry.wrapped_rows import banded, unwrapped
from docqa.types.document import Box

OFF_MIDDLE = 4.0  # points from the middle of a group of columns to that of its name
MANY_WORDS = 60  # in one cell: text set in a box, not an entry
Filled = dict[Span, list[list[Word]]]


def aligned_grid(rows: Sequence[Sequence[Line]], rules: Sequence[Box]) -> Grid:
    """The grid of rows whose cells are held together by alignment."""
    lines = [line for row in rows for line in row]
    box = around(line.box for line in lines)
    levels = [rule for rule in rules if is_level(rule)]
    columns = columns_of(rows)
    height = median(line.size for line in lines)
    pieces = banded([placed(row, columns) for row in rows], levels, box)
    settled = [_titled(row, columns) for row in unwrapped(pieces, levels, box=box, height=height)]
    settled, headers = with_heads(settled, columns, levels, height)
    return grid_of(settled, box, headers=headers)


def _titled(row: Pieces, columns: Columns) -> Pieces:
    """A row as the title of those below it, one cell, where each of several parts runs from the
    labels on over columns that it keeps to none of, and leaves others blank."""
    over = all(piece.first < piece.last for piece in row)
    on = all(one.last + 1 == two.first for one, two in pairwise(row))
    if len(row) < 2 or row[0].first > 0 or not over or not on or row[-1].last > len(columns) / 2:
        return row
    text = " ".join(piece.text for piece in row)
    return [replace(row[0], last=row[-1].last, text=text, box=around(p.box for p in row))]


def ruled_grid(lattice: Lattice, words: Sequence[Word], over: Pieces | None = None) -> Grid | None:
    """The grid that rules draw around words, below names that stand ``over`` its head; None where
    what they enclose is no table."""
    held: dict[Span, list[Word]] = {span: [] for span in lattice.spans}
    for word in words:
        amid = (span for span in held if is_amid(word.box, lattice.box_of(span)))
        if span := next(amid, None):
            held[span].append(word)
    filled = {span: rows_of(words) for span, words in held.items() if words}
    if not _is_tabular(lattice, filled):
        return None
    box = around(word.box for words in held.values() for word in words)
    if fields := fields_of(filled):
        return fields_grid(fields)
    head = _open_head(lattice, filled)
    first = 1 if head else 0
    bands = [head, *(list(_band(filled, at)) for at in range(first, len(lattice.ys) - 1))]
    rows = _reaching_down(bands)
    headers = max(len(head), header_rows(rows))
    if over and headers:
        rows, headers = [over, *rows], headers + 1
        box = around([box, *(name.box for name in over)])
    return grid_of(rows, box, headers=headers)


def names_over(lattice: Lattice, words: Sequence[Word]) -> tuple[Pieces, list[Word]]:
    """Names that stand on the frame of a table over groups of its columns, and their words.

    They are two or more, and their groups all columns but that of the labels; none for other.
    """
    box, labels = lattice.box, lattice.xs[1]
    row = [w for w in words if -1 <= box.top - w.box.bottom < w.height and across(w.box, box) > 0]
    names = segments(row)
    if len(names) < 2 or any(name.box.left < labels or name.is_number for name in names):
        return [], []
    columns, first = list(pairwise(lattice.xs)), 1
    over: Pieces = []
    for name in names:
        begin, amid = columns[first][0], middle(name.box)
        off = [abs((begin + right) / 2 - amid) for _, right in columns[first:]]
        if min(off) > OFF_MIDDLE:
            return [], []
        last = first + off.index(min(off))
        over.append(Piece.of([name], first, last))
        first = last + 1
        if first == len(columns):
            break
    grouped = len(over) == len(names) and first == len(columns)
    return (over, row) if grouped and len(over) < len(columns) - 1 else ([], [])


def fields_grid(fields: Iterable[Field]) -> Grid:
    """A row for each field: what it is called, and what it holds; one that lacks either is one
    cell."""
    rows = [[Piece.of(lines, at, at) for at, lines in enumerate(filter(None, f))] for f in fields]
    return grid_of(rows, around(p.box for row in rows for p in row), headers=0)


def grid_of(rows: Sequence[Pieces], box: Box, *, headers: int) -> Grid:
    """Pieces as a grid, columns that hold nothing left out."""
    used = sorted({piece.first for row in rows for piece in row})
    place = {column: at for at, column in enumerate(used)}
    cells = [
        GridCell(
            text=piece.text,
            box=piece.box,
            row=at,
            column=place[piece.first],
            row_end=min(at + piece.down, len(rows)),
            column_end=bisect_right(used, piece.last),
            header=at < headers,
        )
        for at, row in enumerate(rows)
        for piece in row
    ]
    return Grid(tuple(cells), len(rows), len(used), box)


def _is_tabular(lattice: Lattice, filled: Filled) -> bool:
    """Whether enough cells hold something, in two columns or more, and few hold whole texts."""
    if len(filled) < 4 or len(filled) < 0.2 * len(lattice.spans):
        return False
    words = [sum(len(row) for row in rows) for rows in filled.values()]
    long = sum(count for count in words if count > MANY_WORDS)
    return len({span.column for span in filled}) >= 2 and long <= 0.7 * sum(words)


def _band(filled: Filled, at: int) -> Iterator[Pieces]:
    """The rows between two borders: one, or several where figures stand under one another."""
    spans = [span for span in filled if span.row == at]
    if _holds_records(spans, filled) or _holds_header(spans, filled):
        yield from _records(spans, filled)
    elif spans:
        yield [_piece(span, filled[span], down=span.row_end - span.row) for span in spans]


def _open_head(lattice: Lattice, filled: Filled) -> list[Pieces]:
    """The rows of names in a first band that no rule parts, over columns that rules part below;
    none for other, as for one title."""
    over = [span for span in filled if span.row == 0]
    columns = list(pairwise(lattice.xs))
    if len(over) != 1 or over[0].column_end - over[0].column < max(3, len(columns)):
        return []
    named = [placed(segments(row), columns) for row in filled[over[0]]]
    below = {at for row in named for piece in row for at in range(piece.first, piece.last + 1)}
    return named if len(below) == len(columns) and max(map(len, named)) > 2 else []


def _reaching_down(bands: Sequence[Sequence[Pieces]]) -> list[Pieces]:
    """The rows of all bands; a cell that covers several bands covers all their rows."""
    firsts = [0, *accumulate(map(len, bands))]
    for at, band in enumerate(bands):
        for row, pieces in enumerate(band, start=firsts[at]):
            for piece in pieces:
                piece.down = firsts[at + piece.down] - row if piece.down > 1 else 1
    return [row for band in bands for row in band]


def _piece(span: Span, rows: Sequence[Sequence[Word]], *, down: int) -> Piece:
    return Piece.of(list(map(line_of, rows)), span.column, span.column_end - 1, down=down)


def _holds_records(spans: Sequence[Span], filled: Filled) -> bool:
    """Whether a band holds several rows: figures line under line, and as many labels."""
    lines = max((len(filled[span]) for span in spans), default=0)
    figures = [
        len(filled[span])
        for span in spans
        if all(NUMBER.match(line_of(row).text) for row in filled[span])
    ]
    if lines < 2 or len(figures) < 1 or len(filled[spans[0]]) <= 0.5 * lines:
        return False
    return sum(count >= max(2, 0.5 * lines) for count in figures) > 0.5 * len(figures)


def _holds_header(spans: Sequence[Span], filled: Filled) -> bool:
    """Whether the first line of every cell of a band is set in a type of its own."""
    if len(spans) < 2 or any(len(filled[span]) != 2 for span in spans):
        return False
    first, second = ({filled[span][at][0].font for span in spans} for at in (0, 1))
    return not first & second


def _records(spans: Sequence[Span], filled: Filled) -> list[Pieces]:
    """The rows of a band, by the lines that stand side by side."""
    owner = {id(word): span for span in spans for row in filled[span] for word in row}
    rows: list[Pieces] = []
    for row in rows_of(word for span in spans for part in filled[span] for word in part):
        by_span: dict[Span, list[Word]] = {}
        for word in row:
            by_span.setdefault(owner[id(word)], []).append(word)
        ordered = sorted(by_span.items(), key=lambda item: item[0].column)
        rows.append([_piece(span, [words], down=1) for span, words in ordered])
    box = around(piece.box for row in rows for piece in row)
    height = median(piece.box.bottom - piece.box.top for row in rows for piece in row)
    return unwrapped(rows, [], box=box, height=height)
