"""The line that situates a chunk: what it says, in which order, and how long it may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.chunks.contextualize import (
    DOCUMENT_CHARS,
    HEADING_CHARS,
    clean_name,
    context_line,
    describe,
)
from docqa.types.document import Block, Box

HERE = Box(0, 0, 1, 1)


def opening(*texts: str, page: int = 1) -> list[Block]:
    return [Block(text, page, HERE) for text in texts]


def test_a_filing() -> None:
    blocks = opening(
        "FORM 10-Q",
        "☒ QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d)",
        "For the quarterly period ended June 25, 2022",
        "Apple Inc.\n(Exact name of Registrant as specified in its charter)",
    )
    assert describe("2022 Q3 AAPL.pdf", "UNITED STATES SECURITIES AND EXCHANGE", blocks) == (
        "2022 Q3 AAPL · Form 10-Q quarterly report · Apple Inc. · "
        "quarterly period ended June 25, 2022"
    )


def test_a_contract() -> None:
    blocks = opening(
        "OFFICE LEASE AGREEMENT",
        "This Lease is made as of March 1, 2021 by and between Harbour Estates LLC, a Delaware "
        "company (the “Landlord”), and Blue Crane Trading, Inc. (the “Tenant”).",
    )
    assert describe("Lease_A.pdf", "", blocks) == (
        "Lease A · OFFICE LEASE AGREEMENT · Harbour Estates LLC · Blue Crane Trading, Inc. · "
        "March 1, 2021"
    )


def test_two_parties_joined_by_a_word() -> None:
    blocks = opening(
        "LEASE", "Dated as of 1st March 2021 between Crane Ltd and Estates LLC, the tenant."
    )
    assert describe("L.pdf", "", blocks).endswith("Crane Ltd · Estates LLC · 1st March 2021")


def test_a_title_is_taken_where_it_says_something_new() -> None:
    assert describe("scan001.pdf", "Annual Review of the Harbour District", []) == (
        "scan001 · Annual Review of the Harbour District"
    )
    assert describe("Annual_Review.pdf", "ANNUAL REVIEW", []) == "Annual Review"
    for title in ("Microsoft Word - a.docx", "1. Definitions", "RECITALS", "Exhibit A", "* * *"):
        assert describe("a.pdf", title, []) == "a"


def test_only_the_first_written_pages_are_looked_at() -> None:
    far = opening("Form 10-K", page=9)
    assert describe("a.pdf", "", opening("Welcome.") + far) == "a"
    assert "Form 10-K" in describe("a.pdf", "", far)  # the first pages are blank


@pytest.mark.parametrize(
    ("text", "party"),
    [
        ("between The Bank of Nova Scotia Trust and others", "The Bank of Nova Scotia Trust"),
        ("3M Company and subsidiaries", "3M Company"),
        ("Acme Holdings Limited, a company", "Acme Holdings Limited"),
        ("HealthGate Data Corp. hereby", "HealthGate Data Corp."),
    ],
)
def test_organisations(text: str, party: str) -> None:
    assert describe("x.pdf", "", opening(text)) == f"x · {party}"


@pytest.mark.parametrize(
    "text", ["303 Corporation", "see the company for more", "1. Company", "The Company is"]
)
def test_no_organisations(text: str) -> None:
    assert describe("x.pdf", "", opening(text)) == "x"


def test_line_with_the_inner_headings_first_to_stay() -> None:
    path = ["Part II", "Item 8. Financial Statements", "Note 12. Leases and other commitments made"]
    assert context_line("A 10-K", headings=path) == (
        "A 10-K · Note 12. Leases and other commitments made"
    )
    assert context_line("A 10-K", headings=path[:2]) == (
        "A 10-K · Part II › Item 8. Financial Statements"
    )


def test_line_says_nothing_twice() -> None:
    assert context_line("Lease A", headings=["LEASE A", "Rent", "Rent"]) == "Lease A · Rent"
    assert context_line("Lease A") == "Lease A"
    assert context_line("", headings=["Rent", "Steps"]) == "Rent › Steps"


def test_names() -> None:
    assert clean_name("3M_2018_10K.pdf") == "3M 2018 10K"
    assert clean_name("EX-1_Deed_of_Sale_of_Land_EX-1.pdf") == "EX-1 Deed of Sale of Land"
    assert clean_name("Lease v1.2") == "Lease v1.2"
    assert clean_name("A_0000320193_20180605.PDF") == "A 20180605"


@given(
    st.text(max_size=200),
    st.text(max_size=200),
    st.lists(st.text(max_size=300), max_size=5),
    st.lists(st.text(max_size=300), max_size=5),
)
def test_never_long_and_never_broken(
    name: str, title: str, texts: list[str], headings: list[str]
) -> None:
    document = describe(name, title, opening(*texts))
    line = context_line(document, headings=headings)
    assert len(document) <= DOCUMENT_CHARS
    assert len(line) <= DOCUMENT_CHARS + HEADING_CHARS + 3
    assert len(line.splitlines()) <= 1
