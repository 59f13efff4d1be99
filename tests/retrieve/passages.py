"""Small documents and passages to rank."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docqa.types.document import Block, Box, Chunk, ChunkKind, Document
from docqa.types.search import Hit

HERE = Box(72, 72, 300, 90)


def documents(*names: str) -> list[Document]:
    return [Document(id=f"id-{name}", name=name, page_count=9) for name in names]


def chunk(
    text: str, *, document: str = "a", index: int = 0, page: int = 1, kind: ChunkKind = "text"
) -> Chunk:
    block = Block(text, page, HERE, index=index)
    return Chunk(f"{document}:{index}", document, index, (block,), kind=kind)


def hit(text: str, *, document: str = "a", index: int = 0, **scores: float) -> Hit:
    of = Document(id=document, name=f"{document}.pdf", page_count=9)
    return Hit(chunk(text, document=document, index=index), of, scores)


class WordVectors:
    """An encoder whose vectors count the words of a small vocabulary: cosine is shared words."""

    name = "words"
    max_tokens = 256

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = list(vocabulary)
        self.dimensions = len(self.vocabulary) + 1

    def encode_query(self, text: str) -> NDArray[np.float32]:
        words = text.lower().replace("?", " ").replace(".", " ").split()
        counts = [words.count(word) for word in self.vocabulary]
        vector = np.array([*counts, 0.1], dtype=np.float32)
        return vector / np.float32(np.linalg.norm(vector))

    def encode(self, texts: Sequence[str], *, progress: object = None) -> NDArray[np.float32]:
        return self.encode_now(texts)

    def encode_now(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.encode_query(text) for text in texts])

    def count_tokens(self, text: str) -> int:
        return len(text.split()) + 2
