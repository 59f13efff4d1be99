"""One file that holds the library, and what is made of it elsewhere."""

import hashlib
import json
import shutil
import sqlite3
import stat
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from docqa.errors import (
    BackupDamaged,
    BackupUnwritable,
    LibraryLocked,
    LibraryMissing,
    LibraryNotEmpty,
    LibraryTooNew,
    LibraryUnusable,
)
from docqa.library import backup, database
from docqa.library.backup import MANIFEST, restore_backup, write_backup
from docqa.library.catalog import CATALOG_NAME, Catalog
from docqa.library.files import SCRATCH, FileStore, content_id
from docqa.library.lock import LibraryLock
from docqa.types.answer import Message
from docqa.types.document import Document
from tests.library.nouns import save, unit_vectors
from tests.library.test_upkeep import Library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A closed library of two documents with their files, and a conversation."""
    library = Library(tmp_path / "library")
    for name in ("first.pdf", "second one.pdf"):
        library.add(name)
    conversation = library.catalog.conversations.begin("Leases")
    library.catalog.conversations.add(conversation, Message("user", "What is the rent?"))
    library.close()
    return tmp_path / "library"


def contents(folder: Path) -> tuple[object, ...]:
    """All that a library means, whatever its files look like."""
    catalog, files = Catalog(folder), FileStore(folder)
    documents = catalog.documents()
    seen = (
        documents,
        [catalog.document_chunks(document.id) for document in documents],
        [vectors.tolist() for _, _, vectors in catalog.all_vectors()],
        [
            [message.text for message in catalog.conversations.messages(c.id)]
            for c in catalog.conversations.all()
        ],
        {name: content_id(files.path(name)) for name in files.ids()},
    )
    catalog.close()
    return seen


def test_what_is_restored_is_what_was_backed_up(folder: Path, tmp_path: Path) -> None:
    made = write_backup(folder, tmp_path / "b.zip")
    restored = restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    assert contents(tmp_path / "elsewhere") == contents(folder)
    assert (made.documents, made.without_pdf) == (2, ())
    assert restored == made
    assert {path.name for path in tmp_path.iterdir()} == {"library", "b.zip", "elsewhere"}
    assert not (tmp_path / "elsewhere" / SCRATCH).exists()


def test_the_restored_library_is_searched_and_written_to(folder: Path, tmp_path: Path) -> None:
    write_backup(folder, tmp_path / "b.zip")
    restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    library = Library(tmp_path / "elsewhere")
    library.reconcile()
    library.check(*[document.id for document in library.catalog.documents()])
    third = library.add("third.pdf")
    library.remove(third)
    library.close()


def test_a_backup_is_made_while_the_library_is_written_to(folder: Path, tmp_path: Path) -> None:
    held = LibraryLock(folder)
    library = Library(folder)
    stop, failures = threading.Event(), list[BaseException]()

    def work() -> None:
        try:
            number = 0
            while not stop.is_set():
                owner = library.add(f"passing {number}.pdf")
                if number % 3:
                    library.remove(owner)
                number += 1
        except BaseException as error:
            failures.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    for number in range(4):
        write_backup(folder, tmp_path / f"{number}.zip")
    stop.set()
    worker.join()
    assert not failures
    library.close()
    held.close()
    for number in range(4):
        restore_backup(tmp_path / f"{number}.zip", tmp_path / f"{number}")
        copy = Library(tmp_path / f"{number}")
        copy.reconcile()
        copy.check(*[document.id for document in copy.catalog.documents()])
        copy.close()


def test_a_document_removed_on_the_way_is_not_in_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept = [document.id for document in open_documents(folder)]
    taken = database.snapshot

    def then_removed(path: Path, target: Path) -> None:
        taken(path, target)
        FileStore(folder).remove(gone)

    monkeypatch.setattr(backup, "snapshot", then_removed)
    made = write_backup(folder, tmp_path / "b.zip")
    assert (made.documents, made.without_pdf) == (1, ())
    restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    assert [document.id for document in open_documents(tmp_path / "elsewhere")] == [kept]


def open_documents(folder: Path) -> list[Document]:
    catalog = Catalog(folder)
    documents = catalog.documents()
    catalog.close()
    return documents


def test_a_document_whose_pdf_is_lost_or_damaged_keeps_its_text(
    folder: Path, tmp_path: Path
) -> None:
    files = FileStore(folder)
    lost, damaged = (document.id for document in open_documents(folder))
    files.remove(lost)
    files.path(damaged).write_bytes(b"damaged")
    made = write_backup(folder, tmp_path / "b.zip")
    assert made.without_pdf == ("first.pdf", "second one.pdf")
    restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    assert len(open_documents(tmp_path / "elsewhere")) == 2
    assert FileStore(tmp_path / "elsewhere").ids() == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_the_owner_may_read_backup_and_copy(folder: Path, tmp_path: Path) -> None:
    write_backup(folder, tmp_path / "b.zip")
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600
    restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "elsewhere").rglob("*")}
    assert modes == {0o600, 0o700}


@pytest.mark.parametrize("steps", [1, 2], ids=["while it is cleared away", "afterwards"])
def test_nothing_deleted_is_in_a_backup(folder: Path, tmp_path: Path, steps: int) -> None:
    library = Library(folder)
    marked = library.add("zanzibarquux.pdf")
    (folder / "zanzibarquux.pdf").unlink()
    library.remove(marked, steps=steps)
    library.close()
    write_backup(folder, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert [name for name in archive.namelist() if b"zanzibar" in archive.read(name)] == []


def test_a_file_of_that_name_is_kept(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_text("mine")
    with pytest.raises(BackupUnwritable, match="already exists"):
        write_backup(folder, tmp_path / "b.zip")
    assert (tmp_path / "b.zip").read_text() == "mine"


def test_what_a_killed_backup_left_is_in_no_ones_way(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "b.zip.part").mkdir()
    (tmp_path / "b.zip.part" / "catalog.sqlite3").write_text("half")
    write_backup(folder, tmp_path / "b.zip")
    assert not (tmp_path / "b.zip.part").exists()


def test_where_nothing_can_be_written_or_read_it_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupUnwritable, match="No such file"):
        write_backup(folder, tmp_path / "nowhere" / "b.zip")
    with pytest.raises(LibraryMissing):
        write_backup(tmp_path, tmp_path / "b.zip")
    with pytest.raises(BackupDamaged, match="No such file"):
        restore_backup(tmp_path / "none.zip", tmp_path / "elsewhere")


# Refusals


def test_a_library_is_never_written_over(folder: Path, tmp_path: Path) -> None:
    write_backup(folder, tmp_path / "b.zip")
    before = contents(folder)
    with pytest.raises(LibraryNotEmpty):
        restore_backup(tmp_path / "b.zip", folder)
    assert contents(folder) == before


def test_an_empty_library_is_filled(folder: Path, tmp_path: Path) -> None:
    write_backup(folder, tmp_path / "b.zip")
    empty = Library(tmp_path / "elsewhere")
    empty.close()
    restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    assert contents(tmp_path / "elsewhere") == contents(folder)


def test_a_library_in_use_is_left_alone(folder: Path, tmp_path: Path) -> None:
    write_backup(folder, tmp_path / "b.zip")
    held = LibraryLock(tmp_path / "elsewhere")
    with pytest.raises(LibraryLocked):
        restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    held.close()


def rewritten(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The backup with some of its members changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def relisted(members: dict[str, bytes], /, **changes: object) -> None:
    told = json.loads(members[MANIFEST])
    members[MANIFEST] = json.dumps({**told, **changes}).encode()


def flip(members: dict[str, bytes]) -> None:
    name = next(name for name in members if name.startswith("files/"))
    members[name] = bytes([members[name][0] ^ 1]) + members[name][1:]


def shorten(members: dict[str, bytes]) -> None:
    members[CATALOG_NAME] = members[CATALOG_NAME][:-1]


def lengthen(members: dict[str, bytes]) -> None:
    members[CATALOG_NAME] += b"\0" * 100_000_000


def lose(members: dict[str, bytes]) -> None:
    del members[next(name for name in members if name.startswith("files/"))]


def unlist(members: dict[str, bytes]) -> None:
    del members[MANIFEST]


def newer(members: dict[str, bytes]) -> None:
    relisted(members, format=99)


def climb(members: dict[str, bytes]) -> None:
    """A member that would land outside of the library."""
    listed = json.loads(members[MANIFEST])["members"]
    members["../escaped"] = b"x"
    relisted(members, members={**listed, "../escaped": {"sha256": "0", "size": 1}})


def nonsense(members: dict[str, bytes]) -> None:
    members[MANIFEST] = b'["docqa"]'


def damaged_catalog(members: dict[str, bytes]) -> None:
    """Damaged before it was backed up: every hash is right."""
    members[CATALOG_NAME] = b"no database " * 1000
    listed = json.loads(members[MANIFEST])["members"]
    digest = hashlib.sha256(members[CATALOG_NAME]).hexdigest()
    listed[CATALOG_NAME] = {"sha256": digest, "size": len(members[CATALOG_NAME])}
    relisted(members, members=listed)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (flip, "is not what was backed up"),
        (shorten, "is not what was backed up"),
        (lengthen, "is not what was backed up"),
        (lose, "cannot be read"),
        (unlist, "not a docqa backup"),
        (newer, "made by a newer version of docqa"),
        (climb, "not a docqa backup"),
        (nonsense, "not a docqa backup"),
        (damaged_catalog, "the catalog in it is damaged"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_changed_backup_is_refused_and_leaves_nothing(
    folder: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None], said: str
) -> None:
    write_backup(folder, tmp_path / "b.zip")
    with pytest.raises(BackupDamaged, match=said):
        restore_backup(rewritten(tmp_path / "b.zip", change), tmp_path / "elsewhere")
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["in-use.lock"]
    assert not (tmp_path / "escaped").exists()


def test_every_cut_of_a_backup_is_refused(folder: Path, tmp_path: Path) -> None:
    write_backup(folder, tmp_path / "b.zip")
    whole = (tmp_path / "b.zip").read_bytes()
    for share in np.linspace(0, 0.999, 15):
        (tmp_path / "cut.zip").write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(BackupDamaged):
            restore_backup(tmp_path / "cut.zip", tmp_path / "elsewhere")


def test_a_newer_catalog_is_refused(folder: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(folder / CATALOG_NAME)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LibraryTooNew):
        write_backup(folder, tmp_path / "b.zip")
    assert not (tmp_path / "b.zip").exists()


def test_too_little_room_is_told_before_anything_is_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_backup(folder, tmp_path / "b.zip")
    usage = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(LibraryUnusable, match="disk is full"):
        restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["in-use.lock"]


# Moving


def test_a_library_may_be_moved_and_names_no_folder(folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / "another place" / "shelf"
    moved.parent.mkdir()
    before = contents(folder)
    folder.rename(moved)
    assert contents(moved) == before
    naming = [
        path.name
        for path in moved.rglob("*")
        if path.is_file() and str(tmp_path).encode() in path.read_bytes()
    ]
    assert naming == []
    library = Library(moved)
    library.reconcile()
    library.check(*[document.id for document in library.catalog.documents()])
    library.close()


def test_progress_counts_documents(folder: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write_backup(
        folder, tmp_path / "b.zip", progress=lambda done, total: told.append((done, total))
    )
    assert told == [(0, 2), (1, 2), (2, 2)]
    told.clear()
    restore_backup(
        tmp_path / "b.zip", tmp_path / "e", progress=lambda done, total: told.append((done, total))
    )
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_large_library_of_text_alone_is_backed_up(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path / "library")
    save(catalog, "a.pdf", [f"clause {number} of the lease" for number in range(3000)])
    catalog.close()
    write_backup(tmp_path / "library", tmp_path / "b.zip")
    restore_backup(tmp_path / "b.zip", tmp_path / "elsewhere")
    restored = Catalog(tmp_path / "elsewhere")
    assert restored.chunk_count() == 3000
    assert np.array_equal(next(restored.all_vectors())[2], unit_vectors(3000))
    restored.close()


def test_a_backup_that_does_not_read_back_takes_no_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = zipfile.ZipExtFile.read

    def bad_disk(self: zipfile.ZipExtFile, count: int = -1) -> bytes:
        return original(self, count).replace(b"first", b"fjrst")

    monkeypatch.setattr(zipfile.ZipExtFile, "read", bad_disk)
    with pytest.raises(BackupUnwritable, match="did not read back"):
        write_backup(folder, tmp_path / "b.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["library"]
