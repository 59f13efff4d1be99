"""Evidence cut into what can be quoted: sentences, list items and table rows, word for word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docqa.answer.evidence import cite
from docqa.answer.rows import Row, read_row, scale_of
from docqa.answer.wording import content_words, sentences
from docqa.types import Block, Evidence, join_blocks


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of evidence that can be quoted: blocks ``first`` to ``last`` (from 1) of it."""

    piece: Evidence
    first: int
    last: int
    text: str
    stems: tuple[str, ...]
    context: frozenset[str]
    row: Row | None = None
    scale: str = ""
    score: float = 0.0

    @property
    def marker(self) -> str:
        return f"[{cite(self.piece, self.first, self.last).label}]"


def quotes_of(piece: Evidence) -> list[Quote]:
    """Every sentence, list item and table row of a passage, in its order."""
    blocks = piece.hit.chunk.blocks
    base = frozenset(content_words(" ".join((*piece.hit.chunk.headings, piece.hit.document.name))))
    quotes: list[Quote] = []
    heading: frozenset[str] = frozenset()
    for first, last in _paragraphs(blocks):
        block = blocks[first - 1]
        if block.kind == "heading":
            heading = frozenset(content_words(block.text))
        elif block.kind == "table":
            quotes += _row_quote(piece, first, base | heading)
        elif block.kind not in ("header", "footer", "picture"):
            quotes += _sentence_quotes(piece, first, last, base | heading)
    return quotes


def _paragraphs(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Runs of blocks (from 1, both ends included) that are one paragraph."""
    runs: list[tuple[int, int]] = []
    for number, block in enumerate(blocks, start=1):
        if block.continues and runs:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _row_quote(piece: Evidence, number: int, context: frozenset[str]) -> list[Quote]:
    blocks = piece.hit.chunk.blocks
    block = blocks[number - 1]
    if block.column_header:
        return []
    row = read_row(block, blocks)
    headers = " ".join(entry.header for entry in row.entries)
    captions = " ".join(b.text for b in blocks if b.kind == "caption")
    around = context | frozenset(content_words(f"{headers} {captions}"))
    scale = scale_of(blocks, block.table)
    stems = tuple(content_words(block.text))
    return [Quote(piece, number, number, block.text, stems, around, row, scale)]


def _sentence_quotes(
    piece: Evidence, first: int, last: int, context: frozenset[str]
) -> Iterable[Quote]:
    blocks = piece.hit.chunk.blocks
    starts, length = [], 0
    for block in blocks[first - 1 : last]:
        starts.append(length)
        length += len(block.text) + 1
    text = join_blocks(blocks[first - 1 : last])
    for start, end in sentences(text):
        inside = [i for i, at in enumerate(starts) if at < end]
        opening = max(i for i in inside if starts[i] <= start)
        sentence = text[start:end]
        stems = tuple(content_words(sentence))
        yield Quote(piece, first + opening, first + inside[-1], sentence, stems, context)
