import errno
import hashlib
import os
import stat
import sys
from pathlib import Path

import pytest

from docqa.errors import FileMissing, LibraryUnusable, ReadingFailed
from docqa.library.files import SCRATCH, FileStore, clear_scratch, content_id, in_scratch

BYTES = b"%PDF-1.7 made up\n" * 100_000
ID = hashlib.sha256(BYTES).hexdigest()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "Lease.pdf"
    path.write_bytes(BYTES)
    return path


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "library")


def test_a_content_id_is_the_sha256_of_the_bytes(source: Path) -> None:
    assert content_id(source) == ID


def test_a_file_is_kept_under_its_content_id(store: FileStore, source: Path) -> None:
    kept = store.put(source)
    assert kept == store.path(ID)
    assert kept.read_bytes() == BYTES
    assert store.ids() == [ID]
    store.remove(ID)
    store.remove(ID)
    assert store.ids() == []
    assert source.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_the_owner_may_read(store: FileStore, source: Path) -> None:
    source.chmod(0o644)
    kept = store.put(source)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700


def test_a_damaged_copy_is_mended(store: FileStore, source: Path) -> None:
    store.put(source).write_bytes(b"damaged")
    assert store.put(source).read_bytes() == BYTES


def test_putting_again_writes_nothing(store: FileStore, source: Path) -> None:
    before = store.put(source).stat()
    after = store.put(source).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_broken_off_copy_is_cleared_away(tmp_path: Path) -> None:
    FileStore(tmp_path)
    (tmp_path / "files" / f"{ID}-1.part").write_bytes(b"half")
    store = FileStore(tmp_path)
    store.clear_broken_off()
    assert store.ids() == []
    assert list((tmp_path / "files").iterdir()) == []


def test_only_content_ids_name_files(store: FileStore, tmp_path: Path) -> None:
    for name in ("../../secret", "", ID.upper(), ID + "\n"):
        with pytest.raises(ValueError, match="not a content id"):
            store.path(name)
    (tmp_path / "library" / "files" / "notes.pdf").write_text("not ours")
    assert store.ids() == []


def test_a_file_that_is_not_there_says_so(store: FileStore, tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"gone\.pdf is not there"):
        store.put(tmp_path / "gone.pdf")
    with pytest.raises(ReadingFailed, match="directory"):
        content_id(tmp_path)


def test_a_folder_that_cannot_be_made_says_so(source: Path) -> None:
    with pytest.raises(LibraryUnusable):
        FileStore(source)


def test_a_full_disk_says_so_and_leaves_nothing(
    store: FileStore, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LibraryUnusable, match="disk is full"):
        store.put(source)
    assert list(store.path(ID).parent.iterdir()) == []


def test_what_is_under_way_is_in_the_library_and_cleared(tmp_path: Path) -> None:
    path = in_scratch(tmp_path, BYTES)
    assert path.read_bytes() == BYTES
    assert path.is_relative_to(tmp_path / SCRATCH)
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / SCRATCH).stat().st_mode) == 0o700
    clear_scratch(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / SCRATCH).write_text("in the way")
    with pytest.raises(LibraryUnusable):
        in_scratch(tmp_path, BYTES)
