"""Cells of a review filled in the background: one after the other, each kept as it is found."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

from docqa.app.ask import ask
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.app.review_table import version_of
from docqa.app.shared_passages import shared_passages
from docqa.compare.statements import compare_statements
from docqa.compare.tables import Side
from docqa.compare.terms import Sentence, sentences_of, side_of, whole_clause
from docqa.errors import (
    BudgetReached,
    ConnectionLost,
    DocqaError,
    KeyRefused,
    LibraryError,
    NoKey,
    NotAMessagesServer,
    Overloaded,
    PriceUnknown,
    RateLimited,
    UnknownModel,
)
from docqa.review.lines import printed_lines
from docqa.review.particulars import particulars
from docqa.review.parties import naming_parties
from docqa.review.proposals import proposed, topics_for, unfilled, without_text
from docqa.settings import Settings
from docqa.types.answer import Answer
from docqa.types.comparison import FigureComparison
from docqa.types.document import Block, Document
from docqa.types.review import Column, FillProgress, Proposal
from docqa.types.search import Hit

log = logging.getLogger(__name__)

# Two documents at a time on two processors; more threads only wait for the networks' own.
WORKERS = max(1, min(4, os.cpu_count() or 1))
PAUSE = 1.0  # seconds that a person's click has the processors for
UNFORESEEN = "This cell could not be filled; the log file of the library says why. Run it again."

# What every further cell would meet too: filling stops and says so, and the cell stays empty.
STOPPING = (
    LibraryError,
    NoKey,
    KeyRefused,
    UnknownModel,
    RateLimited,
    Overloaded,
    ConnectionLost,
    BudgetReached,
    PriceUnknown,
    NotAMessagesServer,
)


@dataclass(frozen=True, slots=True)
class Means:
    """What cells are filled with: an answerer ("extractive" or "claude"), its settings and key."""

    answerer: str
    settings: Settings
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Job:
    """A cell to be filled; although it was, where ``again`` says with what."""

    document: Document
    column: Column
    again: Means | None = None

    @property
    def place(self) -> tuple[str, str]:
        return self.document.id, self.column.id


class Texts:
    """What was read of one document, each once, for the thread that fills its row."""

    def __init__(self, resources: Resources, document: Document) -> None:
        self.resources, self.document = resources, document
        self._shared: tuple[Hit, ...] | None = None

    @cached_property
    def blocks(self) -> Sequence[Block]:
        return self.resources.catalog.blocks(self.document.id)

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        return sentences_of(self.blocks)

    @cached_property
    def side(self) -> Side:
        by_index = {block.index: block for block in self.blocks}
        tables = self.resources.catalog.tables(self.document.id)
        return Side(self.document, by_index, tables)

    @cached_property
    def statements(self) -> Sequence[FigureComparison]:
        """The lines of its primary statements."""
        return compare_statements([self.side], "")

    def shared(self, columns: Sequence[Column], settings: Settings, key: str) -> tuple[Hit, ...]:
        """What its questions are given together, settled with the first of them."""
        if self._shared is None:
            self._shared = shared_passages(self.resources, self.document, columns, settings, key)
        return self._shared


def proposal(texts: Texts, column: Column, means: Means, row: Sequence[Column]) -> Proposal:
    """What is proposed for one cell. Raises `STOPPING`; any other failure is the cell's own.

    ``row`` are the questions that a model is asked of the document, this one among them.
    """
    try:
        made = _found(texts, column, means, row)
    except STOPPING:
        raise
    except DocqaError as error:
        made = unfilled(column, str(error))
    except Exception:
        # A cell that fails costs itself alone, whatever a damaged document brings about.
        log.exception("A cell of a review failed")
        made = unfilled(column, UNFORESEEN)
    return replace(
        made, version=version_of(texts.document), at=datetime.now(UTC).isoformat(timespec="seconds")
    )


def _found(texts: Texts, column: Column, means: Means, row: Sequence[Column]) -> Proposal:
    answerer, settings, key = means.answerer, means.settings, means.key
    resources, document = texts.resources, texts.document
    if reason := without_text(document):
        return unfilled(column, reason)
    shared = texts.shared(row, settings, key) if answerer == "claude" else ()
    request = Request(
        column.question, settings, key, (document.id,), None, answerer, (), shared=shared
    )
    *_, answer = ask(resources, request)
    assert isinstance(answer, Answer)
    if answerer == "claude":
        return proposed(answer, column)
    side, said = texts.side, texts.sentences
    rows = (
        *printed_lines(column, texts.statements),
        *particulars(column, side),
        *naming_parties(column, side, said),
    )
    topics = topics_for(column)
    settling = [side_of(each, document, said, resources.meaning) for each in topics]
    sides = settling
    if column.kind == "clause":
        pairs = zip(settling, topics, strict=True)
        sides = [whole_clause(side, topic, said) for side, topic in pairs]
    sentences = [each.quote for each in settling]
    return proposed(answer, column, rows=rows, sides=sides, settling=sentences)


class Filling:
    """The cells of one review on their way; ends by itself when there are no more.

    ``open_cells()`` are those that are empty and can be filled now, in the order of the table;
    ``keep(job, proposal)`` keeps one at once. No cell is given out twice at a time. ``means`` fill
    all but those that are to be filled again with others.
    """

    def __init__(
        self,
        resources: Resources,
        means: Means,
        *,
        open_cells: Callable[[], Iterable[Job]],
        keep: Callable[[Job, Proposal], object],
        ended: Callable[["Filling"], None],
    ) -> None:
        self._resources = resources
        self._open_cells, self._keep, self._ended = open_cells, keep, ended
        self.means = means
        self._lock = threading.Lock()
        self._waiting: dict[tuple[str, str], Job] = {}
        self._busy: dict[tuple[str, str], Means] = {}  # by the cell's place
        self._tried: set[tuple[str, str, str, str]] = set()
        self._first: tuple[str, ...] = ()  # documents that are looked at
        self._cancelled = threading.Event()
        self._paused_until = 0.0
        self._started = time.monotonic()
        self._done = 0
        self.stopped = ""
        self.add(open_cells())
        self._thread = threading.Thread(target=self._run, name="docqa-review", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def add(self, jobs: Iterable[Job]) -> None:
        """Fill these too, those that are to be filled again before all others."""
        with self._lock:
            for job in jobs:
                if job.again or (job.place not in self._waiting and job.place not in self._busy):
                    self._waiting[job.place] = job

    def prefer(self, document_ids: Sequence[str]) -> None:
        """Fill the rows of these documents next, in this order."""
        self._first = tuple(document_ids)

    def give_way(self) -> None:
        """Begin no further cell for a moment, in which a person's click is answered."""
        self._paused_until = time.monotonic() + PAUSE

    def cancel(self) -> None:
        """Begin no further cell."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> None:
        self._thread.join(seconds)

    def progress(self) -> FillProgress:
        with self._lock:
            done, left = self._done, len(self._waiting) + len(self._busy)
        spent = time.monotonic() - self._started
        seconds = spent / done * left if done >= 3 else None
        return FillProgress(self.running, done, done + left, seconds, self.stopped)

    def _run(self) -> None:
        workers = [threading.Thread(target=self._work, daemon=True) for _ in range(WORKERS)]
        for each in workers:
            each.start()
        for each in workers:
            each.join()
        self._ended(self)

    def _work(self) -> None:
        texts: Texts | None = None
        try:
            while taken := self._next(texts.document.id if texts else ""):
                job, means = taken
                if texts is None or texts.document != job.document:
                    texts = Texts(self._resources, job.document)
                self._fill(job, means, texts)
        except DocqaError as error:
            self.stopped = str(error)
            self._cancelled.set()

    def _fill(self, job: Job, means: Means, texts: Texts) -> None:
        try:
            row = self._row_of(job, means)
            self._keep(job, proposal(texts, job.column, means, row))
        finally:
            with self._lock:
                self._busy.pop(job.place, None)
                self._tried.add(_attempt(job))
                self._done += 1

    def _row_of(self, job: Job, means: Means) -> list[Column]:
        """The question, and those of the same document that wait for the same means."""
        with self._lock:
            waiting = list(self._waiting.values())
        same = [each for each in waiting if each.document.id == job.document.id]
        return [job.column, *(e.column for e in same if (e.again or self.means) == means)]

    def _next(self, last: str) -> tuple[Job, Means] | None:
        """The next cell, and with what: to be filled again, of a row that is looked at, of the same
        row as the last one, of a row that nobody works on, or the first.

        A model's server is asked one thing at a time, so that a budget stops between cells.
        """
        while (left := self._paused_until - time.monotonic()) > 0:  # another click renews it
            if self._cancelled.wait(left):
                break
        if self._cancelled.is_set():
            return None
        with self._lock:
            if not self._waiting:
                self._look_again()
            model_busy = any(means.answerer == "claude" for means in self._busy.values())
            free = [
                job
                for job in self._waiting.values()
                if job.place not in self._busy
                and not (model_busy and (job.again or self.means).answerer == "claude")
            ]
            if not free:
                return None
            taken = {document_id for document_id, _ in self._busy}
            rank = {key: place for place, key in enumerate(self._first)}

            def order(job: Job) -> tuple[bool, int, bool, bool]:
                key = job.document.id
                return (not job.again, rank.get(key, len(rank)), key != last, key in taken)

            job = min(free, key=order)
            means = job.again or self.means
            del self._waiting[job.place]
            self._busy[job.place] = means
            return job, means

    def _look_again(self) -> None:
        """Take in what became empty meanwhile: a question that was changed, a document read."""
        for job in self._open_cells():
            if job.place not in self._busy and _attempt(job) not in self._tried:
                self._waiting[job.place] = job


def _attempt(job: Job) -> tuple[str, str, str, str]:
    return (*job.place, job.column.asked, version_of(job.document))
