"""Figures in the rows of tables: row label, column period, unit and scale."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.language.amounts import Amount, date_value, measured_amounts
from docqa.language.labels import MARKET, is_of_the_market
from docqa.language.periods import periods_in
from docqa.types.comparison import Figure
from docqa.types.document import Block, Document
from docqa.types.period import NO_PERIOD, Period
from docqa.types.table import STATEMENTS, SUBTOTAL, Column, Row, Table
from docqa.types.units import is_currency

_PAREN = re.compile(r"\(([^()]*)\)")
_MANY_YEARS = re.compile(r"(?:(?:19|20)\d\d\W+)+(?:19|20)\d\d")
_STATEMENT = re.compile(
    r"\bbalance sheets?\b|\bincome statements?\b|\bprofit and loss\b|\bstatements? of (?:\w+ ){0,3}"
    r"(?:income|operations|earnings|financial (?:position|condition)|cash flows?|profit)",
    re.IGNORECASE,
)
# Statements and tables of a part of the group only, which are not the document's own.
_OF_A_PART = re.compile(
    r"\bparent(?: company)?(?: only)?\b|\bguarant(?:ee|or)s?\b|\bobligors?\b|\bconsolidating\b"
    r"|\bcombining\b|\bpro[ -]?forma\b|\bheld for sale\b|\bdiscontinued\b",
    re.IGNORECASE,
)
# Sections that say where in a statement a row stands, and no more of what it is.
_STATEMENT_PART = re.compile(
    r"(?:(?:non-?|other |long-term )?(?:current )?(?:assets|liabilities)"
    r"|(?:liabilities and )?(?:share|stock)?(?:holders|owners)['’]s? equity|equity"
    r"|(?:cash flows? )?(?:from |[-–—] )?(?:operating|investing|financing) activities)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Side:
    """A document with its blocks by their index, and its tables."""

    document: Document
    blocks: Mapping[int, Block]
    tables: Sequence[Table]

    @property
    def has_statements(self) -> bool:
        """Whether it has a primary statement; some earnings releases have that of income alone."""
        return any(table.role in STATEMENTS for table in self.tables)

    def printed(self, row: Row) -> tuple[Block, ...]:
        """The blocks of a row."""
        return tuple(self.blocks[index] for index in row.blocks if index in self.blocks)


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell: its row, the row's block, and the column."""

    document: Document
    table: Table
    row: Row
    block: Block
    at: int

    @property
    def column(self) -> Column:
        return self.table.columns[self.at]

    @property
    def text(self) -> str:
        return self.row.cells[self.at]


def table_figures(
    document: Document, blocks: Sequence[Block], tables: Sequence[Table]
) -> list[Figure]:
    """The figures of every row of the tables that is among a document's ``blocks``, in order."""
    known = {block.index: block for block in blocks}
    return [
        figure
        for table in tables
        if table.role != "contents"
        for figure in _of_table(document, table, known)
    ]


def _of_table(document: Document, table: Table, blocks: dict[int, Block]) -> Iterator[Figure]:
    titles = " ".join((*table.section[-1:], table.caption, table.corner))
    over = table.section[-1] if table.section else ""
    part = over if _OF_A_PART.search(over) else MARKET if is_of_the_market(over) else ""
    part = part or ("Rent roll" if table.role == "rent roll" else "")
    own = Counter(row.label for row in table.rows)
    statement = not _OF_A_PART.search(titles) and (
        table.role in STATEMENTS or _STATEMENT.search(titles) is not None
    )
    for row in table.rows:
        block = blocks.get(row.block)
        if block is None or not row.label or row.label == SUBTOTAL or _is_value(row.label):
            continue
        named = " › ".join(filter(None, (part, _group(row, own[row.label]), row.label)))
        for at, text in enumerate(row.cells):
            if text:
                place = _Place(document, table, row, block, at)
                yield from _figure(place, named, statement=statement)


def _group(row: Row, times: int) -> str:
    """The innermost group a row stands in, where it says more of what the row is."""
    over = row.path[-1] if row.path else ""
    is_total = re.match(r"total\b", row.label, re.IGNORECASE)
    return "" if is_total or (times == 1 and _STATEMENT_PART.fullmatch(over)) else over


def _is_value(text: str) -> bool:
    amounts = measured_amounts(text)
    return bool(amounts) and amounts[0].end - amounts[0].start >= len(text.strip()) - 2


def _figure(place: _Place, label: str, *, statement: bool) -> Iterator[Figure]:
    heading = place.column.heading
    dated = bool(periods_in(heading))
    period = place.column.period if dated else NO_PERIOD
    label, own = without_period(label)
    if not period.year:
        period = own if own.year else place.row.period
    measure = _without_units(heading)
    if _MANY_YEARS.fullmatch(measure):
        return  # heads that were read into one another tell nothing
    if len(place.table.columns) > 1 and measure and not (dated and place.column.period.year):
        label = f"{label}, {measure}"
    read = cell_value(place.table, place.row, place.at)
    if read is None:
        return
    value, unit = read
    document = place.document
    said = "" if unit == "date" else period.text
    yield Figure(
        label, said, value, unit, place.text, document.id, document.name, place.block,
        statement=statement,
    )  # fmt: skip


def without_period(label: str) -> tuple[str, Period]:
    """ "Net operating income, 2024" as its label and its period."""
    found = [p for p in periods_in(label) if not label[p.stop :].strip(" )")]
    if not found:
        return label, NO_PERIOD
    bare = label[: found[0].start].rstrip(" ,(-–:")
    return re.sub(r"\s+(?:for|in|at|as of)$", "", bare), found[0]


def _without_units(header: str) -> str:
    return " ".join(_PAREN.sub(" ", header).split()).strip(" ,:")


def cell_value(table: Table, row: Row, at: int) -> tuple[Decimal, str] | None:
    """The value of a row's cell, with its scale, and its unit; None where it has none.

    A date is the number YYYYMMDD, of the unit "date".
    """
    text = row.cells[at]
    if (day := date_value(text)) is not None:
        return day, "date"
    amount = amount_of(text)
    return _scaled(amount, table, row, at) if amount else None


def amount_of(text: str) -> Amount | None:
    """The number that a cell is about: its first, where it stands at the beginning.

    A cell of words with a number somewhere in them is no figure, nor are two bare numbers
    ("1998 / 2019", "400-500").
    """
    amounts = measured_amounts(text)
    if not amounts or len(text) > 120 or amounts[0].start > 1:
        return None
    bare = [amount for amount in amounts if not amount.unit]
    return None if len(bare) > 1 or re.match(r"\d+\s?[-–/]\s?\d", text) else amounts[0]


def _scaled(amount: Amount, table: Table, row: Row, at: int) -> tuple[Decimal, str]:
    """The value with its scale, and its unit from the cell, the row or the column."""
    told = table.unit_of(row, at)
    unit = told if "/" in told and len(amount.unit) in (0, 3) else amount.unit or told
    is_year = not amount.unit and re.fullmatch(r"(?:19|20)\d\d", amount.text)
    if is_year and (not told or is_currency(told)) and not table.columns[at].scale > 1:
        return amount.value, ""
    is_other = bool(amount.unit) and not is_currency(amount.unit) and amount.unit != told
    own = 1 if amount.scaled or is_other else table.scale_of(row, at)
    return amount.value * own, unit
