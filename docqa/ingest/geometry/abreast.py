"""Tables that stand side by side, or beside prose, told by their rules: they end, and begin again.

Pure geometry. The rules of one table run on under its columns, or part one column of figures from
another; here each stretch has labels of its own, and figures. The rows of one table need not stand
level with those of the other. A table over which columns of text stand is told by its rules too.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from docqa.ingest.geometry.cells import gap_between
from docqa.ingest.geometry.rules import GOES_ON, LEVEL, stretches_of
from docqa.ingest.geometry.table_rows import HEADED, LEAST_PROSE, is_of_prose
from docqa.ingest.geometry.words import Line, around, in_runs, rows_of, without
from docqa.types.document import Box

WIDEST = 40.0  # points from the end of a rule to where that of the next table begins
FEWEST = 3  # labels with their figures, lines of prose, or rules under rows
SAME = 3.0  # points that gaps of one table's edge lie apart
INSET = 12.0  # points from where a rule begins to the labels over it, at most
HEAD = 3.0  # lines that the head of a table stands over its first rule, at most

_WORD = re.compile(r"[^\W\d_]{3}")


@dataclass(frozen=True, slots=True)
class _Gap:
    """Where rules end and others begin: one of each, and from where to where those of both lie."""

    before: Box
    after: Box
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        return (self.before.right + self.after.left) / 2


def side_by_side(lines: Sequence[Line], rules: Sequence[Box]) -> list[list[Line]]:
    """Lines apart by the tables abreast that they are of, from the left; all others come first."""
    for gap in _gaps(lines, rules):
        if within := _parted(gap, lines):
            rest = without(lines, within)
            left = [line for line in within if line.box.right <= gap.middle]
            right = [line for line in within if line.box.left >= gap.middle]
            parts = [*side_by_side(rest, rules), left, *side_by_side(right, rules)]
            return [part for part in parts if part]
    return [list(lines)]


def across_gutters(
    lines: Sequence[Line], rules: Iterable[Box], gutters: Sequence[float]
) -> list[list[Line]]:
    """The lines of each table whose rules run over where columns of text part, with its head."""
    over = [
        rule
        for rule in stretches_of(rules)
        if any(rule.left < x - SAME and rule.right > x + SAME for x in gutters)
    ]
    found: list[list[Line]] = []
    for ends in _edges(over, lambda rule: rule.right):
        for alike in _edges(ends, lambda rule: rule.left):
            free = without(lines, (line for table in found for line in table))
            rows = _rows_over(around(alike), free)
            runs = _under_rows(alike, rows)
            found += [_headed(rows, run) for run in runs if len(run) >= FEWEST]
    return found


def _under_rows(rules: Iterable[Box], rows: Sequence[list[Line]]) -> list[list[Box]]:
    """Rules, top to bottom, in runs between which rows of figures stand."""
    ordered = sorted(rules, key=lambda rule: rule.top)
    return in_runs(ordered, lambda run, rule: not _part_a_row(run[-1], rule, rows))


def _part_a_row(rule: Box, below: Box, rows: Sequence[list[Line]]) -> bool:
    """Whether what stands between two rules has figures, and is no columns of prose."""
    between = [row for row in rows if rule.top < row[0].box.bottom <= below.top + LEVEL]
    figures = any(line.is_number for row in between for line in row[1:])
    return figures and not any(map(is_of_prose, between))


def _headed(rows: Sequence[list[Line]], rules: Sequence[Box]) -> list[Line]:
    """The rows down to the last of a table's rules, with what stands right over the first."""
    held: list[list[Line]] = []
    for row in reversed([row for row in rows if row[0].box.bottom <= rules[-1].top + LEVEL]):
        above = held and row[0].box.bottom <= rules[0].top + LEVEL
        apart = above and gap_between(row, held[-1]) > HEADED * held[-1][0].size
        if apart or (above and any(line.word_count >= LEAST_PROSE for line in row)):
            break
        held.append(row)
    return [line for row in reversed(held) for line in row]


def _gaps(lines: Sequence[Line], rules: Sequence[Box]) -> Iterator[_Gap]:
    """The gaps between rules of tables abreast, from the left, those over one another apart where
    something runs over them."""
    stretches = stretches_of(rules)
    ends = _edges(stretches, lambda rule: rule.right)
    starts = _edges(stretches, lambda rule: rule.left)
    for before in ends:
        for after in starts:
            apart = after[0].left - before[-1].right
            if GOES_ON <= apart <= WIDEST:
                yield from _unbroken(before, after, [line.box for line in lines], stretches)


def _edges(stretches: Sequence[Box], edge: Callable[[Box], float]) -> list[list[Box]]:
    """Stretches by where they have an edge, from the left."""
    return in_runs(sorted(stretches, key=edge), lambda run, each: edge(each) - edge(run[0]) > SAME)


def _unbroken(
    before: Sequence[Box], after: Sequence[Box], boxes: Sequence[Box], stretches: Sequence[Box]
) -> Iterator[_Gap]:
    """The gap between the rules before and after it, one for each run that nothing crosses."""
    middle = (before[0].right + after[0].left) / 2
    over = [box for box in (*boxes, *stretches) if box.left < middle < box.right]
    ordered = sorted([*before, *after], key=lambda rule: rule.top)

    def broken(run: Sequence[Box], rule: Box) -> bool:
        return any(run[-1].top < box.bottom <= rule.top + LEVEL for box in over)

    for run in in_runs(ordered, broken):
        sides = [[rule for rule in run if rule in side] for side in (before, after)]
        if all(sides) and all(_meet(*pair) for pair in (sides, sides[::-1])):
            yield _Gap(sides[0][0], sides[1][0], run[0].top, run[-1].top)


def _meet(one: Sequence[Box], other: Sequence[Box]) -> bool:
    """Whether rules do not all lie above those of the other side."""
    return one[0].top <= other[-1].top + LEVEL


def _parted(gap: _Gap, lines: Sequence[Line]) -> list[Line]:
    """The lines beside a gap, where it parts a table from another or from prose; none for other."""
    within = _within(gap, lines)
    tables = [_is_table(rule, within) for rule in (gap.before, gap.after)]
    prose = any(tables) and any(_is_prose(rule, within) for rule in (gap.before, gap.after))
    return within if all(tables) or prose else []


def _is_table(rule: Box, lines: Sequence[Line]) -> bool:
    """Whether rows over a rule begin with a label where it does, and go on with a figure."""
    return sum(_is_labelled(row, rule) for row in _rows_over(rule, lines)) >= FEWEST


def _is_prose(rule: Box, lines: Sequence[Line]) -> bool:
    """Whether most rows over a rule are lines of prose."""
    rows = _rows_over(rule, lines)
    prose = sum(len(row) == 1 and row[0].word_count >= LEAST_PROSE for row in rows)
    return prose >= FEWEST and prose > len(rows) / 2


def _rows_over(rule: Box, lines: Sequence[Line]) -> list[list[Line]]:
    """The rows of lines that stand between the ends of a rule."""
    left, right = rule.left - 1, rule.right + 1
    return rows_of(line for line in lines if left <= line.box.left and line.box.right <= right)


def _is_labelled(row: Sequence[Line], rule: Box) -> bool:
    first, *others = row
    label = first.box.left - rule.left <= INSET and _WORD.search(first.text) is not None
    return label and not first.is_number and any(each.is_number for each in others)


def _within(gap: _Gap, lines: Sequence[Line]) -> list[Line]:
    """The lines beside a gap: from the head over its first rule down to one that runs over it.

    Above that one what stands nearer to it, as its title, is not of them.
    """
    held: list[list[Line]] = []
    for row in rows_of(lines):
        above = gap.top - row[0].box.bottom > HEAD * row[0].size
        if any(line.box.left < gap.middle < line.box.right for line in row):
            if row[0].box.top > gap.top:
                _let_go(held, row)
                break
            held = []
        elif not above:
            held.append(row)
    return [line for row in held for line in row]


def _let_go(held: list[list[Line]], below: Sequence[Line]) -> None:
    """Take away the last rows that stand nearer to what is below them than to those above."""
    while len(held) > 1 and gap_between(held[-1], below) < gap_between(held[-2], held[-1]):
        below = held.pop()
