"""Answers that a language model wrote, with the passages it was given and labels by hand.

A recorded answer is a line of ``answers.jsonl``: ``id``, ``document``, ``question``, ``answer``
and ``passages`` with ``label``, ``title`` and ``blocks``. The labels beside this file name the
answer, the offset and length of an item in it, and what became of the item; of the answer's text
they hold the item's first characters, and nothing of the passages.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from docqa.answer.evidence import LABEL, MARKER, citations_in, tidy_markers
from docqa.ingest.tables.build import tables_of
from docqa.types.answer import Answer, Evidence
from docqa.types.document import Block, Box, Cell, Chunk, Document
from docqa.types.search import Hit
from docqa.types.table import Table

LABELS = Path(__file__).with_name("checking_labels.jsonl")
SHOWN = 16  # characters of an item that its label holds, where it is longer

Kind = Literal["figure", "date", "period", "quote", "name", "count", "statement"]
Verdict = Literal["there", "elsewhere", "computed", "asked", "unsupported"]

ISSUERS = {
    "AMCOR": "Amcor plc",
    "AMERICANEXPRESS": "American Express Company",
    "BOEING": "The Boeing Company",
    "PFIZER": "Pfizer Inc.",
    "VERIZON": "Verizon Communications Inc.",
}  # by what the names of their files begin with; the record has no titles
_PLACE = re.compile(r", (pp?)\. (\d+)(?:–(\d+))?")
NOWHERE = Box(0, 0, 0, 0)  # of blocks that are known by their text alone
LINE_CHARS = 110  # fewer than a line of prose has


@dataclass(frozen=True, slots=True)
class Item:
    """Something said in an answer, from ``at`` for ``length`` characters, and its right verdict.

    ``place`` is the block where it stands, ``sum`` how it is computed, ``why`` why nothing
    supports it, and ``disputed`` why another reader could decide otherwise. ``head`` says that it
    heads a table or a section, ``signed`` that without its sign it would be wrong, ``loose`` that
    another year would be right as well. A "name" has digits and is no figure, a "count" is a
    number word, a "statement" has no figure.
    """

    answer: str
    at: int
    length: int
    text: str
    kind: Kind
    verdict: Verdict
    place: str = ""
    sum: str = ""
    why: str = ""
    disputed: str = ""
    head: bool = False
    signed: bool = False
    loose: bool = False

    @property
    def end(self) -> int:
        return self.at + self.length

    @property
    def counted(self) -> bool:
        """Whether a checker has to find its support: not names, number words, heads, disputes."""
        plain = self.kind in ("figure", "date", "period", "quote")
        supported = self.verdict in ("there", "elsewhere", "computed")
        return plain and supported and not (self.head or self.disputed)


@dataclass(frozen=True, slots=True)
class Passage:
    label: str
    title: str
    blocks: tuple[str, ...]

    @property
    def pages(self) -> tuple[int, int]:
        """Its first and last page."""
        found = _PLACE.search(self.title)
        if found is None:
            return 1, 1
        return int(found[2]), int(found[3] or found[2])

    @property
    def headings(self) -> tuple[str, ...]:
        path = self.title.partition(" — ")[2]
        return tuple(path.split(" › ")) if path else ()


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded answer; ``number`` counts from 0, ``text`` has its markers in their one form."""

    id: str
    number: int
    document: str
    question: str
    text: str
    passages: tuple[Passage, ...]

    def line_at(self, start: int, end: int) -> tuple[int, int]:
        """Where the line of the answer begins and ends in which something stands."""
        return line_around(self.text, start, end)

    def block(self, place: str) -> str:
        """The text of the block called "S3.2"."""
        label, _, number = place.partition(".")
        blocks = next(p.blocks for p in self.passages if p.label == label)
        return blocks[int(number) - 1]


@dataclass(frozen=True, slots=True)
class Read:
    """What is known of the documents as they were read: their blocks by document, page and text,
    and their tables by document."""

    blocks: Mapping[tuple[str, int, str], Block] = field(default_factory=dict)
    tables: Mapping[str, tuple[Table, ...]] = field(default_factory=dict)


def line_around(text: str, start: int, end: int) -> tuple[int, int]:
    after = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if after < 0 else after


def read_records(folder: Path) -> list[Record]:
    lines = (folder / "answers.jsonl").read_text("utf-8").splitlines()
    return [_record(number, json.loads(line)) for number, line in enumerate(lines)]


def _record(number: int, row: Mapping[str, Any]) -> Record:
    passages = tuple(
        Passage(each["label"], each["title"], tuple(each["blocks"])) for each in row["passages"]
    )
    record = Record(row["id"], number, row["document"], row["question"], "", passages)
    tidy, _ = tidy_markers(row["answer"].strip(), evidence_of(record))
    return replace(record, text=tidy)


def read_labels(path: Path = LABELS) -> dict[str, list[Item]]:
    """The labels of each answer, in the order of the text."""
    found: defaultdict[str, list[Item]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        item = Item(**json.loads(line))
        found[item.answer].append(item)
    return {answer: sorted(items, key=lambda item: item.at) for answer, items in found.items()}


def misplaced(record: Record, items: Sequence[Item]) -> list[Item]:
    """The labels whose text does not stand where they say: the answer is another one."""
    return [i for i in items if not record.text[i.at : i.end].startswith(i.text)]


# As the product holds it


def answer_of(text: str, evidence: Sequence[Evidence]) -> Answer:
    """A text with its markers as the answer that the tool loop would have made of it."""
    tidy, _ = tidy_markers(text, evidence)
    return Answer(tidy, "recorded", citations_in(tidy, evidence), tuple(evidence))


def evidence_of(record: Record, *, read: Read = Read()) -> tuple[Evidence, ...]:
    """The passages as the tool loop holds them: each with the tables that its rows are of."""
    title = ISSUERS.get(company_of(record.document), "")
    document = Document(f"id of {record.document}", record.document, 300, title)
    made = []
    for index, passage in enumerate(record.passages):
        blocks, tables = _as_read(passage, record.document, read) or _guessed(passage, index)
        tabled = sum(block.kind == "table" for block in blocks) * 2 > len(blocks)
        chunk = Chunk(
            f"{document.id}:{index}", document.id, index, blocks, passage.headings,
            kind="table" if tabled else "text",
        )  # fmt: skip
        made.append(Evidence(passage.label, Hit(chunk, document, tables=tables)))
    return tuple(made)


def company_of(document: str) -> str:
    """What the name of a company's file begins with, in capitals."""
    return document.partition("_")[0].upper()


def relabelled(piece: Evidence, number: int) -> Evidence:
    """A passage of another answer, as the passage ``number`` of this one."""
    return replace(piece, label=f"S{number}")


Held = tuple[tuple[Block, ...], tuple[Table, ...]]


def _as_read(passage: Passage, document: str, read: Read) -> Held | None:
    """The passage's blocks and tables as they were read; None where not all of it was."""
    first, last = passage.pages
    keys = [
        next(
            (
                key
                for page in range(first, last + 1)
                if (key := (document, page, text)) in read.blocks
            ),
            None,
        )
        for text in passage.blocks
    ]
    if None in keys:
        return None
    blocks = tuple(read.blocks[key] for key in keys if key)
    own = {block.index for block in blocks}
    return blocks, tuple(t for t in read.tables[document] if not own.isdisjoint(t.blocks))


def _guessed(passage: Passage, index: int) -> Held:
    """By their texts alone."""
    made = _by_text(passage.blocks, passage.pages[0], index + 1)
    blocks = tuple(replace(each, index=1000 * index + at) for at, each in enumerate(made))
    return blocks, tables_of("", blocks)


def _by_text(texts: Sequence[str], page: int, table: int) -> list[Block]:
    """Blocks by their text: a row's cells are set apart by "|"; a short line between rows is one.

    Blank cells leave no trace in the text. So heads share the columns beside the labels evenly,
    where that can be; a row's figures are under the last columns.
    """
    rows = [text.split(" | ") for text in texts]
    width = max((len(row) for row in rows), default=1)
    tabled = [n for n, row in enumerate(rows) if len(row) > 1]
    body = next((n for n, row in enumerate(rows) if _has_figures(row)), len(rows))
    blocks = []
    for number, (text, row) in enumerate(zip(texts, rows, strict=True)):
        between = bool(tabled) and tabled[0] < number < tabled[-1]
        is_line = len(text) < LINE_CHARS and not text.endswith(".")
        if len(row) == 1 and not (between and is_line):
            blocks.append(Block(text, page, NOWHERE))
            continue
        head = number < body and len(row) > 1
        cells = _shared(row, width) if head else _under_the_last(row, width)
        blocks.append(
            Block(text, page, NOWHERE, "table", table=table, cells=cells, column_header=head)
        )
    return blocks


def _shared(heads: Sequence[str], width: int) -> tuple[Cell, ...]:
    """Heads over the columns of a table, with or without one over its labels."""
    for corner in (0, 1):
        beside = heads[corner:]
        if len(heads) < width and beside and (width - 1) % len(beside) == 0:
            span = (width - 1) // len(beside)
            cells = [Cell(text, 1 + n * span, span) for n, text in enumerate(beside)]
            return (*(Cell(text, 0) for text in heads[:corner]), *cells)
    if len(heads) * 2 > width:  # the last of them are wide ("Change", in dollars and per cent)
        return tuple(Cell(text, n) for n, text in enumerate(heads))
    return _under_the_last(heads, width)


def _under_the_last(row: Sequence[str], width: int) -> tuple[Cell, ...]:
    shift = width - len(row)
    labelled = 0 if _is_figure(row[0]) else 1
    return tuple(Cell(text, n + shift if n >= labelled else n) for n, text in enumerate(row))


def _has_figures(row: Sequence[str]) -> bool:
    """Whether a row has a label and figures that are no years."""
    figures = filter(_is_figure, row[1:])
    return any(not re.fullmatch(r"(?:19|20)\d\d", cell.strip()) for cell in figures)


def _is_figure(cell: str) -> bool:
    return re.fullmatch(r"[\s$€£(−-]*\d[\d,.]*[\s)%]*", cell) is not None


def letters_before(text: str) -> list[int]:
    """For each offset of a text, how many characters stand before it, markers and blanks left out.

    So places in two forms of an answer agree, whatever became of its citations.
    """
    plain = MARKER.sub(lambda match: " " * len(match[0]), text)
    counts = [0]
    for character in plain:
        counts.append(counts[-1] + (not character.isspace()))
    return counts


def cited_passages(record: Record, start: int, end: int) -> set[str]:
    """The labels of the passages cited between two offsets, else of all the answer cites."""
    near = {_passage(m[1]) for m in MARKER.finditer(record.text, start, end)}
    return near or {_passage(m[1]) for m in MARKER.finditer(record.text)}


def _passage(label: str) -> str:
    match = LABEL.fullmatch(label)
    assert match is not None
    return f"S{match[1]}"
