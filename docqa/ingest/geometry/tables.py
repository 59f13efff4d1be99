"""Tables by geometry: which words of a page are a table.

Nothing here knows Docling or PDFs: words and rules go in, grids come out. A table shows itself by
the rules around its cells, or by rows of several lines that stand under one another and numbers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from statistics import median

from docqa.ingest.geometry.captions import is_caption
from docqa.ingest.geometry.cells import Grid, is_dash, is_figure
from docqa.ingest.geometry.columns import CURRENCY
from docqa.ingest.geometry.forms import Field
from docqa.ingest.geometry.grids import aligned_grid, fields_grid, names_over, ruled_grid
from docqa.ingest.geometry.ruled_tables import Lattice
from docqa.ingest.geometry.rules import is_level, parted_at_borders
from docqa.ingest.geometry.table_rows import (
    MOST_WORDS,
    Row,
    end_of_run,
    ends_prose,
    first_row,
    is_multiple,
    is_of_prose,
    texts_of,
)
from docqa.ingest.geometry.words import (
    NUMBER,
    SMALLER,
    Line,
    Word,
    area,
    around,
    is_amid,
    meet,
    one_line,
    parts_of,
    rows_of,
    segments,
    without,
)
from docqa.types.document import Box

_MARK = re.compile(r"\((?:\d|[a-z])\)(?:\((?:\d|[a-z])\))*|[*†‡]+")
_COUNT = re.compile(r"\((?:\d{1,3}|[a-z])\)")
_LAST = tuple("0123456789)%")
CLOSING = {"%", ")", "%)", ")%", "x", "pts", "bps", "*"}
MOST_SHARED = 0.2  # of the lines in cells: those that hold several figures
TOUCH = 1.0  # points between a text and a mark right at it
FEWEST_GAPS = 3  # between words, to be called even
EVEN = 0.1  # of a word's height: even gaps differ by less
FEWEST_CELLS = 6  # of a table's empty frame
LOWEST_ROW = 8.0  # points: lower ones hold no line of type, as the stripes of a logo


@dataclass(frozen=True, slots=True)
class Found:
    """A table on the page: the words it takes, line by line, and its grid."""

    lines: tuple[Line, ...]
    grid: Grid

    @classmethod
    def of_fields(cls, fields: Sequence[Field]) -> "Found":
        """Fields (one or more) as a table."""
        lines = (line for field in fields for part in field for line in part)
        return cls(tuple(lines), fields_grid(fields))


def find_ruled(words: Sequence[Word], lattices: Iterable[Lattice]) -> list[Found]:
    """The tables whose cells are drawn with rules, wherever they stand on the page."""
    found = []
    free = list(words)
    for lattice in sorted(lattices, key=lambda lattice: area(lattice.box)):
        inside = [word for word in free if is_amid(word.box, lattice.box)]
        over, named = names_over(lattice, free)
        grid = ruled_grid(lattice, inside, over) if inside else None
        lacks = grid and (_lacks_labels(lattice, inside, free) or _lacks_walls(lattice, inside))
        if grid and not lacks:
            inside += named if grid.box.top < lattice.box.top - 1 else []
            free = without(free, inside)
            found.append(Found(tuple(segments(inside)), grid))
    return found


def _lacks_labels(lattice: Lattice, inside: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether rules enclose the figures of rows of which the labels stand to their left."""
    first = [word for word in inside if word.box.left < lattice.xs[1]]
    if sum(_is_amount(word) for word in first) <= 0.8 * len(first):
        return False
    rows = rows_of(first)
    labels = [word for word in words if word.box.right <= lattice.box.left]
    beside = sum(any(_is_beside(label, row[0]) for label in labels) for row in rows)
    return len(rows) > 1 and beside > 0.6 * len(rows)


def _lacks_walls(lattice: Lattice, inside: Sequence[Word]) -> bool:
    """Whether rules enclose several columns of figures as one, on most of its lines."""
    columns = pairwise(lattice.xs)
    held = [[word for word in inside if left <= word.box.left < right] for left, right in columns]
    rows = [row for words in held for row in rows_of(words)]
    several = sum(any(_figure_ends(*pair) for pair in pairwise(row)) for row in rows)
    return several > 1 and several > MOST_SHARED * len(rows)


def _is_amount(word: Word) -> bool:
    return word.text in CURRENCY or word.text in CLOSING or NUMBER.match(word.text) is not None


def _is_beside(word: Word, other: Word) -> bool:
    return word.box.top < (other.box.top + other.box.bottom) / 2 < word.box.bottom


def without_words(words: Sequence[Word], lattices: Iterable[Lattice]) -> list[Box]:
    """Where the frame of a table is drawn with nothing in it: three rows or more, two columns.

    Its rows are high enough for a line of type.
    """
    framed = [lattice for lattice in lattices if len(lattice.ys) > 3 and len(lattice.xs) > 2]
    return [
        lattice.box
        for lattice in framed
        if len(lattice.spans) >= FEWEST_CELLS
        and median(below - above for above, below in pairwise(lattice.ys)) >= LOWEST_ROW
        and not any(is_amid(word.box, lattice.box) for word in words)
    ]


def find_aligned(lines: Sequence[Line], rules: Sequence[Box]) -> list[Found]:
    """The tables held together by alignment in one column of a page, top to bottom."""
    rows = _marked(_rows_of_cells(lines))
    height = median(line.size for row in rows for line in row) if rows else 10.0
    tables: list[Found] = []
    free = start = 0
    while start < len(rows):
        if not is_multiple(rows[start]) or ends_prose(rows, start, height):
            start += 1
            continue
        last = end_of_run(rows, start, height)
        table = _table(rows[free : last + 1], start - free, height, rules)
        start = last + 1
        if table:
            tables.append(table)
            free = start
    return tables


def _rows_of_cells(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines parted between figures, in rows with the signs of a figure joined to it."""
    parted = [part for line in lines for part in parts_of(line, _figure_ends)]
    return [_attached(row) for row in rows_of(parted)]


def _figure_ends(before: Word, word: Word) -> bool:
    """Whether one figure ends and another begins between two words of a line: at a "$" that belongs
    to the next, or at a plain gap; after a dash for a figure at both."""
    apart = word.box.left - before.box.right > 0.4 * word.height
    signed = word.text in {"$", "€", "£"}
    if is_dash(before.text):
        return signed and apart
    if before.text[-1:] not in _LAST or not is_figure(before.text.strip("()")):
        return False
    return signed or (apart and is_figure(word.text.strip("()$")))


def _attached(row: Row) -> list[Line]:
    """A row with "$" joined to its number, and "%", ")" or a small "(16)" to the one before."""
    joined: list[Line] = []
    for line in row:
        if joined and _belongs(joined[-1], line):
            joined[-1] = one_line([joined[-1], line])
        else:
            joined.append(line)
    return joined


def _marked(rows: Sequence[Row]) -> list[Row]:
    """Rows with the marks of notes that stand a little above them, each at what it marks."""
    marked: list[Row] = []
    marks: Row = ()
    for row in rows:
        if not marks and all(_MARK.fullmatch(line.text) for line in row):
            marks = row
            continue
        joined = _with_marks(row, marks)
        marked += [joined] if joined else [marks, row]
        marks = ()
    return [*marked, marks] if marks else marked


def _with_marks(row: Row, marks: Row) -> Row | None:
    """A row with marks at the lines that end where they begin; None where they are none of it."""
    joined = list(row)
    for mark in marks:
        at = next((at for at, line in enumerate(joined) if _is_marked(line, mark)), None)
        if at is None:
            return None
        joined[at] = one_line([joined[at], mark])
    return joined


def _is_marked(line: Line, mark: Line) -> bool:
    beside = -1 < mark.box.left - line.box.right < 1.3 * line.size
    return beside and mark.size < SMALLER * line.size and abs(mark.box.bottom - line.box.top) < 2


def _belongs(before: Line, line: Line) -> bool:
    gap = line.box.left - before.box.right
    if before.text in CURRENCY:
        return gap < 120 and (line.is_number or NUMBER.match(line.text.strip("()%$ ")) is not None)
    small = _COUNT.fullmatch(line.text) is not None and line.size < SMALLER * before.size
    if small and gap < TOUCH:
        return True
    closes = line.text in CLOSING and gap < 14
    return before.is_number and (closes or (small and gap < 1.3 * before.size))


def _table(rows: Sequence[Row], start: int, height: float, rules: Sequence[Box]) -> Found | None:
    """The table that rows from ``start`` on make, with those above that are its head."""
    while len(rows) - start > 2 and _names_again(rows[start + 1], rows[start]):
        start += 1
    body = rows[start:]
    if not _looks_like_table(body, height, rules):
        return None
    return _found(rows[first_row(rows, start, body, height) :], rules)


def _found(rows: Sequence[Row], rules: Sequence[Box]) -> Found:
    """The table of which these are the rows."""
    box = around(line.box for row in rows for line in row)
    near = [rule for rule in rules if meet(rule, box, margin=4)]
    kept = [_attached(row) for row in parted_at_borders(rows, near)]
    return Found(tuple(line for row in kept for line in row), aligned_grid(kept, near))


def _names_again(row: Row, above: Row) -> bool:
    """Whether a row says what the one above it does, which is then the axis of a chart."""
    return len(row) > 1 and texts_of(row) == texts_of(above)


def table_of(lines: Sequence[Line], rules: Sequence[Box]) -> Found | None:
    """The table that lines make which are known to be one; None where they are one column or row.

    Lone lines over it that name it, or say what its figures are in, are not of it.
    """
    rows = _rows_of_cells(lines)
    rows = list(dropwhile(lambda row: len(row) == 1 and is_caption(row[0].text), rows))
    if len(rows) < 2:
        return None
    found = _found(rows, rules)
    return found if found.grid.rows > 1 and found.grid.columns > 1 else None


def _looks_like_table(body: Sequence[Row], height: float, rules: Sequence[Box]) -> bool:
    multiple = [row for row in body if is_multiple(row)]
    values = [line for row in multiple for line in row[1:]]
    numeric = sum(line.is_number for line in values) / max(len(values), 1)
    wordy = sum(line.word_count > MOST_WORDS for line in values) / max(len(values), 1)
    box = around(line.box for row in body for line in row)
    ruled = sum(is_level(rule) and meet(rule, box, margin=height) for rule in rules)
    aligned = _aligned_edges(multiple)
    if wordy > 0.5 and numeric < 0.2 and ruled < 3:
        return False
    if numeric < 0.2 and sum(map(_is_justified, multiple)) > 0.5 * len(multiple):
        return False
    if numeric < 0.2 and ruled < 2 and sum(map(is_of_prose, body)) > len(multiple) / 2:
        return False
    if len(multiple) >= 3:
        return numeric > 0.3 or ruled >= 2 or (wordy < 0.25 and aligned >= 2)
    return len(multiple) == 2 and (numeric > 0.5 or ruled >= 2) and aligned >= 2


def _is_justified(row: Row) -> bool:
    """Whether a row is a line of prose set apart to its margin: all its words equally far apart.

    The cells of a row differ in length, and so do the gaps between them.
    """
    words = [word for line in row for word in line.words]
    gaps = [after.box.left - word.box.right for word, after in pairwise(words)]
    return len(gaps) >= FEWEST_GAPS and max(gaps) - min(gaps) < EVEN * words[0].height


def _aligned_edges(rows: Sequence[Row]) -> int:
    """How many left or right edges are shared by four rows in ten (at least two)."""
    edges: Counter[tuple[str, int]] = Counter()
    for row in rows:
        for line in row:
            edges["left", round(line.box.left / 6)] += 1
            edges["right", round(line.box.right / 6)] += 1
    return sum(count >= max(2, 0.4 * len(rows)) for count in edges.values())
