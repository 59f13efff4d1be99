"""The cell of a table where what a question measures crosses whose or which it asks for; pure.

A segment note has revenue, income and assets under one another, and the segments in its rows or its
columns: a cell is what its group, its label, its column and its table say together.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from docqa.answer.findings.features import NEAR, is_said
from docqa.answer.findings.line_items import OTHER
from docqa.answer.findings.values import Value, numbers_in, periods_asked
from docqa.language.words import content_words
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table

_FEWEST = 2  # words of a question that name a crossing
_ANY = frozenset(
    content_words("total amount figure segment end fiscal year quarter dollar euro pound million")
)
_BRACKETED = re.compile(r"\([^()]*\)")
_BUT = re.compile(r"\b(?:not|non|without|except|excluding|exclusive|other than|before)\b", re.I)


@dataclass(frozen=True, slots=True)
class Crossing:
    """A row with the cell of it that is meant; ``own`` are the stems of what names the cell."""

    table: Table
    row: Row
    value: Value
    own: frozenset[str]
    unasked: int


def crossing_of(question: Question, tables: Sequence[Table], known: Set[str]) -> Crossing | None:
    """The one cell that a question names by two of its group, label, column and table, and of the
    time it names; None for none and for several of different amounts.

    Words that no table has, and those ``known`` of the document itself, are not looked for.
    """
    asked = [
        word
        for word in dict.fromkeys(content_words(question.topic))
        if word.isalpha() and word not in _ANY and word not in known
    ]
    if len(asked) < _FEWEST or _BUT.search(question.topic):
        return None
    found = [each for table in tables for each in _crossings(question, asked, table, known)]
    fewest = min((each.unasked for each in found), default=0)
    best = [each for each in found if each.unasked == fewest]
    rows = {each.row.block for each in best}
    amounts = {each.value.number for each in best}
    return best[0] if len(rows) == 1 or len(amounts) == 1 else None


def _vocabulary(table: Table) -> frozenset[str]:
    heads = (column.heading for column in table.columns)
    labels = (" ".join((row.label, *row.path)) for row in table.rows)
    return frozenset(content_words(" ".join((table.title, table.corner, *heads, *labels))))


def _crossings(
    question: Question, asked: Sequence[str], table: Table, known: Set[str]
) -> Iterator[Crossing]:
    """The cells of a table that are called by all words asked, no one part of it by all of them."""
    if table.role == "contents":
        return
    if not all(is_said(_vocabulary(table), word) for word in asked):
        return
    around = frozenset(content_words(" ".join((table.title, table.corner))))
    heads = [frozenset(content_words(column.heading)) for column in table.columns]
    for row in table.rows:
        if OTHER.search(row.label):
            continue
        label = _stems(row.label)
        path = _stems(" ".join(row.path))
        for value in _of_time(question, table, row):
            head = _of_one(heads, value.column)
            parts = (label, path, head, around)
            heard = [{word for word in asked if is_said(part, word)} for part in parts[:3]]
            heard.append({word for word in asked if is_said(around, word)})
            if set().union(*heard) < set(asked) or any(len(h) == len(asked) for h in heard):
                continue
            if not heard[0] and not heard[2]:
                continue
            own = label | path | head
            told = frozenset() if table.role in STATEMENTS else around
            if not _unasked(own - known, asked):
                yield Crossing(table, row, value, own, _unasked(told - known, asked))


def _of_time(question: Question, table: Table, row: Row) -> list[Value]:
    """A row's numbers of the periods asked for; of the latest where none is."""
    numbers = numbers_in(table, row)
    years = {period.year for period in periods_asked(question)}
    if years:
        return [value for value in numbers if value.period.year in years]
    latest = max((value.period.end for value in numbers), default=())
    return [value for value in numbers if value.period.end == latest]


def _stems(text: str) -> frozenset[str]:
    """The words of a label, what it has in brackets apart ("Operating income (loss)")."""
    return frozenset(content_words(_BRACKETED.sub(" ", text)))


def _of_one(heads: Sequence[frozenset[str]], column: int) -> frozenset[str]:
    """The words of a column's head that not all have."""
    return heads[column] - frozenset.intersection(*heads) if len(heads) > 1 else heads[column]


def _unasked(words: Set[str], asked: Sequence[str]) -> int:
    return sum(not _is_asked(word, asked) for word in words - _ANY if word.isalpha())


def _is_asked(word: str, asked: Sequence[str]) -> bool:
    return word in asked or not NEAR.get(word, frozenset()).isdisjoint(asked)
