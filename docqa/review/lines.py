"""Figure columns that are lines of primary statements: what a document's own statements print."""

import re
from collections.abc import Sequence

from docqa.compare.statements import Line, lines
from docqa.language.labels import label_key
from docqa.review.particulars import quoted_from
from docqa.types.comparison import Figure, FigureComparison
from docqa.types.document import join_blocks
from docqa.types.review import Column, Found
from docqa.types.units import SCALE_NAMES

_RATIO = re.compile(r"\b(?:margin|ratio|return on|turnover|yield|coverage|rate)\b|%", re.IGNORECASE)


def is_ratio(column: Column) -> bool:
    """Whether a column asks for what is worked out of several lines."""
    return column.kind == "figure" and bool(_RATIO.search(column.title))


def line_of(column: Column) -> Line | None:
    """The line of statements that a figure column is called by; None where it is none.

    >>> line_of(Column("Operating cash flow", "How much?", "figure")).name
    'Cash from operations'
    >>> line_of(Column("Gross margin", "What is the gross margin?", "figure"))
    """
    if column.kind != "figure" or is_ratio(column):
        return None
    key = label_key(column.title)
    return next((each for each in lines() if key in each.keys), None)


def printed_lines(column: Column, rows: Sequence[FigureComparison]) -> list[Found]:
    """The column's line as the document's own statements print it; () where they do not."""
    line = line_of(column)
    if line is None:
        return []
    return [_found(each, row) for row in rows if row.label == line.name for each in row.values[:1]]


def _found(figure: Figure, row: FigureComparison) -> Found:
    added = row.note.partition(": ")[2] if figure.addends else ""
    text = f"{row.label}, {figure.period}: {figure.shown}" + (f" ({added})" if added else "")
    quote = join_blocks(figure.blocks)
    cited = quoted_from(figure.document_id, figure.document, figure.blocks, quote)
    return Found(f"{figure.text}{_scale(figure)}", text, (cited,), figure.value, figure.unit)


def _scale(figure: Figure) -> str:
    """The scale that its table has: " million"; "" where the figure is printed in full."""
    digits = re.sub(r"[^\d.]", "", figure.text).strip(".")
    if not digits or not float(digits):
        return ""
    factor = round(abs(float(figure.value)) / float(digits))
    return f" {SCALE_NAMES[factor]}" if factor in SCALE_NAMES else ""
