"""The lines of primary statements side by side: of one kind, one length and one end of period.

Which lines, and under which labels they are printed, stands in `lines.txt`. Figures come from the
tables that are a document's own statements; those of segments, adjusted or pro forma ones are not
among them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import resources

from docqa.compare.figures import are_of_one_series, row_of
from docqa.compare.tables import Side, amount_of, cell_value
from docqa.language.labels import label_key, plain_words
from docqa.language.periods import read_period, same_period
from docqa.language.words import fold
from docqa.types.comparison import PERIODS_DIFFER, Figure, FigureComparison
from docqa.types.table import Row, Table

NEAR = 16  # days between two ends that are one: years of 52 weeks end on a weekday
MONTH = 30.44  # days
LENGTHS = (12, 3, 6, 9)  # months, the length first that figures are compared in where both have it
Ends = tuple[int, ...]  # of each document, as the number of a day
_LOSS = re.compile(r"(?:net|operating) loss|loss from operations", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a statement: the labels it is printed with, or those of the rows it is added from.

    ``leads`` says that it is one of those a comparison is summed up by.
    """

    name: str
    leads: bool
    statements: tuple[str, ...]
    labels: tuple[str, ...]
    addends: tuple[str, ...]
    excluded: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def keys(self) -> frozenset[tuple[str, ...]]:
        """What labels of the line share; see `label_key`."""
        return frozenset(label_key(name) for name in self.names)


@lru_cache(maxsize=1)
def lines() -> tuple[Line, ...]:
    """The lines of `lines.txt`, in its order."""
    text = resources.files("docqa.compare").joinpath("lines.txt").read_text("utf-8")
    kept = [line for line in text.splitlines() if line and not line.startswith("#")]
    starts = [at for at, line in enumerate(kept) if " @ " in line.partition(":")[0]]
    stops = [*starts[1:], len(kept)]
    return tuple(_line(kept[a:b]) for a, b in zip(starts, stops, strict=True))


def _line(text: Sequence[str]) -> Line:
    head, _, labels = text[0].partition(":")
    name, _, statements = head.partition(" @ ")
    more = {key: _listed(value) for key, _, value in (each.partition(":") for each in text[1:])}
    named = name.removesuffix(" [lead]")
    return Line(
        named,
        name != named,
        tuple(each.strip() for each in statements.split(",")),
        tuple(map(_folded, _listed(labels))),
        tuple(map(_folded, more.get("sum", ()))),
        tuple(map(_folded, more.get("not", ()))),
        (named, *more.get("asked", ())),
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split("|") if each.strip())


@lru_cache(maxsize=16_384)
def _folded(label: str) -> str:
    """A label as labels are held against patterns.

    >>> _folded("(Loss)/income from operations"), _folded("Total stockholders’ equity (Note 4):")
    ('income from operations', 'total stockholders equity')
    """
    bare = re.sub(r"\([^()]*\)?", " ", fold(label)).replace("'", "")
    return " ".join(re.sub(r"[^\w*›&.]", " ", bare).split()).strip(" .")


def lines_asked(question: str) -> tuple[Line, ...]:
    """The lines that a question names, longest names first taken; all where it names nothing.

    >>> [line.name for line in lines_asked("Compare the cost of revenue and EPS")]
    ['Cost of sales', 'Diluted earnings per share']
    """
    if not question:
        return lines()
    rest = f" {' '.join(plain_words(question))} "
    named = [(f" {' '.join(plain_words(name))} ", line) for line in lines() for name in line.names]
    found = set()
    for name, line in sorted(named, key=lambda each: -len(each[0])):
        if name in rest:
            rest = rest.replace(name, "  ")
            found.add(line.name)
    return tuple(line for line in lines() if line.name in found)


def compare_statements(
    sides: Sequence[Side], question: str, *, period: str = ""
) -> tuple[FigureComparison, ...]:
    """A row for each line asked for that any of the documents has; () unless all have statements.

    Figures are of the ``period``, else of that which the question names.

    A row with fewer values than documents says of the others that they have no such line.
    """
    if not all(side.has_statements for side in sides):
        return ()
    found = {line.name: [_figures(line, side) for side in sides] for line in lines()}
    ends = _ends(list(found.values()), period or question)
    rows = (_row(line, found[line.name], sides, ends) for line in lines_asked(question))
    return tuple(filter(None, rows))


# Figures of a line


def _figures(line: Line, side: Side) -> list[Figure]:
    """A line's figures of every period, as its statement has them or as they add up."""
    rows = list(_rows(line, side))
    for pattern in line.labels:
        for table, row in rows:
            if _matches(row, pattern):
                return list(_printed(table, row, side))
    added = [each for each in rows if any(_matches(each[1], p) for p in line.addends)]
    first = _of_one_statement(added)
    figures = [figure for table, row in first for figure in _printed(table, row, side)]
    periods = dict.fromkeys(figure.period for figure in figures)
    return [_sum([each for each in figures if each.period == period]) for period in periods]


def _of_one_statement(rows: Sequence[tuple[Table, Row]]) -> Iterator[tuple[Table, Row]]:
    """The rows up to the first of another table that an earlier one has already.

    A statement may be several tables; after it, that of a subsidiary may follow.
    """
    known: dict[str, int] = {}
    for table, row in rows:
        if known.setdefault(_folded(row.label), table.number) != table.number:
            return
        yield table, row


def _rows(line: Line, side: Side) -> Iterator[tuple[Table, Row]]:
    """The rows of the line's statements that may be it, in the order of the statements named."""
    named = (t for statement in line.statements for t in side.tables if t.role == statement)
    for table in named:
        for row in table.rows:
            excluded = any(_matches(row, pattern) for pattern in line.excluded)
            if not row.is_group and not excluded:
                yield table, row


def _matches(row: Row, pattern: str) -> bool:
    """Whether a row's label, or its label under one of its groups, is as a pattern says."""
    label = _folded(row.label)
    if fnmatchcase(label.strip("* "), pattern):
        return True
    under = (f"{_folded(group)} › {label}" for group in row.path)
    return "›" in pattern and any(fnmatchcase(name, pattern) for name in under)


def _printed(table: Table, row: Row, side: Side) -> Iterator[Figure]:
    """A row's figures; of columns with periods alone where there are any."""
    block = side.blocks.get(row.block)
    periods = [table.period_of(row, at) for at in range(len(row.cells))]
    for at, text in enumerate(row.cells):
        told = cell_value(table, row, at)
        if block is None or told is None or (any(p.year for p in periods) and not periods[at].year):
            continue
        value, unit = told
        if value > 0 and _LOSS.fullmatch(row.label):
            value = -value
        yield Figure(
            row.label, periods[at].text, value, unit, text, side.document.id, side.document.name,
            block, statement=True,
        )  # fmt: skip


def _sum(addends: Sequence[Figure]) -> Figure:
    """The sum of a period's figures; one that is alone stays as it is."""
    if len(addends) == 1:
        return addends[0]
    printed = [amount.value for each in addends if (amount := amount_of(each.text))]
    return replace(
        addends[0],
        label=" + ".join(each.label for each in addends),
        value=sum((each.value for each in addends), start=Decimal(0)),
        text=f"{sum(printed):,f}",
        addends=tuple(addends),
    )


def _day(figure: Figure) -> int:
    """The day a figure's period ends on, as a number; 0 where it has no period."""
    period = read_period(figure.period)
    if not period.year:
        return 0
    months = period.year * 12 + (period.month or 12)
    last = date(months // 12, months % 12 + 1, 1).toordinal() - 1
    return last - (period.day and 28 - min(period.day, 28))


def _months(figure: Figure) -> int | None:
    return read_period(figure.period).months


def _ends(found: Sequence[Sequence[Sequence[Figure]]], question: str) -> Ends:
    """The end of period that each document's figures are taken of.

    That which the question names; else, of documents of several issuers, the latest that all of
    them have statements of; else the latest of each.
    """
    of_sides = [[f for line in found for f in line[at]] for at in range(len(found[0]))]
    latest = tuple(max(map(_day, figures), default=0) for figures in of_sides)
    asked = read_period(question)
    if asked.year:
        named = [
            [_day(f) for f in own if same_period(read_period(f.period), asked)] for own in of_sides
        ]
        return tuple(max(days, default=last) for days, last in zip(named, latest, strict=True))
    shared = [] if are_of_one_series(of_sides) else _shared_ends(of_sides)
    return max(shared, default=latest)


def _shared_ends(of_sides: Sequence[Sequence[Figure]]) -> list[Ends]:
    """The ends that all documents have figures of, of every length that they have."""
    ends = []
    for day in {_day(figure) for figure in of_sides[0]} - {0}:
        near = [[f for f in own if abs(_day(f) - day) <= NEAR] for own in of_sides]
        lengths = [{_months(f) for f in own} for own in near]
        if all(lengths) and all(each == lengths[0] and 0 in each for each in lengths):
            ends.append(tuple(max(map(_day, own)) for own in near))
    return ends


def _row(
    line: Line, found: Sequence[Sequence[Figure]], sides: Sequence[Side], ends: Ends
) -> FigureComparison | None:
    """A line's figures, with a note on what is absent, refused, added up or of other ends; None
    where no document has any."""
    near = [
        [f for f in own if not _day(f) or abs(_day(f) - end) <= NEAR]
        for own, end in zip(found, ends, strict=True)
    ]
    if not any(near):
        return None
    shared = set.intersection(*(set(map(_months, own)) for own in near if own))
    values = [_of_length(own, shared) for own in near if own]
    ends_apart = max(abs(_day(values[0]) - _day(other)) for other in values)
    one = len(set(map(_months, values))) < 2 and ends_apart <= NEAR
    row = row_of(line.name, values, one_period=one)
    absent = [_absence(line, side) for side, own in zip(sides, near, strict=True) if not own]
    said = row.note.replace(PERIODS_DIFFER, _apart(values))
    added = [f"{v.document}: {v.label}." for v in values if v.addends]
    notes = " ".join(filter(None, (*absent, said, *added)))
    return replace(row, note=notes, leading=line.leads)


def _of_length(figures: Sequence[Figure], shared: set[int | None]) -> Figure:
    """Of a line's figures that end together, that of a shared length, a year's before others."""
    order = [*LENGTHS, 0, None]

    def rank(figure: Figure) -> tuple[bool, int]:
        months = _months(figure)
        return months not in shared, order.index(months) if months in order else len(order)

    return min(figures, key=rank)


def _apart(figures: Sequence[Figure]) -> str:
    days = [_day(figure) for figure in figures]
    months = round((max(days) - min(days)) / MONTH)
    if not months:
        return ""
    return f"The periods end {months} {'month' if months == 1 else 'months'} apart."


def _absence(line: Line, side: Side) -> str:
    tables = [table for table in side.tables if table.role in line.statements]
    name = side.document.name
    if not tables:
        return f"No {line.statements[0]} of {name} was found."
    return f"The {tables[0].role} of {name} (p. {tables[0].pages[0]}) has no such line."
