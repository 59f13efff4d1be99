"""The definition of a term that the first finding leans on."""

import pytest

from docqa.answer.evidence import add_evidence
from docqa.answer.findings.defined import with_definition
from docqa.answer.findings.quotes import quotes_of
from tests.answer.findings.judged import source_of
from tests.answer.passages import asked, block, hit, row

RATE = "“Default Interest Rate” means 4% above the base rate of the bank."
DAY = "Rent Commencement Date: 24 March 2024"
NAME = "“Permitted User” means a person of good repute."
CLAUSE = hit(
    block("Any sum not paid bears interest at the Default Interest Rate until it is paid.", 4),
    block("The Rent is due from the Rent Commencement Date by any Permitted User.", 4),
)
OTHERS = (block("1. Definitions", 1, "heading"), block(RATE, 1), block(DAY, 1), block(NAME, 1))


def told(question: str, at: int) -> list[str]:
    evidence = add_evidence((), [CLAUSE])
    chosen = quotes_of(evidence[0])[at : at + 1]
    source = source_of(CLAUSE, *OTHERS, evidence=evidence)
    quotes = with_definition(chosen, asked(question), source)
    assert all(quote.piece in source.gathered.evidence for quote in quotes)
    return [quote.text for quote in quotes[1:]]


@pytest.mark.parametrize(
    ("question", "at", "definition"),
    [
        ("What interest is due on late payment?", 0, RATE),
        ("When does the tenant start paying rent?", 1, DAY),
    ],
)
def test_what_is_asked_for_stands_in_the_definition(
    question: str, at: int, definition: str
) -> None:
    assert told(question, at) == [definition]


def test_a_term_that_is_not_asked_for_or_has_no_figure_is_left_alone() -> None:
    assert told("Who may be charged?", 0) == []
    assert told("Who is a permitted user?", 1) == []


def test_a_row_says_what_it_says() -> None:
    table = hit(row("", "2023", header=True), row("Default Interest Rate", "4%"))
    evidence = add_evidence((), [table])
    quotes = quotes_of(evidence[0])
    source = source_of(table, *OTHERS, evidence=evidence)
    assert with_definition(quotes, asked("What interest?"), source) == quotes
    assert source.gathered.evidence == evidence
