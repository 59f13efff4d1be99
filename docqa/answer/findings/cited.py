"""The evidence of one answer, which grows with what is cited of its documents."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from docqa.answer.evidence import add_evidence
from docqa.answer.findings.candidates import marker
from docqa.answer.findings.judge import Networks
from docqa.answer.findings.relation import may_list, merged
from docqa.types.answer import Evidence
from docqa.types.document import Block, Chunk, Document
from docqa.types.search import Hit
from docqa.types.table import Row, Table


@dataclass(frozen=True, slots=True)
class Means:
    """What sums are worked out by: the networks, a document's tables and blocks by its id, and the
    documents by theirs, all of them for none."""

    networks: Networks
    tables: Callable[[str], Sequence[Table]]
    blocks: Callable[[str], Sequence[Block]]
    documents: Callable[[Sequence[str]], Sequence[Document]] = lambda _: ()


class Gathered:
    """The evidence of one answer, which grows with what is cited, and the means to cite more."""

    def __init__(self, evidence: tuple[Evidence, ...], means: Means) -> None:
        self.evidence = evidence
        self.means = means

    def copy(self) -> "Gathered":
        """The same evidence, to be added to apart: what comes to nothing is not to be kept."""
        return Gathered(self.evidence, self.means)

    def add(self, hit: Hit) -> Evidence:
        """The passage's piece of evidence, which is new unless the passage was there before."""
        self.evidence = add_evidence(self.evidence, [hit])
        return next(each for each in self.evidence if each.hit.chunk.id == hit.chunk.id)


@dataclass(frozen=True)
class Source:
    """A document that an answer may cite, by one of its hits.

    Its tables and blocks are read when they are first looked at.
    """

    hit: Hit
    gathered: Gathered

    @property
    def document(self) -> Document:
        return self.hit.document

    @cached_property
    def tables(self) -> Sequence[Table]:
        return self.gathered.means.tables(self.document.id)

    @cached_property
    def lists(self) -> Sequence[Table]:
        """Those of things, each whole."""
        return [table for table in merged(self.tables) if may_list(table)]

    @cached_property
    def blocks(self) -> Sequence[Block]:
        return self.gathered.means.blocks(self.document.id)

    def cite(self, rows: Iterable[tuple[Table, Row]]) -> list[str]:
        """The marker of each row, in order; a table not yet among the evidence is added."""
        markers = []
        for table, row in rows:
            if not self._marker(table, row):
                self.gathered.add(self._holding(table))
            markers.append(self._marker(table, row))
        return markers

    def list_rows(
        self, title: str, table: Table, told: Sequence[tuple[Row, str]], *, of: int
    ) -> str:
        """Rows of a table as they are told, cited, in a list; ``of`` so many that there are."""
        markers = self.cite([(table, row) for row, _ in told])
        lines = [f"{text} {at}" for (_, text), at in zip(told, markers, strict=True)]
        some = f" – {len(lines)} of {of}" if len(lines) < of else ""
        return _listing(f"{title}{some}", lines)

    def list_blocks(
        self,
        name: str,
        title: str,
        told: Sequence[tuple[Sequence[Block], str]],
        *,
        of: int,
        under: Sequence[Block] = (),
    ) -> str:
        """What some blocks each say, cited, in a list; the first ``of`` so many that there are.

        They are one piece of evidence, with the heading that they stand ``under``.
        """
        blocks = (*under, *(block for own, _ in told for block in own))
        piece = self.add(name, blocks, *(block.text for block in under))
        lines, at = list[str](), len(under) + 1
        for own, text in told:
            lines.append(f"{text} {marker(piece, at, at + len(own) - 1)}")
            at += len(own)
        some = f" – the first {len(lines)} of {of}" if len(lines) < of else ""
        return _listing(f"{title}{some}", lines)

    def add(self, name: str, blocks: Iterable[Block], *heads: str) -> Evidence:
        """Blocks of the document as one piece of evidence, under a name of their own."""
        owner = self.document
        chunk = Chunk(f"{owner.id}:{name}", owner.id, 0, tuple(blocks), heads)
        return self.gathered.add(Hit(chunk, owner, self.hit.scores))

    def _marker(self, table: Table, row: Row) -> str:
        """The marker of a row where it stands in the evidence, else ""."""
        for piece in self.gathered.evidence:
            if piece.hit.document.id == table.document_id:
                for at, block in enumerate(piece.hit.chunk.blocks, 1):
                    if block.index == row.block and block.cells:
                        return marker(piece, at, at)
        return ""

    def _holding(self, table: Table) -> Hit:
        """A table as a passage, header and all."""
        owner, wanted = self.document, table.blocks | set(table.lead)
        blocks = tuple(block for block in self.blocks if block.index in wanted)
        name = f"{owner.id}:table-{table.number}"
        chunk = Chunk(name, owner.id, 0, blocks, table.section, kind="table")
        return Hit(chunk, owner, self.hit.scores, (table,))


def _listing(lead: str, lines: Iterable[str]) -> str:
    return "\n".join((f"{lead}:", *(f"- {line}" for line in lines)))


def document_as_hit(document: Document) -> Hit:
    """A document whose tables are cited, found by a search or not (no scores)."""
    return Hit(Chunk(f"{document.id}:none", document.id, 0, (), ()), document, {})
