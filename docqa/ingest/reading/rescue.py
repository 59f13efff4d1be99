"""Pages that are left empty although text is drawn on them, read with pdfium instead.

A damaged content stream ends as a page without text and without an error; so does a page at
which Docling gives up. pdfium often reads such a page, and the geometry arranges its words as it
does Docling's.
"""

import logging
from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from docqa.ingest.geometry import layout
from docqa.ingest.geometry.layout import Arranged
from docqa.ingest.geometry.text import clean
from docqa.ingest.geometry.words import Word
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.pdfium import PageFacts

log = logging.getLogger(__name__)

ENOUGH_GLYPHS = 15  # fewer may be a page number
WARNING = "Docling found no text here; it was read in a simpler way, so check the page"


def rescued(
    path: Path,
    facts: Sequence[PageFacts],
    read: Mapping[int, Arranged],
    waiting: Container[int],
    *,
    password: str | None = None,
) -> dict[int, Arranged]:
    """The pages that should have text, have none as they were ``read`` and wait for no OCR."""
    found: dict[int, Arranged] = {}
    for fact in facts:
        has_text = fact.page in read and any(region.lines for region in read[fact.page].regions)
        if fact.glyphs < ENOUGH_GLYPHS or fact.garbled or has_text or fact.page in waiting:
            continue
        every = pdfium.page_words(path, fact.page, password=password)
        words = tuple(Word(text, box) for word, box in every if (text := clean(word)))
        if words:
            log.warning("Page %d was read by pdfium alone", fact.page)
            page = layout.Page(fact.page, fact.width, fact.height, words)
            found[fact.page] = Arranged.of(page, layout.arrange(page))
    return found
