"""Columns that are named again within a frame begin another table."""

from docqa.ingest.geometry.repeated_headers import parted
from docqa.types.document import Block
from tests.compare.pages import numbered, table


def told(rows: list[Block]) -> list[tuple[int, bool]]:
    return [(row.table, row.column_header) for row in parted(numbered(rows))]


def test_columns_named_again_begin_another_table() -> None:
    rows = table(
        "GAAP results | | 2022 $ million | 2023 $ million",
        "Net sales | | 14,544 | 14,694",
        " | Twelve months | | Comparable",
        "Adjusted results | 2022 $ million | 2023 $ million | Reported",
        "Free cash flow | 1,066 | 848 | 2",
    )
    assert told(rows) == [(1, True), (1, False), (2, True), (2, True), (2, False)]


def test_years_that_are_figures_name_no_columns() -> None:
    rows = table("Item | A | B", "Year built | 1998 | 2011", "Area | 5 | 6")
    assert {number for number, _ in told(rows)} == {1}
    rows = table("Item | 2022 | 2023", "Matures | 2022 | 2023 | 4", "Area | 5 | 6")
    assert {number for number, _ in told(rows)} == {1}


def test_a_header_of_two_rows_is_one() -> None:
    rows = table("Year | 2022 | 2023", "Rent | 1 | 2")
    head = numbered([*table(" | Years ended", start=0), *rows])
    assert told(head) == [(1, True), (1, True), (1, False)]
