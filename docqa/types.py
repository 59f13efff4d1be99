"""The nouns of docqa, and the units they are measured in.

Units are law, everywhere in the package:

- pages and ranks count from 1; ``index`` fields count from 0;
- boxes are in PDF points (1/72 inch) from the top left corner of the page as displayed;
- in a file without pages a slide, sheet or section counts as one: it has a name, and no size;
- lengths are in characters unless the name says ``tokens``;
- times are in seconds, sizes in bytes.

Every noun is frozen: a stage returns new values and never edits those it was given.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Literal

BlockKind = Literal[
    "text", "heading", "list", "table", "caption", "footnote", "header", "footer", "code", "picture"
]
ChunkKind = Literal["text", "table"]
Intent = Literal["lookup", "synthesis", "comparison", "list"]
Preference = Literal["table", "narrative", "none"]
TextSource = Literal["text layer", "OCR", "none"]
DocumentState = Literal["text", "read", "complete"]
FileKind = Literal["pdf", "docx", "pptx", "xlsx", "html", "md", "txt"]
Stage = Literal["waiting", "reading", "OCR", "embedding", "saving", "done", "failed"]
Verdict = Literal["verified", "near", "not found"]


KINDS: Mapping[str, FileKind] = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".pptx": "pptx",
    ".xlsx": "xlsx",
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
}
ENDING = rf"\.(?:{'|'.join(ending[1:] for ending in KINDS)})"  # a pattern, for any case


def kind_of(name: str) -> FileKind:
    """The kind a file's name tells; whatever has no known ending is taken for a PDF.

    >>> kind_of("Rents.XLSX"), kind_of("Lease")
    ('xlsx', 'pdf')
    """
    return KINDS.get(PurePath(name).suffix.lower(), "pdf")


def without_ending(name: str) -> str:
    """A file's name as people say it.

    >>> without_ending("Rents 3.5.XLSX")
    'Rents 3.5'
    """
    return re.sub(rf"{ENDING}$", "", name, flags=re.IGNORECASE)


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
    def where(self) -> str:
        return place_name(self.page, "" if self.width else self.label)


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

    @property
    def unit(self) -> str:
        """What its pages are: "page", "slide", "sheet", "section"."""
        return {"pdf": "page", "pptx": "slide", "xlsx": "sheet"}.get(self.kind, "section")

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


@dataclass(frozen=True, slots=True)
class Filters:
    """What a passage must be to be searched at all, beside being in a chosen document."""

    pages: tuple[int, int] | None = None  # first and last, both included
    section: str = ""  # words that stand in the heading path, whatever their case
    tables_only: bool = False


@dataclass(frozen=True, slots=True)
class NotAsked:
    """What a question calls by name, and the documents of that name, none among those asked."""

    said: str
    documents: tuple[str, ...]  # their file names


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How a question will be searched. ``queries[0]`` is always the question itself.

    ``parts`` are those of the queries that ask for a part of it each.
    """

    question: str
    queries: tuple[str, ...]
    intent: Intent = "lookup"
    prefers: Preference = "none"
    document_ids: tuple[str, ...] = ()  # empty means every document
    named_ids: tuple[str, ...] = ()  # documents the question names, preferred and represented
    tables: tuple[str, ...] = ()  # titles of the tables that state what is asked for
    subjects: tuple[str, ...] = ()  # words, as written, that are worth a notice if none has them
    filters: Filters = Filters()
    parts: tuple[str, ...] = ()
    not_asked: tuple[NotAsked, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found. ``scores`` maps each stage to its number.

    Stages: ``bm25`` and ``dense`` (cosine) where the chunk was in that list, ``rrf``,
    ``read`` (a reranker's score, 0–1), ``rerank`` (calibrated relevance, 0–1), ``boost``, ``mmr``.
    """

    chunk: Chunk
    document: Document
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a search saw of one document, so that silence about it can be checked."""

    document_id: str
    document: str
    seen: int  # chunks among the candidates
    used: int  # chunks among the hits
    best_score: float  # the best cosine of its candidates; 0.0 where it had none
    nearest_page: int  # the page of the best candidate; 0 where it had none
    queries: tuple[str, ...] = ()  # what it was searched for, in the order of the searches
    cited: int = 0  # passages of it that the answer cites
    nearest_place: str = ""  # as of a `Block`

    @property
    def nearest(self) -> str:
        """Where the best candidate stands."""
        return place_name(self.nearest_page, self.nearest_place)


@dataclass(frozen=True, slots=True)
class SearchResult:
    plan: QueryPlan
    hits: tuple[Hit, ...]
    coverage: tuple[Coverage, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)  # stage to seconds
    missing: tuple[str, ...] = ()  # subjects of the plan that no document searched has

    @property
    def seconds(self) -> float:
        return sum(self.timings.values())


def unmentioned(words: Sequence[str], *, by: str = "document searched") -> str:
    """That no document searched has these words, as a sentence; "" without any.

    >>> unmentioned(["Platinum", "yoga"])
    'No document searched mentions “Platinum” or “yoga”.'
    """
    listed = _quoted(words, "or")
    return f"No {by} mentions {listed}." if listed else ""


def left_out(named: Sequence[NotAsked]) -> str:
    """That documents a question names are not among those asked, as a sentence; "" without any.

    >>> left_out([NotAsked("Lease C", ("Lease_C.pdf",))])
    '“Lease_C.pdf” is in the library, but not among the documents asked: include it and ask again.'
    """
    names = tuple(dict.fromkeys(name for each in named for name in each.documents))
    are, them = ("are", "them") if len(names) > 1 else ("is", "it")
    beside = f"in the library, but not among the documents asked: include {them} and ask again."
    return f"{_quoted(names, 'and')} {are} {beside}" if names else ""


def _quoted(words: Sequence[str], joining: str) -> str:
    named = [f"“{word}”" for word in words[:_MOST_NAMED]]
    return f" {joining} ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))


_MOST_NAMED = 4  # words of one sentence


FateStage = Literal[
    "not indexed", "not searched", "not a candidate", "repetition", "outranked", "hit"
]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one passage in a search. Ranks count from 1, 0 where it was not ranked.

    ``stage`` is where its way ended: left out when the file was read, outside the documents or
    filters searched, in no list of candidates, repeating a better passage, ranked behind the
    last place, or a hit. ``reason`` says so in words, and ``remedy`` what would have kept it.
    """

    document: str
    page: int
    text: str
    stage: FateStage
    reason: str
    remedy: str = ""
    dense_rank: int = 0
    keyword_rank: int = 0
    table_rank: int = 0
    fused_rank: int = 0  # after fusion, or after the reranker where there is one
    place: str = ""  # as of a `Block`

    @property
    def where(self) -> str:
        return place_name(self.page, self.place)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a phrase, or a page, was not found: the fate of every passage of it, best first.

    ``summary`` says it in a sentence or two, also where no page has the phrase.
    """

    question: str
    phrase: str
    fates: tuple[Fate, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with where its answer stands, to measure a search by.

    ``sources`` maps document names to the pages that answer it, () where the pages are not known.
    """

    question: str
    sources: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    answerable: bool = True


Scope = Literal["document", "library"]  # a question's own documents, or every one


@dataclass(frozen=True, slots=True)
class Judged:
    """What a search made of a `GoldQuestion`.

    ``pages`` are the pages of its hits, best first, each once, as document name and page;
    ``rank`` is that of the first one that answers (0: none). ``missing`` are the documents with
    an answer of which nothing is in the evidence. ``refused`` says that the answer quoted from the
    hits is that nothing answers.
    """

    asked: GoldQuestion
    scope: Scope
    pages: tuple[tuple[str, int], ...]
    rank: int
    missing: tuple[str, ...]
    refused: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of ``n`` questions, with its Wilson score interval (95 %)."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        return self.hits / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson, "Probable inference, the law of succession, and statistical inference", 1927."""
        if not self.n:
            return 0.0, 1.0
        z = 1.959964  # of the normal distribution, for 95 %
        spread = z * math.sqrt(self.value * (1 - self.value) / self.n + z**2 / (4 * self.n**2))
        middle, scale = self.value + z**2 / (2 * self.n), 1 + z**2 / self.n
        return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.3f} [{low:.2f}, {high:.2f}] n={self.n}"


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one scope.

    ``hit_at`` maps a depth to the questions with an answering page among so many pages,
    ``recall_at`` to the mean share of a question's answering pages among them; ``mrr`` is the
    mean of 1/rank. ``documents`` counts the questions with every document that answers among
    the evidence. ``refusal_precision`` counts the refused questions that have no answer,
    ``refusal_recall`` the questions without an answer that were refused.
    """

    scope: Scope
    hit_at: Mapping[int, Rate]
    recall_at: Mapping[int, float]
    mrr: float
    documents: Rate
    refusal_precision: Rate
    refusal_recall: Rate
    median_seconds: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well searches found what answers. ``skipped`` are sentences on what was not asked."""

    figures: tuple[Figures, ...]
    judged: tuple[Judged, ...]
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit under the label it has within one answer: S1, S2, … in the order it was found."""

    label: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class Citation:
    """A run of blocks of one piece of evidence.

    ``label`` is the evidence's label, then the blocks where not all are meant, counted from 1:
    ``S3`` (all), ``S3.2`` (its second block), ``S3.2-4``. ``[label]`` in the answer's text is
    where the citation stands.
    """

    label: str
    document_id: str
    document: str
    page: int
    quote: str
    blocks: tuple[Block, ...]
    verified: Verdict = "not found"

    @property
    def where(self) -> str:
        return where_of(self.blocks, self.page)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens an answer took, and what they cost where the price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    searches: int = 0
    cost_usd: Decimal | None = None

    @property
    def tokens(self) -> int:
        """All of them, in and out, however they are paid for."""
        prompt = self.input_tokens + self.cache_read_tokens + self.cache_write_tokens
        return prompt + self.output_tokens


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer. ``found`` is False for "not found in the documents".

    ``partial`` says that it broke off; it holds what had arrived.
    """

    text: str
    answerer: str  # "extractive" or the model's id
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = Usage()
    coverage: tuple[Coverage, ...] = ()
    found: bool = True
    seconds: float = 0.0
    partial: bool = False


PRICE_UNKNOWN = "the price of this model is not known"


def count(number: int, one: str, many: str = "") -> str:
    """``number`` with its noun: "1 page", "1,204 pages".

    >>> count(1204, "page")
    '1,204 pages'
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def dollars(amount: Decimal) -> str:
    """An amount in whole cents, or to a hundredth of one.

    >>> dollars(Decimal("1234.02134")), dollars(Decimal("2.5"))
    ('US$1,234.0213', 'US$2.50')
    """
    whole = amount == round(amount, 2)
    return f"US${amount:,.2f}" if whole else f"US${amount:,.4f}"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What would be sent for a question, before anything is: nothing of it has left the machine.

    ``payload`` is the request's body, ready for JSON. ``tokens`` is an estimate, since only the
    server can count them; ``cost_usd`` is for those, at most with ``answer_tokens`` of an answer.
    ``evidence`` are the passages in it, as they are without redaction.
    """

    url: str
    model: str
    payload: Mapping[str, Any]
    tokens: int
    answer_tokens: int
    cost_usd: Decimal | None
    most_usd: Decimal | None
    evidence: tuple[Evidence, ...] = ()

    @property
    def told(self) -> str:
        """Where it would go, its size and its price, as a sentence."""
        price = PRICE_UNKNOWN
        if self.cost_usd is not None and self.most_usd is not None:
            price = f"about {dollars(self.cost_usd)}, at most {dollars(self.most_usd)}"
        size = f"about {self.tokens:,} tokens"
        return f"To {self.model} at {self.url} would go {size}: {price} with the first answer."


@dataclass(frozen=True, slots=True)
class NotesEstimate:
    """What it would take to have a model write a note for each passage; nothing was sent.

    ``passages`` still have none, ``written`` have one. ``tokens`` are those of all requests.
    """

    url: str
    model: str
    documents: int
    passages: int
    written: int
    tokens: int
    cost_usd: Decimal | None  # None where the model's price is not known


@dataclass(frozen=True, slots=True)
class Spending:
    """One request's tokens and cost, kept when its conversation is gone."""

    at: str  # ISO 8601, UTC
    model: str
    usage: Usage
    conversation_id: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums of `Spending`; ``cost_usd`` leaves out the ``unpriced``, whose price is not known."""

    requests: int
    tokens: int
    cost_usd: Decimal
    unpriced: int = 0

    @property
    def told(self) -> str:
        """The sums in a line: "US$0.0213, 2 requests, 12,400 tokens"."""
        requests = count(self.requests, "request")
        unknown = f"; {self.unpriced:,} without a price" if self.unpriced else ""
        return f"{dollars(self.cost_usd)}, {requests}, {self.tokens:,} tokens{unknown}"


@dataclass(frozen=True, slots=True)
class Alignment:
    """Passages of two or three documents that speak of the same thing, in document order."""

    similarity: float  # 0–1
    passages: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A labelled number in a document. ``value`` has its scale applied ("$1.2M" is 1200000)."""

    label: str
    period: str  # "2024", "FY2018", "three months ended June 30, 2022", or ""
    value: Decimal
    unit: str  # "USD", "%", "sq ft", "days", …, or "" for a bare number
    text: str  # as printed
    document_id: str
    document: str
    block: Block
    statement: bool = False  # stands in a main statement of the document, as a balance sheet
    doubt: str = ""  # why its scale is uncertain; it is not subtracted then

    @property
    def shown(self) -> str:
        """As printed, with the value where a caption scales it: "97.3 (97,300,000)"."""
        bare = re.fullmatch(r"\(?[$€£\s]*\(?([\d,.]*\d)\)?", self.text)
        if bare and self.unit != "date" and Decimal(bare[1].replace(",", "")) != abs(self.value):
            return f"{self.text} ({self.value:,f})"
        return self.text


PERIODS_DIFFER = "The periods differ; they are of one length."


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """One labelled figure across documents. ``difference`` is first minus second, as text.

    ``difference`` is "" where it was refused, and ``note`` then says why. ``percent`` is how much
    the first is over the second ("+9.1%"), "" where that says nothing. ``apart`` is the difference
    as a number, days for dates, None where it was refused.
    """

    label: str
    period: str
    unit: str
    values: tuple[Figure, ...]
    difference: str = ""
    note: str = ""
    percent: str = ""
    apart: Decimal | None = None


@dataclass(frozen=True, slots=True)
class TermSide:
    """What one document says on a topic; where nothing, ``nearest_page`` is worth a look.

    ``quote`` is verbatim from ``blocks``, both empty where nothing was found.
    """

    document_id: str
    document: str
    quote: str = ""
    blocks: tuple[Block, ...] = ()
    nearest_page: int = 0
    nearest_place: str = ""  # as of a `Block`

    @property
    def page(self) -> int:
        return self.blocks[0].page if self.blocks else 0

    @property
    def where(self) -> str:
        """Where the quote stands, or what is worth a look; "" for neither."""
        if self.blocks:
            return self.blocks[0].where
        return place_name(self.nearest_page, self.nearest_place) if self.nearest_page else ""


@dataclass(frozen=True, slots=True)
class TermComparison:
    """A topic of contracts ("Governing law") and what each document says on it, in order."""

    topic: str
    sides: tuple[TermSide, ...]
    note: str = ""  # "differs", "same wording", "only in A.pdf"


ChangeKind = Literal["unchanged", "changed", "moved", "moved and changed", "new", "gone"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A run of words that both versions have, or only the first (gone) or the second (new)."""

    kind: Literal["same", "gone", "new"]
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one paragraph, clause or row between two versions of a document.

    ``edits`` lead from the first wording to the second, () where they are the same. ``number`` is
    the clause's ("4.2"), "" without one; ``figures_changed`` says that numbers in it did, and
    ``minor`` that only capitals, punctuation, spaces or the clause's own number did.
    """

    kind: ChangeKind
    number: str
    first: str
    second: str
    first_blocks: tuple[Block, ...] = ()
    second_blocks: tuple[Block, ...] = ()
    edits: tuple[Edit, ...] = ()
    figures_changed: bool = False
    minor: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Which documents a question sets against each other; () where it compares none.

    Where ``reason`` says why they cannot be told, the person chooses among ``candidates``.
    """

    documents: tuple[Document, ...] = ()
    reason: str = ""
    candidates: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Nearest:
    """The passage of another document that comes nearest to one without a partner.

    ``alike`` is set where the two would be a pair if that one were not another's partner.
    """

    passage: Hit
    similarity: float
    alike: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Documents side by side. ``nearest`` maps the id of a chunk in ``only_in`` to what is nearest.

    The citations' labels are ``DocA:p5``, the first document being A. ``partial`` says that a
    model's words on it broke off; what was computed is whole all the same.
    """

    documents: tuple[Document, ...]
    question: str
    figures: tuple[FigureComparison, ...]
    pairs: tuple[Alignment, ...]
    only_in: Mapping[str, tuple[Hit, ...]]  # document id to passages without a partner
    text: str
    answerer: str = "extractive"
    citations: tuple[Citation, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    terms: tuple[TermComparison, ...] = ()
    nearest: Mapping[str, Nearest] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()  # between two versions of one text, in the second's order
    summary: str = ""  # of figures, terms and changes, where these are shown beside it
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Something an answerer did on its way, in words; ``outcome`` once it is known."""

    text: str
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; an assistant's turn carries its whole answer and its steps."""

    role: Literal["user", "assistant"]
    text: str
    answer: Answer | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A chat that is kept. ``created`` and ``updated`` are ISO 8601, UTC."""

    id: str
    title: str
    created: str
    updated: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said of a page after looking: whether it answers the question."""

    question: str
    document_id: str
    page: int
    right: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reading of one file is: ``done`` of ``total`` pages, chunks, or steps."""

    file: str
    stage: Stage
    done: int = 0
    total: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class AddResult:
    """What became of one file. ``error`` is a sentence for the person who added it."""

    file: str
    status: Literal["added", "already there", "failed", "cancelled"]
    document: Document | None = None
    error: str = ""
