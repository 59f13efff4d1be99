"""Small documents as the reader would give them: paragraphs, headings and tables as blocks."""

from collections.abc import Sequence
from dataclasses import replace

from docqa.compare import figures
from docqa.compare.tables import Side
from docqa.ingest.tables.build import tables_of
from docqa.types.comparison import Figure
from docqa.types.document import Block, BlockKind, Box, Cell, Chunk, Document
from docqa.types.search import Hit

HERE = Box(72, 72, 300, 90)


def document(name: str) -> Document:
    return Document(id=f"id-{name}", name=f"{name}.pdf", page_count=9)


def block(text: str, *, page: int = 1, kind: BlockKind = "text", index: int = 0) -> Block:
    return Block(text, page, HERE, kind=kind, index=index)


def table(header: str, *rows: str, page: int = 1, number: int = 1, start: int = 0) -> list[Block]:
    """Rows written as ``a | b | c``, the first of them the header; an empty place has no cell."""
    return [
        Block(
            row,
            page,
            HERE,
            kind="table",
            index=start + place,
            table=number,
            cells=_cells(row),
            column_header=place == 0,
        )
        for place, row in enumerate((header, *rows))
    ]


def _cells(row: str) -> tuple[Cell, ...]:
    texts = [text.strip() for text in row.split("|")]
    return tuple(Cell(text, column) for column, text in enumerate(texts) if text)


def hit(name: str, index: int, text: str, *, heading: str = "", page: int = 1) -> Hit:
    own = document(name)
    headings = (heading,) if heading else ()
    chunk = Chunk(
        f"{own.id}:{index}", own.id, index, (block(text, page=page, index=index),), headings
    )
    return Hit(chunk, own)


def numbered(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with their index within the document."""
    return [replace(each, index=place) for place, each in enumerate(blocks)]


def figures_of(document: Document, blocks: Sequence[Block]) -> list[Figure]:
    """The figures of a document of these blocks and the tables they are rows of."""
    read = numbered(blocks)
    own = {each.index: each for each in read}
    return figures.figures_of(Side(document, own, tables_of(document.id, read)))
