"""What the tools return: each place with its document, page, words and the link that opens it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Words of a document. ``link`` opens the app there, with the words marked."""

    document: str
    document_id: str
    page: int
    where: str
    quote: str
    link: str


@dataclass(frozen=True, slots=True)
class Listed:
    document: str
    document_id: str
    description: str
    extent: str
    tags: tuple[str, ...]
    state: str
    link: str


@dataclass(frozen=True, slots=True)
class Library:
    documents: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    place: Place
    section: str
    kind: str


@dataclass(frozen=True, slots=True)
class Passages:
    """Best first. ``missing`` are words of the query that stand in no document searched."""

    passages: tuple[Passage, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as it was read; ``remarks`` say what was amiss."""

    place: Place
    pages: int
    tables: tuple[int, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadColumn:
    heading: str
    unit: str
    scale: int
    currency: str


@dataclass(frozen=True, slots=True)
class ReadRow:
    """``cells`` has a text for every column, "" where it is blank."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadTable:
    place: Place
    number: int
    title: str
    columns: tuple[ReadColumn, ...]
    rows: tuple[ReadRow, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """``difference`` is the first document's minus the second's; "" where ``note`` says why not."""

    label: str
    period: str
    unit: str
    values: tuple[Place, ...]
    difference: str
    percent: str
    note: str


@dataclass(frozen=True, slots=True)
class ComparedTerm:
    topic: str
    quotes: tuple[Place, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Compared:
    summary: str
    figures: tuple[ComparedFigure, ...]
    terms: tuple[ComparedTerm, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """``verdict``: "verified", "near" or "not found"."""

    label: str
    verdict: str
    place: Place


@dataclass(frozen=True, slots=True)
class Answered:
    """``found`` is false where nothing in the documents answers; the text then says so."""

    found: bool
    text: str
    citations: tuple[Cited, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckedPart:
    """What became of one figure, date or quotation of the statement.

    ``result``: "stands" where it is cited, "elsewhere" in the passages, "computed" from them by
    ``sum``, or "not supported"; ``nearest`` is then what the passages have in its place.
    """

    text: str
    kind: str
    result: str
    reason: str
    sum: str
    nearest: str


@dataclass(frozen=True, slots=True)
class Checked:
    """``supported`` is false where some part of the statement is not supported by the passages."""

    supported: bool
    parts: tuple[CheckedPart, ...]
    citations: tuple[Cited, ...]
    warnings: tuple[str, ...]
