"""Which row names the columns of each table of a Word file: what sets it apart says so.

Docling takes the first row of every table for it. That of a list of particulars ("Landlord",
"Term") is its first particular, and a cell over the whole width is the table's title.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any

Names = dict[str, int | None]  # by the letters of a table's first rows: the row, from 0, or None
LOOKED_AT = 3  # first rows of a table
_ROWS, _CELLS = "./w:tr", "./w:tc"
_STYLES_WITH_HEADS = "./w:style[w:tblStylePr/@w:type='firstRow']/@w:styleId"
_STYLE_OF_HEAD = "./w:tblPr[w:tblLook/@w:firstRow='1']/w:tblStyle/@w:val"
_BOLD = "./w:rPr/w:b[not(@w:val='0') and not(@w:val='false')]"
_SHADE = "./w:tcPr/w:shd[not(@w:fill='auto') and not(@w:fill='FFFFFF')]"


def header_rows(content: bytes) -> Names:
    """For each table of a Word file, by `letters_of` its first rows, the row of its head."""
    from docx import Document
    from docx.oxml.ns import qn

    document = Document(BytesIO(content))
    heading = frozenset(document.styles.element.xpath(_STYLES_WITH_HEADS))
    found: Names = {}
    for table in document.element.body.iter(qn("w:tbl")):
        rows = table.xpath(_ROWS)[:LOOKED_AT]
        styled = bool(heading.intersection(table.xpath(_STYLE_OF_HEAD)))
        found[letters_of(_texts(rows))] = _header(rows, styled)
    return found


def letters_of(texts: Iterable[str]) -> str:
    """What tells a table from others, however its words are spaced."""
    return "".join("".join(texts).split())


def _texts(rows: Sequence[Any]) -> Iterator[str]:
    for row in rows:
        yield from (text.text or "" for text in row.xpath(".//w:t"))


def _header(rows: Sequence[Any], styled: bool) -> int | None:
    """The first row that is more than one cell; of two cells, where something sets it apart."""
    for at, row in enumerate(rows):
        cells = len(row.xpath(_CELLS))
        if cells > 1:
            named = styled or cells > 2 or _is_set_apart(row, rows[at + 1 :])
            return at if named else None
    return None


def _is_set_apart(row: Any, after: Sequence[Any]) -> bool:
    """Whether a row is repeated on every page, or bold or shaded as the next is not."""
    if row.xpath("./w:trPr/w:tblHeader"):
        return True
    return any(looks(row) and not looks(other) for other in after[:1] for looks in _LOOKS)


def _is_bold(row: Any) -> bool:
    runs = row.xpath(".//w:r[w:t]")
    return bool(runs) and all(run.xpath(_BOLD) for run in runs)


def _is_shaded(row: Any) -> bool:
    return all(cell.xpath(_SHADE) for cell in row.xpath(_CELLS))


_LOOKS = (_is_bold, _is_shaded)
