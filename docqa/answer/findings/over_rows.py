"""Sums over the rows of a list: of those that a question names, that are as it says, or of all."""

import re
from collections.abc import Sequence
from decimal import Decimal

from docqa.answer.findings.cited import Source
from docqa.answer.findings.columns_meant import (
    columns_of_figures,
    held_against,
    named_columns,
    rate_of,
    set_apart,
    units_in,
)
from docqa.answer.findings.lists import EXTREME, how_many
from docqa.answer.findings.operations import Operation
from docqa.answer.findings.relation import (
    called,
    distinct_label,
    figures,
    things,
    total_of,
)
from docqa.answer.findings.rows_meant import covers_question, rows_meant, rows_named, words_of_rows
from docqa.answer.findings.sums import CITED, SHOWN, come_to, in_brackets, percent, plain
from docqa.answer.findings.values import TOTAL, Value, scale_text, without_total
from docqa.language.periods import says_only_when
from docqa.language.words import content_words
from docqa.types.question import Question
from docqa.types.table import Row, Table

_NAMED = 12  # rows that are named
_TOTAL_OF = re.compile(r"\b(?:total|combined|overall|altogether|sum|add|bill)\b", re.IGNORECASE)
_LET = re.compile(r"\b(?:let|leased|occupied|rented|tenants?|lessees?|occupiers?)\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\b(?:average|avg|mean)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)


_Worked = tuple[str, Sequence[Value]]  # what figures come to, as it is told, and these


def over_rows(
    question: Question, operation: Operation, source: Source, *, sure: bool = True
) -> str:
    """The sum, average, share or difference of one column of a list that a question asks for, or
    the difference or the rate of two columns.

    "" where no list has a column that it names, and rows that it names or means; where it is not
    ``sure`` that it asks to add, only those are added that it names, or all.
    """
    for table in filter(called, source.lists):
        if not _is_about(question, table):
            continue
        of_two = _per(question, table) or _between(question, table)
        rate = not sure and _names_share(question, table)
        worked = of_two or (None if rate else _over_one(question, operation, table, sure=sure))
        if worked:
            told, values = worked
            markers = source.cite([(table, value.row) for value in values])
            return f"{told} {''.join(dict.fromkeys(markers))}"
    return ""


def _names_share(question: Question, table: Table) -> bool:
    """Whether a question names a column of shares ("overall occupancy"), which no sum is of."""
    return any(table.columns[at].unit == "%" for at in named_columns(question, table))


def _is_about(question: Question, table: Table) -> bool:
    """Whether a list has all that a question says, where its rows are times, which the questions of
    other tables name too."""
    rows = things(table, vacant=True)
    is_of_times = all(says_only_when(row.label) for row in rows)
    return not is_of_times or covers_question(question, table, rows)


def operation_over(question: Question, told: Operation, *, sure: bool) -> Operation:
    """What a question asks of a list's rows: as it is ``told`` from how it is put, where that is
    ``sure``; else an average or a sum where it has a word for one, printed or not, or counts in a
    unit of area ("How many square feet are vacant?")."""
    if sure:
        return told
    if _AVERAGE.search(question.topic):
        return "average"
    counts = _HOW_MANY.search(question.topic) and any(units_in(question.topic))
    return "sum" if counts or _TOTAL_OF.search(question.topic) else "none"


def _per(question: Question, table: Table) -> _Worked | None:
    """One column by another, of the row that a question names, else of all that it means."""
    columns = rate_of(question, table)
    if columns is None:
        return None
    rows = rows_named(question, table) or rows_meant(question, table, called(table)) or []
    both = [row for row in rows if all(figures(table, [row], at) for at in columns)]
    if not both:
        return None
    above, below = (figures(table, both, at) for at in columns)
    divisor = sum((value.amount for value in below), Decimal(0))
    if not divisor:
        return None
    rate = sum((value.amount for value in above), Decimal(0)) / divisor
    shown = " ÷ ".join(in_brackets([plain(v.amount) for v in values]) for values in (above, below))
    label = f"{above[0].heading} ÷ {below[0].heading}, {_rows(table, above)}"
    return f"{label}: {shown} = {plain(round(rate, 2))}{scale_text(above[0].scale)}", above


def _between(question: Question, table: Table) -> _Worked | None:
    """The difference of two columns in the one row that a question names, or in the total."""
    against = held_against(question, table)
    columns = set_apart(question, table) or (against and (against.column, against.other))
    if not columns:
        return None
    total = None if against else total_of(table)
    rows = rows_named(question, table) or ([total] if total else [])
    if len(rows) != 1:
        return None
    values = [value for at in columns for value in figures(table, rows, at)]
    if len(values) < len(columns):
        return None
    one, other = values
    heads = f"{one.heading} − {other.heading}"
    shown = f"{plain(one.amount)} − {plain(other.amount)}"
    label = f"Difference, {heads}, {distinct_label(table, rows[0])}"
    result = f"{plain(one.amount - other.amount)}{scale_text(one.scale)}"
    return f"{label}: {shown} = {result}", values


def _over_one(question: Question, operation: Operation, table: Table, sure: bool) -> _Worked | None:
    """What the figures of one column come to."""
    if operation not in ("sum", "average", "difference", "share"):
        return None
    every = things(table)
    columns = columns_of_figures(question, table, every, added=operation in ("sum", "share"))
    if operation == "share":
        return next(filter(None, (_share(question, table, at) for at in columns)), None)
    choose = _of_two if operation == "difference" else _several
    for column in columns:
        values = choose(question, table, column)
        if values and (sure or _are_total(question, table, [v.row for v in values], every)):
            return _told(operation, table, values)
    return None


def _are_total(question: Question, table: Table, added: Sequence[Row], rows: Sequence[Row]) -> bool:
    """Whether rows are what a total is asked of: some of them, all counted in a unit of area, or
    all there are, where the question says no more than what is added."""
    if len(added) < len(rows) or any(units_in(question.topic)):
        return True
    heads = (column.heading for column in table.columns)
    return words_of_rows(question) <= {*content_words(" ".join(heads)), *called(table)}


# Which figures


def _figures(table: Table, rows: Sequence[Row], column: int) -> list[Value]:
    """The figures of several rows; [] where one cannot be read, as a sum without it would be
    wrong."""
    filled = [row for row in rows if any(map(str.isalnum, row.cells[column]))]
    values = figures(table, filled, column)
    return values if len(values) == len(filled) > 1 else []


def _several(question: Question, table: Table, column: int) -> list[Value]:
    """The figures of the rows a question names, else of those that are as it says."""
    named = rows_named(question, table)
    if len(named) == 1:
        return []
    rows = named or rows_meant(question, table, called(table)) or []
    if rows == things(table) and not _LET.search(question.topic):
        vacant = (row for row in things(table, vacant=True) if row not in rows)
        rows = [*rows, *(r for r in vacant if any(map(str.isalnum, r.cells[column])))]
    parts, _ = without_total(_figures(table, rows, column))
    return [value for value in parts if value.amount or value.row in things(table)]


def _of_two(question: Question, table: Table, column: int) -> list[Value]:
    """The figures of two rows that a question names, the larger first."""
    values = figures(table, rows_named(question, table), column)
    return sorted(values, key=lambda v: -v.amount) if len(values) == 2 else []


def _share(question: Question, table: Table, column: int) -> _Worked | None:
    """The share of the rows that a question names, or means as those with the most, in the whole:
    the printed total, else every row."""
    every, summed = without_total(_figures(table, things(table), column))
    named = rows_named(question, table)
    part = [value for value in every if value.row in named]
    extreme, count = EXTREME.search(question.topic), how_many(question)
    if not part and extreme:
        least = extreme["least"] is not None
        part = sorted(every, key=lambda value: value.amount, reverse=not least)[:count]
    added = sum((value.amount for value in every), Decimal(0))
    printed = [*figures(table, (r for r in table.rows if TOTAL.search(r.label)), column), *summed]
    totals = sorted(printed, key=lambda value: abs(value.amount - added))
    whole = totals[:1] or every
    divisor = sum((value.amount for value in whole), Decimal(0))
    several = len(part) > 1 and not count  # each of them, or all together
    if not part or several or len(part) >= len(every) or not divisor:
        return None
    share = sum((value.amount for value in part), Decimal(0)) / divisor * 100
    shown = f"{in_brackets([plain(v.amount) for v in part])} ÷ {plain(divisor)}"
    label = f"Share, {_heading(table, part[0])}, {_rows(table, part)}"
    return f"{label}: {shown} = {percent(share)}", [*part, *whole]


# How it is told


def _told(operation: Operation, table: Table, values: Sequence[Value]) -> _Worked:
    amounts = [value.amount for value in values]
    printed = list(map(plain, amounts)) if len(values) <= SHOWN else [CITED]
    shown, result = come_to(operation, amounts, printed)
    label = f"{operation.capitalize()}, {_heading(table, values[0])}, {_rows(table, values)}"
    return f"{label}: {shown} = {plain(result)}{scale_text(values[0].scale)}", values


def _heading(table: Table, value: Value) -> str:
    """What a column is called; a roll is of a day, whatever time is asked for."""
    heading = value.heading or table.title
    own = value.table.columns[value.column].period
    period = "" if own.months else own.text
    return heading if period.casefold() in heading.casefold() else f"{heading}, {period}"


def _rows(table: Table, values: Sequence[Value]) -> str:
    labels = {value.row.label.rstrip(" :") for value in values}
    if len(labels) == 1 < len(values):
        return f"{values[0].row.label}, each row"
    if len(values) > _NAMED:
        return "each row"
    return ", ".join(distinct_label(table, value.row) for value in values)
