"""Models downloaded in a thread of its own; the screen looks at how far it is."""

import threading
from collections.abc import Callable
from typing import Protocol

from docqa.ui.boundary import attempt


class Download(Protocol):
    """`Workspace.download_model`."""

    def __call__(
        self, name: str, *, progress: Callable[[int, int], None] | None = None
    ) -> None: ...


class Fetching:
    """At most one download at a time: its name, bytes done and total, and how it ended."""

    def __init__(self, download: Download) -> None:
        self._download = download
        self._thread: threading.Thread | None = None
        self.name = ""
        self.done = 0
        self.total = 0
        self.error = ""

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, name: str) -> None:
        """Begin to download a model, unless one is under way."""
        if not self.running:
            self.name, self.done, self.total, self.error = name, 0, 0, ""
            self._thread = threading.Thread(target=self._run, name="docqa-fetch", daemon=True)
            self._thread.start()

    def wait(self, seconds: float | None = None) -> None:
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run(self) -> None:
        self.error = attempt(lambda: self._download(self.name, progress=self._follow))

    def _follow(self, done: int, total: int) -> None:
        self.done, self.total = done, total
