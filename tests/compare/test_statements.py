"""The lines of primary statements, side by side."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from docqa.compare.statements import compare_statements, lines, lines_asked
from docqa.compare.tables import Side
from docqa.ingest.tables.make import tables_of
from docqa.types.comparison import FigureComparison
from docqa.types.document import Block
from tests.compare.pages import block, document, numbered, table


def income(years: str, *rows: str, page: int = 3) -> list[Block]:
    return [
        block("Consolidated Statements of Income", page=page, kind="heading"),
        *table(f"(dollars in millions) Years ended {years}", *rows, page=page, number=1),
    ]


def balance(days: str, *rows: str, page: int = 4) -> list[Block]:
    return [
        block("Consolidated Balance Sheets", page=page, kind="heading"),
        *table(f"(dollars in millions) {days}", *rows, page=page, number=2),
    ]


ALDER = [
    *income(
        "December 31, | 2023 | 2022",
        "Net sales | $900 | $800",
        "Cost of products | (300) | (280)",
        "Cost of services | (100) | (90)",
        "Operating income | 120 | 110",
        "Income tax expense | (20) | (18)",
        "Net income | 80 | 70",
        "Diluted earnings per share | $1.20 | $1.05",
    ),
    *balance(
        "December 31, | 2023 | 2022",
        "Cash and cash equivalents | 50 | 40",
        "Total assets | 2,000 | 1,900",
        "Current portion of long-term debt | 30 | 20",
        "Long-term debt, less current portion | 600 | 610",
        "Operating lease liabilities | 75 | 70",
        "Total liabilities | 1,000 | 950",
        "Total shareholders' equity | 1,000 | 950",
    ),
]
BIRCH = [
    *income(
        "June 30, | 2023 | 2022",
        "Total revenues | $500 | $450",
        "Cost of revenue | 200 | 190",
        "Interest expense | 12 | 11",
        "Income tax expense | 9 | 8",
        "Net loss | (15) | (10)",
    ),
    *table(
        "(dollars in millions) Segment results, year ended June 30, | 2023 | 2022",
        "Operating income | 44 | 43",
        "Adjusted net income | 30 | 29",
        page=7,
        number=3,
    ),
    *balance(
        "June 30, | 2023 | 2022",
        "Cash and cash equivalents | 20 | 10",
        "Total assets | 700 | 650",
        "Total debt | 90 | 80",
        "Total liabilities | 300 | 290",
        "Total equity | 400 | 360",
    ),
]


def side(name: str, blocks: Sequence[Block]) -> Side:
    read = numbered(blocks)
    own = document(name)
    return Side(own, {each.index: each for each in read}, tables_of(own.id, read))


def compared(*sides: Sequence[Block], question: str = "") -> dict[str, FigureComparison]:
    made = [side(name, blocks) for name, blocks in zip("abc", sides, strict=False)]
    return {row.label: row for row in compare_statements(made, question)}


def test_the_same_line_under_two_names_is_compared_from_the_statements() -> None:
    row = compared(ALDER, BIRCH)["Revenue"]
    assert [(f.label, f.text, f.block.page) for f in row.values] == [
        ("Net sales", "$900", 3),
        ("Total revenues", "$500", 3),
    ]
    assert row.apart == Decimal(400_000_000)
    assert row.leading


def test_a_segments_figure_never_stands_in_for_the_companys() -> None:
    rows = compared(ALDER, BIRCH)
    row = rows["Operating income"]
    assert [figure.document for figure in row.values] == ["a.pdf"]
    assert row.note == "The income statement of b.pdf (p. 3) has no such line."
    assert [figure.text for figure in rows["Net income"].values] == ["80", "(15)"]


def test_what_is_printed_in_parts_is_added_up_and_said_to_be() -> None:
    row = compared(ALDER, BIRCH)["Total debt"]
    debt, other = row.values
    assert (debt.text, debt.value, len(debt.blocks)) == ("630", Decimal(630_000_000), 2)
    assert (other.text, other.addends) == ("90", ())
    assert "a.pdf: Current portion of long-term debt + Long-term debt" in row.note
    assert "lease" not in row.note
    assert compared(ALDER, BIRCH)["Cost of sales"].values[0].value == Decimal(-400_000_000)


def test_a_subsidiarys_balance_sheet_is_not_added_to_its_parents() -> None:
    subsidiary = table(
        "(dollars in millions) December 31, | 2023 | 2022",
        "Cash and cash equivalents | 30 | 20",
        "Total assets | 1,500 | 1,400",
        "Current portion of long-term debt | 30 | 20",
        "Long-term debt, less current portion | 500 | 510",
        "Total liabilities | 900 | 850",
        "Total shareholders' equity | 600 | 550",
        page=8,
        number=3,
    )
    second = [block("Consolidated Balance Sheets", page=8, kind="heading"), *subsidiary]
    row = compared([*ALDER, *second], BIRCH)["Total debt"]
    assert row.values[0].text == "630"


def test_years_that_end_in_different_months_are_told_in_the_row() -> None:
    row = compared(ALDER, BIRCH)["Total assets"]
    assert row.period == "December 31, 2023 / June 30, 2023"
    assert row.note == "The periods end 6 months apart."


def later(*, by: str) -> list[Block]:
    """ALDER a year later."""
    rows = ["Net sales | 950 | 900", "Income tax expense | 25 | 20", f"Net income | {by} | 80"]
    sheet = ["Cash and cash equivalents | 60 | 50", "Total assets | 2,200 | 2,000",
             "Total liabilities | 1,100 | 1,000"]  # fmt: skip
    return [
        *income("December 31, | 2024 | 2023", *rows),
        *balance("December 31, | 2024 | 2023", *sheet),
    ]


def test_two_issuers_are_compared_in_the_year_both_report() -> None:
    rows = compared(
        [*income("December 31, | 2023 | 2022", "Net sales | 7 | 6", "Income tax expense | 1 | 1",
                 "Net income | 3 | 2"),
         *balance("December 31, | 2023 | 2022", "Cash | 4 | 5", "Total assets | 9 | 8",
                  "Total liabilities | 2 | 1")],
        later(by="90"),
    )  # fmt: skip
    assert rows["Revenue"].period == "year ended December 31, 2023"
    assert [figure.text for figure in rows["Revenue"].values] == ["7", "900"]


def test_two_years_of_one_issuer_are_each_compared_in_their_own() -> None:
    rows = compared(ALDER, later(by="90"))
    assert [figure.text for figure in rows["Revenue"].values] == ["$900", "950"]
    assert "12 months apart" in rows["Revenue"].note


def test_the_period_asked_for_is_the_one_compared() -> None:
    rows = compared(ALDER, BIRCH, question="Compare revenue for 2022")
    assert [figure.text for figure in rows["Revenue"].values] == ["$800", "$450"]
    assert list(rows) == ["Revenue"]


def test_a_release_with_an_income_statement_alone_is_compared_in_what_it_has() -> None:
    rows = compared(ALDER, BIRCH[:-6])
    assert [figure.text for figure in rows["Revenue"].values] == ["$900", "$500"]
    assert rows["Total assets"].note == "No balance sheet of b.pdf was found."


def test_documents_without_statements_have_no_such_rows() -> None:
    plain = table("Item | Value", "Net income | 40", "Revenue | 90")
    assert compared(ALDER, plain) == {}


def test_three_months_are_not_subtracted_from_a_year() -> None:
    quarter = [
        block("Condensed Consolidated Statements of Income", page=3, kind="heading"),
        *table("(dollars in millions) Three months ended March 31, | 2024 | 2023",
               "Net sales | 240 | 220", "Income tax expense | 5 | 4", "Net income | 20 | 19"),
        *balance("March 31, 2024 | December 31, 2023", "Cash | 8 | 7", "Total assets | 9 | 8",
                 "Total liabilities | 2 | 1"),
    ]  # fmt: skip
    row = compared(ALDER, quarter)["Revenue"]
    assert not row.difference
    assert "periods differ in length" in row.note


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Compare net sales", ["Revenue"]),
        ("capex and operating cash flow", ["Cash from operations", "Capital expenditure"]),
        ("Compare the governing law", []),
    ],
)
def test_lines_are_asked_for_by_any_of_their_names(question: str, names: list[str]) -> None:
    assert [line.name for line in lines_asked(question)] == names


def test_five_lines_lead() -> None:
    assert [line.name for line in lines() if line.leads] == [
        "Revenue",
        "Operating income",
        "Net income",
        "Total assets",
        "Cash from operations",
    ]


def test_figures_are_of_the_period_that_is_set() -> None:
    sides = [
        Side(each, {b.index: b for b in own}, tables_of(each.id, own))
        for each, own in ((document(name), numbered(ALDER)) for name in "ab")
    ]
    rows = {row.label: row for row in compare_statements(sides, "", period="2022")}
    assert [figure.text for figure in rows["Revenue"].values] == ["$800", "$800"]
    assert len(rows) > 5
