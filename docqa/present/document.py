"""What docqa presents, before it takes the form of a file or a screen.

A presentation is a sequence of headings, paragraphs, notes, lists and tables. A text is a string,
or runs of words and marks where some are styled or cited. A table's cells are typed, so that a
spreadsheet has numbers and dates where a page has words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import TypeAlias

from docqa.types.answer import Verdict
from docqa.types.document import Block, place_name
from docqa.types.phrases import sign_at

NEAREST = "not found; nearest page"
LIKELY = "likely page"
POINTS = "points"  # the unit of a difference of percentages
SIGNS: dict[Verdict, str] = {"verified": "✓", "near": "≈", "not found": "✕"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BORDER = re.compile(r"(?<!\S)\|(?!\S)")  # between the cells of a row, as it was read
_CLAUSE = re.compile(r"(?m)(^|“)(\(?\d+(?:\.\d+)+[.)]?|\(?\w{1,3}[.)]) \| ")  # its number a cell


@dataclass(frozen=True, slots=True)
class Words:
    """A run of text, shown exactly as it is. What is struck was corrected or taken out."""

    text: str
    strong: bool = False
    struck: bool = False
    link: str = ""  # where it leads in the app


@dataclass(frozen=True, slots=True)
class Mark:
    """The place of a citation; ``label`` is the citation's ("S1", "S3.2-4")."""

    label: str


Inline = Words | Mark
Text = str | tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    text: Text
    level: int = 3  # 1 is a title


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: Text


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence beside the contents: a warning, how the citations fared, who wrote it."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; ``first`` is the number of its first item, 0 for a list without numbers."""

    items: tuple[Text, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class Number:
    """A number; ``text`` is how it is printed, its value where that is ""."""

    value: Decimal
    unit: str = ""  # as of a `Figure`
    text: str = ""


@dataclass(frozen=True, slots=True)
class Percent:
    """A share: ``value`` is 0.05 for 5 %; ``text`` is how it is printed."""

    value: Decimal
    text: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, from 1, and the number printed on it, or the name of a slide, sheet or section."""

    number: int
    label: str = ""
    named: bool = False  # its file has no pages; the label is all that is shown
    link: str = ""  # which opens the app there

    def __str__(self) -> str:
        if self.named:
            return place_name(self.number, self.label)
        printed = self.label and self.label != str(self.number)
        return f"p. {self.number}" + (f", printed {self.label}" if printed else "")


@dataclass(frozen=True, slots=True)
class Source:
    """What a document says: the words quoted, their page and whether they stand there.

    On a page it is one cell, "$1.2M (p. 3) ✓"; in a spreadsheet each field has its own column
    (see `spread`). Where nothing was found there is no quote, and ``check`` says so.
    """

    quote: str = ""
    page: Page | None = None
    check: str = ""  # a verdict, or what was not found
    printed: str = ""  # a figure as it stands in the quote
    value: Number | date | str = ""  # of that figure
    shown: Text = ""  # in place of figure and quote where all is one cell
    document: str = ""
    sha256: str = ""  # of the document
    section: str = ""
    blocks: tuple[Block, ...] = ()  # that the quote stands in


@dataclass(frozen=True, slots=True)
class Uncertain:
    """A cell that may be wrong, and looks so in a spreadsheet."""

    value: Number | date | str


Cell: TypeAlias = str | tuple[Inline, ...] | Number | Percent | date | Page | Source | Uncertain


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with as many cells as the header has; ``title`` is "" within running text."""

    header: tuple[Text, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, JPEG, ``width`` points wide; ``text`` says what it shows."""

    content: bytes
    text: str
    width: float


Part = Heading | Paragraph | Note | Listing | Table | Picture


def runs(text: Text) -> tuple[Inline, ...]:
    """A text as runs."""
    return ((Words(text),) if text else ()) if isinstance(text, str) else text


def cell_text(cell: Cell) -> Text:
    """A cell as it is printed."""
    match cell:
        case Number(value, _, text):
            return text or f"{value:,f}"
        case Percent(value, text):
            return text or f"{value:.1%}"
        case date():
            return str(cell)
        case Page():
            return linked(str(cell), cell.link)
        case Source():
            return _source_text(cell)
        case Uncertain(value):
            return cell_text(value)
        case _:
            return cell


def with_rows(text: str, blocks: Sequence[Block]) -> str:
    """What stands in the blocks, the cells of tables' rows apart by dots, as a person would."""
    if not any(each.table or each.cells for each in blocks):
        return text  # its bars are the document's own
    return _BORDER.sub("·", _CLAUSE.sub(r"\1\2 ", text))


def in_line(text: str, blocks: Sequence[Block]) -> str:
    """What stands in the blocks on one line: rows and items apart by semicolons, without signs."""
    said, ends = "", False
    for each in filter(None, (" ".join(line.split()) for line in text.split("\n"))):
        shown = with_rows(each[sign_at(each) :], blocks)
        begins = bool(sign_at(each)) or shown != each
        apart = (begins or ends) and said[-1:] not in ".;:,"
        said += f"{'; ' if apart else ' '}{shown}"
        ends = begins
    return said.strip()


def now() -> str:
    """The time that is written into a file, in ISO 8601, where this machine stands."""
    return datetime.now().astimezone().isoformat(timespec="minutes")


def moment(time: str) -> str:
    """A time in ISO 8601 in words.

    >>> moment("2026-11-25T12:53+00:00"), moment("")
    ('25 November 2026, 12:53 UTC', '')
    """
    if not time:
        return ""
    read = datetime.fromisoformat(time)
    return f"{read.day} {read:%B %Y, %H:%M} {read.tzname() or ''}".strip()


def printable(text: str) -> str:
    """The text as an Office file may have it: with a replacement for what XML does not know.

    >>> printable("a" + chr(0))
    'a�'
    """
    return _NOT_XML.sub("\ufffd", text)


def linked(text: str, link: str) -> Text:
    """The text, which leads somewhere if ``link`` is not ""."""
    return (Words(text, link=link),) if link else text


_BEFORE = {NEAREST: "not found; nearest: ", LIKELY: "likely: "}  # a quote that settles nothing


def _source_text(source: Source) -> Text:
    words = runs(
        source.shown or source.printed or in_line(source.quote, source.blocks) or source.check
    )
    if not words:
        return ""
    if source.quote and source.check in _BEFORE:
        words = (Words(_BEFORE[source.check]), *words)
    page = runs(cell_text(source.page)) if source.page else ()
    section = (Words(f" · {source.section}" if page else source.section),) * bool(source.section)
    place = (Words(" ("), *page, *section, Words(")")) if page or section else ()
    quoted = source.shown or source.printed or source.quote
    sign = next((f" {SIGNS[each]}" for each in SIGNS if quoted and each == source.check), "")
    before = (Words(f"{source.document}: "),) if source.document else ()
    return (*before, *words, *place, *runs(sign))


def written_out(part: Part, citations: Mapping[str, str], *, quoting: Sequence[Block] = ()) -> Part:
    """The part with citations in place of their marks, and what was corrected put in words.

    ``quoting`` are the blocks that its words are quoted from.
    """

    def write(text: Text) -> Text:
        return tuple(_written_out(each, citations, quoting) for each in runs(text))

    match part:
        case Note() | Picture():
            return part
        case Listing(items):
            return replace(part, items=tuple(map(write, items)))
        case Table(header, rows):
            cells = [[write(c) if isinstance(c, str | tuple) else c for c in row] for row in rows]
            return replace(part, header=tuple(map(write, header)), rows=tuple(map(tuple, cells)))
        case _:
            return replace(part, text=write(part.text))


def _written_out(inline: Inline, citations: Mapping[str, str], quoting: Sequence[Block]) -> Words:
    if isinstance(inline, Mark):
        return Words(citations[inline.label])
    if inline.struck:
        return Words(f"(corrected from {inline.text})")
    return replace(inline, text=with_rows(inline.text, quoting))


FIELDS: dict[str, Callable[[Source], Cell]] = {
    "document": lambda source: source.document,
    "SHA-256": lambda source: source.sha256,
    "value": lambda source: source.value,
    "as printed": lambda source: source.printed,
    "page": lambda source: Number(Decimal(source.page.number)) if source.page else "",
    "printed page": lambda source: source.page.label if source.page else "",
    "section": lambda source: source.section,
    "check": lambda source: source.check,
    "link": lambda source: linked(source.page.link, source.page.link) if source.page else "",
    "quote": lambda source: source.quote,
}


def spread(table: Table, *, fields: Sequence[str] = ()) -> Table:
    """The table with a column for each field of its sources, and of its pages.

    Without ``fields``, a column for each that any source of it has.
    """
    columns = list(zip(*table.rows, strict=True)) or [() for _ in table.header]
    header: list[Text] = []
    spread_out: list[Sequence[Cell]] = []
    for name, column in zip(table.header, columns, strict=True):
        for title, cells in _spread(name, column, fields):
            header.append(title)
            spread_out.append(cells)
    return replace(table, header=tuple(header), rows=tuple(zip(*spread_out, strict=True)))


def _spread(
    name: Text, column: Sequence[Cell], fields: Sequence[str]
) -> list[tuple[Text, Sequence[Cell]]]:
    if not any(isinstance(cell, Source | Page) for cell in column):
        return [(name, column)]
    sources = [_as_source(cell) for cell in column]
    if not fields:  # for a person; a program looks for the quote as it was read
        sources = [replace(each, quote=with_rows(each.quote, each.blocks)) for each in sources]
    found = {field: [FIELDS[field](source) for source in sources] for field in fields or FIELDS}
    if not fields:
        found = {field: cells for field, cells in found.items() if any(cells)}
    of = "" if any(isinstance(cell, Page) for cell in column) else name
    return [
        (f"{of}: {field}" if of else field[:1].upper() + field[1:], cells)
        for field, cells in found.items()
    ]


def _as_source(cell: Cell) -> Source:
    if isinstance(cell, Source):
        return cell
    return Source(page=cell) if isinstance(cell, Page) else Source()
