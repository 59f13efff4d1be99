"""Figures in the rows of a table: row label, column period, unit and scale."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from docqa.amounts import CURRENCY_WORDS, SCALES, Amount, scale_said, unmarked
from docqa.compare.amounts import amounts_in, date_value, unit_name
from docqa.compare.periods import NO_PERIOD, Period, periods_in, read_period
from docqa.types import Block, Cell, Document, Figure

NEARBY = 4  # blocks before a table in which its caption may stand
_PAREN = re.compile(r"\(([^()]*)\)")
_NOTHING = re.compile(r"[-–—*]|n/?a|n\.?m\.?|nil|none", re.IGNORECASE)
_SHARES = re.compile(r"shares,?\s[^()]{0,60}?in\s(thousand|million)s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a table says of all its figures: a currency ("" unknown) and the scale of money.

    Where only signs beside some of its numbers tell the currency, it holds for their ``columns``.
    """

    currency: str = ""
    scale: int = 1
    share_scale: int = 1
    columns: frozenset[int] = frozenset()  # where bare numbers are money; none means all


def table_figures(document: Document, blocks: Sequence[Block]) -> list[Figure]:
    """The figures of every table row among a document's ``blocks``, in order."""
    found: list[Figure] = []
    for rows, before in _tables(blocks):
        found.extend(_figures_of_table(document, rows, before))
    return found


def _tables(blocks: Sequence[Block]) -> Iterator[tuple[list[Block], list[Block]]]:
    """The rows of each table and the blocks just before it."""
    rows: list[Block] = []
    for place, block in enumerate(blocks):
        if rows and block.table != rows[-1].table:
            yield rows, _before(blocks, place - len(rows))
            rows = []
        if block.table and block.cells:
            rows.append(block)
    if rows:
        yield rows, _before(blocks, len(blocks) - len(rows))


def _before(blocks: Sequence[Block], place: int) -> list[Block]:
    return [block for block in blocks[max(0, place - NEARBY) : place] if not block.table]


def _figures_of_table(
    document: Document, rows: Sequence[Block], before: Sequence[Block]
) -> Iterator[Figure]:
    headers = [row for row in rows if row.column_header]
    body = [row for row in rows if not row.column_header]
    ground = _ground(rows, before)
    columns = {cell.column for row in body for cell in _joined(row.cells)[1:]}
    section = ""
    for row in body:
        cells = _joined(row.cells)
        label, values = _split(cells)
        if not values:
            section = label.rstrip(":") if label.endswith(":") or len(cells) == 1 else section
            continue
        named = f"{section} › {label}" if section and not _is_total(label) else label
        for cell in values:
            header = _header_over(cell, headers)
            yield from _figure(document, row, named, header, cell, ground, len(columns) > 1)
        if _is_total(label):
            section = ""


def _is_total(label: str) -> bool:
    return re.match(r"total\b", label, re.IGNORECASE) is not None


def _ground(rows: Sequence[Block], before: Sequence[Block]) -> Ground:
    heads = [row.text for row in rows if row.column_header]
    around = [*heads, *(block.text for block in reversed(before))]
    currency = next((found for text in around if (found := _currency_named(text))), "")
    signs = {} if currency else _signed_columns(rows)
    scale = next((factor for text in around if (factor := scale_said(text)[0]) > 1), 1)
    shares = next((match for text in around if (match := _SHARES.search(text))), None)
    share_scale = SCALES[shares[1].lower()] if shares else scale
    currency = currency or next(iter(signs.values()), "")
    return Ground(currency, scale, share_scale, frozenset(signs))


def _signed_columns(rows: Sequence[Block]) -> dict[int, str]:
    """The columns in which some number carries a currency's sign, and that currency."""
    cells = (cell for row in rows if not row.column_header for cell in _joined(row.cells))
    found = ((cell.column, amounts_in(cell.text)) for cell in cells)
    return {at: a[0].unit for at, a in found if a and len(a[0].unit) == 3 and a[0].start == 0}


def _currency_named(text: str) -> str:
    words = (name for word, name in CURRENCY_WORDS.items() if re.search(rf"\b{word}", text, re.I))
    signs = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
    bracketed = " ".join(_PAREN.findall(text))
    return next(words, next((name for sign, name in signs.items() if sign in bracketed), ""))


def _joined(cells: Sequence[Cell]) -> list[Cell]:
    """The cells with something in them; a lone sign or bracket goes with its number."""
    joined: list[Cell] = []
    sign = ""
    for cell in cells:
        text = cell.text.strip()
        if re.fullmatch(r"(?:US)?[$€£¥]\s*\(?", text):
            sign = text
        elif joined and re.fullmatch(r"\)?\s*%?\s*\)?", text) and text:
            last = joined[-1]
            joined[-1] = Cell(last.text + text, last.column, last.span)
        elif text:
            joined.append(Cell(sign + text, cell.column, cell.span))
            sign = ""
    return joined


def _split(cells: Sequence[Cell]) -> tuple[str, list[Cell]]:
    """The row's label and its value cells. A row that begins with a figure has no label."""
    if not cells or _is_value(cells[0].text):
        return "", []
    return _unmarked(cells[0].text), [cell for cell in cells[1:] if not _is_nothing(cell.text)]


def _unmarked(label: str) -> str:
    """A label without note marks and dot leaders: "Net sales (1) ....." is "Net sales"."""
    bare = re.sub(r"\s*(?:\(\d{1,2}\)|\.{3,}|[*†‡])", "", unmarked(label))
    return " ".join(bare.split()).lstrip("•·– ")


def _is_value(text: str) -> bool:
    amounts = amounts_in(text)
    return bool(amounts) and amounts[0].end - amounts[0].start >= len(unmarked(text).strip()) - 2


def _is_nothing(text: str) -> bool:
    return _NOTHING.fullmatch(text.strip()) is not None


def _header_over(cell: Cell, headers: Sequence[Block]) -> str:
    over = [
        above.text.strip()
        for row in headers
        for above in row.cells
        if above.column < cell.column + cell.span and cell.column < above.column + above.span
    ]
    return " ".join(dict.fromkeys(text for text in over if text))


def _figure(
    document: Document,
    row: Block,
    label: str,
    header: str,
    cell: Cell,
    ground: Ground,
    many_columns: bool,
) -> Iterator[Figure]:
    period = read_period(header)
    label, own = _without_period(label)
    measure = _without_units(re.sub(re.escape(period.text), "", header, flags=re.I))
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
    amounts = amounts_in(text)
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
    if rate and "/" not in unit:
        return amount.value, unit + rate
    if not amount.unit and re.fullmatch(r"(?:19|20)\d\d", amount.text):
        return amount.value, ""  # a year
    said, _ = scale_said(around)
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
        if unit := unit_name(plain):
            return unit
        if re.match(r"(?:million|thousand)\s+sq", plain, re.I):
            return "sq ft"
        if currency := _currency_named(f"({plain})"):
            return currency
    return ""
