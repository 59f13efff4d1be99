"""Questions about a whole table: which rows, which cell, which sum, each cited."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from docqa.question.read import read
from docqa.review.questions import across, answered, takes_all_rows
from docqa.review.values import valued
from docqa.types.answer import Citation
from docqa.types.document import Document
from docqa.types.review import (
    Cell,
    Column,
    Found,
    Proposal,
    Review,
    ReviewTable,
    Ruling,
    TableAnswer,
)
from tests.library.nouns import document

COLUMNS = (
    Column("Tenant", "Who is the tenant?", "text", "tenant"),
    Column("Expiry", "When does the term expire?", "date", "expiry"),
    Column("Rent", "How much is the annual rent?", "figure", "rent"),
    Column("Break", "Who may break the lease, and when?", "clause", "break"),
    Column("Pets", "Are pets allowed?", "yes or no", "pets"),
    Column("Governing law", "Which law governs the lease?", "clause", "law"),
)
TEXTS: Mapping[str, tuple[str, ...]] = {
    "Alder.pdf": (
        *("Ash Limited", "ending on 31 May 2026", "£100,000 per annum", "The Tenant may end it."),
        *("Pets are not allowed.", "The law of England."),
    ),
    "Birch.pdf": (
        *("Beech LLP", "ending on 1 June 2029", "£300,000 per annum", ""),
        *("Pets are allowed.", "The law of Scotland."),
    ),
    "Cedar.pdf": (
        *("Cherry plc", "", "$250,000 per annum", "Either party may end it."),
        *("Pets are allowed.", "The law of England."),
    ),
}


@pytest.fixture(scope="module")
def table() -> ReviewTable:
    documents = [document(name) for name in TEXTS]
    cells = {
        (each.id, column.id): _cell(each, column, text)
        for each in documents
        for column, text in zip(COLUMNS, TEXTS[each.name], strict=True)
    }
    return ReviewTable(Review("r", "Leases", COLUMNS), tuple(documents), cells)


def _cell(of: Document, column: Column, text: str) -> Cell:
    cited = Citation("S0", of.id, of.name, 2, text, ())
    found = (valued(Found("", text, (cited,)), column),) if text else ()
    return Cell(of.id, column.id, Proposal(column.asked, "1", found))


def ask(table: ReviewTable, question: str) -> TableAnswer:
    return answered(read(question, documents=table.documents), table)


def names(table: ReviewTable, answer: TableAnswer) -> str:
    """The initials of the documents that the answer's lines are of."""
    return "".join(line[2] for line in answer.answer.text.splitlines()[1:])


@pytest.mark.parametrize(
    ("question", "initials"),
    [
        ("Which leases expire before 2028?", "A"),
        ("Which leases expire after 2026?", "B"),
        ("Which leases have a rent of at least £100,000?", "AB"),
        ("Which leases have a rent above £100,000?", "B"),
        ("Which leases have no break?", "B"),
        ("Which leases have a break?", "AC"),
        ("Which leases allow pets?", "BC"),
        ("Which leases do not allow pets?", "A"),
        ("Which leases are governed by the law of England?", "AC"),
        ("What is the rent of Birch?", "B"),
        ("Who are the tenants?", "ABC"),
        ("Which lease expires first?", "AB"),
        ("Which has the highest rent?", "BA"),
        ("Which has the lowest rent?", "AB"),
    ],
)
def test_the_rows_that_are_asked_for(table: ReviewTable, question: str, initials: str) -> None:
    answer = ask(table, question)
    assert names(table, answer) == initials
    assert answer.answer.found
    for citation, place in zip(answer.answer.citations, answer.places, strict=True):
        assert f"[{citation.label}]" in answer.answer.text
        assert table.cell(*place).document_id == citation.document_id


@pytest.mark.parametrize(
    ("question", "takes_all"),
    [
        ("Which leases expire before 2028?", True),
        ("Which leases have a rent above £100,000?", True),
        ("Which lease expires first?", True),
        ("What is the average rent?", True),
        ("What is the rent of Birch?", False),
        ("Which leases allow pets?", False),
    ],
)
def test_what_takes_all_rows_is_told_without_the_table(
    table: ReviewTable, question: str, takes_all: bool
) -> None:
    asked = read(question, documents=table.documents)
    assert takes_all_rows(asked) == takes_all
    assert (across(asked, table) is not None) == takes_all


def test_a_sum_is_of_certain_cells_alone(table: ReviewTable) -> None:
    place = (table.documents[1].id, "rent")
    unsure = table.cells[place]
    assert unsure.proposal
    doubted = replace(unsure, proposal=replace(unsure.proposal, likely=True))
    answer = ask(replace(table, cells={**table.cells, place: doubted}), "What is the total rent?")
    assert answer.answer.text.startswith("Sum of Rent: 100,000 GBP/year, over 1 document:")
    assert "Left out, as uncertain: Birch." in answer.answer.warnings


def test_sums_are_of_one_unit_and_name_what_they_leave_out(table: ReviewTable) -> None:
    answer = ask(table, "What is the total rent?").answer
    assert answer.text.splitlines()[0] == "Sum of Rent: 400,000 GBP/year, over 2 documents:"
    assert answer.warnings == ("Left out, for want of a comparable value under Rent: Cedar.",)
    mean = ask(table, "What is the average rent of the leases that expire before 2028?").answer
    assert mean.text.splitlines()[0] == "Mean of Rent: 100,000 GBP/year, over 1 document:"


def test_rows_that_cannot_be_told_are_named(table: ReviewTable) -> None:
    answer = ask(table, "Which leases expire before 2028?").answer
    assert answer.warnings == ("Left out, for want of a comparable value under Expiry: Cedar.",)


def test_a_column_that_is_named_stands_beside_the_condition(table: ReviewTable) -> None:
    answer = ask(table, "Which tenants pay more than £200,000 rent?")
    assert answer.answer.text.splitlines()[1:] == [
        "- Birch: Beech LLP [S1]; £300,000 per annum [S2]"
    ]
    assert [column for _, column in answer.places] == ["tenant", "rent"]


def test_what_a_person_said_counts(table: ReviewTable) -> None:
    rent = COLUMNS[2]
    alder = table.documents[0].id
    given = valued(Found("", "£900,000 per annum"), rent)
    corrected = replace(table.cell(alder, "rent"), ruling=Ruling("corrected", rent.asked, given))
    now = replace(table, cells={**table.cells, (alder, "rent"): corrected})
    first = ask(now, "Which has the highest rent?").answer.text.splitlines()[1]
    assert first == "- Alder: £900,000 per annum (as a person settled it)"


def test_what_no_column_is_about_is_not_found(table: ReviewTable) -> None:
    answer = ask(table, "How many moons has Saturn?").answer
    assert not answer.found
    assert "Tenant, Expiry, Rent" in answer.text


def test_words_that_no_cell_has_select_nothing(table: ReviewTable) -> None:
    answer = ask(table, "Which leases are governed by the law of Atlantis?")
    assert "do not tell this apart" in answer.answer.text
    assert names(table, answer) == "ABC"
