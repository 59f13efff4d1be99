"""Which questions ask for rows of a list."""

import pytest

from docqa.answer.findings.rows_asked import ASKS, asks_for_rows
from tests.answer.findings.judged import networks


@pytest.mark.parametrize(
    "question", ["which directors aren't independent", "who is behind on rent", "units offline"]
)
def test_a_question_for_things_asks_for_rows(question: str) -> None:
    assert asks_for_rows(question, networks().vector(question)) >= ASKS


@pytest.mark.parametrize(
    "question",
    ["What is the annual value of the Pomfret contract?", "When did Cressida Falk join?"],
)
def test_a_question_for_one_fact_asks_for_no_rows(question: str) -> None:
    assert asks_for_rows(question, networks().vector(question)) < ASKS
