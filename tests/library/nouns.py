"""Documents, chunks and vectors made for the library's tests."""

import hashlib

import numpy as np
from numpy.typing import NDArray

from docqa.library.catalog import Catalog
from docqa.types.document import Block, Box, Cell, Chunk, Discard, Document, PageHealth

HERE = Box(72.0, 90.5, 540.0, 102.25)


def document_id(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def document(name: str, *, chunk_count: int = 0) -> Document:
    return Document(document_id(name), name, page_count=1, title=name, chunk_count=chunk_count)


def chunk(name: str, index: int, text: str, *, page: int = 1) -> Chunk:
    owner = document_id(name)
    block = Block(text, page, HERE, index=index)
    return Chunk(f"{owner}:{index}", owner, index, (block,), context=f"{name}, page {page}")


def table_row(text: str, *, page: int = 1) -> Block:
    cells = (Cell("Rent", 0), Cell(text, 1, span=2))
    return Block(f"Rent {text}", page, HERE, kind="table", table=1, cells=cells)


def unit_vectors(count: int, *, seed: int = 0, dimensions: int = 8) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(count, dimensions))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def save(catalog: Catalog, name: str, texts: list[str], *, seed: int = 0) -> list[Chunk]:
    """Save a document with one chunk for each text, and return the chunks."""
    chunks = [chunk(name, index, text) for index, text in enumerate(texts)]
    catalog.save(
        document(name, chunk_count=len(texts)),
        blocks=[block for each in chunks for block in each.blocks],
        chunks=chunks,
        vectors=unit_vectors(len(texts), seed=seed),
        health=[PageHealth(1, "i", 612.0, 792.0, 100, "text layer")],
        discards=[Discard(document_id(name), 1, "too short", "x")],
    )
    return chunks
