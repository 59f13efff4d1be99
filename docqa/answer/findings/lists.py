"""Lists: the rows of a table of things (tenants, sales, milestones) that a question asks for."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from docqa.answer.findings.cited import Source, cited
from docqa.answer.findings.conditions import Bound, Passes, bounds_in, of_time
from docqa.answer.findings.features import NEAR
from docqa.answer.findings.values import number_of
from docqa.language.periods import dates_in
from docqa.language.words import content_words, singular
from docqa.types.answer import Evidence
from docqa.types.finding import Finding
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table, TableRole

MOST_CELLS = 6  # of a row in a list
_NOT_THINGS: tuple[TableRole, ...] = (*STATEMENTS, "operating statement", "key facts", "contents")
_MOSTLY = 0.5  # the share of a column's cells that are dates in a column of dates
_CHANCE = 1.0  # a table's rows are what they are; whether they were asked for, its head tells

# "which tenants", "each lease", "all the comparable sales": what is asked for is in the plural, or
# each of them.
_SEVERAL = re.compile(
    r"\b(?:which|what|list|name|show|who\s+are|all|how\s+many)\s+(?:(?:are|were|of|all|the|our|its|their)\s+)*"
    r"(?P<plural>(?:[\w-]+\s+)?[\w-]+s)\b"
    r"|\b(?:each|every)\s+(?:of\s+the\s+)?(?P<one>[\w-]+)",
    re.IGNORECASE,
)
# "the largest tenant", "which tenant pays the highest rent".
_EXTREME = re.compile(
    r"\b(?:largest|biggest|highest|greatest|longest|most|(?P<least>smallest|lowest|shortest|least))\b"
    r"(?:\s+(?:single|individual))?(?:\s+(?P<thing>[\w-]+))?",
    re.IGNORECASE,
)
# "which lease runs out first".
_ENDING = re.compile(
    r"\b(?:which|what)\s+(?P<thing>[\w-]+)\b.*\b(?:expires?|ends?|matures?|rolls?|runs?\s+out)\s+"
    r"(?:first|earliest|soonest|(?P<last>last|latest))\b",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\b(?:which|what)\s+(?P<thing>[\w-]+)\s+(?:has|pays|occupies|holds|takes|is)\b", re.I
)
_COUNTED = re.compile(r"\bhow\s+many\b|\bnumber\s+of\b", re.IGNORECASE)
# What a table of a kind is a list of, beside what its own head says.
_THINGS: dict[TableRole, str] = {"rent roll": "tenant lessee occupier lease tenancy unit suite"}
_TOTAL = re.compile(r"^(?:sub)?total\b|^\(subtotal\)", re.IGNORECASE)
_VACANT = re.compile(r"^(?:vacant|vacancy|available|unlet)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Condition:
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
    table = _table_of(things_asked(question), tables)
    if table is None:
        return None, evidence
    things, conditions = list(things_of(table)), conditions_of(question, table)
    rows = [row for row in things if meets(row, conditions)]
    shown = _columns(question, table, conditions)
    title = table.title.rstrip(" :.")
    ending, extreme = _ENDING.search(question.topic), _EXTREME.search(question.topic)
    if ending:
        rows, shown = _ending(rows, table, last=bool(ending["last"]))
    elif extreme:
        rows, shown = _furthest(rows, shown, table, least=bool(extreme["least"]))
    if (ending or extreme) and shown:
        title += f", by {table.columns[shown[0]].heading}"
    if not rows:
        return None, evidence
    evidence, markers = cited([(table, row) for row in rows], source, evidence)
    made = [_finding(table, row, shown, at) for row, at in zip(rows, markers, strict=True)]
    counted = _COUNTED.search(question.topic) is not None
    return Listing(title, len(things), tuple(made), counted), evidence


def furthest(
    question: Question, table: Table, source: Source, evidence: tuple[Evidence, ...]
) -> tuple[Listing | None, tuple[Evidence, ...]]:
    """The row of a table with the most, or the least, in the column that a question names, whatever
    its rows are called ("Which hub has the largest sorting capacity?"); None where it names none,
    or not each row is counted in it. The evidence comes with the table.
    """
    extreme, known = _EXTREME.search(question.topic), with_near(content_words(question.topic))
    named = [at for at, c in enumerate(table.columns) if _named(c.heading, known)]
    if extreme is None or not named or table.role in _NOT_THINGS:
        return None, evidence
    at = max(named, key=lambda each: len(content_words(table.columns[each].heading)))
    counted = [
        (number, row)
        for row in things_of(table)
        if (number := number_of(row.cells[at])) is not None
    ]
    if len(counted) < 2 or len(counted) < sum(bool(row.cells[at]) for row in things_of(table)):
        return None, evidence
    wanted = (min if extreme["least"] else max)(number for number, _ in counted)
    rows = [row for number, row in counted if number == wanted]
    evidence, markers = cited([(table, row) for row in rows], source, evidence)
    told = [_finding(table, row, [at], mark) for row, mark in zip(rows, markers, strict=True)]
    title = f"{table.title.rstrip(' :.')}, by {table.columns[at].heading}".removeprefix(", ")
    return Listing(title, len(counted), tuple(told)), evidence


def asks_for_most(question: Question) -> bool:
    """Whether a question may ask which row of a table has the most, or the least."""
    return any(pattern.search(question.topic) for pattern in (_EXTREME, _ENDING))


def things_asked(question: Question) -> frozenset[str]:
    """The stems of what is asked for several of, or for the most of; none for one thing."""
    named = [m["plural"] or m["one"] for m in _SEVERAL.finditer(question.topic)]
    named += [m["thing"] for m in _ENDING.finditer(question.topic)]
    if _EXTREME.search(question.topic):
        told = (*_EXTREME.finditer(question.topic), *_ONE.finditer(question.topic))
        named += [m["thing"] for m in told if m["thing"]]
    return frozenset(stem for text in named for stem in content_words(text)[-1:])


def _table_of(asked: frozenset[str], tables: Iterable[Table]) -> Table | None:
    """The first table whose rows are the things asked for."""
    return next((table for table in tables if asked & called(table)), None)


def called(table: Table) -> frozenset[str]:
    """The stems of what the rows of a table are; none where they are no things."""
    dated = sum(bool(c.period.year) and c.period.text in c.heading for c in table.columns)
    if table.role in _NOT_THINGS or not table.corner or dated > 1:
        return frozenset()
    is_calendar = len(table.columns) == 1 and bool(date_columns(table))  # "Milestone | Date"
    alone = table.columns[0].heading if is_calendar else ""
    return frozenset(
        content_words(f"{singular(table.corner)} {singular(alone)} {_THINGS.get(table.role, '')}")
    )


def things_of(table: Table) -> Iterator[Row]:
    """The rows of a list, but what is vacant and what adds them up."""
    for row in table.rows:
        total = _TOTAL.match(row.label) or row.is_group
        if not total and not (table.role == "rent roll" and _VACANT.match(row.label)):
            yield row


def meets(row: Row, conditions: Sequence[Condition]) -> bool:
    """Whether a row is as all conditions say."""
    return all(each.passes(row.cells[each.column]) for each in conditions)


def conditions_of(question: Question, table: Table) -> list[Condition]:
    """What the question says the rows must be: of a time, above or below an amount."""
    passes = of_time(question.topic)
    made = [Condition(at, passes) for at in _of_day(question, table)] if passes else []
    return [*made, *_of_size(question.topic, table)]


def _of_day(question: Question, table: Table) -> list[int]:
    """The column of dates of whose heading a question has most ("expire", of lease start and
    expiry); the first of those alike."""
    known = with_near(content_words(question.topic))

    def unasked(column: int) -> float:
        words = set(content_words(table.columns[column].heading))
        return len(words - known) / max(len(words), 1)

    return sorted(date_columns(table), key=unasked)[:1]


def with_near(words: Iterable[str]) -> set[str]:
    """Stems with those that are near in meaning."""
    return {near for word in words for near in (word, *NEAR.get(word, ()))}


def date_columns(table: Table) -> list[int]:
    """The columns of dates."""
    columns = []
    for at in range(len(table.columns)):
        filled = [row.cells[at] for row in things_of(table) if row.cells[at]]
        dated = sum(any(date.year for date in dates_in(cell)) for cell in filled)
        if filled and dated >= _MOSTLY * len(filled):
            columns.append(at)
    return columns


def _of_size(text: str, table: Table) -> Iterator[Condition]:
    """The columns counted in what an amount of the question is, above or below it."""
    for bound in bounds_in(text):
        columns = [at for at, c in enumerate(table.columns) if bound.unit in (c.unit, c.currency)]
        if bound.unit and columns:
            yield Condition(columns[0], partial(_within, bound))


def _within(bound: Bound, cell: str) -> bool:
    number = number_of(cell)
    return number is not None and bound.passes(number)


# The most or the least


def _furthest(
    rows: Sequence[Row], shown: Sequence[int], table: Table, *, least: bool
) -> tuple[list[Row], list[int]]:
    """The row with the most in the first of the columns shown that are counted, and that column.

    None where several have the same, and where no column is counted in each row.
    """
    for at in shown:
        numbers = [number_of(row.cells[at]) for row in rows]
        column = table.columns[at]
        if (column.unit or column.currency) and numbers and None not in numbers:
            counted = [number for number in numbers if number is not None]
            most = min(counted) if least else max(counted)
            best = [row for row, number in zip(rows, counted, strict=True) if number == most]
            return (best if len(best) == 1 else []), [at]
    return [], []


def _ending(rows: Sequence[Row], table: Table, *, last: bool) -> tuple[list[Row], list[int]]:
    """The rows that end first, or last, by the first column of dates, and that column."""
    columns = date_columns(table)[:1]
    dated = [(_day_of(row.cells[at]), row) for at in columns for row in rows]
    ends = [day for day, _ in dated if day]
    if not ends:
        return [], []
    wanted = max(ends) if last else min(ends)
    return [row for day, row in dated if day == wanted], columns


def _day_of(cell: str) -> tuple[int, ...]:
    """The first date of a cell as year, month and day (0 where it has none); () for none."""
    return next(((d.year, d.month, d.day) for d in dates_in(cell) if d.year), ())


# How it is told


def _columns(question: Question, table: Table, conditions: Sequence[Condition]) -> list[int]:
    """The columns that the question names, with those it sets a condition on; else the first."""
    known = with_near(content_words(question.topic))
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
