"""Which columns rows of lines stand in, by what stands under one another."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from docqa.ingest.geometry.cells import Piece, Pieces, join
from docqa.ingest.geometry.words import Line, Word, middle, parts_of

MOST_FIGURES = (
    0.2  # of labels: those that end in one on a line of its own ("net of tax of $1 and" / "$2")
)
NEAR = 4.0  # heights of a line between columns that may be one
WIDE = 0.45  # of a line's height: a gap that may be between columns
SAME_EDGE = 1.0  # points apart that the cells of a column begin
WIDER = 1.3  # than the widest gap within a cell
CURRENCY = {"$", "€", "£", "¥", "US$", "($", "(", "$("}

Column = tuple[float, float]  # its left and right edge
Columns = Sequence[Column]


def columns_of(rows: Sequence[Sequence[Line]]) -> list[Column]:
    """The columns' left and right edges, grown from the fullest rows first."""
    columns: list[Column] = []
    for row in sorted(rows, key=lambda row: (-len(row), sum(line.width for line in row))):
        if len(row) < 2 and len(columns) >= 2:
            continue
        for line in row:
            if line.text not in CURRENCY:
                columns = _grown(columns, line)
    return _merged(sorted(columns), rows)


def placed(row: Sequence[Line], columns: Columns) -> Pieces:
    """A row's cells in their columns; lines that share a column are one cell."""
    pieces: Pieces = []
    for line in _parted_at(row, columns):
        first, last = _places_of(line, columns)
        piece = Piece.of([line], first, last)
        if pieces and pieces[-1].last >= first:
            join(pieces[-1], piece)
        else:
            pieces.append(piece)
    return pieces


def _parted_at(row: Sequence[Line], columns: Columns) -> list[Line]:
    """A row's lines, those parted that run over two columns with a wide gap between them. Where the
    row then fills all columns from its first on, also those over more; where it fills all, those
    with a word that begins where a column does too."""
    at_gaps, at_edges = (
        [_in_own_columns(line, columns, part) for line in row]
        for part in (_at_gaps, _at_gaps_or_edges)
    )
    first = _places_of(row[0], columns)[0]
    for parted, fewest in ((at_gaps, len(columns) - first), (at_edges, len(columns))):
        if sum(map(len, parted)) >= fewest:
            return [part for parts in parted for part in parts]
    several = zip(row, at_gaps, strict=True)
    return [part for line, parts in several for part in (parts if len(parts) < 3 else [line])]


def _in_own_columns(
    line: Line, columns: Columns, part: Callable[[Line, Columns], list[Line]]
) -> list[Line]:
    """The parts of a line that stand in one column each; the line where they do not."""
    first, last = _places_of(line, columns)
    parts = part(line, columns[first : last + 1]) if last > first else []
    places = [_places_of(part, columns) for part in parts]
    return parts if places == [(at, at) for at in range(first, last + 1)] else [line]


def _at_gaps_or_edges(line: Line, columns: Columns) -> list[Line]:
    """The parts of a line between wide gaps, or else from where each of its columns begins."""
    parts = _at_gaps(line, columns)
    if len(parts) > 1:
        return parts
    edges = [left for left, _ in columns[1:]]

    def begins(_: Word, word: Word) -> bool:
        at_edge = any(abs(word.box.left - edge) < SAME_EDGE for edge in edges)
        return at_edge and any(map(str.isalnum, word.text))

    return parts_of(line, begins)


def _at_gaps(line: Line, columns: Columns) -> list[Line]:
    """The parts of a line, one a column, between gaps that are clearly wider than all others."""
    count = len(columns) - 1
    gaps = sorted((_gap(*pair) for pair in pairwise(line.words)), reverse=True)
    wide, others = gaps[:count], gaps[count:]
    least = wide[-1] if len(wide) == count else 0.0
    if least < WIDE * line.size or (others and least <= WIDER * others[0]):
        return [line]
    return parts_of(line, lambda before, word: _gap(before, word) >= least)


def _gap(before: Word, word: Word) -> float:
    return word.box.left - before.box.right


def _places_of(line: Line, columns: Columns) -> tuple[int, int]:
    extent = _extent(line)
    width = extent[1] - extent[0]
    met = [
        at
        for at, column in enumerate(columns)
        if overlap(column, extent) > 0.25 * min(column[1] - column[0], width)
    ]
    if not met:
        distances = [abs((left + right) / 2 - middle(line.box)) for left, right in columns]
        met = [distances.index(min(distances))] if distances else [0]
    return met[0], met[-1]


def _extent(line: Line) -> Column:
    """Where a cell begins and ends for alignment: a currency sign stands apart from its number."""
    words, box = line.words, line.box
    signed = len(words) > 1 and words[0].text in CURRENCY
    return words[1].box.left if signed else box.left, box.right


def overlap(column: Column, extent: Column) -> float:
    """How far a column and another lie over one another, in points; negative where apart."""
    (left, right), (start, end) = column, extent
    return (right if right < end else end) - (left if left > start else start)


def _grown(columns: list[Column], line: Line) -> list[Column]:
    """Columns with a line taken in: a new one, or the one it meets made wide enough."""
    extent = _extent(line)
    met = [column for column in columns if overlap(column, extent) > 0]
    if not met:
        return [*columns, extent]
    if len(met) > 1:
        return columns
    others = [column for column in columns if column is not met[0]]
    return [*others, (min(met[0][0], extent[0]), max(met[0][1], extent[1]))]


def _merged(columns: list[Column], rows: Sequence[Sequence[Line]]) -> list[Column]:
    """Neighbours that are never both filled in one row as the one column they are: a header over
    numbers, and labels set in by different depths, but no figures beside labels."""
    height = median(line.size for row in rows for line in row)
    at = 0
    while at < len(columns) - 1 and len(columns) > 2:
        one, other = columns[at : at + 2]
        close = other[0] - one[1] < NEAR * height and (at > 0 or _has_labels(other, rows))
        if close and not any(_fills_both(row, one, other) for row in rows):
            columns[at : at + 2] = [(one[0], other[1])]
        else:
            at += 1
    return columns


def _has_labels(column: Column, rows: Sequence[Sequence[Line]]) -> bool:
    held = [line for row in rows for line in row if overlap(column, _extent(line)) > 0]
    return sum(line.is_number for line in held) <= MOST_FIGURES * len(held)


def _fills_both(row: Sequence[Line], one: Column, other: Column) -> bool:
    extents = map(_extent, row)
    return sum(overlap(one, extent) > 0 or overlap(other, extent) > 0 for extent in extents) > 1
