"""Excel workbooks to Blocks: the rows of every sheet as Excel shows them, with their numbers.

Formulas are not calculated: what stands in a cell is the value that was saved with it. Nothing in
the file is run, and nothing outside it is asked for.
"""

import re
import struct
import warnings
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from docqa.errors import ReadingFailed
from docqa.ingest.geometry.cells import YEAR, is_dash, is_figure
from docqa.ingest.geometry.text import clean
from docqa.ingest.office.number_format import shown
from docqa.ingest.reading.parse import row_block
from docqa.language.numbers import stated_scale
from docqa.language.periods import dates_in
from docqa.types.document import NOWHERE, Block, Cell

ROWS = 400  # of a sheet on one page; a longer sheet has several
HEADERS = 3  # rows at most that name a table's columns
_WRITTEN = re.compile(r"\d,\d{3}|\d\.\d|%")  # in a text that is a number, and no code
_LONGEST_TITLE = 31  # letters of a sheet's name, of which some may not be in it
_NOT_IN_TITLES = str.maketrans(dict.fromkeys("[]:*?/\\", " "))
_FEWEST_DAYS = 2  # that name columns
TITLE = 80  # characters of a row that heads what follows
MERGED = 200_000  # cells that merged ranges may cover; each takes about 500 bytes
SPANNED = 2_000  # rows and columns at most over which one merged cell is told
# What openpyxl ends in over a file that is not what it should be.
_BROKEN = (
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    OSError,
    SyntaxError,  # of XML
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class Section:
    """What counts as a page: how it is called, its blocks, and what is to be known of it."""

    name: str
    blocks: tuple[Block, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Row:
    """What is written in one row, the widest merged cells included."""

    number: int  # from 1, as on the sheet
    cells: tuple[Cell, ...]
    figures: frozenset[int]  # columns in which a number or a date stands that is no year
    emphasized: frozenset[int]  # those whose text is bold
    notes: tuple[str, ...] = ()  # on its cells

    @property
    def numeric(self) -> bool:
        return bool(self.figures)

    @property
    def bold(self) -> bool:
        return all(cell.column in self.emphasized for cell in self.cells)

    @property
    def texts(self) -> list[str]:
        return [cell.text for cell in self.cells]


def read(path: Path, name: str) -> list[Section]:
    """Every sheet in the order of the workbook, hidden ones too. Raises `ReadingFailed`."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_merged(archive, name)
        return list(_sheets(path))
    except _BROKEN as error:
        reason = "it is damaged or not what its name says"
        raise ReadingFailed(name, reason=reason) from error


def _check_merged(archive: zipfile.ZipFile, name: str) -> None:
    """A merged range is a few letters in the file, and openpyxl makes an object of every cell."""
    covered = 0
    for markup in _markup(archive):
        for found in re.finditer(rb'<(?:\w+:)?mergeCell [^>]*ref="([^"]*)"', markup):
            covered += _size(found[1].decode("ascii", "replace"))
    if covered > MERGED:
        raise ReadingFailed(name, reason=f"more than {MERGED:,} of its cells are merged")


def _markup(archive: zipfile.ZipFile) -> Iterator[bytes]:
    """The XML of each sheet."""
    for member in archive.namelist():
        if member.startswith("xl/worksheets/") and member.endswith(".xml"):
            yield archive.read(member)


def _size(reference: str) -> int:
    from openpyxl.utils.cell import range_boundaries  # type: ignore[import-untyped]

    left, top, right, bottom = range_boundaries(reference)
    return int((right - left + 1) * (bottom - top + 1))


def _sheets(path: Path) -> Iterator[Section]:
    import openpyxl  # type: ignore[import-untyped]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of extensions that openpyxl leaves out
        book = openpyxl.load_workbook(path, data_only=True, keep_links=False)
    return _sections(book, _without_value(path, book))


def of_values(rows: Iterable[Sequence[int | str]], title: str) -> list[Section]:
    """Rows of values as those of the one sheet of a workbook."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title.translate(_NOT_IN_TITLES)[:_LONGEST_TITLE].strip() or "Values"
    for number, row in enumerate(rows, start=1):
        for column, value in enumerate(row, start=1):
            if value != "":
                sheet.cell(number, column).value = value
    return list(_sections(book, Counter()))


def _sections(book: Any, missing: Counter[str]) -> Iterator[Section]:
    """The sheets, ``missing`` being how many formulas of each have no value saved with them."""
    tables = 0
    for title in book.sheetnames:
        sheet = book[title]
        if not hasattr(sheet, "merged_cells"):
            yield Section(_name(sheet), (), ("a chart, which is not read",))
            continue
        rows = list(_rows(sheet))
        remarks = (*_hidden(sheet), *_uncalculated(missing[title]))
        parts = [rows[at : at + ROWS] for at in range(0, len(rows), ROWS)] or [[]]
        for at, part in enumerate(parts):
            blocks = tuple(_blocks(sheet, part, tables, headed=at == 0))
            tables = max([tables, *(block.table for block in blocks)])
            rows_of_it = f", rows {part[0].number}–{part[-1].number}" if len(parts) > 1 else ""
            yield Section(f"{_name(sheet)}{rows_of_it}", blocks, remarks)
            remarks = ()


def _name(sheet: Any) -> str:
    hidden = "" if sheet.sheet_state == "visible" else " (hidden)"
    return f"sheet “{clean(sheet.title)}”{hidden}"


def _rows(sheet: Any) -> Iterator[_Row]:
    """The rows in which something is written.

    Over the cells that are there: to go through every row and column up to the last makes openpyxl
    create the cells between, and one stray blank can make those millions.
    """
    spans, above = _merged(sheet)
    written = sorted((at, cell) for at, cell in sheet._cells.items() if cell.value is not None)
    for number, row in groupby(written, key=lambda pair: pair[0][0]):
        found = [(cell, text) for _, cell in row if (text := _shown(cell))]
        if found:
            own = [Cell(text, c.column - 1, spans.get((number, c.column), 1)) for c, text in found]
            yield _Row(
                number,
                tuple(sorted((*above[number], *own), key=lambda cell: cell.column)),
                frozenset(cell.column - 1 for cell, text in found if _is_figure(cell, text)),
                frozenset(cell.column - 1 for cell, _ in found if cell.font.b),
                notes=tuple(clean(str(c.comment.text)) for c, _ in found if c.comment),
            )


def _is_figure(cell: Any, text: str) -> bool:
    """Whether a cell holds a number or a date, and no year; a text may be written as one."""
    if isinstance(cell.value, str):
        return is_figure(text) and _WRITTEN.search(text) is not None
    return not isinstance(cell.value, bool) and not YEAR.match(text)


@lru_cache(maxsize=None, typed=True)  # True equals 1, and is shown otherwise
def _plain_number(value: Any, code: str) -> str:
    return clean(shown(value, code))


def _shown(cell: Any) -> str:
    if isinstance(cell.value, str):
        return clean(shown(cell.value, cell.number_format))
    try:
        return _plain_number(cell.value, cell.number_format)
    except TypeError:  # what cannot be hashed is no plain value: the text of an array's formula
        return clean(str(getattr(cell.value, "text", cell.value)))


def _merged(sheet: Any) -> tuple[dict[tuple[int, int], int], defaultdict[int, list[Cell]]]:
    """The columns of merged cells by row and column, and by row what reaches down to it."""
    spans: dict[tuple[int, int], int] = {}
    above = defaultdict[int, list[Cell]](list)
    for each in sheet.merged_cells.ranges:
        left, top, right, bottom = each.bounds
        spans[(top, left)] = min(right - left + 1, SPANNED)
        corner = sheet.cell(top, left)
        text = _shown(corner) if corner.value is not None else ""
        if text:
            for row in range(top + 1, min(bottom, top + SPANNED) + 1):
                above[row].append(Cell(text, left - 1, spans[(top, left)]))
    return spans, above


def _blocks(sheet: Any, rows: Sequence[_Row], tables: int, *, headed: bool) -> Iterator[Block]:
    """The sheet's name, then its rows: those that follow one another are a table."""
    place = _name(sheet)
    if headed and rows:
        yield Block(clean(sheet.title), 0, NOWHERE, kind="heading", level=1, place=place)
    for table in _tables(rows):
        tables += 1
        yield from _table(table, tables, place)
    yield from _notes(rows, place)


def _tables(rows: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    """The rows that are a table each: they follow one another, and nothing stands beside them."""
    for together in _together(rows):
        parts = _beside(together)
        if len(parts) == 1:
            yield from _stacked(together)
        else:
            for part in parts:
                yield from _tables(part)


def _together(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """Rows with no blank one among them, or with one that only sets a head off from its figures."""
    head: list[_Row] = []
    for _, run in groupby(enumerate(rows), key=lambda pair: pair[1].number - pair[0]):
        found = [row for _, row in run]
        if head and not _are_under(found, head):
            yield head
            head = []
        found = [*head, *found]
        head = found if _is_head_alone(found) else []
        if not head:
            yield found
    if head:
        yield head


def _is_head_alone(rows: Sequence[_Row]) -> bool:
    """Whether rows can be no more than the names of columns."""
    names = rows[_titles(rows) :]
    return 0 < len(names) < HEADERS and all(not row.numeric or _are_times(row) for row in names)


def _are_times(row: _Row) -> bool:
    """Whether a row has no label, and what counts as a figure of it are dates."""
    return row.cells[0].column > 0 and row.figures <= _days(row)


def _are_under(rows: Sequence[_Row], head: Sequence[_Row]) -> bool:
    """Whether rows have no head of their own, and each of their figures stands under a name.

    Of two words the first may be a label like theirs ("Borrower | Acme"), unless in bold.
    """
    own = rows[_titles(rows) :]
    named = {at for row in head for c in row.cells for at in range(c.column, c.column + c.span)}
    fact = _are_pairs([*head[_titles(head) :], *own]) and not head[-1].bold
    return bool(own) and own[0].numeric and own[0].figures <= named and not fact


def _stacked(rows: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    """Tables under one another with no blank row between them, each with a head of its own."""
    start = 0
    for at in range(2, len(rows) - 1):
        if _begins_another(rows[start:at], rows[at], rows[at + 1]):
            yield rows[start:at]
            start = at
    yield rows[start:]


def _begins_another(above: Sequence[_Row], row: _Row, below: _Row) -> bool:
    """Whether a row names anew what the columns of figures above and below it are.

    It has a word of its own for each of them, and nothing or a scale over the labels or a look that
    the next lacks: words alone may also be those of a row, as "Tenure | Freehold | Leasehold".
    """
    label = row.cells[0].text if row.cells[0].column < min(below.figures, default=0) else ""
    names = row.texts[1:] if label else row.texts
    columns = {cell.column for cell in row.cells[-len(names) :]} if names else set()
    if row.numeric or len(names) < 2 or len(set(names)) < len(names) or columns != below.figures:
        return False
    apart = not label or stated_scale(label)[0] > 1 or (row.bold and not below.bold)
    return apart and any(each.figures & columns for each in above)


def _beside(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Two tables side by side, a blank column between them; rows of one table as they are.

    A lone text over the first of several cells is a title, which may reach over blank columns.
    """
    below = [row for at, row in enumerate(rows) if any(len(r.cells) > 1 for r in rows[: at + 1])]
    filled = {
        column for row in below for c in row.cells for column in range(c.column, c.column + c.span)
    }
    for first in sorted(filled):
        if first - 1 not in filled and first > min(filled):
            left, right = _within(rows, 0, first), _within(rows, first, max(filled) + 1)
            if _is_of_its_own(right, left):
                return [left, right]
    return [list(rows)]


def _within(rows: Sequence[_Row], first: int, end: int) -> list[_Row]:
    """What the rows hold in some columns, counted from 0 again."""
    found = []
    for row in rows:
        cells = [replace(c, column=c.column - first) for c in row.cells if first <= c.column < end]
        figures, bold = (
            frozenset(column - first for column in each if first <= column < end)
            for each in (row.figures, row.emphasized)
        )
        if cells:
            found.append(_Row(row.number, tuple(cells), figures, bold))
    return found


def _is_of_its_own(right: Sequence[_Row], left: Sequence[_Row]) -> bool:
    """Whether what stands to the right of a table is another one, and not more columns of it.

    It has figures with a label each, and names its columns as the other does, or has a title over
    it, and other rows or the same labels.
    """
    figures, others = ([row for row in part if row.numeric] for part in (right, left))
    labelled = all(row.cells[0].column == 0 and 0 not in row.figures for row in figures)
    if not (figures and others and labelled):
        return False
    beside = {row.number: row.texts for row in left if len(row.cells) > 1}
    if any(beside.get(row.number) == row.texts for row in right if not row.numeric):
        return True
    ends, others_ends = ((part[0].number, part[-1].number) for part in (figures, others))
    labels, other_labels = ({row.texts[0] for row in part} for part in (figures, others))
    titled = len(right[0].cells) == 1 and not right[0].numeric and not right[0].cells[0].column
    return titled and (ends != others_ends or labels <= other_labels)


def _table(rows: Sequence[_Row], number: int, place: str) -> Iterator[Block]:
    """Rows without a blank one among them: what heads them, the columns' names, the rest."""
    titles = _titles(rows)
    for row in rows[:titles]:
        yield _title(row, place, alone=titles == len(rows))
    headers = _headers(rows[titles:])
    for at, row in enumerate(rows[titles:]):
        block = row_block(row.cells, number, page=0, box=NOWHERE, column_header=at < headers)
        yield replace(block, place=place, row=row.number)


def _titles(rows: Sequence[_Row]) -> int:
    """How many of the first rows have one cell, which is not merged over columns beside labels."""
    labels = min((row.cells[0].column for row in rows), default=0)
    heads = (
        at
        for at, row in enumerate(rows)
        if len(row.cells) > 1 or (row.cells[0].span > 1 and row.cells[0].column > labels)
    )
    return next(heads, len(rows))


def _title(row: _Row, place: str, *, alone: bool) -> Block:
    """A row with one cell that is written before a table, or with none after it."""
    text = row.cells[0].text
    if row.bold and not row.numeric and len(text) <= TITLE:
        return Block(text, 0, NOWHERE, kind="heading", level=2, place=place, row=row.number)
    kind = "text" if alone else "caption"
    return Block(text, 0, NOWHERE, kind=kind, place=place, row=row.number)  # type: ignore[arg-type]


def _headers(rows: Sequence[_Row]) -> int:
    """How many rows name the columns: those without a figure above the first that has one.

    Of pairs of a label and what it says, the first names columns only where it is set apart in
    bold, or all below it are figures: "Borrower | Acme" before "Loan | 500" is a fact like it.
    """
    numeric = (at for at, row in enumerate(rows) if row.numeric and not _names_days(rows, at))
    first = next(numeric, None)
    while first and first > 1 and _names_a_group(rows[first - 1]):
        first -= 1
    filled = [at for at in range(1, first or 0) if _is_filled_in(rows[at], rows[at - 1])]
    first = next(iter(filled), first)
    pairs = [row for row in rows if len(row.cells) > 1]
    if rows and _are_pairs(rows):
        apart = rows[0].bold and not all(row.bold for row in pairs)
        alike = all(row.numeric for row in pairs[1:])
        return int(first != 0 and len(pairs) > 1 and (apart or alike))
    if first is None:
        return min(1, max(len(rows) - 1, 0))
    return first if first <= HEADERS else 1


def _names_days(rows: Sequence[_Row], at: int) -> bool:
    """Whether all figures of a row are days, over columns of figures that are none."""
    row, below = rows[at], next((each for each in rows[at + 1 :] if each.numeric), None)
    if below is None or len(row.figures) < _FEWEST_DAYS or not row.figures <= _days(row):
        return False
    return len(row.figures & below.figures - _days(below)) * 2 > len(row.figures)


def _days(row: _Row) -> frozenset[int]:
    return frozenset(cell.column for cell in row.cells if dates_in(cell.text))


def _names_a_group(row: _Row) -> bool:
    """Whether a row is the title of those below it, and names no column."""
    return len(row.cells) == 1 and not row.cells[0].column


def _is_filled_in(row: _Row, above: _Row) -> bool:
    """Whether a row without figures is no more of a head: a dash stands for one, or it fills all
    columns that the row above names in bold, and is not."""
    if any(map(is_dash, row.texts)):
        return True
    return above.bold and not row.emphasized and len(row.cells) == len(above.cells)


def _are_pairs(rows: Sequence[_Row]) -> bool:
    """Whether rows are in two columns, with a label in each."""
    columns = {cell.column for row in rows for cell in row.cells}
    return len(columns) == 2 and all(row.cells[0].column == min(columns) for row in rows)


def _notes(rows: Sequence[_Row], place: str) -> Iterator[Block]:
    """What was noted on cells, after the rows they stand in."""
    for row in rows:
        for text in filter(None, row.notes):
            yield Block(text, 0, NOWHERE, kind="footnote", place=place, row=row.number)


# What is to be known


def _hidden(sheet: Any) -> Iterator[str]:
    if sheet.sheet_state != "visible":
        yield "hidden in Excel"
    rows = sum(1 for each in sheet.row_dimensions.values() if each.hidden)
    columns = sum(1 for each in sheet.column_dimensions.values() if each.hidden)
    for count, what in ((rows, "rows"), (columns, "groups of columns")):
        if count:
            yield f"{what} hidden in Excel were read too ({count})"


def _uncalculated(count: int) -> Iterator[str]:
    if count:
        formulas = "one formula" if count == 1 else f"{count:,} formulas"
        yield (
            f"{formulas} without a value: the file was saved without calculating; open it in "
            "Excel, save it, and add it again"
        )


def _without_value(path: Path, book: Any) -> Counter[str]:
    """How many cells of each sheet have a formula and no value that was saved with it."""
    missing: Counter[str] = Counter()
    if not _has_formulas(path):
        return missing
    import openpyxl

    with closing(openpyxl.load_workbook(path, read_only=True, keep_links=False)) as formulas:
        for sheet in formulas.worksheets:
            values = book[sheet.title]
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.value is not None and cell.data_type == "f":
                        empty = values.cell(cell.row, cell.column).value is None
                        missing[sheet.title] += empty
    return missing


def _has_formulas(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        return any(re.search(rb"<(?:\w+:)?f[\s/>]", markup) for markup in _markup(archive))
