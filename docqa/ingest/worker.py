"""Reading in a child process: a file that crashes, hangs or swells costs itself and nothing else.

The child (``python -m docqa.ingest.worker``) imports Docling once and reads one file after the
other. Both sides speak JSON, a line for each message, over its standard input and output. The
parent asks for a file some pages at a time, so that what was read before a time limit is kept and
a child that has grown can be replaced between two requests. The child ends when its input does,
which happens however the parent dies.
"""

import ctypes
import gc
import json
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from docqa.errors import (
    DamagedPdf,
    FileError,
    FileMissing,
    PasswordNeeded,
    PasswordWrong,
    ReadingCancelled,
    ReadingFailed,
    ReadingTimedOut,
    UnsupportedEncryption,
)
from docqa.ingest import pages, parse, rescue
from docqa.ingest.pages import PageFacts
from docqa.ingest.parse import Parsed
from docqa.settings import Settings, environment_for_reading
from docqa.types import Block, Box, Cell, PageHealth

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "docqa.ingest.worker")
START_SECONDS = 180.0  # importing takes 6-10 s, from a cold disk much longer
POLL_SECONDS = 0.1  # how soon a cancel is seen
TEXT_PAGES = 150  # asked for at a time
SCANNED_PAGES = 10  # the same where pages must go through OCR, 10 to 20 s each
SCANNED_GLYPHS = 15  # a page with fewer has no text layer worth the name
LITTLE_READ = 0.5  # of a page's glyphs; fewer characters, and the page is marked
ENOUGH_GLYPHS = 200  # on fewer the share says nothing

Message = dict[str, Any]


class ReadingProcess:
    """A warm child process that reads PDFs, one at a time.

    Threads may share it; the second waits for the first. The child is replaced when it crashed,
    was stopped, or has grown past half of its memory limit.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = tuple(command)
        self._using = threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Begin to load what reading needs, without waiting for it."""
        if self._using.acquire(blocking=False):
            try:
                self._live_child()
            finally:
                self._using.release()

    def close(self) -> None:
        """End the child; a file being read is given up as cancelled."""
        self._closed = True
        if self._child is not None:
            self._child.end()

    def read(
        self,
        path: Path,
        name: str,
        *,
        settings: Settings,
        password: str | None = None,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> Parsed:
        """What was read of the file; ``progress`` is told the pages done and in all.

        Where ``reading_seconds`` run out after some pages, those are returned, with a warning and
        the others marked. Raises `ReadingTimedOut` where they run out before that,
        `ReadingCancelled` within two seconds of ``cancelled``, `ReadingFailed` where the child
        crashed, took more than ``reading_memory`` or found nothing to read, and the `FileError`
        of a file that does not open.
        """
        with self._using:
            reading = _Reading(name, settings, progress, lambda: self._closed or cancelled())
            file = {"path": str(path), "password": password}
            facts = _facts_from(self._answer({"ask": "facts", **file}, reading))
            parts = list(self._parts(file, facts, reading))
        return joined(parts, facts, seconds=settings.reading_seconds)

    def _parts(
        self, file: Message, facts: Sequence[PageFacts], reading: "_Reading"
    ) -> Iterator[Parsed]:
        """The file's page ranges, read one after the other, as far as the time allows."""
        reading.total = len(facts)
        for first, last in page_ranges(facts):
            reading.done = first - 1
            described = [asdict(fact) for fact in facts[first - 1 : last]]
            wanted = {"facts": described, "settings": asdict(reading.settings)}
            try:
                yield _parsed_from(self._answer({"ask": "read", **file, **wanted}, reading))
            except ReadingTimedOut:
                if first == 1:
                    raise
                return
            self._replace_if_grown(reading.settings)

    def _live_child(self) -> "_Child | None":
        if not self._closed and (self._child is None or not self._child.alive()):
            self._child = _Child(self._command)
        return self._child

    def _answer(self, request: Message, reading: "_Reading") -> Message:
        """The child's answer to a request. Whatever else comes first ends the child."""
        child = self._live_child()
        if child is None:
            raise ReadingCancelled(reading.name)
        try:
            reply = _awaited(child, request, reading)
        except _ChildEndedError as error:
            child.end()
            raise reading.abandoned() from error
        except BaseException:
            child.end()
            raise
        if "failed" in reply:
            raise _error_from(reply, reading.name)
        return reply

    def _replace_if_grown(self, settings: Settings) -> None:
        child = self._child
        if child is not None and child.memory() > settings.reading_memory / 2:
            log.info("The reading process has grown and is replaced")
            child.end()


class _ChildEndedError(Exception):
    """Nothing more will come from the child."""


@dataclass(slots=True)
class _Reading:
    """One file being read: who follows it, and how far it is."""

    name: str
    settings: Settings
    progress: Callable[[int, int], None]
    cancelled: Callable[[], bool]
    total: int = 0  # pages
    done: int = 0
    deadline: float | None = None  # unknown until the child is ready

    def tell(self, done: int) -> None:
        self.done = max(self.done, min(done, self.total))
        self.progress(self.done, self.total)

    def check(self, child: "_Child") -> None:
        """Raise what forbids to go on."""
        if self.cancelled():
            raise ReadingCancelled(self.name)
        if self.deadline is None and child.ready:
            self.deadline = time.monotonic() + self.settings.reading_seconds
        if self.deadline is not None and time.monotonic() > self.deadline:
            seconds = self.settings.reading_seconds
            raise ReadingTimedOut(self.name, page=self.done, seconds=seconds)
        if not child.ready and time.monotonic() > child.started + START_SECONDS:
            raise ReadingFailed(self.name, reason="the reading process does not start")
        if child.memory() > self.settings.reading_memory:
            limit = f"{self.settings.reading_memory / 1024**3:.1f} GB"
            raise ReadingFailed(self.name, reason=f"reading it took more than {limit} of memory")

    def abandoned(self) -> FileError:
        if self.cancelled():
            return ReadingCancelled(self.name)
        return ReadingFailed(self.name, reason="the reading process ended unexpectedly")


def _awaited(child: "_Child", request: Message, reading: _Reading) -> Message:
    first = reading.done
    child.send(request)
    while True:
        reading.check(child)
        reply = child.receive()
        if reply is None:
            continue
        if "progress" not in reply:
            return reply
        reading.tell(first + reply["progress"])


class _Child:
    """The child process and the threads that listen to it."""

    def __init__(self, command: Sequence[str]) -> None:
        self.started = time.monotonic()
        self.ready = False
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
            creationflags=_no_window(),
        )
        listeners = (self._listen, self._process.stdout), (self._overhear, self._process.stderr)
        self._threads = [
            threading.Thread(target=target, args=(pipe,), daemon=True) for target, pipe in listeners
        ]
        for thread in self._threads:
            thread.start()

    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, request: Message) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise _ChildEndedError from error

    def receive(self) -> Message | None:
        """The next message, or None where none has come for a moment."""
        try:
            reply = self._replies.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return None
        if reply is None:
            raise _ChildEndedError
        if "ready" in reply:
            self.ready = True
            return None
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
            _close(pipe)
        log.debug("The reading process ended (%s): %s", code, "".join(self._last_words))

    def _listen(self, pipe: IO[str]) -> None:
        for line in pipe:
            try:
                self._replies.put(json.loads(line))
            except ValueError:
                log.debug("The reading process said something that is no message")
        self._replies.put(None)

    def _overhear(self, pipe: IO[str]) -> None:
        self._last_words.extend(pipe)


def _close(pipe: IO[str] | None) -> None:
    try:
        if pipe is not None:
            pipe.close()
    except OSError:  # a request the child did not live to read is still in the buffer
        return


def _no_window() -> int:
    """What keeps Windows from opening a console for the child."""
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0


def resident_bytes(pid: int) -> int:
    """The memory a process takes, in bytes; 0 where the system does not tell."""
    try:
        resident = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(resident) * os.sysconf("SC_PAGE_SIZE")


# What is asked for, and what is made of the answers


def page_ranges(facts: Sequence[PageFacts]) -> Iterator[tuple[int, int]]:
    """First and last pages to ask for at a time: fewer where they have no text layer."""
    first, scanned = 1, 0
    for fact in facts:
        scanned += fact.glyphs < SCANNED_GLYPHS
        full = fact.page - first + 1 >= TEXT_PAGES or scanned >= SCANNED_PAGES
        if full or fact.page == len(facts):
            yield first, fact.page
            first, scanned = fact.page + 1, 0


def joined(parts: Sequence[Parsed], facts: Sequence[PageFacts], *, seconds: float) -> Parsed:
    """The ranges as one document: blocks and tables numbered through, a health for every page."""
    blocks: list[Block] = []
    tables = 0
    for part in parts:
        for block in part.blocks:
            table = block.table + tables if block.table else 0
            blocks.append(replace(block, index=len(blocks), table=table))
        tables = max([tables, *(block.table for block in blocks[-len(part.blocks) :])])
    known = {page.page: page for part in parts for page in part.health}
    unread = f"not read: the limit of {seconds:.0f} seconds was reached"
    reached = max(known, default=0)
    health = tuple(
        _judged(known.get(fact.page), fact, unread if fact.page > reached else "") for fact in facts
    )
    return Parsed(
        title=next((part.title for part in parts if part.title), ""),
        blocks=tuple(blocks),
        health=health,
        engine=parts[0].engine,
        warnings=tuple(_warnings(parts, health, reached, seconds)),
    )


def _judged(page: PageHealth | None, fact: PageFacts, unread: str) -> PageHealth:
    """The health of a page, with what pdfium knows of it held against what was read."""
    if page is None:
        warning = unread or "this page could not be read"
        return PageHealth(fact.page, fact.label, fact.width, fact.height, 0, "none", (warning,))
    label = page.label or fact.label
    little = page.characters < LITTLE_READ * fact.glyphs and fact.glyphs >= ENOUGH_GLYPHS
    if page.warnings or not little:
        return replace(page, label=label)
    warning = f"only {page.characters} of about {fact.glyphs} characters could be read"
    return replace(page, label=label, warnings=(warning,))


def _warnings(
    parts: Sequence[Parsed], health: Sequence[PageHealth], reached: int, seconds: float
) -> Iterator[str]:
    if reached < len(health):
        yield (
            f"Reading stopped at the limit of {seconds:.0f} seconds: only pages 1 to {reached} of "
            f"{len(health)} were read. Raise the time limit and add the file again for the rest."
        )
    told = [warning for part in parts for warning in part.warnings]
    found = [f"Page {page.page}: {text}." for page in health[:reached] for text in page.warnings]
    yield from dict.fromkeys([*told, *found])


def _error_from(reply: Mapping[str, Any], name: str) -> FileError:
    kinds = (DamagedPdf, FileMissing, PasswordNeeded, PasswordWrong, UnsupportedEncryption)
    for kind in kinds:
        if kind.__name__ == reply["failed"]:
            return kind(name)
    return ReadingFailed(name)


def _facts_from(reply: Mapping[str, Any]) -> list[PageFacts]:
    return [PageFacts(**fact) for fact in reply["facts"]]


def _parsed_from(reply: Mapping[str, Any]) -> Parsed:
    parsed = reply["parsed"]
    return Parsed(
        title=parsed["title"],
        blocks=tuple(_block_from(block) for block in parsed["blocks"]),
        health=tuple(
            PageHealth(**{**page, "warnings": tuple(page["warnings"])}) for page in parsed["health"]
        ),
        engine=parsed["engine"],
        warnings=tuple(parsed["warnings"]),
    )


def _block_from(block: Mapping[str, Any]) -> Block:
    cells = tuple(Cell(**cell) for cell in block["cells"])
    return Block(**{**block, "box": Box(**block["box"]), "cells": cells})


# In the child


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    if hasattr(os, "nice"):
        os.nice(10)  # the screen comes first where there are few cores
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    tell = _teller()
    requests = _requests(sys.stdin)
    _load()
    tell({"ready": True})
    while True:
        request = requests.get()
        try:
            tell(_reply(request, tell))
        except FileError as error:
            log.warning("%s", error)
            tell({"failed": type(error).__name__})
        _return_memory()


def _teller() -> Callable[[Message], None]:
    """What writes messages to the parent. Whatever else is printed goes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    writing = threading.Lock()

    def tell(message: Message) -> None:
        with writing:
            replies.write(json.dumps(message) + "\n")
            replies.flush()

    return tell


def _requests(lines: Iterable[str]) -> "queue.Queue[Message]":
    """Requests as they come. The end of the input ends the process at once, whatever it does."""
    asked: queue.Queue[Message] = queue.Queue()

    def listen() -> None:
        for line in lines:
            asked.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return asked


def _load() -> None:
    """Import Docling before the first file asks for it."""
    from docqa.ingest import docling_pipeline  # noqa: F401

    for name in ("docling", "rapidocr", "RapidOCR"):
        logging.getLogger(name).setLevel(logging.ERROR)


def _reply(request: Message, tell: Callable[[Message], None]) -> Message:
    path, password = Path(request["path"]), request["password"]
    if request["ask"] == "facts":
        return {"facts": [asdict(fact) for fact in pages.page_facts(path, password=password)]}
    facts, settings = _facts_from(request), Settings(**request["settings"])
    parsed = _parsed(path, password, settings, facts, tell)
    return {"parsed": asdict(parsed), "memory": _largest()}


def _parsed(
    path: Path,
    password: str | None,
    settings: Settings,
    facts: Sequence[PageFacts],
    tell: Callable[[Message], None],
) -> Parsed:
    """The pages of ``facts`` as Docling reads them, and those it loses as pdfium does."""
    try:
        parsed = parse.read(
            path,
            password=password,
            settings=settings,
            progress=lambda done, total: tell({"progress": done, "memory": _largest()}),
            first=facts[0].page,
            last=facts[-1].page,
            facts=facts,
        )
    except ReadingFailed:
        parsed = rescue.unread(facts, engine=parse.ENGINE)
        log.warning("Docling gave up on pages %d to %d", facts[0].page, facts[-1].page)
    return rescue.rescue(
        parsed, path, facts=facts, password=password, block_chars=settings.block_chars
    )


def _return_memory() -> None:
    """Give the system back what the last file took.

    glibc keeps freed memory: 120 pages of a filing left 900 MB behind, and 540 MB after this.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _largest() -> int:
    """The most memory this process has taken, in bytes; 0 on Windows, which has no such count."""
    if sys.platform == "win32":
        return 0
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
