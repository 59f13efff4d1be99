"""Files without pages (Word, PowerPoint, Excel, HTML, Markdown, plain text) to Blocks.

A "page" is a slide, a sheet, or a section that begins at a heading of the highest level; its label
is the slide's number, the sheet's or the section's name. There is no picture of it and no place on
one, so sizes and boxes are empty. Docling's readers need no model for these formats.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from docqa.errors import NoPages, ReadingFailed, TooLarge
from docqa.ingest.formats import Kind, check, kind_of
from docqa.ingest.pages import PageFacts
from docqa.ingest.parse import Parsed
from docqa.ingest.skim import Skimmed
from docqa.ingest.text import clean, pieces
from docqa.settings import Settings
from docqa.types import Block, BlockKind, Box, Cell, PageHealth

NOWHERE = Box(0, 0, 0, 0)
ENGINES: dict[Kind, str] = {
    "docx": "Word reader",
    "pptx": "PowerPoint reader",
    "xlsx": "Excel reader",
    "html": "HTML reader",
    "md": "Markdown reader",
    "txt": "text reader",
}


@dataclass(frozen=True, slots=True)
class _Section:
    """A block still without number, on the page named ``label``."""

    page: int
    label: str
    block: Block


def read(path: Path, name: str, *, settings: Settings) -> Skimmed:
    """All of a file that is no PDF; ``name`` tells its kind.

    Raises `ReadingFailed`, `TooLarge`, `NoPages` and what `formats.check` raises.
    """
    check(path, name, limits=settings)
    kind = kind_of(name)
    found = _plain(path) if kind == "txt" else _structured(path, name, kind)
    pieces_of = [piece for each in found for piece in _cut(each, settings.block_chars)]
    if not pieces_of:
        raise NoPages(name)
    last = pieces_of[-1].page
    if last > settings.max_pages:
        raise TooLarge(name, what=f"{last} sections", limit=f"{settings.max_pages} sections")
    return _skimmed(pieces_of, ENGINES[kind])


def _skimmed(found: Sequence[_Section], engine: str) -> Skimmed:
    blocks = tuple(replace(each.block, index=index) for index, each in enumerate(found))
    labels = {each.page: each.label for each in reversed(found)}
    characters = dict.fromkeys(range(1, found[-1].page + 1), 0)
    for block in blocks:
        characters[block.page] += len(block.text)
    facts = tuple(PageFacts(n, 0, 0, labels.get(n, ""), size) for n, size in characters.items())
    health = tuple(
        PageHealth(n, labels.get(n, ""), 0, 0, size, "text layer" if size else "none")
        for n, size in characters.items()
    )
    title = next((block.text for block in blocks if block.kind == "heading"), "")
    return Skimmed(facts, Parsed(title, blocks, health, engine, ()))


def _cut(section: _Section, limit: int) -> Iterator[_Section]:
    """A long paragraph in pieces; a table's row is never cut."""
    block = section.block
    spans = [(0, len(block.text))] if block.table else pieces(block.text, limit)
    for at, (start, end) in enumerate(spans):
        piece = replace(block, text=block.text[start:end], continues=block.continues or at > 0)
        yield replace(section, block=piece)


def _plain(path: Path) -> Iterator[_Section]:
    """Paragraphs as blank lines part them."""
    content = path.read_bytes()
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    for paragraph in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        if clean(paragraph):
            yield _Section(1, "", Block(clean(paragraph), 1, NOWHERE))


def _structured(path: Path, name: str, kind: Kind) -> list[_Section]:
    from docling.datamodel.base_models import ConversionStatus, DocumentStream

    with path.open("rb") as file:
        # Under a name of its kind: what is being added may lie under another.
        stream = DocumentStream(name=f"file.{kind}", stream=_in_memory(file.read()))
        result = _converter().convert(stream, raises_on_error=False)
    if result.status != ConversionStatus.SUCCESS:
        raise ReadingFailed(name, reason="it is damaged or not what its name says")
    return list(_sections(result.document, kind))


def _in_memory(content: bytes) -> Any:
    from io import BytesIO

    return BytesIO(content)


@lru_cache(maxsize=1)
def _converter() -> Any:
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import DocumentConverter

    formats = (InputFormat.DOCX, InputFormat.PPTX, InputFormat.XLSX, InputFormat.HTML)
    return DocumentConverter(allowed_formats=[*formats, InputFormat.MD])


def _sections(document: Any, kind: Kind) -> Iterator[_Section]:
    """The document's items as blocks, a new page where a slide, sheet or section begins."""
    page, label, tables, before = 1, "", 0, False
    for item, _ in document.iterate_items(with_groups=True, traverse_pictures=True):
        numbers = [place.page_no for place in getattr(item, "prov", ())]
        begun = _begun(item, kind)
        if begun is not None:
            label = begun
            page += before and kind not in {"pptx", "xlsx"}
        if kind in {"pptx", "xlsx"} and numbers:
            page = numbers[0]
            label = f"Slide {page}" if kind == "pptx" else label
        tables += hasattr(item, "data")
        for block in _blocks(item, page, tables):
            before = True
            yield _Section(page, label, block)


def _begun(item: Any, kind: Kind) -> str | None:
    """The label of the sheet or section that an item begins."""
    label = str(getattr(item.label, "value", item.label))
    if kind == "xlsx":
        return f"Sheet {item.name}" if label == "sheet" else None
    heads = label == "title" or (label == "section_header" and item.level == 1)
    return clean(item.text) if heads and kind != "pptx" else None


def _blocks(item: Any, page: int, tables: int) -> Iterator[Block]:
    if hasattr(item, "data"):
        yield from _rows(item, page, tables)
        return
    text = clean(getattr(item, "text", ""))
    if text:
        kind, level = _kind(item)
        yield Block(text, page, NOWHERE, kind=kind, level=level)


def _kind(item: Any) -> tuple[BlockKind, int]:
    """What an item is, and its level where it is a heading; a title stands above all others."""
    named: dict[str, BlockKind] = {
        "list_item": "list",
        "caption": "caption",
        "footnote": "footnote",
        "code": "code",
    }
    label = str(item.label.value)
    if label == "title":
        return "heading", 1
    if label == "section_header":
        return "heading", item.level + 1
    return named.get(label, "text"), 0


def _rows(item: Any, page: int, number: int) -> Iterator[Block]:
    """One block for each row of a table that has something written in it."""
    rows: dict[int, list[Any]] = {}
    for cell in item.data.table_cells:
        if cell.text.strip():
            rows.setdefault(cell.start_row_offset_idx, []).append(cell)
    for _, row in sorted(rows.items()):
        cells = sorted(row, key=lambda cell: cell.start_col_offset_idx)
        kept = tuple(Cell(clean(c.text), c.start_col_offset_idx, c.col_span) for c in cells)
        yield Block(
            text=" | ".join(cell.text for cell in kept),
            page=page,
            box=NOWHERE,
            kind="table",
            table=number,
            cells=kept,
            column_header=all(cell.column_header for cell in cells),
        )
