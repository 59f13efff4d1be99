"""The least of Office Open XML (ECMA-376) that holds headings, text and tables."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/{}ml/2006/main"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SIZES = {1: 32, 2: 26}  # half points
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


def spreadsheet(rows: Sequence[Sequence[str]], *, title: str) -> bytes:
    """A workbook of one sheet; every cell is text, so nothing is taken for a formula."""
    drawn = "".join(f"<row>{''.join(_cell(cell) for cell in row)}</row>" for row in rows)
    main = _MAIN.format("spreadsheet")
    sheet = f'{_HEAD}<worksheet xmlns="{main}"><sheetData>{drawn}</sheetData></worksheet>'
    book = (
        f'<workbook xmlns="{main}" xmlns:r="{_OFFICE}"><sheets>'
        f'<sheet name={quoteattr(title)} sheetId="1" r:id="rId1"/></sheets></workbook>'
    )
    parts = {
        "xl/worksheets/sheet1.xml": sheet,
        "xl/_rels/workbook.xml.rels": _relations("worksheet", "worksheets/sheet1.xml"),
    }
    return _package("xl/workbook.xml", book, EXCEL + ".main+xml", parts)


def _cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t xml:space="preserve">{_xml(text)}</t></is></c>'


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))


def _relations(kind: str, target: str) -> str:
    return (
        f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/{kind}" Target="{target}"/></Relationships>'
    )


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
    files = {"[Content_Types].xml": types, "_rels/.rels": _relations("officeDocument", name)}
    return _zipped(files | {name: _HEAD + content} | dict(parts))


def _zipped(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), content.encode())
    return out.getvalue()
