"""What is marked on the open page: citations, the header of a cited table, what is searched for."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from docqa.present.as_nodes import Json
from docqa.types.document import Block, Box
from docqa.ui.find import word_boxes
from docqa.ui.state import Place, Sought

Words = Sequence[tuple[str, Box]]
TOUCHING = 4.0  # points between two lines of what is framed as one
LABEL_CHARS = 40


def cited(place: Place, blocks: Iterable[Block]) -> list[tuple[str, int, Block]]:
    """What is marked of the page's ``blocks``: kind, the citation's number (once for each), block.

    Kinds: "opened" what was clicked, "other" citations of the same answer, "header" the columns'
    names of a table with a row that was clicked. Nothing is marked twice.
    """
    marked: list[tuple[str, int, Block]] = []
    drawn: set[int] = set()
    for at, each in enumerate(place.marked):
        here = [b for b in each.blocks if b.page == place.page and b.index not in drawn]
        drawn.update(block.index for block in here)
        kind = "other" if at else "opened"
        marked += [(kind, 0 if n else each.number, block) for n, block in enumerate(here)]
    tables = {block.table for kind, _, block in marked if kind == "opened" and block.table}
    headers = [b for b in blocks if b.column_header and b.table in tables and b.index not in drawn]
    return [*marked, *(("header", 0, block) for block in headers)]


def found(place: Place, sought: Sought | None) -> list[tuple[str, Block, int]]:
    """What the search found on the page, "current" what is looked at of it, and the places."""
    if sought is None or sought.document_id != place.document_id:
        return []
    return [
        ("current" if at == sought.at else "found", block, n)
        for at, (block, n) in enumerate(sought.found)
        if block.page == place.page
    ]


def drawn(
    place: Place, sought: Sought | None, blocks: Iterable[Block], words: Words
) -> Iterator[tuple[Json, Box]]:
    """Every mark with its box; ``words`` are the page's, none where it is a picture."""
    marked = cited(place, blocks)
    for (kind, _), run in groupby(_numbered(marked), key=lambda each: each[:2]):
        rows = list(run)
        for n, box in enumerate(framed([block.box for _, _, block in rows])):
            yield {"kind": kind, "number": 0 if n else rows[0][1]}, box
    for kind, _, block in marked:
        if kind != "header" and len(block.cells) > 1:
            text = block.cells[0].text[:LABEL_CHARS]
            yield {"kind": "label", "number": 0, "text": text}, block.box
    places = list(word_boxes(sought.phrase, words)) if sought else []
    for kind, block, n in found(place, sought):
        for box in _nth(places, block.box, n):
            yield {"kind": kind, "number": 0}, box


def _numbered(marked: Iterable[tuple[str, int, Block]]) -> Iterator[tuple[str, int, Block]]:
    """The marks with the number of their citation on each of its blocks."""
    last = 0
    for kind, number, block in marked:
        last = number or (last if kind != "header" else 0)
        yield kind, last, block


def framed(boxes: Iterable[Box]) -> list[Box]:
    """Lines that touch or overlap as one box, so that no frame runs through a figure."""
    frames: list[Box] = []
    for box in boxes:
        last = frames[-1] if frames else None
        above = last and last.left < box.right and box.left < last.right
        if last and above and abs(box.top - last.bottom) < TOUCHING:
            left, right = min(last.left, box.left), max(last.right, box.right)
            frames[-1] = Box(left, last.top, right, max(last.bottom, box.bottom))
        else:
            frames.append(box)
    return frames


def _nth(places: Iterable[list[Box]], around: Box, n: int) -> list[Box]:
    """The boxes of the n-th place within a block's box; that box where words are not known."""
    inside = [boxes for boxes in places if _within(boxes[0], around)]
    return inside[n] if n < len(inside) else [around]


def _within(inner: Box, outer: Box) -> bool:
    across, down = (inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2
    return outer.left <= across <= outer.right and outer.top <= down <= outer.bottom


def percent(box: Box, *, width: float, height: float) -> list[float]:
    """Left, top, width and height of a box, in percent of its page."""
    return [
        round(100 * box.left / width, 3),
        round(100 * box.top / height, 3),
        round(100 * (box.right - box.left) / width, 3),
        round(100 * (box.bottom - box.top) / height, 3),
    ]
