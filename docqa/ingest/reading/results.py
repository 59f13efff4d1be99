"""Parts of a file, as they were read, made one: their blocks, their pages' health and warnings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.ingest.chunks import suspicion
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.text_layer import Skimmed
from docqa.types.document import Block, PageHealth

LITTLE_READ = 0.5  # of a page's glyphs; fewer characters, and the page is marked
ENOUGH_GLYPHS = 200  # on fewer the share says nothing
PLAIN = "read as plain text, without tables and headings"


def page_ranges(count: int, step: int) -> Iterator[tuple[int, int]]:
    """First and last pages to ask for at a time."""
    return ((first, min(first + step - 1, count)) for first in range(1, count + 1, step))


def plain(skimmed: Skimmed, first: int, last: int, reason: str) -> Parsed:
    """The plain text layer of pages that could not be read in full."""
    here = range(first, last + 1)
    known = [page for page in skimmed.parsed.health if page.page in here]
    pages_told = f"Page {first} was" if first == last else f"Pages {first} to {last} were"
    return replace(
        skimmed.parsed,
        blocks=tuple(block for block in skimmed.parsed.blocks if block.page in here),
        health=tuple(replace(page, warnings=(f"{PLAIN}: {reason}",)) for page in known),
        warnings=(f"{pages_told} {PLAIN}: {reason}.",),
    )


def joined(parts: Sequence[Parsed], facts: Sequence[PageFacts]) -> Parsed:
    """The ranges as one document: blocks and tables numbered through, a health for every page."""
    blocks: list[Block] = []
    tables = 0
    for part in parts:
        for block in part.blocks:
            index, table = len(blocks), block.table + tables if block.table else 0
            moved = index != block.index or table != block.table
            blocks.append(replace(block, index=index, table=table) if moved else block)
        tables = max([tables, *(block.table for block in blocks[-len(part.blocks) :])])
    known = {page.page: page for part in parts for page in part.health}
    health = tuple(_judged(known.get(fact.page), fact) for fact in facts)
    return Parsed(
        title=next((part.title for part in parts if part.title), ""),
        blocks=tuple(blocks),
        health=health,
        engine=" and ".join(dict.fromkeys(part.engine for part in parts)),
        warnings=tuple(_warnings(parts, health)),
    )


def _judged(page: PageHealth | None, fact: PageFacts) -> PageHealth:
    """The health of a page, with what pdfium knows of it held against what was read."""
    if page is None:
        return fact.health(0, "this page could not be read")
    judged = replace(page, label=page.label or fact.label)
    remarks = [*page.warnings, *_noticed(page, fact)]
    return replace(judged, warnings=tuple(dict.fromkeys(remarks)))


def _noticed(page: PageHealth, fact: PageFacts) -> Iterator[str]:
    if fact.garbled:
        yield "its text layer is garbled" + ("" if page.waiting else ", so it was read by OCR")
    little = page.characters < LITTLE_READ * fact.glyphs and fact.glyphs >= ENOUGH_GLYPHS
    if little and not page.warnings and not page.waiting and not fact.garbled:
        yield f"only {page.characters} of about {fact.glyphs} characters could be read"
    if fact.unseen:
        yield suspicion.unseen(fact.unseen)


def _warnings(parts: Sequence[Parsed], health: Sequence[PageHealth]) -> Iterator[str]:
    given = [warning for part in parts for warning in part.warnings]
    found = [
        f"Page {page.page}: {text}."
        for page in health
        for text in page.warnings
        if not text.startswith(PLAIN)
    ]
    yield from dict.fromkeys([*given, *found])
