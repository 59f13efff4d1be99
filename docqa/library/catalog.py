"""The truth about the library: documents, blocks, chunks, vectors, keyword index, chats.

Everything else kept on disk follows from it: the vector index can be rebuilt from it, and files
it does not name are left over. Safe to use from several threads at once.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from docqa.errors import UnknownDocument
from docqa.library.conversations import Conversations, Judgements
from docqa.library.database import Database
from docqa.library.keyword_index import (
    RANKED,
    agrees,
    match_expression,
    ranked_within,
    row_ranges,
    tell_indexes,
)
from docqa.library.rows import (
    amend_document,
    document_from,
    insert_blocks,
    insert_chunks,
    insert_document,
    insert_list,
    insert_vectors,
    matrix,
    nouns,
    of_document,
    replace_page,
    vector,
)
from docqa.library.schema import MIGRATIONS
from docqa.library.spending import SpendingLog
from docqa.library.tables import NO_TABLES, KeptTables, TableMaker, drop_tables
from docqa.types.document import Block, Chunk, Discard, Document, PageHealth

if TYPE_CHECKING:
    from docqa.library.reviews import Reviews

CATALOG_NAME = "catalog.sqlite3"
BEGUN = "INSERT OR IGNORE INTO unfinished VALUES (?)"
DONE = "DELETE FROM unfinished WHERE document_id = ?"
LAST_ROW = (1 << 63) - 1  # that SQLite can have
LARGE = 20_000  # chunks from which on common words are left out of a search of all of them
COMMON = 0.25  # share of the chunks that have a common word; the best 40 stay the same by .92


class Catalog:
    """The library's SQLite file. Every method may raise LibraryUnusable."""

    def __init__(
        self,
        folder: Path,
        *,
        large: int = LARGE,
        read_only: bool = False,
        tables: TableMaker = NO_TABLES,
    ) -> None:
        """Opens, makes or brings up to date ``folder``/catalog.sqlite3. Raises LibraryTooNew.

        With ``read_only`` it has to be there, as this docqa makes it, and what would change it
        raises LibraryReadOnly. Raises LibraryMissing and LibraryTooOld. ``tables`` is how its
        documents' tables are made.
        """
        self._large = large
        self._database = Database(folder / CATALOG_NAME, migrations=MIGRATIONS, read_only=read_only)
        self.conversations = Conversations(self._database)
        self.judgements = Judgements(self._database)
        self.spending = SpendingLog(self._database)
        kept = KeptTables(self._database, tables, read_only=read_only)
        self.tables, self.definitions = kept.tables, kept.definitions

    @cached_property
    def reviews(self) -> "Reviews":
        """The reviews; most runs need none, and their nouns take a while to be made."""
        from docqa.library.reviews import Reviews

        return Reviews(self._database)

    def close(self) -> None:
        self._database.close()

    def together(self) -> AbstractContextManager[object]:
        """What is written in this block is kept as a whole, or not at all."""
        return self._database.writing()

    def is_sound(self) -> bool:
        """Whether the file is whole and the keyword index agrees with the chunks; reads all.

        Where it is open for reading, only whether the file is whole: FTS5 compares by writing.
        """
        read_only = self._database.read_only
        access = self._database.reading() if read_only else self._database.writing()
        with access as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return bool(verdict == "ok") and (read_only or agrees(connection))

    def mend(self) -> bool:
        """Make the keyword indexes anew from the chunks; whether all `is_sound` then."""
        with self._database.writing() as connection:
            tell_indexes(connection, "rebuild")
        return self.is_sound()

    # Settings of the library: encoder, chunking, parser

    def get_setting(self, key: str) -> str | None:
        rows = self._database.rows("SELECT value FROM setting WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def set_setting(self, key: str, value: str) -> None:
        self._database.write("INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, value))

    # The journal: documents whose vectors or file may be on disk without a row here

    def begin(self, document_id: str) -> None:
        """Note that vectors and files of this id are about to be written."""
        self._database.write(BEGUN, (document_id,))

    def unfinished(self) -> list[str]:
        """Ids that were begun or removed and neither saved nor abandoned since, sorted."""
        rows = self._database.rows("SELECT document_id FROM unfinished ORDER BY 1")
        return [document_id for (document_id,) in rows]

    def abandon(self, document_id: str) -> None:
        """Note that vectors and files of this id are gone."""
        self._database.write(DONE, (document_id,))

    def finish(self, document_ids: Collection[str]) -> None:
        """Note that vectors and files of these ids are as the catalog has them: those of removed
        documents are gone, and what is left of their text is overwritten first."""
        if not {each.id for each in self.documents()}.issuperset(document_ids):
            self.purge()
        for document_id in document_ids:
            self.abandon(document_id)

    # Documents

    def save(
        self,
        document: Document,
        *,
        blocks: Sequence[Block],
        chunks: Sequence[Chunk],
        vectors: NDArray[np.float32] | None,
        health: Sequence[PageHealth],
        discards: Sequence[Discard],
    ) -> None:
        """Keep a document whole, or, if anything fails, not at all; its journal entry is removed.

        A document of the same id is replaced, in its place. ``vectors`` has a row for each chunk,
        or is None where they are still to come. Raises ValueError where it does not.
        """
        if vectors is not None and len(vectors) != len(chunks):
            raise ValueError(f"{len(vectors)} vectors for {len(chunks)} chunks")
        with self._database.writing() as connection:
            number, first_row = insert_document(connection, document, chunk_count=len(chunks))
            insert_chunks(connection, number, first_row, chunks)
            insert_vectors(connection, first_row, () if vectors is None else vectors)
            insert_blocks(connection, number, blocks)
            insert_list(connection, "page_health", number, health)
            insert_list(connection, "discard", number, discards)
            connection.execute(DONE, (document.id,))

    def save_vectors(self, document: Document, vectors: NDArray[np.float32]) -> None:
        """Give a document saved without vectors those of its chunks, a row for each in order.

        Its journal entry is removed. Raises KeyError where there is no such document.
        """
        with self._database.writing() as connection:
            _, first_row = amend_document(connection, document)
            insert_vectors(connection, first_row, vectors)
            connection.execute(DONE, (document.id,))

    def save_page(self, document: Document, page: PageHealth, blocks: Sequence[Block]) -> None:
        """Put what was read of one page in place of what it had; the chunks stay as they are.

        Raises KeyError where there is no such document.
        """
        with self._database.writing() as connection:
            number, _ = amend_document(connection, document)
            replace_page(connection, number, page, blocks)
            drop_tables(connection, number)

    def documents(self) -> list[Document]:
        """Every document, in the order they were added."""
        rows = self._database.rows("SELECT noun FROM document ORDER BY number")
        return [document_from(text) for (text,) in rows]

    def document(self, document_id: str) -> Document:
        """The document of this id. Raises UnknownDocument."""
        rows = self._database.rows("SELECT noun FROM document WHERE id = ?", (document_id,))
        if not rows:
            raise UnknownDocument(document_id)
        return document_from(rows[0][0])

    def amend(self, document: Document) -> None:
        """Keep other facts of a document (name, tags); its text stays. Raises KeyError."""
        with self._database.writing() as connection:
            amend_document(connection, document)

    def remove(self, document_id: str) -> None:
        """Delete a document's text, chunks, vectors, keyword rows, judgements and review cells.

        Its id is journalled until `abandon`, since its index entries and file are still there,
        and its words in the keyword index, until `purge`. An unknown id is no error.
        """
        with self._database.writing() as connection:
            connection.execute("DELETE FROM document WHERE id = ?", (document_id,))
            for table in ("judgement", "review_cell", "restored", "note"):
                connection.execute(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))
            connection.execute(BEGUN, (document_id,))

    def purge(self) -> None:
        """Overwrite what is left of removed documents, and give their space back."""
        with self._database.writing() as connection:
            # Until their segments are merged, the keyword indexes still hold the words.
            tell_indexes(connection, "optimize")
        self._database.write_anew()

    def blocks(self, document_id: str, page: int | None = None) -> list[Block]:
        """The blocks of one page, or of every page, in reading order; unknown is empty."""
        if page is None:
            return of_document(self._database, Block, "block", document_id)
        return of_document(self._database, Block, "block", document_id, page, within="AND page = ?")

    def outline(self, document_id: str, *, pages: int) -> list[Block]:
        """The blocks of the first ``pages``, and the headings after them, in reading order."""
        # Thrice as quick as to read each block's JSON for its kind.
        within = """AND (page <= ? OR instr(block.noun, '"kind":"heading"'))"""
        return of_document(self._database, Block, "block", document_id, pages, within=within)

    def health(self, document_id: str) -> list[PageHealth]:
        """How well each page was read, in page order; unknown is empty."""
        return of_document(self._database, PageHealth, "page_health", document_id)

    def pages_to_look_at(self) -> dict[str, int]:
        """Document id to how many of its pages have a remark or no text layer; 0 left out."""
        return dict(self._database.rows(PAGES_TO_LOOK_AT))

    def discards(self, document_id: str) -> list[Discard]:
        """What validation left out, in document order; unknown is empty."""
        return of_document(self._database, Discard, "discard", document_id)

    def restore(self, document_id: str, text: str) -> None:
        """Remember that a passage of this text is wanted, whatever validation says of it."""
        self._database.write("INSERT OR IGNORE INTO restored VALUES (?, ?)", (document_id, text))

    def restored(self, document_id: str) -> set[str]:
        """The texts of the passages that were asked back."""
        query = "SELECT text FROM restored WHERE document_id = ?"
        return {text for (text,) in self._database.rows(query, (document_id,))}

    def keep_notes(self, document_id: str, notes: Mapping[str, str]) -> None:
        """Keep what was written of passages, by their text; for a removed document, nothing."""
        query = "INSERT OR REPLACE INTO note SELECT id, ?, ? FROM document WHERE id = ?"
        with self._database.writing() as connection:
            connection.executemany(query, ((*each, document_id) for each in notes.items()))

    def notes(self, document_id: str) -> dict[str, str]:
        """What was written of the document's passages, by their text."""
        query = "SELECT text, note FROM note WHERE document_id = ?"
        return dict(self._database.rows(query, (document_id,)))

    # Chunks

    def chunk_count(self) -> int:
        """The number of chunks in the library."""
        query = "SELECT coalesce(sum(last_row - first_row + 1), 0) FROM document"
        return int(self._database.rows(query)[0][0])

    def vector_count(self) -> int:
        """The number of chunks that have a vector: those of the complete documents."""
        query = """
            SELECT coalesce(sum(last_row - first_row + 1), 0) FROM document
            WHERE EXISTS (SELECT 1 FROM vector WHERE row = first_row)
        """
        return int(self._database.rows(query)[0][0])

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in the order asked; unknown ids are left out."""
        query = """
            SELECT noun FROM json_each(?) AS asked JOIN chunk ON chunk.id = asked.value
            ORDER BY asked.key
        """
        return nouns(Chunk, self._database.rows(query, (json.dumps(list(ids)),)))

    def vectors(self, ids: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of these chunks, shape (n, d), in the order asked; unknown ids left out.

        Where there are none the shape is (0, 0).
        """
        query = """
            SELECT numbers FROM json_each(?) AS asked JOIN chunk ON chunk.id = asked.value
            JOIN vector USING (row) ORDER BY asked.key
        """
        rows = self._database.rows(query, (json.dumps(list(ids)),))
        return matrix(numbers for (numbers,) in rows)

    def document_vectors(
        self, document_ids: Sequence[str]
    ) -> tuple[list[str], NDArray[np.float32]]:
        """The ids of these documents' chunks and their vectors (n, d), in the documents' order."""
        query = """
            SELECT chunk.id, numbers FROM json_each(?) AS asked
            JOIN document ON document.id = asked.value JOIN chunk ON document = number
            JOIN vector USING (row) ORDER BY asked.key, row
        """
        rows = self._database.rows(query, (json.dumps(list(document_ids)),))
        return [row[0] for row in rows], matrix(row[1] for row in rows)

    def vectors_by_id(self, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The vector of each of these chunks that has one."""
        query = """
            SELECT chunk.id, numbers FROM json_each(?) AS asked
            JOIN chunk ON chunk.id = asked.value JOIN vector USING (row)
        """
        rows = self._database.rows(query, (json.dumps(list(ids)),))
        return {chunk_id: vector(numbers) for chunk_id, numbers in rows}

    def vectors_by_text(self, document_id: str) -> dict[str, NDArray[np.float32]]:
        """The vectors of a document by the embedded text they stand for."""
        query = """
            SELECT words, numbers FROM chunk JOIN document ON number = document
            JOIN vector USING (row) WHERE document.id = ?
        """
        rows = self._database.rows(query, (document_id,))
        return {text: vector(numbers) for text, numbers in rows}

    def document_chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of a document, in its order; unknown is empty."""
        return of_document(self._database, Chunk, "chunk", document_id, order="row")

    def all_vectors(self) -> Iterator[tuple[str, list[str], NDArray[np.float32]]]:
        """Each document's id, its chunks' ids and their vectors (n, d), in the order added."""
        for document in self.documents():
            ids, vectors = self.document_vectors([document.id])
            if ids:
                yield document.id, ids, vectors

    def keyword_search(
        self, words: Sequence[str], *, limit: int, document_ids: Sequence[str] = ()
    ) -> list[tuple[str, float]]:
        """Chunk ids with their BM25 score, highest first, ties in library order.

        A chunk is found if it has any of the words, whatever their endings. No ids means every
        document; no words, no result. The scores are FTS5's (k1 = 1.2, b = 0.75), positive.
        In a library of more than `LARGE` chunks, words that a quarter of them have are not asked
        for beside rarer ones: they weigh next to nothing, and took most of the time.
        """
        if not document_ids and self.chunk_count() > self._large:
            words = self._telling(words)
        return self._searched("keyword", words, limit, document_ids)

    def _telling(self, words: Sequence[str]) -> Sequence[str]:
        """The words that are in some chunks but at most in `COMMON` of them; all if none is."""
        most = COMMON * self.chunk_count()
        query = "SELECT count(*) FROM keyword WHERE keyword MATCH ?"
        sought = {word: match_expression([word]) for word in words}
        with self._database.reading() as connection:
            counts = {
                word: connection.execute(query, (one,)).fetchone()[0]
                for word, one in sought.items()
                if one
            }
        return [word for word, count in counts.items() if 0 < count <= most] or words

    def has_word(self, word: str, *, document_ids: Sequence[str] = ()) -> bool:
        """Whether some chunk of the documents has the word, whatever its ending."""
        sought = match_expression([word])
        if not sought:
            return False
        query = "SELECT 1 FROM keyword WHERE keyword MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1"
        with self._database.reading() as connection:
            ranges = row_ranges(connection, document_ids) if document_ids else [(0, LAST_ROW)]
            return any(connection.execute(query, (sought, *rows)).fetchone() for rows in ranges)

    def stems(self, openings: Iterable[str], lengths: tuple[int, int]) -> list[tuple[str, int]]:
        """The stems that begin with one of the openings, of so many letters at least and at most,
        and in how many passages each stands."""
        query = (
            "SELECT term, doc FROM word WHERE term >= ? AND term < ?"
            " AND length(term) BETWEEN ? AND ?"
        )
        with self._database.reading() as connection:
            return [
                stem
                for opening in openings
                for stem in connection.execute(
                    query, (opening, opening[:-1] + chr(ord(opening[-1]) + 1), *lengths)
                )
            ]

    def passages_with_stem(self, stem: str, limit: int) -> list[str]:
        """The texts of some passages that have a stem, as they are indexed."""
        rows = self._database.rows(
            "SELECT words FROM chunk WHERE row IN"
            " (SELECT DISTINCT doc FROM word_place WHERE term = ? LIMIT ?)",
            (stem, limit),
        )
        return [text for (text,) in rows]

    def table_search(
        self, titles: Sequence[str], *, limit: int, document_ids: Sequence[str] = ()
    ) -> list[tuple[str, float]]:
        """Ids of the tables whose title has one of the phrases, as `keyword_search` gives them."""
        return self._searched("table_title", titles, limit, document_ids)

    def _searched(
        self, index: str, phrases: Sequence[str], limit: int, document_ids: Sequence[str]
    ) -> list[tuple[str, float]]:
        sought = match_expression(phrases)
        if not sought or limit < 1:
            return []
        query = RANKED.replace("{index}", index)
        with self._database.reading() as connection:
            if not document_ids:
                rows = connection.execute(query.format(within=""), (sought, limit)).fetchall()
            else:
                rows = ranked_within(connection, query, sought, limit, document_ids)
        return [(chunk_id, score) for chunk_id, score, _ in rows]


# Word for word what the index holds the pages of, so that no other page is looked at.
PAGES_TO_LOOK_AT = """
    SELECT id, pages FROM document JOIN (
        SELECT document, count(*) AS pages FROM page_health
        WHERE noun ->> '$.source' <> 'text layer' OR noun ->> '$.warnings' IS NOT NULL
        GROUP BY document
    ) ON number = document
"""
