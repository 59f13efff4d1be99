"""Rows of a document's tables that are called as a review's column is: "Rent: £5 a year"; pure."""

import re
from collections.abc import Iterator

from docqa.compare.tables import Side
from docqa.language.vocabulary import NEAR
from docqa.language.words import content_words
from docqa.types.answer import Citation
from docqa.types.document import Block
from docqa.types.period import NO_PERIOD
from docqa.types.review import Column, Found
from docqa.types.table import Row, Table

_NUMBERED = re.compile(
    r"^\W*(?:(?:item|no\.?|part|paragraph)\s*)?\d+(?:\.\d+)*[.):]?[\s–—-]+", re.IGNORECASE
)
# What a label may say beside: "Initial Rent", and of the kind that is asked for, "Start Date".
_SAYS_NO_MORE = {
    kind: frozenset(content_words(f"initial current {words}"))
    for kind, words in {"date": "date day", "figure": "amount", "text": "name details"}.items()
}
_DATED = frozenset(content_words("date"))
_ANOTHER = re.compile(r"\b(?:further|other)\b", re.IGNORECASE)  # words without a stem of their own


def particulars(column: Column, side: Side) -> list[Found]:
    """The rows of tables with one column of values that are called by the column's title.

    A label may also have words of the column's question ("Annual Rent"); those with the fewest
    come first. A table with several columns, or a column of a period, says more than one thing
    under a label: its rows are left to the question.
    """
    every = (row for table in side.tables for row in rows_of(table))
    rows = [row for row in every if _is_called(row.label, column)]
    rows.sort(key=lambda row: len(label_words(row.label)))
    return [found_in(row, side) for row in rows]


def rows_of(table: Table) -> Iterator[Row]:
    """The rows of a table that say one thing each: under one column of values, and of no period.

    "Date | 1 May 2023" is no head over them, but the first of such rows.
    """
    if len(table.columns) == 1 and table.columns[0].period == NO_PERIOD:
        yield from (row for row in table.rows if row.cells[0].strip())
    elif len(table.columns) == 1 and table.heads and label_words(table.corner) == _DATED:
        yield Row(table.corner, (table.columns[0].heading,), table.heads[0])
        yield from (row for row in table.rows if row.cells[0].strip())


def label_words(label: str) -> set[str]:
    """The stems of a label without its number: "Item 5 – Term" is "term"."""
    return set(content_words(_NUMBERED.sub("", label)))


def _is_called(label: str, column: Column) -> bool:
    said, title = label_words(label), set(content_words(column.title))
    no_more = _SAYS_NO_MORE.get(column.kind, frozenset())
    own = title - no_more or title
    beside = title | no_more | set(content_words(column.question))
    # A date or a figure that is called otherwise is often another one; a "Lessor" is a landlord.
    near = NEAR if column.kind == "text" else {}
    names = [{each, *near.get(each, ())} & said for each in own]
    same = bool(own) and all(names) and said <= beside.union(*names)
    return same and bool(_ANOTHER.search(label)) == bool(_ANOTHER.search(column.title))


def found_in(row: Row, side: Side) -> Found:
    """What a row says, with its label, cited."""
    own = side.printed(row)
    text = f"{row.label.rstrip(' :')}: {row.cells[0]}"
    quote = "\n".join(each.text for each in own)
    return Found("", text, (quoted_from(side.document.id, side.document.name, own, quote),))


def quoted_from(document_id: str, document: str, blocks: tuple[Block, ...], quote: str) -> Citation:
    """A quote as a cell cites it: of the first block's page, and verified as it is verbatim."""
    page = blocks[0].page if blocks else 1
    return Citation("S0", document_id, document, page, quote, blocks, "verified")
