"""A model's comparison table, held against the figures computed from the documents; pure.

What does not agree is struck through and followed by what was computed ("~~$5,600~~ −$6.5K"),
so that a correction can be seen.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.language.amounts import Amount, printed_difference, stated_amounts
from docqa.types.comparison import Comparison, Figure, FigureComparison

_BORDER = re.compile(r"(?<!\\)\|")
_MARKER = re.compile(r"\s*\[[^\[\]\n]{1,40}\]")
_RULE = re.compile(r":?-+:?")


@dataclass(frozen=True, slots=True)
class Corrected:
    text: str
    warnings: tuple[str, ...] = ()


def corrected(text: str, comparison: Comparison) -> Corrected:
    """``text`` with wrong values and differences in its tables mended, and what was mended.

    A row is held against the computed figure whose label it begins with, or whose values it gives;
    any other row of two plain amounts against their own difference.
    """
    width = len(comparison.documents) + 2
    lines, warnings = [], []
    for line in text.split("\n"):
        cells = _cells(line)
        if len(cells) == width and not all(_RULE.fullmatch(cell) for cell in cells if cell):
            mended, remarks = _row(cells, comparison)
            line = "| " + " | ".join(mended) + " |" if remarks else line
            warnings += remarks
        lines.append(line)
    return Corrected("\n".join(lines), tuple(warnings))


def _cells(line: str) -> list[str]:
    row = line.strip()
    if not row.startswith("|") or row.count("|") < 3:
        return []
    return [cell.strip() for cell in _BORDER.split(row.strip("|"))]


def _row(cells: Sequence[str], comparison: Comparison) -> tuple[list[str], list[str]]:
    label, *sides, difference = cells
    row = _computed(label, sides, comparison)
    remarks: list[str] = []
    if row is not None and _same_label(label, row.label):
        for place, document in enumerate(comparison.documents):
            figure = next((v for v in row.values if v.document_id == document.id), None)
            if figure and (wrong := _wrong_value(sides[place], figure)):
                sides[place] = sides[place].replace(wrong, f"~~{wrong}~~ {figure.text}", 1)
                remarks.append(
                    f"Corrected: {row.label} of {document.name} is {figure.text} "
                    f"({figure.block.where}), not {wrong}."
                )
    right = _right_difference(row) if row else _own_difference(sides)
    if right and (wrong := _wrong_difference(difference, right)):
        remarks.append(f"Corrected: the difference in {_bare(label)} is {right.text}, not {wrong}.")
        difference = f"~~{_bare(difference)}~~ {right.text}"
    return [label, *sides, difference], remarks


def _bare(cell: str) -> str:
    return re.sub(r"[*_~]{2}", "", _MARKER.sub("", cell)).strip()


# Which computed figure a row is about


def _computed(label: str, sides: Sequence[str], comparison: Comparison) -> FigureComparison | None:
    named = [row for row in comparison.figures if _same_label(label, row.label)]
    valued = [row for row in comparison.figures if _gives(sides, row, comparison)]
    both = [row for row in named if row in valued]
    return next(iter([*both, *valued, *(named if len(named) == 1 else [])]), None)


def _same_label(said: str, label: str) -> bool:
    """Whether a cell begins with a label, but for a period or unit in brackets after it."""
    plain = _words(re.sub(r"\(.*?\)|,.*", " ", _bare(said)))
    return bool(plain) and plain == _words(label)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _gives(sides: Sequence[str], row: FigureComparison, comparison: Comparison) -> bool:
    """Whether the cells of at least two documents give the row's values."""
    own = {figure.document_id: figure for figure in row.values}
    documents = comparison.documents
    pairs = [(own[d.id], cell) for d, cell in zip(documents, sides, strict=True) if d.id in own]
    return len(pairs) > 1 and all(_states(cell, figure) for figure, cell in pairs)


def _states(cell: str, figure: Figure) -> bool:
    return any(_equal(amount, figure.value) for amount in _amounts(cell))


def _amounts(cell: str) -> list[Amount]:
    return stated_amounts(_bare(cell))


def _equal(amount: Amount, value: Decimal) -> bool:
    """Whether the amount is the value, as far as it is printed; the sign is left to the words."""
    return abs(abs(amount.value) - abs(value)) * 2 <= amount.step


def _wrong_value(cell: str, figure: Figure) -> str:
    """The amount of a cell that ought to give a figure and gives another, "" for none."""
    amounts = _amounts(cell)
    if len(amounts) != 1 or figure.unit == "date" or figure.text in cell:
        return ""
    scaled = any(_equal(amount, figure.value / 10**n) for amount in amounts for n in (3, 6, 9))
    return "" if _states(cell, figure) or scaled else amounts[0].text.strip()


@dataclass(frozen=True, slots=True)
class _Right:
    """What a difference cell may say: the difference as text, amounts that are true, rounded as
    they may be, and the two values themselves."""

    text: str
    amounts: tuple[Decimal, ...]
    values: tuple[Decimal, ...] = ()


def _right_difference(row: FigureComparison) -> _Right | None:
    """None where the row allows no statement on its difference."""
    if not row.difference:
        return _Right("not comparable", ()) if row.note else None
    change = f" ({row.percent})" if row.percent else ""
    stated = [amount.value for amount in stated_amounts(f"{row.difference}{change}")]
    first, second = (figure.value for figure in row.values[:2])
    true = (*stated, *_changes(first, second))
    return _Right(f"{row.difference}{change}", true, (first, second))


def _own_difference(sides: Sequence[str]) -> _Right | None:
    """Of a row that gives one amount of one unit on each of two sides."""
    found = [_amounts(cell) for cell in sides]
    if len(found) != 2 or any(len(amounts) != 1 for amounts in found):
        return None
    (one,), (other,) = found
    if one.unit != other.unit:
        return None
    text = printed_difference(one.value - other.value, one.unit)
    return _Right(text, _changes(one.value, other.value), (one.value, other.value))


def _changes(first: Decimal, second: Decimal) -> tuple[Decimal, ...]:
    """The difference, and how much either is over the other in percent and as a multiple."""
    both = [(a, b) for a, b in ((first, second), (second, first)) if b]
    shares = [(a - b) / abs(b) * 100 for a, b in both]
    return (first - second, *shares, *(a / b for a, b in both))


def _wrong_difference(cell: str, right: _Right) -> str:
    """The cell's wording where an amount in it is none that is true, "" where all are."""
    amounts = _amounts(cell)
    fits = (
        a.value in right.values or any(_equal(a, true) for true in right.amounts) for a in amounts
    )
    return "" if all(fits) else _bare(cell)
