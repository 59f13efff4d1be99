"""Long work on one named thing, in a thread of its own: a download, a library indexed anew.

The screen looks at how far it is; the thread touches nothing of Streamlit.
"""

import threading
from collections.abc import Callable
from typing import Protocol

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
