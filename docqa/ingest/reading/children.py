"""The child processes that read, as their parent sees them: slots, requests, limits, their end.

Both sides speak JSON, a line for each message, over the child's standard input and output. A child
ends when its input does, which happens however the parent dies.
"""

import json
import logging
import os
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import IO, Any

from docqa.errors import (
    FileError,
    ReaderNotStarted,
    ReadingCancelled,
    ReadingFailed,
    ReadingTimedOut,
)
from docqa.settings import Settings, environment_for_reading

log = logging.getLogger(__name__)

START_SECONDS = 600.0  # importing takes 6-10 s, on a busy or slow machine some minutes
POLL_SECONDS = 0.1  # how soon a cancel is seen

Message = dict[str, Any]


class WorkerSlot:
    """The place of one child process, used by one thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._using = threading.Lock()
        self.child: Child | None = None
        self._closed = False

    @property
    def ready(self) -> bool:
        """Whether a child is there that has loaded what it needs."""
        return self.child is not None and self.child.ready and self.child.alive()

    @property
    def failed(self) -> bool:
        """Whether there is none, or it takes too long to start."""
        child = self.child
        return child is None or not child.alive() or child.late

    @property
    def free(self) -> bool:
        return not self._using.locked()

    def start(self) -> None:
        """Begin to load a child, without waiting for it."""
        if self._using.acquire(blocking=False):
            try:
                self._live_child()
            finally:
                self._using.release()

    def release(self) -> None:
        """End a child that nobody uses; the next request gets another."""
        if self._using.acquire(blocking=False):
            try:
                if self.child is not None:
                    self.child.end()
                    self.child = None
            finally:
                self._using.release()

    def close(self) -> None:
        self._closed = True
        if self.child is not None:
            self.child.end()

    def answer(self, request: Message, reading: "Reading") -> Message:
        """The child's answer to a request. Whatever else comes first ends the child.

        Raises `GaveUpError` where another request may fare better, else a `FileError`.
        """
        with self._turn(reading):
            child = self._live_child()
            if child is None:
                raise ReadingCancelled(reading.name)
            try:
                reply = _awaited(child, request, reading, lambda: self._closed)
            except ChildEndedError as error:
                child.end()
                if self._closed or reading.cancelled():
                    raise ReadingCancelled(reading.name) from error
                raise reading.broken_off(child) from error
            except BaseException:
                child.end()
                raise
            if child.memory() > reading.settings.reading.reading_memory / 2:
                log.info("The reading process has grown and is replaced")
                child.end()
        if "failed" in reply:
            raise _error_from(reply, reading.name)
        return reply

    @contextmanager
    def _turn(self, reading: "Reading") -> Iterator[None]:
        while not self._using.acquire(timeout=POLL_SECONDS):
            if self._closed or reading.cancelled():
                raise ReadingCancelled(reading.name)
        try:
            yield
        finally:
            self._using.release()

    def _live_child(self) -> "Child | None":
        if self._closed or (self.child is not None and self.child.alive()):
            return self.child
        if self.child is not None:
            self.child.end()
        self.child = Child(self._command)
        return self.child


class ChildEndedError(Exception):
    """Nothing more will come from the child."""


class GaveUpError(Exception):
    """A request came to nothing: ``failure`` is the error of a file that ends so.

    ``for_good`` says that no other request for the file may be made.
    """

    def __init__(self, reason: str, failure: FileError, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.failure = failure
        self.for_good = for_good


@dataclass(slots=True)
class Reading:
    """One file being read: who follows it, how far it is, how long it may take.

    ``limit`` is the seconds for one request. Time counts from when the child is ready.
    """

    name: str
    settings: Settings
    progress: Callable[[int, int], None]
    cancelled: Callable[[], bool]
    total: int = 0  # pages
    limit: float = 0.0  # seconds; 0 for the settings' own
    done: int = 0
    first: int = 1  # page of the range being read
    spent: float = 0.0  # seconds, before the present request
    failure: FileError | None = None
    whole: "Reading | None" = None  # of which this is one child's share

    def begin(self, first: int) -> None:
        self.first, self.done = first, first - 1

    def tell(self, done: int) -> None:
        self.done = max(self.done, min(done, self.total))
        self.progress(self.done, self.total)

    def share(self, cancelled: Callable[[], bool]) -> "Reading":
        """The same for one of two children that read pages of the file side by side."""
        return replace(self, cancelled=cancelled, whole=self)

    def check(self, child: "Child", seconds: float) -> None:
        """Raise what forbids to go on, ``seconds`` after the request."""
        if self.cancelled():
            raise ReadingCancelled(self.name)
        if child.late:
            raise ReaderNotStarted(self.name)
        whole, limit = (
            self.settings.reading.reading_seconds,
            self.limit or self.settings.reading.range_seconds,
        )
        if self.spent + seconds > whole:
            raise self._late(f"the limit of {whole:.0f} seconds was reached", whole, for_good=True)
        if seconds > limit:
            raise self._late(f"reading took longer than {limit:.0f} seconds", limit)
        if child.memory() > self.settings.reading.reading_memory:
            reason = (
                f"took more than {self.settings.reading.reading_memory / 1024**3:.1f} GB of memory"
            )
            failed = ReadingFailed(self.name, reason=f"reading it {reason}")
            raise GaveUpError(f"reading {reason}", failed)

    def broken_off(self, child: "Child") -> Exception:
        """What to raise where the child ended by itself."""
        if not child.ready:
            return ReaderNotStarted(self.name)
        reason = "the reading process ended unexpectedly"
        return GaveUpError(reason, ReadingFailed(self.name, reason=reason))

    def _late(self, reason: str, seconds: float, *, for_good: bool = False) -> GaveUpError:
        late = ReadingTimedOut(self.name, page=(self.whole or self).done, seconds=seconds)
        return GaveUpError(reason, late, for_good=for_good)


def _awaited(
    child: "Child", request: Message, reading: Reading, closed: Callable[[], bool]
) -> Message:
    before, asked = reading.first - 1, time.monotonic()
    child.send(request)
    try:
        while True:
            if closed():
                raise ReadingCancelled(reading.name)
            reading.check(child, time.monotonic() - max(asked, child.ready_at))
            reply = child.receive()
            if reply is None:
                continue
            if "progress" not in reply:
                return reply
            reading.tell(before + reply["progress"])
    finally:
        reading.spent += max(0.0, time.monotonic() - max(asked, child.ready_at))


class Child:
    """The child process and the threads that listen to it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.started = time.monotonic()
        self.ready_at = inf  # when it said so
        self._memory_told = 0
        self._replies: queue.Queue[Message | None] = queue.Queue()
        self._last_words: deque[str] = deque(maxlen=40)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment_for_reading(),
            encoding="utf-8",
            errors="replace",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # which Windows alone has
        )
        listeners = (self._listen, self._process.stdout), (self._overhear, self._process.stderr)
        self._threads = [
            threading.Thread(target=target, args=(pipe,), daemon=True) for target, pipe in listeners
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ready(self) -> bool:
        return self.ready_at < inf

    @property
    def late(self) -> bool:
        """Whether it takes too long to start."""
        return not self.ready and time.monotonic() > self.started + START_SECONDS

    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, request: Message) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise ChildEndedError from error

    def receive(self) -> Message | None:
        """The next message, or None where none has come for a moment."""
        try:
            reply = self._replies.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return None
        if reply is None:
            raise ChildEndedError
        self._memory_told = reply.get("memory", self._memory_told)
        return reply

    def memory(self) -> int:
        """Bytes of memory the child takes now.

        Read from Linux; elsewhere what the child last told of itself, which on macOS is its
        largest so far and on Windows nothing (0), so that there the limit is not held.
        """
        return resident_bytes(self._process.pid) or self._memory_told

    def end(self) -> None:
        """Kill the child and let go of its pipes."""
        self._process.kill()
        code = self._process.wait()
        for thread in self._threads:
            thread.join(timeout=5)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):  # a request the child did not live to read is still in it
                if pipe is not None:
                    pipe.close()
        log.debug("The reading process ended (%s): %s", code, "".join(self._last_words))

    def _listen(self, pipe: IO[str]) -> None:
        for line in pipe:
            try:
                message = json.loads(line)
            except ValueError:
                log.debug("The reading process said something that is no message")
                continue
            if "ready" in message:
                self.ready_at = time.monotonic()
            else:
                self._replies.put(message)
        self._replies.put(None)

    def _overhear(self, pipe: IO[str]) -> None:
        self._last_words.extend(pipe)


def resident_bytes(pid: int) -> int:
    """The memory a process takes, in bytes; 0 where the system does not tell."""
    try:
        resident = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(resident) * os.sysconf("SC_PAGE_SIZE")


def _error_from(reply: Mapping[str, Any], name: str) -> FileError:
    """The child's error, which carries its own sentence, under the name the person knows."""
    kinds = {kind.__name__: kind for kind in FileError.__subclasses__()}
    kind = kinds.get(reply["failed"], ReadingFailed)
    error = kind.__new__(kind)
    error.args = (reply["told"].replace(reply["called"], name),)
    return error
