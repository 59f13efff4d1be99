"""What was read: documents, their pages, blocks and chunks; and the units of all nouns.

Units are law, everywhere in the package:

- pages and ranks count from 1; ``index`` fields count from 0;
- boxes are in PDF points (1/72 inch) from the top left corner of the page as displayed;
- in a file without pages a slide, sheet or section counts as one: it has a name, and no size;
- lengths are in characters unless the name says ``tokens``;
- times are in seconds, sizes in bytes.

Every noun is frozen: a stage returns new values and never edits those it was given.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from docqa.types.phrases import count

BlockKind = Literal[
    "text", "heading", "list", "table", "caption", "footnote", "header", "footer", "code", "picture"
]

ChunkKind = Literal["text", "table"]

TextSource = Literal["text layer", "OCR", "none"]

DocumentState = Literal["text", "read", "complete"]

FileKind = Literal["pdf", "docx", "pptx", "xlsx", "csv", "html", "md", "txt"]

KINDS: Mapping[str, FileKind] = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".pptx": "pptx",
    ".xlsx": "xlsx",
    ".csv": "csv",
    ".tsv": "csv",
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
}

_UNITS: Mapping[FileKind, str] = {
    "pdf": "page",
    "pptx": "slide",
    "xlsx": "sheet",
    "csv": "sheet",
}  # what the pages of a kind are called

ENDING = rf"\.(?:{'|'.join(ending[1:] for ending in KINDS)})"  # a pattern, for any case


def kind_of(name: str) -> FileKind:
    """The kind a file's name tells; whatever has no known ending is taken for a PDF.

    >>> kind_of("Rents.XLSX"), kind_of("Lease")
    ('xlsx', 'pdf')
    """
    return KINDS.get(PurePath(name).suffix.lower(), "pdf")


def without_ending(name: str) -> str:
    """A file's name alone.

    >>> without_ending("Rents 3.5.XLSX")
    'Rents 3.5'
    """
    return re.sub(rf"{ENDING}$", "", name, flags=re.IGNORECASE)


def spoken_name(name: str) -> str:
    """A file's name as a sentence has it.

    >>> spoken_name("Lease_Harbour_Yard.pdf")
    'Lease Harbour Yard'
    """
    return " ".join(without_ending(name).replace("_", " ").split())


def is_readable(name: str) -> bool:
    """Whether a file of this name is worth trying; Office's own lock files ("~$Rents.xlsx") not."""
    return PurePath(name).suffix.lower() in KINDS and not name.startswith(("~$", "."))


def place_name(page: int, place: str = "") -> str:
    """What a page is cited by: its number, or the name of a slide, sheet or section.

    >>> place_name(4), place_name(2, "sheet “Rents”")
    ('p. 4', 'sheet “Rents”')
    """
    return place or f"p. {page}"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points from the top left of the page as displayed."""

    left: float
    top: float
    right: float
    bottom: float


NOWHERE = Box(0, 0, 0, 0)  # of what stands in a file without pages


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table row: its text and the columns it covers (``column`` from 0)."""

    text: str
    column: int
    span: int = 1


@dataclass(frozen=True, slots=True)
class Block:
    """The smallest citable thing: a piece of text on one page, with its box.

    A long paragraph is several blocks, cut at sentence ends; all but the first have
    ``continues`` set. A table is one block for each row: ``table`` numbers the table within
    the document (from 1; 0 outside tables), ``cells`` holds the row's cells, and
    ``column_header`` marks rows that name the columns.
    """

    text: str
    page: int
    box: Box
    kind: BlockKind = "text"
    index: int = 0
    level: int = 0  # of a heading: 1 is the highest; 0 for anything else
    continues: bool = False  # carries on the paragraph of the block before it
    table: int = 0
    cells: tuple[Cell, ...] = ()
    column_header: bool = False
    place: str = ""  # the name of its slide, sheet or section, where the file has no pages
    row: int = 0  # of its sheet, from 1; 0 where there are no rows

    @property
    def where(self) -> str:
        return where_of((self,), self.page)

    @property
    def is_furniture(self) -> bool:
        """Whether it is of the page, not of what is said: a running header or footer, a picture."""
        return self.kind in ("header", "footer", "picture")


def where_of(blocks: Sequence[Block], page: int) -> str:
    """What is cited of a page: its name, and the rows where it is of a sheet.

    The columns' names are not counted, unless they are all there is.

    >>> rows = [Block("A", 1, Box(0, 0, 0, 0), place="sheet “Rents”", row=n) for n in (4, 9)]
    >>> where_of(rows, 1), where_of(rows[:1], 1)
    ('sheet “Rents”, rows 4–9', 'sheet “Rents”, row 4')
    """
    name = place_name(page, blocks[0].place if blocks else "")
    rows = [block.row for block in blocks if block.row and not block.column_header]
    rows = rows or [block.row for block in blocks if block.row]
    if not rows:
        return name
    first, last = min(rows), max(rows)
    return f"{name}, row {first}" if first == last else f"{name}, rows {first}–{last}"


@dataclass(frozen=True, slots=True)
class PageHealth:
    """What could be read from one page. ``width`` and ``height`` are in points, as displayed.

    Both are 0 for a slide, sheet or section, whose name is the ``label``.
    """

    page: int
    label: str  # the number printed on the page ("F-12"), or "" where there is none
    width: float
    height: float
    characters: int
    source: TextSource
    warnings: tuple[str, ...] = ()
    waiting: bool = False  # for OCR, which has not come to it yet

    @property
    def is_doubtful(self) -> bool:
        """Whether it is worth holding what was read against the page."""
        return bool(self.warnings) or self.source != "text layer"

    @property
    def where(self) -> str:
        return place_name(self.page, "" if self.width else self.label)


@dataclass(frozen=True, slots=True)
class Landmark:
    """A table that is known for what it is ("balance sheet"), and the page it begins on."""

    name: str
    page: int


@dataclass(frozen=True, slots=True)
class Document:
    """A file in the library. ``id`` is the SHA-256 of its bytes, in hexadecimal.

    ``state`` is how far it has come: "text" while only its plain text layer was taken over, which
    can be searched by words; "read" once its structure is there; "complete" with its vectors.
    """

    id: str
    name: str  # the file name as it was given, without folders
    page_count: int
    title: str = ""
    added: str = ""  # ISO 8601, UTC
    size: int = 0
    engine: str = ""  # what read it: "geometry", "docling-layout-heron", …
    chunk_count: int = 0
    discard_count: int = 0
    warnings: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # the person's own words for it, sorted
    state: DocumentState = "complete"
    waiting_pages: int = 0  # for OCR
    kind: FileKind = "pdf"
    parser: int = 1  # the version of the parser that made its blocks
    description: str = ""  # what it is, in a sentence or two from its first pages and headings
    landmarks: tuple[Landmark, ...] = ()  # its statements, rent roll and key facts, in page order

    @property
    def unit(self) -> str:
        """What its pages are: "page", "slide", "sheet", "section"."""
        return _UNITS.get(self.kind, "section")

    @property
    def signposts(self) -> str:
        """Where its landmarks are, or "".

        >>> marks = (Landmark("income statement", 5), Landmark("balance sheet", 6))
        >>> Document("a", "A.pdf", 9, landmarks=marks).signposts
        'Income statement p. 5, balance sheet p. 6'
        """
        pages: dict[str, list[int]] = {}
        for landmark in self.landmarks:
            pages.setdefault(landmark.name, []).append(landmark.page)
        named = (f"{name} {self._places(where)}" for name, where in pages.items())
        listing = ", ".join(named)
        return listing[:1].upper() + listing[1:]

    def _places(self, pages: Sequence[int]) -> str:
        several, listed = len(pages) > 1, ", ".join(map(str, pages))
        if self.unit == "page":
            return f"{'pp.' if several else 'p.'} {listed}"
        return f"{self.unit}{'s' if several else ''} {listed}"

    @property
    def is_whole(self) -> bool:
        """Whether nothing of it is left to be read, embedded or OCRed."""
        return self.state == "complete" and not self.waiting_pages

    @property
    def is_plain(self) -> bool:
        """Whether its plain text is all that could be read, without tables and headings."""
        return self.state == "complete" and self.engine.partition(";")[0] == "text layer"

    @property
    def extent(self) -> str:
        """How long it is: "1 page", "3 sheets"."""
        return count(self.page_count, self.unit)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of blocks that is embedded, ranked and quoted together.

    ``id`` is ``<document id>:<index>``, or ``<document id>:text<index>`` while the document is
    only plain text, so that an id never names two passages. ``context`` situates the chunk in its
    document, and so does ``note`` where a language model wrote one; they are indexed with the text
    and never quoted. A note is no evidence either: nothing is checked against it.
    """

    id: str
    document_id: str
    index: int
    blocks: tuple[Block, ...]
    headings: tuple[str, ...] = ()
    context: str = ""
    kind: ChunkKind = "text"
    note: str = ""

    @property
    def text(self) -> str:
        """What is quoted: the blocks' text, a blank line between paragraphs."""
        return join_blocks(self.blocks)

    @property
    def embedded_text(self) -> str:
        """What is indexed: the context line, the text, then the note.

        The note is last, so that it is what an encoder leaves unread where it is all too long.
        """
        return "\n".join(filter(None, (self.context, self.text, self.note)))

    @property
    def judged_text(self) -> str:
        """What a reranker reads: two headings, the text, the note.

        The rest of the context line is the same for all of a document, and a reranker that has to
        be quick reads a hundred words of a passage.

        >>> blocks = (Block("The rent is due on quarter days.", 1, Box(0, 0, 1, 1)),)
        >>> Chunk("a:0", "a", 0, blocks, ("3. Rent", "3.1 When"), "Lease A · 3.1 When").judged_text
        '3. Rent › 3.1 When\\nThe rent is due on quarter days.'
        """
        said = {block.text for block in self.blocks}
        above = " › ".join(heading for heading in self.headings[-2:] if heading not in said)
        return "\n".join(filter(None, (above, self.text, self.note)))

    @property
    def section(self) -> str:
        """The heading path as one line, outermost first."""
        return " › ".join(self.headings)

    @property
    def table_title(self) -> str:
        """What heads a table: its two innermost headings and its first rows; "" for text."""
        if self.kind != "table":
            return ""
        rows = " ".join(block.text for block in self.blocks[:3])
        return " ".join([*reversed(self.headings[-2:]), rows[:200]])

    @property
    def page_start(self) -> int:
        return self.blocks[0].page

    @property
    def page_end(self) -> int:
        return self.blocks[-1].page

    @property
    def where(self) -> str:
        """Where it stands: "p. 3", "pp. 3–4", "slide 2"."""
        first, last = self.blocks[0], self.blocks[-1]
        if first.page == last.page:
            return where_of(self.blocks, first.page)
        named = first.place or last.place
        return f"{first.where} – {last.where}" if named else f"pp. {first.page}–{last.page}"


def join_blocks(blocks: tuple[Block, ...]) -> str:
    """Blocks as text: a space inside a paragraph, one line for each table row, else a blank line.

    >>> here = Box(0, 0, 1, 1)
    >>> join_blocks((Block("One.", 1, here), Block("Two.", 1, here, continues=True)))
    'One. Two.'
    """
    pieces: list[str] = []
    for before, block in zip((None, *blocks), blocks, strict=False):
        if before is not None:
            pieces.append(_separator(before, block))
        pieces.append(block.text)
    return "".join(pieces)


def _separator(before: Block, block: Block) -> str:
    if block.continues:
        return " "
    same_table = block.table and block.table == before.table
    both_lists = block.kind == before.kind == "list"
    return "\n" if same_table or both_lists else "\n\n"


@dataclass(frozen=True, slots=True)
class Discard:
    """A chunk that validation left out, and why."""

    document_id: str
    page: int
    reason: str
    text: str
    place: str = ""  # as of a `Block`

    @property
    def where(self) -> str:
        return place_name(self.page, self.place)
