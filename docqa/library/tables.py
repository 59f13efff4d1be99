"""The tables of documents, and the abbreviations they define: made from their blocks at first need,
kept until those change."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from docqa.library.database import Connection, Database
from docqa.library.records import from_json, to_json
from docqa.library.rows import amend_document, of_document
from docqa.types.document import Block, Document, Landmark
from docqa.types.question import Definition
from docqa.types.table import Table

LAST_BLOCK = 1 << 31  # an index that no block has
NAMED = 4  # tables of one kind that a document is said to have, at most


@dataclass(frozen=True, slots=True)
class TableMaker:
    """How blocks become tables, and what they define; of another ``version``, it is made anew."""

    version: int
    make: Callable[[str, Sequence[Block]], tuple[Table, ...]]
    define: Callable[[Sequence[Block]], Collection[Definition]] = lambda blocks: ()


NO_TABLES = TableMaker(0, lambda document_id, blocks: ())


_Fingerprint = tuple[int, int, int]  # of a document's blocks: how many, characters, its number


class KeptTables:
    """The tables of a catalog's documents; in one that is open for reading, kept in memory."""

    def __init__(self, database: Database, maker: TableMaker, *, read_only: bool) -> None:
        self._database = database
        self._maker = maker
        self._in_memory: dict[str, tuple[_Fingerprint, tuple[Table, ...]]] | None = (
            {} if read_only else None
        )

    def tables(self, document_id: str, blocks: Collection[int] | None = None) -> tuple[Table, ...]:
        """The tables of a document, or those with any of the ``blocks`` of these indexes, in order.

        Those that were not made yet, or by other rules, are made; of an unknown one there are none.
        """
        if blocks is not None and not blocks:
            return ()
        query = """
            SELECT made_table.noun FROM made_table JOIN document ON document.number = document
            WHERE id = ? AND first_block <= ? AND last_block >= ? ORDER BY made_table.number
        """
        last, first = (max(blocks), min(blocks)) if blocks else (LAST_BLOCK, 0)
        near = self._made_in_memory(document_id)
        rows = () if near else self._database.rows(query, (document_id, last, first))
        near = near or [_table_from(text) for (text,) in rows]
        return tuple(each for each in near if not (blocks and each.blocks.isdisjoint(blocks)))

    def definitions(self, text: str, *, document_ids: Sequence[str] = ()) -> list[Definition]:
        """The abbreviations that these documents define, none meaning all, of which a text has the
        abbreviation or what it stands for, whatever the case; of one that was read before these
        were kept, from when its tables are made."""
        wanted, said = json.dumps(list(document_ids)), text.lower()
        for one in self._unmade(wanted):
            self._made_in_memory(one)
        query = """
            SELECT DISTINCT short, long FROM definition JOIN document ON number = document
            WHERE (? = '[]' OR id IN (SELECT value FROM json_each(?)))
            AND (instr(?, lower(short)) OR instr(?, lower(long))) ORDER BY short, long
        """
        return self._database.rows(query, (wanted, wanted, said, said))

    def _unmade(self, ids: str) -> list[str]:
        """Those of the documents, a JSON list of ids, of which nothing is made by these rules."""
        query = """
            SELECT id FROM document LEFT JOIN tables_made ON number = document
            WHERE id IN (SELECT value FROM json_each(?)) AND version IS NOT ?
        """
        return [one for (one,) in self._database.rows(query, (ids, self._maker.version))]

    def _made_in_memory(self, document_id: str) -> Sequence[Table]:
        """Sees to it that a document's tables are there; () where they are in the catalog."""
        if not self._unmade(json.dumps([document_id])):
            return ()
        with self._database.reading() as connection:
            before = _fingerprint(connection, document_id)
        if self._in_memory is not None and document_id in self._in_memory:
            made_of, made = self._in_memory[document_id]
            if made_of == before:  # another process may have read the document anew
                return made
        blocks = of_document(self._database, Block, "block", document_id)
        tables = self._maker.make(document_id, blocks)
        defined = self._maker.define(blocks)
        if self._in_memory is not None:
            self._in_memory[document_id] = before, tables
            return tables
        with self._database.writing() as connection:
            # Blocks that came meanwhile have other tables, which are made when they are wanted.
            if _fingerprint(connection, document_id) == before:
                _keep(connection, document_id, tables, defined, self._maker.version)
        return ()


@lru_cache(maxsize=512)  # all of a document are read for each question
def _table_from(text: str) -> Table:
    return from_json(Table, text)


def drop_tables(connection: Connection, number: int) -> None:
    """Forget the tables and definitions of a document whose blocks have changed."""
    connection.execute("DELETE FROM definition WHERE document = ?", (number,))
    connection.execute("DELETE FROM made_table WHERE document = ?", (number,))
    connection.execute("DELETE FROM tables_made WHERE document = ?", (number,))


def _fingerprint(connection: Connection, document_id: str) -> _Fingerprint:
    query = """
        SELECT count(*), coalesce(sum(length(block.noun)), 0), coalesce(max(document), 0)
        FROM block JOIN document ON number = document WHERE id = ?
    """
    counted: _Fingerprint = connection.execute(query, (document_id,)).fetchone()
    return counted


def _keep(
    connection: Connection,
    document_id: str,
    tables: Sequence[Table],
    defined: Collection[Definition],
    version: int,
) -> None:
    query = "SELECT noun FROM document WHERE id = ?"
    row = connection.execute(query, (document_id,)).fetchone()
    if row is None:
        return
    document = replace(from_json(Document, row[0]), landmarks=tuple(landmarks(tables)))
    number, _ = amend_document(connection, document)
    drop_tables(connection, number)
    rows = (
        (number, table.number, min(table.blocks), max(table.blocks), table.role, to_json(table))
        for table in tables
    )
    connection.executemany("INSERT INTO made_table VALUES (?, ?, ?, ?, ?, ?)", rows)
    defines = ((number, short, long) for short, long in defined)
    connection.executemany("INSERT INTO definition VALUES (?, ?, ?)", defines)
    connection.execute("INSERT INTO tables_made VALUES (?, ?)", (number, version))


def landmarks(tables: Sequence[Table]) -> Iterator[Landmark]:
    """The tables that are worth naming: each kind on its first pages, tables of contents never."""
    counts: Counter[str] = Counter()
    seen = set()
    for table in tables:
        place = (table.role, table.pages[0])
        if table.role in ("", "contents") or place in seen or counts[table.role] == NAMED:
            continue
        seen.add(place)
        counts[table.role] += 1
        yield Landmark(*place)
