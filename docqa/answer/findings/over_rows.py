"""Sums over the rows of a list: of those that a question names, that are as it says, or of all."""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from decimal import Decimal
from itertools import pairwise

from docqa.answer.findings.cited import Source
from docqa.answer.findings.lists import EXTREME, asks_for_most
from docqa.answer.findings.operations import Operation
from docqa.answer.findings.rows_meant import (
    NAME,
    PER_AREA,
    asked_for,
    brief,
    called,
    conditions_of,
    date_columns,
    distinct_label,
    meets,
    names_of_one,
    with_near,
    words_of_rows,
)
from docqa.answer.findings.sums import percent, plain
from docqa.answer.findings.values import (
    TOTAL,
    Value,
    numbers_in,
    periods_asked,
    scale_text,
    without_total,
)
from docqa.language.amounts import unit_named
from docqa.language.periods import YEAR, months_asked
from docqa.language.words import content_words
from docqa.types.finding import Finding
from docqa.types.question import Question
from docqa.types.table import Column, Row, Table

_SHOWN = 24  # figures of a sum that are shown
_NAMED = 12  # rows that are named
_CHANCE = 1.0  # what a table's rows come to; whether it was asked for, the question tells
_MOSTLY = 0.5  # share of a column's rows that have a figure
_RATE = re.compile(rf"\bper\s+(?!annum|year|quarter|month|week|day|cent)|{PER_AREA}", re.IGNORECASE)
_TIMES = frozenset(content_words("year annual month monthly quarter date day"))
_EVERY = frozenset(content_words("including whole entire altogether"))
_TOTAL_OF = re.compile(r"\b(?:total|combined|overall|altogether)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
_AREAS = ("sq ft", "sq m", "acres", "hectares")


def over_rows(
    question: Question, operation: Operation, source: Source, *, sure: bool = True
) -> Finding | None:
    """The sum, average, share or difference of one column of a list that a question asks for.

    None where no list has a column that it names, and rows that it names or means; where it is not
    ``sure`` that it asks to add, only those are added that it names, or all.
    """
    work_out = _WORKED.get(operation)
    if work_out is None:
        return None
    for table in filter(called, source.tables):
        rows = list(asked_for(question, table))
        for column in _columns(question, table, rows, operation):
            values = work_out(question, table, rows, column)
            if values and (sure or _are_total(question, table, [v.row for v in values], rows)):
                markers = source.cite([(table, value.row) for value in values])
                return _finding(operation, table, values, "".join(dict.fromkeys(markers)))
    return None


def adds_up(question: Question) -> bool:
    """Whether a question may be for a sum though nothing in it says to add: it counts in a unit of
    area ("How many square feet are vacant?"), or asks for a total, printed or not."""
    counts = _HOW_MANY.search(question.topic) and any(_units_in(question.topic))
    return bool(counts or _TOTAL_OF.search(question.topic))


def _are_total(question: Question, table: Table, added: Sequence[Row], rows: Sequence[Row]) -> bool:
    """Whether rows are what a total is asked of: counted in a unit of area, all that have a name of
    the question, or all there are, where it says no more than what is added."""
    if any(_units_in(question.topic)):
        return True
    if len(added) == len(rows):
        heads = (column.heading for column in table.columns)
        return words_of_rows(question) <= {*content_words(" ".join(heads)), *called(table)}
    _, *rest = question.topic.split() or [""]
    names = set(content_words(" ".join(NAME.findall(" ".join(rest)))))
    return bool(names) and all(
        (names <= set(content_words(" ".join(brief(row))))) == (row in added) for row in rows
    )


def _columns(
    question: Question, table: Table, rows: Sequence[Row], operation: Operation
) -> Iterator[int]:
    """The columns of figures that a question names, that with most of its words first; else the
    only one of money. A rate is not added up, and is meant where the question says per what."""
    asked = set(content_words(question.topic)) - _TIMES
    known = with_near(asked)
    rated = operation not in ("sum", "share") and _RATE.search(question.topic) is not None
    units_asked = set(_units_in(question.topic))
    dates, named, money = date_columns(table), [], []
    for at, column in enumerate(table.columns):
        if not _is_of_time(column, question, table):
            continue
        figures = [v for row in rows for v in numbers_in(table, row) if v.column == at]
        units = {value.unit for value in figures}
        if len(figures) < max(2, _MOSTLY * len(rows)) or len(units) > 1 or at in dates:
            continue
        if all(re.fullmatch(YEAR, value.text) for value in figures):
            continue
        (unit,) = units
        if ("/" in unit) != rated or (units_asked and not rated and unit not in units_asked):
            continue
        if unit == "%" and operation in ("sum", "share"):
            continue
        money += [at] if column.currency == unit != "" else []
        words = {*content_words(column.heading), *content_words(unit)}
        if words & known or unit in units_asked:
            named.append((-len(words & asked), -len(words & known), at))
    yield from (at for *_, at in sorted(named)) if named else money if len(money) == 1 else ()


def _is_of_time(column: Column, question: Question, table: Table) -> bool:
    """Whether a column is of the length of time asked for, and of its year, where a table has
    columns of several; a roll is of one day, whatever time is asked for."""
    months, years = months_asked(question.whole), {p.year for p in periods_asked(question)}
    others = {each.period.year for each in table.columns if each.period.year}
    of_length = not (months and column.period.months) or column.period.months == months
    several = len(others) > 1 and bool(years & others)
    return of_length and (not several or column.period.year in years)


def _units_in(text: str) -> Iterator[str]:
    """The units of area that a question counts in ("square feet")."""
    words = re.findall(r"[\w.%]+", text)
    for said in (*words, *map(" ".join, pairwise(words))):
        if (unit := unit_named(said)) in _AREAS:
            yield unit


def _chosen(question: Question, table: Table, rows: Sequence[Row], column: int) -> list[Value]:
    """The rows the question names; else those meeting its conditions; else all, if it asks about
    this table's rows; else none. Of each its figure."""
    named = _named(question, rows)
    if len(named) > 1:
        return _values(table, named, column)
    conditions = conditions_of(question, table)
    asked = set(content_words(question.topic))
    of_these = asked & {*called(table), *content_words(table.title)}
    if named or _names_others(question, table):
        return []
    _, summed = without_total(_values(table, rows, column))
    rows = [row for row in rows if all(row is not value.row for value in summed)]
    fitting = [row for row in rows if meets(row, conditions)]
    heads = {word for each in table.columns for word in content_words(each.heading)}
    narrowed = _narrowed(asked - heads, fitting)
    meant = conditions or of_these or len(narrowed) < len(rows)
    return _values(table, narrowed, column) if meant else []


def _names_others(question: Question, table: Table) -> bool:
    """Whether a question names, with a capital, what neither the heads nor the cells of a table
    do."""
    heads = (table.title, table.corner, *table.section, *(c.heading for c in table.columns))
    cells = (cell for row in table.rows for cell in (row.label, *row.path, *row.cells))
    known = set(content_words(" ".join((*heads, *cells))))
    _, *rest = question.topic.split() or [""]
    return not set(content_words(" ".join(NAME.findall(" ".join(rest))))) <= known


def _narrowed(asked: Set[str], rows: Sequence[Row]) -> Sequence[Row]:
    """The rows that have each word of a question that some of them have ("ground floor"); all
    where all are asked for."""
    if asked & _EVERY:
        return rows
    words = [set(content_words(" ".join(brief(row)))) for row in rows]
    some = {word for word in asked if 0 < sum(word in own for own in words) < len(rows)}
    return [row for row, own in zip(rows, words, strict=True) if some <= own]


def _named(question: Question, rows: Sequence[Row]) -> list[Row]:
    """The rows of which a question has a name that no other row has."""
    asked = set(NAME.findall(question.whole))
    return [row for row, own in zip(rows, names_of_one(rows), strict=True) if own & asked]


def _values(table: Table, rows: Sequence[Row], column: int) -> list[Value]:
    """The figures of several rows; [] where one cannot be read, as a sum without it would be
    wrong."""
    filled = [row for row in rows if any(map(str.isalnum, row.cells[column]))]
    values = [value for row in filled if (value := _value(table, row, column))]
    return values if len(values) == len(filled) > 1 else []


def _value(table: Table, row: Row, column: int) -> Value | None:
    return next((v for v in numbers_in(table, row) if v.column == column), None)


def _of_two(question: Question, table: Table, rows: Sequence[Row], column: int) -> list[Value]:
    named = _named(question, rows)
    values = [value for row in named if (value := _value(table, row, column))]
    return sorted(values, key=lambda v: -v.amount) if len(values) == len(named) == 2 else []


def _part_and_whole(
    question: Question, table: Table, rows: Sequence[Row], column: int
) -> list[Value]:
    """The figure of one row, which a question names or means as the largest, and the total of
    all: the printed one, else of every row."""
    every, summed = without_total(_values(table, rows, column))
    named = _named(question, rows)
    part = [value for value in every if value.row in named]
    if not part and asks_for_most(question) and every:
        extreme = EXTREME.search(question.topic)
        best = min if extreme and extreme["least"] else max
        part = [best(every, key=lambda value: value.amount)]
    added = sum((value.amount for value in every), Decimal(0))
    printed = [_value(table, row, column) for row in table.rows if TOTAL.search(row.label)]
    printed += summed
    totals = sorted(filter(None, printed), key=lambda value: abs(value.amount - added))
    if len(part) != 1 or len(every) < 2:
        return []
    return [*part, totals[0]] if totals else [*part, *(v for v in every if v is not part[0])]


_WORKED: dict[Operation, Callable[..., list[Value]]] = {
    "sum": _chosen,
    "average": _chosen,
    "difference": _of_two,
    "share": _part_and_whole,
}


def _finding(operation: Operation, table: Table, values: Sequence[Value], markers: str) -> Finding:
    figures = [plain(value.amount) for value in values]
    total = sum((value.amount for value in values), Decimal(0))
    added = " + ".join(figures) if len(figures) <= _SHOWN else "the rows cited"
    own = values[0].period
    period = "" if own.months else own.text  # a roll is of a day, whatever time is asked for
    heading = values[0].heading or table.title
    dated = period.casefold() in heading.casefold()
    heading = heading if dated or not period else f"{heading}, {period}"
    names = ", ".join(distinct_label(table, value.row) for value in values)
    scale = scale_text(values[0].scale)
    if operation == "share":
        part, whole = values[0].amount, values[1].amount if len(values) == 2 else total
        names = distinct_label(table, values[0].row)
        shown = f"{figures[0]} ÷ {plain(whole)}"
        result, scale = percent(part / whole * 100) if whole else "", ""
    elif operation == "difference":
        shown, result = " − ".join(figures), plain(values[0].amount - values[1].amount)
    elif operation == "average":
        shown, result = f"({added}) ÷ {len(values)}", plain(total / len(values))
    else:
        shown, result = added, plain(total)
    labels = {value.row.label.rstrip(" :") for value in values}
    names = "each row" if len(values) > _NAMED else names
    names = f"{values[0].row.label}, each row" if len(labels) == 1 else names
    label = f"{_NAMES[operation]}, {heading}, {names}"
    text = f"{label}: {shown} = {result}{scale} {markers}"
    return Finding("sum", text, _CHANCE, f"{result}{scale}", label)


_NAMES: dict[Operation, str] = {
    "sum": "Sum", "average": "Average", "difference": "Difference", "share": "Share",
}  # fmt: skip
