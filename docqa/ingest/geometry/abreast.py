"""Tables that stand side by side, told by their rules: under one row they end and begin again.

Pure geometry. The rules of one table run on under its columns, or part one column of figures from
another; here each stretch has labels of its own, and figures.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from docqa.ingest.geometry.cells import is_level
from docqa.ingest.geometry.words import Line, in_runs, rows_of, without
from docqa.types.document import Box

GAPS = (3.0, 40.0)  # points from the end of a rule to where the next begins
FEWEST = 3  # labels with their figures on either side
LEVEL = 1.0  # points higher or lower that two rules of one row lie
SAME = 3.0  # points that gaps of one table's edge lie apart
INSET = 12.0  # points from where a rule begins to the labels over it, at most
HEAD = 3.0  # lines that the head of a table stands over its first rule, at most

_WORD = re.compile(r"[^\W\d_]{3}")
_Gap = tuple[Box, Box]  # the rules before and after it


def side_by_side(lines: Sequence[Line], rules: Sequence[Box]) -> list[list[Line]]:
    """Lines apart by the tables abreast that they are of, from the left; all others come first."""
    for gaps in _edges(rules):
        if _parts_tables(gaps, lines):
            middle, within = _middle(gaps[0]), _within(gaps, lines)
            rest = without(lines, within)
            left = [line for line in within if line.box.right <= middle]
            right = [line for line in within if line.box.left >= middle]
            parts = [*side_by_side(rest, rules), left, *side_by_side(right, rules)]
            return [part for part in parts if part]
    return [list(lines)]


def _edges(rules: Sequence[Box]) -> Iterator[list[_Gap]]:
    """The gaps between rules that lie over one another, top to bottom, from the left."""
    levels = sorted({rule for rule in rules if is_level(rule)}, key=lambda rule: rule.top)
    ordered = sorted(_gaps(levels), key=_middle)
    for gaps in in_runs(ordered, lambda run, gap: _middle(gap) - _middle(run[0]) > SAME):
        yield sorted(gaps, key=lambda gap: gap[0].top)


def _gaps(levels: Sequence[Box]) -> Iterator[_Gap]:
    for row in in_runs(levels, lambda run, rule: rule.top - run[0].top > LEVEL):
        for one, two in pairwise(sorted(row, key=lambda rule: rule.left)):
            if GAPS[0] <= two.left - one.right <= GAPS[1]:
                yield one, two


def _middle(gap: _Gap) -> float:
    return (gap[0].right + gap[1].left) / 2


def _parts_tables(gaps: Sequence[_Gap], lines: Sequence[Line]) -> bool:
    """Whether there are labels and figures on either side, and nothing runs over the gap."""
    top, bottom, middle = gaps[0][0].top, gaps[-1][0].top, _middle(gaps[0])
    amid = [line for line in lines if top <= line.box.bottom <= bottom + LEVEL]
    if any(_runs_over(line, middle) for line in amid):
        return False
    within = _within(gaps, lines)
    return all(_is_table(gaps[0][side], within) for side in (0, 1))


def _is_table(rule: Box, lines: Sequence[Line]) -> bool:
    """Whether rows over a rule begin with a label where it does, and go on with a figure."""
    over = [
        line
        for line in lines
        if rule.left - 1 <= line.box.left and line.box.right <= rule.right + 1
    ]
    return sum(_is_labelled(row, rule) for row in rows_of(over)) >= FEWEST


def _is_labelled(row: Sequence[Line], rule: Box) -> bool:
    first, *others = row
    label = first.box.left - rule.left <= INSET and _WORD.search(first.text) is not None
    return label and not first.is_number and any(each.is_number for each in others)


def _within(gaps: Sequence[_Gap], lines: Sequence[Line]) -> list[Line]:
    """The lines beside a gap: from the head over its first rule down to one that runs over it."""
    middle, first = _middle(gaps[0]), gaps[0][0].top
    held: list[Line] = []
    for row in rows_of(lines):
        above = first - row[0].box.bottom > HEAD * row[0].size
        if any(_runs_over(line, middle) for line in row):
            if row[0].box.top > first:
                break
            held = []
        elif not above:
            held += row
    return held


def _runs_over(line: Line, at: float) -> bool:
    return line.box.left < at < line.box.right
