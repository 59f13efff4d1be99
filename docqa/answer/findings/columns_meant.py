"""Which columns of a list a question means: to tell, to work with, or to hold against a limit."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from docqa.answer.findings.relation import (
    called,
    date_columns,
    named_in,
    things,
    with_near,
    words_of_heads,
)
from docqa.answer.findings.values import (
    DIFFERENCES,
    Value,
    columns_of_months,
    numbers_in,
    periods_asked,
)
from docqa.language.amounts import unit_named
from docqa.language.periods import YEAR, months_asked, says_only_when
from docqa.language.vocabulary import synonyms
from docqa.language.words import content_words
from docqa.types.question import Question
from docqa.types.table import Column, Row, Table

_PER_AREA = r"\ba\s+(?:square\s+)?foot\b|\bpsf\b|/\s?sq"  # that a rate is of an area
_RATE = re.compile(rf"\bper\s+(?!annum|year|quarter|month|week|day|cent)|{_PER_AREA}", re.I)
_A_FOOT = frozenset(content_words("psf sf per sq ft m square foot feet metre"))
_AREA = frozenset(content_words("area size footage"))
_HOW_MUCH_SPACE = re.compile(r"\bhow much (?:\w+ )?(?:space|area)\b", re.IGNORECASE)
_AREAS = ("sq ft", "sq m", "acres", "hectares")
# Words of a head that few ask with.
_OF_ANY = frozenset(content_words("pa per annum year date next current"))
_END_OF = re.compile(r"\b(?:end|start|beginning)\s+of\b", re.IGNORECASE)
_BEGINNING = frozenset(content_words("start begin commence from since signed bought acquired"))
_NEAR = 0.5  # of a word of a head that only one near to it is asked for
_MOSTLY = 0.5  # share of a column's rows that have a figure
_HALF = 0.5  # share of a heading's words that names it
_LONGEST_NAME = 4  # words of a column that others are held against
_YEAR = re.compile(YEAR)

# One column held against another: "over budget", "below the estimated rental value".
_AGAINST = re.compile(
    r"\b(?:(?P<above>over|above|exceed\w*|beyond|(?:more|greater|higher|larger) than)"
    r"|under|below|(?:less|lower|smaller) than)[\s-]+(?:(?:the|its|their|they|a)\s+)*",
    re.IGNORECASE,
)
# A figure against that of the time before: "which markets shrank", "what has gone up".
MOVED = re.compile(
    r"\b(?:(?P<up>grew|grown|rose|risen|increased|(?:went|gone) up)"
    r"|shrank|shrunk|fell|fallen|declined|decreased|dropped|(?:went|gone) down)\b",
    re.IGNORECASE,
)
# One year against another: "cheaper in 2024 than in 2023".
IN_YEARS = re.compile(
    r"\b(?:(?P<above>more|higher|greater|larger|bigger|dearer)|less|lower|smaller|cheaper|fewer)\b"
    rf"[^.?]*?\bin\s+(?:FY\s?)?(?P<one>{YEAR})\s+than\s+(?:in\s+)?(?:FY\s?)?(?P<other>{YEAR})\b",
    re.IGNORECASE,
)
_TOTAL = frozenset(content_words("total"))
_BETWEEN = re.compile(r"\b(?:gap|difference|spread|variance|shortfall|headroom)\b", re.IGNORECASE)
_PRESENT = frozenset(content_words("actual actually spend spent outturn passing current forecast"))


def accounted(question: Question, table: Table) -> int:
    """How many of a question's words a list's title and heads have."""
    return len(set(content_words(question.topic)) & words_of_heads(table))


def named_columns(question: Question, table: Table) -> list[int]:
    """The columns that the question names, the longest names first; of columns of several months
    those of the month or day that it names."""
    if dated := _of_month(question, table):
        return dated
    rated = is_rated(question)
    known = _known(_without_title(question.topic, table)) | (_A_FOOT if rated else set())
    rows = called(table)
    of_area = not _AREA.isdisjoint(content_words(question.topic))
    named = [
        at
        for at, column in enumerate(table.columns)
        if _is_named(column.heading, known, rows) or (of_area and column.unit in _AREAS)
    ]
    rates = [at for at in named if "/" in table.columns[at].unit]
    found = rates if rated and rates else named
    return sorted(found, key=lambda at: -len(content_words(table.columns[at].heading)))


def _of_month(question: Question, table: Table) -> list[int]:
    """The columns of the months or days that a question names, those of whose heading it has most
    ("Budget"); none where it names others by a word that these have not."""
    found = columns_of_months(question, table)
    said = set(content_words(question.topic)) - _TOTAL  # that of all months
    heads = {at: said & set(content_words(c.heading)) for at, c in enumerate(table.columns)}
    told = {at: {word for word in heads[at] if not says_only_when(word)} for at in heads}
    most = max((len(told[at]) for at in found), default=0)
    best = [at for at in found if len(told[at]) == most]
    return best if set().union(*told.values()) == set().union(*(told[at] for at in best)) else []


def _without_title(text: str, table: Table) -> str:
    """A text without what the table is called: a "rent roll" asks for no rent."""
    names = "|".join(re.escape(name) for name in (table.title, table.role) if name)
    return re.sub(rf"\b(?:{names})\b", " ", text, flags=re.IGNORECASE) if names else text


def is_rated(question: Question) -> bool:
    """Whether a question says per what, time apart ("rent per square foot")."""
    return _RATE.search(question.topic) is not None


def _known(text: str) -> set[str]:
    """The stems of a text, those near in meaning, and those of other names for what it names."""
    return with_near(content_words(text)) | set(content_words(" ".join(synonyms(text))))


def _is_named(heading: str, known: Set[str], rows: Set[str] = frozenset()) -> bool:
    """Whether every word of a column's heading is known, but units and what the rows are called."""
    own = _own_words(heading)
    own = own - rows or own
    return any(map(str.isalpha, own)) and own <= known


def _own_words(heading: str) -> set[str]:
    """The stems of a heading without words that few ask with, and units, but of what it is per."""
    words = set(content_words(re.sub(r"\([^()]*\)", " ", heading)))
    units = frozenset[str]() if _RATE.search(heading) else _A_FOOT
    return words - _OF_ANY - units or words


def asked_first(columns: Sequence[int], question: Question, table: Table) -> list[int]:
    """Columns, that first of whose heading a question has most ("expire", of lease start and
    expiry); one of beginnings after others, unless it asks for that; those alike in their order."""
    asked = set(content_words(_END_OF.sub(" ", question.topic)))
    near, rows = with_near(asked), called(table)

    def unasked(column: int) -> tuple[bool, float]:
        heading = set(content_words(table.columns[column].heading))
        words = heading - rows or heading
        held = len(words & asked) + _NEAR * len((words & near) - asked)
        begins = bool(words & _BEGINNING) and not near & _BEGINNING
        return begins, -held / max(len(words), 1)

    return sorted(columns, key=unasked)


def units_in(text: str) -> Iterator[str]:
    """The units of area that a question counts in: "square feet", any for "how much space"."""
    if _HOW_MUCH_SPACE.search(text):
        yield from _AREAS
    words = re.findall(r"[\w.%]+", text)
    for said in (*words, *map(" ".join, pairwise(words))):
        if (unit := unit_named(said)) in _AREAS:
            yield unit


def columns_of_figures(
    question: Question, table: Table, rows: Sequence[Row], *, added: bool
) -> list[int]:
    """The columns of figures that a question names, or counts in the unit of; else the only one of
    money, where it speaks of what the rows are, or names some. A rate is meant where the question
    says per what, and neither it nor a share is ``added`` up."""
    units_asked = set(units_in(question.topic))
    rated = is_rated(question) and not added
    units = {
        at: unit
        for at, unit in _units(table, rows).items()
        if _is_of_time(table.columns[at], question, table)
        if ("/" in unit) == rated and not (unit == "%" and added)
    }
    named = [at for at in named_columns(question, table) if at in units]
    named = named or _partly_named(question, table, units)
    counted = [at for at, unit in units.items() if unit in units_asked]
    money = [at for at, unit in units.items() if table.columns[at].currency == unit != ""]
    if units_asked and not rated:
        return [at for at in named if at in counted] or counted
    spoken_of = called(table) & with_near(content_words(question.topic))
    alone = len(money) == 1 and (spoken_of or named_in(question.whole, things(table, vacant=True)))
    return named or (money if alone else [])


def _partly_named(question: Question, table: Table, columns: Iterable[int]) -> list[int]:
    """The one of some columns of whose heading a question has most words, and half at least; none
    for none."""
    known = _known(_without_title(question.topic, table))
    own = {at: _own_words(table.columns[at].heading) for at in columns}
    held = {at: len(known & own[at]) for at in own if len(known & own[at]) >= _HALF * len(own[at])}
    most = max(held.values(), default=0)
    best = [at for at, count in held.items() if count == most > 0]
    return best if len(best) == 1 else []


def _units(table: Table, rows: Iterable[Row]) -> dict[int, str]:
    """The unit of each column of figures: not of dates, years or words, nor of several units."""
    rows = list(rows)
    figures: dict[int, list[Value]] = {}
    for value in (value for row in rows for value in numbers_in(table, row)):
        figures.setdefault(value.column, []).append(value)
    enough, dates = max(2, _MOSTLY * len(rows)), date_columns(table)
    return {
        at: own[0].unit
        for at, own in sorted(figures.items())
        if len(own) >= enough and at not in dates and len({value.unit for value in own}) == 1
        if not all(_YEAR.fullmatch(value.text) for value in own)
    }


def _is_of_time(column: Column, question: Question, table: Table) -> bool:
    """Whether a column is of the length of time asked for, and of its year, where a table has
    columns of several; a roll is of one day, whatever time is asked for."""
    months, years = months_asked(question.whole), {p.year for p in periods_asked(question)}
    others = {each.period.year for each in table.columns if each.period.year}
    of_length = not (months and column.period.months) or column.period.months == months
    several = len(others) > 1 and bool(years & others)
    return of_length and (not several or column.period.year in years)


# Two columns


def rate_of(question: Question, table: Table) -> tuple[int, int] | None:
    """The columns of what a question asks per what ("rent per square foot"), where no column is of
    the rate itself; None for none."""
    said = _RATE.search(question.topic)
    if said is None or any("/" in table.columns[at].unit for at in named_columns(question, table)):
        return None
    areas = set(units_in(question.topic)) or {_AREAS[0]}
    every = range(len(table.columns))
    per = _begins_with(question.topic[said.end() :], table)
    of_area = [at for at, unit in _units(table, table.rows).items() if unit in areas]
    below = of_area if per is None else [per]
    money = [at for at in every if table.columns[at].currency and at not in below]
    named = [at for at in named_columns(question, table) if at in money]
    above = named or _partly_named(question, table, money)
    return (above[0], below[0]) if len(below) == 1 and len(above) == 1 else None


@dataclass(frozen=True, slots=True)
class Against:
    """A column of figures held against another of the same unit, which it is to be ``above``, or
    below."""

    column: int
    other: int
    above: bool


def compares_columns(question: Question) -> bool:
    """Whether a question may hold a column against another, or a time against the one before."""
    return any(way.search(question.topic) for way in (_AGAINST, MOVED, IN_YEARS))


def held_against(question: Question, table: Table) -> Against | None:
    """The columns that a question holds against each other ("over budget", "below market rent");
    a figure with that of the time before where it says that it rose or fell; None for none."""
    for match in _AGAINST.finditer(question.topic):
        limit = _begins_with(question.topic[match.end() :], table)
        beside = [] if limit is None else _alike(table, limit)
        named = [at for at in named_columns(question, table) if at in beside]
        present = [at for at in beside if _PRESENT & set(content_words(table.columns[at].heading))]
        chosen = next((each for each in (named, beside, present) if len(each) == 1), [])
        if limit is not None and chosen:
            return Against(chosen[0], limit, match["above"] is not None)
    if said := IN_YEARS.search(question.topic):
        one, other = _of_year(table, said["one"]), _of_year(table, said["other"])
        if one is None or other is None or other not in _alike(table, one):
            return None
        return Against(one, other, said["above"] is not None)
    moved, pair = MOVED.search(question.topic), _last_two(table)
    return Against(*pair, moved["up"] is not None) if moved and pair else None


def _of_year(table: Table, year: str) -> int | None:
    """The one column of figures, and not of shares, that is of a year; None for none or several."""
    units = _units(table, table.rows)
    own = [at for at in units if str(table.columns[at].period.year) == year and units[at] != "%"]
    return own[0] if len(own) == 1 else None


def _last_two(table: Table) -> tuple[int, int] | None:
    """The columns of the latest time and of that before it, of one measure and length of time."""
    dated = [
        (table.columns[at].period.end, at)
        for at, unit in _units(table, table.rows).items()
        if table.columns[at].period.year and unit != "%"
    ]
    (latest, last), (before, first), *_ = [*sorted(dated, reverse=True), ((), -1), ((), -1)]
    alike = before and last in _alike(table, first) and latest > before
    same = {
        (column.period.months, *filter(str.isalpha, content_words(column.heading)))
        for column in (table.columns[last], table.columns[first])
    }
    return (last, first) if alike and len(same) == 1 else None


def set_apart(question: Question, table: Table) -> tuple[int, int] | None:
    """Two columns of one unit whose difference a question asks for, in its order; None for none."""
    if not _BETWEEN.search(question.topic):
        return None
    said = content_words(question.topic)
    columns = named_columns(question, table)
    for one in columns:
        others = [at for at in columns if at in _alike(table, one)]
        if len(others) == 1:
            first, second = sorted((one, *others), key=lambda at: _place(table, at, said))
            return first, second
    return None


def _place(table: Table, column: int, said: Sequence[str]) -> int:
    own = _own_words(table.columns[column].heading)
    return next((at for at, word in enumerate(said) if word in own), len(said))


def _begins_with(text: str, table: Table) -> int | None:
    """The column that a text begins with the name of; None for none and for several."""
    begins = re.findall(r"[^\W_]+", text)[:_LONGEST_NAME]
    first, known = set(content_words(" ".join(begins[:1]))), _known(" ".join(begins))
    named = [
        at
        for at, column in enumerate(table.columns)
        if first & _known(column.heading) and _is_named(_YEAR.sub(" ", column.heading), known)
    ]
    begun = [at for at, c in enumerate(table.columns) if content_words(c.heading)[:1] == [*first]]
    found = named or begun
    return found[0] if len(found) == 1 else None


def _alike(table: Table, column: int) -> list[int]:
    """The other columns of figures of the same unit, but those of differences."""
    units = _units(table, table.rows)
    return [
        at
        for at, unit in units.items()
        if at != column and unit == units.get(column)
        if DIFFERENCES.isdisjoint(content_words(table.columns[at].heading))
    ]
