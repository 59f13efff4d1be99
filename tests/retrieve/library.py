"""A real catalog and a real vector index with a few passages in them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docqa.library.catalog import Catalog
from docqa.library.vectors import VectorIndex
from docqa.types.document import Block, ChunkKind, Discard, Document, PageHealth
from tests.retrieve.passages import HERE, WordVectors, chunk

WORDS = ["rent", "notice", "period", "deposit", "roof", "repair", "insurance", "parking", "fee"]


@dataclass(frozen=True)
class Library:
    catalog: Catalog
    index: VectorIndex
    encoder: WordVectors

    def add(
        self,
        name: str,
        texts: Sequence[str],
        *,
        kind: ChunkKind = "text",
        discards: Sequence[str] = (),
        footer: str = "",
        unread: Sequence[int] = (),
    ) -> None:
        """A document whose id is its name, each text a chunk on a page of its own.

        ``footer`` is printed on the last page; of the pages ``unread`` there is no text.
        """
        chunks = [
            chunk(text, document=name, index=index, page=index + 1, kind=kind)
            for index, text in enumerate(texts)
        ]
        vectors = self.encoder.encode(texts)
        blocks = [block for each in chunks for block in each.blocks]
        if footer:
            blocks.append(Block(footer, len(texts), HERE, "footer", index=len(texts)))
        self.index.add(name, [each.id for each in chunks], vectors)
        self.catalog.begin(name)
        self.catalog.save(
            Document(name, name, page_count=len(texts), chunk_count=len(texts)),
            blocks=blocks,
            chunks=chunks,
            vectors=vectors,
            health=[PageHealth(page, "", 612, 792, 0, "none") for page in unread],
            discards=[Discard(name, 1, "too short", text) for text in discards],
        )


@contextmanager
def opened(folder: Path) -> Iterator[Library]:
    encoder = WordVectors(WORDS)
    catalog = Catalog(folder)
    index = VectorIndex(folder, encoder=encoder.name, dimensions=encoder.dimensions)
    yield Library(catalog, index, encoder)
    index.close()
    catalog.close()
