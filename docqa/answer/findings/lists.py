"""Lists: the rows of a table of things (tenants, sales, milestones) that a question asks for."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from itertools import repeat

from docqa.answer.findings.cited import Source
from docqa.answer.findings.columns_meant import (
    accounted,
    asked_first,
    columns_of_figures,
    compares_columns,
    held_against,
    named_columns,
)
from docqa.answer.findings.relation import (
    NAME,
    called,
    date_columns,
    distinct_label,
    figures,
    is_over_years,
    things,
    title_of,
    words_of_heads,
)
from docqa.answer.findings.rows import entry
from docqa.answer.findings.rows_meant import (
    conditions_of,
    covers_question,
    has_limits,
    rows_have,
    rows_meant,
    rows_named,
    states_asked,
)
from docqa.answer.findings.values import asks_why, scale_text, without_total
from docqa.language.numbers import NUMBER_WORDS
from docqa.language.periods import dates_in
from docqa.language.words import content_words, singular
from docqa.types.question import Question
from docqa.types.table import Row, Table

MOST_CELLS = 6  # of a row in a list

_Line = tuple[Row, str, str]  # a row, what it is called, and its cells as they are told

# "which tenants", "each lease", "all the comparable sales": what is asked for is in the plural, or
# each of them.
_SEVERAL = re.compile(
    r"\b(?:which|what|list|name|show|who\s+are|all|how\s+many)\s+(?:(?:are|were|of|all|the|our|its|their)\s+)*"
    r"(?:(?-i:[A-Z])[\w’'-]*\s+)*(?P<plural>(?:[\w-]+\s+)?[\w-]+s)\b"
    r"|\b(?:each|every)\s+(?:of\s+the\s+)?(?P<one>[\w-]+)",
    re.IGNORECASE,
)
# "vacant units", "leases expiring 2026": no question, but some of the things it opens with.
_PHRASE = re.compile(
    r"^(?!.*\b(?:wh(?:at|ich|en|ere|y|o|ose)|how|list|name|show|give|tell|explain|describe"
    r"|summari[sz]e|compare|is|are|was|were|do(?:es)?|did|can|could|shall|should|will|would|may|must"
    r"|has|have)\b)\W*"
    r"(?:[\w-]+\s+){0,4}?(?P<plural>[\w-]+[^\Ws]s)\b",
    re.IGNORECASE,
)
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(list(NUMBER_WORDS)[2:13])})\b"  # "two" to "twelve"
_TOP = 3  # of several of which it is not said how many
# "the largest tenant", "which tenant pays the highest rent", "which lease runs out first".
EXTREME = re.compile(
    rf"\b(?:(?P<before>{_COUNT})\s+)?"
    r"(?<!at )(?:(?:largest|biggest|highest|greatest|longest|best"
    r"|top(?!\s+(?:of|floor|line))|most(?!\s+recent)"
    r"|(?P<least>smallest|lowest|shortest|least))"
    r"|(?P<first>earliest|soonest|oldest|first(?=\W*$))"
    r"|(?P<last>latest|newest|most\s+recent(?:ly)?|last(?=\W*$)))\b"
    rf"(?:\s+(?:single|individual|(?P<after>{_COUNT})))?(?:\s+(?P<thing>[\w-]+))?",
    re.IGNORECASE,
)
_ONE = re.compile(
    rf"\b(?:which|what|whose)\s+(?P<count>{_COUNT}\s+)?(?P<thing>[\w-]+)", re.IGNORECASE
)
_BY = re.compile(r"\bby\b", re.IGNORECASE)
_CODED = re.compile(r"\S*\d\S*")  # "A-100" is no name
_WHO = re.compile(r"^\W*(?:who|which|whose|any\w*)\b", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow\s+many\b|\bnumber\s+of\b", re.IGNORECASE)


def listed(question: Question, source: Source) -> str:
    """The rows of a document's lists that a question asks for by what they are, or the one of them
    with the most; "" where it asks for no such things, or none is as it says.

    What other questions lean on is told with all that its rows say.
    """
    question = _first(question)
    table, rows = _table_of(question, source.lists)
    if table is None:
        return ""
    extreme, shown = EXTREME.search(question.topic), _columns(question, table)
    if extreme:
        columns = _measured_by(question, table, rows, extreme, shown)
        rows, shown = _furthest(table, rows, columns, extreme, how_many(question))
    several = _SEVERAL.search(question.topic) is not None
    whole = set(content_words(title_of(table))) <= things_asked(question)
    if not rows or not (several or whole or len(rows) < len(things(table))):
        return ""
    return listing(question, table, rows, shown, source)


def _first(question: Question) -> Question:
    """The question that others lean on, alone; else the whole."""
    return replace(question, whole=question.leads, nameless="") if question.leads else question


def _measured_by(
    question: Question,
    table: Table,
    rows: Sequence[Row],
    extreme: re.Match[str],
    shown: Sequence[int],
) -> Sequence[int]:
    """The columns by which a question may mean the most: those of dates, that it names, that have
    the word for it in their head ("the highest rent"; rates last), or any of amounts."""
    if _of_days(extreme):
        return asked_first(date_columns(table), question, table)
    named = named_columns(question, table)
    if _BY.search(question.topic):  # "the top tenants by rent"
        named = columns_of_figures(question, table, rows, added=False) or named
    said = set(content_words(extreme["thing"] or ""))
    columns = table.columns
    amounts = [at for at in shown if columns[at].unit or columns[at].currency]
    headed = [at for at in amounts if said & set(content_words(columns[at].heading))]
    return named or sorted(headed, key=lambda at: "/" in columns[at].unit) or amounts


def told_by_columns(question: Question, source: Source) -> str:
    """The rows that a question tells by columns that it names, whatever it calls them: that with
    the most ("Which hub has the largest sorting capacity?"), or those that are as it says ("sites
    without sprinklers"); "" for none. Prefers the list that shares most words with the question.
    """
    question = _first(question)
    extreme, asked = EXTREME.search(question.topic), things_asked(question)
    limited = has_limits(question) and _WHO.search(question.topic)
    tells = asked or extreme or limited or compares_columns(question)
    if not tells or asks_why(question):
        return ""
    for table in sorted(source.lists, key=lambda each: -accounted(question, each)):
        named = named_columns(question, table)
        about = asked & words_of_heads(table) if not is_over_years(table) else frozenset[str]()
        if not (named or limited or about or held_against(question, table)):
            continue
        rows, shown = rows_meant(question, table, asked) or [], _columns(question, table)
        if extreme:
            rows, shown = _furthest(table, rows, named, extreme, how_many(question))
        if 0 < len(rows) < len(things(table)):
            return listing(question, table, rows, shown, source)
    return ""


def listing(
    question: Question, table: Table, rows: Sequence[Row], shown: Sequence[int], source: Source
) -> str:
    """Rows of a table with the columns shown, cited, under what they are a list of."""
    if question.leads:
        named = named_columns(replace(question, whole=question.text), table)  # by the others too
        shown = list(dict.fromkeys((*shown, *named, *range(len(table.columns)))))[:MOST_CELLS]
    every, lines = things(table), _lines(question, table, rows, shown)
    titling = shown if any(cells for _, _, cells in lines) else ()
    title = _title(table, rows, titling, by=EXTREME.search(question.topic) is not None)
    of = len(every) + sum(row not in every for row in rows)
    if _COUNTED.search(question.topic):  # how many there are is said first
        count = f"{len(rows)} of {of}" if len(rows) < of else str(of)
        title, of = f"{count}, {title}", len(rows)
    return _told(title, table, lines, of, source)


def looked_up(question: Question, source: Source) -> str:
    """The cells of a list's row that a question names, in the columns that it names ("When does
    Sable Point's lease expire?"); "" where it says more than the list has words for. A rent roll
    comes before other lists.
    """
    lists = [each for each in source.lists if each.corner]
    for table in sorted(lists, key=lambda each: each.role != "rent roll"):
        rows = rows_named(question, table)
        filled = [at for at in named_columns(question, table) if any(row.cells[at] for row in rows)]
        if len(rows) == 1 and filled and covers_question(question, table, rows):
            lines = _lines(question, table, rows, sorted(filled))
            return _told(_title(table, rows, sorted(filled)), table, lines, 1, source)
    return ""


def _with_names(
    table: Table, rows: Sequence[Row], shown: Sequence[int], things: Set[str]
) -> list[int]:
    """The columns shown, with that of the things asked for ("Tenant"), else, where a row is called
    by a code, with that of the longest names."""
    heads = [things & {*content_words(column.heading)} for column in table.columns]
    named = [at for at, head in enumerate(heads) if head and not any(map(_digit, rows, repeat(at)))]
    if not named and not all(NAME.search(_CODED.sub(" ", row.label)) for row in rows):
        lengths = {at: sum(_name_length(row.cells[at]) for row in rows) for at in range(len(heads))}
        named = [at for at in sorted(lengths, key=lambda at: -lengths[at]) if lengths[at]]
    return sorted({*shown, *named[:1]})


def _digit(row: Row, at: int) -> bool:
    return any(map(str.isdigit, row.cells[at]))


def _name_length(cell: str) -> int:
    return len(cell) if len(NAME.findall(cell)) > 1 else 0


def asks_for_most(question: Question) -> bool:
    """Whether a question may ask which row of a table has the most, or the least."""
    return EXTREME.search(question.topic) is not None


def things_asked(question: Question) -> frozenset[str]:
    """The stems of what is asked for several of, or for the most of; none for one thing."""
    named = [m["plural"] or m["one"] for m in _SEVERAL.finditer(question.topic)]
    if not named and (phrase := _PHRASE.match(question.topic)):
        named = [phrase["plural"]]
    if EXTREME.search(question.topic):
        found = (*EXTREME.finditer(question.topic), *_ONE.finditer(question.topic))
        named += [m["thing"] for m in found if m["thing"]]
    return frozenset(stem for text in named for stem in content_words(text)[-1:])


def _kinds_asked(question: Question) -> list[tuple[Set[str], int]]:
    """The stems of each kind of thing that is asked for, and of how many of it at least: several,
    or the one with the most."""
    several = (m["plural"] for m in _SEVERAL.finditer(question.topic) if m["plural"])
    kinds: list[tuple[Set[str], int]] = [(set(content_words(text)), 2) for text in several]
    if EXTREME.search(question.topic):
        kinds += [({stem}, 1) for stem in things_asked(question)]
    return kinds


def _table_of(question: Question, tables: Iterable[Table]) -> tuple[Table | None, list[Row]]:
    """The table whose rows are the things asked for, with those that are as the question says: of
    several that of whose title and heads it has most, then the tenants of a rent roll."""
    asked, kinds = things_asked(question), _kinds_asked(question)
    own = [t for t in tables if asked & called(t) or any(rows_have(*kind, t) for kind in kinds)]
    own.sort(key=lambda each: (-accounted(question, each), each.role != "rent roll"))
    meant = ((table, rows_meant(question, table, asked & called(table))) for table in own)
    return next(((table, rows) for table, rows in meant if rows), (None, []))


# The most or the least, the first or the last


_Measured = tuple[tuple[Decimal | int, ...], Row]  # a number, or a year, month and day


def _of_days(extreme: re.Match[str]) -> bool:
    return bool(extreme["first"] or extreme["last"])


def _furthest(
    table: Table, rows: Sequence[Row], columns: Sequence[int], extreme: re.Match[str], count: int
) -> tuple[list[Row], list[int]]:
    """The rows with the most, or the least, in the first of some columns that is counted in each
    row with a digit there, as many as are asked for, and that column; of dates the rows with the
    first, or the last. No row where one alone is asked for and several have the same number."""
    measure = _days if _of_days(extreme) else _numbers
    for at in columns:
        measured = measure(table, [row for row in rows if any(map(str.isdigit, row.cells[at]))], at)
        if measured:
            first = extreme["least"] or extreme["first"]
            in_order = sorted(measured, key=lambda each: each[0], reverse=not first)
            most = in_order[0][0]
            best = [row for number, row in in_order if number == most]
            if count > 1:
                return [row for _, row in in_order[:count]], [at]
            return (best if len(best) == 1 or _of_days(extreme) else []), [at]
    return [], []


def how_many(question: Question) -> int:
    """How many with the most are asked for: as many as is said, else one, or a few of what is in
    the plural; 0 where it asks for none."""
    extreme, which = EXTREME.search(question.topic), _ONE.search(question.topic)
    if extreme is None:
        return 0
    said = (extreme["before"] or extreme["after"] or (which and which["count"]) or "").strip()
    if said:
        return int(said) if said.isdigit() else NUMBER_WORDS[said.lower()]
    thing = extreme["thing"] or ""
    return _TOP if singular(thing) != thing and not _of_days(extreme) else 1


def _numbers(table: Table, rows: Sequence[Row], column: int) -> list[_Measured]:
    """The number of each row but a total; none where a row has none."""
    counted = figures(table, rows, column)
    parts, _ = without_total(counted)
    return [((v.amount,), v.row) for v in parts] if len(counted) == len(rows) > 1 else []


def _days(table: Table, rows: Sequence[Row], column: int) -> list[_Measured]:
    """The first date of each row that has one, as year, month and day (0 where it has none)."""
    if column not in date_columns(table):
        return []
    dated = ((next((d for d in dates_in(row.cells[column]) if d.year), None), row) for row in rows)
    return [((day.year, day.month, day.day), row) for day, row in dated if day]


# How it is told


def _title(table: Table, rows: Sequence[Row], shown: Sequence[int], *, by: bool = False) -> str:
    """What a list is called: as its table, with the column where one alone is shown, or the rows
    are chosen ``by`` the first."""
    title = title_of(table)
    if not shown or not (by or len(shown) == 1):
        return title
    entries = [entry(table, row, shown[0]) for row in rows]
    column = f"{'by ' if by else ''}{entries[0].header}" if entries[0].header else ""
    return ", ".join(filter(None, (title, column))) + scale_text(max(e.scale for e in entries))


def _columns(question: Question, table: Table) -> list[int]:
    """The columns that the question names, with those it sets a condition on, and that say what
    state it asks for; else the first."""
    limited = (at for each in conditions_of(question, table) or () for at in each.columns)
    states = states_asked(question, table, things_asked(question))
    shown = sorted({*named_columns(question, table), *limited, *states})
    return shown or list(range(min(MOST_CELLS, len(table.columns))))


def _told(title: str, table: Table, lines: Sequence[_Line], of: int, source: Source) -> str:
    told = [(row, f"{label}: {cells}" if cells else label) for row, label, cells in lines]
    return source.list_rows(title, table, told, of=of)


def _lines(
    question: Question, table: Table, rows: Sequence[Row], shown: Sequence[int]
) -> list[_Line]:
    """Each row with its label and the columns shown, and that of its name."""
    columns = _with_names(table, rows, shown, things_asked(question))
    return [_line(table, row, columns) for row in rows]


def _line(table: Table, row: Row, shown: Sequence[int]) -> _Line:
    label = distinct_label(table, row)
    others = [at for at in shown if row.cells[at] and not label.endswith(f", {row.cells[at]}")]
    entries = [entry(table, row, at) for at in others]
    headed = [f"{each.headed}{scale_text(each.scale)}" for each in entries]
    cells = "; ".join([each.text for each in entries] if len(shown) == 1 else headed)
    return row, label, cells
