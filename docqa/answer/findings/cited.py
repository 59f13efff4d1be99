"""Rows of tables put among the evidence, so that what is said of them can be cited."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from docqa.answer.evidence import add_evidence, cite
from docqa.answer.findings.judge import Networks
from docqa.types.answer import Evidence
from docqa.types.document import Block, Chunk, Document
from docqa.types.search import Hit
from docqa.types.table import Row, Table


@dataclass(frozen=True, slots=True)
class Source:
    """A document that rows are from: one of its hits, and how its blocks are had."""

    hit: Hit
    blocks_of: Callable[[str], Sequence[Block]]

    def holding(self, table: Table) -> Hit:
        """A table as a passage, header and all."""
        document = self.hit.document
        wanted = table.blocks | set(table.lead)
        blocks = tuple(b for b in self.blocks_of(document.id) if b.index in wanted)
        chunk = Chunk(f"{document.id}:table-{table.number}", document.id, 0, blocks,
                      table.section, kind="table")  # fmt: skip
        return Hit(chunk, document, self.hit.scores, (table,))


def with_blocks(
    name: str, blocks: Sequence[Block], source: Source, evidence: tuple[Evidence, ...], *heads: str
) -> tuple[Evidence, tuple[Evidence, ...]]:
    """Blocks of a source as one piece, under a name of their own, and the evidence with it."""
    owner = source.hit.document
    chunk = Chunk(f"{owner.id}:{name}", owner.id, 0, tuple(blocks), heads)
    evidence = add_evidence(evidence, [Hit(chunk, owner, source.hit.scores)])
    return next(each for each in evidence if each.hit.chunk.id == chunk.id), evidence


def document_as_hit(document: Document) -> Hit:
    """A document whose tables are cited, found by a search or not (no scores)."""
    return Hit(Chunk(f"{document.id}:none", document.id, 0, (), ()), document, {})


def cited(
    rows: Iterable[tuple[Table, Row]], source: Source, evidence: tuple[Evidence, ...]
) -> tuple[tuple[Evidence, ...], list[str]]:
    """The evidence with these rows, and the marker of each, in order."""
    markers = []
    for table, row in rows:
        marker = _marker(table, row, evidence)
        if not marker:
            evidence = add_evidence(evidence, [source.holding(table)])
            marker = _marker(table, row, evidence)
        markers.append(marker)
    return evidence, markers


def _marker(table: Table, row: Row, evidence: Sequence[Evidence]) -> str:
    """The marker of a row where it stands in the evidence, else ""."""
    for piece in evidence:
        if piece.hit.document.id == table.document_id:
            for at, block in enumerate(piece.hit.chunk.blocks, 1):
                if block.index == row.block and block.cells:
                    return f"[{cite(piece, at, at).label}]"
    return ""


@dataclass(frozen=True, slots=True)
class Means:
    """What sums are worked out by: the networks, a document's tables and blocks by its id, and the
    documents by theirs, all of them for none."""

    networks: Networks
    tables: Callable[[str], Sequence[Table]]
    blocks: Callable[[str], Sequence[Block]]
    documents: Callable[[Sequence[str]], Sequence[Document]] = lambda _: ()
