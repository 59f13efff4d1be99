"""What may be quoted of a passage."""

from docqa.answer.evidence import add_evidence
from docqa.answer.findings.candidates import candidates
from tests.answer.passages import block, hit, row, with_tables

SAYS = "The property earned $1.2M in 2024, a 6.2% cap rate on the purchase price."


def test_a_sentence_that_leads_to_a_table_may_be_quoted() -> None:
    table = (row("", "2024", "2023", header=True), row("Total income", "$2.2M", "$2.0M"))
    (found,) = with_tables([hit(block(SAYS), *table)])
    assert [each.text for each in candidates(add_evidence((), [found]))][:1] == [SAYS]


def test_a_short_numbered_clause_may_be_quoted_and_a_title_may_not() -> None:
    clauses = hit(
        block("4.2 Assignment."),
        block("The Operator shall not assign this Agreement without consent."),
        block("4.3 Either party may sell the Hotel."),
        block("5. Law", kind="heading"),
        block("5.1 English law governs this Contract."),
        block("6. Indemnities", kind="heading"),
        block("6.1 Indemnification"),
    )
    assert [each.text for each in candidates(add_evidence((), [clauses]))] == [
        "The Operator shall not assign this Agreement without consent.",
        "4.3 Either party may sell the Hotel.",
        "5.1 English law governs this Contract.",
    ]


def test_a_line_in_brackets_is_quoted_with_the_lines_that_it_explains() -> None:
    cover = hit(
        block("(State of incorporation)"),
        block("2300 Oak Way, Austin, Texas"),
        block("78741"),
        block("(Address of principal executive offices)"),
        block("The registrant has filed all reports that it had to file in the year."),
    )
    texts = [each.text for each in candidates(add_evidence((), [cover]))]
    assert "2300 Oak Way, Austin, Texas 78741 (Address of principal executive offices)" in texts


def test_a_footnote_stands_under_the_label_that_has_its_mark() -> None:
    table = (
        row("", "2024", "2023", header=True),
        row("Service delivery costs (1)", "$2.2M", "$2.0M"),
        row("Customer costs²", "$0.4M", "$0.3M"),
    )
    notes = (block("(1) Include the cost of equipment."), block("2 Include bad debts."))
    (found,) = with_tables([hit(*table, *notes, block("3 Mill Lane is let."))])
    over = {each.text: each.over[-1:] for each in candidates(add_evidence((), [found]))}
    assert over["(1) Include the cost of equipment."] == ("Service delivery costs",)
    assert over["2 Include bad debts."] == ("Customer costs",)
    assert over["3 Mill Lane is let."] == found.chunk.headings[-1:]
