"""A review filled from real documents: what stands in it, and what nothing takes away again."""

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from docqa.app.filling import WORKERS
from docqa.errors import (
    EmptyQuestion,
    LibraryReadOnly,
    NoColumns,
    SettledMeanwhile,
    UnknownReview,
    UnknownTemplate,
)
from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.answer import Answer
from docqa.types.document import Document
from docqa.types.review import Column, ReviewTable
from docqa.workspace import Workspace

DEPOSIT = Column("Deposit", "How much is the security deposit?", "figure")
LAW = Column("Governing law", "Which law governs the lease?", "clause")
PRIZE = Column("Prize", "Which Nobel prize did the Zebrafish Consortium win?", "text")
TOWER, YARD = "Lease_Bishopsgate_Tower.pdf", "Lease_Harbour_Yard.pdf"


@pytest.fixture
def workspace(sample_library: Path, tmp_path: Path, reader: ReadingProcess) -> Iterator[Workspace]:
    folder = shutil.copytree(sample_library, tmp_path / "library")
    with Workspace(folder, reader=reader) as opened:
        yield opened


def leases(workspace: Workspace) -> list[Document]:
    return [each for each in workspace.documents() if each.name.startswith("Lease")]


def review_of(workspace: Workspace, *columns: Column, name: str = "Leases") -> str:
    ids = [each.id for each in leases(workspace)]
    return workspace.reviews.create(name, columns, document_ids=ids).id


def filled(workspace: Workspace, review_id: str) -> ReviewTable:
    workspace.reviews.fill(review_id)
    workspace.reviews.wait(review_id)
    progress = workspace.reviews.progress(review_id)
    assert not progress.stopped
    return workspace.reviews.table(review_id)


def values(table: ReviewTable, title: str) -> list[str]:
    [column] = [each for each in table.review.columns if each.title == title]
    found = [each.found for each in table.of_column(column.id)]
    return [each.value if each else "" for each in found]


def test_the_lease_template_reads_both_leases_right(workspace: Workspace) -> None:
    template = workspace.reviews.suggested(leases(workspace))
    assert template is not None
    assert workspace.reviews.made_for(template, leases(workspace)) == 2
    table = filled(workspace, review_of(workspace, *template.columns))
    assert [each.name for each in table.documents] == [TOWER, YARD]
    exact = {
        "Landlord": ("Calder Estates (Tower) Limited", "Saltmarsh Property Holdings Limited"),
        "Tenant": ("Orrin & Vale Advisory LLP", "Penhallow Robotics Limited"),
        "Premises": ("Level 14, Bishopsgate Tower", "Units 3 and 4, Harbour Yard"),
        "Term": ("10 years", "15 years"),
        "Commencement": ("2025-03-25", "2025-06-01"),
        "Expiry": ("2035-03-24", "2040-05-31"),
        "Rent": ("£592,500", "£302,400"),
        "Rent review": ("4.1 On 25 March 2030", "4.1 On 1 June 2027"),
        "Deposit": ("£296,250", "£75,600"),
        "Break": ("8.1 The Tenant may end", "8.1 The Tenant may end"),
        "Renewal": ("7.1 The Tenant may renew this lease once", "7.1 The Tenant may renew"),
        "Assignment": ("9.1 The Tenant shall not assign", "9.1 The Tenant may assign the whole"),
        "Repair": ("11.1 The Tenant shall keep the interior", "11.1 The Tenant shall keep the"),
        "Insurance": ("5.2 The Landlord shall insure the B", "5.2 The Landlord shall insure the P"),
        "Governing law": ("14.1 This lease", "15.1 This lease is governed by the law of Scotland"),
    }
    assert set(exact) == {each.title for each in template.columns}
    for title, beginnings in exact.items():
        for value, beginning in zip(values(table, title), beginnings, strict=True):
            assert value.startswith(beginning), title
    titles = {each.id: each.title for each in table.review.columns}
    uncertain = [titles[key] for (_, key), each in table.cells.items() if each.state != "found"]
    assert uncertain == ["Assignment"]  # of the Yard: "may assign the whole … may refuse if"
    for cell in table.cells.values():
        assert cell.found is not None
        assert cell.found.citations
        assert {each.document_id for each in cell.found.citations} == {cell.document_id}
    [assignment] = [each.id for each in table.review.columns if each.title == "Assignment"]
    whole = table.cell(leases(workspace)[0].id, assignment).found
    assert whole is not None
    assert "9.2 The Tenant may assign or underlet the whole" in whole.text  # and not 9.1 alone


def test_what_no_document_says_is_empty_and_shows_the_nearest(workspace: Workspace) -> None:
    table = filled(workspace, review_of(workspace, PRIZE))
    for cell in table.cells.values():
        assert cell.state == "not found"
        assert cell.found is None
        assert cell.proposal is not None
        assert cell.proposal.nearest


def test_a_changed_question_empties_its_column_alone(workspace: Workspace) -> None:
    review_id = review_of(workspace, DEPOSIT, LAW)
    before = filled(workspace, review_id)
    asked = "Which courts have jurisdiction?"

    first, second = before.review.columns
    columns = (first, replace(second, question=asked))
    workspace.reviews.change(review_id, lambda each: replace(each, columns=columns))
    after = workspace.reviews.table(review_id)
    deposit, law = after.review.columns
    assert {each.state for each in after.of_column(deposit.id)} == {"found"}
    assert {each.state for each in after.of_column(law.id)} == {"waiting"}
    again = filled(workspace, review_id)
    assert again.open == 0
    assert set(workspace.resources.catalog.reviews.filled(review_id).values()) == {1}


def test_a_document_read_anew_empties_its_row_alone(workspace: Workspace) -> None:
    review_id = review_of(workspace, DEPOSIT)
    table = filled(workspace, review_id)
    tower = table.documents[0]
    workspace.resources.catalog.amend(replace(tower, parser=tower.parser + 1))
    after = workspace.reviews.table(review_id)
    [column] = after.review.columns
    assert [each.state for each in after.of_column(column.id)] == ["waiting", "found"]


def test_what_was_settled_is_never_overwritten(workspace: Workspace) -> None:
    review_id = review_of(workspace, DEPOSIT, LAW)
    table = filled(workspace, review_id)
    deposit, law = (each.id for each in table.review.columns)
    tower, yard = (each.id for each in table.documents)
    reviews = workspace.reviews
    accepted = reviews.accept((review_id, tower, deposit), seen="")
    quote = table.cell(yard, law).found
    assert quote is not None
    corrected = reviews.correct((review_id, yard, deposit), " £80,000 ", citations=quote.citations)
    absent = reviews.mark_absent((review_id, tower, law))
    assert (accepted.state, corrected.state, absent.state) == (
        "accepted",
        "corrected",
        "not in the document",
    )
    assert corrected.found is not None
    assert corrected.found.value == "£80,000"
    assert corrected.found.number == 80_000
    assert corrected.found.citations == quote.citations
    reviews.fill_again(review_id, table.cells)
    reviews.wait(review_id)
    after = reviews.table(review_id)
    for cell in (accepted, corrected, absent):
        kept = after.cell(cell.document_id, cell.column_id)
        assert (kept.state, kept.found) == (cell.state, cell.found)
        assert kept.proposal is not None  # docqa's own beside it
    with pytest.raises(SettledMeanwhile):
        reviews.mark_absent((review_id, tower, deposit), seen="")
    assert reviews.unsettle((review_id, tower, deposit)).state == "found"
    with pytest.raises(EmptyQuestion):
        reviews.correct((review_id, tower, deposit), "  ")


def test_an_alternative_can_be_chosen(workspace: Workspace) -> None:
    paid = Column("Paid", "When does the Tenant have to pay?", "text")
    table = filled(workspace, review_of(workspace, paid))
    [column] = table.review.columns
    cell = table.of_column(column.id)[0]
    assert cell.proposal is not None
    other = cell.proposal.found[1]
    chosen = workspace.reviews.choose((table.review.id, cell.document_id, column.id), 1)
    assert (chosen.state, chosen.found) == ("corrected", other)


def test_a_document_removed_and_put_back_keeps_its_row(workspace: Workspace) -> None:
    review_id = review_of(workspace, DEPOSIT)
    before = filled(workspace, review_id)
    [column] = before.review.columns
    tower = before.documents[0]
    workspace.reviews.accept((review_id, tower.id, column.id))
    kept = workspace.reviews.table(review_id).cell(tower.id, column.id)
    withdrawn = workspace.removals.withdraw(tower.id)
    without = workspace.reviews.table(review_id)
    assert [each.name for each in without.documents] == [YARD]
    assert without.gone == 1
    with pytest.raises(SettledMeanwhile):
        workspace.reviews.accept((review_id, tower.id, column.id))
    workspace.removals.put_back(withdrawn)
    assert workspace.reviews.table(review_id).cell(tower.id, column.id) == kept


def test_a_document_without_text_and_one_still_read_say_so(workspace: Workspace) -> None:
    review_id = review_of(workspace, DEPOSIT)
    tower, yard = leases(workspace)
    catalog = workspace.resources.catalog
    catalog.amend(replace(tower, chunk_count=0))
    catalog.amend(replace(yard, waiting_pages=2))
    table = filled(workspace, review_id)
    [column] = table.review.columns
    first, second = table.of_column(column.id)
    assert first.state == "failed"
    assert first.proposal is not None
    assert "has no text that can be searched" in first.proposal.error
    assert second.state == "waiting"
    assert table.waits == {yard.id: "still being read"}
    assert table.review.filling == "extractive"  # it goes on when the document is read
    catalog.amend(yard)
    workspace.reviews.resume()
    workspace.reviews.wait(review_id)
    done = workspace.reviews.table(review_id)
    assert done.cell(yard.id, column.id).state == "found"
    assert done.review.filling == ""
    catalog.amend(tower)
    workspace.reviews.fill_again(review_id, [(tower.id, column.id)])
    workspace.reviews.wait(review_id)
    assert workspace.reviews.table(review_id).cell(tower.id, column.id).state == "found"


def until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_filling_is_stopped_and_goes_on_where_it_was(workspace: Workspace) -> None:
    columns = [replace(DEPOSIT, title=f"Deposit {n}") for n in range(8)]
    review_id = review_of(workspace, *columns)
    reviews = workspace.reviews
    reviews.fill(review_id)
    reviews.fill(review_id)  # twice does nothing twice
    until(lambda: reviews.progress(review_id).done > 0)
    assert reviews.progress(review_id).total == 16
    reviews.cancel(review_id)
    stopped = reviews.table(review_id)
    assert 0 < stopped.open < 16
    assert stopped.review.filling == ""
    assert filled(workspace, review_id).open == 0
    assert set(workspace.resources.catalog.reviews.filled(review_id).values()) == {1}


def test_filling_gives_way_for_a_moment(workspace: Workspace) -> None:
    columns = [replace(DEPOSIT, title=f"Deposit {n}") for n in range(8)]
    review_id = review_of(workspace, *columns)
    reviews = workspace.reviews
    reviews.fill(review_id)
    reviews.give_way(review_id)
    before = reviews.progress(review_id).done
    for _ in range(20):  # two seconds, in which all 16 would be filled
        reviews.give_way(review_id)
        time.sleep(0.1)
    now = reviews.progress(review_id)
    assert now.running
    assert now.done - before <= WORKERS  # those that were under way
    until(lambda: reviews.progress(review_id).done > now.done)
    reviews.cancel(review_id)


def test_the_row_that_is_looked_at_comes_first(workspace: Workspace) -> None:
    columns = [replace(DEPOSIT, title=f"Deposit {n}") for n in range(6)]
    ids = [each.id for each in workspace.documents()]
    review_id = workspace.reviews.create("All", columns).id
    workspace.reviews.fill(review_id)
    workspace.reviews.prefer(review_id, ids[-1:])

    def last_row_is_full() -> bool:
        cells = workspace.reviews.table(review_id).cells.values()
        return all(each.state != "waiting" for each in cells if each.document_id == ids[-1])

    until(last_row_is_full)
    workspace.reviews.cancel(review_id)
    assert workspace.reviews.table(review_id).open > 0


def test_what_was_under_way_goes_on_when_the_library_is_opened_again(
    sample_library: Path, tmp_path: Path, reader: ReadingProcess
) -> None:
    folder = shutil.copytree(sample_library, tmp_path / "library")
    columns = [replace(DEPOSIT, title=f"Deposit {n}") for n in range(8)]
    with Workspace(folder, reader=reader) as first:
        review_id = review_of(first, *columns)
        first.reviews.fill(review_id)
        until(lambda: first.reviews.progress(review_id).done > 0)
    with Workspace(folder, reader=reader) as second:
        assert 0 < second.reviews.table(review_id).open < 16
        second.warming.start().join()
        second.reviews.wait(review_id)
        assert second.reviews.table(review_id).open == 0
        assert set(second.resources.catalog.reviews.filled(review_id).values()) == {1}
    with Workspace(folder, read_only=True) as third:
        assert third.reviews.table(review_id).open == 0
        with pytest.raises(LibraryReadOnly):
            third.reviews.fill(review_id)


def test_a_review_needs_questions_and_a_name_that_is_known(workspace: Workspace) -> None:
    reviews = workspace.reviews
    with pytest.raises(NoColumns):
        reviews.create("Empty", [])
    with pytest.raises(EmptyQuestion):
        reviews.create("Empty", [replace(DEPOSIT, question=" ? ")])
    made = reviews.create("Leases", [DEPOSIT])
    assert reviews.named(" leases ") == made
    with pytest.raises(NoColumns):
        reviews.change(made.id, lambda each: replace(each, columns=()))
    reviews.remove(made.id)
    for missing in (reviews.get, reviews.named, reviews.table, reviews.copy):
        with pytest.raises(UnknownReview):
            missing(made.id)
    with pytest.raises(UnknownReview):
        reviews.fill(made.id)
    with pytest.raises(UnknownTemplate, match="Lease abstract"):
        reviews.template("unknown")


def test_rows_are_all_documents_those_of_a_tag_or_those_chosen(workspace: Workspace) -> None:
    tower = leases(workspace)[0]
    workspace.rename(tower.id, "", tags=["signed"])
    reviews = workspace.reviews
    every = reviews.create("All", [DEPOSIT])
    tagged = reviews.create("Signed", [DEPOSIT], tag="signed")
    assert len(reviews.table(every.id).documents) == 5
    assert [each.id for each in reviews.table(tagged.id).documents] == [tower.id]


def test_the_chat_answers_across_documents_from_a_filled_review(workspace: Workspace) -> None:
    asked = "Which leases expire before 2036?"
    review_id = review_of(workspace, Column("Expiry", "When does the term expire?", "date"))
    assert "From the review" not in answered(workspace, asked).text
    filled(workspace, review_id)
    answer = answered(workspace, asked)
    assert answer.text == (
        "Expiry – 1 of 2 documents:\n- Lease Bishopsgate Tower: 2035-03-24 [S1]\n\n"
        "From the review “Leases”."
    )
    assert [(each.document, each.page) for each in answer.citations] == [(TOWER, 2)]
    for others in ("Who insures the building?", "Which leases have a deposit above £1,000?"):
        assert "From the review" not in answered(workspace, others).text
    tower = next(each.id for each in leases(workspace) if each.name == TOWER)
    assert "From the review" not in answered(workspace, asked, tower).text


def answered(workspace: Workspace, question: str, *document_ids: str) -> Answer:
    *_, answer = workspace.ask(question, document_ids=document_ids, answerer="extractive")
    assert isinstance(answer, Answer)
    return answer


def test_two_documents_of_a_kind_are_offered_to_compare(tmp_path: Path) -> None:
    described = {
        "release": "Earnings release: Northwind reports its second quarter.",
        "lease A": "Lease of Unit 7 between Alder Limited and Birch Limited.",
        "notes": "Notes on a walk.",
        "lease B": "Lease of the ground floor of Harbour Yard.",
    }
    documents = [
        Document(name, f"{number}.pdf", 3, description=said)
        for number, (name, said) in enumerate(described.items())
    ]
    with Workspace(tmp_path) as opened:
        alike = opened.reviews.two_alike(documents)
        others = opened.reviews.two_alike(documents[:3])
    assert [each.id for each in alike] == ["lease A", "lease B"]
    assert [each.id for each in others] == ["release", "lease A"]
