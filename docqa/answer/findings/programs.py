"""The sums that the figures of a table may be put into: operations on some of its cells; pure.

The cells are two of a row or of a column, several of a row or of a column, or some of a column
beside their whole (Liang et al., "Learning dependency-based compositional semantics", 2011, choose
among such programs). Which of them a question asks for, `fits` tells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations
from typing import Literal, get_args

from docqa.answer.findings.grids import Grid
from docqa.answer.findings.operations import Operation
from docqa.answer.findings.values import Value, without_total

Way = Literal["row pair", "column pair", "row set", "column set", "part"]
"""How cells lie: two or several of a row, of a column, or some of a column and their whole."""
WAYS: tuple[Way, ...] = get_args(Way)

OPERATIONS_OF: dict[Way, tuple[Operation, ...]] = {
    "row pair": ("difference", "change", "share"),
    "column pair": ("difference", "change", "share"),
    "row set": ("sum", "average"),
    "column set": ("sum", "average"),
    "part": ("share",),
}
_ROWS, _COLUMNS, _TOTALS = 7, 6, 3  # that are looked at, the likeliest
_GROUPS, _TELLING, _SETS = 8, 4, 60  # sets of rows
_MOST_LIKELY = 8  # rows that are the likeliest, at most
_LONGEST_RUN = 5  # rows one below another that are taken together
_NAMED = 0.5  # share of a label's words that are not asked, at most
_FEW = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells by their rows and columns, in order; ``whole`` are those that a part is of. ``chosen``
    is the column and the text by which rows were chosen, None where by no cell; ``is_run`` says
    that they only follow one another."""

    way: Way
    at: tuple[tuple[int, int], ...]
    whole: tuple[tuple[int, int], ...] = ()
    chosen: tuple[int, str] | None = None
    is_run: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """An operation on figures, in order; ``whole`` are those that a part is of, [] of others."""

    operation: Operation
    values: Sequence[Value]
    whole: Sequence[Value] = ()

    @property
    def result(self) -> Decimal | None:
        """What they come to, a share and a change in per cent; None where by nothing is divided."""
        amounts = [value.amount for value in self.values]
        added = sum(amounts, Decimal(0))
        if self.operation == "sum":
            return added
        if self.operation == "average":
            return added / len(amounts)
        if self.operation == "difference":
            return amounts[0] - amounts[1]
        if self.operation == "change":
            return (amounts[0] - amounts[1]) / abs(amounts[1]) * 100 if amounts[1] else None
        first = added if self.whole else amounts[0]
        below = sum((value.amount for value in self.whole), Decimal(0)) or amounts[-1]
        return first / below * 100 if below else None


def program_of(grid: Grid, operation: Operation, cells: Cells) -> Program:
    values, whole = ([grid.numbers[row][at] for row, at in own] for own in (cells.at, cells.whole))
    return Program(operation, values, whole)


def cells_of(grid: Grid) -> Iterator[Cells]:
    """The cells of a table that a question may mean, those of one unit."""
    rows, columns = _likely_rows(grid), _likely_columns(grid)
    for row in rows:
        own = grid.numbers[row]
        pairs = permutations([at for at in columns if at in own], 2)
        yield from (
            Cells("row pair", ((row, one), (row, other)))
            for one, other in pairs
            if own[one].unit == own[other].unit and _months(grid, one) == _months(grid, other)
        )
        yield from (Cells("row set", tuple((row, at) for at in s)) for s in _of_row(grid, row))
    totals = [at for at in range(len(grid.rows)) if grid.rows[at].is_total and grid.numbers[at]]
    totals = totals[-_TOTALS:]
    for column in columns:
        every = sorted({*rows, *totals})
        pairs = permutations([at for at in every if column in grid.numbers[at]], 2)
        yield from (
            Cells("column pair", ((one, column), (other, column)))
            for one, other in pairs
            if grid.numbers[one][column].unit == grid.numbers[other][column].unit
        )
    for chosen in _sets_of_rows(grid):
        for column in columns:
            yield from _of_column(grid, column, chosen, totals[-1:])


def _months(grid: Grid, column: int) -> int:
    return grid.table.columns[column].period.months or 0


def _likely_rows(grid: Grid) -> list[int]:
    def weight(at: int) -> float:
        row = grid.rows[at]
        own = (row.words & ~grid.around).bit_count()
        named = 3 * (at in grid.named) + 2 * bool(row.times)
        return 2 * own + grid.judged[at] / 2 + grid.read.rows[at] / 2 - row.unasked + named

    filled = [at for at in range(len(grid.rows)) if grid.numbers[at]]
    return sorted(filled, key=lambda at: -weight(at))[:_ROWS]


def _likely_columns(grid: Grid) -> list[int]:
    latest = sorted({column.end for column in grid.columns if column.end}, reverse=True)[:2]

    def weight(at: int) -> float:
        column = grid.columns[at]
        named = 2 * column.words.bit_count() + 2 * bool(column.times) + (at in grid.figures)
        likely = grid.read.columns[at] / 2
        return named + likely + (column.end in latest) + column.is_total - column.unasked

    filled = {at for own in grid.numbers for at in own}
    return sorted(sorted(sorted(filled), key=lambda at: -weight(at))[:_COLUMNS])


def _of_row(grid: Grid, row: int) -> Iterator[tuple[int, ...]]:
    """Sets of a row's columns of one unit and length of time, none of them a total or how far two
    others are apart: all, those of the times asked and between them, the last ones, those named."""
    numbers, columns = grid.numbers[row], grid.columns
    plain = [at for at in numbers if not (columns[at].is_total or columns[at].is_apart)]
    asked = [at for at in plain if columns[at].times]
    dated = sorted((at for at in plain if columns[at].end), key=lambda at: columns[at].end)
    ends = [columns[at].end for at in asked]
    between = [at for at in dated if ends and min(ends) <= columns[at].end <= max(ends)]
    named = [at for at in plain if columns[at].words]
    exactly = [at for at in named if not columns[at].unasked]
    sets = [plain, asked, between, dated, *(dated[-count:] for count in _FEW), named, exactly]
    parted = (
        tuple(at for at in own if (_months(grid, at), numbers[at].unit) == kind)
        for own in sets
        for kind in {(_months(grid, at), numbers[at].unit) for at in own}
    )
    yield from (own for own in dict.fromkeys(parted) if len(own) > 1)


def _sets_of_rows(grid: Grid) -> list[Cells]:
    """Sets of rows, totals apart, as the first cells of a set each: all, those that are likeliest,
    that are called so or are as is asked, of a group, of the times asked, that have the same words,
    and of a kind."""
    every = grid.things
    sets = [every, *([at for at in every if at in own] for own in (grid.named, grid.meant))]
    likeliest = sorted(every, key=lambda at: -grid.read.rows[at])
    sets += [likeliest[:count] for count in range(2, _MOST_LIKELY + 1) if len(every) > count]
    groups: dict[tuple[str, ...], list[int]] = {}
    for at in every:
        groups.setdefault(grid.table.rows[at].path, []).append(at)
    sets += [*groups.values()][:_GROUPS]
    sets.append([at for at in every if grid.rows[at].times])
    own = {at: grid.rows[at].words & ~grid.around for at in every}
    named = [at for at in every if own[at] and grid.rows[at].unasked <= _NAMED]
    named.sort(key=lambda at: grid.rows[at].unasked)
    sets += [named[:count] for count in _FEW if len(named) >= count]
    sets.append([at for at in every if own[at] and not grid.rows[at].unasked])
    telling = sorted({*own.values()} - {0}, key=lambda words: (-words.bit_count(), words))
    sets += [[at for at in every if own[at] & words == words] for words in telling[:_TELLING]]
    sets += [[at for at in every if own[at] >> word & 1] for word in range(len(grid.asked))]
    found: dict[tuple[int, ...], Cells] = {}
    for rows in sets:
        _add(found, rows)
    for chosen, rows in grid.kinds.items():
        _add(found, [at for at in rows if at in every], chosen=chosen)
    for size in range(2, _LONGEST_RUN + 1):
        for first in range(len(every) - size + 1):
            _add(found, every[first : first + size], is_run=True)
    return list(found.values())[:_SETS]


def _add(
    found: dict[tuple[int, ...], Cells],
    rows: Sequence[int],
    *,
    chosen: tuple[int, str] | None = None,
    is_run: bool = False,
) -> None:
    key = tuple(sorted(rows))
    if key and key not in found:
        cells = Cells("column set", tuple((at, -1) for at in key), (), chosen, is_run)
        found[key] = cells


def _of_column(grid: Grid, column: int, chosen: Cells, totals: Sequence[int]) -> Iterator[Cells]:
    """A set of rows in a column, and as a part of its total, or of all that are no totals; a figure
    that the others of the set make is none of it, whatever it is called."""
    values = [grid.numbers[at][column] for at, _ in chosen.at if column in grid.numbers[at]]
    if len({value.unit for value in values}) != 1:
        return
    _, sums = without_total(values)
    own = [at for at, _ in chosen.at if column in grid.numbers[at]]
    at = tuple((row, column) for row in own if grid.numbers[row][column] not in sums)
    if len(at) > 1:
        yield Cells("column set", at, (), chosen.chosen, chosen.is_run)
    every = [row for row in grid.things if column in grid.numbers[row]]
    printed = [row for row in totals if column in grid.numbers[row]]
    if len(at) < len(every) and not chosen.is_run:
        whole = tuple((row, column) for row in printed or every)
        yield Cells("part", at, whole, chosen.chosen)
