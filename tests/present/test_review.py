"""A review saved as a file, read back by its own reader."""

import io
from dataclasses import replace
from decimal import Decimal

import openpyxl  # type: ignore[import-untyped]

from docqa.present.export import REVIEW
from docqa.present.review import ReviewRecord
from docqa.types.answer import Citation
from docqa.types.review import Cell, Column, ColumnFigures, Found, Proposal, Review, ReviewTable
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


def test_sums_in_a_workbook_are_numbers_with_their_count() -> None:
    third = replace(REVIEWED.figures["r"], n=3, mean=Decimal(2000) / 3, uncertain=1)
    record = replace(RECORD, table=replace(REVIEWED, figures={"r": third}))
    sheet = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))["Figures"]
    row = {head.value: cell for head, cell in zip(sheet[1], sheet[2], strict=True)}
    assert (row["Cells"].value, row["Uncertain, left out"].value) == (3, 1)
    assert (row["Sum"].value, row["Mean"].value) == (2000, 666.67)
    assert row["Mean"].number_format == '"£"#,##0.00'
    assert "2,000" in saved(record, "md").decode()
