"""Cells of a table in its columns of values, and the labels beside them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docqa.ingest.tables.cells import filled, is_figure, joined
from docqa.ingest.tables.regions import Region
from docqa.types.document import Block, Cell

_COUNTED = re.compile(r"\(?([A-Z]{0,3}[\d.]*?)(\d{1,3}|[A-Za-z])[).]?")  # "P7", "1.2", "(c)", "D"
_UNIT = re.compile(r"\W*(?:unit|currency)s?(?: of measure(?:ment)?)?\W*", re.IGNORECASE).fullmatch
_WORD = re.compile(r"[^\W\d_]{3}")
MOST = 0.9  # of the first cells: those that refer to their rows, but a total's
_FEWEST_COUNTED = 3  # rows whose first cells are taken for their numbers
# What refers to a row and says nothing of it: "4110-000", "2.1", "(a)", "IV."; no year.
_REFERENCE = re.compile(
    r"(?!(?:19|20)\d\d$)\d+(?:[.-]\d+)*\.?|\(?(?:[ivx]{1,4}|[A-Z])[.)]", re.IGNORECASE
)
_REFERRING = re.compile(
    r"(?:\b(?:ref(?:erence)?|no|nos|num(?:ber)?|acc(?:oun)?t|code|gl|item|line|id|section|clause)\b"
    r"|#)[.#:]?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns of a table as the places at which its cells begin.

    The first ``labels`` places hold labels alone. ``places`` are those of the values, each with
    the last place it covers, and ``units`` those that say what the figures beside them are in.
    """

    labels: int
    places: tuple[tuple[int, int], ...]
    units: frozenset[int] = frozenset()

    def column_of(self, cell: Cell) -> int:
        """The column a cell of values stands in."""
        return max(sum(start <= cell.column for start, _ in self.places) - 1, 0)


def grid_of(region: Region) -> Grid:
    """The columns of a region; none where it has no values beside its labels."""
    rows = [joined(row.cells) for row in region.body]
    labels = _labels(rows, region.heads)
    starts = {cell.column for row in rows for cell in row if cell.column >= labels}
    starts -= _within_others(rows, starts, labels)
    for head in region.heads[-1:]:
        starts |= {
            cell.column
            for cell in filled(head)
            if cell.column >= labels
            and not any(cell.column <= start < cell.column + cell.span for start in starts)
        }
    ordered = sorted(starts)
    ends = [start - 1 for start in ordered[1:]]
    ends += [max(start, _last_place(rows, region.heads)) for start in ordered[-1:]]
    named = (cell.column for head in region.heads for cell in filled(head) if _UNIT(cell.text))
    return Grid(labels, tuple(zip(ordered, ends, strict=True)), frozenset(named))


def _labels(rows: Sequence[Sequence[Cell]], heads: Sequence[Block]) -> int:
    """How many of the first columns hold labels alone: no row or head has cells in two of them,
    or the first only counts the rows ("P7 | Term | Ten years") or refers to them ("4110-000 |
    Market rent | 251,340")."""
    every = [*rows, *(filled(head) for head in heads)]
    last = max((cell.column for row in rows for cell in row), default=0)
    count = 1
    if last > 1 and (_only_counts(rows) or _only_refers(rows, heads)):
        return 2
    while count < last:
        here = [cell for row in rows for cell in row if cell.column == count]
        both = any(sum(cell.column <= count for cell in row) > 1 for row in every)
        figures = sum(is_figure(cell.text) for cell in here)
        if both or not here or 2 * figures > len(here):
            break
        count += 1
    return count


def _only_counts(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first cells are one number or letter after another, with words beside them."""
    full = [row for row in rows if len(row) > 1]
    found = [_COUNTED.fullmatch(row[0].text.strip()) for row in full if row[0].column == 0]
    counts = [(match[1], _count(match[2])) for match in found if match]
    if not len(counts) == len(full) >= _FEWEST_COUNTED:
        return False
    follows = all(b == a + 1 for (own, a), (other, b) in pairwise(counts) if own == other)
    beside = [row[1].text for row in full]
    return follows and len(set(counts)) == len(counts) and not any(map(is_figure, beside))


def _only_refers(rows: Sequence[Sequence[Cell]], heads: Sequence[Block]) -> bool:
    """Whether most rows begin with a reference, all with words in the column after it, and what
    heads the references says no more of them: a unit's or suite's number is what it is called by.
    """
    full = [row for row in rows if len(row) > 1]
    first = [row[0].text.strip() for row in full if not row[0].column]
    refers = sum(_REFERENCE.fullmatch(text) is not None for text in first)
    beside = [c.text for row in full for c in row[:2] if c.column == 1]
    over = [c.text.strip() for head in heads for c in filled(head) if not c.column and c.span == 1]
    return (
        refers >= max(_FEWEST_COUNTED, MOST * len(first), len(full) / 2)
        and len(beside) >= refers
        and all(map(_WORD.search, beside))
        and all(_REFERRING.search(text) or _REFERENCE.fullmatch(text) for text in over)
    )


def _count(text: str) -> int:
    return int(text) if text.isdigit() else ord(text.lower())


def _within_others(rows: Sequence[Sequence[Cell]], starts: set[int], labels: int) -> set[int]:
    """Places that are the second half of a wider column: no row has a cell in both."""
    beside = {(a.column, b.column) for row in rows for a in row for b in row}
    return {
        start
        for start in starts
        if (
            over := {
                cell.column
                for row in rows
                for cell in row
                if labels <= cell.column < start < cell.column + cell.span
            }
        )
        and not any((each, start) in beside for each in over)
    }


def _last_place(rows: Iterable[Sequence[Cell]], heads: Sequence[Block]) -> int:
    cells = [*(cell for row in rows for cell in row), *(c for head in heads for c in head.cells)]
    return max((cell.column + cell.span - 1 for cell in cells), default=0)


def cells_of(row: Block, grid: Grid) -> tuple[str, tuple[str, ...]]:
    """A row's label and a text for every column, "" where it is blank."""
    texts = [""] * len(grid.places)
    label = []
    for cell in joined(row.cells, {start for start, _ in grid.places}, grid.units):
        if cell.column < grid.labels:
            label.append(cell.text)
        else:
            at = grid.column_of(cell)
            texts[at] = f"{texts[at]} {cell.text}".strip()
    return " ".join(label), tuple(texts)
