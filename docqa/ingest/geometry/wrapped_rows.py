"""Rows of a table that are printed on several lines, made one row again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from docqa.ingest.geometry.cells import (
    Piece,
    Pieces,
    has_figures,
    is_figure,
    joined_rows,
    row_box,
    rows_set_apart,
)
from docqa.ingest.geometry.rules import lies_between, underlines
from docqa.ingest.geometry.words import NUMBER, across, in_runs
from docqa.types.document import Box

FEW_WORDS = 3  # of a text that goes on in the next line
FEWEST = 3  # lines that are told to be rows by how far apart they are
APART = 0.4  # of a line's height, that the lines of a cell are never apart
SAME_EDGE = 2.0  # points apart that the lines of a cell begin
_OPEN_END = re.compile(
    r"(?:[,–—-]|\b(?:of|and|the|to|in|for|from|by|on|or|with|per|a|an|at|as|than|before))$"
)


def unwrapped(
    rows: Sequence[Pieces], levels: Sequence[Box], *, box: Box, height: float
) -> list[Pieces]:
    """Rows with those that only carry on the row above, or lead to the one below, joined to it."""
    wide = [r for r in levels if across(r, box) > 0.5 * (box.right - box.left)]
    boxes = [row_box(row) for row in rows]
    gaps = [below.top - above.bottom for above, below in pairwise(boxes)]
    spacing = _Spacing.of(rows, gaps, height)
    joins = [
        not any(lies_between(rule, above, below) for rule in wide)
        and (_goes_on(one, two, gap, spacing) or _ends_cells(rows[at:], gaps[at:], spacing))
        for at, ((one, two), (above, below), gap) in enumerate(
            zip(pairwise(rows), pairwise(boxes), gaps, strict=True)
        )
    ]
    _settle(joins, rows, gaps)
    runs = in_runs(range(len(rows)), lambda run, at: not joins[at - 1])
    return [joined_rows([rows[at] for at in run]) for run in runs]


def banded(rows: Sequence[Pieces], levels: Sequence[Box], box: Box) -> list[Pieces]:
    """Rows between two rules across the table as one row, where most rows stand between rules."""
    wide = sorted(r.top for r in levels if across(r, box) > 0.85 * (box.right - box.left))
    bands: dict[int, list[Pieces]] = {}
    for row in rows:
        own = row_box(row)
        middle = (own.top + own.bottom) / 2
        bands.setdefault(sum(top < middle for top in wide), []).append(row)
    several = sum(_several(band) for band in bands.values())
    if len(wide) < 3 or len(bands) < 3 or several > 0.2 * len(bands):
        return list(rows)
    first, *others = (bands[at] for at in sorted(bands))
    head = first[: rows_set_apart(first)]  # over a shade, no rule parts it from what it heads
    heads = [row for level in _levels_of(head or first, levels) for row in _one_row(level)]
    body = [row for band in (first[len(head) :] if head else [], *others) for row in _one_row(band)]
    return [*heads, *body]


def _levels_of(head: Sequence[Pieces], levels: Sequence[Box]) -> list[list[Pieces]]:
    """The rows of a head by its levels: below a rule stand the names of what is grouped over it."""
    return in_runs(
        head, lambda over, row: _underlined([name for each in over for name in each], row, levels)
    )


def _underlined(above: Pieces, below: Pieces, levels: Sequence[Box]) -> bool:
    """Whether a rule lies under one of some names, with one of the row below under it."""
    return any(
        lies_between(rule, name.box, under.box)
        and underlines(rule, name.box)
        and across(rule, under.box) > 0
        for name in above
        for under in below
        for rule in levels
    )


def _several(band: Sequence[Pieces]) -> bool:
    """Whether a band holds more than one row of figures, far too many lines for one row, or lines
    with a label and what it says each, further apart than those of a cell are."""
    figures = [at for at, row in enumerate(band) if has_figures(row)]
    rows = [at for at in figures if not (at and _carries_on(band[at - 1], band[at]))]
    return len(rows) > 1 or len(band) > 12 or _are_entries(band)


def _are_entries(band: Sequence[Pieces]) -> bool:
    boxes = [row_box(row) for row in band]
    gaps = [below.top - above.bottom for above, below in pairwise(boxes)]
    labelled = all(len(row) > 1 and row[0].first == 0 for row in band)
    apart = APART * median(box.bottom - box.top for box in boxes)
    return labelled and len(band) >= FEWEST and min(gaps) > apart


def _carries_on(above: Pieces, row: Pieces) -> bool:
    """Whether a row without label goes on, cell by cell, with texts of the row above it alone."""
    texts = {p.first: p.box for p in above if p.first == p.last and not NUMBER.match(p.text)}
    return row[0].first > 0 and all(
        piece.first == piece.last
        and piece.first in texts
        and abs(piece.box.left - texts[piece.first].left) < SAME_EDGE
        for piece in row
    )


def _one_row(band: Sequence[Pieces]) -> list[Pieces]:
    return list(band) if len(band) < 2 or _several(band) else [joined_rows(band)]


@dataclass(frozen=True, slots=True)
class _Spacing:
    """How far apart a table's lines stand, in points.

    ``usual`` is the gap between neighbouring rows of figures, or where there are none those that
    texts go on under (0 for none such), ``least`` the smallest gap between any two lines,
    ``height`` that of the letters.
    """

    usual: float
    least: float
    height: float

    @classmethod
    def of(cls, rows: Sequence[Pieces], gaps: Sequence[float], height: float) -> "_Spacing":
        """Of rows with such ``gaps`` between them."""
        near = [
            (gap, one, two)
            for gap, (one, two) in zip(gaps, pairwise(rows), strict=True)
            if gap < 3 * height
        ]
        figures = [gap for gap, one, two in near if has_figures(one) and has_figures(two)]
        if not figures:  # each has a line more below it: what counts is the gap below that
            carried = [two for _, one, two in near if has_figures(one) and _carries_on(one, two)]
            figures = [gap for gap, one, two in near if one in carried and has_figures(two)]
        least = min((max(gap, 0.0) for gap in gaps), default=0.0)
        return cls(median(figures) if figures else 0.0, least, height)

    def is_tight(self, gap: float) -> bool:
        """Whether a gap is that of lines within a row: far less than between rows."""
        within = gap < 0.6 * self.usual and gap < self.least + 0.15 * self.height
        return self.usual > 0 and within and self.usual - gap > 1


def _is_label(row: Sequence[Piece]) -> bool:
    return len(row) == 1 and row[0].first == row[0].last == 0


def _goes_on(one: Pieces, two: Pieces, gap: float, spacing: _Spacing) -> bool:
    """Whether two rows are one, printed on two lines."""
    height = spacing.height
    if gap < APART * height and _ends_open(one, two):
        return True
    if gap < 0.8 * height and _has_figures_of(one, two):
        return True
    if gap > max(0.45 * height, spacing.usual):
        return False
    if has_figures(one) and _is_label(two) and two[0].text.endswith(":"):
        return False  # it names the rows below
    if one[0].first == two[0].first == 0 and (_is_label(one) or _is_label(two)):
        return _label_goes_on(one[0], two[0], gap, spacing)
    if _ends_description(one, two) or (gap < 0.25 * height and _begins_description(one, two)):
        return True
    if has_figures(two) or has_figures(one) or two[0].first == 0:
        # Figures set half a line off their label's lines overlap them.
        return gap < -0.25 * height and (_is_label(one) or _is_label(two))
    unknown = not spacing.usual and gap < 0.35 * height
    within = {piece.first for piece in two} <= {piece.first for piece in one}
    return within and (spacing.is_tight(gap) or unknown)


def _ends_open(one: Sequence[Piece], two: Sequence[Piece]) -> bool:
    """Whether the only text of a row without label ends one that is open: "rises by" over "10%"."""
    alone = len(two) == 1 and two[0].first > 0
    above = (piece.text for piece in one if piece.first == two[0].first)
    return alone and any(map(_OPEN_END.search, above))


def _has_figures_of(one: Sequence[Piece], two: Sequence[Piece]) -> bool:
    """Whether a row has only the figures to the text that ends the one above it."""
    beyond = 0 < one[-1].first <= one[-1].last < two[0].first and not has_figures(one)
    figures = all(NUMBER.match(p.text) for p in two) and any(is_figure(p.text) for p in two)
    return beyond and figures


def _ends_description(one: Sequence[Piece], two: Sequence[Piece]) -> bool:
    """Whether a row without label goes on with the text of several words beside one."""
    text, first = one[-1], two[0]
    below = 0 < text.first == first.first and not has_figures(one)
    return below and first.text[:1].islower() and len(text.text.split()) >= FEW_WORDS


def _begins_description(one: Sequence[Piece], two: Sequence[Piece]) -> bool:
    """Whether a lone text stands over the blank cell of a row with a label and figures."""
    blank = not any(map(one[0].meets, two))
    alone = len(one) == 1 and one[0].first > 0 and not has_figures(one)
    return alone and blank and two[0].first == 0 and has_figures(two)


def _ends_cells(rows: Sequence[Pieces], gaps: Sequence[float], spacing: _Spacing) -> bool:
    """Whether texts of the first of some rows, one of figures, go on in the second alone, close to
    it, and not as near to a row of figures below."""
    one, two, *others = rows
    if not has_figures(one) or has_figures(two) or not _carries_on(one, two):
        return False
    below = next((at for at, row in enumerate(others, 1) if has_figures(row)), None)
    apart = below is None or gaps[below] > gaps[0] + spacing.height / 4
    return apart and spacing.is_tight(gaps[0])


def _label_goes_on(one: Piece, two: Piece, gap: float, spacing: _Spacing) -> bool:
    if one.text.endswith(":") or one.bold != two.bold:
        return False
    open_end = _OPEN_END.search(one.text) is not None or one.text.count("(") > one.text.count(")")
    goes_on = two.text[:1].islower() or open_end
    return goes_on or spacing.is_tight(gap)


def _settle(joins: list[bool], rows: Sequence[Pieces], gaps: Sequence[float]) -> None:
    """A label between two rows of figures goes with the nearer; ties with the one above."""
    for at in range(1, len(joins)):
        between = _is_label(rows[at]) and len(rows[at - 1]) > 1 and len(rows[at + 1]) > 1
        if joins[at - 1] and joins[at] and between:
            above, below = gaps[at - 1 : at + 1]
            starts_low = rows[at][0].text[:1].islower()
            joins[at if (above <= below + 0.5 and starts_low) or above < below else at - 1] = False
