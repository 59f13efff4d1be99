"""Which rows of a list a question means: those of a time or size, or that have a word of it."""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import chain

from docqa.answer.findings.columns_meant import (
    IN_YEARS,
    MOVED,
    Against,
    asked_first,
    held_against,
    is_rated,
    named_columns,
)
from docqa.answer.findings.conditions import Bound, bounds_in, of_time
from docqa.answer.findings.features import has_word
from docqa.answer.findings.line_items import other_names
from docqa.answer.findings.relation import (
    VACANT,
    called,
    date_columns,
    is_vacant,
    named_in,
    things,
    with_near,
    words_of,
    words_of_heads,
)
from docqa.answer.findings.values import number_of, numbers_in
from docqa.language.amounts import measured_amounts
from docqa.language.keywords import subjects
from docqa.language.periods import periods_in
from docqa.language.words import blanked, content_words
from docqa.types.question import Question
from docqa.types.table import Row, Table

_OF_WHOLE = re.compile(r"\bof (?:the|this|our|its) \w+\W*$", re.IGNORECASE)
_TOP_OF = re.compile(r"\btop\s+\d+\b|\b\d+\s+(?=\w+est\b)|(?<=est)\s+\d+\b", re.IGNORECASE)
_IN_TIME = re.compile(r"\b(?:first|last)\W*$", re.IGNORECASE)  # and not of the first floor
_HAVING = re.compile(
    r"\b(?:have|has|having|with|without|can(?:not)?|may|entitled|allowed|able)\b|\bn[’']t have\b"
    r"|\bin (?:arrears|default|breach)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|cannot|no|without|never|except|excluding|other than)\b|n[’']t\b", re.I
)
_NONE = re.compile(r"\W*|\W*(?:n/?a|none|nil|no)\W*|\W*0(?:\.0+)?\W*", re.IGNORECASE)
_BREAK_OPTION = re.compile(r"\b(\w+)\s+(?:option|right|clause)s?\b", re.IGNORECASE)
_STATE = 3  # words of a cell that says what state a thing is in
_REPEATED = 2 / 3  # at most, of a column's cells, that differ where they say states
_PART = re.compile(r"(?<![\w’'&.-])[B-HJ-Z](?![\w’'&.-])")
_PART_A = re.compile(r"\b[Bb]uilding A\b|\bA\s*(?:,|and|or|&)\s")
_PART_OF = re.compile(r"\b[A-Z](?=\b|\d)")
_GRADES = re.compile(r"[A-Z]")
_GRADE = re.compile(r"(?<!^)\b[A-HJ-Z]\b")  # "rated D or E"
# Words that ask for rows rather than say which, and those of having, which any row does.
_SAYING_NOTHING_TEXT = """
all every each list show name tell give many number count total full complete current right
combined together altogether sum add average avg mean overall including whole entire amount
comparable square foot feet sq ft metre meter psf dollar pound euro pay have hold take occupy own
run rent lease building property schedule table roll portfolio document page two three four five
six seven eight nine ten best top largest biggest highest greatest longest most smallest lowest
shortest least earliest latest soonest oldest newest recent recently end expire mature exceed more
less fewer greater higher lower bigger larger smaller longer shorter year annually annum put set
across both between sf get go come make bring keep let need want find worth belong stand paying
going getting putting letting bill anybody anyone somebody someone nobody everybody everyone among
still already yet currently early cannot
"""
_ORDINALS = {
    "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth",
    "6th": "sixth", "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth",
}  # fmt: skip
_SAYING_NOTHING = frozenset(content_words(_SAYING_NOTHING_TEXT))


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row must be, and the columns that tell."""

    columns: tuple[int, ...]
    holds: Callable[[Row], bool]


def rows_meant(question: Question, table: Table, asked: Set[str] = frozenset()) -> list[Row] | None:
    """The rows of a list that are as a question says; None where it says of them what neither the
    list's heads nor any of its rows have a word for, or limits what no column has: it then asks for
    something else. Where it says what they have ("with a break"), or have not, those are meant that
    have something in that column, or nothing. ``asked`` are the stems of what the question calls
    the rows.
    """
    conditions = conditions_of(question, table)
    negated = is_negated(question)
    limited = {at for each in conditions or () for at in each.columns}
    named = states_asked(question, table, asked).items()
    states = {at: own for at, own in named if at not in limited}
    had = [at for at in _had(question, table, asked) if at not in states]
    if conditions is None or (negated and not (had or states)):
        return None  # what is not is told by no word of a row
    vacant = {w for w in question.topic.split() if VACANT.match(w) and table.role == "rent roll"}
    rows = things(table, vacant=bool(vacant))
    rows = [row for row in rows if is_vacant(row, table)] if vacant else rows
    in_words = set(chain.from_iterable(chain.from_iterable(states.values())))
    if parts := _parts_named(question.topic) - in_words:
        rows = [row for row in rows if parts & set(_PART_OF.findall(_called(row)))]
        if not rows:
            return None
    rows = [row for row in rows if all(each.holds(row) for each in conditions)]
    rows = [row for row in rows if all(is_blank(row.cells[at]) == negated for at in had)]
    rows = [row for row in rows if all(_is_in(row, at, states[at]) != negated for at in states)]
    words = [words_of(row) for row in rows]
    against = any(len(each.columns) > 1 for each in conditions)
    ways = (MOVED, IN_YEARS) if against else ()
    moved = (match[0] for way in ways for match in way.finditer(question.topic))
    of_rows = content_words(" ".join((*vacant, *moved)))  # which the conditions have heeded
    told = {*words_of_heads(table), *of_rows, *in_words}
    said = {w for w in words_of_rows(question) - asked - told if len(w) > 2 and not w.isdigit()}
    left = {word for word in said if not _is_known(told, word)}
    left |= _kinds(question, asked, table, words)
    if any(rows) and not all(any(word in own for own in words) for word in left):
        return None
    return [row for row, own in zip(rows, words, strict=True) if left <= own]


def _parts_named(text: str) -> set[str]:
    """The letters by which a question names parts of a place: "in A and C", "of Building B"."""
    parts = set(_PART.findall(text))
    return parts | {"A"} if parts and _PART_A.search(text) else parts


def _called(row: Row) -> str:
    return " ".join((*row.path, row.label))


def _kinds(question: Question, asked: Set[str], table: Table, rows: Sequence[Set[str]]) -> set[str]:
    """What the rows are called that some have for their kind and others have not ("shops")."""
    heads = (table.corner, *(column.heading for column in table.columns))
    own = asked & set(content_words(question.topic)) - set(content_words(" ".join(heads)))
    return {word for word in own if 0 < sum(word in words for words in rows) < len(rows)}


def _had(question: Question, table: Table, asked: Set[str]) -> list[int]:
    """The columns of what the rows are said to have, or not to have."""
    named = named_columns(question, table) if _HAVING.search(question.topic) else []
    return [at for at in named if not set(content_words(table.columns[at].heading)) <= asked]


def _is_known(stems: Set[str], word: str) -> bool:
    """Whether stems have a word, one near to it, or all of another name for it ("capex")."""
    return has_word(stems, word) or any(set(name) <= stems for name in other_names(word))


def states_asked(
    question: Question, table: Table, asked: Set[str]
) -> dict[int, list[frozenset[str]]]:
    """The columns that say what state or grade the rows are in, as few cells of them say but which
    are repeated, with the states that the question names ("approved", "D or E"), else those of
    which it has a word."""
    said = with_near(set(content_words(question.topic)) - asked)
    grades = set(_GRADE.findall(question.topic))
    rows = things(table, vacant=True)
    found: dict[int, list[frozenset[str]]] = {}
    for at in range(len(table.columns)):
        cells = [row.cells[at] for row in rows if row.cells[at].strip()]
        states = [_state_of(cell) for cell in cells]
        graded = all(map(_GRADES.fullmatch, (cell.split()[0] for cell in cells)))
        few = len({*states}) <= _REPEATED * len(cells)
        if cells and all(states) and (graded or few):
            named = [state for state in states if state <= said | grades]
            own = named or [state for state in states if not state.isdisjoint(said | grades)]
            found |= {at: own} if own else {}
    return found


def _state_of(cell: str) -> frozenset[str]:
    """The stems of a brief cell, or the grade that it begins with; none of another cell."""
    first, *rest = cell.split()
    if _GRADES.fullmatch(first):
        return frozenset({first})
    return frozenset(content_words(cell)) if len(rest) < _STATE else frozenset()


def _is_in(row: Row, column: int, states: Sequence[frozenset[str]]) -> bool:
    return bool(row.cells[column].strip()) and _state_of(row.cells[column]) in states


def is_negated(question: Question) -> bool:
    """Whether a question says what is not."""
    return _NEGATED.search(question.topic) is not None


def is_blank(cell: str) -> bool:
    """Whether a cell says that there is none."""
    return _NONE.fullmatch(cell.strip()) is not None


def words_of_rows(question: Question) -> set[str]:
    """The stems of what a question says but for limits and for words that only ask."""
    said = _BREAK_OPTION.sub(r"\1", _without_limits(_TOP_OF.sub(" ", question.topic)))
    ordinals = (_ORDINALS.get(word.casefold(), word) for word in subjects(said))
    return set(content_words(" ".join(ordinals))) - _SAYING_NOTHING


def _without_limits(text: str) -> str:
    """A question without its times and amounts, which conditions hold, without the whole that all
    rows are of ("the tenants of the building"), and without which comes first or last."""
    spans = [(each.start, each.stop) for each in periods_in(text)]
    spans += [(each.start, each.end) for each in measured_amounts(text)]
    return _IN_TIME.sub(" ", _OF_WHOLE.sub(" ", blanked(text, spans)))


def covers_question(question: Question, table: Table, rows: Sequence[Row]) -> bool:
    """Whether all that a question says stands in the heads of a list or in some rows of it."""
    words = {word for word in words_of_rows(question) if word.isalpha()}
    return words <= words_of_heads(table).union(*map(words_of, rows))


def rows_named(question: Question, table: Table) -> list[Row]:
    """The rows of a list that a question calls by their own codes or names, vacant ones too; of two
    codes with "to" between them all from one to the other ("years 1 to 5")."""
    rows = things(table, vacant=True)
    named = named_in(question.whole, rows)
    if len(named) == 2:
        first, last = (re.escape(row.label) for row in named)
        if re.search(rf"\b{first}\s*(?:to|[-–—]|through)\s*{last}\b", question.whole):
            return rows[rows.index(named[0]) : rows.index(named[1]) + 1]
    return named


def rows_have(kind: Set[str], fewest: int, table: Table) -> bool:
    """Whether rows of a list, that many at least, are of a kind: "suites", as some rooms are."""
    rows = things(table, vacant=True) if kind and called(table) else []
    return sum(kind <= words_of(row) for row in rows) >= fewest


def has_limits(question: Question) -> bool:
    """Whether a question says of what time or size its rows are."""
    return bool(of_time(question.topic) or any(each.unit for each in bounds_in(question.topic)))


def conditions_of(question: Question, table: Table) -> list[Condition] | None:
    """What the question says the rows must be: of a time, above or below an amount or what another
    column has; None where no column has what it limits."""
    limits = list(_of_size(question, table))
    by_years = IN_YEARS.search(question.topic) is not None
    if not by_years and (passes := of_time(question.topic)):
        limits.append(_of_cell(asked_first(date_columns(table), question, table), passes))
    if None in limits:
        return None
    against = held_against(question, table)
    if by_years and not against:
        return None
    if against:
        columns = against.column, against.other
        limits.append(Condition(columns, partial(_is_beyond, against, table)))
    return [each for each in limits if each]


def _of_size(question: Question, table: Table) -> Iterator[Condition | None]:
    """The columns counted in what an amount of the question is, above or below it."""
    for bound in bounds_in(question.topic):
        unit = bound.unit.removesuffix("/year")  # "more than £50,000 a year"
        columns, rated = enumerate(table.columns), is_rated(question)  # "more than $32 a foot"
        if rated:
            own = [at for at, c in columns if "/" in c.unit and c.currency == unit.split("/")[0]]
        else:
            own = [
                at for at, c in columns if unit in (c.unit or c.currency, _counted_in(table, at))
            ]
        if rated or bound.unit:
            yield _of_cell(asked_first(own, question, table), partial(_is_within, bound))


def _counted_in(table: Table, column: int) -> str:
    """The one unit that the cells of a column say ("six months"), "" where they say none."""
    said = {each.unit for row in table.rows for each in measured_amounts(row.cells[column])}
    return said.pop() if len(said) == 1 else ""


def _is_within(bound: Bound, cell: str) -> bool:
    number = number_of(cell)
    return number is not None and bound.passes(number)


def _is_beyond(against: Against, table: Table, row: Row) -> bool:
    amounts = {value.column: value.amount for value in numbers_in(table, row)}
    amount, limit = amounts.get(against.column), amounts.get(against.other)
    if amount is None or limit is None or amount == limit:
        return False
    return (amount > limit) == against.above


def _of_cell(columns: Sequence[int], holds: Callable[[str], bool]) -> Condition | None:
    at = next(iter(columns), None)
    return None if at is None else Condition((at,), lambda row: holds(row.cells[at]))
