"""The cells of a row as they are printed: signs, brackets and note marks beside their figures."""

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from operator import attrgetter

from docqa.language.numbers import CURRENCIES
from docqa.language.periods import YEAR_ALONE
from docqa.types.document import Block, Cell

_MONEY = rf"(?:(?:US|C|A|HK|S|NZ)?[$€£¥]|(?-i:{'|'.join(sorted({*CURRENCIES.values()}))}))"
FIGURE = re.compile(
    rf"\(?\s*[-−–+]?\s*{_MONEY}?\s*\(?[-−–]?\s*(?:\d[\d,]*(?:\.\d+)?|\.\d+)\s*\)?"
    r"\s*(?:%|x|bps|pts|¢|(?-i:OD|[CD][Rr])|(?:(?<=\.\d\d)|(?<=,\d\d\d))[-−])?"
    r"\s*\)?(?:\s*\(?[a-z*†‡]\)?)?",
    re.IGNORECASE,
)
NOTHING = re.compile(
    r"[-–—*]+|n/?a|n\.?m\.?|nil|none|\(?[-–—]\)?\s?%?|[$€£]\s?[-–—]", re.IGNORECASE
)
_OF_KIND = re.compile(r"(?<=\d)[AEFPB]$")  # actual, estimated, forecast, projected, budget
_SIGN = re.compile(rf"{_MONEY}\s*\(?|\(")
_AFTER = re.compile(r"\)?\s*%?\s*\)?|\(?[a-z]\)|[*†‡]+")


def joined(
    cells: Sequence[Cell], columns: Container[int] = (), units: Container[int] = ()
) -> list[Cell]:
    """The cells with something in them; a lone sign, bracket or mark goes with its number.

    A mark that stands in one of the ``columns`` of values says of that column that it has none, and
    a sign in a column of ``units`` belongs to no number.

    >>> [c.text for c in joined((Cell("$", 1), Cell("(8", 2), Cell(")", 3), Cell("%", 4)))]
    ['$(8)%']
    """
    whole: list[Cell] = []
    sign: Cell | None = None
    for cell in cells:
        text = cell.text.strip()
        if not text:
            continue
        if _SIGN.fullmatch(text) and cell.column and cell.column not in units:
            sign = cell
        elif _closes(whole, text) and not (NOTHING.fullmatch(text) and cell.column in columns):
            whole[-1] = _both(whole[-1], Cell(text, cell.column, cell.span))
        else:
            own = Cell(text, cell.column, cell.span)
            whole.append(_both(sign, own) if sign else own)
            sign = None
    return whole


def _closes(whole: Sequence[Cell], text: str) -> bool:
    """Whether a text can belong to the figure before it."""
    figure = bool(whole) and whole[-1].column > 0 and has_digit(whole[-1].text)
    return figure and _AFTER.fullmatch(text) is not None


def _both(first: Cell, last: Cell) -> Cell:
    apart = " " if re.match(r"\(?[a-z]\)|[*†‡]", last.text) else ""
    text = f"{first.text.strip()}{apart}{last.text}"
    return Cell(text, first.column, last.column + last.span - first.column)


def has_digit(text: str) -> bool:
    return re.search(r"\d", text) is not None


def is_figure(text: str) -> bool:
    """Whether a cell is a number with what belongs to it, or stands for none ("-", "n/a").

    >>> [is_figure(text) for text in ("S$ (5)", "310.20 CR", "45.10-", "n/a", "NOK")]
    [True, True, True, True, False]
    """
    plain = text.strip()
    return bool(FIGURE.fullmatch(plain) or NOTHING.fullmatch(plain))


def is_year(text: str) -> bool:
    """Whether a text is a year alone, or one that says whether it is of actual figures or not.

    >>> [is_year(text) for text in ("2024", "2025E", "2025 m")]
    [True, True, False]
    """
    plain = text.strip()
    return YEAR_ALONE.fullmatch(_OF_KIND.sub("", plain)) is not None


def reach_of(cell: Cell) -> range:
    """The columns that a cell stands over."""
    return range(cell.column, cell.column + cell.span)


def moved(row: Block, place: Callable[[Cell], int]) -> Block:
    """A row with each cell in the column that is its ``place``."""
    cells = (replace(cell, column=place(cell)) for cell in row.cells)
    return replace(row, cells=tuple(sorted(cells, key=attrgetter("column"))))


def filled(row: Block) -> list[Cell]:
    """A row's cells with text."""
    return [cell for cell in row.cells if cell.text.strip()]
