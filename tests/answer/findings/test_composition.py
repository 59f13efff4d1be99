"""What a figure is made of: the rows under its heading, or above its total."""

import pytest

from docqa.answer.findings.composition import made_of
from tests.answer.findings.judged import source_of
from tests.answer.passages import asked, block, hit, row, with_tables

ACCOUNTS = hit(
    block("Income and expenses", 4, "caption"),
    row("", "2023", "2024", page=4, header=True),
    row("Gross income", "1,868,000", "1,950,000", page=4),
    row("Vacancy and credit loss", "(88,000)", "(78,000)", page=4),
    row("Effective gross income", "1,780,000", "1,872,000", page=4),
    row("Operating expenses:", page=4),
    row("Property tax", "218,000", "224,000", page=4),
    row("Insurance", "51,000", "57,000", page=4),
    row("Total operating expenses", "269,000", "281,000", page=4),
    row("Net operating income", "1,511,000", "1,591,000", page=4),
)
EXPENSES = ["Property tax", "Insurance", "Total operating expenses"]


def told(question: str) -> list[str]:
    (passage,) = with_tables([ACCOUNTS])
    listing = made_of(asked(question), source_of(passage))
    return [line.removeprefix("- ").partition(" [")[0] for line in listing.splitlines()[1:]]


@pytest.mark.parametrize(
    "question",
    [
        "breakdown of operating expenses",
        "What are the components of operating expenses?",
        "What do total operating expenses consist of?",
        "What makes up the operating expenses in 2024?",
        "Give me a list of the line items under operating expenses",
    ],
)
def test_the_rows_under_a_heading_are_told_up_to_their_total(question: str) -> None:
    assert [line.partition(" — ")[0] for line in told(question)] == EXPENSES


def test_the_rows_that_a_line_adds_up_are_told_before_it() -> None:
    assert told("What is effective gross income made up of in 2024?") == [
        "Gross income — 2024: 1,950,000",
        "Vacancy and credit loss — 2024: (78,000)",
        "Effective gross income — 2024: 1,872,000",
    ]
    assert told("What does net operating income consist of?") == []  # of a total above it as well


@pytest.mark.parametrize(
    "question",
    [
        "What were operating expenses in 2024?",
        "breakdown of operating expenses in 2019",
        "breakdown of capital expenditures",
        "What are the components of the building?",
    ],
)
def test_nothing_is_told_that_is_not_asked_or_not_there(question: str) -> None:
    assert told(question) == []
