"""One table as comma-separated values, in UTF-8 marked as spreadsheets want it."""

import csv
import io
import re

from docqa.present.as_text import line
from docqa.present.document import Cell, Number, Table, Uncertain, cell_text

_NUMBER = re.compile(r"[-+][\d.,\s%$€£]+")
_FORMULA = re.compile(r"[=+\-@\t\r]")


def to_csv(table: Table) -> bytes:
    """The header in small letters ("printed_page"), then the rows; no cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(line(name).lower().replace(" ", "_").replace("-", "") for name in table.header)
    for row in table.rows:
        writer.writerow(_value(cell) for cell in row)
    return b"\xef\xbb\xbf" + out.getvalue().encode(errors="replace")


def _value(cell: Cell) -> str:
    if isinstance(cell, Uncertain):
        return _value(cell.value)
    return f"{cell.value:f}" if isinstance(cell, Number) else harmless(line(cell_text(cell)))


def harmless(cell: str) -> str:
    """A cell no spreadsheet takes for a formula; negative numbers stay as they are.

    >>> harmless("=1+1"), harmless("-5.2%"), harmless("(1,200)")
    ("'=1+1", '-5.2%', '(1,200)')
    """
    if _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}" if _FORMULA.match(cell) else cell
