"""Files read by child processes: what crashes, hangs or swells costs itself and nothing else.

The children (`worker`) read one file after the other. One has Docling loaded; a light one answers
for the text layer; a second one lays pages out beside the first, where there are two cores: the
pages of a file are dealt out to the two, and the first makes a document of them all, so that the
file is read as if one had read it. A file is asked for some pages at a time, so that what was read
before a time limit is kept and a child that has grown can be replaced between two requests.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Self

from docqa.errors import ReadingCancelled, ReadingFailed
from docqa.ingest.reading.children import POLL_SECONDS, GaveUpError, Message, Reading, WorkerSlot
from docqa.ingest.reading.messages import LAYOUT, LIGHT, parsed_from, skimmed_from
from docqa.ingest.reading.page_queue import PageQueue
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.results import joined, page_ranges, plain
from docqa.ingest.reading.text_layer import Skimmed
from docqa.models import machine
from docqa.settings import Settings, by_name
from docqa.types.document import kind_of
from docqa.types.progress import no_progress

COMMAND = (sys.executable, "-m", "docqa.ingest.reading.worker")
RANGE_PAGES = 150  # made a document of at a time
RETRIED_PAGES = 15  # the same where a range failed: what made it fail costs no more than these
ALONE_PAGES = 4  # and fewer are not dealt out
IDLE_SECONDS = 60.0  # then the second child is let go, with its 150 MB
FREE_MEMORY = 1_500_000_000  # bytes; with less there is one child


class ReadingProcess:
    """Warm child processes that read files, two at a time at most.

    One has Docling loaded; a second lays out pages of the same file beside it, and is there only
    while there are files to read; a light one answers for the text layer while they are busy with
    another file, and the second then waits. Threads may share them; a child is used by one at a
    time. It is replaced when it crashed, was stopped, or has grown past half of its memory limit.
    """

    def __init__(self, command: Sequence[str] = COMMAND, *, beside: bool | None = None) -> None:
        """``beside`` says whether there is a second child; None leaves it to the machine."""
        self._full = WorkerSlot(command)
        self._light = WorkerSlot((*command, LIGHT))
        self._second = WorkerSlot((*command, LAYOUT))
        self._beside = two_at_once() if beside is None else beside
        self._counting = threading.Lock()
        self._skims = self._reads = 0  # under way
        self._idle: threading.Timer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def start(self) -> None:
        """Begin to load what reading needs, without waiting for it."""
        self._light.start()
        self._full.start()

    def close(self) -> None:
        """End the children; a file being read is given up as cancelled."""
        for slot in self._slots:
            slot.close()
        with self._counting:
            if self._idle is not None:
                self._idle.cancel()

    @property
    def _slots(self) -> tuple[WorkerSlot, ...]:
        return self._light, self._second, self._full

    def pids(self) -> list[int]:
        """The processes of the children there are."""
        return [slot.child.pid for slot in self._slots if slot.child is not None]

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
        reading = Reading(name, settings, no_progress, cancelled)
        request = {
            "ask": "skim",
            **_file(path, password),
            "name": name,
            "settings": by_name(settings),
        }
        kind = kind_of(path.name)
        # What is no PDF is read whole here, most of it by Docling.
        slot = self._light if kind in ("pdf", "txt") else self._full
        try:
            with self._skimming():
                if kind == "pdf" and self._beside and self._second.ready and self._second.free:
                    return self._halves(request, reading)
                return skimmed_from(slot.answer(request, reading))
        except GaveUpError as error:
            raise error.failure from error

    def _halves(self, request: Message, reading: Reading) -> Skimmed:
        """A file's text layer, one half by the light child and one by the second."""
        later = {**request, "part": [1, 2]}
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(self._second.answer, later, reading.share(reading.cancelled))
            first = skimmed_from(self._light.answer({**request, "part": [0, 2]}, reading))
            try:
                reply = other.result()
            except (GaveUpError, ReadingFailed):
                reply = self._light.answer(later, reading)
        return first.followed_by(skimmed_from(reply))

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
                    self._idle = threading.Timer(IDLE_SECONDS, self._second.release)
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
        reading = Reading(
            name, settings, no_progress, cancelled, limit=settings.reading.ocr_seconds
        )
        file = _file(path, password)
        try:
            [fact] = self._full.answer({"ask": "facts", **file, "page": page}, reading)["facts"]
            wanted = {"facts": [fact], "settings": by_name(settings), "ocr": True}
            reply = self._full.answer({"ask": "read", **file, **wanted}, reading)
        except GaveUpError as error:
            raise error.failure from error
        return joined([parsed_from(reply)], [PageFacts(**fact)])

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
            "settings": by_name(reading.settings),
            "ocr": False,
        }
        # The layout network sees pages as Docling decodes them.
        if not reading.settings.reading.layout_model:
            wanted["laid"] = self._laid_out(file, facts, reading, beside=beside)
        return parsed_from(self._full.answer({"ask": "read", **file, **wanted}, reading))

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
        self._pages = PageQueue(facts[0].page, facts[-1].page, sides=sides)
        self._before = facts[0].page - 1
        self._began = reading.spent
        self._stopped = threading.Event()
        self._telling = threading.Lock()

    def stop(self) -> None:
        self._pages.drop()
        self._stopped.set()

    def by(self, slot: WorkerSlot, gives_way: Callable[[], bool] | None = None) -> None:
        """Have a child lay out pages until none are left.

        One that ``gives_way`` takes none as long as that says so, and may fail to start.
        """
        mine = self._reading.share(lambda: self._stopped.is_set() or self._reading.cancelled())
        mine.spent = self._began
        try:
            while self._is_ready(slot, gives_way) and (portion := self._pages.take()):
                self._lay(slot, mine, *portion)
        except BaseException:
            self._pages.drop()
            raise
        self._reading.spent = max(self._reading.spent, mine.spent)

    def _lay(self, slot: WorkerSlot, mine: Reading, first: int, last: int) -> None:
        mine.begin(1)
        mine.progress = lambda done, total: self._tell(first, done)
        wanted = {"first": first, "last": last, "garbled": self._garbled}
        self.found.append(slot.answer({"ask": "lay", **self._file, **wanted}, mine)["laid"])

    def _tell(self, first: int, done: int) -> None:
        with self._telling:
            self._reading.tell(self._before + self._pages.tell(first, done))

    def _is_ready(self, slot: WorkerSlot, gives_way: Callable[[], bool] | None) -> bool:
        """Waits as long as pages are left; whoever is needed may also be found dead."""
        slot.start()
        while self._pages.left:
            if slot.failed:
                return gives_way is None
            if slot.ready and not (gives_way and gives_way()):
                return True
            if self._reading.cancelled():
                raise ReadingCancelled(self._reading.name)
            time.sleep(POLL_SECONDS / 4)
        return False


def two_at_once() -> bool:
    """Whether the machine has two cores for this process, and memory for a second child."""
    free = machine.available_memory()
    return machine.cores() > 1 and (not free or free > FREE_MEMORY)


def _file(path: Path, password: str | None) -> Message:
    return {"path": str(path), "password": password}
