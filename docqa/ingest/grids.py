"""Rows of lines to a grid: which columns there are, what each cell says, which rows are headers.

Pure geometry. Columns come from what stands under one another (:func:`aligned_grid`) or from
rules (:func:`ruled_grid`); a row that is printed on several lines is one row again.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from docqa.ingest.lattice import Lattice, Span
from docqa.ingest.words import NUMBER, Line, Word, around, cell_text, line_of, rows_of
from docqa.types import Box

YEAR = re.compile(r"^(fy\s*)?['’]?(19|20)\d\d[ae]?(\s*\(?[a-z0-9]\)?)?$", re.IGNORECASE)
PERIOD = re.compile(
    r"^(?:q[1-4]|[1-4]q|h[12]|fy)[\s'’]*\d{2,4}\b|^\d{1,2}/\d{1,2}/\d{2,4}$"
    r"|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:\d{1,2},?\s*)?(?:\d{2,4})?",
    re.IGNORECASE,
)
CURRENCY = {"$", "€", "£", "¥", "US$", "($", "(", "$("}
_COUNTED = re.compile(r"\d")
_OPEN_END = re.compile(
    r"(?:[,–—-]|\b(?:of|and|the|to|in|for|from|by|on|or|with|per|a|an|at|as|than|before))$"
)
MOST_HEADERS = 5
MANY_WORDS = 60  # in one cell: text set in a box, not an entry

Columns = Sequence[tuple[float, float]]


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
    """A table: its cells row by row, its box, and whether it is a table of contents."""

    cells: tuple[GridCell, ...]
    rows: int
    columns: int
    box: Box
    index: bool = False


@dataclass(slots=True)
class Piece:
    """A cell while columns and rows are being settled. ``last`` is its last column."""

    first: int
    last: int
    text: str
    box: Box
    bold: bool = False
    down: int = 1  # rows it covers


Pieces = list[Piece]


def aligned_grid(rows: Sequence[Sequence[Line]], rules: Sequence[Box], *, index: bool) -> Grid:
    """The grid of rows whose cells are held together by alignment."""
    lines = [line for row in rows for line in row]
    box = around(line.box for line in lines)
    levels = [rule for rule in rules if _is_level(rule)]
    columns = _columns(rows)
    height = median(line.size for line in lines)
    placed = [_placed(_parted_at(row, columns), columns) for row in rows]
    settled = unwrapped(_banded(placed, levels, box), levels, box=box, height=height)
    headers = header_rows(settled)
    for row in settled[:headers]:
        _spread(row, columns, levels, height)
    for row, below in pairwise(settled[:headers]):
        _repeated(row, below)
    settled = _stacked(settled, headers, height)
    return grid_of(settled, len(columns), box, headers=header_rows(settled), index=index)


def ruled_grid(lattice: Lattice, words: Sequence[Word]) -> Grid | None:
    """The grid that rules draw around words; None where what they enclose is no table."""
    held: dict[Span, list[Word]] = {span: [] for span in lattice.spans}
    for word in words:
        span = _span_at(lattice, word.box)
        if span:
            held[span].append(word)
    filled = {span: rows_of(words) for span, words in held.items() if words}
    if not _is_tabular(lattice, filled):
        return None
    rows = [row for at in range(len(lattice.ys) - 1) for row in _band(lattice, filled, at)]
    columns = len(lattice.xs) - 1
    box = around(word.box for words in held.values() for word in words)
    return grid_of(rows, columns, box, headers=header_rows(rows), index=False)


def grid_of(rows: Sequence[Pieces], columns: int, box: Box, *, headers: int, index: bool) -> Grid:
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
            column_end=place[piece.first] + sum(piece.first <= c <= piece.last for c in used),
            header=at < headers,
        )
        for at, row in enumerate(rows)
        for piece in row
    ]
    return Grid(tuple(cells), len(rows), max(len(used), 1) if used else columns, box, index)


def _is_level(rule: Box) -> bool:
    return rule.right - rule.left > rule.bottom - rule.top


# Columns by alignment


def _core_left(line: Line) -> float:
    """Where a cell begins for alignment: a currency sign stands apart from its number."""
    signed = len(line.words) > 1 and line.words[0].text in CURRENCY
    return line.words[1].box.left if signed else line.box.left


def _overlap(column: tuple[float, float], line: Line) -> float:
    return min(column[1], line.box.right) - max(column[0], _core_left(line))


def _columns(rows: Sequence[Sequence[Line]]) -> list[tuple[float, float]]:
    """The columns' left and right edges, grown from the fullest rows first."""
    columns: list[tuple[float, float]] = []
    for row in sorted(rows, key=lambda row: (-len(row), sum(line.width for line in row))):
        if len(row) < 2 and len(columns) >= 2:
            continue
        for line in row:
            if line.text not in CURRENCY:
                columns = _grown(columns, line)
    return _complementary_merged(_labels_merged(sorted(columns), rows), rows)


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


def _labels_merged(
    columns: list[tuple[float, float]], rows: Sequence[Sequence[Line]]
) -> list[tuple[float, float]]:
    """Labels set in by different depths, never two in a row, as the one column they are."""
    while len(columns) > 2 and columns[1][0] - columns[0][1] < 40:
        pair = columns[0], columns[1]
        figures = any(line.is_number for row in rows for line in row if _overlap(pair[1], line) > 0)
        if figures or any(_fills_both(row, *pair) for row in rows):
            break
        columns = [(pair[0][0], pair[1][1]), *columns[2:]]
    return columns


def _complementary_merged(
    columns: list[tuple[float, float]], rows: Sequence[Sequence[Line]]
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


def _fills_both(row: Sequence[Line], one: tuple[float, float], other: tuple[float, float]) -> bool:
    inside = [line for line in row if _overlap(one, line) > 0 or _overlap(other, line) > 0]
    return len(inside) > 1


def _placed(row: Sequence[Line], columns: Columns) -> Pieces:
    """A row's cells in their columns; lines that share a column are one cell."""
    pieces: Pieces = []
    for line in row:
        first, last = _columns_of(line, columns)
        piece = Piece(first, last, cell_text(line.text), line.box, line.bold)
        if pieces and pieces[-1].last >= first:
            _join(pieces[-1], piece)
        else:
            pieces.append(piece)
    return pieces


def _parted_at(row: Sequence[Line], columns: Columns) -> list[Line]:
    """A row's lines, those parted that run over two columns with their widest gap between them."""
    parted: list[Line] = []
    for line in row:
        first, last = _columns_of(line, columns)
        at = _widest_gap(line) if last == first + 1 else 0
        if at:
            left, right = line_of(line.words[:at]), line_of(line.words[at:])
            own = _columns_of(left, columns) == (first, first)
            if own and _columns_of(right, columns) == (last, last):
                parted += [left, right]
                continue
        parted.append(line)
    return parted


def _widest_gap(line: Line) -> int:
    """The word that the one clearly widest gap of a line stands before; 0 for none such."""
    gaps = [
        (two.box.left - one.box.right, at + 1) for at, (one, two) in enumerate(pairwise(line.words))
    ]
    ordered = sorted(gaps, reverse=True)
    if not ordered or ordered[0][0] < 0.45 * line.size:
        return 0
    return ordered[0][1] if len(ordered) < 2 or ordered[0][0] > 1.3 * ordered[1][0] else 0


def _columns_of(line: Line, columns: Columns) -> tuple[int, int]:
    width = line.box.right - _core_left(line)
    met = [
        at
        for at, column in enumerate(columns)
        if _overlap(column, line) > 0.25 * min(column[1] - column[0], width)
    ]
    if not met:
        middle = (line.box.left + line.box.right) / 2
        distances = [abs((left + right) / 2 - middle) for left, right in columns]
        met = [distances.index(min(distances))] if distances else [0]
    return met[0], met[-1]


def _join(piece: Piece, other: Piece) -> None:
    piece.first, piece.last = min(piece.first, other.first), max(piece.last, other.last)
    piece.text = joined_text(piece.text, other.text)
    piece.box = around([piece.box, other.box])


def joined_text(above: str, below: str) -> str:
    """Two lines of a cell as one text; a hyphen that broke a word goes.

    >>> joined_text("amorti-", "sation"), joined_text("Level-", "2 assets")
    ('amortisation', 'Level-2 assets')
    """
    if re.search(r"\w-$", above):
        return above[:-1] + below if below[:1].islower() else above + below
    return f"{above} {below}".strip()


# Rows printed on several lines


def unwrapped(
    rows: Sequence[Pieces], levels: Sequence[Box], *, box: Box, height: float
) -> list[Pieces]:
    """Rows with those that only carry on the row above, or lead to the one below, joined to it."""
    wide = [r for r in levels if _clipped_width(r, box) > 0.5 * (box.right - box.left)]
    spacing = _Spacing.of(rows, height)
    joins = [
        not _parted(one, two, wide) and _goes_on(one, two, spacing) for one, two in pairwise(rows)
    ]
    _settle(joins, rows)
    settled: list[Pieces] = [list(row) for row in rows[:1]]
    for joined, row in zip(joins, rows[1:], strict=True):
        if joined:
            _join_rows(settled[-1], row)
        else:
            settled.append(list(row))
    return settled


def _banded(rows: Sequence[Pieces], levels: Sequence[Box], box: Box) -> list[Pieces]:
    """Rows between two rules across the table as one row, where most rows stand between rules."""
    wide = sorted(r.top for r in levels if _clipped_width(r, box) > 0.85 * (box.right - box.left))
    bands: dict[int, list[Pieces]] = {}
    for row in rows:
        middle = (_row_box(row).top + _row_box(row).bottom) / 2
        bands.setdefault(sum(top < middle for top in wide), []).append(row)
    several = sum(_several(band) for band in bands.values())
    if len(wide) < 3 or len(bands) < 3 or several > 0.2 * len(bands):
        return list(rows)
    return [row for at in sorted(bands) for row in _one_row(bands[at])]


def _several(band: Sequence[Pieces]) -> bool:
    """Whether a band holds more than one row of figures, or far too many lines for one row."""
    return sum(_has_figures(row) for row in band) > 1 or len(band) > 12


def _one_row(band: Sequence[Pieces]) -> list[Pieces]:
    if len(band) == 1 or _several(band):
        return list(band)
    joined = list(band[0])
    for row in band[1:]:
        _join_rows(joined, row)
    return [joined]


def _clipped_width(rule: Box, box: Box) -> float:
    return min(rule.right, box.right) - max(rule.left, box.left)


def _row_box(row: Sequence[Piece]) -> Box:
    return around(piece.box for piece in row)


def _gap(one: Sequence[Piece], two: Sequence[Piece]) -> float:
    return _row_box(two).top - _row_box(one).bottom


@dataclass(frozen=True, slots=True)
class _Spacing:
    """How far apart a table's lines stand, in points.

    ``usual`` is the gap between neighbouring rows of figures (0 for none such), ``least`` the
    smallest gap between any two lines, ``height`` that of the letters.
    """

    usual: float
    least: float
    height: float

    @classmethod
    def of(cls, rows: Sequence[Pieces], height: float) -> "_Spacing":
        gaps = [(_gap(one, two), one, two) for one, two in pairwise(rows)]
        figures = [
            gap
            for gap, one, two in gaps
            if _has_figures(one) and _has_figures(two) and gap < 3 * height
        ]
        least = min((max(gap, 0.0) for gap, _, _ in gaps), default=0.0)
        return cls(median(figures) if figures else 0.0, least, height)

    def is_tight(self, gap: float) -> bool:
        """Whether a gap is that of lines within a row: far less than between rows."""
        within = gap < 0.6 * self.usual and gap < self.least + 0.15 * self.height
        return self.usual > 0 and within and self.usual - gap > 1


def _has_figures(row: Iterable[Piece]) -> bool:
    return any(piece.first > 0 and NUMBER.match(piece.text) for piece in row)


def _parted(one: Sequence[Piece], two: Sequence[Piece], levels: Sequence[Box]) -> bool:
    above, below = _row_box(one).bottom, _row_box(two).top
    return any(min(above, below) - 2 <= rule.top <= max(above, below) + 2 for rule in levels)


def _is_label(row: Sequence[Piece]) -> bool:
    return len(row) == 1 and row[0].first == row[0].last == 0


def _goes_on(one: Pieces, two: Pieces, spacing: _Spacing) -> bool:
    """Whether two rows are one, printed on two lines."""
    gap, height = _gap(one, two), spacing.height
    if gap > max(0.45 * height, spacing.usual):
        return False
    if one[0].first == two[0].first == 0 and (_is_label(one) or _is_label(two)):
        return _label_goes_on(one[0], two[0], gap, spacing)
    if _has_figures(two) or _has_figures(one) or two[0].first == 0:
        # Figures set half a line off their label's lines overlap them.
        return gap < -0.25 * height and (_is_label(one) or _is_label(two))
    unknown = not spacing.usual and gap < 0.35 * height
    return _is_within(one, two) and (spacing.is_tight(gap) or unknown)


def _label_goes_on(one: Piece, two: Piece, gap: float, spacing: _Spacing) -> bool:
    if one.text.endswith(":") or one.bold != two.bold:
        return False
    goes_on = two.text[:1].islower() or _OPEN_END.search(one.text) is not None
    return goes_on or spacing.is_tight(gap)


def _is_within(one: Sequence[Piece], two: Sequence[Piece]) -> bool:
    """Whether a row fills only columns that the row above fills."""
    return {piece.first for piece in two} <= {piece.first for piece in one}


def _settle(joins: list[bool], rows: Sequence[Pieces]) -> None:
    """A label between two rows of figures goes with the nearer; ties with the one above."""
    for at in range(1, len(joins)):
        between = _is_label(rows[at]) and len(rows[at - 1]) > 1 and len(rows[at + 1]) > 1
        if joins[at - 1] and joins[at] and between:
            above, below = _gap(rows[at - 1], rows[at]), _gap(rows[at], rows[at + 1])
            starts_low = rows[at][0].text[:1].islower()
            joins[at if (above <= below + 0.5 and starts_low) or above < below else at - 1] = False


def _join_rows(above: Pieces, row: Iterable[Piece]) -> None:
    for piece in row:
        same = next((p for p in above if p.first <= piece.last and piece.first <= p.last), None)
        if same:
            _join(same, piece)
        else:
            above.append(piece)
            above.sort(key=lambda p: p.first)


# Headers


def header_rows(rows: Sequence[Sequence[Piece]]) -> int:
    """How many rows at the top name the columns: those before the first figure (at most 5)."""
    headers = 0
    for row in rows[: MOST_HEADERS + 1]:
        values = [piece for piece in row if piece.first > 0]
        if any(is_figure(piece.text) for piece in values) or (headers and not values):
            break
        headers += 1
    if headers == len(rows) or headers > MOST_HEADERS:
        return int(_names_columns(rows))
    return headers


def _names_columns(rows: Sequence[Sequence[Piece]]) -> bool:
    """Whether the first row of a table without figures names its columns."""
    if len(rows) < 2:
        return False
    first, rest = rows[0], [piece for row in rows[1:] for piece in row]
    if all(piece.bold for piece in first):
        return not all(piece.bold for piece in rest)
    short = all(len(piece.text.split()) <= 6 for piece in first)
    return short and len(first) >= 2 and not first[0].text.endswith(":")


def is_figure(text: str) -> bool:
    """Whether a cell is an amount: a number that is no year."""
    return bool(NUMBER.match(text) and _COUNTED.search(text) and not YEAR.match(text))


def _spread(row: Pieces, columns: Columns, levels: Sequence[Box], height: float) -> None:
    """Header cells stretched over their columns: those of the rule below, else the middle of."""
    for piece in row:
        rule = _underline(piece, levels, height)
        if rule and piece.first > 0:
            met = [at for at, c in enumerate(columns) if _shared(c, rule) > 0.5 * (c[1] - c[0])]
            others = {at for p in row if p is not piece for at in range(p.first, p.last + 1)}
            if met and not others & set(met):
                piece.first, piece.last = min(met), max(met)
    if row and not any(_underline(piece, levels, height) for piece in row):
        _centred(row, columns)


def _shared(column: tuple[float, float], rule: Box) -> float:
    return min(column[1], rule.right) - max(column[0], rule.left)


def _underline(piece: Piece, levels: Sequence[Box], height: float) -> Box | None:
    """The rule just below a cell that holds the whole of its width."""
    for rule in levels:
        below = -2 <= rule.top - piece.box.bottom <= 0.8 * height
        if below and rule.left <= piece.box.left + 2 and rule.right >= piece.box.right - 2:
            return rule
    return None


def _centred(row: Pieces, columns: Columns) -> None:
    """Few header cells over many columns: each takes those it is the middle of."""
    cells = [piece for piece in row if piece.first > 0]
    if not cells or len(cells) >= len(columns) - 1:
        return
    groups: list[list[int]] = [[] for _ in cells]
    for at in range(1, len(columns)):
        middle = sum(columns[at]) / 2
        distances = [abs(_middle(piece.box) - middle) for piece in cells]
        groups[distances.index(min(distances))].append(at)
    fits = (
        len(group) == 1 or (group and _is_middle(piece, group, columns))
        for piece, group in zip(cells, groups, strict=True)
    )
    if all(fits):
        for piece, group in zip(cells, groups, strict=True):
            piece.first, piece.last = group[0], group[-1]


def _repeated(row: Pieces, below: Sequence[Piece]) -> None:
    """Header cells over columns whose names repeat ("2022 2021 2022 2021"), one for each round."""
    cells = [piece for piece in row if piece.first > 0]
    names = [piece.text for piece in below if piece.first > 0]
    single = all(piece.first == piece.last for piece in below)
    if len(cells) < 2 or len(names) % len(cells) or len(names) == len(cells) or not single:
        return
    length = len(names) // len(cells)
    rounds = [names[at : at + length] for at in range(0, len(names), length)]
    if any(one != rounds[0] for one in rounds):
        return
    places = [piece.first for piece in below if piece.first > 0]
    for at, piece in enumerate(cells):
        piece.first, piece.last = places[at * length], places[(at + 1) * length - 1]


def _middle(box: Box) -> float:
    return (box.left + box.right) / 2


def _is_middle(piece: Piece, group: Sequence[int], columns: Columns) -> bool:
    left, right = columns[group[0]][0], columns[group[-1]][1]
    return abs(_middle(piece.box) - (left + right) / 2) < 0.15 * (right - left) + 4


def _stacked(rows: list[Pieces], headers: int, height: float) -> list[Pieces]:
    """Header rows whose cells stand exactly under those above, as one row."""
    result: list[Pieces] = []
    for at, row in enumerate(rows):
        if result and at < headers and _stacks(result[-1], row, height):
            _join_rows(result[-1], row)
        else:
            result.append(row)
    return result


def _stacks(above: Pieces, row: Pieces, height: float) -> bool:
    if _gap(above, row) > 0.6 * height:
        return False
    single = all(piece.first == piece.last for piece in [*above, *row])
    named = sum(piece.first > 0 for piece in above)
    return single and named > 0 and not any(YEAR.match(piece.text) for piece in above)


# Cells by rules


def _span_at(lattice: Lattice, box: Box) -> Span | None:
    """The cell of a lattice that a word's middle is in."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    for span in lattice.spans:
        cell = lattice.box_of(span)
        if cell.left <= x < cell.right and cell.top <= y < cell.bottom:
            return span
    return None


Filled = dict[Span, list[list[Word]]]


def _is_tabular(lattice: Lattice, filled: Filled) -> bool:
    """Whether enough cells hold something, in two columns or more, and few hold whole texts."""
    if len(filled) < 4 or len(filled) < 0.2 * len(lattice.spans):
        return False
    words = [sum(len(row) for row in rows) for rows in filled.values()]
    long = sum(count for count in words if count > MANY_WORDS)
    return len({span.column for span in filled}) >= 2 and long <= 0.7 * sum(words)


def _band(lattice: Lattice, filled: Filled, at: int) -> Iterator[Pieces]:
    """The rows between two borders: one, or several where figures stand under one another."""
    spans = [span for span in filled if span.row == at]
    if _holds_records(spans, filled) or _holds_header(spans, filled):
        yield from _records(spans, filled)
    elif spans:
        yield [_piece(span, filled[span]) for span in spans]


def _piece(span: Span, rows: Sequence[Sequence[Word]]) -> Piece:
    lines = [line_of(row) for row in rows]
    text = ""
    for line in lines:
        text = joined_text(text, cell_text(line.text)) if text else cell_text(line.text)
    box = around(line.box for line in lines)
    bold = all(line.bold for line in lines)
    down = span.row_end - span.row
    return Piece(span.column, span.column_end - 1, text, box, bold, down)


def _holds_records(spans: Sequence[Span], filled: Filled) -> bool:
    """Whether a band holds several rows: figures line under line, and as many labels."""
    lines = max((len(filled[span]) for span in spans), default=0)
    figures = [len(filled[span]) for span in spans if _all_figures(filled[span])]
    if lines < 2 or len(figures) < 1 or len(filled[spans[0]]) <= 0.5 * lines:
        return False
    return sum(count >= max(2, 0.5 * lines) for count in figures) > 0.5 * len(figures)


def _holds_header(spans: Sequence[Span], filled: Filled) -> bool:
    """Whether the first line of every cell of a band is set in a type of its own."""
    if len(spans) < 2 or any(len(filled[span]) != 2 for span in spans):
        return False
    first, second = ({filled[span][at][0].font for span in spans} for at in (0, 1))
    return not first & second


def _all_figures(rows: Sequence[Sequence[Word]]) -> bool:
    return all(NUMBER.match(line_of(row).text) for row in rows)


def _records(spans: Sequence[Span], filled: Filled) -> list[Pieces]:
    """The rows of a band, by the lines that stand side by side."""
    owner = {id(word): span for span in spans for row in filled[span] for word in row}
    rows: list[Pieces] = []
    for row in rows_of(word for span in spans for part in filled[span] for word in part):
        by_span: dict[Span, list[Word]] = {}
        for word in row:
            by_span.setdefault(owner[id(word)], []).append(word)
        ordered = sorted(by_span.items(), key=lambda item: item[0].column)
        rows.append([replace(_piece(span, [words]), down=1) for span, words in ordered])
    box = around(piece.box for row in rows for piece in row)
    height = median(piece.box.bottom - piece.box.top for row in rows for piece in row)
    return unwrapped(rows, [], box=box, height=height)
