"""Rules of a page: those that lie and those that stand, and what they part.

Pure geometry. Cells set close to one another are told apart by their borders alone, as a browser or
word processor draws one under each: a figure set right ends next to where a date set left begins.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from docqa.ingest.geometry.cells import is_figure
from docqa.ingest.geometry.words import Line, Word, across, around, in_runs, parts_of
from docqa.types.document import Box

LEVEL = 1.0  # points higher or lower that the rules of one row lie
GOES_ON = 3.0  # points from the end of a rule to where one that goes on with it begins, at most
BESIDE = 2.0  # points that a rule may lie in a row, or end short of what it underlines
TOUCH = 1.5  # points apart that borders of neighbours begin and end
FEWEST = 3  # cells side by side, each with a border
REACH = 3.0  # lines that a row may stand above its border
MOST = 0.6  # of the rows: those with borders of their own
WITHIN = 1.0  # points that a word may reach over a border


def is_level(rule: Box) -> bool:
    """Whether a rule lies rather than stands."""
    return rule.right - rule.left > rule.bottom - rule.top


def walls_of(rules: Iterable[Box]) -> list[Box]:
    """The rules that stand."""
    return [rule for rule in rules if rule.bottom - rule.top > rule.right - rule.left]


def stretches_of(rules: Iterable[Box]) -> list[Box]:
    """Level rules from top to bottom, each with those that go on with it, as under each cell."""
    levels = sorted({rule for rule in rules if is_level(rule)}, key=lambda rule: rule.top)
    rows = in_runs(levels, lambda run, rule: rule.top - run[0].top > LEVEL)
    return [stretch for row in rows for stretch in _joined(row)]


def _joined(row: Iterable[Box]) -> Iterator[Box]:
    ordered = sorted(row, key=lambda rule: rule.left)
    reach = list(accumulate([rule.right for rule in ordered], max))
    runs = in_runs(
        range(len(ordered)), lambda run, at: ordered[at].left - reach[run[-1]] >= GOES_ON
    )
    return (around(ordered[at] for at in run) for run in runs)


def underlines(rule: Box, box: Box) -> bool:
    """Whether a level rule is as wide as what it is under."""
    return rule.left <= box.left + BESIDE and rule.right >= box.right - BESIDE


def lies_between(rule: Box, above: Box, below: Box) -> bool:
    """Whether a level rule lies between two boxes, over part of the first."""
    first, last = sorted((above.bottom, below.top))
    return first - BESIDE <= rule.top <= last + BESIDE and across(rule, above) > 0


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
