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
from docqa.types.table import STATEMENTS, SUBTOTAL, Row, Table
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


def table_figures(side: Side) -> list[Figure]:
    """The figures of every row of the tables that is among the side's blocks, in order."""
    return [
        figure
        for table in side.tables
        if table.role != "contents"
        for row, named in _named_rows(table)
        if row.block in side.blocks
        for figure in _of_row(side, table, row, named)
    ]


def _named_rows(table: Table) -> Iterator[tuple[Row, str]]:
    """The rows with a label, each under what its table is of, and its group."""
    over = table.section[-1] if table.section else ""
    part = over if _OF_A_PART.search(over) else MARKET if is_of_the_market(over) else ""
    part = part or ("Rent roll" if table.role == "rent roll" else "")
    times = Counter(row.label for row in table.rows)
    for row in table.rows:
        if row.label and row.label != SUBTOTAL and not _is_value(row.label):
            group = _group(row, times[row.label])
            yield row, " › ".join(filter(None, (part, group, row.label)))


def _is_statement(table: Table) -> bool:
    titles = " ".join((*table.section[-1:], table.caption, table.corner))
    named = table.role in STATEMENTS or _STATEMENT.search(titles) is not None
    return named and not _OF_A_PART.search(titles)


def _group(row: Row, times: int) -> str:
    """The innermost group a row stands in, where it says more of what the row is."""
    over = row.path[-1] if row.path else ""
    is_total = re.match(r"total\b", row.label, re.IGNORECASE)
    return "" if is_total or (times == 1 and _STATEMENT_PART.fullmatch(over)) else over


def _is_value(text: str) -> bool:
    amounts = measured_amounts(text)
    return bool(amounts) and amounts[0].end - amounts[0].start >= len(text.strip()) - 2


def _of_row(side: Side, table: Table, row: Row, named: str) -> Iterator[Figure]:
    bare, own = without_period(named)
    document, block = side.document, side.blocks[row.block]
    statement = _is_statement(table)
    for at, (text, column) in enumerate(zip(row.cells, table.columns, strict=False)):
        measure = " ".join(_PAREN.sub(" ", column.heading).split()).strip(" ,:")
        read = cell_value(table, row, at) if text else None
        if read is None or _MANY_YEARS.fullmatch(measure):
            continue  # heads that were read into one another tell nothing
        period = column.period if periods_in(column.heading) else NO_PERIOD
        measures = len(table.columns) > 1 and measure and not period.year
        label = f"{bare}, {measure}" if measures else bare
        period = period if period.year else own if own.year else row.period
        value, unit = read
        said = "" if unit == "date" else period.text
        yield Figure(
            label, said, value, unit, text, document.id, document.name, block, statement=statement
        )


def without_period(label: str) -> tuple[str, Period]:
    """ "Net operating income, 2024" as its label and its period."""
    found = [p for p in periods_in(label) if not label[p.stop :].strip(" )")]
    if not found:
        return label, NO_PERIOD
    bare = label[: found[0].start].rstrip(" ,(-–:")
    return re.sub(r"\s+(?:for|in|at|as of)$", "", bare), found[0]


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
