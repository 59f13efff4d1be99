"""Questions made of headings and figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.types.document import Block, Box, Cell
from docqa.ui import suggest

HERE = Box(0, 0, 1, 1)


def heading(text: str) -> Block:
    return Block(text, 1, HERE, kind="heading", level=1)


def row(*cells: str, header: bool = False) -> Block:
    drawn = tuple(Cell(text, column) for column, text in enumerate(cells))
    return Block(" | ".join(cells), 1, HERE, "table", table=1, cells=drawn, column_header=header)


BLOCKS = [
    heading("LEASE"),
    heading("Contents"),
    Block("1 2 3 " * 50, 1, HERE),
    heading("4.2  GOVERNING LAW"),
    Block("The law of New York governs. " * 10, 1, HERE),
    heading("Notices to the Tenant"),
    Block("By post, to the office. " * 60, 1, HERE),
    heading("R ec i t a l s"),
    Block("Whereas the parties agree to this. " * 60, 1, HERE),
    heading("Liquidi ty"),
    Block("Cash is held in the bank. " * 60, 1, HERE),
    heading("Costs"),
    Block("None.", 1, HERE),
    row("US dollars", "2024", "2023", header=True),
    row("Parking", "5", "4"),
    row("Base rent", "1,000", "900"),
    row("Net operating income", "$700", "$650"),
    row("Total revenue", "n/a", "n/a"),
]


def test_figures_and_headings_come_in_turn_and_name_the_document() -> None:
    assert suggest.questions(BLOCKS, name="Lease_A", title="Lease", limit=4) == [
        "What was the net operating income in 2024 in Lease_A?",
        "What does Lease_A say about “Notices to the Tenant”?",
        "What was the base rent in 2024 in Lease_A?",
        "What does Lease_A say about “Governing law”?",
    ]


def test_the_only_document_is_not_named() -> None:
    assert suggest.questions(BLOCKS, limit=2) == [
        "What was the net operating income in 2024?",
        "What is said about “Notices to the Tenant”?",
    ]


@pytest.mark.parametrize(
    "text",
    ["", "12", "Table of contents", "(a), as amended", "A" * 60, "[clock]", "IV. Notes", "Total"],
)
def test_what_says_too_little_is_not_asked_about(text: str) -> None:
    assert suggest.asked_about(text) == ""


@given(st.text())
def test_what_is_asked_about_stands_in_the_heading(text: str) -> None:
    asked = suggest.asked_about(text)
    assert asked.casefold() in " ".join(text.split()).casefold()
    assert len(asked) <= suggest.LONGEST


def test_lists_are_taken_in_turn() -> None:
    assert suggest.varied([["a", "b", "c"], [], ["1"]], limit=3) == ["a", "1", "b"]
