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

from docqa.present.as_text import line
from docqa.present.document import (
    Cell,
    Number,
    Percent,
    Table,
    Words,
    cell_text,
    runs,
    spread,
)
from docqa.present.printable import printable

LONGEST = 32_767  # characters a cell may hold
DIGITS = 15
WIDTHS = (8, 60)  # characters, of a column
_SYMBOLS = {"USD": '"$"', "EUR": '"€"', "GBP": '"£"'}
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")


def to_xlsx(tables: Sequence[Table]) -> bytes:
    """A sheet for each table; its header, in bold, and its first column are always in sight."""
    from openpyxl import Workbook  # type: ignore[import-untyped]

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
    from openpyxl.styles import Alignment, Font  # type: ignore[import-untyped]
    from openpyxl.utils import get_column_letter  # type: ignore[import-untyped]

    for n, row in enumerate((table.header, *table.rows), start=1):
        for m, cell in enumerate(row, start=1):
            _write(sheet.cell(n, m), cell)
            sheet.cell(n, m).alignment = Alignment(vertical="top", wrap_text=True)
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = "B2"
    sheet.page_setup.orientation = "landscape"
    sheet.print_title_rows, sheet.print_title_cols = "1:1", "A:A"
    for m, column in enumerate(zip(table.header, *table.rows, strict=True), start=1):
        sheet.column_dimensions[get_column_letter(m)].width = _width(column)


def _width(column: Sequence[Cell]) -> int:
    least, most = WIDTHS
    longest = max(len(each) for cell in column for each in line(cell_text(cell)).split("\n"))
    return max(least, min(most, longest + 2))


def _write(place: Any, cell: Cell) -> None:
    match cell:
        case Number(value, unit) if _digits(value) <= DIGITS:
            place.value, place.number_format = value, _format(value, unit)
        case Percent(value):
            place.value, place.number_format = value, "0.0%"
        case date() if cell.year >= 1900:
            place.value, place.number_format = cell, "yyyy-mm-dd"
        case _:
            _write_text(place, _text(cell))
            place.hyperlink = _link(cell)


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
    value = f"{cell.value:f}" if isinstance(cell, Number) else line(cell_text(cell))
    text = printable(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 2]} …"


def _digits(value: Decimal) -> int:
    return len(f"{value:f}".strip("-").replace(".", ""))


def _format(value: Decimal, unit: str) -> str:
    """Thousands apart, as many decimals as there are, the currency or per cent."""
    exponent = value.as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    number = "#,##0" + ("." + "0" * decimals if decimals else "")
    return f'{number}"%"' if unit == "%" else _SYMBOLS.get(unit, "") + number
