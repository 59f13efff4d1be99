"""A document's contents by rules: headings as a tree, tables and statements among them."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.outline import outline
from docqa.types.document import Block, Box
from docqa.types.table import Column, Row, Table, TableRole

HERE = Box(0, 0, 1, 1)


def heading(text: str, index: int, level: int, page: int = 1, *, on: bool = False) -> Block:
    return Block(text, page, HERE, "heading", index, level, continues=on)


def table(number: int, block: int, caption: str, role: TableRole = "", page: int = 1) -> Table:
    rows = (Row("Cash", ("8",), block),)
    columns = (Column(("2023",)),)
    return Table("a", number, (page,), columns, rows, caption=caption, role=role)


def test_tables_stand_under_the_heading_before_them() -> None:
    blocks = [
        heading("Part II", 0, 1),
        heading("Item 8. Financial", 1, 2),
        heading("Statements", 2, 2, on=True),
        heading("Item 9. Controls", 9, 2, page=4),
    ]
    made = outline(blocks, [table(1, 5, "Balance sheets", "balance sheet", 3), table(2, 7, "")])
    assert [(each.title, each.level, each.page, each.role) for each in made] == [
        ("Part II", 1, 1, ""),
        ("Item 8. Financial Statements", 2, 1, ""),
        ("Balance sheets", 3, 3, "balance sheet"),
        ("Item 9. Controls", 2, 4, ""),
    ]


def test_a_statement_without_a_caption_is_named_for_what_it_is() -> None:
    made = outline([heading("Item 8", 0, 1)], [table(1, 3, "", "cash flow statement")])
    assert [each.title for each in made] == ["Item 8", "Cash flow statement"]


def test_what_only_looks_like_a_heading_is_left_out() -> None:
    odd = [
        "Houston, TX 77054",
        "measures for the guidance period.",
        "www.example.com I LinkedIn",
        "(1) Includes leases.",
        "Table of",
        "We are insured for certain costs. We are",
        "12",
    ]
    kept = [
        "Overview",
        "e-business Agreement",
        "Item 8. Statements",
        "(A) General Rule",
        "(1) Financial Statements",
    ]
    blocks = [heading(text, index, 2) for index, text in enumerate([*kept, *odd])]
    assert [each.title for each in outline(blocks)] == kept


def test_what_stands_on_page_after_page_is_no_part() -> None:
    running = [heading("HARBOUR WORKS", 10 * page, 1, page) for page in range(1, 7)]
    parts = [heading(f"Quay {page}", 10 * page + 1, 2, page) for page in range(1, 7)]
    made = outline(sorted([*running, *parts], key=lambda block: block.index))
    assert [each.title for each in made] == [f"Quay {page}" for page in range(1, 7)]


@given(st.lists(st.integers(0, 9), max_size=30))
def test_no_entry_is_more_than_one_level_below_the_one_before(levels: list[int]) -> None:
    made = outline([heading(f"Part {n} of it", n, level, n) for n, level in enumerate(levels)])
    assert len(made) == len(levels)
    depths = [0, *(each.level for each in made)]
    assert all(1 <= after <= before + 1 for before, after in pairwise(depths))
