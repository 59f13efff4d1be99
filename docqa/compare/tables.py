"""Figures in the rows of a table: row label, column period, unit and scale."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from docqa.compare.grounds import Ground, Table, currency_named, ground_of, joined, tables_of
from docqa.language.amounts import Amount, date_value, measured_amounts, unit_named
from docqa.language.numbers import stated_scale, without_note_marks
from docqa.language.periods import MONTH, NO_PERIOD, Period, periods_in, read_period
from docqa.types.comparison import Figure
from docqa.types.document import Block, Cell, Document

_PAREN = re.compile(r"\(([^()]*)\)")
_NOTHING = re.compile(r"[-–—*]|n/?a|n\.?m\.?|nil|none", re.IGNORECASE)
# "Years ended December 31," over the labels, of the bare years beside it.
_DAY = re.compile(
    r"(?:\b(?:\w+ (?:months|weeks)|years?|quarters?|periods?) ended\s+)?"
    rf"\b{MONTH} \d{{1,2}},?"
    r"(?!\d|,? *\d{4})",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:change|variance|vs\.?|versus|(?:inc|dec)rease)\b|%\s?chg", re.IGNORECASE
)
_MANY_YEARS = re.compile(r"(?:(?:19|20)\d\d\W+)+(?:19|20)\d\d")
# Sections that say where in a statement a row stands, and no more of what it is.
_STATEMENT_PART = re.compile(
    r"(?:(?:non-?|other |long-term )?(?:current )?(?:assets|liabilities)"
    r"|(?:liabilities and )?(?:share|stock)?(?:holders|owners)['’]s? equity|equity"
    r"|(?:cash flows? )?(?:from |[-–—] )?(?:operating|investing|financing) activities)",
    re.IGNORECASE,
)


def table_figures(document: Document, blocks: Sequence[Block]) -> list[Figure]:
    """The figures of every table row among a document's ``blocks``, in order."""
    return [figure for table in tables_of(blocks) for figure in _of_table(document, table)]


def _of_table(document: Document, table: Table) -> Iterator[Figure]:
    ground, statement = ground_of(table), table.is_statement
    columns = {cell.column for row in table.body for cell in joined(row.cells)[1:]}
    own = Counter(_split(joined(row.cells))[0] for row in table.body)
    section = ""
    for row in table.body:
        cells = joined(row.cells)
        label, values = _split(cells)
        if not values:
            section = label.rstrip(":") if label.endswith(":") or len(cells) == 1 else section
            continue
        over = "" if own[label] == 1 and _STATEMENT_PART.fullmatch(section) else section
        named = " › ".join(filter(None, (table.part, "" if _is_total(label) else over, label)))
        for cell in values:
            header = _header_over(cell, table.heads)
            found = _figure(document, row, named, header, cell, ground, len(columns) > 1)
            yield from (replace(figure, statement=statement) for figure in found)
        if _is_total(label):
            section = ""


def _is_total(label: str) -> bool:
    return re.match(r"total\b", label, re.IGNORECASE) is not None


def _split(cells: Sequence[Cell]) -> tuple[str, list[Cell]]:
    """The row's label and its value cells. A row that begins with a figure has no label."""
    if not cells or _is_value(cells[0].text):
        return "", []
    return _unmarked(cells[0].text), [cell for cell in cells[1:] if not _is_nothing(cell.text)]


def _unmarked(label: str) -> str:
    """A label without note marks and dot leaders: "Net sales (1) ....." is "Net sales"."""
    bare = re.sub(r"\s*(?:\(\d{1,2}\)|\.{3,}|[*†‡])", "", without_note_marks(label))
    return " ".join(bare.split()).lstrip("•·– ")


def _is_value(text: str) -> bool:
    amounts = measured_amounts(text)
    return (
        bool(amounts)
        and amounts[0].end - amounts[0].start >= len(without_note_marks(text).strip()) - 2
    )


def _is_nothing(text: str) -> bool:
    return _NOTHING.fullmatch(text.strip()) is not None


def _header_over(cell: Cell, headers: Sequence[Block]) -> str:
    """What the heads say over a cell; a bare year after the day that they name beside it."""
    over = [
        above.text.strip()
        for row in headers
        for above in row.cells
        if above.column < cell.column + cell.span and cell.column < above.column + above.span
    ]
    said = " ".join(dict.fromkeys(text for text in over if text))
    if not re.fullmatch(r"(?:19|20)\d\d\W*", said):
        return said
    beside = (above.text for row in headers for above in row.cells if above.column == 0)
    days = (match[0] for text in beside if (match := _DAY.search(text)))
    return f"{next(days, '')} {said}".strip()


def _figure(
    document: Document,
    row: Block,
    label: str,
    header: str,
    cell: Cell,
    ground: Ground,
    many_columns: bool,
) -> Iterator[Figure]:
    period = _column_period(header)
    label, own = _without_period(label)
    measure = _without_units(re.sub(re.escape(period.text), "", header, flags=re.I))
    if _MANY_YEARS.fullmatch(measure):
        return  # heads that were read into one another tell nothing
    if many_columns and not period.year and measure:
        label = f"{label}, {measure}"
    text = cell.text.strip()
    if (day := date_value(text)) is not None:
        yield _made(document, row, label, own, day, "date", text)
    elif amount := _amount_of(text):
        money = not ground.columns or cell.column in ground.columns
        here = ground if money else replace(ground, currency="", scale=1)
        value, unit = _scaled(amount, f"{header} {label} {row.cells[0].text}", here)
        yield _made(document, row, label, period if period.year else own, value, unit, text)


def _column_period(header: str) -> Period:
    """The period of a column, none where it says how much two of them differ."""
    years = {period.year for period in periods_in(header)}
    return NO_PERIOD if len(years) > 1 or _CHANGE.search(header) else read_period(header)


def _made(
    document: Document,
    row: Block,
    label: str,
    period: Period,
    value: Decimal,
    unit: str,
    text: str,
) -> Figure:
    return Figure(label, period.text, value, unit, text, document.id, document.name, row)


def _without_period(label: str) -> tuple[str, Period]:
    """ "Net operating income, 2024" as its label and its period."""
    found = [p for p in periods_in(label) if not label[p.stop :].strip(" )")]
    if not found:
        return label, NO_PERIOD
    bare = label[: found[0].start].rstrip(" ,(-–:")
    return re.sub(r"\s+(?:for|in|at|as of)$", "", bare), found[0]


def _without_units(header: str) -> str:
    return " ".join(_PAREN.sub(" ", header).split()).strip(" ,:")


def _amount_of(text: str) -> Amount | None:
    """The number that a cell is about: its first, where it stands at the beginning.

    A cell of words with a number somewhere in them is no figure, nor are two bare numbers
    ("1998 / 2019", "400-500").
    """
    amounts = measured_amounts(text)
    if not amounts or len(text) > 120 or amounts[0].start > 1:
        return None
    bare = [amount for amount in amounts if not amount.unit]
    return None if len(bare) > 1 or re.match(r"\d+\s?[-–/]\s?\d", text) else amounts[0]


def _scaled(amount: Amount, around: str, ground: Ground) -> tuple[Decimal, str]:
    """The value with the table's scale, and its unit from the cell, the labels or the table."""
    rate = "/sq ft" if re.search(r"/\s?sq|per square|psf\b", around, re.I) else ""
    unit = amount.unit or _unit_named(around)
    if unit == "%" or (unit and unit != ground.currency and len(unit) != 3):
        return amount.value * (ground.share_scale if _bare_shares(amount, unit) else 1), unit
    if not unit and _counts_shares(around):
        return amount.value * ground.share_scale, "shares"
    unit = unit or ground.currency
    if re.search(r"per[\s-](?:\w+\s)?share|\beps\b|earnings per", around, re.I):
        return amount.value, f"{unit}/share" if unit else unit
    if re.search(
        r"\bper (?:option|unit|right|award|warrant|note|ADS)\b|exercise price", around, re.I
    ):
        return amount.value, unit
    if rate and "/" not in unit:
        return amount.value, unit + rate
    if not amount.unit and re.fullmatch(r"(?:19|20)\d\d", amount.text):
        return amount.value, ""  # a year
    said, _ = stated_scale(around)
    own = 1 if amount.scaled else said if said > 1 else ground.scale
    return amount.value * own, unit


def _counts_shares(around: str) -> bool:
    """Whether the figures are numbers of shares: "Shares used in computing earnings per share"."""
    counted = re.search(r"\bshares\b(?!.*\bper share)|\bshares (?:used|outstanding)", around, re.I)
    return counted is not None


def _bare_shares(amount: Amount, unit: str) -> bool:
    return unit == "shares" and not amount.scaled and not amount.unit


def _unit_named(around: str) -> str:
    """The unit that brackets in a header or label name: "Area (sq ft)", "Price ($)", "(%)"."""
    for inside in _PAREN.findall(around):
        plain = inside.strip()
        if unit := unit_named(plain):
            return unit
        if re.match(r"(?:million|thousand)\s+sq", plain, re.I):
            return "sq ft"
        if currency := currency_named(f"({plain})"):
            return currency
    return ""
