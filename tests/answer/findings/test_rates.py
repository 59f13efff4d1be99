"""A rate of a printed amount, told in money."""

import pytest

from tests.answer.findings.test_worked import first_line, with_statements
from tests.answer.passages import block, hit, row

TERMS = hit(
    block("Loan terms", 1, "heading"),
    row("Term", "Provision", header=True),
    row("Loan Amount", "$38,500,000"),
    row("Origination Fee", "0.85% of the Loan Amount"),
    row("Exit Fee", "1% of the Outstanding Balance"),
    block(
        "The Outstanding Balance is $38,500,000 at closing. The Outstanding Balance is $0 after."
    ),
)


@pytest.mark.parametrize(
    "question", ["Origination fee in dollars?", "What is the dollar amount of the origination fee?"]
)
def test_a_rate_is_told_in_money_where_what_it_is_of_is_printed(question: str) -> None:
    given = with_statements(question, TERMS)
    assert first_line(given).startswith("Origination Fee: 0.85% × $38,500,000 = $327,250 [")


@pytest.mark.parametrize(
    "question",
    ["What is the origination fee?", "Exit fee in dollars?"],  # two balances are printed
)
def test_no_money_is_worked_out_unasked_or_of_what_is_not_one_amount(question: str) -> None:
    assert "×" not in with_statements(question, TERMS).text
