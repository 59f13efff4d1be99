"""Abbreviations of a question, spelt out by what the tables found are called."""

import pytest

from docqa.answer.findings.extractive import answer_from
from docqa.answer.findings.initials import spelt_by_tables
from docqa.settings import DEFAULTS
from tests.answer.findings.judged import means
from tests.answer.passages import block, found, hit, row

LOANS = hit(
    block("Nonperforming loans", 4, "caption"),
    row("($ million)", "September 30, 2025", "June 30, 2025", page=4, header=True),
    row("Commercial and industrial", "14.9", "13.2", page=4),
    row("Owner-occupied real estate", "3.1", "2.7", page=4),
)
STAFF = hit(
    block("Employees earning over $120,000", 3, "caption"),
    row("Name", "Base salary", "Change-of-control payment", page=3, header=True),
    row("Shauna Bilodeau", "$163,000", "$40,750", page=3),
    row("Lyle Fensterwald", "$198,000", "$49,500", page=3),
    index=1,
)


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("C&I nonperformers at 6/30/25", "Commercial and industrial nonperformers at 6/30/25"),
        ("Bilodeau CoC payout", "Bilodeau Change-of-control payout"),
        ("What is the BS of Bilodeau?", "What is the Base salary of Bilodeau?"),
        ("OR of Bilodeau?", "OR of Bilodeau?"),  # part of a longer name, of two letters
        ("What is the SB of the salary?", "What is the SB of the salary?"),  # a person's own
        ("What is the EBITDA?", "What is the EBITDA?"),  # the vocabulary has it
        ("What is the XYZ?", "What is the XYZ?"),
    ],
)
def test_initials_are_spelt_out_as_the_one_name_that_begins_with_them(
    question: str, whole: str
) -> None:
    result, _ = spelt_by_tables(found(question, [LOANS, STAFF]))
    assert result.plan.question.whole == whole


def test_initials_that_a_passage_has_or_that_may_be_several_names_are_left_alone() -> None:
    said = hit(block("C&I loans grew in every region of the bank.", 2), index=2)
    cards = hit(
        row("", "2025", "2024", header=True), row("Card and interchange", "9.1", "8.8"), index=3
    )
    for beside in (said, cards):
        result, spelt = spelt_by_tables(found("C&I nonperformers?", [LOANS, beside]))
        assert (result.plan.question.whole, spelt) == ("C&I nonperformers?", ())


def test_an_answer_says_what_an_abbreviation_was_taken_for() -> None:
    result = found("C&I nonperforming at June 30, 2025?", [LOANS, STAFF])
    given = answer_from(result, settings=DEFAULTS, means=means())
    assert "13.2" in given.text.splitlines()[0]
    assert any("“Commercial and industrial” was looked for" in each for each in given.warnings)
