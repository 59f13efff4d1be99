"""A review: the same questions of many documents, and a cell for each document and question."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, get_args

from docqa.types.answer import NO_USAGE, Answer, Citation, Usage
from docqa.types.document import Document

Kind = Literal["text", "figure", "date", "yes or no", "clause"]
KINDS: tuple[Kind, ...] = get_args(Kind)

CellState = Literal[
    "waiting",
    "found",
    "likely",
    "not found",
    "failed",
    "accepted",
    "corrected",
    "not in the document",
]


@dataclass(frozen=True, slots=True)
class Column:
    """A question asked of every document, and the kind of value that answers it.

    ``id`` stays when the column is renamed or moved; "" until the review that has it is kept.
    """

    title: str
    question: str
    kind: Kind = "text"
    id: str = ""

    @property
    def asked(self) -> str:
        """What a cell is filled for: cells that were filled for anything else are empty."""
        return f"{self.kind}: {self.question}"


@dataclass(frozen=True, slots=True)
class Template:
    """Columns to begin a review with; ``fits`` are words of documents that it is made for."""

    name: str
    about: str
    columns: tuple[Column, ...]
    fits: tuple[str, ...] = ()
    file: str = ""  # its name, without the ending


@dataclass(frozen=True, slots=True)
class Review:
    """Documents and columns under a name. Times are ISO 8601, UTC.

    Its documents are those of ``document_ids``; where there are none, those with ``tag``; where
    that is "", every document in the library. ``frozen`` columns stay in sight at the left and
    ``hidden`` ones are not shown; both are ids. ``filling`` stays until the review is filled or
    the filling is stopped, so that it goes on where the program was ended.
    """

    id: str
    name: str
    columns: tuple[Column, ...]
    document_ids: tuple[str, ...] = ()
    tag: str = ""
    hidden: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    filling: str = ""  # who fills it: "extractive" or "claude"
    updated: str = ""

    def column(self, column_id: str) -> Column:
        """The column of that id. Raises KeyError."""
        for each in self.columns:
            if each.id == column_id:
                return each
        raise KeyError(column_id)


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that a document says to a question, with where it says so.

    ``value`` is short, for the cell: a figure as printed, a date as YYYY-MM-DD, "Yes", "No", or
    the words; ``text`` is all of it. ``number`` has its scale applied, ``unit`` is as of a
    `Figure`; ``day`` is a date as YYYY-MM-DD. ``fits`` is False where the value is not of the
    column's kind. ``sum`` is how a figure was worked out.
    """

    value: str
    text: str
    citations: tuple[Citation, ...] = ()
    number: Decimal | None = None
    unit: str = ""
    day: str = ""
    fits: bool = True
    sum: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What docqa made of a cell: the best it found first, alternatives after it, or why nothing.

    ``asked`` is the column's and ``version`` the document's at the time: a cell is empty where
    either has changed since. ``likely`` says that the first is uncertain: nothing states the answer
    outright, or it may answer something else, as ``problem`` says. ``check`` is what the checker
    says of it, "" where it has nothing to check. ``nearest`` are the nearest passages where nothing
    was found. ``error`` is why the cell could not be filled.
    """

    asked: str
    version: str
    found: tuple[Found, ...] = ()
    likely: bool = False
    check: str = ""  # a `CheckResult`, or ""
    problem: str = ""  # what is wrong or doubtful, in a sentence
    nearest: tuple[Citation, ...] = ()
    error: str = ""
    answerer: str = ""
    usage: Usage = NO_USAGE
    at: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a person said of a cell, kept beside what docqa made of it and never overwritten.

    ``found`` is the value accepted or given instead, None for "not in the document"; ``asked`` is
    the column's at the time.
    """

    state: Literal["accepted", "corrected", "not in the document"]
    asked: str
    found: Found | None = None
    at: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A document's answer to a column's question: docqa's, and the person's where there is one."""

    document_id: str
    column_id: str
    proposal: Proposal | None = None
    ruling: Ruling | None = None

    @property
    def state(self) -> CellState:
        if self.ruling is not None:
            return self.ruling.state
        if self.proposal is None:
            return "waiting"
        if self.proposal.error:
            return "failed"
        if not self.proposal.found:
            return "not found"
        return "likely" if self.proposal.likely else "found"

    @property
    def found(self) -> Found | None:
        """What stands in the cell; None where nothing does."""
        if self.ruling is not None:
            return self.ruling.found
        return self.proposal.found[0] if self.proposal and self.proposal.found else None

    @property
    def is_settled(self) -> bool:
        return self.ruling is not None


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """Sums over a figure column: of ``n`` cells with that unit, without those ``uncertain``.

    ``others`` are the sums of the cells in other units, those of most cells first.
    """

    n: int
    unit: str
    sum: Decimal
    mean: Decimal
    highest: Decimal
    lowest: Decimal
    uncertain: int = 0
    others: tuple["ColumnFigures", ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewTable:
    """A review with its documents and cells, as it stands at one moment.

    ``cells`` are by document id and column id, one for each; ``gone`` counts chosen documents
    that are no longer in the library, ``waits`` says of a document id why its cells are empty.
    ``figures`` are sums of columns by their id, ``remarks`` what is odd about cells.
    """

    review: Review
    documents: tuple[Document, ...]
    cells: Mapping[tuple[str, str], Cell]
    gone: int = 0
    waits: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, ColumnFigures] = field(default_factory=dict)
    remarks: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def cell(self, document_id: str, column_id: str) -> Cell:
        return self.cells[document_id, column_id]

    def of_column(self, column_id: str) -> list[Cell]:
        """The cells of a column, in the order of the documents."""
        return [self.cells[each.id, column_id] for each in self.documents]

    @property
    def open(self) -> int:
        """How many cells are still to be filled."""
        return sum(each.state == "waiting" for each in self.cells.values())


@dataclass(frozen=True, slots=True)
class FillProgress:
    """How far a review's filling is.

    ``seconds_left`` is None until it can be told. ``stopped`` is why it ended early, "" where it
    did not.
    """

    running: bool = False
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """A question about a whole table, answered from its cells.

    ``places`` are the cells, by document and column id, that the answer's citations stand for, in
    their order.
    """

    answer: Answer
    places: tuple[tuple[str, str], ...] = ()
