"""The points of a section that a question asks for, all of them and in order."""

from dataclasses import replace

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.answer.findings.points import MOST
from docqa.types.document import Block
from tests.answer.findings.test_lists import ROLL, lines
from tests.answer.findings.test_worked import with_statements
from tests.answer.passages import block, hit

RISKS = hit(
    block("Risk Factors", 5, "heading"),
    block("• Concentration. One tenant pays 34% of base rent.", 5, "list"),
    block("• Flood zone. The garage lies in a flood plain.", 5, "list"),
    block("Offers are invited by April 11.", 5),
    block("8. Break Option", 6, "heading"),
    block("8.1 The Tenant may end this lease on 25 March 2030.", 6),
    block("8.2 The break is conditional on payment of the rent.", 6),
    block("Definitions", 7, "heading"),
    block("“Term” means ten years.", 7),
    headings=("Risk Factors",),
)


@pytest.mark.parametrize(
    ("question", "heading", "first"),
    [
        ("What are the risks of this property?", "Risk Factors", "“Concentration. One tenant pays"),
        ("biggest risks", "Risk Factors", "“Concentration."),
        ("Summarize the risk factors.", "Risk Factors", "“Concentration."),
        ("Summarize the risk section", "Risk Factors", "“Concentration."),
        ("What risks does the buyer face?", "Risk Factors", "“Concentration."),
        ("What does clause 8 say?", "8. Break Option", "“8.1 The Tenant may end"),
        ("Summarize the break option.", "8. Break Option", "“8.1 The Tenant may end"),
    ],
)
def test_a_section_that_is_asked_for_is_told_point_by_point(
    question: str, heading: str, first: str
) -> None:
    given = with_statements(question, RISKS)
    assert given.text.startswith(f"{heading}:\n- {first}")
    assert len(lines(given)) == len(given.citations) == 2


def test_a_clause_asked_for_by_its_number_is_told_whole_with_its_items() -> None:
    lease = hit(
        heading("8. Break Option", 1),
        block("8.1 The Tenant may end this lease on 25 March 2030.", 6),
        block("8.2 The break is conditional on:", 6),
        block("(a) payment of the rent; and", 6),
        block("(b) vacant possession.", 6),
        block("8.20 It is not waived.", 6),
    )
    given = with_statements("What does clause 8.2 say?", lease)
    assert given.text.startswith("8. Break Option:\n")
    assert [line.partition("” [")[0] for line in lines(given)] == [
        "- “8.2 The break is conditional on:",
        "- “(a) payment of the rent; and",
        "- “(b) vacant possession.",
    ]


def test_a_clause_of_one_number_that_is_no_list_is_told() -> None:
    lease = hit(
        heading("Terms", 1),
        block("8. The Tenant may end this lease", 6),
        replace(block("by a notice that has", 6), continues=True),
        block("a) its date; and", 6),
        block("b) a signature.", 6),
        block("9. The rent is $500.", 6),
    )
    assert [line.partition("” [")[0] for line in lines(with_statements("Clause 8?", lease))] == [
        "- “8. The Tenant may end this lease by a notice that has",
        "- “a) its date; and",
        "- “b) a signature.",
    ]


@pytest.mark.parametrize(
    "question", ["When may the tenant end the lease?", "What are the definitions?", "clause 80"]
)
def test_what_asks_for_no_list_gets_none(question: str) -> None:
    assert "Break Option:" not in with_statements(question, RISKS).text


def test_of_a_long_section_the_first_points_are_told_with_their_number() -> None:
    many = hit(
        block("Covenants", 2, "heading"),
        *(block(f"• Covenant {n} is kept.", 2, "list") for n in range(30)),
        headings=("Covenants",),
    )
    given = with_statements("List the covenants.", many)
    assert given.text.startswith(f"Covenants – the first {MOST} of 30:")
    assert len(lines(given)) == MOST
    assert verify_answer(given).problems == []


def test_the_points_of_a_section_with_sections_are_their_headings() -> None:
    risks = hit(
        heading("Item 1A. Risk Factors", 1),
        heading("Regulation could hurt us.", 2),
        block("Such as these:", 9),
        block("• Privacy.", 9, "list"),
        block("• Broadband.", 9, "list"),
        heading("Cyber attacks could hurt us.", 2),
        heading("Item 2. Properties", 1),
        block("• A tower.", 9, "list"),
        block("• A shed.", 9, "list"),
        headings=("Item 1A. Risk Factors",),
    )
    given = with_statements("What are the main risk factors?", risks)
    assert given.text.splitlines() == [
        "Item 1A. Risk Factors:",
        "- “Regulation could hurt us.” [S2.2]",
        "- “Cyber attacks could hurt us.” [S2.3]",
    ]


def heading(text: str, level: int) -> Block:
    return replace(block(text, 9, "heading"), level=level)


def test_of_a_long_clause_its_title_is_told_with_what_it_says() -> None:
    said = "Either party may end this agreement on thirty days' notice."
    more = "What was paid in advance is paid back within a month. " * 6
    clauses = hit(
        heading("5. Termination", 1),
        block(f"5.1 Ending early. {said} {more}", 6),
        block("(a)Nothing else ends it.", 6),
        block("Notices are in writing.", 6),
        replace(block("by post or by hand.", 6), continues=True),
        heading("6. Notices", 1),
        headings=("5. Termination",),
    )
    given = with_statements("Summarize the termination provisions.", clauses)
    told = [line.partition("” [")[0] for line in lines(given)]
    assert told == [f"- “5.1 Ending early. {said}", "- “(a)Nothing else ends it."]


def test_a_heading_with_one_of_two_words_asked_for_is_not_the_section() -> None:
    term = hit(
        heading("5. Term and Termination", 1),
        block("5.1 The term is two years.", 6),
        block("5.2 Either party may end it.", 6),
        block("Invoices are paid within thirty days of their receipt.", 7),
        headings=("5. Term and Termination",),
    )
    assert "5.1" not in with_statements("What are the payment terms?", term).text


def test_a_list_of_rows_goes_before_a_section() -> None:
    assert with_statements("List all tenants", ROLL, RISKS).text.startswith("Rent roll")


OWING = "We owe $3 billion to nine banks in New York and in London, all unsecured."
RISK_ASKED = "What are the main risk factors?"
FACTORS = hit(
    heading("Item 1A. Risk Factors", 1),
    heading("Operational Risks", 2),
    block("We depend heavily on a few airlines.", 5),
    block("Demand for our parts follows air traffic. It may fall again.", 5),
    block("A strike could stop our plants.", 5),
    block("Most of our people belong to unions. Talks begin in May.", 5),
    heading("Financial Risks", 2),
    block("Our debt is large, and it may grow.", 6),
    block(
        f"{OWING} Some matures soon.",
        6,
    ),
    headings=("Item 1A. Risk Factors",),
)


def test_points_are_the_sentences_that_say_what_the_paragraphs_after_them_are_on() -> None:
    assert [line.partition(" [")[0] for line in lines(with_statements(RISK_ASKED, FACTORS))] == [
        "- “Operational Risks”",
        "- “We depend heavily on a few airlines.”",
        "- “A strike could stop our plants.”",
        "- “Financial Risks”",
        "- “Our debt is large, and it may grow.”",
    ]


def test_a_heading_is_told_with_what_stands_first_under_it() -> None:
    blocks = [each for each in FACTORS.chunk.blocks if not each.text.startswith(("A ", "Our"))]
    given = with_statements(RISK_ASKED, hit(*blocks, headings=("Item 1A. Risk Factors",)))
    assert [line.partition(" [")[0] for line in lines(given)] == [
        "- Operational Risks: “We depend heavily on a few airlines.”",
        f"- Financial Risks: “{OWING}”",
    ]


def test_the_title_of_a_document_is_no_section_of_it() -> None:
    lease = hit(
        heading("LEASE", 1),
        heading("Agreed terms", 2),
        heading("Execution", 2),
        *(
            each
            for number in range(1, 8)
            for each in (
                heading(f"{number}. Clause", 3),
                block(f"{number}.1 The Tenant shall keep its promise number {number}.", 6),
            )
        ),
    )
    assert "keep its promise number 7" in with_statements("Summarize the lease", lease).text
