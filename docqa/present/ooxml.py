"""The least of Office Open XML (ECMA-376) that holds headings, text and tables."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from xml.sax.saxutils import escape, quoteattr

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/{}ml/2006/main"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SIZES = {1: 32, 2: 26, 3: 23}  # half points
_LONGEST = 32_767  # characters a spreadsheet's cell may hold
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same comparison gives the same bytes


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A table; the first row is its header."""

    rows: Sequence[Sequence[str]]


Part = Heading | Text | Rows


def document(parts: Sequence[Part]) -> bytes:
    """A word processor's document with the parts in order."""
    body = "".join(_word(part) for part in parts)
    content = f'<w:document xmlns:w="{_MAIN.format("wordprocessing")}"><w:body>{body}</w:body>'
    return _package("word/document.xml", f"{content}</w:document>", WORD + ".main+xml", {})


def _word(part: Part) -> str:
    match part:
        case Heading(text, level):
            return _paragraph(text, f'<w:b/><w:sz w:val="{_SIZES[level]}"/>')
        case Text(text):
            return _paragraph(text)
        case Rows(rows):
            drawn = (_row(row, "<w:b/>" if n == 0 else "") for n, row in enumerate(rows))
            return f"<w:tbl><w:tblPr>{_BORDERS}</w:tblPr>{''.join(drawn)}</w:tbl><w:p/>"


_BORDERS = "<w:tblBorders>{}</w:tblBorders>".format(
    "".join(
        f'<w:{side} w:val="single" w:sz="4" w:color="BBBBBB"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
)


def _row(cells: Sequence[str], style: str) -> str:
    drawn = "".join(f"<w:tc>{_paragraph(cell, style)}</w:tc>" for cell in cells)
    return f"<w:tr>{drawn}</w:tr>"


def _paragraph(text: str, style: str = "") -> str:
    lines = "<w:br/>".join(
        f'<w:t xml:space="preserve">{_xml(line)}</w:t>' for line in text.split("\n")
    )
    return f"<w:p><w:r><w:rPr>{style}</w:rPr>{lines}</w:r></w:p>"


Cell = str | Decimal | int


def spreadsheet(sheets: Sequence[tuple[str, Sequence[Sequence[Cell]]]]) -> bytes:
    """A workbook of titled sheets: numbers as numbers, all else as text, so nothing is a formula.

    The first row of a sheet stays in sight. A number of more than 15 digits goes as text, as a
    spreadsheet would round it.
    """
    main = _MAIN.format("spreadsheet")
    parts, listed, relations = {}, "", ""
    for number, (title, rows) in enumerate(sheets, 1):
        drawn = "".join(f"<row>{''.join(_cell(cell) for cell in row)}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'{_HEAD}<worksheet xmlns="{main}">{_FROZEN}<sheetData>{drawn}</sheetData></worksheet>'
        )
        listed += f'<sheet name={quoteattr(title[:31])} sheetId="{number}" r:id="rId{number}"/>'
        relations += _relation("worksheet", f"worksheets/sheet{number}.xml", number)
    book = f'<workbook xmlns="{main}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>'
    parts["xl/_rels/workbook.xml.rels"] = _relations(relations)
    return _package("xl/workbook.xml", book, EXCEL + ".main+xml", parts)


_FROZEN = (
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" '
    'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
)


def _cell(cell: Cell) -> str:
    if not isinstance(cell, str) and len(f"{cell:f}".strip("-").replace(".", "")) <= 15:
        return f"<c><v>{cell:f}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{_xml(str(cell)[:_LONGEST])}</t></is></c>'


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))


def _relation(kind: str, target: str, number: int) -> str:
    return f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'


def _relations(relations: str) -> str:
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{relations}</Relationships>'


def _package(name: str, content: str, kind: str, parts: Mapping[str, str]) -> bytes:
    kinds = {f"/{name}": kind} | {
        f"/{part}": EXCEL.replace(".sheet", ".worksheet") + "+xml"
        for part in parts
        if not part.endswith(".rels")
    }
    overrides = "".join(
        f'<Override PartName="{part}" ContentType="{each}"/>' for part, each in kinds.items()
    )
    types = (
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{overrides}</Types>"
    )
    root = _relation("officeDocument", name, 1)
    files = {"[Content_Types].xml": types, "_rels/.rels": _relations(root)}
    return _zipped(files | {name: _HEAD + content} | dict(parts))


def _zipped(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), content.encode())
    return out.getvalue()
