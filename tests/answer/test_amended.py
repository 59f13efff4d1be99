"""Documents that may change what a cited one says."""

import pytest

from docqa.answer.amended import amendments, notice
from docqa.types.document import Document

LEASE = Document("a", "Lease - Suite 4.docx", 1)
DEED = Document("b", "Deed of Variation.docx", 1)
ROLL = Document("c", "Rent roll.xlsx", 1)
OTHER = Document("d", "Lease - Suite 9.docx", 1)
LOAN = Document("e", "Loan.docx", 1)
OPENINGS = {
    "a": "This lease is dated 23 June 2023.",
    "b": "THIS DEED is supplemental to a lease dated 23 June 2023 and made on 11 May 2026.",
    "c": "Lease start: 23 June 2023",
    "d": "This lease is dated 1 May 2020.",
    "e": "The loan is made on 23 June 2023.",
}


def found(*cited: Document) -> list[tuple[str, str]]:
    every = [LEASE, DEED, ROLL, OTHER, LOAN]
    pairs = amendments(cited, every, lambda document: OPENINGS[document.id])
    return [(one.id, other.id) for one, other in pairs]


def test_what_names_the_day_of_a_lease_may_change_it() -> None:
    assert found(LEASE) == [("a", "b")]


@pytest.mark.parametrize("cited", [(LEASE, DEED), (DEED,), (ROLL,), (OTHER,), (LOAN,), ()])
def test_what_is_cited_too_binds_nobody_or_is_of_another_day_is_not_told(
    cited: tuple[Document, ...],
) -> None:
    assert found(*cited) == []


def test_the_notice_names_both() -> None:
    assert notice(LEASE, DEED) == (
        "“Deed of Variation.docx” may change what “Lease - Suite 4.docx” says; look there too."
    )
