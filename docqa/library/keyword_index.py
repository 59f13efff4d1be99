"""Keyword search by SQLite's FTS5 and BM25, in the whole library or in some documents of it."""

import json
from collections.abc import Sequence

from docqa.library.database import Connection, DamagedError

Ranked = tuple[str, float, int]  # chunk id, score, row
FEW_DOCUMENTS = 8  # up to here, one range of rows each is faster than one scan of the index

RANKED = """
    SELECT chunk.id, -found.score, chunk.row FROM (
        SELECT rowid AS row, bm25({index}) AS score FROM {index}
        WHERE {index} MATCH ? {within} ORDER BY score, row LIMIT ?
    ) AS found JOIN chunk ON chunk.row = found.row ORDER BY found.score, found.row
"""


def match_expression(words: Sequence[str]) -> str:
    """What FTS5 is asked for: any of the words, each quoted so that none is an operator.

    >>> match_expression(["cap", "rate", "or", "6.2%"])
    '"cap" OR "rate" OR "or" OR "6.2%"'
    """
    kept = dict.fromkeys(word.replace('"', " ").replace("\0", " ").strip() for word in words)
    return " OR ".join(f'"{word}"' for word in kept if any(map(str.isalnum, word)))


def tell_indexes(connection: Connection, command: str) -> None:
    """Have FTS5 carry out a command of its own on each index."""
    for index in ("keyword", "table_title"):
        query = f"INSERT INTO {index} ({index}, rank) VALUES (?, 1)"  # 1: compared with the chunks
        connection.execute(query, (command,))


def agrees(connection: Connection) -> bool:
    """Whether the indexes hold the words of the chunks, and no others."""
    try:
        tell_indexes(connection, "integrity-check")
    except DamagedError:
        return False
    return True


def ranked_within(
    connection: Connection, query: str, sought: str, limit: int, document_ids: Sequence[str]
) -> list[Ranked]:
    ranges = row_ranges(connection, document_ids)
    if len(ranges) > FEW_DOCUMENTS:
        return _ranked_among(connection, query, sought, limit, document_ids)
    within = query.format(within="AND rowid BETWEEN ? AND ?")
    found = [
        row
        for first, last in ranges
        for row in connection.execute(within, (sought, first, last, limit)).fetchall()
    ]
    return sorted(found, key=lambda row: (-row[1], row[2]))[:limit]


def row_ranges(connection: Connection, document_ids: Sequence[str]) -> list[tuple[int, int]]:
    """The first and last row of each document's chunks."""
    return connection.execute(
        """
        SELECT DISTINCT first_row, last_row FROM json_each(?) AS asked
        JOIN document ON document.id = asked.value WHERE last_row >= first_row
        """,
        (json.dumps(list(document_ids)),),
    ).fetchall()


def _ranked_among(
    connection: Connection, query: str, sought: str, limit: int, document_ids: Sequence[str]
) -> list[Ranked]:
    # The plus sign keeps FTS5 from running the whole search again for each row in the list.
    among = query.format(
        within="""AND +rowid IN (
            SELECT chunk.row FROM json_each(?) AS asked
            JOIN document ON document.id = asked.value JOIN chunk ON document = number
        )"""
    )
    return connection.execute(among, (sought, json.dumps(list(document_ids)), limit)).fetchall()
