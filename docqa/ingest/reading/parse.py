"""A PDF's bytes to Blocks: Docling reads and orders, and here its document becomes our nouns.

Docling's units end here: its boxes, labels and origins are turned into ours, and nothing of
Docling's leaves this file. It is imported when the first file is read, not before.
"""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docqa.errors import ReadingFailed
from docqa.ingest.geometry.repeated_headers import parted
from docqa.ingest.geometry.text import clean, join_lines, pieces, vocabulary
from docqa.ingest.geometry.words import around
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.titles import title_of
from docqa.settings import Settings
from docqa.types.document import (
    Block,
    BlockKind,
    Box,
    Cell,
    FileKind,
    PageHealth,
    TextSource,
)
from docqa.types.progress import no_progress

if TYPE_CHECKING:
    from docling.datamodel.document import ConversionResult
    from docling_core.types.doc.base import BoundingBox
    from docling_core.types.doc.common.reference import ProvenanceItem
    from docling_core.types.doc.items.node import DocItem
    from docling_core.types.doc.items.table.table import TableItem

    from docqa.ingest.geometry.layout import Arranged, Region
    from docqa.ingest.reading.arrange import Laid

_log = logging.getLogger(__name__)

ENGINE = "geometry"
SEEING = "docling-layout-heron"  # geometry, and the regions that Docling's layout network sees
FELL_BACK = "geometry; the layout network failed"
LEFT_NOTHING = "geometry; the layout network left no text"
# Raise them where the same file becomes other blocks: libraries are then read again.
VERSION = 6
OFFICE_VERSION = 7  # of files without pages
READS = {1: "upwards", 2: "upside down", 3: "downwards"}
Place = tuple[int, float, float, float, float]  # page and box: regions may begin at one corner


def version_of(kind: FileKind) -> int:
    """That of the rules by which files of a kind are read."""
    return VERSION if kind == "pdf" else OFFICE_VERSION


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read of a file, blocks in reading order."""

    title: str
    blocks: tuple[Block, ...]
    health: tuple[PageHealth, ...]
    engine: str
    warnings: tuple[str, ...]


def read(
    path: Path,
    *,
    password: str | None = None,
    settings: Settings,
    first: int = 1,
    last: int | None = None,
    facts: Sequence[PageFacts] = (),
    laid: "Iterable[Laid] | None" = None,
    progress: Callable[[int, int], None] = no_progress,
    ocr: bool = True,
) -> Parsed:
    """The blocks and the health of the pages from ``first`` to ``last`` (to the end for None).

    ``laid`` are the pages as `arrange.laid_out` gives them, where that was done before; of pages
    that Docling decodes itself ``progress`` is told those done and those in all, from any thread.
    Without ``ocr``, pages that need it are marked as waiting for it in their health.
    ``facts``, where given, name the pages' labels and let empty pages be told from unread ones.
    Raises `ReadingFailed` where nothing can be read; a page that fails alone is named in its
    health.
    """
    garbled = {fact.page for fact in facts if fact.garbled}
    if laid is None:
        # The network looks at pages as Docling reads them.
        laid = (
            []
            if settings.reading.layout_model
            else _laid_out(path, password, (first, last), garbled)
        )
    run = _converted(path, password, settings, progress, (first, last), laid, ocr, garbled)
    faults = [f"Docling's layout network could not be used: {run.fault}"] if run.fault else []
    blocks = tuple(
        _flowing(_blocks(run.result.document, run.arranged, settings.reading.block_chars))
    )
    health = tuple(_health(run, blocks, {fact.page: fact for fact in facts}))
    return Parsed(
        title=title_of(blocks, first),
        blocks=blocks,
        health=health,
        engine=FELL_BACK if run.fault else SEEING if settings.reading.layout_model else ENGINE,
        warnings=(*faults, *_warnings(health)),
    )


def _laid_out(
    path: Path, password: str | None, span: tuple[int, int | None], garbled: set[int]
) -> "list[Laid]":
    from docqa.ingest.reading import arrange

    first, last = span
    return arrange.laid_out(
        path,
        password=password,
        first=first,
        last=last or sys.maxsize,
        garbled=garbled,
        done=lambda count: None,
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run of Docling gave: its document, our layout of it, the pages left for OCR.

    ``unseen`` are the pages that the layout network failed on, ``fault`` why there was none.
    """

    result: "ConversionResult"
    arranged: Mapping[int, "Arranged"]
    waiting: set[int]
    unseen: set[int]
    fault: str


def _converted(
    path: Path,
    password: str | None,
    settings: Settings,
    progress: Callable[[int, int], None],
    span: tuple[int, int | None],
    laid: "Iterable[Laid]",
    ocr: bool,
    garbled: set[int],
) -> _Run:
    from docling.datamodel.base_models import ConversionStatus

    from docqa.ingest.reading import docling_pipeline

    convert = _converter(settings.reading.parser_threads, password)
    docling_pipeline.prepare(convert, laid, ocr=ocr, garbled=garbled)
    network = Path(settings.reading.layout_model) if settings.reading.layout_model else None
    fault = docling_pipeline.use_layout_network(
        convert, network, threads=settings.reading.parser_threads
    )
    result = convert.convert(
        path,
        raises_on_error=False,
        page_range=(span[0], span[1] or sys.maxsize),
        progress_callback=lambda event: _tell(event, progress),
    )
    if result.status not in {ConversionStatus.SUCCESS, ConversionStatus.PARTIAL_SUCCESS}:
        reasons = [error.error_message for error in result.errors]
        _log.warning("Docling could not read %s: %s", path.name, reasons)
        raise ReadingFailed(path.name)
    return _Run(
        result,
        docling_pipeline.arranged_by(convert),
        docling_pipeline.waiting_for_ocr(convert),
        docling_pipeline.pages_without_network(convert),
        fault,
    )


def _tell(event: Any, progress: Callable[[int, int], None]) -> None:
    """Docling reports starts and phases too; only pages done are passed on."""
    if hasattr(event, "completed_pages"):
        progress(event.completed_pages, event.total_pages)


@lru_cache(maxsize=1)
def _converter(threads: int, password: str | None) -> Any:
    from docqa.ingest.reading import docling_pipeline

    return docling_pipeline.converter(threads=threads, password=password)


def _flowing(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks counted, those marked that carry on a paragraph from the page or column before."""
    before: Block | None = None
    for index, block in enumerate(blocks):
        goes_on = block.continues or (before is not None and _flows_into(before, block))
        renumbered = replace(block, index=index, continues=goes_on)
        yield renumbered
        if not block.is_furniture:
            before = renumbered


def _flows_into(before: Block, block: Block) -> bool:
    """Whether a paragraph broke off at the end of a page or column and goes on in a block."""
    moved = block.page == before.page + 1 or (
        block.page == before.page and block.box.top < before.box.top
    )
    prose = block.kind == "text" and before.kind in {"text", "list"}
    open_end = before.text[-1:].isalnum() or before.text[-1:] in {",", "-", "–", "—"}
    return moved and prose and open_end and block.text[:1].islower()


def _blocks(document: Any, arranged: Mapping[int, "Arranged"], limit: int) -> Iterator[Block]:
    """The document's items as blocks, captions before what they name."""
    regions = {
        _place(number, region.box): region
        for number, page in arranged.items()
        for region in page.regions
    }
    words = vocabulary(line.text for region in regions.values() for line in region.lines)
    tables, heights = 0, _heights(document)
    for item in _in_order(document):
        if hasattr(item, "data") and item.prov:
            rows = parted(list(_table_blocks(item, tables + 1, heights)))
            tables = rows[-1].table if rows else tables + 1
            yield from rows
        else:
            yield from _item_blocks(item, heights, regions, words, limit)


def _in_order(document: Any) -> Iterator[Any]:
    """The document's items in reading order, running headers and footers too."""
    from docling_core.types.doc.common.content_layer import ContentLayer

    seen: set[str] = set()
    layers = {ContentLayer.BODY, ContentLayer.FURNITURE}
    for item, _ in document.iterate_items(included_content_layers=layers, traverse_pictures=True):
        captions = [reference.resolve(document) for reference in getattr(item, "captions", [])]
        for told_item in [*captions, item]:
            if told_item.self_ref not in seen:
                seen.add(told_item.self_ref)
                yield told_item


def _heights(document: Any) -> dict[int, float]:
    return {number: page.size.height for number, page in document.pages.items()}


def _place(page: int, box: Box) -> Place:
    left, top, right, bottom = (
        round(edge, 1) for edge in (box.left, box.top, box.right, box.bottom)
    )
    return page, left, top, right, bottom


def _boxed(prov: "ProvenanceItem", heights: Mapping[int, float]) -> Box:
    """Docling's box of an item, whichever its origin, from the top left."""
    return _from_top_left(prov.bbox, heights[prov.page_no])


def _from_top_left(box: "BoundingBox", height: float) -> Box:
    """Docling's box on a page of a height; Docling copies those that are from there already."""
    if box.coord_origin != "TOPLEFT":
        box = box.to_top_left_origin(height)
    return Box(box.l, box.t, box.r, box.b)


def _item_blocks(
    item: "DocItem",
    heights: Mapping[int, float],
    regions: Mapping[Place, "Region"],
    words: set[str],
    limit: int,
) -> Iterator[Block]:
    """An item's blocks: one for each place it stands in, long ones in pieces."""
    kind = _kind(item)
    for prov in item.prov:
        box = _boxed(prov, heights)
        region = regions.get(_place(prov.page_no, box))
        if region is None or not region.lines:
            text = clean(getattr(item, "text", "")[slice(*prov.charspan)])
            lines: Sequence[tuple[str, Box]] = [(text, box)] if text else []
        else:
            lines = [(line.text, line.box) for line in region.lines]
        level = region.level if region and kind == "heading" else 0
        for at, (text, own) in enumerate(_cut(lines, words, limit)):
            yield Block(text, prov.page_no, own, kind, level=level, continues=at > 0)


def _kind(item: "DocItem") -> BlockKind:
    return _kinds().get(item.label, "text")


@cache
def _kinds() -> Mapping[str, BlockKind]:
    from docqa.ingest.reading.docling_stages import LABELS

    return {label: kind for kind, label in LABELS.items()}


def _cut(
    lines: Sequence[tuple[str, Box]], words: set[str], limit: int
) -> Iterator[tuple[str, Box]]:
    """Lines as texts of at most ``limit`` characters, each with the box of its own lines."""
    text, starts = join_lines([line for line, _ in lines], words)
    ends = [*starts[1:], len(text)]
    for start, end in pieces(text, limit):
        covered = [
            box
            for (_, box), line_start, line_end in zip(lines, starts, ends, strict=True)
            if line_start < end and line_end > start
        ]
        yield text[start:end], around(covered)


def _table_blocks(item: "TableItem", number: int, heights: Mapping[int, float]) -> Iterator[Block]:
    """One block for each row of a table, with the label that reaches down to it."""
    rows: dict[int, list[Any]] = {}
    for cell in item.data.table_cells:
        if cell.text.strip():
            rows.setdefault(cell.start_row_offset_idx, []).append(cell)
    above: Any = None
    for at, cells in sorted(rows.items()):
        cells.sort(key=lambda cell: cell.start_col_offset_idx)
        box = _row_box(cells, item.prov[0], heights)
        if cells[0].start_col_offset_idx == 0:
            above = cells[0]
        elif above and at < above.end_row_offset_idx and not above.column_header:
            cells.insert(0, above)
        yield row_block(cells, number, page=item.prov[0].page_no, box=box)


def _row_box(cells: Sequence[Any], prov: "ProvenanceItem", heights: Mapping[int, float]) -> Box:
    height = heights[prov.page_no]
    boxes = [_from_top_left(cell.bbox, height) for cell in cells if cell.bbox]
    return around(boxes) if boxes else _boxed(prov, heights)


def row_block(cells: Sequence[Any], number: int, *, page: int, box: Box) -> Block:
    """A row of the table of that number, of Docling's cells from left to right."""
    kept = tuple(Cell(clean(cell.text), cell.start_col_offset_idx, cell.col_span) for cell in cells)
    return Block(
        text=" | ".join(cell.text for cell in kept),
        page=page,
        box=box,
        kind="table",
        table=number,
        cells=kept,
        column_header=all(cell.column_header for cell in cells),
    )


def _health(
    run: _Run, blocks: Sequence[Block], facts: Mapping[int, PageFacts]
) -> Iterator[PageHealth]:
    characters: dict[int, int] = {}
    for block in blocks:
        characters[block.page] = characters.get(block.page, 0) + len(block.text)
    for number in sorted(run.result.document.pages):
        page = run.arranged.get(number)
        fact = facts.get(number)
        size = run.result.document.pages[number].size
        count = characters.get(number, 0)
        waiting = number in run.waiting
        yield PageHealth(
            page=number,
            label=fact.label if fact else "",
            width=page.width if page else size.width,
            height=page.height if page else size.height,
            characters=count,
            source=_source(page, count),
            warnings=() if waiting else tuple(_page_warnings(run, page, count, fact)),
            waiting=waiting,
        )


def _source(page: "Arranged | None", characters: int) -> TextSource:
    if page is None or not characters:
        return "none"
    return "OCR" if page.by_ocr else "text layer"


def _page_warnings(
    run: _Run, page: "Arranged | None", characters: int, fact: PageFacts | None
) -> Iterator[str]:
    if page is None:
        yield "this page could not be read"
    elif not characters and fact and fact.glyphs:
        yield f"nothing was read although the page has {fact.glyphs} characters"
    if page and page.number in run.unseen:
        yield "the layout network failed on it, so geometry alone read it"
    if page and page.turn:
        yield f"this page is rotated: its text reads {READS[page.turn]}"
    if page and page.empty_tables:
        tables = f"{page.empty_tables} tables" if page.empty_tables > 1 else "a table"
        yield f"{tables} without cells: the frame is drawn, but there is no text in it"


def _warnings(health: Iterable[PageHealth]) -> Iterator[str]:
    for page in health:
        for warning in page.warnings:
            yield f"Page {page.page}: {warning}."
