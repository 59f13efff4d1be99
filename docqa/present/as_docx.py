"""A presentation as a Word document in Word's own styles, written by python-docx."""

import io
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from docqa.present.document import (
    Cell,
    Heading,
    Listing,
    Note,
    Paragraph,
    Part,
    Table,
    Text,
    Words,
    cell_text,
    runs,
)
from docqa.present.printable import printable

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import _Row
    from docx.text.paragraph import Paragraph as Lines


def to_docx(parts: Sequence[Part]) -> bytes:
    """The parts in order; the header of a table is repeated on every page."""
    import docx

    document = docx.Document()
    document.core_properties.author = "docqa"
    for part in parts:
        _add(document, part)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _add(document: "Document", part: Part) -> None:
    match part:
        case Heading(text, level):
            _write(document.add_heading(level=level), text)
        case Paragraph(text):
            _write(document.add_paragraph(), text)
        case Note(text):
            _write(document.add_paragraph(style="Quote"), text)
        case Listing(items, first):
            for n, item in enumerate(items, start=first):
                # a list that Word numbers would go on from the one before it
                paragraph = document.add_paragraph(style="List" if first else "List Bullet")
                _write(paragraph, (Words(f"{n}. " if first else ""), *runs(item)))
        case Table():
            _add_table(document, part)


def _add_table(document: "Document", part: Table) -> None:
    table = document.add_table(len(part.rows) + 1, len(part.header), style="Table Grid")
    for row, cells in zip(table.rows, chain([part.header], part.rows), strict=True):
        _fill(row, cells)
    for cell in table.rows[0].cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True
    _repeat(table.rows[0])
    document.add_paragraph()


def _fill(row: "_Row", cells: Sequence[Cell]) -> None:
    for place, cell in zip(row.cells, cells, strict=True):
        _write(place.paragraphs[0], cell_text(cell))


def _repeat(row: "_Row") -> None:
    """Have Word repeat the row on every page of its table; python-docx has no name for that."""
    from docx.oxml import OxmlElement

    row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _write(paragraph: "Lines", text: Text) -> None:
    for each in runs(text):
        if isinstance(each, Words):
            run = paragraph.add_run(printable(each.text))
            run.bold, run.font.strike = each.strong or None, each.struck or None
