"""Tables by geometry: which words of a page are a table.

Nothing here knows Docling or PDFs: words and rules go in, grids come out. A table shows itself by
the rules around its cells, or by rows of several lines that stand under one another and numbers.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docqa.ingest.cells import Grid, is_figure
from docqa.ingest.columns import CURRENCY
from docqa.ingest.grids import aligned_grid, ruled_grid
from docqa.ingest.lattice import Lattice
from docqa.ingest.words import MARKER, NUMBER, Line, Word, around, line_of, rows_of, segments
from docqa.types import Box

CAPTION = re.compile(r"^(?i:figure|fig\.?|table|tab\.|chart)\s*\d[\d.-]*[a-z]?\b(?!,?\s+[a-z])")
UNITS = re.compile(
    r"^\W*(?:(?:us|u\.s\.)?\s*(?:\$|dollars?|amounts?|shares|figures|tabular|unaudited|values)?"
    r"[\w\s,;$.&]*\bin\s+(?:us\s*)?\$?\s*(?:millions|thousands|billions|000s|dollars)\b"
    r"|\(?in\s+(?:millions|thousands|billions)\b|\(?unaudited\)?$|\(?\$\s*in\s)",
    re.IGNORECASE,
)
_LEADS = re.compile(r"\b(follows?|following|below)\b.*:$", re.IGNORECASE)
_LAST = tuple("0123456789)%")
CLOSING = {"%", ")", "%)", ")%", "x", "pts", "bps", "*"}
MOST_LONE, MOST_LABELS = 4, 8  # lone lines in a row within a table; those that are labels
FEWEST_CELLS = 6  # of a table's empty frame
LOWEST_ROW = 8.0  # points: lower ones hold no line of type, as the stripes of a logo

Row = list[Line]


@dataclass(frozen=True, slots=True)
class Found:
    """A table on the page: the words it takes, line by line, and its grid."""

    lines: tuple[Line, ...]
    grid: Grid


def find_ruled(words: Sequence[Word], lattices: Iterable[Lattice]) -> list[Found]:
    """The tables whose cells are drawn with rules, wherever they stand on the page."""
    found = []
    free = list(words)
    for lattice in sorted(lattices, key=_area):
        inside = [word for word in free if _within(word.box, lattice.box)]
        grid = ruled_grid(lattice, inside) if inside else None
        if grid and _lacks_labels(lattice, inside, free):
            continue
        if grid:
            taken = {id(word) for word in inside}
            free = [word for word in free if id(word) not in taken]
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
        and not any(_within(word.box, lattice.box) for word in words)
    ]


def _area(lattice: Lattice) -> float:
    box = lattice.box
    return (box.right - box.left) * (box.bottom - box.top)


def _within(box: Box, outer: Box) -> bool:
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return outer.left <= x < outer.right and outer.top <= y < outer.bottom


def find_aligned(lines: Sequence[Line], rules: Sequence[Box]) -> list[Found]:
    """The tables held together by alignment in one column of a page, top to bottom."""
    rows = [_attached(row) for row in rows_of(_figures_parted(lines))]
    height = median(line.size for row in rows for line in row) if rows else 10.0
    tables: list[Found] = []
    start = 0
    while start < len(rows):
        if not _is_multiple(rows[start]):
            start += 1
            continue
        last = _end_of_run(rows, start, height)
        table = _table(rows, start, last, height, rules)
        if table:
            tables.append(table)
        start = last + 1
    return tables


def _figures_parted(lines: Iterable[Line]) -> list[Line]:
    """Lines parted between figures: at a "$" that belongs to the next, or at a plain gap."""
    parted: list[Line] = []
    for line in lines:
        current = [line.words[0]]
        for word in line.words[1:]:
            if _figure_ends(current[-1], word):
                parted.append(line_of(current))
                current = []
            current.append(word)
        parted.append(line_of(current) if len(current) < len(line.words) else line)
    return parted


def _figure_ends(before: Word, word: Word) -> bool:
    """Whether one figure ends and another begins between two words of a line."""
    if before.text[-1:] not in _LAST or not is_figure(before.text.strip("()")):
        return False
    if word.text in {"$", "€", "£"}:
        return True
    apart = word.box.left - before.box.right > 0.4 * word.height
    return apart and is_figure(word.text.strip("()$"))


def _attached(row: Row) -> Row:
    """A row with "$" joined to its number, and "%" or ")" to the one before."""
    joined: Row = []
    for line in row:
        if joined and _belongs(joined[-1], line):
            joined[-1] = line_of([*joined[-1].words, *line.words])
        else:
            joined.append(line)
    return joined


def _belongs(before: Line, line: Line) -> bool:
    gap = line.box.left - before.box.right
    if before.text in CURRENCY:
        return gap < 120 and (line.is_number or NUMBER.match(line.text.strip("()%$ ")) is not None)
    return line.text in CLOSING and gap < 14 and before.is_number


def _is_multiple(row: Row) -> bool:
    """Whether a row holds several cells, and is not a list item or two columns of prose."""
    if len(row) < 2:
        return False
    first, second = row[0], row[1]
    if len(row) == 2 and MARKER.match(first.text) and first.word_count == 1:
        return second.is_number
    if all(line.mono for line in row):
        return False
    return not (len(row) == 2 and first.word_count >= 6 and second.word_count >= 6)


def _top(row: Iterable[Line]) -> float:
    return min(line.box.top for line in row)


def _bottom(row: Iterable[Line]) -> float:
    return max(line.box.bottom for line in row)


def _end_of_run(rows: Sequence[Row], start: int, height: float) -> int:
    """The last row of the run of table-like rows that begins at ``start``."""
    last = start
    for at in range(start + 1, len(rows)):
        if _top(rows[at]) - _bottom(rows[at - 1]) > 3.2 * height:
            break
        if _is_multiple(rows[at]):
            last = at
        elif _is_label_above(rows[at], rows[at + 1 : at + 2], rows[last], height):
            continue
        else:
            most = MOST_LABELS if _are_labels(rows[last : at + 1]) else MOST_LONE
            if at - last > most or _is_prose(rows[at][0], rows[start : last + 1]):
                break
    return last


def _are_labels(rows: Sequence[Row]) -> bool:
    """Whether lone lines after a row of figures are labels of those that follow."""
    return all(_is_label(row, rows[0]) for row in rows[1:])


def _is_label(row: Row, before: Row) -> bool:
    """Whether a lone line stands over the labels of a row of figures, and is as short as they."""
    line, edge = row[0], before[0].box
    over = edge.left - 10 <= line.box.left and line.box.right < before[1].box.left
    note = MARKER.match(line.text) is not None or line.word_count > 9
    return over and before[-1].is_number and not note


def _is_label_above(row: Row, below: Sequence[Row], before: Row, height: float) -> bool:
    """Whether a long lone line is the first of a label whose last has the row's figures.

    They end where those of the row ``before`` do.
    """
    if not below or len(row) > 1 or len(below[0]) < 2 or not below[0][-1].is_number:
        return False
    near = _top(below[0]) - _bottom(row) < 0.4 * height
    flush = abs(below[0][0].box.left - row[0].box.left) < height
    return near and flush and abs(below[0][-1].box.right - before[-1].box.right) < height / 2


def _is_prose(line: Line, rows: Sequence[Row]) -> bool:
    """Whether a lone line is too wide or wordy to be a row's label, or leads to another table."""
    if line.word_count >= 8 and _LEADS.search(line.text):
        return True
    box = around(other.box for row in rows for other in row)
    wide = line.width > 0.72 * (box.right - box.left) and line.word_count > 9
    return wide or line.word_count > 22


def _table(
    rows: Sequence[Row], start: int, last: int, height: float, rules: Sequence[Box]
) -> Found | None:
    while last - start > 1 and _names_again(rows[start + 1], rows[start]):
        start += 1
    body = rows[start : last + 1]
    if not _looks_like_table(body, height, rules):
        return None
    first = _first_header_row(rows, start, body, height)
    kept = rows[first : last + 1]
    box = around(line.box for row in kept for line in row)
    near = [rule for rule in rules if _touches(rule, box, 4)]
    index = _is_index([row for row in body if _is_multiple(row)])
    lines = tuple(line for row in kept for line in row)
    return Found(lines, aligned_grid(kept, near, index=index))


def table_of(lines: Sequence[Line], rules: Sequence[Box], *, index: bool) -> Found | None:
    """The table that lines make which are known to be one; None where they are one column or row.

    Lone lines over it that name it, or say what its figures are in, are not of it.
    """
    rows = [_attached(row) for row in rows_of(_figures_parted(lines))]
    while rows and len(rows[0]) == 1 and is_caption(rows[0][0].text):
        del rows[0]
    if len(rows) < 2:
        return None
    box = around(line.box for row in rows for line in row)
    near = [rule for rule in rules if _touches(rule, box, 4)]
    contents = index or _is_index([row for row in rows if _is_multiple(row)])
    grid = aligned_grid(rows, near, index=contents)
    lines = [line for row in rows for line in row]
    return Found(tuple(lines), grid) if grid.rows > 1 and grid.columns > 1 else None


def is_caption(text: str) -> bool:
    """Whether a line over a table names it, or says what its figures are in."""
    return CAPTION.match(text) is not None or is_units(text)


def is_units(text: str) -> bool:
    """Whether a line says what a table's figures are in, and no more.

    >>> is_units("(Dollars in millions, except per share data)"), is_units("Sales in dollars rose")
    (True, False)
    """
    return len(text) <= 110 and UNITS.match(text) is not None and not text.endswith(".")


def _touches(rule: Box, box: Box, margin: float) -> bool:
    return (
        rule.left < box.right + margin
        and rule.right > box.left - margin
        and rule.top < box.bottom + margin
        and rule.bottom > box.top - margin
    )


def _looks_like_table(body: Sequence[Row], height: float, rules: Sequence[Box]) -> bool:
    multiple = [row for row in body if _is_multiple(row)]
    values = [line for row in multiple for line in row[1:]]
    numeric = sum(line.is_number for line in values) / max(len(values), 1)
    wordy = sum(line.word_count > 9 for line in values) / max(len(values), 1)
    box = around(line.box for row in body for line in row)
    ruled = sum(_is_level(rule) and _touches(rule, box, height) for rule in rules)
    aligned = _aligned_edges(multiple)
    if wordy > 0.5 and numeric < 0.2 and ruled < 3:
        return False
    if len(multiple) >= 3:
        return numeric > 0.3 or ruled >= 2 or (wordy < 0.25 and aligned >= 2)
    return len(multiple) == 2 and (numeric > 0.5 or ruled >= 2) and aligned >= 2


def _is_level(rule: Box) -> bool:
    return rule.right - rule.left > rule.bottom - rule.top


def _aligned_edges(rows: Sequence[Row]) -> int:
    """How many left or right edges are shared by four rows in ten (at least two)."""
    edges: Counter[tuple[str, int]] = Counter()
    for row in rows:
        for line in row:
            edges["left", round(line.box.left / 6)] += 1
            edges["right", round(line.box.right / 6)] += 1
    return sum(count >= max(2, 0.4 * len(rows)) for count in edges.values())


def _first_header_row(rows: Sequence[Row], start: int, body: Sequence[Row], height: float) -> int:
    """Where the table begins: lines over its columns of numbers are headers of it."""
    box = around(line.box for row in body for line in row)
    labels_end = min(row[0].box.right for row in body if _is_multiple(row))
    over_labels = min(labels_end - 5, box.left + (box.right - box.left) / 4)
    first = start
    while first > 0:
        row = rows[first - 1]
        far = _top(rows[first]) - _bottom(row) > 1.3 * height
        aside = row[0].box.left < over_labels or not all(map(_is_head, row))
        if far or aside or not (len(row) == 1 or _are_groups(row, body)):
            break
        first -= 1
    return first


def _names_again(row: Row, above: Row) -> bool:
    """Whether a row says what the one above it does, which is then the axis of a chart."""
    return len(row) > 1 and [line.text for line in row] == [line.text for line in above]


def _are_groups(row: Row, body: Sequence[Row]) -> bool:
    """Whether each line of a row stands over several cells of a table."""
    return all(any(_meets_several(line.box, other[1:]) for other in body) for line in row)


def _meets_several(box: Box, row: Sequence[Line]) -> bool:
    cells = (line.box for line in row)
    return sum(cell.left < box.right and cell.right > box.left for cell in cells) > 1


def _is_head(line: Line) -> bool:
    named = CAPTION.match(line.text) or is_units(line.text)
    return line.word_count <= 12 and not named


def _is_index(rows: Sequence[Row]) -> bool:
    """Whether rows are a table of contents: they end in page numbers that rise."""
    last = [row[-1].text for row in rows]
    pages = [int(text) for text in last if text.isdigit() and len(text) <= 3]
    return len(rows) > 3 and len(pages) > 0.8 * len(rows) and pages == sorted(pages)
