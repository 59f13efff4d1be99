"""Tables as a question looks at them: which of its words, times and meaning their rows have; pure.

Words of the question are bits of a number, so that what several rows and columns have together is
one operation.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from docqa.answer.findings.columns_meant import columns_of_figures
from docqa.answer.findings.crossings import head_of, own_words, words_asked
from docqa.answer.findings.features import has_word, log_odds
from docqa.answer.findings.judge import Judged, Networks
from docqa.answer.findings.relation import called, things
from docqa.answer.findings.rows_meant import rows_meant, rows_named
from docqa.answer.findings.table_lines import column_text, row_text
from docqa.answer.findings.values import (
    DIFFERENCES,
    TOTAL,
    Value,
    is_of,
    number_of,
    numbers_in,
    periods_asked,
)
from docqa.language.periods import YEAR, days_named, says_only_when, without_times
from docqa.language.words import content_words
from docqa.types.document import Document
from docqa.types.period import Period
from docqa.types.question import Question
from docqa.types.table import Row, Table

TABLES = 4  # of a document that are looked at
_WORDS = 60  # of a question
_PERIODS = 20
_UNREAD = 0.003  # the chance of a row that was not read
_READ = 60  # rows of a table that are read, those nearest to the question
_BRIEF, _KINDS = 5, 12  # words of a cell that says of what kind a row is, and kinds of a column
_YEAR = re.compile(YEAR)


@dataclass(frozen=True, slots=True)
class Line:
    """A row or a column: the question's words in what it is called (bits), how much of that is not
    asked, how near it is to the question by the encoder, the times asked that it is of (bits), the
    end of its time, () where it has none, and what it measures, its time apart."""

    name: str
    words: int
    unasked: float
    meaning: float
    times: int
    end: tuple[int, ...]
    measures: frozenset[str]
    is_total: bool
    is_apart: bool  # whether it is called how far others are apart


@dataclass(frozen=True, slots=True)
class Read:
    """The log odds of each row and of each column of a table."""

    rows: Sequence[float]
    columns: Sequence[float]


@dataclass(frozen=True)
class Grid:
    """A table with its numbers, and its rows and columns as `Line`s, in order.

    ``judged`` are the log odds of each row, by the judge; ``rank`` its place among the document's
    tables; ``meaning`` how near each of its texts is to the question, by the encoder, and
    ``nearest`` the nearest of their titles; ``read`` the log odds that each row, and each column,
    is one of those that answer, by the network for tables, and ``best`` the best of all rows.
    """

    question: Question
    table: Table
    asked: Sequence[str]
    rank: int
    judged: Sequence[float]
    rows: Sequence[Line]
    columns: Sequence[Line]
    meaning: Mapping[str, float]
    nearest: float
    read: Read
    best: float

    @cached_property
    def numbers(self) -> list[dict[int, Value]]:
        """The numbers of each row, by their columns; no times."""
        found = (numbers_in(self.table, row) for row in self.table.rows)
        return [{v.column: v for v in own if not _is_time(v.text)} for own in found]

    @cached_property
    def around(self) -> int:
        """The words in what stands over the table."""
        over = (self.table.title, *self.table.section[-1:], self.table.corner)
        return bits(self.asked, content_words(" ".join(over)))

    @cached_property
    def things(self) -> list[int]:
        """The rows with numbers that are no totals."""
        return [at for at, row in enumerate(self.rows) if self.numbers[at] and not row.is_total]

    @cached_property
    def is_list(self) -> bool:
        return bool(called(self.table))

    @cached_property
    def named(self) -> frozenset[int]:
        """The rows that the question calls by a code or name."""
        return self._at(rows_named(self.question, self.table))

    @cached_property
    def meant(self) -> frozenset[int]:
        """The rows of a list that are as the question says."""
        own = called(self.table)
        return self._at((own and rows_meant(self.question, self.table, own)) or ())

    def is_filled(self, row: int) -> bool:
        return not self.table.rows[row].is_group

    @cached_property
    def figures(self) -> frozenset[int]:
        """The columns of figures that the question names."""
        every = things(self.table, vacant=True)
        return frozenset(columns_of_figures(self.question, self.table, every, added=False))

    @cached_property
    def kinds(self) -> dict[tuple[int, str], list[int]]:
        """The rows by the column and the text of a cell that says of what kind they are."""
        found: dict[tuple[int, str], list[int]] = {}
        for at, column, text in _brief_cells(self.table):
            found.setdefault((column, text), []).append(at)
        return found

    def _at(self, rows: Iterable[Row]) -> frozenset[int]:
        blocks = {row.block for row in rows}
        return frozenset(at for at, row in enumerate(self.table.rows) if row.block in blocks)


def grids(
    question: Question,
    judged: Sequence[Judged],
    document: Document,
    tables: Sequence[Table],
    networks: Networks,
) -> list[Grid]:
    """The tables of a document whose rows are likeliest to answer, the likeliest first."""
    best: dict[int, float] = {}
    chances: dict[tuple[int, int], float] = {}
    for each in judged:
        table, row = each.candidate.table, each.candidate.row
        if table is None or row is None or table.document_id != document.id:
            continue
        best[table.number] = max(best.get(table.number, 0.0), each.chance)
        chances[table.number, row.block] = each.chance
    known = {table.number: table for table in tables if table.number in best}
    chosen = sorted(known.values(), key=lambda table: -best[table.number])[:TABLES]
    texts = list(dict.fromkeys(text for table in chosen for text in _texts(table)))
    cosines = networks.cosines(question.topic, texts) if texts else ()
    meaning = dict(zip(texts, cosines, strict=True))
    read = _read(question, chosen, meaning, networks)
    top = max((max(each.rows) for each in read), default=0.0)
    asked = words_asked(question.topic, own_words(document))[:_WORDS]
    nearest = max((meaning[table.title] for table in chosen), default=0.0)

    def looked(table: Table, rank: int) -> Grid:
        odds = [log_odds(chances.get((table.number, row.block), _UNREAD)) for row in table.rows]
        rows, columns = _lines(question, asked, table, meaning)
        return Grid(
            question, table, asked, rank, odds, rows, columns, meaning, nearest, read[rank], top
        )

    return [looked(table, rank) for rank, table in enumerate(chosen)]


def _read(
    question: Question,
    tables: Sequence[Table],
    meaning: Mapping[str, float],
    networks: Networks,
) -> list[Read]:
    """What the network for tables makes of the rows, of a long table the nearest, and columns."""
    lines: dict[tuple[int, int], str] = {}  # texts by table and row, the columns after the rows
    for number, table in enumerate(tables):
        filled = [at for at, row in enumerate(table.rows) if not row.is_group]
        near = sorted(filled, key=lambda at: -meaning[table.rows[at].name])[:_READ]
        headings = [column.heading for column in table.columns]
        for at in near:
            row = table.rows[at]
            lines[number, at] = row_text(table.title, row.path, row.label, headings, row.cells)
        for at, heading in enumerate(headings, start=len(table.rows)):
            lines[number, at] = column_text(table.title, heading)
    chances = networks.lines(question.topic, [*lines.values()]) if lines else ()
    told = dict(zip(lines, map(log_odds, chances), strict=True))
    unread = log_odds(_UNREAD)

    def of(number: int, table: Table) -> Read:
        count = len(table.rows)
        every = [told.get((number, at), unread) for at in range(count + len(table.columns))]
        return Read(every[:count], every[count:])

    return [of(number, table) for number, table in enumerate(tables)]


def _texts(table: Table) -> Iterator[str]:
    yield table.title
    yield from (row.name for row in table.rows)
    yield from (column.heading for column in table.columns)
    yield from (text for _, _, text in _brief_cells(table))


def _brief_cells(table: Table) -> Iterator[tuple[int, int, str]]:
    """The row, column and text of the cells of columns that say of what kind rows are: brief words,
    some of them of several rows, and not too many kinds."""
    for column in range(len(table.columns)):
        cells = [(at, row.cells[column].strip()) for at, row in enumerate(table.rows)]
        own = [(at, cell) for at, cell in cells if _is_kind(cell)]
        kinds = {cell for _, cell in own}
        if len(kinds) < len(own) and len(kinds) <= _KINDS:
            yield from ((at, column, cell) for at, cell in own)


def _is_kind(cell: str) -> bool:
    words = any(map(str.isalpha, cell)) and len(cell.split()) <= _BRIEF
    return words and number_of(cell) is None


def _lines(
    question: Question, asked: Sequence[str], table: Table, meaning: Mapping[str, float]
) -> tuple[list[Line], list[Line]]:
    said = frozenset(content_words(question.whole))
    periods = periods_asked(question)[:_PERIODS]
    every = things(table, vacant=True)

    def line(
        name: str, text: str, words: Iterable[str], own: Iterable[str], period: Period
    ) -> Line:
        times = sum(1 << at for at, each in enumerate(periods) if _is_within(period, each))
        end = period.end if period.year else ()
        total = TOTAL.search(text) is not None
        return Line(
            name, bits(asked, words), _unasked(own, said), meaning[name], times, end,
            _measures(text), total, not DIFFERENCES.isdisjoint(content_words(name)),
        )  # fmt: skip

    rows = []
    for row in table.rows:
        kinds = " ".join(cell for cell in row.cells if _is_kind(cell))
        words = content_words(f"{row.name} {kinds}")
        made = line(row.name, row.label, words, content_words(row.label), row.period)
        is_other = row not in every and not row.is_group
        rows.append(replace(made, is_total=True) if is_other else made)
    columns = []
    for at, column in enumerate(table.columns):
        head = head_of(table, at)
        columns.append(line(column.heading, column.heading, head, head, column.period))
    return rows, columns


def bits(asked: Sequence[str], stems: Iterable[str]) -> int:
    """The words asked that some stems have, as bits of a number."""
    own = frozenset(stems)
    return sum(1 << at for at, word in enumerate(asked) if has_word(own, word))


def _unasked(stems: Iterable[str], said: frozenset[str]) -> float:
    """The share of some words that the question has not; 0 of none."""
    own = [word for word in stems if any(map(str.isalpha, word))]
    return sum(not has_word(said, word) for word in own) / len(own) if own else 0.0


def _is_within(period: Period, asked: Period) -> bool:
    return bool(period.year) and is_of(period, asked)


def _is_time(text: str) -> bool:
    return bool(days_named(text)) or _YEAR.fullmatch(text.strip()) is not None


def _measures(text: str) -> frozenset[str]:
    words = content_words(without_times(text))
    return frozenset(word for word in words if word.isalpha() and not says_only_when(word))
