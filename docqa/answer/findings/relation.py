"""A table of things as a relation: which tables are one, what their rows are and are called; pure.

A rent roll has a row for each tenancy, a list of projects one for each project, and a column for
what is known of each. Statements, key facts and contents are none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from docqa.answer.findings.values import TOTAL, Value, numbers_in
from docqa.language.numbers import MONEY_SIGN
from docqa.language.periods import dates_in
from docqa.language.vocabulary import NEAR, synonyms
from docqa.language.words import content_words, singular
from docqa.types.table import STATEMENTS, Row, Table, TableRole

_NOT_THINGS: tuple[TableRole, ...] = (*STATEMENTS, "operating statement", "key facts", "contents")
NAME = re.compile(r"\b[A-Z](?:[A-Z]\b|[\w’'-]{2,})")
_LONGEST_TITLE = 60  # characters of what is no sentence
_BRIEF = 6  # words of a cell that names something
_MOSTLY = 0.5  # the share of a column's cells that are dates in a column of dates
# What a table of a kind is a list of, beside what its own head says.
_THINGS: dict[TableRole, str] = {
    "rent roll": "tenant lessee occupier lease tenancy unit suite apartment flat shop store space"
}
# "10. Advisers", "SCHEDULE 7 - KEY EMPLOYEES"
_PLURAL_LAST = re.compile(
    r"(?:^|\s[-–—]\s)[\W\d]*(?:[^\W\d]+\s+){0,3}([^\W\d]+[^\Ws]s)\W*$", re.IGNORECASE
)
_COUNTED_IN = re.compile(
    r"^\W*(?:in\s+)?[\w$€£¥]*\W*(?:thousand|million|billion|000)s?\W*$", re.IGNORECASE
)
# A head over the rows that says of what time they are, or in what they are counted.
_NO_NAME = re.compile(r"\d|\bin\s+(?:thousand|million|billion)s?\b", re.IGNORECASE)
_AMOUNT = re.compile(rf"\W*{MONEY_SIGN}\W*\d")
_CODE = re.compile(r"[^\W\d]{2,}\s+(?:\d+\w?|[A-Z])")
_LETTERS = re.compile(r"[^\W\d_]{3}")
_GRAND = re.compile(r"^\W*(?:grand\s+)?total\b", re.IGNORECASE)
VACANT = re.compile(r"^\W*(?:vacan(?:t|cy|cies)|available|unlet|empty|void)\b", re.IGNORECASE)


def merged(tables: Iterable[Table]) -> list[Table]:
    """The tables, those as one that follow each other under the same heads, as those of a sheet
    do that is parted by headings; their rows stand under the heading of their part."""
    found: list[Table] = []
    for table in tables:
        if found and table.corner and heads_of(found[-1]) == heads_of(table):
            first = found.pop()
            over = () if table.title == first.title else (table.title,)
            rows = (replace(row, path=(*over, *row.path)) for row in table.rows)
            table = replace(first, pages=(*first.pages, *table.pages), rows=(*first.rows, *rows))
        found.append(table)
    return found


def heads_of(table: Table) -> tuple[str, ...]:
    """What is printed over a table's labels, and over each of its columns."""
    return table.corner, *(column.heading for column in table.columns)


def may_list(table: Table) -> bool:
    """Whether the rows of a table may be things: it is no statement, and they have no prices for
    names."""
    return table.role not in _NOT_THINGS and not any(_AMOUNT.match(r.label) for r in table.rows)


def is_over_years(table: Table) -> bool:
    """Whether several columns are headed by their years, as those of figures over time are."""
    return sum(bool(c.period.year) and str(c.period.year) in c.heading for c in table.columns) > 1


def called(table: Table) -> frozenset[str]:
    """The stems of what the rows of a table are; none where they are no things."""
    is_named = table.corner and not _NO_NAME.search(table.corner)
    if not may_list(table) or not is_named or is_over_years(table):
        return frozenset()
    is_calendar = len(table.columns) == 1 and bool(date_columns(table))  # "Milestone | Date"
    alone = table.columns[0].heading if is_calendar else _named_by(table)
    titled = _PLURAL_LAST.search(table.section[-1]) if table.section else None
    named = (singular(table.corner), singular(alone), titled[1] if titled else "")
    return frozenset(content_words(" ".join((*named, _THINGS.get(table.role, "")))))


def _named_by(table: Table) -> str:
    """The head over what the rows are called, where their labels are codes ("Ref | Project")."""
    rows = things(table, vacant=True)
    if not all(any(map(str.isdigit, row.label)) and len(row.label.split()) == 1 for row in rows):
        return ""
    for at, column in enumerate(table.columns):
        cells = [row.cells[at] for row in rows]
        if all(map(_LETTERS.search, cells)) and len(set(cells)) == len(cells):
            return column.heading
    return ""


def title_of(table: Table) -> str:
    """What a table is called, or the heading over it where its caption is a sentence, or says in
    what it is counted alone."""
    heading = next(iter(table.section[-1:]), "")
    is_title = len(table.title) <= _LONGEST_TITLE and not _COUNTED_IN.search(table.title)
    return (table.title if is_title or not heading else heading).rstrip(" :.")


def things(table: Table, *, vacant: bool = False) -> list[Row]:
    """The rows but groups and totals; of a rent roll those that are vacant only if asked for."""
    rows = (row for row in table.rows if not (_is_total(row) or row.is_group))
    return [row for row in rows if vacant or not is_vacant(row, table)]


def _is_total(row: Row) -> bool:
    """Whether a row is called a total, in the column of names where it has no label."""
    blank = not row.label and any(map(_GRAND.match, row.cells))
    return blank or TOTAL.search(row.label) is not None


def total_of(table: Table) -> Row | None:
    """The row that adds up all others; None where none does, or it cannot be told from subtotals.

    Where the labels are codes a total is called so in the column of names.
    """
    totals = [row for row in table.rows if TOTAL.search(row.label)]
    grand = [row for row in totals if any(map(_GRAND.match, (row.label, *row.cells)))]
    found = totals if len(totals) == 1 else grand
    return found[0] if len(found) == 1 else None


def is_vacant(row: Row, table: Table) -> bool:
    """Whether a row of a rent roll is of no tenancy."""
    return table.role == "rent roll" and any(map(VACANT.match, (row.label, *row.cells)))


def date_columns(table: Table) -> list[int]:
    """The columns of dates."""
    columns = []
    for at in range(len(table.columns)):
        filled = [row.cells[at] for row in things(table) if row.cells[at]]
        dated = sum(any(date.year for date in dates_in(cell)) for cell in filled)
        if filled and dated >= _MOSTLY * len(filled):
            columns.append(at)
    return columns


def figures(table: Table, rows: Iterable[Row], column: int) -> list[Value]:
    """The figures of a column, of the rows that have one."""
    return [value for row in rows for value in numbers_in(table, row) if value.column == column]


# Words of rows and heads


def brief(row: Row) -> list[str]:
    """Its label and those of its cells that are no sentences."""
    return [cell for cell in (row.label, *row.cells) if len(cell.split()) <= _BRIEF]


def words_of(row: Row) -> set[str]:
    """The stems of a row's label and brief cells, and of what it stands under ("First floor")."""
    return set(content_words(" ".join((*row.path, *brief(row)))))


def words_of_heads(table: Table) -> set[str]:
    """The stems of what a table is called and headed, and of what is near them or another name."""
    heads = (column.heading for column in table.columns)
    text = " ".join((table.title, *table.section, *heads))
    return with_near((*content_words(" ".join((text, *synonyms(text)))), *called(table)))


def with_near(words: Iterable[str]) -> set[str]:
    """Stems with those that are near in meaning."""
    return {near for word in words for near in (word, *NEAR.get(word, ()))}


# Names of rows


def named_in(text: str, rows: Sequence[Row]) -> list[Row]:
    """The rows that a text calls by their code ("6.01", "Unit 8") or by a name that no other row
    has, with a capital, in its label or a brief cell."""
    said = re.sub(r"[’']s\b|[?,;]", " ", text)
    names, padded = set(NAME.findall(said)), f" {' '.join(said.casefold().split())} "
    return [
        row
        for row, own in zip(rows, _names_of_one(rows), strict=True)
        if own & names or any(f" {code.casefold()} " in padded for code in _codes(row))
    ]


def _codes(row: Row) -> Iterator[str]:
    """A row's codes: a label with a number, or a cell of words and a number."""
    if any(map(str.isdigit, row.label)):
        yield row.label
    yield from (cell for cell in row.cells if _CODE.fullmatch(cell.strip()))


def _names_of_one(rows: Sequence[Row]) -> list[set[str]]:
    """The names, with a capital, that each row has in its label or a brief cell and no other has
    ("Fenwick", of Fenwick Insurance Services)."""
    names = [{name for text in brief(row) for name in NAME.findall(text)} for row in rows]
    often = Counter(name for own in names for name in own)
    return [{name for name in own if often[name] == 1} for own in names]


def distinct_label(table: Table, row: Row) -> str:
    """What a row is called, a number with what it numbers ("Unit 8"); where others are called the
    same ("Elm Yard"), with the first of its cells that none of them has ("Elm Yard, Unit 8")."""
    label = row.label.rstrip(" :")
    label = label if any(map(str.isalpha, label)) else f"{table.corner} {label}".strip()
    alike = [each for each in table.rows if each.label == row.label]
    if len(alike) < 2:
        return label
    own = (
        cell
        for at, cell in enumerate(row.cells)
        if any(map(str.isalpha, cell)) and sum(each.cells[at] == cell for each in alike) == 1
    )
    return ", ".join(filter(None, (label, next(own, ""))))
