"""A review saved as a file, read back by its own reader."""

import io
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import docx
import openpyxl  # type: ignore[import-untyped]

from docqa.present.document import Heading, Table
from docqa.present.evidence import evidence, of_review
from docqa.present.export import REVIEW
from docqa.present.review import ReviewRecord, as_json
from docqa.types.answer import Citation
from docqa.types.document import Document
from docqa.types.review import (
    Cell,
    Column,
    ColumnFigures,
    Found,
    Proposal,
    Review,
    ReviewTable,
    Ruling,
)
from tests.present.sample import A, B, block

THOUSAND = Decimal(1000)
RENT = Column("Rent", "What is the rent?", "figure", "r")
START = Column("Commencement", "When does the term begin?", "date", "s")
LAW = Column("Governing law", "Which law governs?", "clause", "l")


def cell(document_id: str, column: Column, found: Found | None) -> Cell:
    made = (found,) if found else ()
    return Cell(document_id, column.id, Proposal("", "", made, check="stands" if found else ""))


def cited(document_id: str, name: str, quote: str, page: int) -> tuple[Citation, ...]:
    return (Citation("S1", document_id, name, page, quote, (block(quote, page),), "verified"),)


def found_in(document_id: str, name: str) -> list[Cell]:
    rent = cited(document_id, name, "The rent is £1,000 a year.", 2)
    day = cited(document_id, name, "The term begins on 25 March 2025.", 1)
    return [
        cell(document_id, RENT, Found("£1,000", "", rent, THOUSAND, "GBP/year")),
        cell(document_id, START, Found("2025-03-25", "", day, day="2025-03-25")),
        cell(document_id, LAW, None),
    ]


REVIEWED = ReviewTable(
    Review("", "Lease abstract", (RENT, START, LAW)),
    (A, B),
    {(c.document_id, c.column_id): c for each in (A, B) for c in found_in(each.id, each.name)},
    figures={"r": ColumnFigures(2, "GBP/year", Decimal(2000), THOUSAND, THOUSAND, THOUSAND)},
)
RECORD = ReviewRecord(REVIEWED, {(A.id, 2): "iv"}, "2026-03-01T10:00+00:00")


def saved(record: ReviewRecord, ending: str) -> bytes:
    [form] = [each for each in REVIEW if each.ending == ending]
    return form.write(record)


def grids(record: ReviewRecord) -> list[list[list[str]]]:
    document = docx.Document(io.BytesIO(saved(record, "docx")))
    return [[[c.text for c in row.cells] for row in table.rows] for table in document.tables]


def paragraphs(record: ReviewRecord) -> list[str]:
    return [each.text for each in docx.Document(io.BytesIO(saved(record, "docx"))).paragraphs]


def test_few_documents_stand_side_by_side_on_a_page_with_the_place_of_every_value() -> None:
    review, sums, made = grids(RECORD)
    assert review == [
        ["Question", "Lease A", "Lease B"],
        ["Rent", "£1,000 (p. 2, printed iv) ✓", "£1,000 (p. 2) ✓"],
        ["Commencement", "25 March 2025 (p. 1) ✓", "25 March 2025 (p. 1) ✓"],
        ["Governing law", "not found", "not found"],
    ]
    assert sums[1][:5] == ["Rent", "2", "", "GBP/year", "2,000"]
    assert ["Document", f"Lease_A.pdf, 3 pages, SHA-256 {A.id}"] in made
    assert ["Date", "1 March 2026, 10:00 UTC"] in made


def test_a_reviews_sources_are_a_list_on_a_page() -> None:
    said = paragraphs(RECORD)
    rent = "“The rent is £1,000 a year.”"
    before = "1. Rent: Lease_A.pdf, p. 2, printed iv"
    assert f"{before} (verified; docqa, not settled). {rent}" in said
    assert "Governing law" not in " ".join(said)  # nothing was found


def test_what_a_person_made_of_a_cell_is_told_with_its_source() -> None:
    own = REVIEWED.cells[A.id, "r"]
    assert own.found is not None
    ruling = Ruling("corrected", "", replace(own.found, value="£1,100"), "2026-03-01T10:00")
    cells = {**REVIEWED.cells, (A.id, "r"): replace(own, ruling=ruling)}
    record = replace(RECORD, table=replace(REVIEWED, cells=cells))
    assert grids(record)[0][1][1].startswith("£1,100 (p. 2")
    assert "(verified; a person, 2026-03-01; docqa found £1,000)" in " ".join(paragraphs(record))


def many(columns: Sequence[Column], documents: int) -> ReviewTable:
    chosen = [Document(str(n) * 64, f"Lease_{n}.pdf", 3) for n in range(documents)]
    cells = {(d.id, c.id): cell(d.id, c, None) for d in chosen for c in columns}
    return ReviewTable(Review("", "Leases", tuple(columns)), tuple(chosen), cells)


def test_many_documents_have_a_row_each_and_a_few_questions_side_by_side() -> None:
    columns = [replace(LAW, title=f"Question {n}", id=str(n)) for n in range(7)]
    first, second, _ = grids(ReviewRecord(many(columns, 6)))
    assert [len(row) for row in first] == [6] * 7
    assert second[0] == ["Document", "Question 5", "Question 6"]
    assert [row[0] for row in second[1:]] == [f"Lease {n}" for n in range(6)]


def test_an_evidence_pack_of_a_review_begins_with_what_its_page_has() -> None:
    begun = evidence(of_review(RECORD), lambda *_: None)
    [grid, *_] = [each for each in begun if isinstance(each, Table)]
    assert grid.header == ("Question", "Lease A", "Lease B")
    assert Heading("Sources", 2) not in begun


def test_sums_in_a_workbook_are_numbers_with_their_count() -> None:
    third = replace(REVIEWED.figures["r"], n=3, mean=Decimal(2000) / 3, uncertain=1)
    record = replace(RECORD, table=replace(REVIEWED, figures={"r": third}))
    sheet = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))["Figures"]
    row = {head.value: cell for head, cell in zip(sheet[1], sheet[2], strict=True)}
    assert (row["Cells"].value, row["Uncertain, left out"].value) == (3, 1)
    assert (row["Sum"].value, row["Mean"].value) == (2000, 666.67)
    assert row["Mean"].number_format == '"£"#,##0.00'
    assert "2,000" in saved(record, "md").decode()


def with_rent(document_id: str, number: str, unit: str) -> ReviewRecord:
    """The review with another figure for the rent of one lease."""
    found = Found(number, "", number=Decimal(number), unit=unit)
    cells = {**REVIEWED.cells, (document_id, "r"): cell(document_id, RENT, found)}
    return replace(RECORD, table=replace(REVIEWED, cells=cells))


def test_a_workbook_has_the_unit_in_the_form_of_a_number_and_csv_has_it_beside() -> None:
    for number, unit, form in (
        ("6", "months", '#,##0" months"'),
        ("4.50", "CHF", '"CHF "#,##0.00'),
        ("1000", "GBP/year", '"£"#,##0"/year"'),
        ("23182600000.0", "", "#,##0"),
    ):
        record = with_rent(A.id, number, unit)
        place = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))["Review"]["B2"]
        assert (place.value, place.number_format) == (float(number), form)
        header, first, *_ = saved(record, "csv").decode("utf-8-sig").splitlines()
        assert header.startswith("document,rent,rent_unit,")
        assert first.split(",")[1:3] == [number.removesuffix(".0"), unit]


def test_sums_have_a_row_for_each_unit() -> None:
    six = Decimal(6)
    months = ColumnFigures(1, "months", six, six, six, six)
    both = replace(REVIEWED.figures["r"], others=(months,))
    record = replace(RECORD, table=replace(REVIEWED, figures={"r": both}))
    rows = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))["Figures"].values
    assert [row[3:5] for row in rows][1:] == [("GBP/year", 2000), ("months", 6)]


def doubted() -> ReviewRecord:
    """The review with a rent and a day of the first lease that are uncertain."""
    cells = dict(REVIEWED.cells)
    for column in (RENT, START):
        own = cells[A.id, column.id]
        assert own.proposal is not None
        unsure = replace(own.proposal, likely=True)
        cells[A.id, column.id] = replace(own, proposal=unsure)
    return replace(RECORD, table=replace(REVIEWED, cells=cells))


def test_every_file_says_in_words_which_cells_are_uncertain() -> None:
    record = doubted()
    book = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))
    header, first, second = book["Review"].values
    assert header[-1] == "Uncertain"
    assert (first[1], first[-1], second[-1]) == (1000, "Rent; Commencement", None)
    states = [row[3] for row in book["Sources"].values]
    assert states == ["State", "uncertain", "uncertain", "not found", "found", "found", "not found"]
    assert [cell.font.i for cell in book["Review"][2]] == [False, True, True, False, False]
    assert {cell.fill.fill_type for cell in book["Review"][2][1:3]} == {"solid"}
    name, *_, uncertain = saved(record, "csv").decode("utf-8-sig").splitlines()[1].split(",")
    assert (name, uncertain) == ("Lease_A.pdf", "Rent; Commencement")
    markdown = saved(record, "md").decode()
    assert "2 uncertain" in markdown
    assert "Rent; Commencement" in markdown
    assert grids(record)[0][1][1] == "£1,000 (uncertain) (p. 2, printed iv)"


def test_a_table_has_a_column_for_what_is_uncertain_only_where_something_is() -> None:
    book = openpyxl.load_workbook(io.BytesIO(saved(RECORD, "xlsx")))
    assert [cell.value for cell in book["Review"][1]][-1] == "Governing law"


def test_a_program_reads_the_state_that_it_was_promised() -> None:
    assert [each["state"] for each in as_json(doubted().table)["cells"]][:3] == [
        *("likely", "likely", "not found"),
    ]
