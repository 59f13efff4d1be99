"""Pages that Docling leaves empty although text is drawn on them, read with pdfium instead.

A damaged content stream ends as a page without text and without an error; so does a page at
which Docling gives up. pdfium often reads such a page, and the geometry arranges its words as it
does Docling's.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from docqa.ingest.geometry import layout
from docqa.ingest.geometry.cells import Grid, GridCell
from docqa.ingest.geometry.layout import Region
from docqa.ingest.geometry.text import clean, join_lines, pieces
from docqa.ingest.geometry.words import Word, around
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.types.document import Block, Cell, PageHealth

log = logging.getLogger(__name__)

ENOUGH_GLYPHS = 15  # fewer may be a page number
WARNING = "Docling found no text here; it was read in a simpler way, so check the page"


def rescue(
    parsed: Parsed,
    path: Path,
    *,
    facts: Sequence[PageFacts],
    password: str | None = None,
    block_chars: int,
) -> Parsed:
    """What was read, with the pages that should have text and have none read by pdfium.

    Such a page's health says so. Everything else is as it was; blocks are in order of pages.
    """
    health = {page.page: page for page in parsed.health}
    for fact in facts:
        read = health.get(fact.page)
        read_or_scan = read is not None and (read.characters or read.waiting)
        if fact.glyphs < ENOUGH_GLYPHS or fact.garbled or read_or_scan:
            continue
        found = _blocks(path, fact, password, block_chars)
        if found:
            log.warning("Page %d was read by pdfium alone", fact.page)
            parsed = replace(parsed, blocks=_inserted(parsed.blocks, found))
            health[fact.page] = _healthy(fact, found)
    remarks = [f"Page {page.page}: {text}." for page in health.values() for text in page.warnings]
    general = [text for text in parsed.warnings if not text.startswith("Page ")]
    return replace(
        parsed,
        health=tuple(health[number] for number in sorted(health)),
        warnings=(*general, *remarks),
    )


def unread(facts: Sequence[PageFacts], *, engine: str) -> Parsed:
    """Pages of which nothing was read at all, for `rescue`."""
    return Parsed(
        title="",
        blocks=(),
        health=tuple(
            PageHealth(
                fact.page,
                fact.label,
                fact.width,
                fact.height,
                0,
                "none",
                ("this page could not be read",),
            )
            for fact in facts
        ),
        engine=engine,
        warnings=(),
    )


def _healthy(fact: PageFacts, blocks: Sequence[Block]) -> PageHealth:
    characters = sum(len(block.text) for block in blocks)
    return PageHealth(
        fact.page, fact.label, fact.width, fact.height, characters, "text layer", (WARNING,)
    )


def _inserted(blocks: Sequence[Block], found: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with those of one page in their place, numbered anew."""
    page, tables = found[0].page, max((block.table for block in blocks), default=0)
    before = [block for block in blocks if block.page < page]
    after = [block for block in blocks if block.page > page]
    added = [replace(block, table=block.table + tables * bool(block.table)) for block in found]
    return tuple(
        replace(block, index=index) for index, block in enumerate([*before, *added, *after])
    )


def _blocks(path: Path, fact: PageFacts, password: str | None, limit: int) -> list[Block]:
    words = [
        Word(clean(text), box)
        for text, box in pdfium.page_words(path, fact.page, password=password)
        if clean(text)
    ]
    page = layout.Page(fact.page, fact.width, fact.height, tuple(words))
    found: list[Block] = []
    tables = 0
    for region in layout.arrange(page):
        tables += region.grid is not None
        rows = _rows(region.grid, fact.page, tables) if region.grid else ()
        found += rows or _prose(region, fact.page, limit)
    return found


def _prose(region: Region, page: int, limit: int) -> Iterator[Block]:
    text, _ = join_lines([line.text for line in region.lines])
    for at, (start, end) in enumerate(pieces(text, limit)):
        yield Block(text[start:end], page, region.box, region.kind, continues=at > 0)


def _rows(grid: Grid, page: int, table: int) -> list[Block]:
    rows: dict[int, list[GridCell]] = {}
    for cell in grid.cells:
        if cell.text.strip():
            rows.setdefault(cell.row, []).append(cell)
    return [_row(rows[number], page, table) for number in sorted(rows)]


def _row(cells: Sequence[GridCell], page: int, table: int) -> Block:
    return Block(
        " | ".join(cell.text for cell in cells),
        page,
        around(cell.box for cell in cells),
        "table",
        table=table,
        cells=tuple(Cell(c.text, c.column, max(1, c.column_end - c.column)) for c in cells),
        column_header=all(cell.header for cell in cells),
    )
