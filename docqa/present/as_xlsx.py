"""Tables as an Excel workbook, written by openpyxl: numbers and dates typed, all else as text.

No text is ever a formula, whatever it begins with. A number of more than 15 digits goes as text,
as a spreadsheet would round it, and so does a date before 1900, which Excel does not know.
"""

import io
import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from openpyxl import Workbook  # type: ignore[import-untyped]
from openpyxl.styles import Alignment, Font, PatternFill  # type: ignore[import-untyped]
from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

from docqa.present.as_text import line
from docqa.present.document import (
    POINTS,
    Cell,
    Number,
    Percent,
    Table,
    Text,
    Uncertain,
    Words,
    cell_text,
    printable,
    runs,
    spread,
)
from docqa.types.units import is_currency

LONGEST = 32_767  # characters a cell may hold
DIGITS = 15
WIDTHS = (8, 60)  # characters, of a column
LINE, TALLEST = 15, 409  # points, of a row: for each of its lines, and at most
LINK = "Open"  # what stands in place of an address
A4, ACROSS = 9, 270  # characters of columns that are printed side by side
_SYMBOLS = {"USD": '"$"', "EUR": '"€"', "GBP": '"£"'}
_AFTER = {"%": '"%"', "x": '"x"', POINTS: '" pts"'}
_DOUBT = "FFF2CC"  # under what is uncertain
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")


def to_xlsx(tables: Sequence[Table]) -> bytes:
    """A sheet for each table; its header, in bold, and its first column are always in sight."""
    book = Workbook()
    book.remove(book.active)
    book.properties.creator = "docqa"
    for table in tables:
        title = _NOT_IN_TITLES.sub(" ", printable(table.title))[:31]
        _fill(book.create_sheet(title), spread(table))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fill(sheet: Any, table: Table) -> None:
    rows = (table.header, *table.rows)
    widths = [_width(name, cells) for name, *cells in zip(*rows, strict=True)]
    for n, row in enumerate(rows, start=1):
        for m, cell in enumerate(row, start=1):
            _write(sheet.cell(n, m), cell)
        # a program that is not Excel takes a row without a height for one of a single line
        lines = max(map(_lines, row, widths))
        sheet.row_dimensions[n].height = min(TALLEST, LINE * lines)
    for m, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(m)].width = width
    _set_up(sheet, pages=1 + sum(widths) // ACROSS)


def _set_up(sheet: Any, *, pages: int) -> None:
    """A header that stands out and filters, in sight here and on paper, ``pages`` side by side."""
    for row in sheet.iter_rows():
        for cell in row:
            cell.alignment = Alignment(vertical="top", wrap_text=True)
    for cell in sheet[1]:
        cell.font, cell.fill = Font("Calibri", 11, bold=True), PatternFill("solid", "DCE6F1")
    sheet.freeze_panes, sheet.auto_filter.ref = "B2", sheet.dimensions
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", A4
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = pages, 0  # as long as it takes
    sheet.print_title_rows, sheet.print_title_cols = "1:1", "A:A"
    sheet.oddFooter.center.text = "&A, &P / &N"


def _width(name: Text, cells: Sequence[Cell]) -> int:
    """A column's width: its longest line, and the longest word of its name, which may break."""
    least, most = WIDTHS
    lines = [each for cell in cells for each in _shown(cell).split("\n")]
    return max(least, min(most, 2 + max(map(len, (*lines, *line(name).split())))))


def _lines(cell: Cell, width: int) -> int:
    """How many lines a cell takes in a column."""
    return sum(1 + len(each) // (width - 1) for each in _shown(cell).split("\n"))


def _shown(cell: Cell) -> str:
    text = line(cell_text(cell))
    return LINK if text and text == _link(cell) else text


def _write(place: Any, cell: Cell) -> None:
    match cell:
        case Uncertain(value):
            _write(place, value)
            place.font, place.fill = Font("Calibri", 11, i=True), PatternFill("solid", _DOUBT)
        case Number(value, unit) if _digits(value) <= DIGITS:
            place.value, place.number_format = value, _format(value, unit)
        case Percent(value):
            place.value, place.number_format = value, "0.0%"
        case date() if cell.year >= 1900:
            place.value, place.number_format = cell, "yyyy-mm-dd"
        case _:
            _write_text(place, _text(cell))
            if link := _link(cell):
                place.hyperlink, place.font = link, Font("Calibri", 11, u="single", color="0563C1")


def _link(cell: Cell) -> str | None:
    return next(
        (each.link for each in runs(cell_text(cell)) if isinstance(each, Words) and each.link), None
    )


def _write_text(place: Any, text: str) -> None:
    """Text that stays text, also once someone edits it in Excel."""
    place.value = text or None
    if text:
        place.data_type = "s"
        place.quotePrefix = text.startswith(("=", "+", "-", "@"))


def _text(cell: Cell) -> str:
    value = f"{cell.value:f}" if isinstance(cell, Number) else _shown(cell)
    text = printable(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]} …"


def _digits(value: Decimal) -> int:
    return len(f"{value:f}".strip("-").replace(".", ""))


def _format(value: Decimal, unit: str) -> str:
    """Thousands apart, as many decimals as there are, the unit: "£"#,##0"/year", 0" months"."""
    exponent = value.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    number = "#,##0" + ("." + "0" * decimals if decimals else "")
    money, _, each = unit.replace('"', "").partition("/")
    if is_currency(money):
        return _SYMBOLS.get(money, f'"{money} "') + number + (f'"/{each}"' if each else "")
    named = "/".join(filter(None, (money, each)))
    return number + (_AFTER.get(named) or (f'" {named}"' if named else ""))
