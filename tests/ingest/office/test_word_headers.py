"""Which rows of Word's tables name their columns: told by their look, not by their place."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from docqa.ingest.office.word_headers import header_rows, letters_of

PARTICULARS = (("Landlord", "Acme Limited"), ("Term", "Ten years"), ("Rent", "£500"))
UNITS = (("Unit", "Tenant", "Rent"), ("1", "Acme", "£500"))


def header(rows: Sequence[Sequence[str]], change: Callable[[Any], None] = lambda _: None) -> Any:
    made = docx.Document()
    table = made.add_table(len(rows), len(rows[0]))
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    change(table)
    content = BytesIO()
    made.save(content)
    (found,) = header_rows(content.getvalue()).items()
    assert found[0] == letters_of([text.replace(" ", "\n") for row in rows for text in row])
    return found[1]


def embolden(table: Any) -> None:
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True


def embolden_labels(table: Any) -> None:
    for row in table.rows:
        row.cells[0].paragraphs[0].runs[0].bold = True


def repeat(table: Any) -> None:
    table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def shade(table: Any) -> None:
    for cell in table.rows[0].cells:
        fill = OxmlElement("w:shd")
        fill.set(qn("w:fill"), "DDE5EC")
        cell._tc.get_or_add_tcPr().append(fill)


def style(table: Any) -> None:
    table.style = "Light Grid"


@pytest.mark.parametrize("change", [embolden, repeat, shade, style])
def test_a_first_row_set_apart_names_the_columns(change: Callable[[Any], None]) -> None:
    assert header(PARTICULARS, change) == 0


def test_the_first_of_particulars_names_none() -> None:
    assert header(PARTICULARS) is None
    assert header(PARTICULARS, embolden_labels) is None


def test_of_more_than_two_columns_the_first_row_names_them() -> None:
    assert header(UNITS) == 0


def test_a_title_over_all_columns_is_passed_over() -> None:
    def entitle(table: Any) -> None:
        table.cell(0, 0).merge(table.cell(0, 2)).text = "Schedule"

    rows = (("Schedule", "", ""), *UNITS)
    assert header(rows, entitle) == 1
