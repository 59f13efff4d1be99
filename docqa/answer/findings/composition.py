"""What a figure is made of: the rows under the heading that a question names, or above its total
("breakdown of operating expenses", "What does other income consist of?")."""

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from docqa.answer.findings.cited import Source
from docqa.answer.findings.crossings import own_words
from docqa.answer.findings.relation import title_of
from docqa.answer.findings.values import (
    Value,
    adds_up,
    asked_values,
    number_of,
    numbers_in,
    of_all_times,
    periods_asked,
    scale_text,
)
from docqa.language.words import content_words
from docqa.types.question import Question
from docqa.types.table import Row, Table

_FEWEST = 2
_MOST_CELLS = 4  # of a row
_PART = r"(?:breakdown|composition|make-?up|(?:component|constituent|element|part|(?:line )?item)s)"
_WHEN = r"(?:\s+(?:in|for|at|as|during|on)\s+[^?]*\d[^?]*)?\W*$"
_ASKED = tuple(
    re.compile(form + _WHEN, re.IGNORECASE)
    for form in (
        rf"\b{_PART}\s+(?:(?:that\s+)?mak(?:e|ing)\s+up|of|under|in|within)\s+(?P<what>.+?)",
        r"^\W*what\s+(?:makes?|made)\s+up\s+(?P<what>.+?)",
        r"^\W*what\b.*?\b(?:do|does|did|is|are)\s+(?P<what>.+?)\s+(?:consist\s+of|made\s+up\s+of"
        r"|composed\s+of|comprised?(?:\s+of)?)",
    )
)
_NOTE = re.compile(r"notes?\b", re.IGNORECASE)  # a column of their numbers
_TOTAL = frozenset(content_words("total subtotal grand"))


@dataclass(frozen=True, slots=True)
class _Made:
    """Rows of a table and what they make, by its heading or its total, which is the last of them
    where there is one."""

    table: Table
    name: str
    rows: tuple[Row, ...]
    is_whole: bool  # whether the rows add up to their total


def made_of(question: Question, source: Source) -> str:
    """The parts that a question asks for of what it names; "" where it asks for none, or no
    heading and no total is called so."""
    asked = next(filter(None, (form.search(question.topic) for form in _ASKED)), None)
    if asked is None:
        return ""
    known = own_words(source.document)
    words = _words_of(asked["what"])
    called = (words, words - known or words)
    made = (each for table in source.tables for each in _made_in(table, called))
    named = [each for each in made if _is_of_years(each, question)]
    if not (words and named):
        return ""
    found = {b.index for e in source.gathered.evidence for b in e.hit.chunk.blocks}

    def fit(each: _Made) -> tuple[bool, bool, bool]:
        said = each.name.casefold() in question.topic.casefold()
        return said, each.is_whole, any(row.block in found for row in each.rows)

    best = max(named, key=fit)
    told = [(row, _told(row, best.table, question)) for row in best.rows]
    name = best.name.rstrip(" :")
    title = " › ".join(dict.fromkeys(filter(None, (title_of(best.table), name))))
    return source.list_rows(title, best.table, told, of=len(told))


def _made_in(table: Table, called: Collection[Set[str]]) -> Iterator[_Made]:
    """What rows of a table make that is called in one of some ways: those under one heading, up to
    their total, and those that a row adds up, which comes last."""
    rows = [row for row in table.rows if not row.is_group] if table.role != "contents" else []
    for path, own in groupby(rows, key=lambda row: row.path):
        under = tuple(own)
        if path and _words_of(path[-1]) in called and len(under) >= _FEWEST:
            begun = (under[: at + 1] for at in range(_FEWEST, len(under)))
            whole = next(filter(_adds_up, begun), None)
            yield _Made(table, path[-1], whole or under, is_whole=whole is not None)
    for at, row in enumerate(rows):
        starts = range(at - _FEWEST, -1, -1) if _words_of(row.label) in called else ()
        start = next((each for each in starts if _adds_up(rows[each : at + 1])), None)
        if start is not None:
            yield _Made(table, row.label, tuple(rows[start : at + 1]), is_whole=True)


def _adds_up(rows: Sequence[Row]) -> bool:
    """Whether the last of some rows is what the others add up to, in each column of amounts."""
    *parts, total = rows
    made = {at: adds_up(parts, total, at) for at in range(len(total.cells))}
    told = [at for at, each in made.items() if each is not None]
    return bool(told) and all(
        made[at] and any(number_of(row.cells[at]) for row in parts) for at in told
    )


def _is_of_years(made: _Made, question: Question) -> bool:
    """Whether rows are of a year that is asked for, where one is and they tell theirs."""
    asked = {period.year for period in periods_asked(question)} - {0}
    values = (value for row in made.rows for value in numbers_in(made.table, row))
    told = {value.period.year for value in values} - {0}
    return not (asked and told) or not asked.isdisjoint(told)


def _words_of(name: str) -> set[str]:
    return {*content_words(re.sub(r"\([^()]*\)", " ", name))} - _TOTAL


def _told_values(row: Row, table: Table, question: Question) -> list[Value]:
    """A row's figures of the time asked for; of many that of all times, else the first."""
    numbers = [v for v in numbers_in(table, row) if not _NOTE.match(v.heading)]
    values = asked_values(numbers, question)
    whole = of_all_times([value.heading for value in values])
    return values[:_MOST_CELLS] if whole is None else [values[whole]]


def _told(row: Row, table: Table, question: Question) -> str:
    values = _told_values(row, table, question)
    label, several = row.label.rstrip(" :"), len(table.columns) > 1
    cells = "; ".join(f"{v.when}: {v.text}" if several else v.text for v in values)
    scale = scale_text(max((value.scale for value in values), default=1))
    return (" — " if several else ": ").join(filter(None, (label, f"{cells}{scale}")))
