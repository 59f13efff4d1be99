"""What one document seems to lack, and a passage of it says in other words."""

from docqa.compare.reworded import reworded
from docqa.compare.terms import REWORDED
from docqa.types.comparison import Alignment, TermComparison, TermSide
from tests.compare.pages import hit

LASTS = "The duties of confidence continue for three years after disclosure."
CONTINUES = "What is owed under it goes on for five years from its date."
SAID, OTHER = hit("a", 4, LASTS), hit("b", 6, CONTINUES, page=2)
PAIR = Alignment(0.8, (SAID, OTHER))
QUOTED = TermSide(SAID.document.id, "a.pdf", LASTS, SAID.chunk.blocks)
ABSENT = TermSide(OTHER.document.id, "b.pdf", nearest_page=1, nearest_quote="English law governs.")
ROW = TermComparison("Term", (QUOTED, ABSENT), "only in a.pdf")


def test_a_passage_paired_with_what_is_quoted_is_what_comes_nearest() -> None:
    found = reworded(ROW, [PAIR])
    assert found.note == REWORDED
    assert found.sides[0] == QUOTED
    assert (found.sides[1].nearest_page, found.sides[1].nearest_quote) == (2, CONTINUES)
    assert found.sides[1].likely
    assert reworded(found, [PAIR]) == found


def test_what_nothing_is_paired_with_is_in_one_document_only() -> None:
    other = Alignment(0.8, (hit("a", 5, LASTS), OTHER))
    assert reworded(ROW, [other]) == ROW
    assert reworded(ROW, []) == ROW


def test_a_fact_that_is_not_listed_has_no_other_words() -> None:
    unlisted = TermComparison(
        "Use", (QUOTED, TermSide(OTHER.document.id, "b.pdf")), "only in a.pdf"
    )
    assert reworded(unlisted, [PAIR]) == unlisted
