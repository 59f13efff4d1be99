"""Tables: columns with what they measure, rows with their cells in place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from docqa.types.period import NO_PERIOD, Period
from docqa.types.units import SCALE_NAMES

_Statement = Literal[
    "income statement",
    "comprehensive income",
    "balance sheet",
    "cash flow statement",
    "statement of equity",
]
TableRole = Literal["", _Statement, "rent roll", "operating statement", "key facts", "contents"]

STATEMENTS: tuple[TableRole, ...] = get_args(_Statement)
"""The primary financial statements, in the order of their usual presentation."""


SCALES = {scale: f"in {name}s" for scale, name in SCALE_NAMES.items()}


def _said(currency: str, unit: str, scale: int) -> str:
    """What is counted, in words; whose dollars "$" are, a table seldom says."""
    money, counted = (re.sub(r"^USD\b", "$", each) for each in (currency, unit))
    return ", ".join(filter(None, (money, counted, SCALES.get(scale, ""))))


_SCALED = re.compile(r"\b(?:thousand|million|billion)s?\b|[$€£¥]|\b000\b", re.IGNORECASE)
SUBTOTAL = "(subtotal)"
"""The label of a row that adds up those above it and is printed without one."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of values; that of the labels is not counted.

    ``path`` are the headings over it, outermost first. ``unit`` is "" for bare numbers and money,
    else "%", "shares", "sq ft", …; ``scale`` multiplies what is printed (1000 for thousands);
    ``currency`` is an ISO 4217 code, "" where it is not money or not known.
    """

    path: tuple[str, ...] = ()
    period: Period = NO_PERIOD
    unit: str = ""
    scale: int = 1
    currency: str = ""

    @property
    def heading(self) -> str:
        """
        >>> Column(("Years ended December 31,", "2022")).heading
        'Years ended December 31, 2022'
        """
        return " ".join(self.path)

    @property
    def name(self) -> str:
        """Its heading, with the period it is of where that stands elsewhere.

        >>> year = Period("year ended May 31, 2022", 12, 2022, 5, 31)
        >>> Column(("2022",), year).name, Column(("Years Ended May 31, 2022",), year).name
        ('2022 (year ended May 31, 2022)', 'Years Ended May 31, 2022')
        """
        period, heading = self.period.text, self.heading.casefold()
        if all(word in heading for word in period.casefold().split()):
            return self.heading
        return f"{self.heading} ({period})" if heading else period

    @property
    def measure(self) -> str:
        """What it is counted in, in brackets; "" where that is not known.

        >>> Column(("2022",), scale=1_000_000, currency="USD").measure
        ' ($, in millions)'
        """
        said = _said(self.currency, self.unit, self.scale)
        return f" ({said})" if said else ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: ``cells`` has a text for every column of its table, "" where it is blank.

    ``path`` are the labels above it that it stands under, outermost first. A row that only names
    a group has blank cells alone. ``block`` is the index of its block in the document, ``lines``
    those of the other lines that its label or cells run over. ``unit`` and ``scale`` hold in place
    of the columns' where the row says so itself ("Diluted earnings per share"), ``period`` where
    it is of a time of its own ("Balance at December 31, 2021").
    """

    label: str
    cells: tuple[str, ...]
    block: int
    path: tuple[str, ...] = ()
    period: Period = NO_PERIOD
    unit: str = ""
    scale: int = 0  # 0: as the column's
    lines: tuple[int, ...] = ()

    @property
    def blocks(self) -> tuple[int, ...]:
        """The indexes of all its blocks."""
        return tuple(sorted((self.block, *self.lines)))

    @property
    def is_group(self) -> bool:
        """Whether it only names the rows below it."""
        return not any(self.cells)

    @property
    def name(self) -> str:
        """
        >>> Row("Total", ("8",), 4, ("Current assets",)).name
        'Current assets › Total'
        """
        return " › ".join((*self.path, self.label))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document, as it was read, whole: it may go on over several ``pages``.

    ``number`` counts a document's tables from 1. ``caption`` is what is printed over it,
    ``section`` the heading path it stands under, ``role`` what it is known to be. ``heads`` and
    ``lead`` are the indexes of the blocks of its header rows, on every page where they stand,
    and of its caption and units; ``corner`` is what the header says over the labels ("Tenant");
    ``notes`` are the footnotes set under it, as printed.
    """

    document_id: str
    number: int
    pages: tuple[int, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    section: tuple[str, ...] = ()
    role: TableRole = ""
    heads: tuple[int, ...] = ()
    lead: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    corner: str = ""

    @property
    def title(self) -> str:
        """What it is called: its caption, else the innermost heading over it, else its role."""
        return self.caption or next(iter(self.section[-1:]), "") or self.role

    @property
    def header(self) -> str:
        """Its columns in a line: what its labels are, what all columns are counted in and the one
        time they are of, then the headings of each and what is its own.

        >>> years = [Column((year,), scale=1000, currency="USD") for year in ("2023", "2022")]
        >>> Table("a", 1, (3,), tuple(years), (), corner="Line").header
        'Line ($, in thousands) | 2023 | 2022'
        >>> day = Period("May 31, 2022", 0, 2022, 5, 31)
        >>> roll = [Column((name,), day) for name in ("Tenant", "Rent")]
        >>> Table("a", 1, (3,), tuple(roll), (), corner="Unit").header
        'Unit (May 31, 2022) | Tenant | Rent'
        """
        measures = [column.measure for column in self.columns]
        shared = measures[0] if len(set(measures)) == 1 else ""
        own = ["" if shared else measure for measure in measures]
        when = self._one_time
        told = f" ({when})" if when else ""
        named = [f"{name}{of}" for name, of in zip(self._names, own, strict=True)]
        corner = "" if _SCALED.search(self.corner) else self.corner
        return " | ".join((f"{corner}{shared}{told}".strip(), *named))

    @property
    def _one_time(self) -> str:
        """The time that several columns are all of and none is called by, "" for none."""
        times = {column.period.text for column in self.columns if column.period.text}
        called = any(column.name == column.heading for column in self.columns if column.period.text)
        return times.pop() if len(times) == 1 < len(self.columns) and not called else ""

    @property
    def _names(self) -> list[str]:
        """What its columns are called, without the one time that they are all of."""
        when = self._one_time
        return [column.heading if when else column.name for column in self.columns]

    @property
    def blocks(self) -> frozenset[int]:
        """The indexes of all its blocks but those that only lead to it."""
        return frozenset((*self.heads, *(block for row in self.rows for block in row.blocks)))

    def row(self, block: int) -> Row | None:
        """The row made of that block; None where it is a header row, or of no row here."""
        return next((row for row in self.rows if block in row.blocks), None)

    def spelled_out(self, row: Row) -> str:
        """A row with what each of its figures is of.

        >>> years = [Column((year,), scale=1000, currency="USD") for year in ("2023", "2022")]
        >>> row = Row("Net sales", ("8", "7"), 4)
        >>> Table("a", 1, (3,), tuple(years), (row,)).spelled_out(row)
        'Net sales: 8 (2023), 7 (2022); $, in thousands'
        """
        filled = [at for at, cell in enumerate(row.cells) if cell]
        said = [_said("", self.unit_of(row, at), self.scale_of(row, at)) for at in filled]
        shared = said[0] if len(set(said)) == 1 else ""
        cells, names = [], self._names
        for at, own in zip(filled, said, strict=True):
            of = ", ".join(filter(None, (names[at], "" if shared else own)))
            cells.append(f"{row.cells[at]} ({of})" if of else row.cells[at])
        line = f"{row.name}: {', '.join(cells)}" if cells else row.name
        return "; ".join(filter(None, (line, shared, self._one_time if cells else "")))

    def unit_of(self, row: Row, column: int) -> str:
        """What a cell is counted in: its own "%", else the row's unit, its column's or currency."""
        if row.cells[column].rstrip(") ").endswith("%") or self.columns[column].unit == "%":
            return "%"
        return row.unit or self.columns[column].unit or self.columns[column].currency

    def scale_of(self, row: Row, column: int) -> int:
        """What a cell's number is multiplied by."""
        if self.unit_of(row, column) == "%":
            return 1
        return row.scale or (1 if row.unit else self.columns[column].scale)

    def period_of(self, row: Row, column: int) -> Period:
        """The column's period, completed by the row's, which holds where the column has none."""
        period, own = self.columns[column].period, row.period
        if not period.year:
            return own
        if period.month or own.year or not own.month:
            return period
        return replace(period, months=own.months, month=own.month, day=own.day)


Tables = Mapping[str, tuple[Table, ...]]
"""The tables of documents, by document id."""
