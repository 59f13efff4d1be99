"""A presentation as a Word document in Word's own styles, written by python-docx."""

import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import cast

import docx
from docx.document import Document
from docx.enum.section import WD_ORIENT
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Emu, Pt
from docx.styles.style import ParagraphStyle
from docx.table import _Row
from docx.text.paragraph import Paragraph as Lines

from docqa.present.as_text import line
from docqa.present.document import (
    Cell,
    Heading,
    Listing,
    Note,
    Number,
    Paragraph,
    Part,
    Percent,
    Picture,
    Table,
    Text,
    Words,
    cell_text,
    printable,
    runs,
)

WIDE = 4  # columns of a table, from which on its page is turned
TABLE_STYLE = "Light Grid Accent 1"
SMALL = 9  # points, of the letters in tables
CELLS = "Table Text"  # the style of what stands in them
MARGIN = 2.0  # cm
LETTER = 0.18  # cm, of the text in a table
BESIDE = 3  # letters, left free beside a cell's text
LONG = 80  # characters of a cell from which its column is as wide as it gets
WORD = 28  # characters of a word that is not broken


def to_docx(parts: Sequence[Part]) -> bytes:
    """The parts in order, pages numbered; the header of a table is repeated on every page."""
    document = docx.Document()
    _name(document, parts)
    tables = [part for part in parts if isinstance(part, Table)]
    _set_up(document, wide=any(len(each.header) > WIDE for each in tables))
    for part in parts:
        _add(document, part)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _name(document: Document, parts: Sequence[Part]) -> None:
    """The first heading as its title, and today's date in place of the template's."""
    said = document.core_properties
    title = next((line(part.text) for part in parts if isinstance(part, Heading)), "docqa")
    said.title, said.author = printable(title), "docqa"
    said.created = said.modified = datetime.now(UTC)


def _set_up(document: Document, *, wide: bool) -> None:
    """A4, on its side where a table is wide; narrow margins; the page's number below."""
    section = document.sections[0]
    short, long = Cm(21.0), Cm(29.7)
    section.orientation = WD_ORIENT.LANDSCAPE if wide else WD_ORIENT.PORTRAIT
    section.page_width, section.page_height = (long, short) if wide else (short, long)
    section.left_margin = section.right_margin = Cm(MARGIN)
    section.top_margin = section.bottom_margin = Cm(MARGIN)
    document.styles["Normal"].font.size = Pt(10)
    cells = cast(ParagraphStyle, document.styles.add_style(CELLS, WD_STYLE_TYPE.PARAGRAPH))
    cells.base_style = document.styles["Normal"]
    cells.font.size, cells.paragraph_format.space_after = Pt(SMALL), Pt(0)
    foot = section.footer.paragraphs[0]
    foot.alignment = WD_ALIGN_PARAGRAPH.CENTER
    _field(foot, "PAGE")
    foot.add_run(" / ")
    _field(foot, "NUMPAGES")


def _field(paragraph: Lines, code: str) -> None:
    """A field that Word fills in, as the page's number; python-docx has no name for it."""
    shown = "<w:r><w:t>1</w:t></w:r>"
    field = f'<w:fldSimple {nsdecls("w")} w:instr="{code}">{shown}</w:fldSimple>'
    paragraph._p.append(parse_xml(field))


def _add(document: Document, part: Part) -> None:
    match part:
        case Heading(text, level):
            _write(document.add_heading(level=level), text)
        case Paragraph(text):
            _write(document.add_paragraph(), text)
        case Note(text):
            _write(document.add_paragraph(style="Quote"), text)
        case Picture():
            _add_picture(document, part)
        case Listing(items, first):
            for n, item in enumerate(items, start=first):
                # a list that Word numbers would go on from the one before it
                paragraph = document.add_paragraph(style="List" if first else "List Bullet")
                _write(paragraph, (Words(f"{n}. " if first else ""), *runs(item)))
        case Table():
            _add_table(document, part)


def _add_picture(document: Document, part: Picture) -> None:
    """The picture, what it shows, and what comes after it on one page."""
    width = Emu(min(Pt(part.width), _room(document)))
    shown, caption = document.add_paragraph(), document.add_paragraph(style="Caption")
    shown.add_run().add_picture(io.BytesIO(part.content), width=width)
    caption.add_run(printable(part.text))
    shown.paragraph_format.keep_with_next = caption.paragraph_format.keep_with_next = True


def _room(document: Document) -> int:
    """The width between a page's margins, in EMU."""
    section = document.sections[0]
    edges = section.page_width, section.left_margin, section.right_margin
    width, left, right = (edge or 0 for edge in edges)
    return width - left - right


def _add_table(document: Document, part: Table) -> None:
    table = document.add_table(len(part.rows) + 1, len(part.header), style=TABLE_STYLE)
    table.autofit = False
    for row, cells in zip(table.rows, chain([part.header], part.rows), strict=True):
        _fill(row, cells)
        _mark(row, "w:cantSplit")
    for cell in table.rows[0].cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True
    _mark(table.rows[0], "w:tblHeader")
    for column, width in zip(table.columns, _widths(part, _room(document)), strict=True):
        for each in (column, *column.cells):  # Word looks at the cells, others at the column
            each.width = Emu(width)
    document.add_paragraph(style=CELLS)


def _widths(part: Table, room: int) -> list[int]:
    """The columns' widths: none narrower than its longest word, the others as their texts need."""
    columns = zip(part.header, *part.rows, strict=True)
    needs = [_needs([line(cell_text(cell)) for cell in each]) for each in columns]
    least, wanted = (sum(each) for each in zip(*needs, strict=True))
    spare = (room / Cm(LETTER) - least) / max(1, wanted - least)
    shares = [word + max(0, min(1, spare)) * (text - word) for word, text in needs]
    return [int(room * share / sum(shares)) for share in shares]


def _needs(texts: Sequence[str]) -> tuple[int, int]:
    """The letters of a column's longest word, and of its longest text, with some room beside."""
    word = max(len(word) for text in texts for word in re.split(r"[\s-]", text))
    text = max(map(len, texts))
    return min(WORD, word) + BESIDE, max(min(WORD, word), min(LONG, text)) + BESIDE


def _fill(row: _Row, cells: Sequence[Cell]) -> None:
    for place, cell in zip(row.cells, cells, strict=True):
        paragraph = place.paragraphs[0]
        paragraph.style = CELLS
        _write(paragraph, cell_text(cell))
        if isinstance(cell, Number | Percent):
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _mark(row: _Row, name: str) -> None:
    """What python-docx has no name for: to repeat a row on every page, not to break it."""
    row._tr.get_or_add_trPr().append(OxmlElement(name))


def _write(paragraph: Lines, text: Text) -> None:
    for each in runs(text):
        if isinstance(each, Words) and each.link:
            _link(paragraph, each)
        elif isinstance(each, Words):
            run = paragraph.add_run(printable(each.text))
            run.bold, run.font.strike = each.strong or None, each.struck or None


def _link(paragraph: Lines, words: Words) -> None:
    """A link to the app; python-docx has no name for that either."""
    related = paragraph.part.relate_to(words.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    element = OxmlElement("w:hyperlink")
    element.set(qn("r:id"), related)
    run = paragraph.add_run(printable(words.text))
    run.font.underline = True
    element.append(run._r)
    paragraph._p.append(element)
