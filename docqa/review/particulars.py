"""Rows of a document's tables that are called as a review's column is: "Rent: £5 a year"; pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docqa.language.words import content_words
from docqa.types.answer import Citation
from docqa.types.document import Block, Document
from docqa.types.period import NO_PERIOD
from docqa.types.review import Column, Found
from docqa.types.table import Row, Table


def particulars(
    column: Column, document: Document, tables: Iterable[Table], blocks: Sequence[Block]
) -> list[Found]:
    """The rows of tables with one column of values that have the column's title for a label.

    A table with several columns, or a column of a period, says more than one thing under a label:
    its rows are left to the question.
    """
    title = content_words(column.title)
    by_index = {block.index: block for block in blocks}
    return [
        _found(row, document, by_index)
        for table, row in _rows(tables)
        if title and content_words(row.label) == title and _says_one_thing(table, row)
    ]


def _rows(tables: Iterable[Table]) -> Iterator[tuple[Table, Row]]:
    return ((table, row) for table in tables for row in table.rows)


def _says_one_thing(table: Table, row: Row) -> bool:
    dated = any(each.period != NO_PERIOD for each in table.columns)
    return len(table.columns) == 1 and not dated and bool(row.cells[0].strip())


def _found(row: Row, document: Document, by_index: Mapping[int, Block]) -> Found:
    own = tuple(by_index[index] for index in row.blocks if index in by_index)
    text = f"{row.label.rstrip(' :')}: {row.cells[0]}"
    quote = "\n".join(each.text for each in own)
    page = own[0].page if own else 1
    cited = (Citation("S0", document.id, document.name, page, quote, own, "verified"),)
    return Found("", text, cited)
