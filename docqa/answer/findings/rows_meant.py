"""Which rows of a list a question means: those of a time or size, or that have a word of it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial

from docqa.answer.findings.conditions import Bound, Passes, bounds_in, of_time
from docqa.answer.findings.features import is_spelt_out
from docqa.answer.findings.line_items import other_names
from docqa.answer.findings.values import TOTAL, number_of
from docqa.language.amounts import measured_amounts
from docqa.language.keywords import subjects
from docqa.language.periods import dates_in, periods_in
from docqa.language.vocabulary import NEAR
from docqa.language.words import blanked, content_words, singular
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table, TableRole

NOT_THINGS: tuple[TableRole, ...] = (*STATEMENTS, "operating statement", "key facts", "contents")
_MOSTLY = 0.5  # the share of a column's cells that are dates in a column of dates
NAME = re.compile(r"\b[A-Z][\w’'-]{2,}")
_BRIEF = 6  # words of a cell that names something
# What a table of a kind is a list of, beside what its own head says.
_THINGS: dict[TableRole, str] = {
    "rent roll": "tenant lessee occupier lease tenancy unit suite apartment flat shop store space"
}
_PLURAL_LAST = re.compile(r"^[\W\d]*(?:[^\W\d]+\s+){0,3}([^\W\d]+[^\Ws]s)\W*$")  # "10. Advisers"
_OF_WHOLE = re.compile(r"\bof (?:the|this|our|its) \w+\W*$", re.IGNORECASE)
_IN_TIME = re.compile(r"\b(?:first|last)\W*$", re.IGNORECASE)  # and not of the first floor
PER_AREA = r"\ba\s+(?:square\s+)?foot\b|\bpsf\b|/\s?sq"  # that a rate is of an area
_RATE = re.compile(rf"\bper\s+sq|{PER_AREA}", re.IGNORECASE)
_A_FOOT = frozenset(content_words("psf per sq ft square foot"))
# Words of a head that few ask with.
_OF_ANY = frozenset(content_words("pa per annum year date next current"))
_END_OF = re.compile(r"\b(?:end|start|beginning)\s+of\b", re.IGNORECASE)
_NEAR = 0.5  # of a word of a head that only one near to it is asked for
_HAVING = re.compile(
    r"\b(?:have|has|having|with|without)\b|\bn[’']t have\b|\bin (?:arrears|default|breach)\b", re.I
)
_NEGATED = re.compile(r"\b(?:not|no|without|never|except|excluding|other than)\b|n[’']t\b", re.I)
_NONE = re.compile(r"\W*|\W*(?:n/?a|none|nil|no)\W*|\W*0(?:\.0+)?\W*", re.IGNORECASE)
_BREAK_OPTION = re.compile(r"\b(\w+)\s+(?:option|right|clause)s?\b", re.IGNORECASE)
_CODE = re.compile(r"[^\W\d]{2,}\s+(?:\d+\w?|[A-Z])")
_LETTERS = re.compile(r"[^\W\d_]{3}")
_STATE = 3  # words of a cell that says what state a thing is in
_REPEATED = 2 / 3  # at most, of a column's cells, that differ where they say states
_GRADES = re.compile(r"[A-Z]")
_GRADE = re.compile(r"(?<!^)\b[A-HJ-Z]\b")  # "rated D or E"
_VACANT = re.compile(r"^(?:vacant|vacancy|available|unlet)\b", re.IGNORECASE)
# Words that ask for rows rather than say which, and those of having, which any row does.
_SAYING_NOTHING_TEXT = """
all every each list show name tell give many number count total full complete current right
combined together altogether sum add average mean overall including whole entire amount comparable
square foot feet sq ft metre meter psf dollar pound euro
pay have hold take occupy own run rent lease building property schedule table roll portfolio
document page largest biggest highest greatest longest most smallest lowest shortest least
earliest latest soonest oldest newest recent recently end expire mature exceed more less fewer
greater higher lower bigger larger smaller longer shorter year annually annum put set across both
between sf
"""
_SAYING_NOTHING = frozenset(content_words(_SAYING_NOTHING_TEXT))


@dataclass(frozen=True, slots=True)
class Condition:
    """What the cells of one column must be."""

    column: int
    passes: Passes


def rows_meant(
    question: Question, table: Table, things: Set[str] = frozenset()
) -> list[Row] | None:
    """The rows of a list that are as a question says; None where it says of them what neither the
    list's heads nor any of its rows have a word for, or limits what no column has: it then asks for
    something else. Where it says what they have ("with a break"), or have not, those are meant that
    have something in that column, or nothing. ``things`` are the stems of what the question calls
    the rows.
    """
    said = words_of_rows(question)
    conditions = conditions_of(question, table)
    if len(conditions) < limits_of(question):
        return None
    negated = _NEGATED.search(question.topic) is not None
    states = states_asked(question, table, things)
    had = [at for at in _had(question, table, things) if at not in states]
    if negated and not (had or states):
        return None  # what is not is told by no word of a row
    rows = [row for row in asked_for(question, table) if meets(row, conditions)]
    rows = [row for row in rows if all(_is_blank(row.cells[at]) == negated for at in had)]
    rows = [row for row in rows if all(_is_in(row, at, states[at]) != negated for at in states)]
    words = [_words(row) for row in rows]
    told = set().union(_words_of_heads(table), *states.values())
    left = {w for w in said - things - told if w.isalpha() and not _is_known(told, w)}
    if any(rows) and not all(any(word in own for own in words) for word in left):
        return None
    return [row for row, own in zip(rows, words, strict=True) if left <= own]


def _had(question: Question, table: Table, things: Set[str]) -> list[int]:
    """The columns of what the rows are said to have, or not to have."""
    named = named_columns(question, table) if _HAVING.search(question.topic) else []
    return [at for at in named if not set(content_words(table.columns[at].heading)) <= things]


def _is_known(stems: Set[str], word: str) -> bool:
    """Whether stems have all of what a word stands for, or of another name for it ("capex")."""
    return is_spelt_out(stems, word) or any(set(name) <= stems for name in other_names(word))


def states_asked(question: Question, table: Table, things: Set[str]) -> dict[int, set[str]]:
    """The columns that say what state or grade the rows are in, as few cells of them say but which
    are repeated, with what the question has of that ("approved", "D or E")."""
    asked = set(content_words(question.topic)) - things
    grades = set(_GRADE.findall(question.topic))
    rows = list(_rows(table))
    found: dict[int, set[str]] = {}
    for at in range(len(table.columns)):
        cells = [row.cells[at] for row in rows if row.cells[at].strip()]
        states = [_state_of(cell) for cell in cells]
        graded = all(map(_GRADES.fullmatch, (cell.split()[0] for cell in cells)))
        few = len(set(map(frozenset, states))) <= _REPEATED * len(cells)
        if cells and all(states) and (graded or few):
            own = (asked | grades) & set().union(*states)
            found |= {at: own} if own else {}
    return found


def _state_of(cell: str) -> set[str]:
    """The stems of a brief cell, or the grade that it begins with; none of another cell."""
    first, *rest = cell.split()
    if _GRADES.fullmatch(first):
        return {first}
    return set(content_words(cell)) if len(rest) < _STATE else set()


def _is_in(row: Row, column: int, states: Set[str]) -> bool:
    return bool(row.cells[column].strip()) and not states.isdisjoint(_state_of(row.cells[column]))


def words_of_rows(question: Question) -> set[str]:
    """The stems of what a question says but for limits and for words that only ask."""
    said = _BREAK_OPTION.sub(r"\1", _without_limits(question.topic))
    return set(content_words(" ".join(subjects(said)))) - _SAYING_NOTHING


def covers_question(question: Question, table: Table, row: Row) -> bool:
    """Whether all that a question says stands in the heads of a list or in a row of it."""
    words = (word for word in words_of_rows(question) if word.isalpha())
    return set(words) <= _words_of_heads(table) | _words(row)


def row_named(question: Question, table: Table) -> Row | None:
    """The one row of a list that a question calls by its code ("6.01", "Unit 8") or by a name that
    no other row has, with a capital, in its label or a brief cell; None for none and several."""
    rows = list(_rows(table))
    said = re.sub(r"[’']s\b|[?,;]", " ", question.whole)
    asked, words = set(NAME.findall(said)), f" {' '.join(said.casefold().split())} "
    found = [
        row
        for row, own in zip(rows, names_of_one(rows), strict=True)
        if own & asked or any(f" {code.casefold()} " in words for code in _codes(row))
    ]
    return found[0] if len(found) == 1 else None


def _codes(row: Row) -> Iterator[str]:
    """A row's codes: a label with a number, or a cell of words and a number."""
    if any(map(str.isdigit, row.label)):
        yield row.label
    yield from (cell for cell in row.cells if _CODE.fullmatch(cell.strip()))


def names_of_one(rows: Sequence[Row]) -> list[set[str]]:
    """The names, with a capital, that each row has in its label or a brief cell and no other has
    ("Fenwick", of Fenwick Insurance Services)."""
    names = [{name for text in brief(row) for name in NAME.findall(text)} for row in rows]
    often = Counter(name for own in names for name in own)
    return [{name for name in own if often[name] == 1} for own in names]


def distinct_label(table: Table, row: Row) -> str:
    """What a row is called; where others are called the same ("Elm Yard"), with the first of its
    cells that it alone has ("Elm Yard, Unit 8")."""
    label = row.label.rstrip(" :")
    if sum(each.label == row.label for each in table.rows) < 2:
        return label
    own = (
        cell
        for at, cell in enumerate(row.cells)
        if any(map(str.isalpha, cell)) and sum(each.cells[at] == cell for each in table.rows) == 1
    )
    return ", ".join(filter(None, (label, next(own, ""))))


def _is_blank(cell: str) -> bool:
    """Whether a cell says that there is none."""
    return _NONE.fullmatch(cell.strip()) is not None


def _without_limits(text: str) -> str:
    """A question without its times and amounts, which conditions hold, without the whole that all
    rows are of ("the tenants of the building"), and without which comes first or last."""
    spans = [(each.start, each.stop) for each in periods_in(text)]
    spans += [(each.start, each.end) for each in measured_amounts(text)]
    return _IN_TIME.sub(" ", _OF_WHOLE.sub(" ", blanked(text, spans)))


def asked_for(question: Question, table: Table) -> Iterator[Row]:
    """The things of a list; of a rent roll what is vacant where that is asked for."""
    wants_vacant = any(map(_VACANT.match, question.topic.split()))
    yield from (row for row in _rows(table) if wants_vacant or not _is_vacant(row, table))


def things_of(table: Table) -> Iterator[Row]:
    """The rows of a list, but what is vacant and what adds them up."""
    yield from (row for row in _rows(table) if not _is_vacant(row, table))


def _rows(table: Table) -> Iterator[Row]:
    yield from (row for row in table.rows if not (TOTAL.search(row.label) or row.is_group))


def _is_vacant(row: Row, table: Table) -> bool:
    return table.role == "rent roll" and any(map(_VACANT.match, (row.label, *row.cells)))


def _words_of_heads(table: Table) -> set[str]:
    """The stems of what a table is called and headed, and of what is near them."""
    heads = (column.heading for column in table.columns)
    text = " ".join((table.title, *table.section, *heads))
    return with_near((*content_words(text), *called(table)))


def _words(row: Row) -> set[str]:
    return set(content_words(" ".join(brief(row))))


def brief(row: Row) -> list[str]:
    """Its label and those of its cells that are no sentences."""
    return [cell for cell in (row.label, *row.cells) if len(cell.split()) <= _BRIEF]


def rows_have(words: Set[str], table: Table) -> bool:
    """Whether some row of a list has one of the words: "suites", of what kind a room is."""
    return bool(words and called(table)) and any(words & _words(row) for row in _rows(table))


def called(table: Table) -> frozenset[str]:
    """The stems of what the rows of a table are; none where they are no things."""
    dated = sum(bool(c.period.year) and c.period.text in c.heading for c in table.columns)
    if table.role in NOT_THINGS or not table.corner or dated > 1:
        return frozenset()
    is_calendar = len(table.columns) == 1 and bool(date_columns(table))  # "Milestone | Date"
    alone = table.columns[0].heading if is_calendar else _named_by(table)
    titled = _PLURAL_LAST.search(table.section[-1]) if table.section else None
    named = (singular(table.corner), singular(alone), titled[1] if titled else "")
    return frozenset(content_words(" ".join((*named, _THINGS.get(table.role, "")))))


def _named_by(table: Table) -> str:
    """The head over what the rows are called, where their labels are codes ("Ref | Project")."""
    rows = list(_rows(table))
    if not all(any(map(str.isdigit, row.label)) and len(row.label.split()) == 1 for row in rows):
        return ""
    for at, column in enumerate(table.columns):
        cells = [row.cells[at] for row in rows]
        if all(map(_LETTERS.search, cells)) and len(set(cells)) == len(cells):
            return column.heading
    return ""


def meets(row: Row, conditions: Sequence[Condition]) -> bool:
    """Whether a row is as all conditions say."""
    return all(each.passes(row.cells[each.column]) for each in conditions)


def limits_of(question: Question) -> int:
    """How many conditions a question sets."""
    bounds = [bound for bound in bounds_in(question.topic) if bound.unit]
    return len(bounds) + (of_time(question.topic) is not None)


def conditions_of(question: Question, table: Table) -> list[Condition]:
    """What the question says the rows must be: of a time, above or below an amount."""
    passes = of_time(question.topic)
    dated = date_columns(table) if passes else []
    made = [Condition(at, passes) for at in asked_first(dated, question, table)[:1] if passes]
    return [*made, *_of_size(question, table)]


def _of_size(question: Question, table: Table) -> Iterator[Condition]:
    """The columns counted in what an amount of the question is, above or below it."""
    for bound in bounds_in(question.topic):
        unit = bound.unit.removesuffix("/year")  # "more than £50,000 a year"
        counted = [at for at, c in enumerate(table.columns) if unit == (c.unit or c.currency)]
        columns = asked_first(counted, question, table)
        if bound.unit and columns:
            yield Condition(columns[0], partial(_within, bound))


def _within(bound: Bound, cell: str) -> bool:
    number = number_of(cell)
    return number is not None and bound.passes(number)


def asked_first(columns: Sequence[int], question: Question, table: Table) -> list[int]:
    """Columns, that first of whose heading a question has most ("expire", of lease start and
    expiry); those alike in their order."""
    asked = set(content_words(_END_OF.sub(" ", question.topic)))
    near = with_near(asked)

    def unasked(column: int) -> float:
        words = set(content_words(table.columns[column].heading))
        held = len(words & asked) + _NEAR * len((words & near) - asked)
        return -held / max(len(words), 1)

    return sorted(columns, key=unasked)


def accounted(question: Question, table: Table) -> int:
    """How many of a question's words a list's title and heads have."""
    return len(set(content_words(question.topic)) & _words_of_heads(table))


def named_columns(question: Question, table: Table) -> list[int]:
    """The columns that the question names, the longest names first."""
    rated = _RATE.search(question.topic) is not None
    known = with_near(content_words(question.topic)) | (_A_FOOT if rated else set())
    named = [at for at, c in enumerate(table.columns) if _is_named(c.heading, known)]
    rates = [at for at in named if "/" in table.columns[at].unit]
    found = rates if rated and rates else named
    return sorted(found, key=lambda at: -len(content_words(table.columns[at].heading)))


def _is_named(heading: str, known: Set[str]) -> bool:
    """Whether every word of a column's heading, units apart, is known."""
    words = set(content_words(re.sub(r"\([^()]*\)", " ", heading)))
    own = words - _OF_ANY or words
    return any(map(str.isalpha, own)) and own <= known


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
