"""Questions that are put to every document in turn."""

import pytest

from docqa.question.each import asked_of_each
from tests.retrieve.passages import documents

LEASES = documents("Lease_A.pdf", "Lease_B.pdf", "Rent_Roll.xlsx")


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("Which contracts renew automatically?", "the contract renew automatically?"),
        ("Which of the leases allow a pet?", "the lease allow a pet?"),
        ("How do the companies hedge?", "How do the company hedge?"),
        ("Do any contracts cap liability?", "Do the contract cap liability?"),
        ("Summarize each lease", "Summarize the lease"),
        ("How many agreements are under New York law?", "the agreement are under New York law?"),
        ("What is the deposit across all leases?", "What is the deposit in the lease?"),
        ("Which company has the highest revenue?", "the company has the highest revenue?"),
    ],
)
def test_it_is_put_as_one_document_is_asked_it(question: str, one: str) -> None:
    assert asked_of_each(question, LEASES)[0] == one


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("What insurance does each bidder carry?", "What insurance does the bidder carry?"),
        ("Which of them offer service credits?", "the document offer service credits?"),
        ("How is the price indexed under each bid?", "How is the price indexed under the bid?"),
    ],
)
def test_bids_are_known_by_who_makes_them_and_all_by_them(question: str, one: str) -> None:
    bids = documents("bid_alder.pdf", "bid_birch.docx")
    assert asked_of_each(question, bids) == (one, tuple(bids))


def test_both_versions_are_both_of_two_documents() -> None:
    two = documents("Lease_signed.pdf", "Lease_draft.docx")
    question = "Is the Landlord bound to staff the reception in both versions?"
    one = "Is the Landlord bound to staff the reception in the version?"
    assert asked_of_each(question, two) == (one, tuple(two))
    assert asked_of_each(question, LEASES) == ("", ())


@pytest.mark.parametrize(
    "question",
    [
        "What is the rent?",
        "Which contract was signed in May?",  # looks for one
        "Compare the rents of all leases",
        "List all documents",
        "Which properties have a gym?",  # no file is called so: a table's rows
        "What are the company's policies on leave?",
    ],
)
def test_another_is_not(question: str) -> None:
    assert asked_of_each(question, LEASES) == ("", ())


def test_what_tells_a_kind_further_chooses_among_them() -> None:
    names = ("Consulting Agreement A.pdf", "Consulting Agreement B.pdf", "Hosting Agreement.pdf")
    asked = documents(*names)
    _, consulting = asked_of_each("Which consulting agreements end in May?", asked)
    _, hosting = asked_of_each("Which hosting agreements end in May?", asked)
    assert [each.name for each in consulting] == list(names[:2])
    assert [each.name for each in hosting] == list(names)  # one alone is not asked in turn


def test_leases_are_the_documents_called_so_and_contracts_are_all() -> None:
    _, leases = asked_of_each("Which leases allow a pet?", LEASES)
    _, contracts = asked_of_each("Which contracts allow a pet?", LEASES)
    assert [each.name for each in leases] == ["Lease_A.pdf", "Lease_B.pdf"]
    assert list(contracts) == LEASES
    assert asked_of_each("Which contracts allow a pet?", LEASES[:1]) == ("", ())
