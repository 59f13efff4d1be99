"""When something breaks: a sentence that says what to do, and nothing that was kept is lost."""

import errno
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docqa.app.diagnosis import lost_files
from docqa.errors import FileMissing, LibraryLocked, LibraryUnusable, ServerGone
from docqa.library import conversations
from docqa.library.catalog import CATALOG_NAME
from docqa.library.logfile import LOG_NAME
from docqa.library.vectors import FOLDER_NAME
from docqa.models import load
from docqa.models.registry import BGE, folder_of
from docqa.settings import DEFAULTS, adjust
from docqa.types.answer import Message
from tests.library.small import SmallWorkspace, made_pdf

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A closed library with two documents and a conversation."""
    paths = [made_pdf(tmp_path / f"{seed}.pdf", seed=seed, passages=30) for seed in (1, 2)]
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add(paths)
        asked = opened.conversations.begin("Rent")
        opened.conversations.add(asked, Message("user", "What is the rent?"))
    return tmp_path / "library"


def whole(folder: Path, *names: str) -> None:
    """The library opens, holds these documents, and finds their passages."""
    with SmallWorkspace(folder) as opened:
        assert [each.name for each in opened.documents()] == list(names)
        assert opened.resources.index.count() == opened.resources.catalog.chunk_count()
        assert opened.resources.catalog.is_sound()
        for name in names:
            hits = opened.search(f"clause w{name[0]}x7").hits
            assert hits[0].document.name == name
        assert len(opened.conversations.all()) == 1


# Disk full


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """Writing past ``size`` bytes of any file fails, as on a disk that is full."""
    import resource

    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@POSIX
@pytest.mark.parametrize(
    "room", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in (20_000, 60_000, 100_000))]
)
def test_a_full_disk_while_adding(folder: Path, tmp_path: Path, room: int) -> None:
    third = made_pdf(tmp_path / "3.pdf", seed=3, passages=300)
    with SmallWorkspace(folder) as opened:
        opened.resources.index.count()
        largest = max(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        with files_at_most(min(room, largest)):
            [result] = opened.add([third])
        assert result.status == "failed"
        assert result.error.endswith(".")
    with SmallWorkspace(folder) as opened:
        again = opened.add([third])[0].status
        assert again in ("added", "already there")  # of a failed commit either may be found
        assert lost_files(opened.resources) == []
    whole(folder, "1.pdf", "2.pdf", "3.pdf")


@POSIX
def test_a_full_disk_keeps_no_document_from_being_deleted(folder: Path) -> None:
    with SmallWorkspace(folder) as opened:
        opened.resources.index.count()
        with files_at_most((folder / CATALOG_NAME).stat().st_size):
            opened.remove(opened.documents()[0].id)
    whole(folder, "2.pdf")
    assert "no room to write the catalog anew" in (folder / LOG_NAME).read_text("utf-8")


def test_a_full_disk_while_an_upload_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with SmallWorkspace(folder) as opened:
        monkeypatch.setattr(Path, "write_bytes", full)
        with pytest.raises(LibraryUnusable, match="disk is full; free some space"):
            opened.additions.keep_upload(b"x")
        monkeypatch.undo()
    whole(folder, "1.pdf", "2.pdf")


# A folder that may not be written to


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """As a person who may read the folder and not write to it (root may always)."""
    every = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in every}
    root = os.geteuid() == 0
    for path in every:
        if root:
            os.chown(path, 65534, 65534)
        path.chmod(0o500 if path.is_dir() else 0o400)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)


@POSIX
def test_a_folder_that_is_read_only_says_so(folder: Path) -> None:
    for parent in (folder, *folder.parents[:3]):
        if os.geteuid() == 0 and parent != folder:
            parent.chmod(0o755)
    with read_only(folder), pytest.raises(LibraryUnusable, match="choose another folder"):
        SmallWorkspace(folder)
    whole(folder, "1.pdf", "2.pdf")


# Ended processes

HOLD = """
import sys
from pathlib import Path
from tests.library.small import SmallWorkspace
with SmallWorkspace(Path(sys.argv[1])) as opened:
    opened.resources.catalog.begin("0" * 64)
    opened.additions.keep_upload(b"%PDF- zanzibarquux")
    print("held", flush=True)
    sys.stdin.read()
"""


@POSIX
@pytest.mark.slow
def test_an_app_that_is_killed_leaves_nothing_and_locks_nobody_out(folder: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(folder)]
    root = Path(__file__).parents[1]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LibraryLocked, match=f"process {holder.pid}"):
            SmallWorkspace(folder)
        holder.kill()
    whole(folder, "1.pdf", "2.pdf")
    holding = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path.name for path in holding if b"zanzibarquux" in path.read_bytes()]
    with SmallWorkspace(folder) as opened:
        assert opened.resources.catalog.unfinished() == []


# The clock


@pytest.mark.slow
@pytest.mark.parametrize("year", [1970, 1979, 2106])
def test_a_clock_that_jumps_changes_no_order_and_no_backup(
    folder: Path, tmp_path: Path, year: int
) -> None:
    from docqa.library.backup import restore_backup, write_backup

    moment = datetime(year, 6, 1, tzinfo=UTC).timestamp()
    for path in folder.rglob("*"):
        os.utime(path, (moment, moment))
    with SmallWorkspace(folder) as opened:
        third = made_pdf(tmp_path / "3.pdf", seed=3, passages=30)
        os.utime(third, (moment, moment))
        opened.add([third])
    for path in folder.rglob("*"):
        os.utime(path, (moment, moment))
    write_backup(folder, tmp_path / "b.zip")
    restore_backup(tmp_path / "b.zip", tmp_path / "restored")
    whole(tmp_path / "restored", "1.pdf", "2.pdf", "3.pdf")


def test_conversations_keep_their_messages_in_order_when_the_clock_goes_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SmallWorkspace(folder) as opened:
        [asked] = opened.conversations.all()
        for hour in ("2030-01-01", "2001-01-01", "2020-01-01"):
            monkeypatch.setattr(conversations, "timestamp", lambda hour=hour: hour)
            opened.conversations.add(asked.id, Message("user", hour))
        said = [message.text for message in opened.conversations.messages(asked.id)]
    assert said == ["What is the rent?", "2030-01-01", "2001-01-01", "2020-01-01"]


# Damaged and missing files


def test_a_damaged_page_of_the_catalog_is_told_and_the_pdfs_are_kept(folder: Path) -> None:
    path = folder / CATALOG_NAME
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(path.read_bytes())
    for start in range(4096 * 4, len(content), 4096 * 2):
        content[start : start + 4096] = os.urandom(4096)
    path.write_bytes(content)
    with pytest.raises(LibraryUnusable, match="damaged; restore the folder from a backup"):
        whole(folder, "1.pdf", "2.pdf")
    assert len(list((folder / "files").glob("*.pdf"))) == 2


def test_a_lost_index_folder_is_made_anew(folder: Path) -> None:
    shutil.rmtree(folder / FOLDER_NAME)
    whole(folder, "1.pdf", "2.pdf")


@pytest.mark.parametrize("name", ["chroma.sqlite3", "data_level0.bin", "link_lists.bin"])
def test_a_damaged_or_lost_file_of_the_index_is_made_anew(folder: Path, name: str) -> None:
    for path in (folder / FOLDER_NAME).rglob(name):
        path.write_bytes(os.urandom(max(100, path.stat().st_size)))
    whole(folder, "1.pdf", "2.pdf")
    for path in (folder / FOLDER_NAME).rglob(name):
        path.unlink()
    whole(folder, "1.pdf", "2.pdf")


def test_a_lost_pdf_takes_its_pages_and_no_more(folder: Path) -> None:
    for path in (folder / "files").glob("*.pdf"):
        path.unlink()
    with SmallWorkspace(folder) as opened:
        first = opened.documents()[0]
        with pytest.raises(FileMissing, match=first.name):
            opened.contents.page_image(first.id, 1)
    whole(folder, "1.pdf", "2.pdf")


def test_a_half_downloaded_model_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    held = tmp_path / f"models--{BGE.repository.replace('/', '--')}"
    (held / "refs").mkdir(parents=True)
    (held / "refs" / "main").write_text("abc")
    (held / "blobs").mkdir()
    (held / "blobs" / "0f.incomplete").write_bytes(b"half")
    (held / "snapshots" / "abc").mkdir(parents=True)
    (held / "snapshots" / "abc" / "config.json").write_text("{}")
    assert folder_of(BGE) is None
    states = {each.name: each.state for each in load.model_statuses()}
    assert states[BGE.name] == "missing"
    assert load.load_encoder(tmp_path).name == load.BUNDLED


def test_a_server_that_cannot_be_reached_leaves_the_library_as_it_was(folder: Path) -> None:
    """That what arrived of an answer is kept when the stream breaks is shown in test_claude."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    away = adjust(DEFAULTS, base_url=f"http://127.0.0.1:{port}", max_retries=0)
    with SmallWorkspace(folder, away) as opened:
        [asked] = opened.conversations.all()
        with pytest.raises(ServerGone, match="Start it again"):
            list(opened.ask("Rent?", conversation_id=asked.id, answerer="claude", api_key="k"))
        list(opened.ask("What is the rent?", conversation_id=asked.id, answerer="extractive"))
        assert len(opened.conversations.messages(asked.id)) >= 3
    whole(folder, "1.pdf", "2.pdf")
