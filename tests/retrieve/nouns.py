"""Small hits and documents for the tests of retrieval."""

from docqa.types import Block, Box, Chunk, Document, Hit

HERE = Box(72, 72, 300, 84)


def document(name: str, *, title: str = "") -> Document:
    return Document(id=name.lower().removesuffix(".pdf"), name=name, page_count=9, title=title)


def hit(text: str, *, index: int = 0, name: str = "Lease.pdf", page: int = 1) -> Hit:
    owner = document(name)
    block = Block(text, page, HERE)
    return Hit(Chunk(f"{owner.id}:{index}", owner.id, index, (block,)), owner)
