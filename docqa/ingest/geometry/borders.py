"""Where the borders of cells part a line: a browser or word processor draws one under each cell.

Pure geometry. Cells set close to one another are told apart by their borders alone: a figure set
right ends next to where a date set left begins.
"""

from collections.abc import Sequence
from itertools import pairwise

from docqa.ingest.geometry.cells import is_figure, is_level
from docqa.ingest.geometry.words import Line, Word, around, parts_of
from docqa.types.document import Box

TOUCH = 1.5  # points apart that borders of neighbours begin and end
LEVEL = 1.0  # points higher or lower that they lie
FEWEST = 3  # cells side by side, each with a border
REACH = 3.0  # lines that a row may stand above its border
MOST = 0.6  # of the rows: those with borders of their own
WITHIN = 1.0  # points that a word may reach over a border


def parted_at_borders(rows: Sequence[Sequence[Line]], rules: Sequence[Box]) -> list[list[Line]]:
    """Rows with each line parted that runs over where two cells' borders meet below it.

    Only where most rows have such borders, and from the first row of figures on: names of columns
    may stand over several.
    """
    levels = sorted((rule for rule in rules if is_level(rule)), key=lambda rule: rule.top)
    meetings = [_meetings(row, levels) for row in rows]
    if sum(map(bool, meetings)) < MOST * len(rows):
        return [list(row) for row in rows]
    first = next((at for at, row in enumerate(rows) if _has_figures(row)), len(rows))
    heads = [list(row) for row in rows[:first]]
    body = zip(rows[first:], meetings[first:], strict=True)
    return heads + [_parted(row, own) for row, own in body]


def _has_figures(row: Sequence[Line]) -> bool:
    return any(is_figure(word.text) for line in row[1:] for word in line.words)


def _meetings(row: Sequence[Line], levels: Sequence[Box]) -> list[float]:
    """Where the borders under a row meet, from the left; none where it has no border of its own."""
    box = around(line.box for line in row)
    lowest = box.bottom + REACH * max(line.size for line in row)
    below = [rule for rule in levels if box.bottom - LEVEL <= rule.top <= lowest]
    under = [rule for rule in below if rule.top - below[0].top <= LEVEL]
    borders = sorted(under, key=lambda rule: rule.left)
    meetings = [one.right for one, two in pairwise(borders) if abs(two.left - one.right) <= TOUCH]
    return meetings if len(meetings) >= FEWEST - 1 else []


def _parted(row: Sequence[Line], meetings: Sequence[float]) -> list[Line]:
    def ends(before: Word, word: Word) -> bool:
        return any(
            before.box.right <= at + WITHIN and word.box.left >= at - WITHIN for at in meetings
        )

    return [part for line in row for part in parts_of(line, ends)]
