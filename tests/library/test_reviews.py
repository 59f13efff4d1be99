"""Reviews on disk: what is kept of a cell, what is never overwritten, and what empties one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from docqa.errors import UnknownReview
from docqa.library.catalog import Catalog
from docqa.library.reviews import Reviews
from docqa.types.review import Cell, Column, Found, Proposal, Review, Ruling
from tests.library.nouns import document_id, save

RENT = Column("Rent", "How much is the rent?", "figure", "rent")
TERM = Column("Term", "What is the term?", "text", "term")
A, B = document_id("a.pdf"), document_id("b.pdf")


def proposal(value: str = "£5", *, version: str = "1") -> Proposal:
    return Proposal(RENT.asked, version, (Found(value, f"Rent: {value}"),))


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog(tmp_path)
    for name in ("a.pdf", "b.pdf"):
        save(opened, name, ["The rent is £5"])
    yield opened
    opened.close()


@pytest.fixture
def reviews(catalog: Catalog) -> Reviews:
    return catalog.reviews


@pytest.fixture
def review(reviews: Reviews) -> Review:
    return reviews.add(Review("", "Leases", (RENT, TERM)))


def test_a_review_is_kept_whole_and_names_are_told_apart(catalog: Catalog) -> None:
    reviews = catalog.reviews
    made = reviews.add(Review("", " Our  leases ", (replace(RENT, id=""), TERM), (A,), "tag"))
    assert made.name == "Our leases"
    assert made.columns[0].id
    assert made.columns[1] == TERM
    assert reviews.get(made.id) == made
    other = reviews.add(Review("", "our Leases", (RENT,)))
    assert other.name == "our Leases 2"
    assert [each.name for each in reviews.all()] == ["our Leases 2", "Our leases"]
    renamed = reviews.change(other.id, lambda each: replace(each, name="OUR LEASES"))
    assert renamed.name == "OUR LEASES 2"
    with pytest.raises(UnknownReview):
        reviews.get("unknown")


def test_a_cell_is_filled_once_for_a_question_and_a_reading(
    reviews: Reviews, review: Review
) -> None:
    key = (review.id, A, RENT.id)
    assert reviews.keep(key, proposal("£5"))
    assert not reviews.keep(key, proposal("£6"))
    assert reviews.cells(review.id) == [Cell(A, RENT.id, proposal("£5"))]
    assert reviews.filled(review.id) == {(A, RENT.id): 1}
    assert reviews.keep(key, proposal("£6"), again=True)
    assert reviews.filled(review.id) == {(A, RENT.id): 2}
    assert reviews.keep(key, proposal("£7", version="2"))  # the document was read anew
    assert reviews.filled(review.id) == {(A, RENT.id): 1}


def test_what_a_person_said_outlives_every_filling(reviews: Reviews, review: Review) -> None:
    key = (review.id, A, RENT.id)
    ruling = Ruling("corrected", RENT.asked, Found("£9", "£9"), "2026-01-01")
    reviews.keep(key, proposal("£5"))
    assert reviews.settle(key, ruling)
    reviews.keep(key, proposal("£6"), again=True)
    reviews.keep(key, proposal("£7", version="2"))
    [cell] = reviews.cells(review.id)
    assert (cell.state, cell.ruling) == ("corrected", ruling)
    assert cell.found == Found("£9", "£9")
    assert cell.proposal == proposal("£7", version="2")  # docqa's own value is kept beside it


def test_of_two_people_the_second_is_told(reviews: Reviews, review: Review) -> None:
    key = (review.id, A, RENT.id)
    mine = Ruling("not in the document", RENT.asked, at="2026-01-01")
    yours = Ruling("accepted", RENT.asked, Found("£5", "£5"), "2026-01-02")
    assert reviews.settle(key, mine, seen="")
    assert not reviews.settle(key, yours, seen="")
    assert reviews.cells(review.id)[0].ruling == mine
    assert reviews.settle(key, yours, seen=mine.at)
    assert reviews.settle(key, None, seen=yours.at)
    assert reviews.cells(review.id)[0].ruling is None


def test_a_change_starts_from_what_the_other_person_left(reviews: Reviews, review: Review) -> None:
    added = Column("Deposit", "How much is the deposit?", "figure")
    reviews.change(review.id, lambda each: replace(each, columns=(*each.columns, added)))
    after = reviews.change(review.id, lambda each: replace(each, name="Rents"))
    assert [each.title for each in after.columns] == ["Rent", "Term", "Deposit"]


def test_cells_go_with_their_column_their_document_and_their_review(
    catalog: Catalog, reviews: Reviews, review: Review
) -> None:
    for key in ((review.id, A, RENT.id), (review.id, B, RENT.id), (review.id, B, TERM.id)):
        assert reviews.keep(key, proposal())
    reviews.change(review.id, lambda each: replace(each, columns=(RENT,)))
    assert {(each.document_id, each.column_id) for each in reviews.cells(review.id)} == {
        (A, RENT.id),
        (B, RENT.id),
    }
    held = reviews.cells_of_document(B)
    catalog.remove(B)
    assert [each.document_id for each in reviews.cells(review.id)] == [A]
    assert not reviews.keep((review.id, B, RENT.id), proposal())  # nothing comes back by itself
    assert not reviews.settle((review.id, B, RENT.id), None)
    save(catalog, "b.pdf", ["The rent is £5"])
    reviews.put_back(held)
    assert [each.document_id for each in reviews.cells(review.id)] == sorted([A, B])
    reviews.remove(review.id)
    assert reviews.cells(review.id) == []
    assert not reviews.keep((review.id, A, RENT.id), proposal())


def test_a_copy_has_the_cells_and_goes_its_own_way(reviews: Reviews, review: Review) -> None:
    key = (review.id, A, RENT.id)
    reviews.keep(key, proposal())
    reviews.settle(key, Ruling("accepted", RENT.asked, Found("£5", "£5"), "2026-01-01"))
    made = reviews.copy(review.id)
    assert made.name == "Leases 2"
    assert reviews.cells(made.id) == reviews.cells(review.id)
    reviews.settle((made.id, A, RENT.id), None)
    assert reviews.cells(review.id)[0].state == "accepted"


def test_a_column_with_a_settled_cell_is_hidden_where_it_would_go(
    reviews: Reviews, review: Review
) -> None:
    key = (review.id, A, RENT.id)
    reviews.settle(key, Ruling("not in the document", RENT.asked, None, "2026-01-01"))
    kept = reviews.change(review.id, lambda each: replace(each, columns=(TERM,)))
    assert (kept.columns, kept.hidden) == ((TERM, RENT), (RENT.id,))
    assert [each.state for each in reviews.cells(review.id)] == ["not in the document"]
    reviews.settle(key, None)
    gone = reviews.change(review.id, lambda each: replace(each, columns=(TERM,)))
    assert gone.columns == (TERM,)
    assert reviews.cells(review.id) == []
