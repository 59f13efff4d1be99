"""Tables by geometry: which lines of a page are a table, and what its rows and columns are.

Nothing here knows Docling or PDFs: lines and rules go in, grids come out. A table shows itself by
rows of several lines that stand under one another, by numbers, and by rules.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from docqa.ingest.words import MARKER, NUMBER, Line, around, line_of, rows_of
from docqa.types import Box

YEAR = re.compile(r"^(fy\s*)?['’]?(19|20)\d\d[ae]?(\s*\(?[a-z0-9]\)?)?$", re.IGNORECASE)
LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
CURRENCY = {"$", "€", "£", "¥", "US$", "($", "(", "$("}
CLOSING = {"%", ")", "%)", ")%", "x", "pts", "bps", "*"}
_COUNTED = re.compile(r"\d")

Row = list[Line]


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
    """A table: its cells in reading order, its box, and whether it is a table of contents."""

    cells: tuple[GridCell, ...]
    rows: int
    columns: int
    box: Box
    index: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A table as found on the page: its rows of lines, before columns are known."""

    rows: tuple[tuple[Line, ...], ...]
    box: Box
    rules: tuple[Box, ...] = ()
    index: bool = False


def find_tables(lines: Sequence[Line], rules: Sequence[Box]) -> list[Found]:
    """The tables among the lines of one column of a page, top to bottom."""
    rows = [_attached(row) for row in rows_of(_currency_parted(lines))]
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


def _currency_parted(lines: Iterable[Line]) -> list[Line]:
    """Lines with a trailing "$" parted off: it belongs to the next number."""
    parted: list[Line] = []
    for line in lines:
        if len(line.words) > 1 and line.words[-1].text in {"$", "€", "£"}:
            parted += [line_of(line.words[:-1]), line_of(line.words[-1:])]
        else:
            parted.append(line)
    return parted


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
        return gap < 60 and (line.is_number or NUMBER.match(line.text.strip("()%$ ")) is not None)
    return line.text in CLOSING and gap < 14 and before.is_number


def _is_multiple(row: Row) -> bool:
    """Whether a row holds several cells, and is not a list item or two columns of prose."""
    if len(row) < 2:
        return False
    first, second = row[0], row[1]
    if len(row) == 2 and MARKER.match(first.text) and first.word_count == 1:
        return second.is_number
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
        elif at - last > 4 or _is_prose(rows[at][0], rows[start : last + 1]):
            break
    return last


def _is_prose(line: Line, rows: Sequence[Row]) -> bool:
    """Whether a lone line is too wide or wordy to be a row's label."""
    box = around(other.box for row in rows for other in row)
    wide = line.width > 0.72 * (box.right - box.left) and line.word_count > 9
    return wide or line.word_count > 22


def _table(
    rows: Sequence[Row], start: int, last: int, height: float, rules: Sequence[Box]
) -> Found | None:
    body = rows[start : last + 1]
    if not _looks_like_table(body, height, rules):
        return None
    first = _first_header_row(rows, start, body, height)
    kept = rows[first : last + 1]
    box = around(line.box for row in kept for line in row)
    return Found(
        rows=tuple(tuple(row) for row in kept),
        box=box,
        rules=tuple(rule for rule in rules if _touches(rule, box, 4)),
        index=_is_index([row for row in body if _is_multiple(row)]),
    )


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
    """Where the table begins: lone lines over its columns of numbers are headers of it."""
    box = around(line.box for row in body for line in row)
    labels_end = min(row[0].box.right for row in body if _is_multiple(row))
    first = start
    while first > 0:
        row = rows[first - 1]
        line = row[0]
        far = _top(rows[first]) - _bottom(row) > 1.3 * height
        over_labels = (
            line.box.left < labels_end - 5 and line.box.left < box.left + (box.right - box.left) / 4
        )
        if far or len(row) != 1 or over_labels or line.word_count > 12:
            break
        first -= 1
    return first


def _is_index(rows: Sequence[Row]) -> bool:
    """Whether rows are a table of contents: dot leaders, or page numbers that rise."""
    leaders = sum(LEADER.search(line.text) is not None for row in rows for line in row)
    if leaders >= max(2, 0.3 * len(rows)):
        return True
    last = [row[-1].text for row in rows]
    pages = [int(text) for text in last if text.isdigit() and len(text) <= 3]
    return len(rows) > 6 and len(pages) > 0.8 * len(rows) and pages == sorted(pages)


@dataclass(slots=True)
class _Cell:
    """A cell while columns and rows are being settled (``last`` is its last column)."""

    first: int
    last: int
    text: str
    box: Box


def grid_of(found: Found) -> Grid:
    """The rows and columns of a table."""
    rows = [list(row) for row in found.rows if row]
    columns = _columns(rows)
    placed = [_placed(row, columns) for row in rows]
    height = median(line.size for row in rows for line in row)
    merged = _banded(_wrapped(placed, found, height), found)
    headers = _header_rows(merged)
    cells = [
        GridCell(cell.text, cell.box, at, cell.first, at + 1, cell.last + 1, at < headers)
        for at, row in enumerate(merged)
        for cell in row
    ]
    return Grid(tuple(cells), len(merged), max(len(columns), 1), found.box, found.index)


def _core_left(line: Line) -> float:
    """Where a cell begins for alignment: a currency sign stands apart from its number."""
    signed = len(line.words) > 1 and line.words[0].text in CURRENCY
    return line.words[1].box.left if signed else line.box.left


def _overlap(column: tuple[float, float], line: Line) -> float:
    return min(column[1], line.box.right) - max(column[0], _core_left(line))


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """The columns' left and right edges, grown from the fullest rows first."""
    columns: list[tuple[float, float]] = []
    fullest = sorted(rows, key=lambda row: (-len(row), sum(line.width for line in row)))
    for row in fullest:
        if len(row) < 2 and len(columns) >= 2:
            continue
        for line in row:
            if line.text not in CURRENCY:
                columns = _grown(columns, line)
    return _complementary_merged(sorted(columns), rows)


def _grown(columns: list[tuple[float, float]], line: Line) -> list[tuple[float, float]]:
    """Columns with a line taken in: a new one, or the one it meets made wide enough."""
    met = [column for column in columns if _overlap(column, line) > 0]
    if not met:
        return [*columns, (_core_left(line), line.box.right)]
    if len(met) > 1:
        return columns
    wider = (min(met[0][0], _core_left(line)), max(met[0][1], line.box.right))
    others = [column for column in columns if column is not met[0]]
    if any(min(other[1], wider[1]) > max(other[0], wider[0]) for other in others):
        return columns
    return [*others, wider]


def _complementary_merged(
    columns: list[tuple[float, float]], rows: Sequence[Row]
) -> list[tuple[float, float]]:
    """Neighbours that are never both filled in one row are one column (a header over numbers)."""
    height = median(line.size for row in rows for line in row)
    at = 1
    while at < len(columns) - 1:
        pair = columns[at], columns[at + 1]
        close = pair[1][0] - pair[0][1] < 4 * height
        if close and not any(_fills_both(row, *pair) for row in rows):
            columns[at : at + 2] = [(pair[0][0], pair[1][1])]
        else:
            at += 1
    return columns


def _fills_both(row: Row, one: tuple[float, float], other: tuple[float, float]) -> bool:
    inside = [line for line in row if _overlap(one, line) > 0 or _overlap(other, line) > 0]
    return len(inside) > 1


def _placed(row: Row, columns: Sequence[tuple[float, float]]) -> list[_Cell]:
    """A row's cells in their columns; lines that share a column are one cell."""
    cells: list[_Cell] = []
    for line in row:
        first, last = _columns_of(line, columns)
        if cells and cells[-1].last >= first:
            _join(cells[-1], _Cell(first, last, line.text, line.box))
        else:
            cells.append(_Cell(first, last, line.text, line.box))
    return cells


def _columns_of(line: Line, columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    width = line.box.right - _core_left(line)
    met = [
        at
        for at, column in enumerate(columns)
        if _overlap(column, line) > 0.25 * min(column[1] - column[0], width)
    ]
    if not met:
        middle = (line.box.left + line.box.right) / 2
        by_distance: Callable[[int], float] = lambda at: abs(sum(columns[at]) / 2 - middle)  # noqa: E731
        met = [min(range(len(columns)), key=by_distance)] if columns else [0]
    return met[0], met[-1]


def _join(cell: _Cell, other: _Cell) -> None:
    cell.last = max(cell.last, other.last)
    broken = cell.text.endswith("-") and other.text[:1].islower()
    cell.text = cell.text[:-1] + other.text if broken else f"{cell.text} {other.text}"
    cell.box = around([cell.box, other.box])


def _wrapped(rows: list[list[_Cell]], found: Found, height: float) -> list[list[_Cell]]:
    """Rows with those that only carry on the row above joined to it."""
    merged: list[list[_Cell]] = []
    for row in rows:
        if merged and _carries_on(merged[-1], row, found, height):
            _join_rows(merged[-1], row)
        else:
            merged.append(row)
    return merged


def _row_box(row: Sequence[_Cell]) -> Box:
    return around(cell.box for cell in row)


def _carries_on(above: list[_Cell], row: list[_Cell], found: Found, height: float) -> bool:
    top, bottom = _row_box(row).top, _row_box(above).bottom
    if top - bottom > 0.45 * height:
        return False
    level = [rule for rule in found.rules if _is_level(rule)]
    if any(bottom - 2 <= rule.top <= top + 2 for rule in level):
        return False
    alone, above_alone = _is_label_only(row), _is_label_only(above)
    lower_case = row[0].first == 0 and row[0].text[:1].islower()
    if lower_case and (alone or above_alone):
        return above[0].first == 0
    return len(level) >= 3 and not alone and _is_within(above, row)


def _is_label_only(row: Sequence[_Cell]) -> bool:
    return len(row) == 1 and row[0].first == row[0].last == 0


def _is_within(above: Sequence[_Cell], row: Sequence[_Cell]) -> bool:
    """Whether a row of words, with no label, fills only columns that the row above fills."""
    columns = {cell.first for cell in row}
    worded = not any(NUMBER.match(cell.text) for cell in row)
    figures = any(NUMBER.match(cell.text) and not YEAR.match(cell.text) for cell in above)
    return worded and not figures and 0 not in columns and columns <= {c.first for c in above}


def _join_rows(above: list[_Cell], row: Iterable[_Cell]) -> None:
    for cell in row:
        same = next((c for c in above if (c.first, c.last) == (cell.first, cell.last)), None)
        if same:
            _join(same, cell)
        else:
            above.append(cell)
            above.sort(key=lambda c: c.first)


def _banded(rows: list[list[_Cell]], found: Found) -> list[list[_Cell]]:
    """Rows that lie between the same two full-width rules, joined, where every row has rules."""
    width = found.box.right - found.box.left
    level = sorted(
        rule.top
        for rule in found.rules
        if _is_level(rule) and _clipped_width(rule, found.box) > 0.85 * width
    )
    if len(level) < 3:
        return rows
    bands: dict[int, list[list[_Cell]]] = {}
    for row in rows:
        middle = (_row_box(row).top + _row_box(row).bottom) / 2
        bands.setdefault(sum(top < middle for top in level), []).append(row)
    if len(bands) < 3 or max(len(band) for band in bands.values()) > 12:
        return rows
    return [row for at in sorted(bands) for row in _one_row(bands[at])]


def _clipped_width(rule: Box, box: Box) -> float:
    return min(rule.right, box.right) - max(rule.left, box.left)


def _one_row(band: list[list[_Cell]]) -> list[list[_Cell]]:
    """The rows of a band as one, unless several are rows of figures or columns would collide."""
    figures = sum(sum(NUMBER.match(c.text) is not None for c in row) >= 2 for row in band)
    columns = sorted({(cell.first, cell.last) for row in band for cell in row})
    collide = any(one[1] >= two[0] for one, two in itertools.pairwise(columns))
    if len(band) == 1 or figures > 1 or collide:
        return band
    joined: list[_Cell] = [replace(cell) for cell in band[0]]
    for row in band[1:]:
        _join_rows(joined, row)
    return [joined]


def _header_rows(rows: Sequence[Sequence[_Cell]]) -> int:
    """How many rows at the top name the columns: those before the first figure (at most 5)."""
    headers = 0
    for row in rows:
        values = [cell for cell in row if cell.first > 0]
        if any(_is_figure(cell.text) for cell in values) or (headers and not values):
            break
        headers += 1
    return min(headers if headers < len(rows) else 1, 5)


def _is_figure(text: str) -> bool:
    return bool(NUMBER.match(text) and _COUNTED.search(text) and not YEAR.match(text))
