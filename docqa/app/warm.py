"""Loading what the first question and the first file need, before either comes."""

import threading
from collections.abc import Callable, Sequence
from importlib import import_module

from docqa.app.resources import Resources
from docqa.errors import DocqaError

READY = "Ready."


class Warming:
    """A thread that opens the resources one after the other, then calls ``then``."""

    def __init__(self, resources: Resources, then: Callable[[], None]) -> None:
        self._resources = resources
        self._then = then
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def status(self) -> str:
        """How far loading is, as a sentence; "Ready." at its end."""
        return self._resources.status

    @property
    def is_ready(self) -> bool:
        """Whether the models are loaded."""
        return self.status == READY

    def start(self) -> threading.Thread:
        """Load what the first question and the first file need, in the background."""
        self._thread = threading.Thread(target=self._run, name="docqa-warm", daemon=True)
        self._thread.start()
        return self._thread

    def close(self) -> None:
        """Begin no further step, and wait for the one under way."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        resources = self._resources
        steps: Sequence[tuple[str, Callable[[], object]]] = (
            ("Loading the search model…", lambda: resources.encoder.encode_query("ready")),
            ("Opening the index…", lambda: import_module("docqa.app.ask")),
            ("Opening the index…", lambda: resources.index.count()),
            ("Starting the reader…", lambda: resources.reader.start()),
            (READY, self._then),
            (READY, lambda: resources.make_tables(self._closing.is_set)),
        )
        try:
            for status, step in steps[:1] if resources.read_only else steps:
                if self._closing.is_set():
                    return
                resources.status = status
                step()
            resources.status = READY
        except DocqaError as error:
            resources.status = str(error)
