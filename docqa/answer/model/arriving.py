"""A reply received in a thread of its own, so that whoever waits for it can be stopped.

A model on a person's own machine may read for a minute before its first word. Nothing comes from
the server meanwhile, and a thread that waits for it looks at nothing else.
"""

import queue
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, suppress
from typing import Any

PULSE = 0.25  # seconds


class Connections:
    """The connections of one client, so that they can be cut while another thread reads them."""

    def __init__(self) -> None:
        self._streams: list[Any] = []
        self._cut = False

    def watch(self, request: Any) -> None:
        """Have the transport tell which connections it makes for a request (httpx's "trace")."""
        request.extensions["trace"] = self._traced

    def _traced(self, name: str, details: dict[str, Any]) -> None:
        if name.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._streams.append(details["return_value"])
            if self._cut:
                self.cut()

    def cut(self) -> None:
        """End every connection: what is being read ends at once, and the server sees it."""
        self._cut = True
        for stream in self._streams:
            with suppress(OSError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._streams.clear()

    def mend(self) -> None:
        """Let new connections be."""
        self._cut = False


class Arrival:
    """One reply: ``stream`` is there once it has begun."""

    def __init__(
        self,
        opened: Callable[[], AbstractContextManager[Any]],
        connections: Connections,
        failures: tuple[type[Exception], ...],
    ) -> None:
        """``failures`` are what opening and reading raise; they are raised by `events`."""
        self.stream: Any = None
        self._opened = opened
        self._connections = connections
        self._failures = failures
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._failure: Exception | None = None

    def events(self) -> Generator[Any, None, None]:
        """The events as they come, and None after each `PULSE` without one.

        Closing it, or raising into it, hangs up on the server.
        """
        self._connections.mend()
        thread = threading.Thread(target=self._receive, name="docqa-arriving", daemon=True)
        thread.start()
        try:
            while (event := self._next()) is not self:
                yield event
        except BaseException:
            self._connections.cut()
            raise
        if self._failure is not None:
            raise self._failure

    def _next(self) -> Any:
        with suppress(queue.Empty):
            return self._events.get(timeout=PULSE)
        return None

    def _receive(self) -> None:
        try:
            with self._opened() as self.stream:
                for event in self.stream:
                    self._events.put(event)
        except self._failures as error:
            self._failure = error
        finally:
            self._events.put(self)  # the end
