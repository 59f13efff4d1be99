"""Nouns into the catalog's tables and out of them, a row each."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.library.database import Connection, Database
from docqa.library.records import Noun, from_json, to_json
from docqa.types.document import Block, Chunk, Discard, Document, PageHealth


def insert_document(
    connection: Connection, document: Document, *, chunk_count: int
) -> tuple[int, int]:
    """The document's number (that of one of its id, which goes), and its chunks' first row."""
    query = "DELETE FROM document WHERE id = ? RETURNING number"
    (number,) = connection.execute(query, (document.id,)).fetchone() or (None,)
    (highest,) = connection.execute("SELECT coalesce(max(row), 0) FROM chunk").fetchone()
    cursor = connection.execute(
        "INSERT INTO document (number, id, noun, first_row, last_row) VALUES (?, ?, ?, ?, ?)",
        (number, document.id, to_json(document), highest + 1, highest + chunk_count),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid, highest + 1


def amend_document(connection: Connection, document: Document) -> tuple[int, int]:
    """The number of the document changed, and its chunks' first row. Raises KeyError."""
    query = "UPDATE document SET noun = ? WHERE id = ? RETURNING number, first_row"
    row = connection.execute(query, (to_json(document), document.id)).fetchone()
    if row is None:
        raise KeyError(document.id)
    number, first_row = row
    return number, first_row


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


@lru_cache(maxsize=4096)  # a search asks for all of them several times
def document_from(text: str) -> Document:
    return from_json(Document, text)


def nouns(kind: type[Noun], rows: list[Any]) -> list[Noun]:
    return [from_json(kind, text) for (text,) in rows]


def of_document(
    database: Database,
    kind: type[Noun],
    table: str,
    document_id: str,
    *values: object,
    within: str = "",
    order: str = "position",
) -> list[Noun]:
    """What a table holds of a document, in order; ``values`` are those that ``within`` asks for."""
    query = f"""
        SELECT {table}.noun FROM {table} JOIN document ON number = document
        WHERE document.id = ? {within} ORDER BY {order}
    """
    return nouns(kind, database.rows(query, (document_id, *values)))


def matrix(blobs: Iterable[bytes]) -> NDArray[np.float32]:
    every = list(blobs)
    return (
        vector(b"".join(every)).reshape(len(every), -1) if every else np.empty((0, 0), np.float32)
    )


def vector(blob: bytes) -> NDArray[np.float32]:
    return np.frombuffer(blob, dtype="<f4").astype(np.float32)


def timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
