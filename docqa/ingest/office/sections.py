"""Files without pages (Word, PowerPoint, Excel, CSV, HTML, Markdown, plain text) to Blocks.

A "page" is a slide, a sheet, a section of a text, or some lines of a plain one. There is no picture
of it and no place on one, so sizes and boxes are empty. Docling's readers need no model for these
formats. They are kept from asking the network or another program for anything.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from docqa.errors import ReadingFailed, TooLarge
from docqa.ingest.geometry.text import RAISED, clean, pieces
from docqa.ingest.office import separated, workbook
from docqa.ingest.office.formats import check, text_of
from docqa.ingest.office.source import as_read
from docqa.ingest.office.word_headers import LOOKED_AT, Names, header_rows, letters_of
from docqa.ingest.office.workbook import Section
from docqa.ingest.reading.parse import Parsed, row_block
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.text_layer import Skimmed
from docqa.settings import Settings
from docqa.types.document import NOWHERE, Block, BlockKind, Cell, FileKind, kind_of

ENGINES: dict[FileKind, str] = {
    "docx": "Word reader",
    "pptx": "PowerPoint reader",
    "xlsx": "Excel reader",
    "csv": "CSV reader",
    "html": "HTML reader",
    "md": "Markdown reader",
    "txt": "text reader",
}
_SHEETS = {"xlsx": workbook.read, "csv": separated.read}
SECTION = 1500  # characters from which on any heading begins a new section, not only the highest
LONG = 6000  # characters from which on any paragraph does: about three pages of paper
LINES = 3000  # characters of plain text in one section
LONG_LINE = 120  # characters; a text with such lines has a paragraph on each
NAME = 60  # characters of a section's name
_CLOSING = re.compile(r"[.,;:!?%)\]}’”]")
_AFTER_PARTS = re.compile(r"(\d\.\d\d?)\.$")  # and the last dot of "4.3."
_OPEN = re.compile(r"[(\[{“‘$€£-]$")
FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec")


def read(path: Path, name: str, *, settings: Settings) -> Skimmed:
    """All of a file that is no PDF; the path's ending tells its kind.

    Raises `ReadingFailed`, `TooLarge` and what `formats.check` raises.
    """
    kind = kind_of(path.name)
    check(path, name, kind, limits=settings)
    limit = settings.reading.block_chars
    sheets = _SHEETS.get(kind)
    places = sheets(path, name) if sheets else _places(path, name, kind)
    found = [
        piece
        for page, place in enumerate(places, start=1)
        for block in place.blocks
        for piece in _cut(replace(block, page=page), limit)
    ]
    if not found:
        raise ReadingFailed(name, reason="there is no text in it")
    if len(places) > settings.reading.max_pages:
        sizes = (f"{count:,} sections" for count in (len(places), settings.reading.max_pages))
        raise TooLarge(name, what=next(sizes), limit=next(sizes))
    blocks = tuple(replace(block, index=index) for index, block in enumerate(found))
    heading = next((block.text for block in blocks if block.kind == "heading"), "")
    return _skimmed(places, Parsed("" if sheets else heading, blocks, (), ENGINES[kind], ()))


def _skimmed(places: Sequence[Section], parsed: Parsed) -> Skimmed:
    characters = Counter[int]()
    for block in parsed.blocks:
        characters[block.page] += len(block.text)
    facts = tuple(
        PageFacts(page, 0, 0, place.name, characters[page])
        for page, place in enumerate(places, start=1)
    )
    health = tuple(
        fact.health(fact.glyphs, *place.warnings) for fact, place in zip(facts, places, strict=True)
    )
    said = tuple(f"{each.label}: {warning}." for each in health for warning in each.warnings)
    return Skimmed(facts, replace(parsed, health=health, warnings=said))


def _places(path: Path, name: str, kind: FileKind) -> list[Section]:
    """The slides or sections of a file; what has nothing written in it has no name."""
    found = list(_plain(path) if kind == "txt" else _structured(path, name, kind))
    by_page: dict[int, list[Block]] = {
        n: [] for n in range(1, max((b.page for b in found), default=0) + 1)
    }
    for block in found:
        by_page[block.page].append(block)
    return [
        Section(blocks[0].place if blocks else "", tuple(blocks)) for blocks in by_page.values()
    ]


def _cut(block: Block, limit: int) -> Iterator[Block]:
    """A long paragraph in pieces; a table's row is never cut."""
    spans = [(0, len(block.text))] if block.table else pieces(block.text, limit)
    for at, (start, end) in enumerate(spans):
        yield replace(block, text=block.text[start:end], continues=block.continues or at > 0)


def _plain(path: Path) -> Iterator[Block]:
    """Paragraphs, in sections that are named by their lines."""
    group: list[tuple[int, int, str]] = []
    page = 0
    for paragraph in _paragraphs(text_of(path)):
        if group and sum(len(text) for _, _, text in group) + len(paragraph[2]) > LINES:
            page += 1
            yield from _lines(group, page)
            group = []
        group.append(paragraph)
    yield from _lines(group, page + 1)


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
    content = as_read(path.read_bytes(), kind)
    stream = DocumentStream(name=f"file.{kind}", stream=BytesIO(content))
    with _shut_off():
        result = converter.convert(stream, raises_on_error=False)
    if result.status != ConversionStatus.SUCCESS:
        raise ReadingFailed(name, reason="it is damaged or not what its name says")
    names = header_rows(content) if kind == "docx" else {}
    found = list(_blocks_of(result.document, names))
    if kind == "pptx":
        return [replace(each, place=f"slide {each.page}") for each in found]
    return list(_in_sections(found))


def _converter() -> Any:
    from docling.backend.docx.drawingml import utils as drawings
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import DocumentConverter

    # Where LibreOffice is installed, Docling has it open the file to draw its pictures.
    drawings.get_libreoffice_cmd = lambda raise_if_unavailable=False: None
    formats = [InputFormat.DOCX, InputFormat.PPTX, InputFormat.HTML, InputFormat.MD]
    return DocumentConverter(allowed_formats=formats)


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


def _blocks_of(document: Any, names: Names) -> Iterator[Block]:
    """The document's items that are read, in order, on the slide each stands on."""
    tables = 0
    told: set[str] = set()  # parts of paragraphs and of tables that were told whole
    layers: Any = type(document.body.content_layer)
    for item, _ in document.iterate_items(
        with_groups=True, traverse_pictures=True, included_content_layers=set(layers)
    ):
        if item.self_ref in told or not _is_read(item, document):
            continue
        numbers = [place.page_no for place in getattr(item, "prov", ())]
        if hasattr(item, "data"):
            tables += 1
            told.update(_texts_below(item, document))
        words = list(_inline(item, document)) if _is_in_parts(item) else []
        told.update(ref for each in words for ref in (each.self_ref, each.parent.cref))
        for block in _blocks(item, tables, _joined(words) if words else None, names):
            yield replace(block, page=numbers[0] if numbers else 1)


def _is_read(item: Any, document: Any) -> bool:
    """Whether an item is of the text, a footnote, or a speaker's note: comments stand in groups."""
    layer: str = item.content_layer
    if layer == "notes":
        return bool(item.parent.resolve(document).content_layer == "body")
    return layer == "body" or (layer, item.label) == ("furniture", "footnote")


def _texts_below(table: Any, document: Any) -> Iterator[str]:
    """References of the texts that Docling lists once more, of cells whose words are set apart."""
    for child in (each.resolve(document) for each in table.children):
        if not hasattr(child, "data"):
            yield child.self_ref
            yield from _texts_below(child, document)


def _is_in_parts(item: Any) -> bool:
    """Whether an item may be a paragraph or a part of one whose words are its children."""
    return item.label == "inline" or getattr(item, "text", None) == ""


def _inline(item: Any, document: Any) -> Iterator[Any]:
    """The parts of a paragraph whose words are set apart, in bold for instance; none of others."""
    for child in (each.resolve(document) for each in item.children):
        if child.label == "inline":
            yield from _inline(child, document)
        elif item.label == "inline":
            yield child


def _joined(words: Iterable[Any]) -> str:
    """Docling keeps no blanks between words set apart, and none stands before most signs."""
    text = ""
    for each in words:
        said = getattr(each, "text", "")
        raised = "super" in str(getattr(getattr(each, "formatting", None), "script", "")).lower()
        if raised and set(said) <= set("0123456789"):
            text += said.translate(RAISED)
        else:
            close = not text or _CLOSING.match(said) or _OPEN.search(text)
            text += said if close else f" {said}"
    return text


def _blocks(item: Any, table: int, whole: str | None, names: Names) -> Iterator[Block]:
    if hasattr(item, "data"):
        yield from _rows(item, table, names)
        return
    text = clean(getattr(item, "text", "") if whole is None else whole)
    if text:
        kind, level = _kind(item)
        yield Block(f"{_numbered(item)}{text}", 1, NOWHERE, kind=kind, level=level)


def _numbered(item: Any) -> str:
    """The number that Word or a browser sets before a list's item ("4.3 "), by which it is named;
    "" for others."""
    marker = item.marker.strip() if getattr(item, "enumerated", False) else ""
    return _AFTER_PARTS.sub(r"\1", marker) + " " if marker else ""


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
    if item.content_layer == "notes":  # a speaker's, on a slide
        return "footnote", 0
    if item.label == "title":
        return "heading", 1
    if item.label == "section_header":
        return "heading", item.level + 1
    return named.get(item.label, "text"), 0


def _rows(item: Any, number: int, names: Names) -> Iterator[Block]:
    """One block for each row of a table with something written in it, merged cells in each."""
    written = [cell for cell in item.data.table_cells if cell.text.strip()]
    rows: dict[int, list[Any]] = {cell.start_row_offset_idx: [] for cell in written}
    for cell in written:
        for at in range(cell.start_row_offset_idx, cell.end_row_offset_idx):
            if at in rows:
                rows[at].append(cell)
    first = [cell.text for cell in written if cell.start_row_offset_idx < LOOKED_AT]
    known, header = letters_of(first) in names, names.get(letters_of(first))
    # A cell of the head that is merged downwards has the rows beside it in the head.
    ends = [cell.end_row_offset_idx for cell in written if cell.start_row_offset_idx == header]
    heads = range(header or 0, max(ends, default=0))
    for at, row in sorted(rows.items()):
        row.sort(key=lambda cell: cell.start_col_offset_idx)
        cells = [Cell(clean(each.text), each.start_col_offset_idx, each.col_span) for each in row]
        head = at in heads if known else all(each.column_header for each in row)
        yield row_block(cells, number, page=1, box=NOWHERE, column_header=head)


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
        numbering = f", part {part}" if part > 1 else ""
        yield replace(block, page=page, place=f"{name or 'the beginning'}{numbering}")
        length += len(block.text)
        before = block


def _begins(heading: Block, before: Block | None, length: int) -> bool:
    """Whether a heading begins a section: not right under another one, which it belongs to."""
    under = before is not None and before.kind == "heading" and before.level < heading.level
    return not under and (heading.level <= 2 or length > SECTION)


def _shortened(name: str) -> str:
    one_line = re.sub(r"\s+", " ", name).strip()
    return one_line if len(one_line) <= NAME else f"{one_line[:NAME].rstrip()}…"
