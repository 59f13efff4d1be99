"""Whose a document is: registrants by the caption of a cover, parties by what they are called."""

import pytest

from docqa.ingest.chunks.parties import parties, registrants_of
from docqa.language.organisations import parties_in
from docqa.types.document import Block, Box, Cell

HERE = Box(0, 0, 1, 1)
CAPTION = "(Exact name of registrant as specified in its charter)"


def lines(*texts: str) -> list[Block]:
    return [Block(text, 1, HERE) for text in texts]


def row(*texts: str, head: bool = False) -> Block:
    cells = tuple(Cell(text, at) for at, text in enumerate(texts) if text)
    return Block(" | ".join(filter(None, texts)), 1, HERE, "table", table=1, cells=cells)


def test_the_registrant_stands_above_its_caption_and_recurs() -> None:
    cover = lines("HARBOUR WORKS INC.", "Commission File Number: 1-42", CAPTION, "Delaware")
    body = [Block("Harbour Works builds quays.", 4, HERE)]
    assert registrants_of([*cover, *body]) == ["HARBOUR WORKS INC."]


def test_two_registrants_stand_under_the_caption_of_their_column() -> None:
    cover = [
        row("Commission", "Exact Name of Registrant", "State"),
        row("File Number", "as Specified In Its Charter", "of Incorporation"),
        row("1-12", "ASH CORPORATION", "Ohio"),
        row("1-13", "ASH GAS COMPANY", "Ohio"),
        row("77 High Street", "77 High Street 94612"),
    ]
    assert registrants_of(cover) == ["ASH CORPORATION", "ASH GAS COMPANY"]


def test_without_a_caption_it_is_who_the_document_names_most() -> None:
    cover = lines("New York Stock Exchange, Inc.", "Harbour Works Inc.")
    body = [Block("Harbour Works sells.", 5, HERE), Block("Harbour Works buys.", 6, HERE)]
    assert registrants_of([*cover, *body]) == ["Harbour Works Inc."]


@pytest.mark.parametrize(
    ("opening", "named"),
    [
        (
            "Ash Bio, Inc., at 740 Heinz Avenue (“Ash”) and IREYA B.V having an address at Leiden, "
            "represented by Ann Doe, (“Consultant”) agree to all terms of this Agreement "
            "(“Agreement”) dated June 1, 2020 (“Effective Date”).",
            ["Ash Bio, Inc.", "IREYA B.V"],
        ),
        (
            "Ash, Inc, a Delaware corporation (the “Company”), is pleased to retain Ann Doe "
            "(“Consultant”) to perform certain activities.",
            ["Ash, Inc", "Ann Doe"],
        ),
        (
            "This Agreement is entered into by and between The University of Northern Elm, with "
            "a place of business in Elm (“UNE”), and Ash LLC (“Ash”). Elm Ltd (“Elm”) owns both.",
            ["The University of Northern Elm", "Ash LLC"],
        ),
        (
            "(1) ASH TECHNOLOGIES PTE. LTD. (UEN 201534877K), of Singapore (the “Vendor”); and\n"
            "(2) ELM DATA SERVICES LTD., a corporation of Ontario (the “Client”).",
            ["ASH TECHNOLOGIES PTE. LTD.", "ELM DATA SERVICES LTD."],
        ),
        (
            "ASH FREIGHT (UK) LIMITED, of Leeds (hereinafter “the Customer”) of the first part;\n"
            "and\nELM MANAGED SERVICES ULC, of Halifax (hereinafter “the Contractor”).",
            ["ASH FREIGHT (UK) LIMITED", "ELM MANAGED SERVICES ULC"],
        ),
    ],
)
def test_a_party_is_what_the_opening_gives_a_name_of_its_own(
    opening: str, named: list[str]
) -> None:
    assert parties(["CONSULTING AGREEMENT", opening]) == named


def test_parties_that_the_opening_does_not_tell_are_those_who_sign() -> None:
    ending = ["Ash Limited\nBy: ______", "ELM PARTNERS, L.P.", "Signature: ______"]
    assert parties(["The undersigned agree."], ending) == ["Ash Limited", "ELM PARTNERS, L.P."]


def test_what_is_written_small_after_between_is_no_party() -> None:
    assert parties(["Keys are handed over between then and Christmas.", "Rent: £500"]) == []


def test_no_party_is_called_as_a_month_is() -> None:
    trade = "The wharf suffered from the closing of the terminal between June and September."
    assert parties([trade]) == []
    assert parties_in("Site review between June and September. Sections: Leases.") == []
