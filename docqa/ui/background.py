"""Work in threads of their own: a download, a library indexed anew, a look for servers.

The screen looks at how far it is; the thread touches nothing of Streamlit.
"""

import threading
import time
from collections.abc import Callable
from typing import Protocol

from docqa.types.model import ModelServer
from docqa.ui.error_boundary import attempt


class Work(Protocol):
    """What is done to the thing of that name; told how much is done, and of how much."""

    def __call__(self, name: str, *, progress: Callable[[int, int], None]) -> None: ...


class Chore:
    """At most one such work at a time: its name, how much is done of how much, how it ended."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._thread: threading.Thread | None = None
        self.name = ""
        self.done = 0
        self.total = 0
        self.error = ""

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, name: str) -> None:
        """Begin, unless some of it is under way."""
        if not self.running:
            self.name, self.done, self.total, self.error = name, 0, 0, ""
            self._thread = threading.Thread(target=self._run, name="docqa-chore", daemon=True)
            self._thread.start()

    def wait(self, seconds: float | None = None) -> None:
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        self.error = attempt(lambda: self._work(self.name, progress=self._follow))

    def _follow(self, done: int, total: int) -> None:
        self.done, self.total = done, total


class Looking:
    """Looks for servers of models on this machine; ``found`` are those of the last look."""

    def __init__(self, look: Callable[[], tuple[ModelServer, ...]]) -> None:
        self._look = look
        self._thread: threading.Thread | None = None
        self._ended = 0.0  # on the monotonic clock, of the last look; 0 before any
        self.found: tuple[ModelServer, ...] = ()
        self.error = ""

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def looked(self) -> bool:
        """Whether a look has ended."""
        return bool(self._ended)

    def begin(self, *, unless_within: float = 0.0) -> None:
        """Look, unless that is under way or ended within so many seconds."""
        fresh = self.looked and time.monotonic() - self._ended < unless_within
        if not self.running and not fresh:
            self._thread = threading.Thread(target=self._run, name="docqa-looking", daemon=True)
            self._thread.start()

    def wait(self, seconds: float | None = None) -> None:
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        self.error = attempt(self._take)
        self._ended = time.monotonic()

    def _take(self) -> None:
        self.found = self._look()
