"""A prior period's figure that a later report gives otherwise."""

import pytest

from docqa.compare.restated import restatements
from docqa.compare.tables import Side
from docqa.ingest.tables.make import tables_of
from docqa.types.document import Block
from tests.compare.pages import block, document, numbered, table
from tests.compare.test_statements import ALDER, balance, income


def side(name: str, blocks: list[Block]) -> Side:
    own = numbered(blocks)
    return Side(document(name), {b.index: b for b in own}, tables_of(document(name).id, own))


def later(income_2023: str = "80", *, head: str = "December 31, | 2024 | 2023") -> list[Block]:
    return [
        *income(
            head,
            "Net sales | $950 | $900",
            "Operating income | 130 | 120",
            "Income tax expense | (25) | (20)",
            f"Net income | 85 | {income_2023}",
        ),
        *balance(head, "Cash and cash equivalents | 60 | 50", "Total assets | 2,100 | 2,000",
                 "Total liabilities | 990 | 1,000"),
    ]  # fmt: skip


def test_a_figure_that_the_next_report_gives_otherwise_is_told() -> None:
    both = [side("a", ALDER), side("b", later("72"))]
    [said] = restatements(both)
    assert said == (
        "Net income for year ended December 31, 2023 is $80 million in a.pdf (p. 3) but "
        "$72 million in b.pdf (p. 3): it was restated or reclassified."
    )
    assert restatements(both, "Compare net income") == [said]
    assert restatements(both, "Compare total assets") == []


@pytest.mark.parametrize(
    "other",
    [
        later(),  # gives all as before
        later("80.4"),  # in another precision
        later("72", head="December 31, | 2026 | 2025"),  # of no period that both have
    ],
)
def test_the_same_figures_and_those_of_other_periods_are_not(other: list[Block]) -> None:
    assert restatements([side("a", ALDER), side("b", other)]) == []


def test_reports_of_two_issuers_restate_nothing() -> None:
    theirs = [
        *income("December 31, | 2024 | 2023", "Net sales | $50 | $40", "Net income | 5 | 4",
                "Income tax expense | (2) | (1)"),
        *balance("December 31, | 2024 | 2023", "Cash and cash equivalents | 6 | 5",
                 "Total assets | 20 | 19", "Total liabilities | 9 | 8"),
    ]  # fmt: skip
    assert restatements([side("a", ALDER), side("b", theirs)]) == []


def test_documents_without_statements_are_read_by_their_tables() -> None:
    rows = "Base rent | $100 | $90", "Recoveries | 20 | 18", "Gross income | 120 | 108"
    first = table("Year ended December 31, | 2023 | 2022", *rows, "Expenses | 50 | 45")
    again = table(
        "Year ended December 31, | 2024 | 2023", "Base rent | $110 | $100", "Recoveries | 22 | 20",
        "Gross income | 132 | 120", "Expenses | 55 | 58",
    )  # fmt: skip
    [said] = restatements([side("a", [block("Income"), *first]), side("b", again)])
    assert said.startswith("Expenses for year ended December 31, 2023 is")
