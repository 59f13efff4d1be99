"""One SQLite file, shared by threads: one writer at a time, any number of readers.

The file is in WAL mode, so readers see the last committed state and never wait for the writer,
be they in this process or in another.
Every error of SQLite becomes LibraryUnusable with what to do about it.
"""

import logging
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from docqa.errors import (
    LibraryMissing,
    LibraryReadOnly,
    LibraryTooNew,
    LibraryTooOld,
    LibraryUnusable,
)
from docqa.library.files import open_private
from docqa.library.lock import owner

log = logging.getLogger(__name__)

Connection = sqlite3.Connection
DamagedError = sqlite3.DatabaseError

OLDEST = (3, 38)  # of SQLite: the first with the operator ->>
LARGE = 256_000_000  # bytes that are not written anew in memory
_WAIT = 10.0  # seconds for a lock that a backup or an antivirus may hold for a moment
_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what is deleted is overwritten, not just forgotten
    "PRAGMA synchronous = FULL",  # a document reported as added survives a power cut
    "PRAGMA temp_store = MEMORY",  # no text in temporary files
    "PRAGMA cache_size = -16000",  # KiB
    "PRAGMA journal_size_limit = 16000000",  # bytes the log keeps once it is written back
)
_ADVICE = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space and try again",
    sqlite3.SQLITE_READONLY: "it is read-only; make the folder writable, or open another one",
    sqlite3.SQLITE_PERM: "this user may not open it; check the folder's permissions",
    sqlite3.SQLITE_CANTOPEN: "its catalog cannot be opened; check the folder's permissions",
    sqlite3.SQLITE_BUSY: "another program is holding its catalog; close that one and try again",
    sqlite3.SQLITE_LOCKED: "another program is holding its catalog; close that one and try again",
    sqlite3.SQLITE_IOERR: "its disk failed to read or write; check that it is still connected",
    sqlite3.SQLITE_CORRUPT: "its catalog is damaged; restore the folder from a backup, or open "
    "a new folder and add the PDFs again (they are in its folder “files”)",
    sqlite3.SQLITE_NOTADB: "its catalog is damaged; restore the folder from a backup, or open "
    "a new folder and add the PDFs again (they are in its folder “files”)",
}
_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM)


class Database:
    """The connections to one SQLite file, made and brought up to date by `migrations`.

    ``migrations[n]`` is the SQL that leads from version n to n + 1; each is applied whole or not
    at all. Raises LibraryTooNew where the file has more of them, LibraryUnusable where it cannot
    be opened, or SQLite is too old. Opened with ``read_only`` the file is neither made nor brought
    up to date; LibraryMissing and LibraryTooOld say so.
    """

    def __init__(self, path: Path, *, migrations: Sequence[str], read_only: bool = False) -> None:
        self._path = path
        self._writing = threading.RLock()
        self._idle: list[Connection] = []
        self._closed = False
        self.read_only = read_only
        _refuse_old_sqlite(path.parent, sqlite3.sqlite_version_info)
        if read_only:
            self._check_version(len(migrations))
        else:
            self._writer = self._open_writer(migrations)

    def _check_version(self, known: int) -> None:
        if not self._path.is_file():
            raise LibraryMissing(str(self._path.parent))
        with self.reading() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != known:
            raise (LibraryTooNew if version > known else LibraryTooOld)(str(self._path.parent))

    def _open_writer(self, migrations: Sequence[str]) -> Connection:
        open_private(self._path).close()  # SQLite gives its log the file's mode
        with self._translated():
            writer = _connect(self._path)
            try:
                _set_up(writer)
                _migrate(writer, migrations, folder=str(self._path.parent))
            except BaseException:
                writer.close()
                raise
        return writer

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees the last committed state; for this thread until the block ends."""
        with self._translated():
            connection = self._borrow()
            try:
                yield connection
            finally:
                self._give_back(connection)

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Every row that a query finds, as last committed."""
        with self.reading() as connection:
            return connection.execute(query, values).fetchall()

    def write(self, query: str, values: Sequence[object] = ()) -> int:
        """Do one thing, and say to how many rows. Raises LibraryReadOnly."""
        with self.writing() as connection:
            return connection.execute(query, values).rowcount

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The one writing connection, in a transaction: committed at the end, or rolled back.

        Within another such block of the same thread, it is part of that one's transaction.
        Raises LibraryReadOnly.
        """
        with self._translated(), self._writing:
            self._check_writable()
            if self._writer.in_transaction:
                yield self._writer
                return
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def noting(self) -> Iterator[Connection]:
        """As `writing`, but where the file is open for reading too: for what must be noted."""
        if not self.read_only:
            with self.writing() as connection:
                yield connection
            return
        with self._translated(), closing(_connect(self._path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def overwriting(self, *tables: str) -> Iterator[Connection]:
        """As `writing`, for what deletes rows of these tables, of which then nothing stays.

        What SQLite deletes it overwrites, but where it parts a page it leaves copies of rows in
        the space that falls free. So the other rows are taken out, every page of the tables is
        deleted and thereby overwritten, and they are put back, all in the one transaction. The
        tables are to be small: they are held in memory. Their foreign keys are not followed.
        """
        with self._translated(), self._writing:
            self._check_writable()
            # Followed, they would have the tables emptied row by row. Fixed within a transaction.
            self._writer.execute("PRAGMA foreign_keys = OFF")
            try:
                with self.writing() as connection:
                    yield connection
                    for table in tables:
                        _lay_down_anew(connection, table)
            finally:
                self._writer.execute("PRAGMA foreign_keys = ON")
            self._shrink()

    def write_anew(self) -> None:
        """Write the whole file anew: of what was deleted, nothing stays; the log is emptied."""
        with self._translated(), self._writing:
            self._check_writable()
            _write_anew(self._writer, self._path)
            self._shrink()

    def _shrink(self) -> None:
        """Give the disk back what is free in the file, and empty the log."""
        # A script runs to its end; a single statement would stop after the first page.
        self._writer.executescript("PRAGMA incremental_vacuum")
        self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close every connection; what still reads in other threads is closed as it ends."""
        with self._writing:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            if not self.read_only:
                self._writer.close()

    def _borrow(self) -> Connection:
        self._check_open()
        try:
            return self._idle.pop()
        except IndexError:
            connection = _connect(self._path, mode="ro" if self.read_only else "rw")
            connection.execute("PRAGMA query_only = ON")
            return connection

    def _give_back(self, connection: Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._idle.append(connection)

    def _check_open(self) -> None:
        if self._closed:
            raise LibraryUnusable(
                str(self._path.parent), reason="it has been closed; open it again"
            )

    def _check_writable(self) -> None:
        self._check_open()
        if self.read_only:
            raise LibraryReadOnly(str(self._path.parent), owner=owner(self._path.parent))

    def _translated(self) -> AbstractContextManager[None]:
        return _translated(self._path.parent)


def snapshot(path: Path, target: Path) -> None:
    """Copy a SQLite file as it was last committed; another process may be writing to it.

    What is uncommitted or deleted is not in the copy. Raises LibraryUnusable for either folder.
    """
    open_private(target).close()
    with (
        _translated(path.parent),
        closing(sqlite3.connect(_address(path, "ro"), uri=True, timeout=_WAIT)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)


def compact(path: Path) -> None:
    """Write a SQLite file anew, without what was deleted from it. Raises LibraryUnusable."""
    with (
        _translated(path.parent.parent),
        closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("VACUUM")


def _lay_down_anew(connection: Connection, table: str) -> None:
    connection.execute(f"CREATE TEMP TABLE kept AS SELECT * FROM {table}")
    connection.execute(f"DELETE FROM {table}")
    connection.execute(f"INSERT INTO {table} SELECT * FROM kept")
    connection.execute("DROP TABLE temp.kept")


def _write_anew(connection: Connection, path: Path) -> None:
    """Vacuum, as far as there is room for another copy: a full disk must not keep what is there.

    The copy of a large file is on the library's own disk, without a name, not in memory.
    """
    if path.stat().st_size > LARGE:
        folder = str(path.parent).replace("'", "''")
        connection.execute(f"PRAGMA temp_store_directory = '{folder}'")
        connection.execute("PRAGMA temp_store = FILE")
    try:
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF not in _NO_ROOM:
            raise
        log.warning("There is no room to write the catalog anew: %s", error.sqlite_errorname)
    finally:
        connection.execute("PRAGMA temp_store = MEMORY")


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise LibraryUnusable(str(folder), reason=_reason(error)) from error


def _reason(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0)
    primary = code & 0xFF  # the extended code carries the primary one in its last byte
    return _ADVICE.get(primary, f"its catalog failed ({error})")


def _refuse_old_sqlite(folder: Path, version: tuple[int, ...]) -> None:
    if version < OLDEST:
        reason = (
            f"docqa needs SQLite 3.38 or newer and this Python has {'.'.join(map(str, version))}, "
            "which is the system's; use a Python with its own, such as that of python.org or of uv"
        )
        raise LibraryUnusable(str(folder), reason=reason)


def _address(path: Path, mode: str) -> str:
    return f"{path.resolve().as_uri()}?mode={mode}"


def _connect(path: Path, *, mode: str = "rw") -> Connection:
    connection = sqlite3.connect(
        _address(path, mode),
        uri=True,
        timeout=_WAIT,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(pragma)
    except sqlite3.Error:  # of a file that is no catalog; open, it could not be deleted on Windows
        connection.close()
        raise
    return connection


def _set_up(connection: Connection) -> None:
    """Settings that stay with the file; the first only has effect while the file is empty.

    What a process that ended left in the log is overwritten in the file by the last of them.
    """
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _migrate(connection: Connection, migrations: Sequence[str], *, folder: str) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(migrations):
        raise LibraryTooNew(folder)
    for number, migration in enumerate(migrations[version:], start=version + 1):
        connection.executescript(f"BEGIN; {migration}; PRAGMA user_version = {number}; COMMIT")
