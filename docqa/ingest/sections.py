"""Files without pages (Word, PowerPoint, Excel, HTML, Markdown, plain text) to Blocks.

A "page" is a slide, a sheet, a section of a text, or some lines of a plain one. There is no picture
of it and no place on one, so sizes and boxes are empty. Docling's readers need no model for these
formats. They are kept from asking the network or another program for anything.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

from docqa.errors import ReadingFailed, TooLarge
from docqa.ingest.formats import check
from docqa.ingest.pages import PageFacts
from docqa.ingest.parse import Parsed
from docqa.ingest.skim import Skimmed
from docqa.ingest.text import clean, pieces
from docqa.settings import Settings
from docqa.types import Block, BlockKind, Box, Cell, FileKind, PageHealth, kind_of

NOWHERE = Box(0, 0, 0, 0)
ENGINES: dict[FileKind, str] = {
    "docx": "Word reader",
    "pptx": "PowerPoint reader",
    "xlsx": "Excel reader",
    "html": "HTML reader",
    "md": "Markdown reader",
    "txt": "text reader",
}
SECTION = 1500  # characters from which on any heading begins a new section, not only the highest
LONG = 6000  # characters from which on any paragraph does: about three pages of paper
LINES = 3000  # characters of plain text in one section
LONG_LINE = 120  # characters; a text with such lines has a paragraph on each
NAME = 60  # characters of a section's name
FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec")


def read(path: Path, name: str, *, settings: Settings) -> Skimmed:
    """All of a file that is no PDF; the path's ending tells its kind.

    Raises `ReadingFailed`, `TooLarge` and what `formats.check` raises.
    """
    kind = kind_of(path.name)
    check(path, name, kind, limits=settings)
    found = _plain(path) if kind == "txt" else _structured(path, name, kind)
    blocks = [piece for block in found for piece in _cut(block, settings.block_chars)]
    if not blocks:
        raise ReadingFailed(name, reason="there is no text in it")
    last = blocks[-1].page
    if last > settings.max_pages:
        raise TooLarge(name, what=f"{last:,} sections", limit=f"{settings.max_pages:,} sections")
    return _skimmed(blocks, ENGINES[kind])


def _skimmed(found: Sequence[Block], engine: str) -> Skimmed:
    blocks = tuple(replace(block, index=index) for index, block in enumerate(found))
    labels = {block.page: block.place for block in blocks}
    characters = Counter({page: 0 for page in range(1, blocks[-1].page + 1)})
    for block in blocks:
        characters[block.page] += len(block.text)
    facts = tuple(PageFacts(n, 0, 0, labels.get(n, ""), size) for n, size in characters.items())
    health = tuple(
        PageHealth(n, labels.get(n, ""), 0, 0, size, "text layer" if size else "none")
        for n, size in characters.items()
    )
    title = next((block.text for block in blocks if block.kind == "heading"), "")
    return Skimmed(facts, Parsed(title, blocks, health, engine, ()))


def _cut(block: Block, limit: int) -> Iterator[Block]:
    """A long paragraph in pieces; a table's row is never cut."""
    spans = [(0, len(block.text))] if block.table else pieces(block.text, limit)
    for at, (start, end) in enumerate(spans):
        yield replace(block, text=block.text[start:end], continues=block.continues or at > 0)


# Plain text


def _plain(path: Path) -> Iterator[Block]:
    """Paragraphs, in sections that are named by their lines."""
    group: list[tuple[int, int, str]] = []
    page = 0
    for paragraph in _paragraphs(_decoded(path.read_bytes())):
        if group and sum(len(text) for _, _, text in group) + len(paragraph[2]) > LINES:
            page += 1
            yield from _lines(group, page)
            group = []
        group.append(paragraph)
    yield from _lines(group, page + 1)


def _decoded(content: bytes) -> str:
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _paragraphs(text: str) -> Iterator[tuple[int, int, str]]:
    """First and last line, from 1, and text of each; blank lines part them, or every line does."""
    lines = text.splitlines()
    each_its_own = any(len(line) > LONG_LINE for line in lines)
    first, held = 0, list[str]()
    for number, line in enumerate([*lines, ""], start=1):
        if held and (each_its_own or not line.strip()):
            yield first, number - 1, clean(" ".join(held))
            held = []
        if line.strip():
            first = first if held else number
            held.append(line)


def _lines(group: Sequence[tuple[int, int, str]], page: int) -> Iterator[Block]:
    if group:
        first, last = group[0][0], group[-1][1]
        place = f"line {first}" if first == last else f"lines {first}–{last}"
        for _, _, text in group:
            if text:
                yield Block(text, page, NOWHERE, place=place)


# What Docling reads


def _structured(path: Path, name: str, kind: FileKind) -> list[Block]:
    from docling.datamodel.base_models import ConversionStatus, DocumentStream

    converter = _converter()
    stream = DocumentStream(name=f"file.{kind}", stream=BytesIO(path.read_bytes()))
    with _shut_off():
        result = converter.convert(stream, raises_on_error=False)
    if result.status != ConversionStatus.SUCCESS:
        raise ReadingFailed(name, reason="it is damaged or not what its name says")
    found = list(_blocks_of(result.document))
    if kind in ("pptx", "xlsx"):
        return [replace(each.block, page=each.page, place=each.place) for each in found]
    return list(_in_sections([each.block for each in found]))


def _converter() -> Any:
    from docling.backend.docx.drawingml import utils as drawings
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import DocumentConverter

    # Where LibreOffice is installed, Docling has it open the file to draw its pictures.
    drawings.get_libreoffice_cmd = lambda raise_if_unavailable=False: None
    formats = (InputFormat.DOCX, InputFormat.PPTX, InputFormat.XLSX, InputFormat.HTML)
    return DocumentConverter(allowed_formats=[*formats, InputFormat.MD])


_shut: list[bool] = []  # not empty while nothing may leave this process


@contextmanager
def _shut_off() -> Iterator[None]:
    """No connection is made and no program started in this block, whatever a file asks for."""
    if not hasattr(_watch, "watching"):
        sys.addaudithook(_watch)
        _watch.watching = True  # type: ignore[attr-defined]  # an audit hook is never taken away
    _shut.append(True)
    try:
        yield
    finally:
        _shut.pop()


def _watch(event: str, arguments: Any) -> None:
    if _shut and event.startswith(FORBIDDEN):
        raise PermissionError(f"reading a file must not cause {event}")


@dataclass(frozen=True, slots=True)
class _Found:
    """A block and the slide or sheet it stands on."""

    block: Block
    page: int = 1
    place: str = ""


def _blocks_of(document: Any) -> Iterator[_Found]:
    """The document's items, in order."""
    tables, sheet = 0, ""
    for item, _ in document.iterate_items(with_groups=True, traverse_pictures=True):
        if str(getattr(item.label, "value", item.label)) == "sheet":
            sheet = item.name
        numbers = [place.page_no for place in getattr(item, "prov", ())]
        page = numbers[0] if numbers else 1
        place = f"sheet “{_shortened(sheet)}”" if sheet else f"slide {page}"
        tables += hasattr(item, "data")
        for block in _blocks(item, tables):
            yield _Found(block, page, place)


def _blocks(item: Any, table: int) -> Iterator[Block]:
    if hasattr(item, "data"):
        yield from _rows(item, table)
        return
    text = clean(getattr(item, "text", ""))
    if text:
        kind, level = _kind(item)
        yield Block(text, 1, NOWHERE, kind=kind, level=level)


def _kind(item: Any) -> tuple[BlockKind, int]:
    """What an item is, and its level where it is a heading; a title stands above all others."""
    named: dict[str, BlockKind] = {
        "list_item": "list",
        "caption": "caption",
        "footnote": "footnote",
        "code": "code",
        "page_header": "header",
        "page_footer": "footer",
    }
    label = str(item.label.value)
    if label == "title":
        return "heading", 1
    if label == "section_header":
        return "heading", item.level + 1
    return named.get(label, "text"), 0


def _rows(item: Any, number: int) -> Iterator[Block]:
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
            page=1,
            box=NOWHERE,
            kind="table",
            table=number,
            cells=kept,
            column_header=all(cell.column_header for cell in cells),
        )


# Sections


def _in_sections(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks with the section each stands in; a name that comes again is numbered."""
    page, name, part, length = 1, "", 1, 0
    seen: Counter[str] = Counter()
    before: Block | None = None
    for block in blocks:
        if block.kind == "heading" and _begins(block, before, length):
            page += before is not None
            seen[block.text] += 1
            again = f" ({seen[block.text]})" if seen[block.text] > 1 else ""
            name, part, length = f"section “{_shortened(block.text)}”{again}", 1, 0
        elif length > LONG and not (block.table and before and before.table == block.table):
            page, part, length = page + 1, part + 1, 0
        told = f", part {part}" if part > 1 else ""
        yield replace(block, page=page, place=f"{name or 'the beginning'}{told}")
        length += len(block.text)
        before = block


def _begins(heading: Block, before: Block | None, length: int) -> bool:
    """Whether a heading begins a section: not right under another one, which it belongs to."""
    under = before is not None and before.kind == "heading" and before.level < heading.level
    return not under and (heading.level <= 2 or length > SECTION)


def _shortened(name: str) -> str:
    one_line = re.sub(r"\s+", " ", name).strip()
    return one_line if len(one_line) <= NAME else f"{one_line[:NAME].rstrip()}…"
