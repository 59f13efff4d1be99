"""Pages that Docling leaves empty although text is drawn on them, read with pdfium instead.

A damaged content stream ends as a page without text and without an error; so does a page at
which Docling gives up. pdfium often reads such a page, and the geometry arranges its words as it
does Docling's.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from docqa.ingest.geometry import layout
from docqa.ingest.geometry.text import clean
from docqa.ingest.geometry.words import Word
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.parse import Parsed, blocks_of
from docqa.ingest.reading.pdfium import PageFacts
from docqa.types.document import Block

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
            health[fact.page] = fact.health(sum(len(each.text) for each in found), WARNING)
    remarks = [f"Page {page.page}: {text}." for page in health.values() for text in page.warnings]
    general = [text for text in parsed.warnings if not text.startswith("Page ")]
    return replace(
        parsed,
        health=tuple(health[number] for number in sorted(health)),
        warnings=(*general, *remarks),
    )


def unread(facts: Sequence[PageFacts], *, engine: str) -> Parsed:
    """Pages of which nothing was read at all, for `rescue`."""
    health = tuple(fact.health(0, "this page could not be read") for fact in facts)
    return Parsed(title="", blocks=(), health=health, engine=engine, warnings=())


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
    return list(blocks_of([layout.Arranged.of(page, layout.arrange(page))], limit))
