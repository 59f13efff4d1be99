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
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from docqa.errors import (
    FileError,
    ReadingCancelled,
    ReadingFailed,
    ReadingTimedOut,
)
from docqa.ingest import formats, pages, parse, rescue, sections, skim, suspicion
from docqa.ingest.pages import PageFacts
from docqa.ingest.parse import Parsed
from docqa.ingest.skim import Skimmed
from docqa.settings import Settings, environment_for_reading
from docqa.types import Block, Box, Cell, PageHealth, kind_of

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "docqa.ingest.worker")
LIGHT = "--light"  # a child that never loads Docling: it answers within a second of its start
START_SECONDS = 180.0  # importing takes 6-10 s, from a cold disk much longer
POLL_SECONDS = 0.1  # how soon a cancel is seen
RANGE_PAGES = 150  # asked for at a time
RETRIED_PAGES = 15  # the same where a range failed: what made it fail costs no more than these
LITTLE_READ = 0.5  # of a page's glyphs; fewer characters, and the page is marked
ENOUGH_GLYPHS = 200  # on fewer the share says nothing
PLAIN = "read as plain text, without tables and headings"

Message = dict[str, Any]


class ReadingProcess:
    """Two warm child processes that read files, each one at a time.

    One has Docling loaded; a light one answers for the text layer while the other is busy with
    another file. Threads may share them; the second waits for the first. A child is replaced when
    it crashed, was stopped, or has grown past half of its memory limit.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._full = _Seat(command)
        self._light = _Seat((*command, LIGHT))

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
        self._light.start()
        self._full.start()

    def close(self) -> None:
        """End the children; a file being read is given up as cancelled."""
        self._light.close()
        self._full.close()

    def skim(
        self,
        path: Path,
        name: str,
        *,
        settings: Settings,
        password: str | None = None,
        cancelled: Callable[[], bool],
    ) -> Skimmed:
        """The text layer of the file, in a second or two, whatever else is being read.

        What is no PDF, as its path's ending tells, is read in full.
        Raises the `FileError`s of `pages.preflight`, and as `read`.
        """
        reading = _Reading(name, settings, _unfollowed, cancelled)
        request = {
            "ask": "skim",
            **_file(path, password),
            "name": name,
            "settings": asdict(settings),
        }
        try:
            # What is no PDF is read whole here, most of it by Docling.
            seat = self._light if kind_of(path.name) in ("pdf", "txt") else self._full
            reply = seat.answer(request, reading)
        except _GaveUpError as error:
            raise error.failure from error
        facts = tuple(PageFacts(**fact) for fact in reply["facts"])
        return Skimmed(facts, _parsed_from(reply))

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

        Pages that need OCR are not read but marked as waiting for it. Where ``reading_seconds``
        run out, or pages cannot be read within ``range_seconds`` or ``reading_memory`` or make
        the child crash, those have their plain text layer, and say so. Raises `ReadingTimedOut`
        or `ReadingFailed` where that leaves no text at all, `ReadingCancelled` within two seconds
        of ``cancelled``, and the `FileError` of a file that does not open.
        """
        skimmed = self.skim(path, name, settings=settings, password=password, cancelled=cancelled)
        reading = _Reading(name, settings, progress, cancelled, total=len(skimmed.facts))
        parts = list(self._parts(_file(path, password), skimmed, reading))
        parsed = joined(parts, skimmed.facts)
        if reading.failure is not None and not parsed.blocks:
            raise reading.failure
        return parsed

    def read_page(
        self,
        path: Path,
        name: str,
        page: int,
        *,
        settings: Settings,
        password: str | None = None,
        cancelled: Callable[[], bool],
    ) -> Parsed:
        """One page, by OCR where it needs it; raises as `read`."""
        reading = _Reading(name, settings, _unfollowed, cancelled, limit=settings.ocr_seconds)
        file = _file(path, password)
        try:
            [fact] = self._full.answer({"ask": "facts", **file, "page": page}, reading)["facts"]
            wanted = {"facts": [fact], "settings": asdict(settings), "ocr": True}
            reply = self._full.answer({"ask": "read", **file, **wanted}, reading)
        except _GaveUpError as error:
            raise error.failure from error
        return joined([_parsed_from(reply)], [PageFacts(**fact)])

    def _parts(self, file: Message, skimmed: Skimmed, reading: "_Reading") -> Iterator[Parsed]:
        """The file's page ranges, read one after the other, as far as that is possible."""
        facts = skimmed.facts
        ranges = deque(page_ranges(len(facts), RANGE_PAGES))
        while ranges:
            first, last = ranges.popleft()
            reading.begin(first)
            described = [asdict(fact) for fact in facts[first - 1 : last]]
            wanted = {"facts": described, "settings": asdict(reading.settings), "ocr": False}
            try:
                yield _parsed_from(self._full.answer({"ask": "read", **file, **wanted}, reading))
            except _GaveUpError as error:
                reading.failure = error.failure
                if error.for_good:
                    yield plain(skimmed, first, len(facts), str(error))
                    return
                if last - first < RETRIED_PAGES:
                    yield plain(skimmed, first, last, str(error))
                else:
                    again = page_ranges(last - first + 1, RETRIED_PAGES)
                    ranges.extendleft([(first + a - 1, first + b - 1) for a, b in again][::-1])


def _file(path: Path, password: str | None) -> Message:
    return {"path": str(path), "password": password}


def _unfollowed(done: int, total: int) -> None:
    """Takes progress where nobody follows it."""


class _Seat:
    """The place of one child process, used by one thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._using = threading.Lock()
        self.child: _Child | None = None
        self._closed = False

    def start(self) -> None:
        if self._using.acquire(blocking=False):
            try:
                self._live_child()
            finally:
                self._using.release()

    def close(self) -> None:
        self._closed = True
        if self.child is not None:
            self.child.end()

    def answer(self, request: Message, reading: "_Reading") -> Message:
        """The child's answer to a request. Whatever else comes first ends the child.

        Raises `_GaveUpError` where another request may fare better, else a `FileError`.
        """
        with self._turn(reading):
            child = self._live_child()
            if child is None:
                raise ReadingCancelled(reading.name)
            try:
                reply = _awaited(child, request, reading, lambda: self._closed)
            except _ChildEndedError as error:
                child.end()
                if self._closed or reading.cancelled():
                    raise ReadingCancelled(reading.name) from error
                raise reading.broken_off(child) from error
            except BaseException:
                child.end()
                raise
            if child.memory() > reading.settings.reading_memory / 2:
                log.info("The reading process has grown and is replaced")
                child.end()
        if "failed" in reply:
            raise _error_from(reply, reading.name)
        return reply

    @contextmanager
    def _turn(self, reading: "_Reading") -> Iterator[None]:
        while not self._using.acquire(timeout=POLL_SECONDS):
            if self._closed or reading.cancelled():
                raise ReadingCancelled(reading.name)
        try:
            yield
        finally:
            self._using.release()

    def _live_child(self) -> "_Child | None":
        if not self._closed and (self.child is None or not self.child.alive()):
            self.child = _Child(self._command)
        return self.child


class _ChildEndedError(Exception):
    """Nothing more will come from the child."""


class _GaveUpError(Exception):
    """A request came to nothing: ``failure`` is the error of a file that ends so.

    ``for_good`` says that no other request for the file may be made.
    """

    def __init__(self, reason: str, failure: FileError, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.failure = failure
        self.for_good = for_good


@dataclass(slots=True)
class _Reading:
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

    def begin(self, first: int) -> None:
        self.first, self.done = first, first - 1

    def tell(self, done: int) -> None:
        self.done = max(self.done, min(done, self.total))
        self.progress(self.done, self.total)

    def check(self, child: "_Child", seconds: float) -> None:
        """Raise what forbids to go on, ``seconds`` after the request."""
        if self.cancelled():
            raise ReadingCancelled(self.name)
        if not child.ready and time.monotonic() > child.started + START_SECONDS:
            raise ReadingFailed(self.name, reason="the reading process does not start")
        whole, limit = self.settings.reading_seconds, self.limit or self.settings.range_seconds
        if self.spent + seconds > whole:
            raise self._late(f"the limit of {whole:.0f} seconds was reached", whole, for_good=True)
        if seconds > limit:
            raise self._late(f"reading took longer than {limit:.0f} seconds", limit)
        if child.memory() > self.settings.reading_memory:
            reason = f"took more than {self.settings.reading_memory / 1024**3:.1f} GB of memory"
            failed = ReadingFailed(self.name, reason=f"reading it {reason}")
            raise _GaveUpError(f"reading {reason}", failed)

    def broken_off(self, child: "_Child") -> Exception:
        """What to raise where the child ended by itself."""
        reason = "the reading process ended unexpectedly"
        failed = ReadingFailed(self.name, reason=reason)
        return _GaveUpError(reason, failed) if child.ready else failed

    def _late(self, reason: str, seconds: float, *, for_good: bool = False) -> _GaveUpError:
        late = ReadingTimedOut(self.name, page=self.done, seconds=seconds)
        return _GaveUpError(reason, late, for_good=for_good)


def _awaited(
    child: "_Child", request: Message, reading: _Reading, closed: Callable[[], bool]
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


class _Child:
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
            creationflags=_no_window(),
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
            self.ready_at = time.monotonic()
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


def page_ranges(count: int, step: int) -> Iterator[tuple[int, int]]:
    """First and last pages to ask for at a time."""
    return ((first, min(first + step - 1, count)) for first in range(1, count + 1, step))


def plain(skimmed: Skimmed, first: int, last: int, reason: str) -> Parsed:
    """The plain text layer of pages that could not be read in full."""
    here = range(first, last + 1)
    known = [page for page in skimmed.parsed.health if page.page in here]
    pages_told = f"Page {first} was" if first == last else f"Pages {first} to {last} were"
    return replace(
        skimmed.parsed,
        blocks=tuple(block for block in skimmed.parsed.blocks if block.page in here),
        health=tuple(replace(page, warnings=(f"{PLAIN}: {reason}",)) for page in known),
        warnings=(f"{pages_told} {PLAIN}: {reason}.",),
    )


def joined(parts: Sequence[Parsed], facts: Sequence[PageFacts]) -> Parsed:
    """The ranges as one document: blocks and tables numbered through, a health for every page."""
    blocks: list[Block] = []
    tables = 0
    for part in parts:
        for block in part.blocks:
            table = block.table + tables if block.table else 0
            blocks.append(replace(block, index=len(blocks), table=table))
        tables = max([tables, *(block.table for block in blocks[-len(part.blocks) :])])
    known = {page.page: page for part in parts for page in part.health}
    health = tuple(_judged(known.get(fact.page), fact) for fact in facts)
    return Parsed(
        title=next((part.title for part in parts if part.title), ""),
        blocks=tuple(blocks),
        health=health,
        engine=" and ".join(dict.fromkeys(part.engine for part in parts)),
        warnings=tuple(_warnings(parts, health)),
    )


def _judged(page: PageHealth | None, fact: PageFacts) -> PageHealth:
    """The health of a page, with what pdfium knows of it held against what was read."""
    if page is None:
        warning = "this page could not be read"
        return PageHealth(fact.page, fact.label, fact.width, fact.height, 0, "none", (warning,))
    judged = replace(page, label=page.label or fact.label)
    told = [*page.warnings, *_noticed(page, fact)]
    return replace(judged, warnings=tuple(dict.fromkeys(told)))


def _noticed(page: PageHealth, fact: PageFacts) -> Iterator[str]:
    if fact.garbled:
        yield "its text layer is garbled" + ("" if page.waiting else ", so it was read by OCR")
    little = page.characters < LITTLE_READ * fact.glyphs and fact.glyphs >= ENOUGH_GLYPHS
    if little and not page.warnings and not page.waiting and not fact.garbled:
        yield f"only {page.characters} of about {fact.glyphs} characters could be read"
    if fact.unseen:
        yield suspicion.unseen(fact.unseen)


def _warnings(parts: Sequence[Parsed], health: Sequence[PageHealth]) -> Iterator[str]:
    told = [warning for part in parts for warning in part.warnings]
    found = [
        f"Page {page.page}: {text}."
        for page in health
        for text in page.warnings
        if not text.startswith(PLAIN)
    ]
    yield from dict.fromkeys([*told, *found])


def _error_from(reply: Mapping[str, Any], name: str) -> FileError:
    """The child's error, which carries its own sentence, under the name the person knows."""
    kinds = {kind.__name__: kind for kind in FileError.__subclasses__()}
    kind = kinds.get(reply["failed"], ReadingFailed)
    error = kind.__new__(kind)
    error.args = (reply["told"].replace(reply["called"], name),)
    return error


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
    if LIGHT not in sys.argv:
        _load()
    tell({"ready": True})
    while True:
        request = requests.get()
        try:
            tell(_reply(request, tell))
        except FileError as error:
            log.warning("%s", error)
            called = Path(request["path"]).name
            tell({"failed": type(error).__name__, "told": str(error), "called": called})
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
    _collect_less()


def _collect_less() -> None:
    """Look for reference cycles seldom, and never among what is imported.

    Docling makes objects by the hundred thousand: a sixth of the time went into looking.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _reply(request: Message, tell: Callable[[Message], None]) -> Message:
    path, password = Path(request["path"]), request["password"]
    if request["ask"] == "skim":
        skimmed = _skimmed(path, password, request["name"], Settings(**request["settings"]))
        described = [asdict(fact) for fact in skimmed.facts]
        return {"facts": described, "parsed": asdict(skimmed.parsed), "memory": _largest()}
    if request["ask"] == "facts":
        page = request["page"]
        found = pages.page_facts(path, password=password, first=page, last=page)
        return {"facts": [asdict(fact) for fact in found]}
    parsed = _parsed(path, password, request, tell)
    return {"parsed": asdict(parsed), "memory": _largest()}


def _skimmed(path: Path, password: str | None, name: str, settings: Settings) -> Skimmed:
    if kind_of(path.name) != "pdf":
        return sections.read(path, name, settings=settings)
    if path.exists():
        formats.refuse_compound(path, name)  # it has an old ending, or that of a PDF
    pages.preflight(path, password=password, limits=settings)
    return skim.skim(path, password=password, block_chars=settings.block_chars)


def _parsed(
    path: Path, password: str | None, request: Message, tell: Callable[[Message], None]
) -> Parsed:
    """The pages asked for as Docling reads them, and those it loses as pdfium does."""
    facts = [PageFacts(**fact) for fact in request["facts"]]
    settings = Settings(**request["settings"])
    try:
        parsed = parse.read(
            path,
            password=password,
            settings=settings,
            progress=lambda done, total: tell({"progress": done, "memory": _largest()}),
            first=facts[0].page,
            last=facts[-1].page,
            facts=facts,
            ocr=request["ocr"],
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
