import sqlite3
import stat
import sys
from pathlib import Path

import pytest

from docqa.errors import LibraryTooNew, LibraryUnusable
from docqa.library.database import Database

FIRST = "CREATE TABLE word (text TEXT)"
SECOND = "ALTER TABLE word ADD COLUMN length INTEGER; UPDATE word SET length = length(text)"


def insert(database: Database, text: str) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO word (text) VALUES (?)", (text,))


def insert_and_fail(database: Database) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO word (text) VALUES ('lost')")
        raise RuntimeError


def texts(database: Database) -> list[str]:
    with database.reading() as connection:
        return [text for (text,) in connection.execute("SELECT text FROM word").fetchall()]


def test_each_migration_is_applied_once_in_order(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    database = Database(path, migrations=[FIRST])
    insert(database, "rent")
    database.close()
    for _ in range(2):
        database = Database(path, migrations=[FIRST, SECOND])
        with database.reading() as connection:
            assert connection.execute("SELECT * FROM word").fetchall() == [("rent", 4)]
        database.close()
    with pytest.raises(LibraryTooNew):
        Database(path, migrations=[FIRST])


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    Database(path, migrations=[FIRST]).close()
    with pytest.raises(LibraryUnusable, match="no such table"):
        Database(path, migrations=[FIRST, f"{SECOND}; INSERT INTO nowhere VALUES (1)"])
    database = Database(path, migrations=[FIRST, SECOND])
    assert texts(database) == []
    database.close()


def test_what_fails_is_rolled_back_and_the_next_writes_again(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.sqlite3", migrations=[FIRST])
    with pytest.raises(RuntimeError):
        insert_and_fail(database)
    insert(database, "kept")
    assert texts(database) == ["kept"]
    database.close()


def test_readers_cannot_write_and_do_not_see_what_is_uncommitted(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.sqlite3", migrations=[FIRST])
    with database.writing() as connection:
        connection.execute("INSERT INTO word (text) VALUES ('rent')")
        assert texts(database) == []
    assert texts(database) == ["rent"]
    with (
        pytest.raises(LibraryUnusable, match="read-only"),
        database.reading() as connection,
    ):
        connection.execute("DELETE FROM word")
    database.close()


def test_a_reader_open_when_all_is_closed_is_closed_as_it_ends(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.sqlite3", migrations=[FIRST])
    with database.reading() as connection:
        database.close()
        assert connection.execute("SELECT count(*) FROM word").fetchone() == (0,)
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_the_owner_may_read_folder_file_and_log(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    database = Database(folder / "a.sqlite3", migrations=[FIRST])
    insert(database, "rent")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {"a.sqlite3": 0o600, "a.sqlite3-wal": 0o600, "a.sqlite3-shm": 0o600}
    database.close()


def test_a_full_disk_says_so_and_loses_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "a.sqlite3", migrations=[FIRST])
    insert(database, "kept")
    with database.writing() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LibraryUnusable, match="disk is full; free some space"):
        insert(database, "x" * 100_000)
    assert texts(database) == ["kept"]
    database.close()


def test_damage_met_on_the_way_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    database = Database(path, migrations=[FIRST])
    with database.writing() as connection:
        connection.executemany(
            "INSERT INTO word (text) VALUES (?)", [(f"{number} " * 50,) for number in range(2000)]
        )
    database.close()
    content = bytearray(path.read_bytes())
    content[4096 * 3 :] = b"\xa5" * (len(content) - 4096 * 3)
    path.write_bytes(content)
    database = Database(path, migrations=[FIRST])
    with pytest.raises(LibraryUnusable, match="damaged; restore the folder from a backup"):
        texts(database)
    database.close()


def test_an_sqlite_that_is_too_old_says_so_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(LibraryUnusable, match=r"needs SQLite 3\.38 or newer .* has 3\.34\.1"):
        Database(tmp_path / "library" / "some.sqlite3", migrations=())
    assert not (tmp_path / "library").exists()
