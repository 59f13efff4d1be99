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


class _InThread:
    """At most one run at a time, in a thread of its own; ``error`` is how the last one ended."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self.error = ""

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _begin(self, run: Callable[[], object]) -> None:
        def attempted() -> None:
            self.error = attempt(run)

        name = f"docqa-{type(self).__name__.lower()}"
        self._thread = threading.Thread(target=attempted, name=name, daemon=True)
        self._thread.start()


class Chore(_InThread):
    """At most one such work at a time: its name, how much is done of how much, how it ended."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self._work = work
        self.name = ""
        self.done = 0
        self.total = 0

    def start(self, name: str) -> None:
        """Begin, unless some of it is under way."""
        if not self.running:
            self.name, self.done, self.total, self.error = name, 0, 0, ""
            self._begin(lambda: self._work(name, progress=self._follow))

    def _follow(self, done: int, total: int) -> None:
        self.done, self.total = done, total


class Looking(_InThread):
    """Looks for servers of models on this machine; ``found`` are those of the last look."""

    def __init__(self, look: Callable[[], tuple[ModelServer, ...]]) -> None:
        super().__init__()
        self._look = look
        self._ended = 0.0  # on the monotonic clock, of the last look; 0 before any
        self.found: tuple[ModelServer, ...] = ()

    @property
    def looked(self) -> bool:
        """Whether a look has ended."""
        return bool(self._ended)

    def begin(self, *, unless_within: float = 0.0) -> None:
        """Look, unless that is under way or ended within so many seconds."""
        fresh = self.looked and time.monotonic() - self._ended < unless_within
        if not self.running and not fresh:
            self._begin(self._take)

    def _take(self) -> None:
        try:
            self.found = self._look()
        finally:
            self._ended = time.monotonic()
