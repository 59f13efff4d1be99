"""Passages with the real shape, written in a line each."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from docqa.answer.evidence import add_evidence
from docqa.ingest.tables.build import tables_of
from docqa.question.instructions import set_apart
from docqa.question.intent import wants_of
from docqa.question.parts import leading, parts_of
from docqa.types.answer import Evidence
from docqa.types.document import Block, BlockKind, Box, Cell, Chunk, Document
from docqa.types.events import Contents
from docqa.types.outline import Entry
from docqa.types.period import Period
from docqa.types.question import Intent, NotAsked, QueryPlan, Question
from docqa.types.search import Coverage, Hit, SearchResult
from docqa.types.table import Column, Row, Table


def document(name: str = "Lease A.pdf") -> Document:
    return Document(f"id of {name}", name, 20)


def block(text: str, page: int = 1, kind: BlockKind = "text", *, continues: bool = False) -> Block:
    return Block(text, page, Box(72, 100, 540, 120), kind, continues=continues)


def row(*cells: str, page: int = 1, table: int = 1, header: bool = False) -> Block:
    """A table row; an empty string is a column without a cell in this row."""
    held = tuple(Cell(text, column) for column, text in enumerate(cells) if text)
    text = " | ".join(cell.text for cell in held)
    place = Box(72, 100, 540, 120)
    return Block(text, page, place, "table", table=table, cells=held, column_header=header)


def hit(
    *blocks: Block | str,
    of: Document | None = None,
    index: int = 0,
    dense: float = 0.6,
    headings: Sequence[str] = (),
) -> Hit:
    owner = of or document()
    made = tuple(block(each) if isinstance(each, str) else each for each in blocks)
    chunk = Chunk(f"{owner.id}:{index}", owner.id, index, made, tuple(headings))
    return Hit(chunk, owner, {"dense": dense})


def asked(text: str, *, intent: Intent = "lookup") -> Question:
    """A question that stands alone, without documents or subjects."""
    whole, instructions = set_apart(text, beside=None)
    wants, parts = wants_of(whole, intent=intent), parts_of(whole, intent=intent)
    leads = leading(whole)
    return Question(text, whole, instructions, intent=intent, wants=wants, parts=parts, leads=leads)


def with_tables(hits: Sequence[Hit]) -> list[Hit]:
    """The hits, each with its blocks counted as a document's of their own, and their tables."""
    made = []
    for number, hit in enumerate(hits):
        blocks = tuple(
            replace(block, index=100 * number + at) for at, block in enumerate(hit.chunk.blocks)
        )
        tables = tables_of(hit.document.id, blocks)
        made.append(replace(hit, chunk=replace(hit.chunk, blocks=blocks), tables=tables))
    return made


def evidence_of(*hits: Hit) -> tuple[Evidence, ...]:
    """The hits as what an answer was given, with their tables."""
    return add_evidence((), with_tables(hits))


def found(question: str, hits: Sequence[Hit], *, intent: Intent = "lookup") -> SearchResult:
    """The hits as they are found for a question, with their tables."""
    return _result(question, with_tables(hits), intent)


def _result(question: str, hits: Sequence[Hit], intent: Intent) -> SearchResult:
    listed = tuple(hits)
    plan = QueryPlan(asked(question, intent=intent), (question,))
    coverage = tuple(
        Coverage(each.id, each.name, 1, 1, 0.6, 1)
        for each in dict.fromkeys(hit.document for hit in listed)
    )
    return SearchResult(plan, listed, coverage)


def with_question(result: SearchResult, **changes: Any) -> SearchResult:
    """A search of another question, that differs in ``changes``."""
    question = replace(result.plan.question, **changes)
    return replace(result, plan=replace(result.plan, question=question))


def contents(
    page: Callable[[str, int], list[Block]] = lambda document_id, page: [],
    tables: Sequence[Table] = (),
    entries: Sequence[Entry] = (),
) -> Contents:
    """What a model may look up: pages, and the same tables and outline for every document."""

    def touched(document_id: str, blocks: Collection[int]) -> tuple[Table, ...]:
        return tuple(table for table in tables if not table.blocks.isdisjoint(blocks))

    return Contents(page, touched, lambda document_id: tuple(entries))


NOTHING = contents()


class Searches:
    """A search that gives the same hits whatever is asked, and remembers what was asked."""

    def __init__(
        self, *hits: Hit, intent: Intent = "lookup", not_asked: Sequence[NotAsked] = ()
    ) -> None:
        self.hits = hits
        self.not_asked = tuple(not_asked)
        self.intent: Intent = intent
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def __call__(
        self, query: Question | str, *, document_ids: tuple[str, ...] = (), top_k: int | None = None
    ) -> SearchResult:
        query = query if isinstance(query, str) else query.whole
        self.asked.append((query, tuple(document_ids)))
        kept = [h for h in self.hits if not document_ids or h.document.id in document_ids]
        made = _result(query, kept[:top_k], self.intent)
        return with_question(made, not_asked=self.not_asked)


def statement(of: Document | None = None) -> tuple[Hit, Table]:
    """A passage with a table: a title, a header, a group and two rows, one with a blank."""
    owner = of or document()
    lines = [
        block("Balance sheets", kind="heading"),
        row("", "2023", "2022", header=True),
        row("Current assets"),
        row("Cash", "8", "7"),
        row("Impaired", "", "(2)"),
    ]
    blocks = tuple(replace(each, index=index) for index, each in enumerate(lines))
    columns = tuple(
        Column((text,), Period(text, 0, int(text)), scale=1000, currency="USD")
        for text in ("2023", "2022")
    )
    rows = (
        Row("Current assets", ("", ""), 2),
        Row("Cash", ("8", "7"), 3, ("Current assets",)),
        Row("Impaired", ("", "(2)"), 4, ("Current assets",)),
    )
    table = Table(owner.id, 1, (1,), columns, rows, role="balance sheet", heads=(1,))
    return replace(hit(*blocks, of=owner), tables=(table,)), table
