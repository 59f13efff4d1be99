"""A page's regions where a layout model has seen it: its regions, filled with the page's words.

What the model cannot give is geometry's: a table's cells, the order, and whatever words lie in
none of its regions. Pure, as `layout` is; a page without sights is laid out there alone.
"""

from collections.abc import Sequence
from dataclasses import replace

from docqa.ingest.geometry.captions import is_units
from docqa.ingest.geometry.glyphs import as_shown
from docqa.ingest.geometry.layout import (
    Page,
    Region,
    Sight,
    by_geometry,
    others,
    table_region,
    with_geometry,
)
from docqa.ingest.geometry.layout import arrange as arrange_unseen
from docqa.ingest.geometry.ruled_tables import Lattice, find_lattices
from docqa.ingest.geometry.rules import walls_of
from docqa.ingest.geometry.tables import find_ruled, table_of
from docqa.ingest.geometry.words import (
    Line,
    Word,
    area,
    around,
    line_of,
    rows_of,
    segments,
    share_of,
    without_leaders,
)
from docqa.types.document import BlockKind

INSIDE = 0.5  # of a word's area that a region has to cover to hold it
EDGE = 0.15  # of the page's height: what runs through all pages stands nowhere else
MOST_OF_TABLE = 0.7  # of a table's words that rules have to enclose to make its cells


def arrange(page: Page) -> list[Region]:
    """As `layout.arrange`, by the page's sights where it has any."""
    return arrange_unseen(page, _upright_regions if page.sights else None)


def _upright_regions(page: Page) -> list[Region]:
    words = as_shown(page.words)
    held, free = _homes(words, page.sights)
    lattices = find_lattices(page.rules)
    regions: list[Region] = []
    for sight, inside in zip(page.sights, held, strict=True):
        made, left = _regions(sight, inside, lattices, page)
        regions += made
        free += left
    return with_geometry(regions, free, lattices, page)


def _homes(words: Sequence[Word], sights: Sequence[Sight]) -> tuple[list[list[Word]], list[Word]]:
    """Each sight's words, and those of none; of two that hold a word the smaller has it."""
    held: list[list[Word]] = [[] for _ in sights]
    free: list[Word] = []
    for word in words:
        shares = [(share_of(word.box, sight.box), -area(sight.box)) for sight in sights]
        best = max(range(len(sights)), key=lambda at: shares[at])
        (held[best] if shares[best][0] > INSIDE else free).append(word)
    return held, free


def _regions(
    sight: Sight, words: Sequence[Word], lattices: Sequence[Lattice], page: Page
) -> tuple[list[Region], list[Word]]:
    """What a sight is with its words, and those of them that are not of it after all."""
    if sight.kind == "picture":
        return [Region("picture", sight.box, seen=True), *_drawn_in(words, page)], []
    if sight.kind == "table":
        return _table(sight, words, lattices, page)
    lines = tuple(line_of(row) for row in rows_of(without_leaders(words)[0]))
    if not lines:
        return [], list(words)
    return [
        Region(_kind(sight, lines, page), around(line.box for line in lines), lines, seen=True)
    ], []


def _kind(sight: Sight, lines: Sequence[Line], page: Page) -> BlockKind:
    """What the model says, but for units over a table, and for running text amid the page."""
    if sight.kind == "text" and len(lines) == 1 and is_units(lines[0].text):
        return "caption"
    middle = (sight.box.top + sight.box.bottom) / 2
    amid = EDGE * page.height < middle < (1 - EDGE) * page.height
    return "text" if sight.kind in {"header", "footer"} and amid else sight.kind


def _drawn_in(words: Sequence[Word], page: Page) -> list[Region]:
    """Words in a picture, apart from the page's other text and never its headings."""
    parts = segments(words, walls=walls_of(page.rules))
    return [replace(region, seen=True) for region in by_geometry(parts, [], page)]


def _table(
    sight: Sight, words: Sequence[Word], lattices: Sequence[Lattice], page: Page
) -> tuple[list[Region], list[Word]]:
    """A table with the cells that rules enclose, or else that stand under one another."""
    near = [each for each in lattices if share_of(each.box, sight.box) > MOST_OF_TABLE]
    for table in find_ruled(words, near):
        box = around(line.box for line in table.lines)
        outside = [word for word in words if share_of(word.box, box) <= INSIDE]
        if len(outside) <= (1 - MOST_OF_TABLE) * len(words):
            return [table_region(table)], outside
    lines = segments(words, walls=walls_of(page.rules))
    found = table_of(lines, page.rules)
    if found is None:
        return [], list(words)
    return [table_region(found)], others([w for line in lines for w in line.words], [found])
