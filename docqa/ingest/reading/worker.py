"""Reading in child processes: a file that crashes, hangs or swells costs itself and nothing else.

The children (``python -m docqa.ingest.reading.worker``) import what they need once and read one
file after the other. One has Docling loaded; a light one answers for the text layer; a second one
lays pages out beside the first, where there are two cores: the pages of a file are dealt out to the
two, and the first makes a document of them all, so that the file is read as if one had read it.
A file is asked for some pages at a time, so that what was read before a time limit is kept and a
child that has grown can be replaced between two requests.
"""

import base64
import ctypes
import gc
import io
import json
import logging
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, fields, is_dataclass, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from docqa.errors import FileError, ReadingCancelled, ReadingFailed
from docqa.ingest.chunks import suspicion
from docqa.ingest.office import formats, sections
from docqa.ingest.reading import parse, pdfium, rescue, text_layer
from docqa.ingest.reading.children import POLL_SECONDS, GaveUpError, Message, Reading, Seat
from docqa.ingest.reading.page_queue import Dealt
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.text_layer import Skimmed
from docqa.settings import Settings
from docqa.types.document import Block, Box, Cell, PageHealth, kind_of

if TYPE_CHECKING:
    from docqa.ingest.reading.arrange import Laid

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "docqa.ingest.reading.worker")
LIGHT = "--light"  # a child that never loads Docling: it answers within a second of its start
LAYOUT = "--layout"  # a child that loads what lays a page out, which takes it a second
RANGE_PAGES = 150  # made a document of at a time
RETRIED_PAGES = 15  # the same where a range failed: what made it fail costs no more than these
ALONE_PAGES = 4  # and fewer are not dealt out
IDLE_SECONDS = 60.0  # then the second child is let go, with its 150 MB
FREE_MEMORY = 1_500_000_000  # bytes; with less there is one child
PAUSE_SECONDS = 1.0  # between portions of one file there is none as long
LITTLE_READ = 0.5  # of a page's glyphs; fewer characters, and the page is marked
ENOUGH_GLYPHS = 200  # on fewer the share says nothing
PLAIN = "read as plain text, without tables and headings"


class ReadingProcess:
    """Warm child processes that read files, two at a time at most.

    One has Docling loaded; a second lays out pages of the same file beside it, and is there only
    while there are files to read; a light one answers for the text layer while they are busy with
    another file, and the second then waits. Threads may share them; a child is used by one at a
    time. It is replaced when it crashed, was stopped, or has grown past half of its memory limit.
    """

    def __init__(self, command: Sequence[str] = COMMAND, *, beside: bool | None = None) -> None:
        """``beside`` says whether there is a second child; None leaves it to the machine."""
        self._full = Seat(command)
        self._light = Seat((*command, LIGHT))
        self._second = Seat((*command, LAYOUT))
        self._beside = two_at_once() if beside is None else beside
        self._counting = threading.Lock()
        self._skims = self._reads = 0  # under way
        self._idle: threading.Timer | None = None

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
        for seat in self._seats:
            seat.close()
        with self._counting:
            if self._idle is not None:
                self._idle.cancel()

    @property
    def _seats(self) -> tuple[Seat, ...]:
        return self._light, self._second, self._full

    def pids(self) -> list[int]:
        """The processes of the children there are."""
        return [seat.child.pid for seat in self._seats if seat.child is not None]

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
        reading = Reading(name, settings, parse.untold, cancelled)
        request = {
            "ask": "skim",
            **_file(path, password),
            "name": name,
            "settings": asdict(settings),
        }
        kind = kind_of(path.name)
        # What is no PDF is read whole here, most of it by Docling.
        seat = self._light if kind in ("pdf", "txt") else self._full
        try:
            with self._skimming():
                if kind == "pdf" and self._beside and self._second.ready and self._second.free:
                    return self._halves(request, reading)
                return _skimmed_from(seat.answer(request, reading))
        except GaveUpError as error:
            raise error.failure from error

    def _halves(self, request: Message, reading: Reading) -> Skimmed:
        """A file's text layer, one half by the light child and one by the second."""
        later = {**request, "part": [1, 2]}
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(self._second.answer, later, reading.share(reading.cancelled))
            first = _skimmed_from(self._light.answer({**request, "part": [0, 2]}, reading))
            try:
                reply = other.result()
            except (GaveUpError, ReadingFailed):
                reply = self._light.answer(later, reading)
        return first.followed_by(_skimmed_from(reply))

    @contextmanager
    def _skimming(self) -> Iterator[None]:
        with self._counting:
            self._skims += 1
        try:
            yield
        finally:
            with self._counting:
                self._skims -= 1

    def read(
        self,
        path: Path,
        name: str,
        *,
        settings: Settings,
        password: str | None = None,
        facts: Sequence[PageFacts] = (),
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> Parsed:
        """What was read of the file; ``progress`` is told the pages done and in all.

        ``facts`` are those of the file's `skim`; without, it is skimmed first.
        Pages that need OCR are not read but marked as waiting for it. Where ``reading_seconds``
        run out, or pages cannot be read within ``range_seconds`` or ``reading_memory`` or make
        the child crash, those have their plain text layer, and say so. Raises `ReadingTimedOut`
        or `ReadingFailed` where that leaves no text at all, `ReadingCancelled` within two seconds
        of ``cancelled``, and the `FileError` of a file that does not open.
        """

        @cache
        def skimmed() -> Skimmed:
            return self.skim(path, name, settings=settings, password=password, cancelled=cancelled)

        with self._accompanied():
            facts = facts or skimmed().facts
            reading = Reading(name, settings, progress, cancelled, total=len(facts))
            parts = list(self._parts(_file(path, password), facts, skimmed, reading))
        parsed = joined(parts, facts)
        if reading.failure is not None and not parsed.blocks:
            raise reading.failure
        return parsed

    @contextmanager
    def _accompanied(self) -> Iterator[None]:
        """The second child, where it was needed, is let go when nothing is read for a while."""
        with self._counting:
            self._reads += 1
            if self._idle is not None:
                self._idle.cancel()
        try:
            yield
        finally:
            with self._counting:
                self._reads -= 1
                if not self._reads:
                    self._idle = threading.Timer(IDLE_SECONDS, self._second.let_go)
                    self._idle.daemon = True
                    self._idle.start()

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
        reading = Reading(name, settings, parse.untold, cancelled, limit=settings.ocr_seconds)
        file = _file(path, password)
        try:
            [fact] = self._full.answer({"ask": "facts", **file, "page": page}, reading)["facts"]
            wanted = {"facts": [fact], "settings": asdict(settings), "ocr": True}
            reply = self._full.answer({"ask": "read", **file, **wanted}, reading)
        except GaveUpError as error:
            raise error.failure from error
        return joined([_parsed_from(reply)], [PageFacts(**fact)])

    def _parts(
        self,
        file: Message,
        facts: Sequence[PageFacts],
        skimmed: Callable[[], Skimmed],
        reading: Reading,
    ) -> Iterator[Parsed]:
        """The file's page ranges, read one after the other, as far as that is possible."""
        ranges = deque(page_ranges(len(facts), RANGE_PAGES))
        beside = self._beside
        while ranges:
            first, last = ranges.popleft()
            reading.begin(first)
            try:
                yield self._structured(file, facts[first - 1 : last], reading, beside=beside)
            except GaveUpError as error:
                reading.failure = error.failure
                if error.for_good:
                    yield plain(skimmed(), first, len(facts), str(error))
                    return
                if last - first < RETRIED_PAGES:
                    yield plain(skimmed(), first, last, str(error))
                else:
                    beside = False  # one child alone, so that it is known which pages it was
                    again = page_ranges(last - first + 1, RETRIED_PAGES)
                    ranges.extendleft([(first + a - 1, first + b - 1) for a, b in again][::-1])

    def _structured(
        self, file: Message, facts: Sequence[PageFacts], reading: Reading, *, beside: bool
    ) -> Parsed:
        """A range of pages: laid out each by itself, then made a document of."""
        wanted = {
            "facts": [asdict(fact) for fact in facts],
            "settings": asdict(reading.settings),
            "ocr": False,
        }
        if not reading.settings.layout_model:  # that network sees pages as Docling decodes them
            wanted["laid"] = self._laid_out(file, facts, reading, beside=beside)
        return _parsed_from(self._full.answer({"ask": "read", **file, **wanted}, reading))

    def _laid_out(
        self, file: Message, facts: Sequence[PageFacts], reading: Reading, *, beside: bool
    ) -> list[str]:
        alone = not beside or len(facts) <= ALONE_PAGES
        laying = _Laying(file, facts, reading, sides=1 if alone else 2)
        if alone:
            laying.by(self._full)
        else:
            self._both(laying)
        return laying.found

    def _both(self, laying: "_Laying") -> None:
        def gives_way() -> bool:
            return self._skims > 0 or not self._second.free

        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(laying.by, self._second, gives_way)
            try:
                laying.by(self._full)
            except BaseException:
                laying.stop()  # leaving waits for the other
                raise
            other.result()


class _Laying:
    """Pages of a file being laid out, by one child or by two side by side.

    What is ``found`` goes from child to child as it is: pickled, and never opened here.
    """

    def __init__(
        self, file: Message, facts: Sequence[PageFacts], reading: Reading, *, sides: int
    ) -> None:
        self.found: list[str] = []
        self._file, self._reading = file, reading
        self._garbled = [fact.page for fact in facts if fact.garbled]
        self._pages = Dealt(facts[0].page, facts[-1].page, sides=sides)
        self._before = facts[0].page - 1
        self._began = reading.spent
        self._stopped = threading.Event()
        self._telling = threading.Lock()

    def stop(self) -> None:
        self._pages.drop()
        self._stopped.set()

    def by(self, seat: Seat, gives_way: Callable[[], bool] | None = None) -> None:
        """Have a child lay out pages until none are left.

        One that ``gives_way`` takes none as long as that says so, and may fail to start.
        """
        mine = self._reading.share(lambda: self._stopped.is_set() or self._reading.cancelled())
        mine.spent = self._began
        try:
            while self._is_ready(seat, gives_way) and (portion := self._pages.take()):
                self._lay(seat, mine, *portion)
        except BaseException:
            self._pages.drop()
            raise
        self._reading.spent = max(self._reading.spent, mine.spent)

    def _lay(self, seat: Seat, mine: Reading, first: int, last: int) -> None:
        mine.begin(1)
        mine.progress = lambda done, total: self._tell(first, done)
        wanted = {"first": first, "last": last, "garbled": self._garbled}
        self.found.append(seat.answer({"ask": "lay", **self._file, **wanted}, mine)["laid"])

    def _tell(self, first: int, done: int) -> None:
        with self._telling:
            self._reading.tell(self._before + self._pages.tell(first, done))

    def _is_ready(self, seat: Seat, gives_way: Callable[[], bool] | None) -> bool:
        """Waits as long as pages are left; whoever is needed may also be found dead."""
        seat.start()
        while self._pages.left:
            if seat.failed:
                return gives_way is None
            if seat.ready and not (gives_way and gives_way()):
                return True
            if self._reading.cancelled():
                raise ReadingCancelled(self._reading.name)
            time.sleep(POLL_SECONDS / 4)
        return False


def two_at_once() -> bool:
    """Whether the machine has two cores for this process, and memory for a second child."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return cores > 1 and _available_bytes() > FREE_MEMORY


def _available_bytes() -> float:
    """Memory that can be had; without end where the system does not tell."""
    try:
        told = Path("/proc/meminfo").read_text()
    except OSError:
        return float("inf")
    lines = (line.split() for line in told.splitlines())
    return next((1024.0 * int(at[1]) for at in lines if at[0] == "MemAvailable:"), float("inf"))


def _file(path: Path, password: str | None) -> Message:
    return {"path": str(path), "password": password}


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
            index, table = len(blocks), block.table + tables if block.table else 0
            moved = index != block.index or table != block.table
            blocks.append(replace(block, index=index, table=table) if moved else block)
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


def _skimmed_from(reply: Mapping[str, Any]) -> Skimmed:
    return Skimmed(tuple(PageFacts(**fact) for fact in reply["facts"]), _parsed_from(reply))


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
    if LAYOUT in sys.argv:
        _load_layout()
    elif LIGHT not in sys.argv:
        _load()
    tell({"ready": True})
    while True:
        request = _next(requests)
        try:
            tell(_reply(request, tell))
        except FileError as error:
            log.warning("%s", error)
            called = Path(request["path"]).name
            tell({"failed": type(error).__name__, "told": str(error), "called": called})
        if request["ask"] != "lay":
            _return_memory()


def _teller() -> Callable[[Message], None]:
    """What writes messages to the parent. Whatever else is printed goes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    writing = threading.Lock()

    def tell(message: Message) -> None:
        with writing:
            replies.write(json.dumps(message, default=_told) + "\n")
            replies.flush()

    return tell


def _told(value: Any) -> Message:
    """What a dataclass holds; `asdict`, which copies all of it, took longer than writing it."""
    kind: Any = type(value)
    return {name: getattr(value, name) for name in _names(kind)}


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _requests(lines: Iterable[str]) -> "queue.Queue[Message]":
    """Requests as they come. The end of the input ends the process at once, whatever it does."""
    asked: queue.Queue[Message] = queue.Queue()

    def listen() -> None:
        for line in lines:
            asked.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return asked


def _next(requests: "queue.Queue[Message]") -> Message:
    """The next request; memory is given back where it does not follow at once."""
    try:
        return requests.get(timeout=PAUSE_SECONDS)
    except queue.Empty:
        _return_memory()
        return requests.get()


def _load_layout() -> None:
    from docqa.ingest.reading import arrange  # noqa: F401

    _collect_less()


def _load() -> None:
    """Import Docling before the first file asks for it."""
    from docqa.ingest.reading import docling_pipeline  # noqa: F401

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
        skimmed = _skimmed(path, password, request)
        return {"facts": skimmed.facts, "parsed": skimmed.parsed, "memory": _largest()}
    if request["ask"] == "facts":
        page = request["page"]
        found = pdfium.page_facts(path, password=password, first=page, last=page)
        return {"facts": found}
    if request["ask"] == "lay":
        return {"laid": _packed(_laid(path, password, request, tell)), "memory": _largest()}
    parsed = _parsed(path, password, request, tell)
    return {"parsed": parsed, "memory": _largest()}


def _skimmed(path: Path, password: str | None, request: Message) -> Skimmed:
    name, settings = request["name"], Settings(**request["settings"])
    if kind_of(path.name) != "pdf":
        return sections.read(path, name, settings=settings)
    if path.exists():
        formats.refuse_compound(path, name)  # it has an old ending, or that of a PDF
    pdfium.preflight(path, password=password, limits=settings)
    part, of = request.get("part", (0, 1))
    return text_layer.skim(
        path, password=password, part=part, of=of, block_chars=settings.block_chars
    )


def _laid(
    path: Path, password: str | None, request: Message, tell: Callable[[Message], None]
) -> "list[Laid]":
    from docqa.ingest.reading import arrange

    return arrange.laid_out(
        path,
        password=password,
        first=request["first"],
        last=request["last"],
        garbled=set(request["garbled"]),
        done=lambda count: tell({"progress": count, "memory": _largest()}),
    )


class _Pickler(pickle.Pickler):
    """Takes dataclasses apart in one go; their own way of it took three times as long."""

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        return (kind, _contents(kind)(value)) if is_dataclass(kind) else NotImplemented


@cache
def _contents(kind: type) -> "attrgetter[tuple[Any, ...]]":
    return attrgetter(*_names(kind))


def _packed(laid: "list[Laid]") -> str:
    packed = io.BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(laid)
    return base64.b64encode(packed.getvalue()).decode()


def _unpacked(portions: Iterable[str]) -> "Iterator[Laid]":
    """What `_packed` made, in a child like this one: no file's bytes are opened so."""
    for packed in portions:
        yield from pickle.loads(base64.b64decode(packed))


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
            laid=_unpacked(request["laid"]) if "laid" in request else None,
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
