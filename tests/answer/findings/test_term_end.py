"""Last days of terms, worked out of their length and first day."""

from dataclasses import replace

import pytest

from docqa.answer.check.verify import verify_answer
from tests.answer.findings.test_worked import with_statements
from tests.answer.passages import hit, row

TERM_ROW = hit(row("Tenant", "Orrin LLP"), row("Term", "10 years from and including 25 March 2025"))
NAMED = hit(
    "“Commencement Date” means March 1, 2024.",
    "The term of this lease is sixty (60) months commencing on the Commencement Date.",
)


def test_the_end_of_a_term_is_worked_out_of_its_length_and_first_day() -> None:
    given = with_statements("When does the lease expire?", TERM_ROW)
    first, _, of = given.text.splitlines()
    assert first.startswith(
        "End of the term: 24 March 2035 (10 years from and including 25 March 2025) [S1"
    )
    assert of.startswith("- Term: 10 years from and including 25 March 2025 [S1")
    assert verify_answer(given).problems == []


def test_the_first_day_of_a_term_may_have_a_name() -> None:
    given = with_statements("When does the lease expire?", NAMED)
    first, _, of, begins = given.text.splitlines()
    assert first.startswith(
        "End of the term: February 28, 2029 (sixty (60) months beginning on March 1, 2024) [S1.2]"
    )
    assert "sixty (60) months commencing on the Commencement Date" in of
    assert "means March 1, 2024" in begins
    assert verify_answer(given).problems == []


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        (
            "When does the lease expire?",
            "It runs ten years from 1 May 2024, ending 1 May 2034.",
        ),
        ("When does the lease expire?", "It runs five years from 1 May 2024, whichever is later."),
        ("When may the tenant end the lease?", "The term is ten years from 1 May 2024."),
    ],
)
def test_no_end_is_worked_out_of_what_prints_it_or_leaves_it_open(
    question: str, clause: str
) -> None:
    assert "End of the" not in with_statements(question, hit(clause)).text


def test_a_last_day_that_does_not_follow_is_marked() -> None:
    given = with_statements("When does the lease expire?", TERM_ROW)
    wrong = replace(given, text=given.text.replace("24 March 2035", "25 March 2036"))
    [problem] = verify_answer(wrong).problems
    assert problem.startswith("25 March 2036")
