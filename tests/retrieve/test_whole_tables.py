"""A hit on a row brings its table: whole, once, with what is printed over it."""

from docqa.retrieve.whole_tables import WHOLE_CHARS, with_whole_tables
from docqa.types.document import Block, Box, Chunk, Document
from docqa.types.search import Hit
from docqa.types.table import Column, Row, Table, TableRole

DOCUMENT = Document("a", "Report.pdf", 9)
HERE = Box(0, 0, 1, 1)


def printed(rows: int, *, long: int = 1) -> list[Block]:
    """A page with a title (0), an introduction (1), a header (2) and rows, then a paragraph."""
    lines = [
        Block("Balance sheets", 1, HERE, "heading", 0),
        Block("In millions", 1, HERE, "text", 1),
        Block("2023 | 2022", 1, HERE, "table", 2, table=1, column_header=True),
        *(Block("x" * long + f" {n} | {n}", 1, HERE, "table", 3 + n, table=1) for n in range(rows)),
    ]
    return [*lines, Block("Notes follow.", 1, HERE, "text", len(lines))]


def table_of(page: list[Block], role: TableRole = "") -> Table:
    rows = [block for block in page if block.table and not block.column_header]
    made = [
        Row(block.text, ("1", "2"), block.index, (page[3].text,) if block.index > 3 else ())
        for block in rows
    ]
    columns = (Column(("2023",)), Column(("2022",)))
    return Table("a", 1, (1,), columns, tuple(made), role=role, heads=(2,), lead=(1,))


def hit(page: list[Block], table: Table, *indexes: int) -> Hit:
    blocks = tuple(page[index] for index in indexes)
    return Hit(Chunk(f"a:{indexes[0]}", "a", 0, blocks), DOCUMENT, {}, (table,))


def whole(hits: list[Hit], page: list[Block]) -> list[list[int]]:
    """The indexes of the blocks of each passage."""
    found = with_whole_tables(hits, blocks=lambda document_id, number: page if number == 1 else [])
    return [[block.index for block in each.chunk.blocks] for each in found]


def test_pieces_of_a_table_are_one_passage_in_page_order() -> None:
    page = printed(6)
    table = table_of(page)
    hits = [hit(page, table, 7, 8), hit(page, table, 3, 4), hit(page, table, 9)]
    passages = whole(hits, page)
    assert passages == [[1, 2, 3, 4, 5, 6, 7, 8], [9]]


def test_what_introduces_a_table_brings_it() -> None:
    page = printed(3)
    assert whole([hit(page, table_of(page), 0, 1)], page) == [[0, 1, 2, 3, 4, 5]]


def test_of_a_long_table_come_the_rows_found_with_group_neighbours_and_header() -> None:
    page = printed(40, long=WHOLE_CHARS // 40)
    table = table_of(page)
    found = whole([hit(page, table, 20), hit(page, table, 30)], page)
    assert found == [[1, 2, 3, 18, 19, 20, 21, 22, 28, 29, 30, 31, 32]]


def test_a_statement_is_whole_however_far_behind_it_was_found() -> None:
    page = printed(12)
    others = [
        Hit(Chunk(f"a:o{n}", "a", n, (Block(f"Other {n}", 2, HERE, index=90 + n),)), DOCUMENT)
        for n in range(6)
    ]
    plain, statement = table_of(page), table_of(page, "balance sheet")
    assert whole([*others, hit(page, statement, 9)], page)[-1] == [1, 2, *range(3, 15)]
    assert whole([*others, hit(page, plain, 9)], page)[-1] == [1, 2, 3, 7, 8, 9, 10, 11]


def test_what_has_no_table_stays_as_it_was_found() -> None:
    page = printed(2)
    alone = Hit(Chunk("a:5", "a", 5, (page[-1],)), DOCUMENT)
    assert with_whole_tables([alone], blocks=lambda document_id, number: page) == [alone]
