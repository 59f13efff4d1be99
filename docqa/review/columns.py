"""What the cells of a column say together: sums of figures, and what is odd; pure."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from statistics import median

from docqa.language.periods import read_period
from docqa.types.review import Cell, Column, ColumnFigures, Found
from docqa.types.units import is_currency

FEWEST = 5  # figures from which on one can stand far from the others
# Of the modified z-score: Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993.
FAR = 3.5
YEAR = 12  # months
_TO_DEVIATION = 0.6745  # of the normal distribution: median absolute deviation to standard one


def figures_of(cells: Sequence[Cell]) -> ColumnFigures | None:
    """Sum, mean, highest and lowest of the figures in a column; None where it has none.

    Units are not mixed: the figures of the unit that most have count, of several the first, and
    those in another have sums of their own beside.
    """
    by_unit: dict[str, list[Decimal]] = {}
    for found in (each.found for each in cells):
        if found is not None and found.number is not None:
            by_unit.setdefault(measure(found), []).append(found.number)
    made = sorted((_summed(each, unit) for unit, each in by_unit.items()), key=lambda each: -each.n)
    return replace(made[0], others=tuple(made[1:])) if made else None


def measure(found: Found) -> str:
    """The unit of a figure, of money in a part of a year with its length: "USD/3 months".

    What a quarter earned does not add up with what a year did.
    """
    months = read_period(found.text).months if is_currency(found.unit) else None
    return f"{found.unit}/{months} months" if months and months < YEAR else found.unit


def _summed(numbers: Sequence[Decimal], unit: str) -> ColumnFigures:
    total = sum(numbers, Decimal(0))
    mean = total / len(numbers)
    return ColumnFigures(len(numbers), unit, total, mean, max(numbers), min(numbers))


def certain_figures(cells: Sequence[Cell]) -> ColumnFigures | None:
    """The same of the cells that are not uncertain: a sum is trusted without a look at each."""
    certain = [each for each in cells if each.state != "likely"]
    figures = figures_of(certain)
    return figures and replace(figures, uncertain=len(cells) - len(certain))


def remarks(column: Column, cells: Sequence[Cell]) -> dict[str, str]:
    """Document id to what is odd about its cell: another kind, another unit, far from the others.

    What a person has settled is not remarked on.
    """
    open_cells = [each for each in cells if not each.is_settled and each.found]
    figures = figures_of(cells) if column.kind == "figure" else None
    far = _far(cells) if column.kind == "figure" else set()
    found: dict[str, str] = {}
    for cell in open_cells:
        assert cell.found is not None
        if not cell.found.fits:
            kind = "clear yes or no" if column.kind == "yes or no" else column.kind
            found[cell.document_id] = f"no {kind} in what was found"
        elif figures and cell.found.number is not None and measure(cell.found) != figures.unit:
            found[cell.document_id] = "in another unit than most of the column"
        elif cell.document_id in far:
            found[cell.document_id] = "far from the others of the column"
    return found


def _far(cells: Sequence[Cell]) -> set[str]:
    """The documents whose figure is far from the median, by the median absolute deviation."""
    numbers = {
        cell.document_id: float(each.number)
        for cell in cells
        if (each := cell.found) and each.number is not None
    }
    if len(numbers) < FEWEST:
        return set()
    middle = median(numbers.values())
    spread = median(abs(each - middle) for each in numbers.values())
    if not spread:
        return set()
    return {key for key, n in numbers.items() if _TO_DEVIATION * abs(n - middle) / spread > FAR}
