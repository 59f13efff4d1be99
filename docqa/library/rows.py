"""Nouns into the catalog's tables and out of them, a row each."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.library.database import Connection
from docqa.library.records import Noun, from_json, to_json
from docqa.types.document import Block, Chunk, Discard, Document, PageHealth


def number_of(connection: Connection, document_id: str) -> int | None:
    query = "SELECT number FROM document WHERE id = ?"
    row = connection.execute(query, (document_id,)).fetchone()
    return int(row[0]) if row else None


def insert_document(
    connection: Connection, document: Document, *, number: int | None, chunk_count: int
) -> tuple[int, int]:
    """The document's number (a new one for None), and the first of the rows of its chunks."""
    (highest,) = connection.execute("SELECT coalesce(max(row), 0) FROM chunk").fetchone()
    cursor = connection.execute(
        "INSERT INTO document (number, id, noun, first_row, last_row) VALUES (?, ?, ?, ?, ?)",
        (number, document.id, to_json(document), highest + 1, highest + chunk_count),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid, highest + 1


def insert_chunks(
    connection: Connection, number: int, first_row: int, chunks: Sequence[Chunk]
) -> None:
    rows = (
        (row, number, chunk.id, to_json(chunk), chunk.embedded_text, chunk.table_title)
        for row, chunk in enumerate(chunks, start=first_row)
    )
    connection.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?)", rows)


def insert_vectors(
    connection: Connection, first_row: int, vectors: NDArray[np.float32] | tuple[()]
) -> None:
    numbers = np.ascontiguousarray(vectors, dtype="<f4")
    blobs = ((row, each.tobytes()) for row, each in enumerate(numbers, start=first_row))
    connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", blobs)


def replace_page(
    connection: Connection, number: int, page: PageHealth, blocks: Sequence[Block]
) -> None:
    """A page's blocks and health; the other pages' blocks are counted on from it."""
    query = "SELECT noun FROM block WHERE document = ? ORDER BY position"
    kept = nouns(Block, connection.execute(query, (number,)).fetchall())
    connection.execute("DELETE FROM block WHERE document = ?", (number,))
    before = [block for block in kept if block.page < page.page]
    after = [block for block in kept if block.page > page.page]
    every = [*before, *blocks, *after]
    counted = [replace(block, index=index) for index, block in enumerate(every)]
    insert_blocks(connection, number, counted)
    query = "UPDATE page_health SET noun = ? WHERE document = ? AND position = ?"
    connection.execute(query, (to_json(page), number, page.page - 1))


def insert_blocks(connection: Connection, number: int, blocks: Sequence[Block]) -> None:
    rows = ((number, block.page, place, to_json(block)) for place, block in enumerate(blocks))
    connection.executemany("INSERT INTO block VALUES (?, ?, ?, ?)", rows)


def insert_list(
    connection: Connection, table: str, number: int, nouns: Sequence[PageHealth | Discard]
) -> None:
    rows = ((number, place, to_json(noun)) for place, noun in enumerate(nouns))
    connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows)


def conversation_number(connection: Connection, conversation_id: str) -> int:
    query = "SELECT number FROM conversation WHERE id = ?"
    row = connection.execute(query, (conversation_id,)).fetchone()
    if row is None:
        raise KeyError(conversation_id)
    return int(row[0])


@lru_cache(maxsize=4096)  # a search asks for all of them several times
def document_from(text: str) -> Document:
    return from_json(Document, text)


def nouns(kind: type[Noun], rows: list[Any]) -> list[Noun]:
    return [from_json(kind, text) for (text,) in rows]


def matrix(blobs: Iterable[bytes]) -> NDArray[np.float32]:
    every = list(blobs)
    return (
        vector(b"".join(every)).reshape(len(every), -1) if every else np.empty((0, 0), np.float32)
    )


def vector(blob: bytes) -> NDArray[np.float32]:
    return np.frombuffer(blob, dtype="<f4").astype(np.float32)


def timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
