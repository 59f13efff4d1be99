"""Table rows as they are quoted."""

from docqa.answer.findings.rows import Row, quoted
from docqa.ingest.tables.build import tables_of
from docqa.types.document import Block
from tests.answer.passages import block, hit, row, with_tables

HEADERS = (
    row("", "Three Months Ended", "", "Nine Months Ended", header=True),
    row("", "July 1, 2023", "June 25, 2022", "July 1, 2023", header=True),
)


def read(*rows: Block) -> list[Row]:
    (passage,) = with_tables([hit(*rows)])
    tables = tables_of(passage.document.id, passage.chunk.blocks)
    return [quoted(table, each) for table in tables for each in table.rows if not each.is_group]


def test_a_cell_is_called_by_its_column_and_period() -> None:
    sales, _ = read(
        *HEADERS, row("Net sales", "81,797", "82,959", "293,787"), row("Cost", "1", "2", "3")
    )
    assert [(entry.header, entry.text) for entry in sales.entries] == [
        ("Three Months Ended July 1, 2023", "81,797"),
        ("June 25, 2022", "82,959"),
        ("Nine Months Ended July 1, 2023", "293,787"),
    ]


def test_the_one_day_of_a_roll_is_no_part_of_its_columns_names() -> None:
    roll, _ = read(
        block("Rent roll as of October 1, 2025", 1, "caption"),
        row("Suite", "Tenant", "Expiry", "Rent", header=True),
        row("A-100", "Ash Inc.", "06/30/2028", "$213,500"),
        row("A-110", "Elm LLP", "04/30/2028", "$312,800"),
    )
    assert [entry.header for entry in roll.entries] == ["Tenant", "Expiry", "Rent"]


def test_a_row_called_as_another_is_told_by_what_sets_it_apart() -> None:
    heads = row("Type", "Tenure", "No.", "Price", header=True)
    kinds = (("Studio", "Private"), ("Two-bed", "Private"), ("Two-bed", "Rent"))
    studio, private, rented = read(
        heads, *(row(*kind, str(n), f"£{n}00") for n, kind in enumerate(kinds, 1))
    )
    assert [each.label for each in (studio, private, rented)] == [
        "Studio", "Two-bed, Private", "Two-bed, Rent",
    ]  # fmt: skip
    assert [entry.text for entry in private.entries] == ["2", "£200"]


def test_what_stands_over_the_labels_is_kept() -> None:
    made, _ = read(
        row("Adjusted results", "2023", header=True), row("EBITDA", "2,018"), row("Debt", "9")
    )
    assert made.corner == "Adjusted results"


def test_figures_are_scaled_as_the_table_says_and_shares_of_a_whole_are_not() -> None:
    sales, _, growth = read(
        row("(In millions)", "Year ended June 30, 2023", "Year ended June 30, 2022", header=True),
        row("Net sales", "$81,797", "$82,959"),
        row("Cost of sales", "61,797", "62,959"),
        row("Growth", "4%", "5%"),
    )
    assert {entry.scale for entry in sales.entries} == {1_000_000}
    assert {entry.scale for entry in growth.entries} == {1}


def test_an_amount_per_share_is_labelled_with_the_line_that_says_so() -> None:
    labels = [
        each.label
        for each in read(
            row("(MILLIONS, EXCEPT PER COMMON SHARE DATA)", "2021", header=True),
            row("Net income", "$21,979"),
            row("Earnings per common share, diluted:"),
            row("Net income", "$3.85"),
            row("Discontinued operations", "(0.08)"),
            row("Weighted-average shares", "5,708"),
            row("Average shares:"),
            row("Basic", "4.1"),
        )
    ]
    assert labels == [
        "Net income",
        "Earnings per common share, diluted › Net income",
        "Earnings per common share, diluted › Discontinued operations",
        "Weighted-average shares",
        "Basic",
    ]
