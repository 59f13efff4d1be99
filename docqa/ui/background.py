"""Work in a thread of its own: a download, a library indexed anew, a measurement, a search.

The screen looks at how far it is; the thread touches nothing of Streamlit.
"""

import math
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from docqa.ui.error_boundary import attempt

Result = TypeVar("Result")


class Chore(Generic[Result]):
    """At most one work at a time: its name, how much is done of how much, and what came of it.

    ``result`` is that of the last work that has ended, None where it failed; ``error`` says why.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self.name, self.error = "", ""
        self.done, self.total = 0, 0
        self.result: Result | None = None
        self.cancelled = False
        self.ended = -math.inf  # on the clock of time.monotonic

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, name: str, work: Callable[[], Result]) -> None:
        """Begin, unless something is under way; ``work`` may tell `follow` how far it is."""
        if not self.running:
            self.name, self.done, self.total, self.error = name, 0, 0, ""
            self.cancelled = False
            self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
            self._thread.start()

    def follow(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def cancel(self) -> None:
        """Let the work end as soon as it looks at ``cancelled``."""
        self.cancelled = True

    def wait(self, seconds: float | None = None) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, work: Callable[[], Result]) -> None:
        found: list[Result] = []
        self.error = attempt(lambda: found.append(work()))
        self.result = found[0] if found else None
        self.ended = time.monotonic()
