"""Columns of a page that stand on a ground or in a frame of their own, beside its other text.

Pure geometry. A fact sheet's key facts run down its side: their lines and those beside them are
no rows, as the cells of a shaded column are.
"""

from bisect import bisect
from collections.abc import Iterable, Sequence

from docqa.ingest.geometry.rules import is_level
from docqa.ingest.geometry.words import Word, is_amid, meet, rows_of
from docqa.types.document import Box

WIDTHS = (0.12, 0.45)  # of the page's
LEAST_HEIGHT = 0.2  # of the page's
FEWEST_ROWS = 5  # within, and beside
LEVEL = 1.5  # points: what stands on one line differs by less
MOST_LEVEL = 0.5  # of the rows within: those on one line with something beside


def sidebars(
    words: Sequence[Word], panels: Iterable[Box], rules: Sequence[Box], width: float, height: float
) -> list[Box]:
    """The panels of a page of ``width`` × ``height`` points that are its sidebars; of two that lie
    one in the other the outer."""
    found: list[Box] = []
    for panel in sorted(panels, key=lambda box: (box.left - box.right, box.top)):
        is_column = _is_column(panel, width, height) and not any(meet(panel, o) for o in found)
        parted = is_column and any(_crosses(rule, panel) for rule in rules)
        if is_column and not parted and _stands_alone(panel, words):
            found.append(panel)
    return found


def _is_column(panel: Box, width: float, height: float) -> bool:
    narrow = WIDTHS[0] * width <= panel.right - panel.left <= WIDTHS[1] * width
    return narrow and panel.bottom - panel.top >= LEAST_HEIGHT * height


def _stands_alone(panel: Box, words: Sequence[Word]) -> bool:
    """Whether most lines of a panel stand on no line of what is beside it."""
    rows = rows_of(word for word in words if is_amid(word.box, panel))
    beside = [word for word in words if _is_beside(word.box, panel)]
    if len(rows) < FEWEST_ROWS or len(rows_of(beside)) < FEWEST_ROWS:
        return False
    lines = sorted(word.box.bottom for word in beside)
    ends = (row[0].box.bottom for row in rows)
    level = sum(bisect(lines, end - LEVEL) < bisect(lines, end + LEVEL) for end in ends)
    return level <= MOST_LEVEL * len(rows)


def _is_beside(box: Box, panel: Box) -> bool:
    within = panel.top <= (box.top + box.bottom) / 2 <= panel.bottom
    return within and (box.right <= panel.left or box.left >= panel.right)


def _crosses(rule: Box, panel: Box) -> bool:
    """Whether a level rule amid a panel runs on beside it, as one between the rows of a table."""
    amid = panel.top + 1 < rule.top < panel.bottom - 1
    edges = (panel.left, panel.right)
    return is_level(rule) and amid and any(rule.left < at - 2 < at + 2 < rule.right for at in edges)
