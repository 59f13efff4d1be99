"""A PDF's bytes to Blocks: its pages laid out, and here their regions become our nouns.

What lays them out, Docling with it, is imported when the first file is read, not before.
"""

import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from docqa.ingest.geometry.cells import Grid, GridCell
from docqa.ingest.geometry.repeated_headers import parted
from docqa.ingest.geometry.text import join_lines, pieces, vocabulary
from docqa.ingest.geometry.words import around
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.titles import title_of
from docqa.settings import Settings
from docqa.types.document import Block, Box, Cell, FileKind, PageHealth, TextSource
from docqa.types.progress import no_progress

if TYPE_CHECKING:
    from docqa.ingest.geometry.layout import Arranged
    from docqa.ingest.reading.arrange import Laid
    from docqa.ingest.reading.docling_pipeline import Run

ENGINE = "geometry"
SEEING = "docling-layout-heron"  # geometry, and the regions that Docling's layout network sees
FELL_BACK = "geometry; the layout network failed"
LEFT_NOTHING = "geometry; the layout network left no text"
# Raise them where the same file becomes other blocks: libraries are then read again.
VERSION = 13
OFFICE_VERSION = 8  # of files without pages
READS = {1: "upwards", 2: "upside down", 3: "downwards"}


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
    Raises `ReadingFailed` where nothing is known of the file and it cannot be read; a page that
    fails alone is named in its health.
    """
    from docqa.ingest.geometry import roles
    from docqa.ingest.reading import docling_pipeline, rescue

    span = first, last or sys.maxsize
    run = docling_pipeline.run(
        path, password, span, laid, facts, settings=settings, progress=progress, ocr=ocr
    )
    rescued = rescue.rescued(path, facts, run.arranged, run.waiting, password=password)
    arranged = sorted((run.arranged | rescued).items())
    pages = roles.classify([page for _, page in arranged])
    faults = [f"Docling's layout network could not be used: {run.fault}"] if run.fault else []
    blocks = tuple(_flowing(_blocks(pages, settings.reading.block_chars)))
    known = {fact.page: fact for fact in facts}
    warnings = {number: [rescue.WARNING] for number in rescued}
    health = tuple(_health(run, {each.number: each for each in pages}, blocks, known, warnings))
    return Parsed(
        title=title_of(blocks, first),
        blocks=blocks,
        health=health,
        engine=FELL_BACK if run.fault else SEEING if settings.reading.layout_model else ENGINE,
        warnings=(*faults, *_warnings(health)),
    )


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


def _blocks(pages: Sequence["Arranged"], limit: int) -> Iterator[Block]:
    """The regions of pages as blocks of at most ``limit`` characters, a table's rows one each."""
    words = vocabulary(
        line.text for page in pages for region in page.regions for line in region.lines
    )
    tables = 0
    for page in pages:
        for region in page.regions:
            if region.kind == "table":
                rows = parted(_unbroken(list(_rows(region.grid, tables + 1, page.number)), words))
                tables = rows[-1].table if rows else tables + 1
                yield from rows
            else:
                lines = [(line.text, line.box) for line in region.lines]
                for at, (text, box) in enumerate(_cut(lines, words, limit)):
                    yield Block(
                        text, page.number, box, region.kind, level=region.level, continues=at > 0
                    )


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


def _rows(grid: "Grid | None", table: int, page: int) -> Iterator[Block]:
    """One block for each row of a table, with the label that reaches down to it."""
    rows: dict[int, list[GridCell]] = {}
    for cell in grid.cells if grid else ():
        if cell.text.strip():
            rows.setdefault(cell.row, []).append(cell)
    above: GridCell | None = None
    for at, cells in sorted(rows.items()):
        cells.sort(key=lambda cell: cell.column)
        box = around(cell.box for cell in cells)
        if cells[0].column == 0:
            above = cells[0]
        elif above and at < above.row_end and not above.header:
            cells.insert(0, above)
        kept = [Cell(cell.text, cell.column, cell.column_end - cell.column) for cell in cells]
        head = all(cell.header for cell in cells)
        yield row_block(kept, table, page=page, box=box, column_header=head)


def _unbroken(rows: Sequence[Block], known: Container[str]) -> list[Block]:
    """The rows of a table, a name of a column that a hyphen breaks between two rows of the head
    whole in the lower one, where it makes a ``known`` word."""
    mended = list(rows)
    for at, (above, below) in enumerate(pairwise(rows)):
        if not (above.column_header and below.column_header and "-" in above.text):
            continue
        ends = {(cell.column, cell.span): cell.text for cell in mended[at].cells}
        lower = [
            replace(cell, text=_whole(ends.get((cell.column, cell.span), ""), cell.text, known))
            for cell in below.cells
        ]
        whole = {(c.column, c.span) for c, old in zip(lower, below.cells, strict=True) if c != old}
        left = [cell for cell in mended[at].cells if (cell.column, cell.span) not in whole]
        if whole and left:
            mended[at], mended[at + 1] = _with_cells(above, left), _with_cells(below, lower)
    return mended


def _whole(above: str, below: str, known: Container[str]) -> str:
    """The lower of two lines, with the upper where a hyphen breaks a ``known`` word between them.

    >>> _whole("Net recov-", "eries", {"recoveries"}), _whole("Mid-", "year", {"mid", "year"})
    ('Net recoveries', 'year')
    """
    broken = above[-2:-1].isalpha() and above.endswith("-") and below[:1].islower()
    word = f"{above.split()[-1][:-1]}{below.split()[0]}".lower() if broken else ""
    return above[:-1] + below if word in known else below


def _with_cells(row: Block, cells: Sequence[Cell]) -> Block:
    return row_block(cells, row.table, page=row.page, box=row.box, column_header=row.column_header)


def row_block(
    cells: Sequence[Cell], table: int, *, page: int, box: Box, column_header: bool
) -> Block:
    """A row of the table of that number, of its cells from left to right."""
    return Block(
        text=" | ".join(cell.text for cell in cells),
        page=page,
        box=box,
        kind="table",
        table=table,
        cells=tuple(cells),
        column_header=column_header,
    )


def _health(
    run: "Run",
    pages: Mapping[int, "Arranged"],
    blocks: Sequence[Block],
    facts: Mapping[int, PageFacts],
    warnings: Mapping[int, Sequence[str]],
) -> Iterator[PageHealth]:
    """The health of every page, with its ``warnings`` or those that its reading gives cause for."""
    characters: Counter[int] = Counter()
    for block in blocks:
        characters[block.page] += len(block.text)
    for number in run.numbers:
        page, count = pages.get(number), characters[number]
        fact = facts.get(number, PageFacts(number, 0, 0, "", 0))
        waiting = number in run.waiting
        given = warnings.get(number) or _page_warnings(run, page, count, fact)
        sized = page or fact
        yield PageHealth(
            page=number,
            label=fact.label,
            width=sized.width,
            height=sized.height,
            characters=count,
            source=_source(page, count),
            warnings=() if waiting else tuple(given),
            waiting=waiting,
        )


def _source(page: "Arranged | None", characters: int) -> TextSource:
    if page is None or not characters:
        return "none"
    return "OCR" if page.by_ocr else "text layer"


def _page_warnings(
    run: "Run", page: "Arranged | None", characters: int, fact: PageFacts
) -> Iterator[str]:
    if page is None:
        yield "this page could not be read"
    elif not characters and fact.glyphs:
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
