"""Whether the dates and years of an answer stand in the passages it was given, or follow from what
it says itself: "six weeks from 5 November 2025".
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from operator import eq
from typing import TypeVar

from docqa.answer.check.evidence_index import BlockKey, EvidenceIndex
from docqa.answer.check.quotation import quotation_spans
from docqa.answer.check.statements import Statement
from docqa.language.periods import Date, dates_in, years_in
from docqa.language.terms import reached_in, terms_in
from docqa.types.answer import Check

_YEAR = re.compile(r"[\w’']+")
_Time = TypeVar("_Time", Date, int)


def check_dates(
    statements: Sequence[Statement], index: EvidenceIndex, question: str
) -> Iterator[Check]:
    """A check for each date, and for each year that is part of none."""
    for statement in statements:
        quoted = quotation_spans(statement.text)
        days = dates_in(statement.text)
        for day in days:
            if not _is_within(day.start, quoted):
                span, asked = (day.start, day.end), any(map(day.within, dates_in(question)))
                check = _check(statement, span, index, index.dates, day.within, asked=asked)
                open_ = check.result == "not supported" and _is_reached(day, statement)
                yield replace(check, result="computed") if open_ else check
        for year, at in years_in(statement.text):
            if not _is_within(at, [*quoted, *((day.start, day.end) for day in days)]):
                asked = any(year == other for other, _ in years_in(question))
                printed = _YEAR.match(statement.text, at)
                span = (at, printed.end() if printed else at + 4)
                same = partial(eq, year)
                yield _check(statement, span, index, index.years, same, asked=asked, loosely=True)


def _is_reached(day: Date, statement: Statement) -> bool:
    """Whether a date lies as far from another as its statement says, a day more or less: a length
    may count the days it runs between."""
    known = (day.year, day.month, day.day or None)
    reached = reached_in(f"{statement.before} {statement.text}")
    near = (each + timedelta(days=off) for each in reached for off in (-1, 0, 1))
    return any(known == (each.year, each.month, known[2] and each.day) for each in near)


def _is_within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def _check(
    statement: Statement,
    span: tuple[int, int],
    index: EvidenceIndex,
    told: Callable[[str], list[tuple[_Time, int]]],
    same: Callable[[_Time], bool],
    *,
    asked: bool,
    loosely: bool = False,
) -> Check:
    """``told`` gives what a passage says of time with its blocks, ``same`` which of that it is; a
    year may stand anywhere in a passage that is cited (``loosely``), as the heads of its tables do.
    """
    first, last = (statement.start + place for place in span)
    check = Check("date", statement.text[slice(*span)], first, last, "not supported")
    cited = statement.labels_for(last)
    blocks = {block for label in cited for block in index.blocks(label)}
    first_found: BlockKey | None = None
    found = ((each, n) for each in index.names(cited) for other, n in told(each) if same(other))
    for name, number in found:
        first_found = first_found or (name, number)
        there = [block for block in blocks if block[0] == name]
        if (name, number) in blocks or (there and loosely) or _leads(number, there, index):
            return index.settled(check, "stands", _label(name, number), statement.whole)
    if any(term.last == check.text for term in terms_in(statement.text)):
        return index.settled(check, "computed", labels=tuple(cited))
    if first_found:
        return index.settled(check, "elsewhere", _label(*first_found), statement.whole)
    return index.settled(check, "in question") if asked else check


def _leads(number: int, blocks: Sequence[BlockKey], index: EvidenceIndex) -> bool:
    """Whether a block says what stands over another: a heading, or a table's head or title."""
    return any(
        number < 0 or (number < block and block in index.passages[name].lines)
        for name, block in blocks
    )


def _label(name: str, number: int) -> str:
    return f"{name}.{number + 1}" if number >= 0 else name
