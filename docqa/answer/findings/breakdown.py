"""A figure in its parts ("revenue by segment", "sales by region in 2023"), or its largest part
("which segment had the highest revenue"), or that which moved most ("which segment grew fastest").
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import accumulate, groupby

from docqa.answer.findings.cited import Source
from docqa.answer.findings.columns_meant import MOVED
from docqa.answer.findings.crossings import own_words
from docqa.answer.findings.features import has_word
from docqa.answer.findings.formulas import book, line_asked, values_of_line
from docqa.answer.findings.relation import title_of
from docqa.answer.findings.sums import percent, plain
from docqa.answer.findings.values import (
    TOTAL,
    Value,
    adds_up,
    asked_values,
    numbers_in,
    periods_asked,
    scale_text,
    without_total,
)
from docqa.language.periods import YEAR, months_asked, periods_in
from docqa.language.words import content_words
from docqa.types.answer import Evidence
from docqa.types.period import Period
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table

_FEWEST = 2
_ABOUT = Decimal("0.1")  # of a whole, by which its parts may differ from it
_BY = re.compile(
    r"^(?P<what>.+?)\s(?:by|for\s+each|in\s+each|of\s+each)\s+"
    r"(?P<part>[a-z][\w-]+(?:\s+(?!(?:in|for|at|as|during|from|between|and)\b)[a-z][\w-]+){0,3})\W*"
    r"(?:\b(?:in|for|at|as|during|from|between|and)\b.*)?$",
    re.IGNORECASE | re.DOTALL,
)
_MEASURES = frozenset(
    content_words(
        "revenue sales income earnings profit loss margin cost expense total gross net operating"
    )
)
_MOST = r"highest|largest|biggest|greatest|most|best"
_LEAST = r"lowest|smallest|least|worst"
_WITH_MOST = re.compile(
    rf"^\W*(?:which|what)\s+(?P<part>[a-z][\w-]+(?:\s+[\w-]+){{0,2}}?)\s+(?:\w+\s+){{1,2}}?(?:the\s+)?"
    rf"(?:{_MOST}|(?P<least>{_LEAST}))\s+(?:in\s+|by\s+)?(?P<what>[^?,.;]+?)"
    r"(?:\s+(?:in|for|at|as|during)\b.*)?\W*$",
    re.IGNORECASE | re.DOTALL,
)
_MOVED_MOST = re.compile(
    rf"^\W*(?:which|what)\s+(?P<part>[a-z]\w+(?:\s+[a-z]\w+){{0,2}}?)(?:['’]s?\s+(?P<what>[\w\s]+?))?"
    rf"\s+(?:(?:has|have|had)\s+)?{MOVED.pattern}\s+(?:the\s+)?(?:most|(?P<fast>\w+est))\b",
    re.IGNORECASE,
)
_SOLD = ("revenue", "sales")  # what grows where a question does not say it
_YEAR_LAST = re.compile(rf"\s(?:FY\s?)?{YEAR}\W*$", re.IGNORECASE)
_NO_PART = re.compile(r"\b(?:year|quarter|month|period|activit\w+)s?$", re.IGNORECASE)

_Values = Sequence[Value]  # a row's numbers of the time asked for


@dataclass(frozen=True, slots=True)
class _Parts:
    """Rows of one group of a table, and the total printed after them, if there is one."""

    table: Table
    rows: tuple[Row, ...]
    total: Row | None

    @property
    def title(self) -> str:
        return " › ".join((title_of(self.table), *self.rows[0].path))

    @property
    def over(self) -> list[str]:
        """The stems of what stands over them."""
        table = self.table
        heading = table.section[-1:]
        return content_words(" ".join((table.title, table.corner, *heading, *self.rows[0].path)))

    @property
    def heads(self) -> list[str]:
        """The stems of what stands over them and over their columns."""
        heads = (column.heading for column in self.table.columns)
        return [*self.over, *content_words(" ".join(heads))]

    def columns(self, what: Sequence[str]) -> list[int]:
        """The columns of what is asked, if what stands over them all does not say it."""
        over = self.over
        heads = [content_words(column.heading) for column in self.table.columns]
        said = [sum(has_word(head, word) for word in what) for head in heads]
        most = max(said, default=0)
        return [
            at
            for at, head in enumerate(heads)
            if said[at] == most and all(has_word((*over, *head), word) for word in what)
        ]

    @property
    def are_measures(self) -> bool:
        """Whether a row is called as a figure is ("Margin"), and so is no part of one, unless it
        is what the others add up to ("Income from operations")."""
        named = [row for row in self.rows if set(content_words(row.label)) <= _MEASURES]
        if not named:
            return False
        values = [value for row in self.rows for value in numbers_in(self.table, row)[:1]]
        _, sums = without_total(values)
        return any(row is not value.row for row in named for value in sums or values[:1])

    @property
    def labels(self) -> list[str]:
        return content_words(" ".join(row.label for row in self.rows))


def broken_down(question: Question, source: Source) -> str:
    """The parts of a figure that a question asks for by what they are, or the largest of them, or
    the smallest; "" where there are none."""
    moved = _MOVED_MOST.match(question.topic)
    most = _WITH_MOST.match(question.topic)
    asked = moved or most or _by(question)
    if asked is None or _NO_PART.search(asked["part"]):
        return ""
    known = own_words(source.document)
    part = _stems(asked["part"], known)
    groups = [e for e in _groups(source.tables) if not ((moved or most) and e.are_measures)]
    for named in [asked["what"]] if asked["what"] else _SOLD:
        what = _stems(named, known)
        fitting = [each for each in groups if what and _is_of(each, what, part, question)]
        whole = _whole(replace(question, whole=named, nameless=""), source) if fitting else []
        fitting = [each for each in fitting if not whole or _makes(each, what, whole)]
        if fitting:
            break
    else:
        return ""
    evidence = source.gathered.evidence
    best = max(fitting, key=lambda each: _fit(each, what, part, evidence))
    if moved:
        fast = moved["fast"] is not None
        return _that_moved_most(best, what, question, source, up=moved["up"] is not None, fast=fast)
    of_time = _without_total(list(_valued_rows(best, what, question)))
    of = len(of_time)
    if most:
        of_time = _first_of(of_time, least=bool(most["least"]))
    heads = {value.heading for values in of_time for value in values}
    headed = f", {heads.pop()}" if len(heads) == 1 and any(heads) else ""
    told = [(values[0].row, _told(values)) for values in of_time]
    return source.list_rows(f"{best.title}{headed}", best.table, told, of=of) if told else ""


def asks_for_parts(question: Question) -> bool:
    """Whether a question may ask for a figure in its parts, which one line alone does not tell."""
    asked = _by(question)
    return asked is not None and not _NO_PART.search(asked["part"])


def _by(question: Question) -> re.Match[str] | None:
    return _BY.match(_YEAR_LAST.sub("", question.topic))


def _whole(named: Question, source: Source) -> list[Value]:
    """The figures of the line of the primary statements that is named; none for none."""
    line = line_asked(named)
    statements = [table for table in source.tables if table.role in STATEMENTS]
    found = values_of_line(book().lines[line.names[0]], statements) if line else []
    return [value for value in found if value.number]


def _makes(parts: _Parts, what: Sequence[str], whole: _Values) -> bool:
    """Whether parts make a whole at some time, about: they may sell to one another."""
    values = [v for row in parts.rows for v in numbers_in(parts.table, row) if v.unit != "%"]
    for column in parts.columns(what):
        own, _ = without_total([value for value in values if value.column == column])
        made = _summed(own)
        alike = (each for each in whole if own and _is_of_one_time(own[0].period, each.period))
        due = (_summed([each]) for each in alike)
        if any(abs(made - each) <= _ABOUT * abs(each) for each in due):
            return True
    return False


def _summed(values: _Values) -> Decimal:
    """What values come to, in ones."""
    return sum((v.number * v.scale for v in values if v.number is not None), Decimal(0))


def _is_of_one_time(one: Period, other: Period) -> bool:
    months = {one.months, other.months} - {0, None}
    return one.year == other.year and len(months) < 2


def _that_moved_most(
    parts: _Parts, what: Sequence[str], question: Question, source: Source, *, up: bool, fast: bool
) -> str:
    """The part that rose or fell most from one time to the next, by its amount or, if ``fast``, by
    its share; "" where none did."""
    pairs = [pair for row in parts.rows if (pair := _last_two(parts, row, what, question))]
    if len(pairs) < len(parts.rows):
        return ""

    def size(pair: tuple[Value, Value]) -> Decimal:
        later, before = pair
        assert later.number is not None
        assert before.number is not None
        change = (later.number - before.number) * (1 if up else -1)
        return change / abs(before.number) if fast and before.number else change

    later, before = max(pairs, key=size)
    if size((later, before)) <= 0:
        return ""
    assert later.number is not None
    assert before.number is not None
    change = abs(later.number - before.number)
    share = f" or {percent(change / abs(before.number) * 100)}" if before.number else ""
    moved = f"{'up' if up else 'down'} {plain(change)}{share}"
    told = f"{later.text}, {moved} ({before.when}: {before.text})"
    label = later.row.label.rstrip(" :")
    text = f"{label}, {later.when}: {told}{scale_text(later.scale)}"
    return source.list_rows(parts.title, parts.table, [(later.row, text)], of=len(parts.rows))


def _last_two(
    parts: _Parts, row: Row, what: Sequence[str], question: Question
) -> tuple[Value, Value] | None:
    """A row's figures of the latest time, or of that asked for, and of the one before it."""
    columns = parts.columns(what)
    dated = [v for v in numbers_in(parts.table, row) if v.column in columns and v.period.year]
    values = [v for v in dated if v.unit != "%"]
    later = next(iter(asked_values(values, question)), None) if periods_asked(question) else None
    months = months_asked(question.whole) or (values[0].period.months if values else 0)
    alike = [v for v in values if v.period.months == (later.period.months if later else months)]
    in_order = sorted(alike, key=lambda value: value.period.end)
    later = later or next(iter(in_order[-1:]), None)
    earlier = [v for v in in_order if later and v.period.end < later.period.end]
    return (later, earlier[-1]) if later and earlier else None


def _stems(text: str, known: Set[str]) -> list[str]:
    """The stems of a text but for those that name its document; all where no other is left."""
    words = content_words(text)
    return [word for word in words if word not in known] or words


def _valued_rows(parts: _Parts, what: Sequence[str], question: Question) -> Iterator[_Values]:
    """The figures of what is asked, and of its time, of each row that has some."""
    columns, years = parts.columns(what), {period.year for period in periods_asked(question)}
    for row in parts.rows:
        of_row = {period.year for period in periods_in(row.label)}
        if years and of_row and years.isdisjoint(of_row):
            continue
        of_time = asked_values(numbers_in(parts.table, row), question)
        values = [value for value in of_time if value.column in columns]
        if values:
            yield values


def _without_total(rows: list[_Values]) -> list[_Values]:
    """The rows without their total, whatever it is called ("Group")."""
    first = [values[0] for values in rows]
    if len({value.column for value in first}) > 1:
        return rows
    parts, _ = without_total(first)
    return [values for values in rows if values[0] in parts]


def _first_of(rows: Sequence[_Values], *, least: bool) -> list[_Values]:
    """The row with the most, or the least, in the column that is asked for or printed first; none
    where not every row has a number there."""
    column = rows[0][0].column
    numbers = [next((v.number for v in own if v.column == column), None) for own in rows]
    counted = [number for number in numbers if number is not None]
    if len(counted) < len(rows):
        return []
    wanted = min(counted) if least else max(counted)
    return [rows[counted.index(wanted)]]


def _groups(tables: Sequence[Table]) -> Iterator[_Parts]:
    """Runs of rows that stand under the same labels, ended by a total."""
    for table in tables:
        if table.role in STATEMENTS or table.role == "contents":
            continue
        totals = list(accumulate(bool(TOTAL.search(row.label)) for row in table.rows))
        numbered = zip(totals, table.rows, strict=True)
        for (before, _), rows in groupby(numbered, key=lambda each: (each[0], each[1].path)):
            parts = [r for _, r in rows if not r.is_group and not TOTAL.search(r.label)]
            if len(parts) >= _FEWEST:
                after = totals.index(before + 1) if before + 1 in totals else None
                yield _Parts(table, tuple(parts), None if after is None else table.rows[after])


def _adds_up(parts: _Parts) -> bool:
    """Whether no part is missing: the rows make the total that is printed, if one is."""
    if parts.total is None:
        return True
    made = (adds_up(parts.rows, parts.total, at) for at in range(len(parts.total.cells)))
    return next((each for each in made if each is not None), True)


def _is_of(parts: _Parts, what: Sequence[str], part: Sequence[str], question: Question) -> bool:
    """Whether parts are of what is asked, called or headed so, whole, and of its years."""
    called = any(has_word((*parts.heads, *parts.labels), word) for word in part)
    if not (called and parts.columns(what) and _adds_up(parts)):
        return False
    years = {period.year for period in periods_asked(question)}
    rows = _valued_rows(parts, what, question)
    shown = {value.period.year for values in rows for value in values}
    return years <= shown if years else any(shown)


def _fit(
    parts: _Parts, what: Sequence[str], part: Sequence[str], evidence: Sequence[Evidence]
) -> tuple[int, int, bool, bool, bool, bool]:
    """How well parts fit what is asked, higher being better: few words over them that are not
    asked ("International"); many that are, word for word; being called so; being headed so; what
    is asked all standing over them; and being found by the search."""
    path = content_words(re.sub(r"\([^()]*\)", " ", " ".join(parts.rows[0].path)))
    own = (*path, *content_words(parts.table.caption))
    found = {b.index for e in evidence for b in e.hit.chunk.blocks}
    return (
        -sum(not has_word((*what, *part), word) for word in path),
        len(set(what).intersection(own)),
        any(has_word(parts.labels, word) for word in part),
        any(has_word(parts.heads, word) for word in part),
        all(has_word(own, word) for word in what),
        not found.isdisjoint(row.block for row in parts.rows),
    )


def _told(values: _Values) -> str:
    cells = "; ".join(f"{v.when} {v.text}" if len(values) > 1 else v.text for v in values)
    scale = scale_text(max((value.scale for value in values), default=1))
    return f"{values[0].row.label.rstrip(' :')}: {cells}{scale}"
