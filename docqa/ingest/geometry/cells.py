"""What tables are made of: cells and grids, and the pieces they are settled from."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile

from docqa.ingest.geometry.text import join_lines
from docqa.ingest.geometry.words import NUMBER, Line, Word, around, cell_text
from docqa.types.document import Box

YEAR = re.compile(r"^(fy\s*)?['’]?(19|20)\d\d[ae]?(\s*\(?[a-z0-9]\)?|[,⁰¹²³⁴-⁹]+)?$", re.IGNORECASE)
_COUNTED = re.compile(r"\d")
_DASH = re.compile(r"[-–—−]+|n/?a", re.IGNORECASE)
# "41,250 sq ft", "£771,500 pa": not "3 months", which names a column.
_MEASURED = re.compile(
    r"(?:[$€£¥]\s?\d[\d,.]*|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?:\s[a-z][a-z.²]*){1,2}"
)


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell: rows and columns it covers (from 0, end exclusive), its text and box."""

    text: str
    box: Box
    row: int
    column: int
    row_end: int
    column_end: int
    header: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its cells row by row, and its box."""

    cells: tuple[GridCell, ...]
    rows: int
    columns: int
    box: Box


@dataclass(slots=True)
class Piece:
    """A cell while columns and rows are being settled. ``last`` is its last column, ``font`` the
    typeface of most of it, ``ground`` the colour that it begins on."""

    first: int
    last: int
    text: str
    box: Box
    bold: bool = False
    down: int = 1  # rows it covers
    font: str = ""
    ground: str = ""

    @classmethod
    def of(cls, lines: Sequence[Line], first: int, last: int, *, down: int = 1) -> "Piece":
        """Lines under one another (one or more) as a cell; bold where all are."""
        text = reduce(joined_text, (cell_text(line.text) for line in lines))
        box = around(line.box for line in lines)
        bold, begins = all(line.bold for line in lines), lines[0].words[0]
        return cls(first, last, text, box, bold, down, lines[0].font, begins.ground)

    def meets(self, other: "Piece") -> bool:
        """Whether both cover a column."""
        return self.first <= other.last and other.first <= self.last


Pieces = list[Piece]


def rows_set_apart(rows: Sequence[Sequence[Piece]]) -> int:
    """How many rows at the top are in a typeface that no row below them has; 0 for none."""
    faces = [{piece.font for piece in row} for row in rows]
    apart = len(list(takewhile(lambda own: own == faces[0], faces)))
    below = set[str]().union(*faces[apart:])
    return apart if below and faces[0].isdisjoint(below) else 0


def joined_text(above: str, below: str) -> str:
    """Two lines of a cell as one text; a hyphen that broke a word goes.

    >>> joined_text("amorti-", "sation"), joined_text("Level-", "2 assets")
    ('amortisation', 'Level-2 assets')
    """
    return join_lines([above, below])[0].strip()


def join(piece: Piece, other: Piece) -> None:
    """Take another piece into the first, which then covers the columns and boxes of both."""
    piece.first, piece.last = min(piece.first, other.first), max(piece.last, other.last)
    piece.text = joined_text(piece.text, other.text)
    piece.box = around([piece.box, other.box])


def join_rows(above: Pieces, row: Iterable[Piece]) -> None:
    """Take a row into the one above, each piece into the one whose columns it meets."""
    for piece in row:
        same = next(filter(piece.meets, above), None)
        if same:
            join(same, piece)
        else:
            above.append(piece)
            above.sort(key=lambda p: p.first)


def joined_rows(rows: Sequence[Pieces]) -> Pieces:
    """Rows (one or more) as one."""
    first = list(rows[0])
    for row in rows[1:]:
        join_rows(first, row)
    return first


def row_box(row: Iterable[Piece | Word | Line]) -> Box:
    """The box around a row."""
    return around(each.box for each in row)


def gap_between(one: Iterable[Piece | Line], two: Iterable[Piece | Line]) -> float:
    """The points from the bottom of a row to the top of another; negative where they overlap."""
    return row_box(two).top - row_box(one).bottom


def values_of(row: Iterable[Piece]) -> Pieces:
    """The cells of a row outside its first column, which has the labels."""
    return [piece for piece in row if piece.first > 0]


def has_figures(row: Iterable[Piece]) -> bool:
    """Whether a row has a number outside its first column."""
    return any(NUMBER.match(piece.text) for piece in values_of(row))


def is_figure(text: str) -> bool:
    """Whether a cell is an amount: a number that is no year."""
    return bool(NUMBER.match(text) and _COUNTED.search(text) and not YEAR.match(text))


def is_dash(text: str) -> bool:
    """Whether a cell says that there is none."""
    return _DASH.fullmatch(text) is not None


def is_measured(text: str) -> bool:
    """Whether a cell is an amount with its unit in words."""
    return _MEASURED.fullmatch(text.strip()) is not None
