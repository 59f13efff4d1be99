"""The sets of rows of a table that a question may mean, whichever it is; pure.

Rows of a kind, of a group, of a time; those that have or have not something in a column; those of
which one figure is above another, above nothing, or beyond a limit; those with the most or the
least; and the likeliest by the network for tables.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, permutations
from typing import Any

from docqa.answer.findings.conditions import Day, bounds_in, first_day, last_day, of_time
from docqa.answer.findings.grids import Grid, bits
from docqa.answer.findings.relation import date_columns
from docqa.answer.findings.rows_meant import is_blank
from docqa.answer.findings.values import Value
from docqa.language.amounts import measured_amounts
from docqa.language.numbers import NUMBER_WORDS, SCALES, worded_numbers
from docqa.language.periods import calendar_months, dates_in, periods_in
from docqa.language.words import content_words

NOTHING = -1  # for the column of what a figure is held against, where that is nothing
WAYS = ("likeliest", "every", "named", "group", "times", "words", "kind", "other kinds", "filled",
        "blank", "apart", "alike", "signed", "apart of a group", "signed of a group", "limit",
        "time", "most", "most of a kind")  # fmt: skip

_LIKELIEST = 14  # rows of a set of the likeliest, at most
_GROUPS, _TELLING = 10, 4  # sets of rows
_COLUMNS = 8  # of figures that are held against something, at most
_LIMITS = 2  # that a question gives
_FACTORS = tuple(map(Decimal, ("1", "1000", "1000000", "0.001")))
_HALF = re.compile(r"\bhalf an? (thousand|million|billion)\b", re.IGNORECASE)
_COUNTS = (1, 2, 3)  # of those with the most, where a question says no other
_MOST_COUNTED = 12


@dataclass(frozen=True, slots=True)
class Beyond:
    """By what column rows are chosen: those ``above`` (1) or below (-1) the others or a limit, or
    within it (0); ``said`` tells whether the question's words say so (1), or otherwise (-1).
    ``count`` is how many have the most; of a limit 1 where its figures are taken as printed."""

    column: int
    above: int
    said: int
    count: int = 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some rows of a table, by their places in order; ``ways`` are those by which they are a set.

    ``by`` is what a cell says by which they are chosen, after its column; ``apart`` the columns of
    the figures that are greater and less; ``limit`` and ``most`` those of a limit, and of the most.
    """

    rows: tuple[int, ...]
    ways: frozenset[str]
    by: tuple[int, str] | None = None
    apart: tuple[int, int] | None = None
    limit: Beyond | None = None
    most: Beyond | None = None

    @property
    def columns(self) -> tuple[int, ...]:
        """Those by which they are chosen."""
        found = [self.by[0]] if self.by else []
        found += [*(self.apart or ())]
        found += [each.column for each in (self.limit, self.most) if each]
        return tuple(at for at in dict.fromkeys(found) if at != NOTHING)


_Way = tuple[str, Iterable[int], dict[str, Any]]  # a way, its rows, and what tells them
_Figures = Mapping[int, Mapping[int, Value]]  # by column and row, the likeliest columns first
_Dates = Mapping[int, Mapping[int, Day]]


def sets_of(grid: Grid) -> list[Chosen]:
    """The sets of rows that a question may mean; no totals."""
    every = [at for at, row in enumerate(grid.rows) if not row.is_total and grid.is_filled(at)]
    groups, figures, dates = _groups(grid, every), _figures(grid, every), _dates(grid, every)
    ways = chain(
        _called(grid, every, groups),
        _apart(grid, groups, figures, dates),
        _limits(grid, figures, dates),
        _most(grid, figures, dates),
    )
    found: dict[tuple[int, ...], Chosen] = {}
    for way, rows, told in ways:
        own = tuple(sorted({*rows} & {*every}))
        if own:
            known = found.get(own, Chosen(own, frozenset()))
            new = {name: each for name, each in told.items() if getattr(known, name) is None}
            found[own] = replace(known, ways=known.ways | {way}, **new)
    return list(found.values())


def _called(grid: Grid, every: Sequence[int], groups: Sequence[Sequence[int]]) -> Iterator[_Way]:
    """The likeliest rows, all, and those that words, kinds, groups and blanks tell."""
    likeliest = sorted(every, key=lambda at: -grid.read.rows[at])
    for count in range(1, min(len(every), _LIKELIEST) + 1):
        yield "likeliest", likeliest[:count], {}
    yield "every", every, {}
    yield "named", grid.named, {}
    for group in groups:
        yield "group", group, {}
    yield "times", [at for at in every if grid.rows[at].times], {}
    own = {at: grid.rows[at].words & ~grid.around for at in every}
    telling = sorted({*own.values()} - {0}, key=lambda words: (-words.bit_count(), words))
    for words in telling[:_TELLING]:
        yield "words", [at for at in every if own[at] & words == words], {}
    for word in range(len(grid.asked)):
        yield "words", [at for at in every if own[at] >> word & 1], {}
    for chosen, rows in grid.kinds.items():
        yield "kind", rows, {"by": chosen}
        yield "other kinds", [at for at in every if at not in rows], {"by": chosen}
    for column in range(len(grid.columns)):
        blank = [at for at in every if is_blank(grid.table.rows[at].cells[column])]
        yield "blank", blank, {}
        yield "filled", [at for at in every if at not in blank], {}


def _groups(grid: Grid, every: Sequence[int]) -> list[list[int]]:
    """The rows by what they stand under."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for at in every:
        groups.setdefault(grid.table.rows[at].path, []).append(at)
    return [*groups.values()][:_GROUPS]


# Figures and dates


def _figures(grid: Grid, every: Sequence[int]) -> _Figures:
    """The numbers in each column that has some."""
    found: dict[int, dict[int, Value]] = {}
    for at in every:
        for column, value in grid.numbers[at].items():
            found.setdefault(column, {})[at] = value
    likeliest = sorted(found, key=lambda column: -_likelihood(grid, column))[:_COLUMNS]
    return {column: found[column] for column in likeliest}


def _dates(grid: Grid, every: Sequence[int]) -> _Dates:
    """The first date in each cell of a column of dates."""
    found: dict[int, dict[int, Day]] = {}
    for column in sorted(date_columns(grid.table), key=lambda at: -_likelihood(grid, at)):
        for at in every:
            dates = (each for each in dates_in(grid.table.rows[at].cells[column]) if each.year)
            if first := next(dates, None):
                found.setdefault(column, {})[at] = (first.year, first.month, first.day)
    return found


def _likelihood(grid: Grid, column: int) -> float:
    """How likely a question is to mean a column: by the words asked that it is called by, then by
    the network for tables."""
    return 10.0 * grid.columns[column].words.bit_count() + grid.read.columns[column]


def _apart(
    grid: Grid, groups: Sequence[Sequence[int]], figures: _Figures, dates: _Dates
) -> Iterator[_Way]:
    """The rows of which the figure or date in one column is above that in another of its unit, or
    as high, or of which a figure is above or below nothing."""
    measured = {
        column: {at: (value.unit, value.amount) for at, value in own.items()}
        for column, own in figures.items()
    }
    dated = {
        column: {at: ("date", day) for at, day in own.items()} for column, own in dates.items()
    }
    found: list[_Way] = []
    for own in (measured, dated):
        for columns in _pairs(grid, own):
            found += _held_against(own, columns)
    for column, values in figures.items():
        signs = {at: value.number or 0 for at, value in values.items()}
        if any(sign < 0 for sign in signs.values()):
            above, below = {"apart": (column, NOTHING)}, {"apart": (NOTHING, column)}
            found.append(("signed", [at for at, sign in signs.items() if sign > 0], above))
            found.append(("signed", [at for at, sign in signs.items() if sign < 0], below))
    for way, rows, told in found:
        yield way, rows, told
        for group in groups if len(groups) > 1 and way != "alike" else ():
            yield f"{way} of a group", {*rows} & {*group}, told


def _pairs(grid: Grid, columns: Iterable[int]) -> list[tuple[int, int]]:
    pairs = permutations(columns, 2)
    return sorted(pairs, key=lambda both: -sum(_likelihood(grid, at) for at in both))


def _held_against(
    figures: Mapping[int, Mapping[int, tuple[str, Any]]], columns: tuple[int, int]
) -> Iterator[_Way]:
    one, other = (figures[at] for at in columns)
    both = [at for at in one if at in other and one[at][0] == other[at][0]]
    yield "apart", [at for at in both if one[at][1] > other[at][1]], {"apart": columns}
    yield "alike", [at for at in both if one[at][1] == other[at][1]], {"apart": columns}


# Limits that a question gives


def _limits(grid: Grid, figures: _Figures, dates: _Dates) -> Iterator[_Way]:
    """The rows above, below and between the amounts that a question gives, and before, in and after
    its times."""
    topic = grid.question.topic
    amounts = limits_in(topic)[:_LIMITS]
    said = {each.limit: 1 if each.above else -1 for each in bounds_in(topic)}
    for column, values in figures.items():
        for factor in _FACTORS if amounts else ():
            sides = [_sides(values, each, factor) for each in amounts]
            plain = int(factor == 1)
            for (value, _), side in zip(amounts, sides, strict=True):
                told = said.get(value, 0)
                for strictly in (0, 1):
                    above = [at for at in side if side[at] >= strictly]
                    below = [at for at in side if -side[at] >= strictly]
                    if above and below:
                        yield "limit", above, {"limit": Beyond(column, 1, told, plain)}
                        yield "limit", below, {"limit": Beyond(column, -1, -told, plain)}
            if len(sides) > 1:
                one, other = sides
                between = [at for at in one if at in other and one[at] * other[at] <= 0]
                yield "limit", between, {"limit": Beyond(column, 0, 0, plain)}
    spans = _spans(topic)
    passes = of_time(topic)
    for column, days in dates.items():
        if passes:
            cells = {at: grid.table.rows[at].cells[column] for at in days}
            rows = [at for at in cells if passes(cells[at])]
            yield "time", rows, {"limit": Beyond(column, 0, 1)}
        for first, last in spans:
            for beyond, rows in (
                (-1, [at for at in days if days[at] < first]),
                (-1, [at for at in days if days[at] <= last]),
                (0, [at for at in days if first <= days[at] <= last]),
                (1, [at for at in days if days[at] >= first]),
                (1, [at for at in days if days[at] > last]),
            ):
                yield "time", rows, {"limit": Beyond(column, beyond, 0)}


def limits_in(topic: str) -> list[tuple[Decimal, str]]:
    """The amounts that a question gives, in figures or words, with their units; no times.

    >>> [(int(value), unit) for value, unit in limits_in("over £50k, or half a million, in 2024")]
    [(50000, 'GBP'), (500000, '')]
    """
    taken = [(each.start, each.stop) for each in periods_in(topic) if each.year]
    found = [
        *((each.start, each.end, each.value, each.unit) for each in measured_amounts(topic)),
        *((*m.span(), Decimal(SCALES[m[1].lower()]) / 2, "") for m in _HALF.finditer(topic)),
        *((start, end, value, "") for value, start, end in worded_numbers(topic)),
    ]
    limits = []
    for start, end, value, unit in found:
        if not any(first < end and start < last for first, last in taken):
            limits.append((start, value, unit))
            taken.append((start, end))
    return [(value, unit) for _, value, unit in sorted(limits)]


def _sides(
    values: Mapping[int, Value], limit: tuple[Decimal, str], factor: Decimal
) -> dict[int, int]:
    """Whether each row's number is above (1), below (-1) or as high as a limit (0); none of another
    unit. Where a table does not say what its numbers are to be multiplied by, or a question does
    not ("forty grand"), that is tried as the ``factor``."""
    amount, unit = limit
    found = {}
    for at, value in values.items():
        if unit and value.unit and unit != value.unit:
            continue
        known = value.scale > 1 or value.unit == "%"
        if known and factor != 1:
            continue
        scale = value.scale if unit or amount >= value.scale else 1  # not "20" of thousands
        number = (value.number or 0) * scale * factor
        found[at] = (number > amount) - (number < amount)
    return found


def _spans(topic: str) -> list[tuple[Day, Day]]:
    """The first and the last day of each time that a question names, and of those from the first to
    the last month that it names of one year."""
    periods = [each for each in periods_in(topic) if each.year]
    spans = [(first_day(each), last_day(each)) for each in periods]
    months = sorted(calendar_months(topic))
    if len(months) > 1 and len({each.year for each in periods}) == 1:
        year = periods[0].year
        spans.append(((year, months[0], 1), (year, months[-1], 31)))
    if len(spans) == 2 and len(periods) == 2:
        spans.append((min(spans)[0], max(spans)[1]))
    return spans


# The most and the least


def _most(grid: Grid, figures: _Figures, dates: _Dates) -> Iterator[_Way]:
    """The rows with the most and with the least in each column, as many as are asked for, and the
    one of a kind that the question has a word of."""
    said = counted(grid.question.topic)
    kinds = [
        rows for (_, text), rows in grid.kinds.items() if bits(grid.asked, content_words(text))
    ]
    columns: dict[int, Mapping[int, Any]] = {
        column: {at: value.amount for at, value in own.items()} for column, own in figures.items()
    }
    columns |= dates
    for column, own in columns.items():
        for count in dict.fromkeys((said, *_COUNTS) if said else _COUNTS):
            told = (count == said) - (said not in (0, count))
            for above, rows in _furthest(own, count):
                yield "most", rows, {"most": Beyond(column, above, told, count)}
        for kind in kinds:
            some = {at: own[at] for at in kind if at in own}
            for above, rows in _furthest(some, 1):
                yield "most of a kind", rows, {"most": Beyond(column, above, 0, 1)}


def counted(topic: str) -> int:
    """How many are asked for, from two on; 0 where a question does not say.

    >>> counted("the two biggest"), counted("top 10 by rent"), counted("biggest in 2024")
    (2, 10, 0)
    """
    words = re.findall(r"[a-z]+|\d+", topic.lower())
    numbers = [int(word) if word.isdigit() else NUMBER_WORDS.get(word, 0) for word in words]
    return next((number for number in numbers if 1 < number <= _MOST_COUNTED), 0)


def _furthest(own: Mapping[int, Any], count: int) -> Iterator[tuple[int, list[int]]]:
    """The rows with the most (1) and the least (-1), so many of them; none where others have as
    much."""
    for above in (1, -1):
        rows = sorted(own, key=lambda at: own[at], reverse=above > 0)
        if len(rows) > count and own[rows[count - 1]] != own[rows[count]]:
            yield above, rows[:count]
