"""Lists: the rows of a table of things (tenants, sales, milestones) that a question asks for."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.answer.findings.cited import Source, cited
from docqa.answer.findings.features import NEAR
from docqa.answer.findings.values import number_of
from docqa.language.amounts import measured_amounts
from docqa.language.periods import Date, dates_in, periods_in
from docqa.language.words import content_words, singular
from docqa.types.answer import Evidence
from docqa.types.finding import Finding
from docqa.types.period import Period
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table, TableRole

MOST_CELLS = 6  # of a row in a list
_NOT_THINGS: tuple[TableRole, ...] = (*STATEMENTS, "operating statement", "key facts", "contents")
_MOSTLY = 0.5  # the share of a column's cells that are dates in a column of dates
_CHANCE = 1.0  # a table's rows are what they are; whether they were asked for, its head tells

# "which tenants", "each lease", "all the comparable sales": what is asked for is in the plural, or
# each of them.
_SEVERAL = re.compile(
    r"\b(?:which|what|list|name|show|who\s+are|all|how\s+many)\s+(?:(?:of|all|the|our|its|their)\s+)*"
    r"(?P<plural>(?:[\w-]+\s+)?[\w-]+s)\b"
    r"|\b(?:each|every)\s+(?:of\s+the\s+)?(?P<one>[\w-]+)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\bhow\s+many\b|\bnumber\s+of\b", re.IGNORECASE)
# What a table of a kind is a list of, beside what its own head says.
_THINGS: dict[TableRole, str] = {"rent roll": "tenant lessee occupier lease tenancy unit suite"}
_TOTAL = re.compile(r"^(?:sub)?total\b|^\(subtotal\)", re.IGNORECASE)
_VACANT = re.compile(r"^(?:vacant|vacancy|available|unlet)\b", re.IGNORECASE)

_BEFORE = re.compile(
    r"\b(?:by|before|until|through|prior to|no later than|up to)\s+(?:the\s+)?(?:end\s+of\s+)?",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\b(?:after|since|beyond|later than)\s+(?:the\s+)?(?:end\s+of\s+)?", re.I)
_STRICTLY = re.compile(r"\b(?:before|prior to)\s*$", re.IGNORECASE)
_MORE = re.compile(r"\b(?:over|above|more than|greater than|at least|exceeding)\s*$", re.I)
_LESS = re.compile(r"\b(?:under|below|less than|fewer than|at most|up to)\s*$", re.I)

Day = tuple[int, int, int]
Passes = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _Condition:
    """What the cells of one column must be."""

    column: int
    passes: Passes


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows of one table that are as asked, ``of`` how many, a finding for each.

    Where they are ``counted``, how many there are is said first.
    """

    title: str
    of: int
    rows: tuple[Finding, ...]
    counted: bool = False

    @property
    def text(self) -> str:
        some = len(self.rows) < self.of
        count = f"{len(self.rows)} of {self.of}" if some else str(self.of)
        lead = f"{self.title} – {count}" if some else self.title
        lead = f"{count}, {self.title}" if self.counted else lead
        return "\n".join((f"{lead}:", *(f"- {row.text}" for row in self.rows)))


def listed(
    question: Question, tables: Sequence[Table], source: Source, evidence: tuple[Evidence, ...]
) -> tuple[Listing | None, tuple[Evidence, ...]]:
    """The rows of a document's tables that a question asks for.

    None where it asks for no such things, or none is as it says. The evidence comes with the table.
    """
    table = _table_of(_things_asked(question), tables)
    if table is None:
        return None, evidence
    things, conditions = list(_things(table)), _conditions(question, table)
    rows = [row for row in things if _meets(row, conditions)]
    if not rows:
        return None, evidence
    shown = _columns(question, table, conditions)
    evidence, markers = cited([(table, row) for row in rows], source, evidence)
    made = [_finding(table, row, shown, at) for row, at in zip(rows, markers, strict=True)]
    title, counted = table.title.rstrip(" :."), _COUNTED.search(question.topic) is not None
    return Listing(title, len(things), tuple(made), counted), evidence


def _things_asked(question: Question) -> frozenset[str]:
    """The stems of what is asked for several of; none where one thing is asked for."""
    named = (m["plural"] or m["one"] for m in _SEVERAL.finditer(question.topic))
    return frozenset(stem for text in named for stem in content_words(text)[-1:])


def _table_of(asked: frozenset[str], tables: Iterable[Table]) -> Table | None:
    """The first table whose rows are the things asked for."""
    return next((table for table in tables if asked & _called(table)), None)


def _called(table: Table) -> frozenset[str]:
    """The stems of what the rows of a table are; none where they are no things."""
    dated = sum(bool(c.period.year) and c.period.text in c.heading for c in table.columns)
    if table.role in _NOT_THINGS or not table.corner or dated > 1:
        return frozenset()
    return frozenset(content_words(f"{singular(table.corner)} {_THINGS.get(table.role, '')}"))


def _things(table: Table) -> Iterator[Row]:
    for row in table.rows:
        total = _TOTAL.match(row.label) or row.is_group
        if not total and not (table.role == "rent roll" and _VACANT.match(row.label)):
            yield row


def _meets(row: Row, conditions: Sequence[_Condition]) -> bool:
    return all(each.passes(row.cells[each.column]) for each in conditions)


# Conditions


def _conditions(question: Question, table: Table) -> list[_Condition]:
    """What the question says the rows must be: of a time, above or below an amount."""
    of_time = _of_time(question.topic)
    made = [_Condition(at, of_time) for at in _date_columns(table)[:1]] if of_time else []
    return [*made, *_of_size(question.topic, table)]


def _date_columns(table: Table) -> list[int]:
    """The columns of dates."""
    columns = []
    for at in range(len(table.columns)):
        filled = [row.cells[at] for row in _things(table) if row.cells[at]]
        dated = sum(any(date.year for date in dates_in(cell)) for cell in filled)
        if filled and dated >= _MOSTLY * len(filled):
            columns.append(at)
    return columns


def _of_time(text: str) -> Passes | None:
    """Whether a cell's date is in, before or after what a text names; None where it names none."""
    asked = next(iter(periods_in(text)), None)
    if asked is None:
        return None
    said = text[: asked.start]
    first, last = _first_day(asked), _last_day(asked)
    if match := _ending(_BEFORE, said):
        strictly = _STRICTLY.search(match) is not None
        return lambda cell: _dated(cell, lambda day: day < first if strictly else day <= last)
    if _ending(_AFTER, said):
        return lambda cell: _dated(cell, lambda day: day > last)
    return lambda cell: _dated(cell, lambda day: first <= day <= last)


def _ending(pattern: re.Pattern[str], said: str) -> str:
    """The last match of a pattern where a text ends with it."""
    found = [match for match in pattern.finditer(said) if match.end() == len(said)]
    return found[-1].group() if found else ""


def _first_day(period: Period) -> Day:
    months = period.months or 0
    month = period.month or (1 if not months or months >= 12 else 12)
    return period.year, max(1, month - max(months, 1) + 1) if months < 12 else 1, period.day or 1


def _last_day(period: Period) -> Day:
    return period.year, period.month or 12, period.day or 31


def _dated(cell: str, holds: Callable[[Day], bool]) -> bool:
    return any(holds(_day(date)) for date in dates_in(cell) if date.year)


def _day(date: Date) -> Day:
    return date.year, date.month, date.day or 1


def _of_size(text: str, table: Table) -> Iterator[_Condition]:
    """The columns counted in what an amount of the question is, above or below it."""
    for amount in measured_amounts(text):
        said = text[: amount.start]
        more, less = _MORE.search(said), _LESS.search(said)
        columns = [at for at, c in enumerate(table.columns) if amount.unit in (c.unit, c.currency)]
        if amount.unit and columns and (more or less):
            yield _Condition(columns[0], _beyond(amount.value, more=bool(more)))


def _beyond(limit: Decimal, *, more: bool) -> Passes:
    def passes(cell: str) -> bool:
        number = number_of(cell)
        return number is not None and (number > limit if more else number < limit)

    return passes


# How it is told


def _columns(question: Question, table: Table, conditions: Sequence[_Condition]) -> list[int]:
    """The columns that the question names, with those it sets a condition on; else the first."""
    asked = set(content_words(question.topic))
    known = asked | {near for word in asked for near in NEAR.get(word, ())}
    named = {at for at, c in enumerate(table.columns) if _named(c.heading, known)}
    shown = sorted(named | {each.column for each in conditions})
    return shown or list(range(min(MOST_CELLS, len(table.columns))))


def _named(heading: str, known: set[str]) -> bool:
    """Whether every word of a column's heading, units apart, is known."""
    words = content_words(re.sub(r"\([^()]*\)", " ", heading))
    return bool(words) and set(words) <= known


def _finding(table: Table, row: Row, shown: Sequence[int], marker: str) -> Finding:
    cells = "; ".join(_cell(table, row, at, alone=len(shown) == 1) for at in shown if row.cells[at])
    text = f"{row.label.rstrip(' :')}: {cells} {marker}" if cells else f"{row.label} {marker}"
    return Finding("list", text, _CHANCE, cells, row.label)


def _cell(table: Table, row: Row, at: int, *, alone: bool) -> str:
    heading = table.columns[at].heading
    return f"{heading} {row.cells[at]}" if heading and not alone else row.cells[at]
