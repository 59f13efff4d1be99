"""Which documents a question compares: by name, party, period, kind; asked where it is in doubt."""

import pytest

from docqa.question.mentions import match_documents
from docqa.question.sides import choose
from docqa.types.document import Document
from docqa.types.question import Choice
from tests.retrieve.passages import documents

OFFICE = documents(
    "Lease_Bishopsgate_Tower.pdf",
    "Lease_Harbour_Yard.pdf",
    "Property_A_Offering_Memo.pdf",
    "Property_B_Final_OM.pdf",
    "Property_C_Presentation.pdf",
)
FILINGS = documents("2022 Q3 ACME.pdf", "2023 Q1 ACME.pdf", "2023 Q2 ACME.pdf", "2023 Q3 ACME.pdf")
OPENINGS = {
    "Lease_Bishopsgate_Tower.pdf": "LEASE between (1) Calder Estates Limited (2) Orrin & Vale LLP",
    "Lease_Harbour_Yard.pdf": "LEASE between (1) Saltmarsh Holdings (2) Penhallow Robotics Limited",
    "2022 Q3 ACME.pdf": "Form 10-Q of Acme Inc. for the quarterly period ended June 25, 2022",
    "2023 Q1 ACME.pdf": "Form 10-Q of Acme Inc. for the quarterly period ended December 31, 2022",
    "2023 Q2 ACME.pdf": "Form 10-Q of Acme Inc. for the quarterly period ended April 1, 2023",
    "2023 Q3 ACME.pdf": "Form 10-Q of Acme Inc. for the quarterly period ended July 1, 2023",
}


def chosen(question: str, among: list[Document]) -> Choice:
    return choose(
        question,
        among,
        mentions=match_documents(question, among),
        opening=lambda d: OPENINGS.get(d.name, ""),
        limit=3,
    )


def names(choice: Choice) -> list[str]:
    return [document.name for document in choice.documents]


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("Compare the NOI, cap rate and purchase price of Property A and Property B.", (2, 3)),
        ("Property B vs Property A", (3, 2)),
        ("difference between Property A and B", (2, 3)),
        ("How does Property A differ from Property B and Property C?", (2, 3, 4)),
        ("What changed between the Bishopsgate lease and the Harbour Yard lease?", (0, 1)),
        ("How do the deposits of the Bishopsgate Tower and Harbour Yard leases differ?", (0, 1)),
        ("which lease has the longer notice period, Bishopsgate or Harbour Yard?", (0, 1)),
        ("Compare the Penhallow lease with the Orrin & Vale lease", (1, 0)),
        ("Compare Calder Estates and Saltmarsh", (0, 1)),
        ("compare the two leases", (0, 1)),
        ("Compare both leases on the break clause", (0, 1)),
        ("Compare rent and term in the leases", (0, 1)),
        ("Compare the cap rates of the properties", (2, 3, 4)),
        ("What are the differences in cap rate between Property A and B?", (2, 3)),
        ("compare Prop A and Prop B", (2, 3)),
        ("Compare NOI of properties A through C", (2, 3, 4)),
        ("compare A and C", (2, 4)),
        ("Contrast the leases", (0, 1)),
        ("compare property", (2, 3, 4)),
        ("Is the rent in Harbour Yard higher than in Bishopsgate Tower?", (1, 0)),
        ("What distinguishes Property A from Property C?", (2, 4)),
        ("Bishopsgate Tower compared with Harbour Yard on deposits", (0, 1)),
    ],
)
def test_documents_are_known_by_name_party_or_kind(question: str, places: tuple[int, ...]) -> None:
    choice = chosen(question, OFFICE)
    assert names(choice) == [OFFICE[place].name for place in places]
    assert choice.reason == ""


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("Compare the 2022 Q3 filing with the 2023 Q3 filing", (0, 3)),
        ("Compare Acme's net sales in Q3 2022 and Q3 2023", (0, 3)),
        ("Compare the third quarter of 2022 with the first quarter of 2023", (0, 1)),
        ("Compare the June 2022 quarter with the July 2023 quarter", (0, 3)),
        ("Compare net sales between the Q1 and Q2 filings of 2023", (1, 2)),
        ("compare Q1, Q2 and Q3 of 2023", (1, 2, 3)),
        ("compare 2023 Q1, Q2 and Q3", (1, 2, 3)),
        ("Compare Q3 2022 to Q3 2023", (0, 3)),
        ("the 2022 Q3 filing vs the 2023 Q3 filing", (0, 3)),
        ("Compare net income between 3Q22 and 3Q23", (0, 3)),
        ("Compare the 2022 filing with the Q2 2023 filing", (0, 2)),
        ("compare Acme in June 2022 and July 2023", (0, 3)),
        ("How did net sales change from Q1 2023 to Q2 2023?", (1, 2)),
        ("compare the 2023 filings", (1, 2, 3)),
        ("compare the Q3 filings", (3, 0)),
    ],
)
def test_documents_are_known_by_their_period(question: str, places: tuple[int, ...]) -> None:
    assert names(chosen(question, FILINGS)) == [FILINGS[place].name for place in places]


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between NOI and EBITDA?",
        "Compare the NOI in 2023 and 2024 of Property A",
        "What is the notice period of the Bishopsgate lease?",
        "Which lease is longer?",
        "Compare revenue and costs",
        "By how much did revenue change from 2020 to 2021?",
        "How did the net income of Fenwick's change from 2021 to FY2022?",
        "",
    ],
)
def test_a_question_that_compares_no_documents_chooses_none(question: str) -> None:
    assert chosen(question, OFFICE) == Choice()


LEASES = documents("Lease_signed.pdf", "Lease_draft.docx")
REPORTS = documents("Report_2023.pdf", "Report_2024.pdf")
BIDS = documents("bid_alder.pdf", "bid_birch.docx", "bid_cedar.pdf")


@pytest.mark.parametrize(
    ("question", "among", "places"),
    [
        ("What changed in the break clause?", LEASES, (1, 0)),  # the draft first
        ("Which clauses are new?", LEASES, (1, 0)),
        ("What changed in the limitation of liability?", LEASES, (1, 0)),
        ("Compare the rent table, draft against signed", LEASES, (1, 0)),
        ("What are the differences in termination rights?", LEASES, (1, 0)),
        ("How do the bids compare on payment terms?", BIDS, (0, 1, 2)),
        ("Term and extension options, side by side", BIDS, (0, 1, 2)),
        ("What changed in the break clause?", BIDS, ()),
        ("Compare revenue and costs", BIDS, ()),
        ("How much did the rent change in 2023?", LEASES, ()),
        ("What is the notice period?", LEASES, ()),
        ("Can the Tenant change the use of the premises?", LEASES, ()),
        ("When was the lease amended?", LEASES, ()),
        ("Is a different use of the premises allowed?", LEASES, ()),
        ("Can a different use be added?", LEASES, ()),
        ("How did revenue do compared with last year?", REPORTS, ()),
        ("Has revenue changed?", REPORTS, ()),
        ("Was the auditor changed?", REPORTS, (0, 1)),
        ("Compare the reports", REPORTS, (1, 0)),  # the latest first, as statements print it
    ],
)
def test_of_few_documents_those_not_named_are_all_meant(
    question: str, among: list[Document], places: tuple[int, ...]
) -> None:
    assert names(chosen(question, among)) == [among[place].name for place in places]


def test_two_sides_are_of_the_kind_that_is_said_of_both() -> None:
    among = documents("Kestrel_Valuation.pdf", "Lease_Kestrel_2019.pdf", "Lease_Lanyon_2021.docx")
    choice = chosen("Compare alterations in the Kestrel and Lanyon leases", among)
    assert names(choice) == ["Lease_Kestrel_2019.pdf", "Lease_Lanyon_2021.docx"]


def test_more_than_three_are_said_and_offered_for_choice() -> None:
    choice = chosen("Compare net sales in all four quarters", FILINGS)
    assert choice.reason == "The question may mean 4 documents; at most 3 are compared at once."
    assert list(choice.candidates) == FILINGS
    assert names(choice) == [each.name for each in FILINGS[:3]]


def test_a_name_that_may_mean_several_is_asked_about() -> None:
    choice = chosen("Compare Property with Lease", OFFICE)
    assert "could be any of" in choice.reason
    assert not choice.documents
    assert [each.name for each in choice.candidates] == [each.name for each in OFFICE[2:]]


def test_a_party_of_several_documents_is_asked_about() -> None:
    among = documents("ACME_1999_Hosting.pdf", "ACME_1999_Escrow.pdf", "BOLIVAR_2003.pdf", "C.pdf")
    choice = chosen("How does Acme differ from Bolivar?", among)
    assert choice.reason.startswith("“Acme” could be any of ACME_1999_Hosting.pdf, ACME_1999_E")
    assert names(choice) == ["BOLIVAR_2003.pdf"]
    assert list(choice.candidates) == [among[2], *among[:2]]


def test_a_name_that_means_none_is_said() -> None:
    choice = chosen("Compare Property A and Property Z", OFFICE)
    assert choice.reason == "No document matches “Property Z”."
    assert list(choice.candidates) == OFFICE


def test_one_document_alone_is_never_compared() -> None:
    assert chosen("compare all documents", OFFICE[:1]) == Choice()
