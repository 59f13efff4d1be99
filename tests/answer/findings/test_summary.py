"""A whole document in its own words, where nothing in it is asked for."""

import pytest

from docqa.answer.findings.summary import summarized
from tests.answer.findings.judged import source_of
from tests.answer.passages import asked, block, document, hit, row

OPENING = "This Agreement is made between Ash Ltd and Elm Ltd on the first of May."
CLAUSES = {
    "1. Services": "The Consultant advises the Company on all its building works. It may not hire.",
    "2. Fees": "The Company pays the Consultant a fee of $200,000 in each year.",
    "3. Term": "Short.",
    "4. Law": "The laws of the State of New York govern this Agreement and its performance.",
}
AGREEMENT = hit(
    block("CONSULTING AGREEMENT", 1, "heading"),
    block(OPENING, 1),
    *(
        each
        for head, text in CLAUSES.items()
        for each in (block(head, 2, "heading"), block(text, 2))
    ),
    of=document("Agreement.pdf"),
)


def told(question: str) -> str:
    source = source_of(AGREEMENT)
    points = summarized(asked(question), source)
    assert bool(points) == bool(source.gathered.evidence)
    return points


@pytest.mark.parametrize("question", ["Summarize this agreement", "Summary", "An overview, please"])
def test_the_opening_and_the_first_sentence_of_each_section_are_told(question: str) -> None:
    lines = told(question).splitlines()
    assert [line.partition(" [S1")[0] for line in lines] == [
        "Agreement:",
        f"- “{OPENING}”",
        "- 1. Services: “The Consultant advises the Company on all its building works.”",
        f"- 2. Fees: “{CLAUSES['2. Fees']}”",
        f"- 4. Law: “{CLAUSES['4. Law']}”",
    ]


def test_what_it_is_about_is_its_summary() -> None:
    assert told("What is this document about?").startswith("Agreement:")


@pytest.mark.parametrize("question", ["Summarize the fees", "What does the agreement cost?"])
def test_where_something_in_it_is_asked_for_it_is_not_summarized(question: str) -> None:
    assert told(question) == ""


def test_a_document_of_tables_alone_has_no_summary_of_its_sentences() -> None:
    sheet = hit(row("Tenant", "Rent", header=True), row("Ash Ltd", "1,200"))
    source = source_of(sheet)
    assert summarized(asked("Summarize this document"), source) == ""
    assert source.gathered.evidence == ()
