"""A table row as what it says: a label, and under each column's header a cell."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docqa.language.numbers import stated_scale
from docqa.language.periods import MONTHS
from docqa.language.words import words
from docqa.types.document import Block, Cell

FIGURE = re.compile(r"[$€£¥]?\s*\(?[-−–]?\s*[$€£¥]?\s*\d[\d,.]*\s*\)?\s*(?:%|x|bps)?")


_PER_SHARE = re.compile(r"\bper\b.{0,20}\b(?:share|unit)\b", re.IGNORECASE)
_OF_A_SHARE = re.compile(r"[$€£¥(\s−–-]*\d{0,3}\.\d+\s*\)?")
BELOW = " › "  # between a line of a table and what stands under it

_OF_PERIODS = """
for as of at the and three six nine twelve month months week weeks year years fiscal
quarter quarters
ended ending
"""
_PERIOD_WORDS = frozenset([*_OF_PERIODS.split(), *MONTHS])


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell of a row under its column's header ("" where the column has none)."""

    header: str
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Row:
    """``label`` is what stands before the first figure; the other cells follow in order.

    ``corner`` is what the heads say over the labels ("Adjusted results").
    """

    label: str
    entries: tuple[Entry, ...]
    corner: str = ""


def read_row(row: Block, blocks: Sequence[Block]) -> Row:
    """The row with its headers, taken from the header rows of the same table in ``blocks``.

    A lone currency sign joins the cell after it, a lone ")" or "%" the cell before it, so a
    printed amount is one entry. A row without cells has its whole text for a label. An amount
    per share is labelled with the line over it that says so, as its own label seldom does.
    """
    table = [b for b in blocks if b.table == row.table and b.cells]
    headers = _heads_over(row, table)
    cells = _joined_signs([cell for cell in row.cells if cell.text.strip()])
    label_cells = []
    while cells and (not _is_value(cells[0].text) or _is_year(cells[0], len(cells))):
        label_cells.append(cells.pop(0))
    if not cells and len(label_cells) > 1:  # a row of words: the first is its label
        cells = label_cells[1:]
        label_cells = label_cells[:1]
    label = " ".join(cell.text.strip() for cell in label_cells) or ("" if cells else row.text)
    entries = tuple(Entry(header_of(c, headers), c.text.strip(), c.column) for c in cells)
    group = _group_over(row, table) if _are_per_share(entries) else ""
    corner = header_of(label_cells[0], headers) if label_cells else ""
    return Row(f"{group}{BELOW}{label}" if group else label, entries, corner)


def is_head(row: Block) -> bool:
    """Whether a row says only of what period its columns are, whether it was read as a head or not.

    A second table set below a first one begins so, and its columns are often other years.
    """
    cells = [cell for cell in row.cells if cell.text.strip()]
    if row.column_header or not all(_says_when_or_scale(cell.text) for cell in cells):
        return row.column_header
    beside = [cell for cell in cells if cell.column]
    dated = [cell for cell in beside if re.search(r"\b(?:19|20)\d\d\b", cell.text)]
    return len(dated) > 1 or (0 < len(beside) == len(cells) and not _is_value(beside[0].text))


def _says_when_or_scale(text: str) -> bool:
    return says_only_when(text) or stated_scale(text)[0] > 1


def _heads_over(row: Block, table: Sequence[Block]) -> list[Block]:
    """The head nearest above the row; every one where the row is not of these blocks."""
    if not any(block is row for block in table):
        return [block for block in table if block.column_header]
    heads: list[Block] = []
    before: Block | None = None
    for block in table:
        if block is row:
            break
        if is_head(block):
            heads = [*heads, block] if before is None or is_head(before) else [block]
        before = block
    return heads


def _group_over(row: Block, table: Sequence[Block]) -> str:
    """The line over a row that says it is per share, "" where it stands under another or none."""
    over = ""
    for block in table:
        if block is row:
            return over
        if is_head(block):
            over = ""
        elif len(block.cells) == 1 and not block.cells[0].column:
            text = block.text.strip(" :")
            over = text if _PER_SHARE.search(text) and "except" not in text.lower() else ""
    return ""


def _are_per_share(entries: Sequence[Entry]) -> bool:
    figures = [entry.text for entry in entries if re.search(r"\d", entry.text)]
    return bool(figures) and all(map(_OF_A_SHARE.fullmatch, figures))


def says_only_when(text: str) -> bool:
    """Whether a text names a period and nothing of it ("Years ended December 31,", "2025")."""
    said = words(text)
    return all(
        word in _PERIOD_WORDS or re.fullmatch(r"\d{1,2}|(?:19|20)\d\d", word) for word in said
    )


def names_columns(row: Row) -> bool:
    """Whether a row that was not read as a head says nothing but what its columns are of."""
    return says_only_when(row.label) and all(
        says_only_when(entry.text) or not FIGURE.search(entry.text) for entry in row.entries
    )


def header_of(cell: Cell, headers: Iterable[Block]) -> str:
    """The header cells over ``cell`` from the top down, in one line; repeats are dropped."""
    over = [
        above.text.strip()
        for block in headers
        for above in block.cells
        if above.column < cell.column + cell.span and cell.column < above.column + above.span
    ]
    return " ".join(dict.fromkeys(text for text in over if text))


def _joined_signs(cells: Sequence[Cell]) -> list[Cell]:
    joined: list[Cell] = []
    sign: Cell | None = None
    for cell in cells:
        text = cell.text.strip()
        if re.fullmatch(r"[$€£¥]\s*\(?", text):
            sign = cell
        elif re.fullmatch(r"\)?\s*%?\s*\)?", text) and joined and text:
            before = joined[-1]
            joined[-1] = Cell(before.text + text, before.column, _span(before, cell))
        else:
            first = sign or cell
            joined.append(
                Cell(
                    (sign.text + cell.text) if sign else cell.text, cell.column, _span(cell, first)
                )
            )
            sign = None
    return joined


def _span(first: Cell, last: Cell) -> int:
    return max(first.span, last.column + last.span - first.column)


def _is_value(text: str) -> bool:
    plain = text.strip()
    if plain in {"-", "–", "—", "N/A", "n/a", "NM", "n.m.", "nil", "*"}:
        return True
    match = FIGURE.match(plain)
    return bool(match) and len(match.group()) >= len(plain) - 3 if match else False


def _is_year(cell: Cell, cells_left: int) -> bool:
    """Whether the cell names the row's year rather than a figure, as in a maturity schedule."""
    is_first = cell.column == 0 and cells_left > 1
    return is_first and bool(re.fullmatch(r"(?:19|20)\d\d", cell.text.strip()))


def scale_of(blocks: Iterable[Block], table: int) -> str:
    """How the table's figures are scaled, in its own words ("(in millions)"), or "".

    Looked for in the table's header rows, then in the other text of ``blocks``, nearest first.
    """
    inside, before = [], []
    for block in blocks:
        if block.table == table:
            inside.append(block.text)
        elif not inside:
            before.append(block.text)
    for text in (*inside, *reversed(before)):
        _, said = stated_scale(text)
        if said:
            return f"({said})"
    return ""
