"""Files on their way into the library, each a step at a time, in threads of their own.

A file's text layer is taken over at once, so that it can be searched by words within seconds. Then
its structure is read, then its passages get vectors, and last, a page at a time and only while no
other file waits, OCR reads the pages without text. One file is read while another is embedded.
Every step ends in the catalog, and what is still to do is told from it alone, so that a step lost
with the process is done by the next one.

The structured reading replaces the plain text as a whole, not page by page: running headers, the
sizes of headings, tables and paragraphs over page ends, and where passages are cut are known only
once every page is. Citations made before stay right, since they carry page, quote and boxes.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing.pool import AsyncResult, ThreadPool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.app.records import save_prepared, with_reading
from docqa.app.resources import Resources
from docqa.errors import (
    DocqaError,
    FileError,
    NoText,
    PasswordNeeded,
    ReaderNotStarted,
    ReadingCancelled,
    UnknownDocument,
)
from docqa.ingest.prepare import (
    UNWATCHED,
    Prepared,
    Watch,
    drafted,
    embedded,
    passages,
    watching,
)
from docqa.ingest.reading import parse, text_layer
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.results import PLAIN
from docqa.library import reindex_store
from docqa.library.filenames import clean_name, unique_name
from docqa.library.files import content_id, in_scratch
from docqa.library.upkeep import clear_away
from docqa.models.load import with_layout
from docqa.types.document import Block, Document, FileKind, PageHealth, kind_of
from docqa.types.progress import AddResult, Progress, Stage

log = logging.getLogger(__name__)

POLL_SECONDS = 0.1
RECUTS = 20  # times at most that passages are cut anew while a document's pages go through OCR

# What is not quick to take over does not keep the others waiting.
_ACCEPTING = ("accepting", "accepting by Docling")
LAYERED = ("pdf", "txt")  # kinds whose text is there without Docling

Step = Callable[[str, Watch], None]  # of the document of that id


class Additions:
    """The steps under way, and what becomes of each file."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._catalog = resources.catalog
        names = (*_ACCEPTING, "reading", "embedding")
        self._turns = {name: threading.Lock() for name in names}
        self._pools: dict[str, ThreadPool] = {}
        self._pending: dict[str, list[AsyncResult[Any]]] = {}  # by document id
        self._scans: dict[str, AsyncResult[Any]] = {}  # the last page asked of OCR, by document id
        self._progress: dict[str, Progress] = {}  # by document id
        self._facts: dict[str, Sequence[PageFacts]] = {}  # by document id, until it is read
        self._asking = threading.Lock()  # while a step is queued: none is once it closes
        self._closing = threading.Event()

    # From outside

    def add(
        self,
        paths: Sequence[Path],
        *,
        names: Sequence[str] | None = None,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        passwords: Mapping[str, str] | None = None,
    ) -> list[AddResult]:
        """Read the files into the library; a bad one is reported and the others go on.

        The text of each can be searched by words within seconds; when this returns, each is
        whole but for pages that wait for OCR, which goes on in the background (see `finish`).
        ``names`` are the names to keep them under where the paths are temporary; ``passwords``
        maps such a name to the password that opens the file. One result for each path, in order.
        """
        self._resources.check_writable()
        watch, passwords = watching(progress, cancelled), passwords or {}
        shown = [clean_name(name) for name in names or [path.name for path in paths]]
        begun = [
            self._begin(path, name, watch, passwords.get(name))
            for path, name in zip(paths, shown, strict=True)
        ]
        results = []
        for each in begun:
            result = self._outcome(each)
            failed = result.status in ("failed", "cancelled")
            stage: Stage = "failed" if failed else "done"
            watch.progress(Progress(result.file, stage, message=result.error))
            results.append(result)
        return results

    def _begin(self, path: Path, name: str, watch: Watch, password: str | None) -> AddResult:
        """Take a file's text layer over, and have the next step done where there is one.

        Nothing is raised for a bad file: the result says what became of it.
        """
        try:
            document, is_new = self._accepted(path, name, watch, password)
        except DocqaError as error:
            return _failure(name, error)
        self._continue(document, watch)
        return AddResult(name, "added" if is_new else "already there", document)

    def resume(self) -> None:
        """Go on, in the background, with whatever is not read, embedded or OCRed yet."""
        for document in self._catalog.documents():
            self._continue(document, UNWATCHED)

    def under_way(self) -> list[Progress]:
        """How far each document is that something is being done with, or that cannot go on."""
        return list(self._progress.values())

    def finish(self, *, progress: Callable[[Progress], None] = UNWATCHED.progress) -> None:
        """Resume, and wait until nothing is left to do, OCR included.

        Raises `LibraryReadOnly`.
        """
        self._resources.check_writable()
        self.resume()
        while any(not each.ready() for each in self._steps()):
            for latest in self.under_way():
                progress(latest)
            time.sleep(POLL_SECONDS)

    def keep_upload(self, content: bytes, kind: FileKind = "pdf") -> Path:
        """A file's bytes in a folder of their own in the library; whoever asks removes it.

        What is left there by a process that was killed is deleted when the library is opened.
        Raises `LibraryUnusable` and `LibraryReadOnly`.
        """
        self._resources.check_writable()
        return in_scratch(self._resources.folder, content, kind)

    def restore(self, document_id: str, index: int) -> None:
        """Bring back a passage that was left out: the one at ``index`` (from 0) in
        `DocumentContents.discards`.

        It is embedded, indexed, and kept whenever passages are cut anew. Raises
        `UnknownDocument`, and IndexError where nothing is left out there.
        """
        self._catalog.document(document_id)
        left_out = self._catalog.discards(document_id)[index]
        self._catalog.restore(document_id, left_out.text)
        self.recut(document_id)

    def recut(self, document_id: str) -> None:
        """Cut passages anew, as what the catalog holds of them asks; vectors for those changed.

        A document that has been removed is left alone.
        """
        with self._turn("reading"), self._turn("embedding"):
            document = self._find(document_id)
            if document is not None:
                self._recut(document, UNWATCHED)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Nothing is accepted, read or embedded in this block; what is under way ends before."""
        with ExitStack() as turns:
            for name in self._turns:
                turns.enter_context(self._turn(name))
            yield

    def rebuild_index(self) -> None:
        """Make the vector index anew from the catalog, while nothing is added."""
        with self.paused(), self._resources.writing:
            self._resources.rebuild_index()

    def close(self) -> None:
        """Break off what is being done; it is taken up again by `resume`, in another process."""
        with self._asking:
            self._closing.set()
        for step in self._steps():
            step.wait()
        for pool in self._pools.values():
            pool.terminate()

    # Taking a file over

    def _accepted(
        self, path: Path, name: str, watch: Watch, password: str | None
    ) -> tuple[Document, bool]:
        """The document the file is in the library, and whether it is new there."""
        watch.check(name)
        kind = kind_of(path.name)
        with self._turn(_ACCEPTING[kind not in LAYERED], watch, name):
            document_id = content_id(path)
            known = {each.id: each for each in self._catalog.documents()}
            if document_id in known:
                self._resources.files.put(path)  # in case the library's copy is lost or damaged
                if password:
                    self._resources.passwords.setdefault(document_id, password)
                return known[document_id], False
            skimmed = self._resources.reader.skim(
                path,
                name,
                settings=self._resources.settings,
                password=password,
                cancelled=lambda: self._closing.is_set() or watch.cancelled(),
            )
            if password:
                self._resources.passwords[document_id] = password
            document = Document(
                id=document_id,
                name=unique_name(name, {each.name for each in known.values()}),
                page_count=len(skimmed.facts),
                added=datetime.now(UTC).isoformat(timespec="seconds"),
                size=path.stat().st_size,
                title=skimmed.parsed.title,
                engine=skimmed.parsed.engine,
                warnings=skimmed.parsed.warnings,
                state="text",
                kind=kind,
                parser=parse.version_of(kind),
            )
            parsed = skimmed.parsed
            if kind == "pdf":
                self._facts[document_id] = skimmed.facts
            draft = drafted(
                document, parsed.blocks, parsed.health, settings=self._resources.settings
            )
            with self._resources.writing, self._resources.opening:
                self._catalog.begin(document_id)
                self._resources.files.put(path)
                save_prepared(self._catalog, draft)
            return draft.document, True

    def _outcome(self, begun: AddResult) -> AddResult:
        """What became of a file once all is done for it but OCR."""
        if begun.document is None:
            return begun
        document, is_new = begun.document, begun.status == "added"
        try:
            self._wait_for(document.id)
            done = self._current(document.id, begun.file)
        except DocqaError as error:
            given_up = isinstance(error, FileError) and not self._closing.is_set()
            if is_new and given_up:
                self._drop(document.id)
            return _failure(begun.file, error)
        if is_new:
            log.info(
                "Added %s: %d pages, %d passages, %d bytes",
                done.id[:8],
                done.page_count,
                done.chunk_count,
                done.size,
            )
        return replace(begun, document=done)

    def _wait_for(self, document_id: str) -> None:
        """Until the document is embedded. Raises what a step raised."""
        steps = self._pending.get(document_id, [])
        for step in steps:  # each adds the next one to the list before it ends
            while not step.ready():
                step.wait(POLL_SECONDS)  # a wait without end could not be interrupted on Windows
            step.get()

    def _drop(self, document_id: str) -> None:
        with self._resources.writing:
            index = self._resources.index
            self._catalog.remove(document_id)
            clear_away(self._catalog, index, self._resources.files)
        self._progress.pop(document_id, None)

    # The steps

    def _continue(self, document: Document, watch: Watch) -> None:
        """Have the document's next step done, where there is one and none is under way."""
        if document.is_whole:
            return
        steps = [*self._pending.get(document.id, ()), self._scans.get(document.id)]
        if all(step is None or step.ready() for step in steps):
            self._pending[document.id] = []
            self._later(document.id, "reading", self._read, watch)

    def _later(self, document_id: str, kind: str, step: Step, watch: Watch) -> None:
        """Have a step done after those of its kind that wait already."""
        todo = self._asked(document_id, kind, step, watch)
        if todo is not None:
            self._pending[document_id].append(todo)

    def _later_by_ocr(self, document_id: str) -> None:
        todo = self._asked(document_id, "reading", self._read_by_ocr, UNWATCHED)
        if todo is not None:
            self._scans[document_id] = todo

    def _asked(
        self, document_id: str, kind: str, step: Step, watch: Watch
    ) -> "AsyncResult[Any] | None":
        with self._asking:
            if self._closing.is_set():
                return None
            if kind not in self._pools:
                self._pools[kind] = ThreadPool(1)
            asked = (kind, document_id, step, watch)
            return self._pools[kind].apply_async(self._step, asked, error_callback=_log_fault)

    def _steps(self) -> "list[AsyncResult[Any]]":
        pending = [step for steps in list(self._pending.values()) for step in list(steps)]
        return [*pending, *list(self._scans.values())]

    def _step(self, kind: str, document_id: str, step: Step, watch: Watch) -> None:
        """One step, alone of its kind; an error is also told to whoever looks at the library."""

        def follow(latest: Progress) -> None:
            self._progress[document_id] = latest
            watch.progress(latest)

        def stopped() -> bool:
            return self._closing.is_set() or watch.cancelled() or self._find(document_id) is None

        followed = Watch(follow, stopped)
        try:
            with self._turn(kind, followed):
                step(document_id, followed)
        except DocqaError as error:
            self._progress.pop(document_id, None)
            document = self._find(document_id)
            if document is not None and not isinstance(error, ReadingCancelled):
                failed = Progress(document.name, "failed", message=str(error))
                self._progress[document_id] = failed
            raise
        self._progress.pop(document_id, None)

    def _read(self, document_id: str, watch: Watch) -> None:
        """The structure of a document in place of its plain text, then on to its vectors."""
        document = self._current(document_id)
        if document.state == "text":
            read, blocks, health = self._structure(document, watch)
            waiting = sum(page.waiting for page in health)
            read = replace(read, state="read", waiting_pages=waiting)
            self._replace(self._cut(read, blocks, health))
        self._later(document_id, "embedding", self._embed, watch)

    def _cut(
        self, document: Document, blocks: Sequence[Block], health: Sequence[PageHealth]
    ) -> Prepared:
        return passages(
            document,
            blocks,
            health,
            encoder=self._resources.encoder,
            settings=self._resources.recorded_settings(),
            restored=self._catalog.restored(document.id),
            notes=self._catalog.notes(document.id),
        )

    def _structure(
        self, document: Document, watch: Watch
    ) -> tuple[Document, list[Block], list[PageHealth]]:
        """The document with what reading it told, its blocks, and the health of its pages."""
        kept = self._catalog.blocks(document.id), self._catalog.health(document.id)
        if document.kind != "pdf":
            return document, *kept  # it was read whole when it was taken over
        try:
            facts = self._facts.pop(document.id, ())
            parsed = self._resources.read(document, watch, facts=facts)
        except (ReadingCancelled, PasswordNeeded):
            raise
        except FileError as error:
            if not document.chunk_count:
                raise
            blocks, health = kept
            plain = [replace(page, warnings=(*page.warnings, PLAIN)) for page in health]
            return _as_plain(document, error), blocks, plain
        return with_reading(document, parsed), list(parsed.blocks), list(parsed.health)

    def _replace(self, prepared: Prepared) -> None:
        """Put a document as it was prepared in place of what it is in the library."""
        document = prepared.document
        with self._resources.writing:
            now = self._current(document.id)
            reindex_store.forget(self._resources.folder, document.id)
            if prepared.vectors is not None:
                ids = [chunk.id for chunk in prepared.chunks]
                self._index(document.id, ids, prepared.vectors)
            named = replace(document, name=now.name, tags=now.tags)
            save_prepared(self._catalog, replace(prepared, document=named))
        self._catalog.tables(document.id)  # made while its blocks are at hand, and kept

    def _index(self, document_id: str, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        index = self._resources.index  # brought in line with the journal before the next line
        self._catalog.begin(document_id)
        index.add(document_id, ids, vectors)

    def _embed(self, document_id: str, watch: Watch) -> None:
        """The vectors of a document that has been read, then on to its OCR."""
        document = self._current(document_id)
        if document.state == "read":
            texts = [each.embedded_text for each in self._catalog.document_chunks(document_id)]
            vectors = np.zeros((0, self._resources.encoder.dimensions), np.float32)
            if texts:
                report = watch.stage(document.name, "embedding")
                vectors = self._resources.encoder.encode(texts, progress=report)
            watch.progress(Progress(document.name, "saving"))
            with self._resources.writing:
                now = self._current(document_id)
                ids = [chunk.id for chunk in self._catalog.document_chunks(document_id)]
                self._index(document_id, ids, vectors)
                self._catalog.save_vectors(replace(now, state="complete"), vectors)
        if document.waiting_pages:
            self._later_by_ocr(document_id)

    def _read_by_ocr(self, document_id: str, watch: Watch) -> None:
        """One waiting page by OCR; the next one queues behind the files that came meanwhile."""
        document = self._current(document_id)
        health = self._catalog.health(document_id)
        scans = [page for page in health if page.waiting or page.source == "OCR"]
        waiting = [page for page in health if page.waiting]
        if not waiting:
            return
        done = len(scans) - len(waiting)
        watch.progress(Progress(document.name, "OCR", done, len(scans)))
        page = self._read_scan(document, waiting[0], watch)
        left = replace(self._current(document_id), waiting_pages=len(waiting) - 1)
        if page.warnings:
            remarks = [f"Page {page.page}: {text}." for text in page.warnings]
            left = replace(left, warnings=(*left.warnings, *remarks))
        with self._resources.writing:
            self._current(document_id)
            self._catalog.amend(left)
        if not left.waiting_pages or (done + 1) % max(1, len(scans) // RECUTS) == 0:
            self._recut(left, watch)
        if left.waiting_pages:
            self._later_by_ocr(document_id)

    def _read_scan(self, document: Document, page: PageHealth, watch: Watch) -> PageHealth:
        """Read a page into the catalog; its health comes back, which tells where it failed."""
        try:
            parsed = self._resources.reader.read_page(
                self._resources.files.path(document.id),
                document.name,
                page.page,
                settings=with_layout(self._resources.settings),
                password=self._resources.passwords.get(document.id),
                cancelled=watch.cancelled,
            )
        except (ReadingCancelled, PasswordNeeded):
            raise
        except FileError as error:
            log.warning("OCR of a page failed: %s", type(error).__name__)
            read = replace(page, waiting=False, warnings=("OCR failed on this page",))
            blocks = self._catalog.blocks(document.id, page.page)
        else:
            [read], blocks = parsed.health, list(parsed.blocks)
        with self._resources.writing:
            self._catalog.save_page(self._current(document.id), read, blocks)
        return read

    def _recut(self, document: Document, watch: Watch) -> None:
        """Passages anew from the blocks there are; vectors are made for those that changed."""
        blocks, health = self._catalog.blocks(document.id), self._catalog.health(document.id)
        try:
            cut = self._cut(document, blocks, health)
        except NoText as error:
            self._catalog.amend(replace(document, warnings=(*document.warnings, str(error))))
            return
        known = self._catalog.vectors_by_text(document.id)
        self._replace(embedded(cut, encoder=self._resources.encoder, watch=watch, known=known))

    # Turns, and who is there

    @contextmanager
    def _turn(self, kind: str, watch: Watch | None = None, name: str = "") -> Iterator[None]:
        """Alone of its kind; whoever waits can be told to stop."""
        while not self._turns[kind].acquire(timeout=POLL_SECONDS):
            if watch is not None:
                watch.check(name)
        try:
            yield
        finally:
            self._turns[kind].release()

    def _current(self, document_id: str, name: str = "") -> Document:
        """The document as it is now. Raises `ReadingCancelled` where it has been removed."""
        found = self._find(document_id)
        if found is None:
            raise ReadingCancelled(name or "The file")
        return found

    def _find(self, document_id: str) -> Document | None:
        try:
            return self._catalog.document(document_id)
        except UnknownDocument:
            return None


def _as_plain(document: Document, error: FileError) -> Document:
    """A document of which no more than its plain text could be read, as ``error`` says."""
    warning = f"{error} Its plain text is kept, without tables and headings."
    if not isinstance(error, ReaderNotStarted):
        return replace(document, warnings=(warning,))
    again = "The Library page can read it again."
    return replace(document, engine=text_layer.UNREAD, warnings=(f"{warning} {again}",))


def _failure(name: str, error: DocqaError) -> AddResult:
    if isinstance(error, ReadingCancelled):
        return AddResult(name, "cancelled", error=str(error))
    log.info("A file was not added: %s", type(error).__name__)
    return AddResult(name, "failed", error=str(error))


def _log_fault(error: BaseException) -> None:
    if not isinstance(error, DocqaError):
        log.error("A step of reading failed: %s", type(error).__name__)
