"""Names of columns that are printed upwards, or aslant, over the columns of a table; pure.

Turned words are laid out apart from the rest of a page. Those of a head are of the table below it:
each is laid down over the column that it stands on, as if it were printed there upright.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from docqa.ingest.geometry.cells import row_box
from docqa.ingest.geometry.words import (
    Line,
    Word,
    across,
    around,
    in_runs,
    rows_of,
    segments,
    without,
)
from docqa.types.document import Box

FEWEST = 3  # names side by side, to be a head
LEVEL = 3.0  # points that the feet of names differ by
OFF, FAR = 1.5, 3.0  # heights of a line from a name's foot to its column, to the row below it
NEAR = 0.9  # of that height: from a name, laid down, to that row
PARTED = 1.0  # heights of a letter between the words of a name

Name = Sequence[Word]


def laid_down(words: Sequence[Word]) -> list[Word]:
    """The words of a page, names that stand on columns of figures laid down over them."""
    raised = [word for word in words if word.turn == 1]
    if len(raised) < FEWEST:
        return list(words)
    upright = [word for word in words if not word.turn]
    rows = rows_of(segments(upright))
    laid = list(words)
    names = sorted(_names(raised), key=_foot)
    for level in in_runs(names, lambda run, name: _foot(name) - _foot(run[0]) > LEVEL):
        if heads := _over_columns(level, rows):
            laid = [*without(laid, (word for name in level for word in name)), *heads]
    return laid


def _foot(name: Name) -> float:
    return name[0].box.bottom


def _names(words: Iterable[Word]) -> list[list[Word]]:
    """Words that read upwards as names, each word above or aslant above the one before."""
    upwards = sorted(words, key=lambda word: -word.box.bottom)
    every = len(upwards)
    return in_runs(upwards, lambda name, w: not _goes_on(name[-1].box, w.box), open_runs=every)


def _goes_on(before: Box, box: Box) -> bool:
    """Whether a word begins where the one below it ends; aslant, that is at its right."""
    letter = max(min(each.right - each.left, each.bottom - each.top) for each in (before, box))
    over = abs(before.top - box.bottom) < PARTED * letter
    return over and before.left - 1 <= box.left <= before.right


def _over_columns(names: Sequence[Name], rows: Sequence[Sequence[Line]]) -> list[Word]:
    """Names as words over the cells of the first row below them; none where they do not stand on
    cells of their own, figures among them."""
    foot = max(map(_foot, names))
    row = next((row for row in rows if row_box(row).top > foot - LEVEL), [])
    if len(names) < FEWEST or not any(line.is_number for line in row[1:]):
        return []
    if row_box(row).top - foot > FAR * row[0].size:
        return []
    held: dict[int, list[Name]] = {}
    for name in sorted(names, key=lambda name: name[0].box.left):
        at = min(range(len(row)), key=lambda at: _apart(name, row[at]))
        if _apart(name, row[at]) > OFF * row[at].size:
            return []
        held.setdefault(at, []).append(name)
    if len(held) < FEWEST or not all(map(_are_lines, held.values())):
        return []
    return [_laid(names, row[at]) for at, names in held.items()]


def _apart(name: Name, cell: Line) -> float:
    """How far the foot of a name, where it begins, is from a cell, to either side."""
    box = name[0].box
    wide = min(box.right - box.left, cell.size)
    return max(0.0, -across(replace(box, right=box.left + wide), cell.box))


def _are_lines(names: Sequence[Name]) -> bool:
    """Whether names on one cell are lines of one name, side by side."""
    boxes = (name[0].box for name in names)
    return all(two.left < one.right + (one.right - one.left) for one, two in pairwise(boxes))


def _laid(names: Sequence[Name], cell: Line) -> Word:
    """A name as one word, as wide as the cell below it."""
    words = [word for name in names for word in name]
    bottom = max(around(word.box for word in words).bottom, cell.box.top - NEAR * cell.size)
    box = Box(cell.box.left, bottom - cell.size, cell.box.right, bottom)
    return replace(words[0], text=" ".join(word.text for word in words), box=box, turn=0)
