"""Files read into the library in threads of their own, so that the page stays usable.

The threads touch nothing of Streamlit: they keep plain values here, and the screen looks at them.
"""

import itertools
import math
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docqa.errors import PasswordNeeded, PasswordWrong
from docqa.types.document import FileKind, kind_of
from docqa.types.progress import AddResult, Progress
from docqa.ui.error_boundary import attempt

# Files handed to the library at once. It reads them one after the other, but takes the text of each
# over first, so that all of them can be asked soon.
AT_ONCE = 16

KINDS = "PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), CSV, HTML, Markdown and text"


@dataclass(slots=True)
class Entry:
    """One file on its way into the library; ``result`` is set once it has arrived or failed.

    ``number`` is its own, so that a click on one file's button never reaches the next one's.
    """

    name: str
    path: Path
    temporary: bool
    password: str = field(default="", repr=False)
    cancelled: bool = False
    started: float = 0.0  # on the clock of time.monotonic; 0.0 while it waits
    ends: float = math.inf  # on the same clock, as it was last said
    progress: Progress | None = None
    result: AddResult | None = None
    number: int = field(default_factory=itertools.count().__next__)

    @property
    def wants_password(self) -> bool:
        """Whether a password, or another one, would open the file."""
        if self.result is None or not self.path.exists():
            return False
        told = {str(PasswordNeeded(self.result.file)), str(PasswordWrong(self.result.file))}
        return self.result.error in told


class Adding:
    """The queue of files, the threads that wait for them, and what became of each."""

    def __init__(
        self, add: Callable[..., list[AddResult]], keep: Callable[[bytes, FileKind], Path]
    ) -> None:
        """``add`` is `Workspace.add`; ``keep`` puts an upload's bytes into a folder of their own,
        which is removed here."""
        self._add = add
        self._keep = keep
        self._entries: list[Entry] = []
        self._waiting: list[Entry] = []
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self.settled = 0  # how many files have arrived or failed since the start

    @property
    def running(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    @property
    def entries(self) -> list[Entry]:
        """Every file of this process that has not been dismissed, oldest first."""
        with self._lock:
            return list(self._entries)

    def add_uploads(self, uploads: Sequence[tuple[str, bytes]]) -> None:
        """Queue uploaded files: their names and bytes."""
        kept = [(name, self._keep(content, kind_of(name))) for name, content in uploads]
        self._queue([Entry(name, path, True) for name, path in kept])

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Queue files that are on this machine already."""
        self._queue([Entry(path.name, path, False) for path in paths])

    def again(self, entry: Entry, *, password: str) -> None:
        """Queue a file once more, with its password."""
        with self._lock:
            self._entries.remove(entry)
        name = entry.result.file if entry.result else entry.name
        self._queue([Entry(name, entry.path, entry.temporary, password)])

    def cancel(self, *entries: Entry) -> None:
        """Stop these files, or the one being read and those that wait, not those still to come."""
        for entry in entries or self.entries:
            entry.cancelled = True

    def dismiss(self) -> None:
        """Forget the files that are done with."""
        with self._lock:
            for entry in self._entries:
                if entry.result is not None:
                    _forget(entry)
            self._entries = [entry for entry in self._entries if entry.result is None]

    def forget(self, document_id: str) -> None:
        """Forget the files that became this document, which is no longer there."""
        with self._lock:
            self._entries = [
                each
                for each in self._entries
                if not (each.result and each.result.document)
                or each.result.document.id != document_id
            ]

    def refuse(self, names: Sequence[str]) -> None:
        """List files that are not read, each with the sentence that says what is."""
        with self._lock:
            for name in names:
                told = AddResult(name, "failed", error=f"{name} is not read. docqa reads {KINDS}.")
                self._entries.append(Entry(name, Path(name), False, result=told))

    def wait(self, seconds: float | None = None) -> None:
        """Until everything queued has been read, or ``seconds`` have gone by."""
        deadline = None if seconds is None else time.monotonic() + seconds
        for thread in list(self._threads):
            thread.join(None if deadline is None else max(0.0, deadline - time.monotonic()))

    def _queue(self, entries: list[Entry]) -> None:
        with self._lock:
            self._entries += entries
            self._waiting += entries
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            for _ in range(min(len(entries), AT_ONCE - len(self._threads))):
                thread = threading.Thread(target=self._run, name="docqa-add", daemon=True)
                self._threads.append(thread)
                thread.start()

    def _run(self) -> None:
        while True:
            with self._lock:
                entry = self._waiting.pop(0) if self._waiting else None
                if entry is None:
                    # Before another file can be queued: its thread is another one.
                    self._threads.remove(threading.current_thread())
                    return
            self._settle(entry)

    def _settle(self, entry: Entry) -> None:
        error = attempt(lambda: self._read(entry))
        if entry.result is None:
            entry.result = AddResult(entry.name, "failed", error=error)
        with self._lock:
            self.settled += 1

    def _read(self, entry: Entry) -> None:
        entry.started = time.monotonic()

        def follow(progress: Progress) -> None:
            entry.progress = progress

        results = self._add(
            [entry.path],
            names=[entry.name],
            progress=follow,
            cancelled=lambda: entry.cancelled,
            passwords={entry.name: entry.password} if entry.password else {},
        )
        entry.result = results[0]
        if not entry.wants_password:
            _forget(entry)


def _forget(entry: Entry) -> None:
    if entry.temporary:
        shutil.rmtree(entry.path.parent, ignore_errors=True)
