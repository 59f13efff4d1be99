"""The queue of files: order, cancelling, dismissing, passwords, temporary copies."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from docqa.errors import PasswordNeeded
from docqa.library.files import in_scratch
from docqa.types.document import FileKind
from docqa.types.progress import AddResult, Progress
from docqa.ui.adding import Adding, Entry
from docqa.ui.error_boundary import UNEXPECTED
from docqa.ui.uploads import fraction, left, stage


class Library:
    """Adds files as the workspace does, as fast as it is let."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: list[tuple[str, bytes]] = []
        self.go = threading.Event()
        self.go.set()

    def keep(self, content: bytes, kind: FileKind) -> Path:
        return in_scratch(self.folder, content, kind)

    def add(
        self,
        paths: Sequence[Path],
        *,
        names: Sequence[str] | None = None,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        passwords: Mapping[str, str] | None = None,
    ) -> list[AddResult]:
        [path], [name] = paths, list(names or [])
        self.go.wait(30)
        if cancelled and cancelled():
            return [AddResult(name, "cancelled", error="cancelled")]
        if name == "locked.pdf" and not passwords:
            return [AddResult(name, "failed", error=str(PasswordNeeded(name)))]
        if name == "crash.pdf":
            raise ZeroDivisionError
        if progress:
            progress(Progress(name, "reading", 1, 4))
        self.seen.append((name, path.read_bytes()))
        return [AddResult(name, "added")]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path)


def test_files_are_added_and_their_copies_removed(library: Library) -> None:
    adding = Adding(library.add, library.keep)
    adding.add_uploads([("a.pdf", b"A"), ("b.pdf", b"B")])
    copies = [entry.path for entry in adding.entries]
    adding.add_uploads([("c.pdf", b"C")])
    adding.wait(30)
    assert sorted(library.seen) == [("a.pdf", b"A"), ("b.pdf", b"B"), ("c.pdf", b"C")]
    assert [e.result.status for e in adding.entries if e.result] == ["added"] * 3
    assert adding.settled == 3
    assert not any(path.parent.exists() for path in copies)
    adding.dismiss()
    assert adding.entries == []


def test_a_long_file_keeps_no_other_waiting(library: Library) -> None:
    both = threading.Barrier(2, timeout=30)

    def add(paths: Sequence[Path], **named: object) -> list[AddResult]:
        both.wait()
        return [AddResult(paths[0].name, "added")]

    adding = Adding(add, library.keep)
    adding.add_uploads([("long.pdf", b"L"), ("short.pdf", b"S")])
    adding.wait(30)
    assert [e.result.status for e in adding.entries if e.result] == ["added", "added"]


def test_a_fault_in_one_file_leaves_the_others(library: Library) -> None:
    adding = Adding(library.add, library.keep)
    adding.add_uploads([("crash.pdf", b""), ("fine.pdf", b"F")])
    adding.wait(30)
    crash, fine = adding.entries
    assert crash.result == AddResult("crash.pdf", "failed", error=UNEXPECTED)
    assert fine.result == AddResult("fine.pdf", "added")


def test_cancelling_reaches_those_that_wait_and_not_those_to_come(library: Library) -> None:
    adding = Adding(library.add, library.keep)
    library.go.clear()
    adding.add_uploads([("a.pdf", b"A"), ("b.pdf", b"B")])
    adding.cancel()
    adding.add_uploads([("c.pdf", b"C")])
    library.go.set()
    adding.wait(30)
    statuses = [e.result.status for e in adding.entries if e.result]
    assert statuses == ["cancelled", "cancelled", "added"]
    assert library.seen == [("c.pdf", b"C")]


def test_a_locked_file_waits_for_its_password(library: Library) -> None:
    adding = Adding(library.add, library.keep)
    adding.add_uploads([("locked.pdf", b"L")])
    adding.wait(30)
    [entry] = adding.entries
    assert entry.wants_password
    assert entry.path.exists()
    adding.again(entry, password="s3cret-word")
    adding.wait(30)
    assert library.seen == [("locked.pdf", b"L")]
    assert not entry.path.exists()
    assert "s3cret-word" not in repr(adding.entries)


def test_a_file_of_this_machine_is_left_where_it_is(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "mine.pdf"
    path.write_bytes(b"M")
    adding = Adding(library.add, library.keep)
    adding.add_paths([path])
    adding.wait(30)
    adding.dismiss()
    assert path.read_bytes() == b"M"


def test_progress_never_falls_from_stage_to_stage() -> None:
    told = [
        (None, 0.0, "Waiting"),
        (Progress("a", "waiting"), 0.0, "Waiting"),
        (Progress("a", "reading", 3, 12), 0.7 * 3 / 12, "Reading, page 3 of 12"),
        (Progress("a", "reading", 12, 12), 0.7, "Reading, page 12 of 12"),
        (Progress("a", "embedding", 1, 2), 0.7 + 0.14, "Indexing, passage 1 of 2"),
        (Progress("a", "saving"), 0.98, "Saving"),
        (Progress("a", "done"), 1.0, "Done"),
    ]
    entries = [Entry("a", Path("a"), False, progress=progress) for progress, _, _ in told]
    assert [fraction(e) for e in entries] == pytest.approx([share for _, share, _ in told])
    assert [stage(e) for e in entries] == [words for _, _, words in told]


def test_one_file_is_cancelled_and_the_others_go_on(library: Library) -> None:
    adding = Adding(library.add, library.keep)
    library.go.clear()
    adding.add_uploads([("a.pdf", b"A"), ("b.pdf", b"B"), ("c.pdf", b"C")])
    adding.cancel(adding.entries[1])
    library.go.set()
    adding.wait(30)
    statuses = [e.result.status for e in adding.entries if e.result]
    assert statuses == ["added", "cancelled", "added"]


def test_the_time_left_follows_from_the_time_gone() -> None:
    half = Entry("a", Path("a"), False, progress=Progress("a", "reading", 5, 7), started=100.0)
    assert fraction(half) == pytest.approx(0.5)
    assert left(half, now=101.0) == ""
    assert left(half, now=120.0) == " · about 20 s left"
    assert left(half, now=135.0) == " · about 5 s left"  # not 35 s: it does not grow
    assert left(half, now=280.0) == ""  # and half is not nearly done
    most = Entry("a", Path("a"), False, progress=Progress("a", "embedding", 9, 10), started=100.0)
    assert left(most, now=120.0) == " · nearly done"
    slow = Entry("a", Path("a"), False, progress=Progress("a", "reading", 5, 7), started=100.0)
    assert left(slow, now=280.0) == " · about 3 min left"
    begun = Entry("a", Path("a"), False, progress=Progress("a", "reading", 0, 7), started=100.0)
    assert left(begun, now=200.0) == ""


def test_a_file_keeps_its_number_while_others_come_and_go(library: Library) -> None:
    """A button is named by it, so that a click never reaches the file that moved up."""
    adding = Adding(library.add, library.keep)
    adding.add_uploads([("a.pdf", b"A"), ("b.pdf", b"B")])
    adding.wait(30)
    numbers = [entry.number for entry in adding.entries]
    library.go.clear()
    adding.add_uploads([("c.pdf", b"C")])
    adding.dismiss()
    [entry] = adding.entries
    assert entry.number not in numbers
    library.go.set()
    adding.wait(30)
