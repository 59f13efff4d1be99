"""What is quoted of a clause, and the rest of it."""

from docqa.compare.sections import bearing_sections, in_whole
from docqa.types.comparison import TermSide
from docqa.types.document import Block
from tests.compare.pages import block, numbered

ALTERATIONS = [
    block("7. Alterations", kind="heading"),
    block("7.1 The Tenant shall not make any structural alteration."),
    block("7.2 The Tenant may make other alterations with the consent of the Landlord."),
    block("8. Definitions", kind="heading"),
    block("8.1 “Use” means offices. It is not limited otherwise."),
    block("8.2 “Term” means five years."),
]


def side(blocks: list[Block], at: int, quote: str = "") -> TermSide:
    return TermSide("a", "a.pdf", quote or blocks[at].text, (blocks[at],))


def test_a_quote_is_all_that_stands_under_a_heading_that_names_the_subject() -> None:
    blocks = numbered(ALTERATIONS)
    whole = in_whole(side(blocks, 1), blocks, "the alterations clauses")
    assert whole.quote == f"{blocks[1].text} {blocks[2].text}"
    assert whole.blocks == (blocks[1], blocks[2])


def test_under_another_heading_it_is_what_has_its_number() -> None:
    blocks = numbered(ALTERATIONS)
    whole = in_whole(side(blocks, 4, "8.1 “Use” means offices."), blocks, "permitted use")
    assert whole.quote == blocks[4].text


def test_what_names_the_subject_beside_it_comes_along() -> None:
    blocks = numbered(
        [
            block("4. Repayment", kind="heading"),
            block("4.1 The Borrower shall repay the loan by instalments."),
            block("4.2 The Borrower may prepay the loan on notice."),
            block("4.3 No prepayment fee shall be payable."),
        ]
    )
    assert in_whole(side(blocks, 3), blocks, "prepayment").blocks == (blocks[2], blocks[3])


def test_a_quote_of_no_clause_stays_as_it_is() -> None:
    blocks = numbered([block("The fund is small. It grows."), block("Fees are low.")])
    one = side(blocks, 0, "The fund is small.")
    assert in_whole(one, blocks, "fund") == one
    assert in_whole(TermSide("a", "a.pdf"), blocks, "fund") == TermSide("a", "a.pdf")


def test_sections_that_the_subject_heads() -> None:
    blocks = numbered(ALTERATIONS)
    assert list(bearing_sections(blocks, "alterations clauses", ())) == [{0, 1, 2}]
    assert list(bearing_sections(blocks, "structural alterations", ())) == []
    assert list(bearing_sections(blocks, "structural alterations", {1})) == [{0, 1, 2}]


def test_a_title_heads_no_clause() -> None:
    title = block("Lease of a unit in the Alterations Park", kind="heading")
    blocks = numbered([title, block("This lease is made today."), *ALTERATIONS])
    assert list(bearing_sections(blocks, "alterations", ())) == [{2, 3, 4}]
