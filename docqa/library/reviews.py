"""Reviews and their cells: what docqa found, and apart from it what a person said of it.

A cell is kept the moment it is filled. It counts only for the question and the reading of the
document that it was filled for: nothing has to be emptied where either changes.
"""

import json
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from docqa.errors import UnknownReview
from docqa.library.database import Connection, Database
from docqa.library.records import from_json, to_json
from docqa.library.rows import nouns, timestamp
from docqa.types.review import Cell, Proposal, Review, Ruling

Key = tuple[str, str, str]
"""A cell: the ids of its review, document and column."""


class Reviews:
    """The reviews of a library. Every method may raise LibraryUnusable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Review]:
        """Every review, the one changed last first."""
        rows = self._database.rows("SELECT noun FROM review ORDER BY number DESC")
        return sorted(nouns(Review, rows), key=lambda each: each.updated, reverse=True)

    def get(self, review_id: str) -> Review:
        """The review of that id. Raises UnknownReview."""
        with self._database.reading() as connection:
            return _review(connection, review_id)

    def add(self, review: Review) -> Review:
        """Keep a new review: it gets an id, its columns too, and a free name. Returns it."""
        with self._database.writing() as connection:
            name = _free_name(connection, review.name)
            made = replace(
                _with_column_ids(review), id=uuid.uuid4().hex, name=name, updated=timestamp()
            )
            query = "INSERT INTO review (id, name, noun) VALUES (?, ?, ?)"
            connection.execute(query, (made.id, made.name, to_json(made)))
        return made

    def change(self, review_id: str, change: Callable[[Review], Review]) -> Review:
        """Change a review as it stands now, whoever changed it meanwhile; the new one.

        A name that another has gets a number, columns without an id get one, and cells of columns
        that are gone are deleted. A column of which a person settled a cell is hidden instead of
        gone. Raises UnknownReview.
        """
        with self._database.writing() as connection:
            before = _review(connection, review_id)
            after = _with_settled(connection, before, _with_column_ids(change(before)))
            after = replace(after, id=before.id, updated=timestamp())
            after = replace(after, name=_free_name(connection, after.name, own=review_id))
            query = "UPDATE review SET name = ?, noun = ? WHERE id = ?"
            connection.execute(query, (after.name, to_json(after), review_id))
            kept = json.dumps([each.id for each in after.columns])
            query = """
                DELETE FROM review_cell WHERE review = (SELECT number FROM review WHERE id = ?)
                AND column_id NOT IN (SELECT value FROM json_each(?))
            """
            connection.execute(query, (review_id, kept))
        return after

    def copy(self, review_id: str) -> Review:
        """The review again, with its cells, under the same name, numbered. Raises UnknownReview."""
        with self._database.writing() as connection:
            made = self.add(_review(connection, review_id))
            query = """
                INSERT INTO review_cell (review, document_id, column_id, proposal, ruling, filled)
                SELECT (SELECT number FROM review WHERE id = ?), document_id, column_id, proposal,
                    ruling, filled
                FROM review_cell JOIN review ON review.number = review WHERE review.id = ?
            """
            connection.execute(query, (made.id, review_id))
        return made

    def remove(self, review_id: str) -> None:
        """Delete a review with its cells; an unknown id is no error."""
        self._database.write("DELETE FROM review WHERE id = ?", (review_id,))

    # Cells

    def cells(self, review_id: str) -> list[Cell]:
        """Every cell in which anything was kept, for questions since changed too."""
        rows = self._database.rows(f"{_CELLS} WHERE review.id = ?", (review_id,))
        return [_cell(*row[1:]) for row in rows]

    def cells_of_document(self, document_id: str) -> dict[str, list[Cell]]:
        """A document's cells by the id of their review."""
        found: dict[str, list[Cell]] = {}
        for row in self._database.rows(f"{_CELLS} WHERE document_id = ?", (document_id,)):
            found.setdefault(row[0], []).append(_cell(*row[1:]))
        return found

    def put_back(self, cells: Mapping[str, Iterable[Cell]]) -> None:
        """Keep again what `cells_of_document` gave, in the reviews that still are there."""
        for review_id, each in cells.items():
            for cell in each:
                key = (review_id, cell.document_id, cell.column_id)
                if cell.proposal is not None:
                    self.keep(key, cell.proposal)
                if cell.ruling is not None:
                    self.settle(key, cell.ruling)

    def keep(self, key: Key, proposal: Proposal, *, again: bool = False) -> bool:
        """Keep what was found for a cell; whether it was kept.

        It is not where the document, the review or the column is gone, or the cell was filled for
        the same question and reading before, unless it is to be filled ``again``.
        """
        with self._database.writing() as connection:
            place = _place(connection, key)
            if place is None:
                return False
            query = f"SELECT proposal, filled FROM {_CELL}"
            row = connection.execute(query, place).fetchone()
            before = from_json(Proposal, row[0]) if row and row[0] else None
            asked = (proposal.asked, proposal.version)
            same = before is not None and (before.asked, before.version) == asked
            if same and not again:
                return False
            filled = row[1] + 1 if same else 1
            query = """
                INSERT INTO review_cell (review, document_id, column_id, proposal, filled)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
                SET proposal = excluded.proposal, filled = excluded.filled
            """
            connection.execute(query, (*place, to_json(proposal), filled))
        return True

    def settle(self, key: Key, ruling: Ruling | None, *, seen: str | None = None) -> bool:
        """Keep what a person said of a cell, None to take it back; whether it was kept.

        ``seen`` is the time of the ruling that the person saw, "" for none: where there is
        another by now, theirs is not overwritten. None overwrites whatever there is.
        """
        with self._database.writing() as connection:
            place = _place(connection, key)
            if place is None:
                return False
            query = f"SELECT ruling ->> '$.at' FROM {_CELL}"
            row = connection.execute(query, place).fetchone()
            if seen is not None and ((row and row[0]) or "") != seen:
                return False
            query = """
                INSERT INTO review_cell (review, document_id, column_id, ruling)
                VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET ruling = excluded.ruling
            """
            said = None if ruling is None else to_json(ruling)
            connection.execute(query, (*place, said))
        return True

    def filled(self, review_id: str) -> dict[tuple[str, str], int]:
        """How often each cell was filled for its present question and reading."""
        query = """
            SELECT document_id, column_id, filled FROM review_cell
            JOIN review ON review.number = review WHERE review.id = ? AND proposal IS NOT NULL
        """
        rows = self._database.rows(query, (review_id,))
        return {(document_id, column_id): times for document_id, column_id, times in rows}


_CELL = "review_cell WHERE (review, document_id, column_id) = (?, ?, ?)"
_CELLS = """
    SELECT review.id, document_id, column_id, proposal, ruling
    FROM review_cell JOIN review ON review.number = review
"""


@lru_cache(maxsize=8_000)  # a table is looked at again and again while a few of its cells change
def _cell(document_id: str, column_id: str, proposal: str | None, ruling: str | None) -> Cell:
    return Cell(
        document_id,
        column_id,
        from_json(Proposal, proposal) if proposal else None,
        from_json(Ruling, ruling) if ruling else None,
    )


def _review(connection: Connection, review_id: str) -> Review:
    query = "SELECT noun FROM review WHERE id = ?"
    row = connection.execute(query, (review_id,)).fetchone()
    if row is None:
        raise UnknownReview(review_id)
    return from_json(Review, row[0])


def _place(connection: Connection, key: Key) -> tuple[int, str, str] | None:
    """The cell by its review's number, where review, column and document are still there."""
    review_id, document_id, column_id = key
    query = """
        SELECT number, noun FROM review WHERE id = ?
        AND EXISTS (SELECT 1 FROM document WHERE document.id = ?)
    """
    row = connection.execute(query, (review_id, document_id)).fetchone()
    if row is None:
        return None
    columns = from_json(Review, row[1]).columns
    there = any(each.id == column_id for each in columns)
    return (int(row[0]), document_id, column_id) if there else None


def _with_column_ids(review: Review) -> Review:
    columns = (each if each.id else replace(each, id=uuid.uuid4().hex) for each in review.columns)
    return replace(review, columns=tuple(columns))


def _with_settled(connection: Connection, before: Review, after: Review) -> Review:
    """The changed review with the columns that it lacks but people settled cells of, hidden."""
    query = """
        SELECT DISTINCT column_id FROM review_cell JOIN review ON review.number = review
        WHERE review.id = ? AND ruling IS NOT NULL
    """
    settled = {each for (each,) in connection.execute(query, (before.id,))}
    there = {each.id for each in after.columns}
    kept = tuple(each for each in before.columns if each.id in settled - there)
    hidden = (*after.hidden, *(each.id for each in kept if each.id not in after.hidden))
    return replace(after, columns=(*after.columns, *kept), hidden=hidden)


def _free_name(connection: Connection, name: str, *, own: str = "") -> str:
    """The name, with a number where another review than one's ``own`` has it."""
    wanted = " ".join(name.split()) or "Review"
    names = connection.execute("SELECT name FROM review WHERE id <> ?", (own,))
    taken = {each.casefold() for (each,) in names}
    found, number = wanted, 2
    while found.casefold() in taken:
        found, number = f"{wanted} {number}", number + 1
    return found
