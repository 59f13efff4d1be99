"""Tables drawn with rules: where upright and level rules cross, the cells are what they enclose.

Pure geometry over the rules of a page. A cell may cover several rows or columns of the lattice
where the rule between them is missing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docqa.ingest.geometry.rules import stretches_of
from docqa.types.document import Box

TOUCH = 3.0  # points two rules may miss each other by and still meet
SAME = 4.0  # points apart that two rules are still one border (a double line)
COVERED = 0.5  # share of a cell's side that a rule has to cover to be its border
MOST_RULES = 3000  # on a page: drawings have more, tables never


@dataclass(frozen=True, slots=True)
class Span:
    """A cell of a lattice: rows and columns from 0, ends exclusive."""

    row: int
    column: int
    row_end: int
    column_end: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """Borders from left to right and top to bottom, and the cells between them."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    spans: tuple[Span, ...]

    @property
    def box(self) -> Box:
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    def box_of(self, span: Span) -> Box:
        return Box(
            self.xs[span.column],
            self.ys[span.row],
            self.xs[span.column_end],
            self.ys[span.row_end],
        )


@dataclass(frozen=True, slots=True)
class _Stroke:
    """A rule by where it lies (``at``) and from where to where it runs."""

    at: float
    start: float
    end: float


def find_lattices(rules: Sequence[Box]) -> list[Lattice]:
    """The lattices of a page with at least two columns and two rows or four cells."""
    if len(rules) > MOST_RULES:
        return []
    levels, uprights = _strokes(rules), _strokes(map(_flipped, rules))
    found = [_lattice(*group) for group in _connected(levels, uprights)]
    return [lattice for lattice in found if lattice]


def _strokes(rules: Iterable[Box]) -> list[_Stroke]:
    """The level ones of some rules, those that go on with one another as one."""
    stretches = stretches_of(rules)
    return [_Stroke((rule.top + rule.bottom) / 2, rule.left, rule.right) for rule in stretches]


def _flipped(rule: Box) -> Box:
    """A rule that stands as one that lies, and the other way round."""
    return Box(rule.top, rule.left, rule.bottom, rule.right)


def _connected(
    levels: Sequence[_Stroke], uprights: Sequence[_Stroke]
) -> list[tuple[list[_Stroke], list[_Stroke]]]:
    """Groups of rules that cross one another, with two of each kind or more."""
    if len(levels) < 2 or len(uprights) < 2:
        return []
    meets = _meetings(levels, uprights)
    groups = []
    unseen = set(np.flatnonzero(meets.any(axis=1)).tolist())
    while unseen:
        rows, columns = _reached(meets, min(unseen))
        unseen -= rows
        if len(rows) >= 2 and len(columns) >= 2:
            groups.append(([levels[at] for at in rows], [uprights[at] for at in columns]))
    return groups


def _meetings(levels: Sequence[_Stroke], uprights: Sequence[_Stroke]) -> np.ndarray:
    """Which level (row) meets which upright (column), as booleans."""
    y, left, right = np.array([(each.at, each.start, each.end) for each in levels]).T[:, :, None]
    x, top, bottom = np.array([(each.at, each.start, each.end) for each in uprights]).T[:, None]
    met: np.ndarray = (
        (x >= left - TOUCH) & (x <= right + TOUCH) & (y >= top - TOUCH) & (y <= bottom + TOUCH)
    )
    return met


def _reached(meets: np.ndarray, start: int) -> tuple[set[int], set[int]]:
    """The levels and uprights connected to a level, itself included."""
    rows, columns, fresh = {start}, set[int](), {start}
    while fresh:
        more = set(np.flatnonzero(meets[sorted(fresh)].any(axis=0)).tolist()) - columns
        columns |= more
        fresh = set(np.flatnonzero(meets[:, sorted(more)].any(axis=1)).tolist()) - rows
        rows |= fresh
    return rows, columns


def _lattice(levels: Sequence[_Stroke], uprights: Sequence[_Stroke]) -> Lattice | None:
    xs = _borders(uprights, levels)
    ys = _borders(levels, uprights)
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 1 or columns < 2 or rows * columns < 4:
        return None
    return Lattice(tuple(xs), tuple(ys), tuple(_spans(xs, ys, levels, uprights)))


def _borders(strokes: Sequence[_Stroke], crossing: Sequence[_Stroke]) -> list[float]:
    """Where strokes lie, doubles taken once, and where two or more crossing ones end beyond."""
    borders: list[float] = []
    for at in sorted(stroke.at for stroke in strokes):
        if not borders or at - borders[-1] > SAME:
            borders.append(at)
    first, last = min(s.start for s in crossing), max(s.end for s in crossing)
    if borders[0] - first > 2 * SAME and sum(s.start < first + SAME for s in crossing) >= 2:
        borders.insert(0, first)
    if last - borders[-1] > 2 * SAME and sum(s.end > last - SAME for s in crossing) >= 2:
        borders.append(last)
    return borders


def _spans(
    xs: Sequence[float], ys: Sequence[float], levels: Sequence[_Stroke], uprights: Sequence[_Stroke]
) -> list[Span]:
    """Cells: runs of a row not parted by an upright, joined down where no level parts them.

    The outer borders part, whether an upright is there or not.
    """
    done: list[Span] = []
    open_spans: list[Span] = []
    for row, (top, bottom) in enumerate(pairwise(ys)):
        inner = (at for at, x in enumerate(xs[1:-1], 1) if _covers(uprights, x, top, bottom))
        continued: list[Span] = []
        for first, end in pairwise((0, *inner, len(xs) - 1)):
            above = next((s for s in open_spans if (s.column, s.column_end) == (first, end)), None)
            if above and not _covers(levels, top, xs[first], xs[end]):
                continued.append(Span(above.row, first, row + 1, end))
                open_spans.remove(above)
            else:
                continued.append(Span(row, first, row + 1, end))
        done += open_spans
        open_spans = continued
    return sorted([*done, *open_spans], key=lambda span: (span.row, span.column))


def _covers(strokes: Sequence[_Stroke], at: float, start: float, end: float) -> bool:
    """Whether strokes at a place cover half of a stretch."""
    covered = sum(
        max(0.0, min(stroke.end, end) - max(stroke.start, start))
        for stroke in strokes
        if abs(stroke.at - at) <= SAME
    )
    return covered >= COVERED * (end - start)
