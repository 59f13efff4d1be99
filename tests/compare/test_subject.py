"""What a comparison is asked on: named or not, in one part or several, or what changed."""

import pytest

from docqa.compare.subject import named_in, parts_of, subject_of
from docqa.language.change import asks_what_changed
from tests.compare.pages import document

A, B = document("a"), document("b")


@pytest.mark.parametrize(
    "question",
    [
        "What changed?",
        "what has changed between the two versions",
        "Show me the changes",
        "What are the changes between the drafts?",
        "What was deleted?",
        "What’s new in the second draft?",
        "How do the two revisions differ?",
        "Which clauses are completely new in the signed lease?",
    ],
)
def test_words_of_change_name_no_subject(question: str) -> None:
    assert subject_of(question, [A, B]) == ""
    assert asks_what_changed(question) or "differ" in question


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What has changed in the break clause?", "Break clause"),
        ("How did the effective tax rate change?", "Effective tax rate"),
        ("Compare the change of control clauses", "Change of control clauses"),
        ("Is there a guarantee in either draft?", "Guarantee"),
        ("How do the bids compare on payment terms?", "Payment terms"),
        ("Was the auditor changed?", "Auditor"),
        ("Which principal risks were added or dropped?", "Principal risks"),
        ("Any changes in accounting policies?", "Accounting policies"),
        ("What changed about subprocessors?", "Subprocessors"),
        ("Was anything added on international transfers?", "International transfers"),
    ],
)
def test_what_is_named_beside_words_of_change(question: str, named: str) -> None:
    assert named_in(subject_of(question, [A, B])) == named


def test_what_the_documents_are_called_together_is_no_subject() -> None:
    bids = [document("bid_alder"), document("bid_birch")]
    assert subject_of("Compare the bids", bids) == ""
    assert named_in(subject_of("Compare the bids on insurance", bids)) == "Insurance"


def test_several_things_are_several_parts() -> None:
    named = named_in("Compare the standstill, the liability cap and the indemnities")
    assert parts_of(named) == ("Standstill", "Liability cap", "Indemnities")


def test_a_name_with_and_in_it_is_one_part() -> None:
    names = ["Repairs & maintenance", "7. Cash and cash equivalents", "Rent"]
    named = "Repairs and maintenance and the rent"
    assert parts_of(named, names) == ("Repairs and maintenance", "Rent")
    assert parts_of("Terms and conditions of the sale") == ("Terms and conditions of the sale",)
