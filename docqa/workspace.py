"""The application without a screen: add, remove, search, ask, compare.

Importing this costs no heavy library. Opening a `Workspace` opens the catalog alone; models, the
vector index and the reading process come at first use, or in the background with `warm`.
"""

import logging
import shutil
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from docqa import settings as configuration
from docqa.additions import Additions, held, keep, read_as
from docqa.answer import extractive, notes, steps
from docqa.answer.claude import ANTHROPIC, ClaudeAnswerer
from docqa.answer.costs import Purse
from docqa.answer.events import (
    AnswerEvent,
    Events,
    PassagesFound,
    Search,
    Searching,
    TextDelta,
    relayed,
)
from docqa.answer.evidence import choose_hits
from docqa.answer.notes import Part
from docqa.answer.verify import verify_answer
from docqa.compare import comparison as comparing
from docqa.compare.choose import NO_CHOICE, choose
from docqa.compare.gather import Vectors, counterparts, gather, joined, nearest_to
from docqa.compare.pieces import pieces_of
from docqa.errors import (
    AnswerError,
    AnswerStopped,
    DocqaError,
    EmptyQuestion,
    EncoderMismatch,
    FileError,
    ModelMissing,
    NoDocuments,
    NoKey,
    NoText,
    NothingPasses,
    ReadingCancelled,
    UnknownDocument,
    VectorServerUnreachable,
)
from docqa.ingest import pages, parse
from docqa.ingest.parse import Parsed
from docqa.ingest.suspicion import addresses_a_model, holds_unseen
from docqa.ingest.validate import count_by_reason
from docqa.ingest.worker import ReadingProcess
from docqa.intake import UNWATCHED, Prepared, Watch, cut_as, prepare, recipe, with_scans
from docqa.ledger import Ledger
from docqa.library import aside, vectors
from docqa.library.catalog import Catalog
from docqa.library.filenames import clean_name, unique_name
from docqa.library.files import FileStore, clear_scratch, in_scratch
from docqa.library.lock import LibraryLock
from docqa.library.logfile import LogFile
from docqa.library.upkeep import bring_in_line, clear_away
from docqa.library.vectors import VectorIndex
from docqa.models import (
    Encoder,
    ModelStatus,
    Reranker,
    best_reranker,
    download,
    load_encoder,
    load_reranker,
    model_statuses,
    with_layout,
)
from docqa.retrieve import evaluate as evaluating
from docqa.retrieve import search as retrieval
from docqa.retrieve.evaluate import read_questions
from docqa.retrieve.explain import explain
from docqa.retrieve.filters import told
from docqa.retrieve.glossary import with_own
from docqa.retrieve.names import resolve
from docqa.retrieve.overlap import SharedWords
from docqa.retrieve.plan import NO_FILTERS, make_plan
from docqa.settings import DEFAULTS, Settings
from docqa.types import (
    AddResult,
    Answer,
    Block,
    Choice,
    Chunk,
    Comparison,
    Discard,
    Document,
    Evaluation,
    Evidence,
    Explanation,
    FileKind,
    Filters,
    GoldQuestion,
    Hit,
    Judged,
    Judgement,
    Message,
    NotesEstimate,
    Outgoing,
    PageHealth,
    Progress,
    QueryPlan,
    Scope,
    SearchResult,
    Step,
    Usage,
)

log = logging.getLogger(__name__)

SAMPLES = Path(__file__).parent / "samples"
EXPLAINED_DEPTH = 1000  # candidates among which a passage that was not found is looked for


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A document that was removed, held in memory alone so that it can be put back."""

    prepared: Prepared
    judgements: Sequence[Judgement]
    encoder: str
    content: bytes = field(repr=False)
    password: str = field(repr=False)


class Workspace:
    """One library folder, opened for writing by this process alone.

    Raises `LibraryLocked` where another process has it, `LibraryUnusable` or `LibraryTooNew`
    where it cannot be read. Methods may be called from several threads; files are added one
    after the other.
    """

    def __init__(
        self,
        library: Path,
        settings: Settings = DEFAULTS,
        *,
        reader: ReadingProcess | None = None,
    ) -> None:
        """``reader`` may be shared between workspaces; whoever made it closes it."""
        self.folder = library
        self.settings = settings
        with ExitStack() as opened:
            opened.callback(LibraryLock(library).close)
            clear_scratch(library)
            opened.callback(LogFile(library).close)
            self.catalog = Catalog(library)
            opened.callback(self.catalog.close)
            self._files = FileStore(library)
            self._opened = opened.pop_all()
        self.ledger = Ledger(self.catalog)
        self._writing = threading.Lock()  # for the moment in which a document comes or goes
        self._opening = threading.RLock()
        self._encoder: Encoder | None = None
        self._best_reranker: tuple[str, Reranker] | None = None  # by the name of the best here
        self._index: VectorIndex | None = None
        self._reader = reader
        self._shares_reader = reader is not None
        self._warming: threading.Thread | None = None
        self._closing = threading.Event()
        self._clearing = ThreadPoolExecutor(1, thread_name_prefix="docqa-clear")
        self._passwords: dict[str, str] = {}  # by document id; kept in memory only
        self.status = "Models load at the first question."
        self._additions = Additions(
            self,
            folder=library,
            catalog=self.catalog,
            files=self._files,
            passwords=self._passwords,
            writing=self._writing,
            opening=self._opening,
            settings=settings,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the reading process and let go of the library; further calls are not allowed."""
        self._closing.set()
        if self._warming is not None:
            self._warming.join()
        self._additions.close()
        self._clearing.shutdown()
        with self._opening:
            own_reader = None if self._shares_reader else self._reader
            for resource in (own_reader, self._index, self._opened):
                if resource is not None:
                    resource.close()
            # A hundred megabytes, which a screen that holds on to this would keep with it.
            self._encoder = self._best_reranker = None

    # What is opened at first use

    @property
    def encoder(self) -> Encoder:
        """The encoder the library was made with; for a new library, the best on this machine.

        Raises `EncoderMismatch` where the library's is not on this machine.
        """
        with self._opening:
            if self._encoder is None:
                self._encoder = self._open_encoder()
            return self._encoder

    def _open_encoder(self) -> Encoder:
        recorded = self.catalog.get_setting("encoder")
        try:
            encoder = self._encoder_named(recorded)
        except ModelMissing as error:
            best = self._encoder_named(None)
            raise EncoderMismatch(made_with=str(recorded), loaded=best.name) from error
        if recorded is None:
            self._record(encoder)
        return encoder

    def _encoder_named(self, name: str | None) -> Encoder:
        return load_encoder(configuration.models_folder(self.folder), name=name)

    @property
    def _reranker(self) -> Reranker:
        """The best reranker on this machine now: one just downloaded is used at once."""
        best = best_reranker()
        with self._opening:
            if self._best_reranker is None or self._best_reranker[0] != best:
                made = load_reranker(configuration.models_folder(self.folder)) or SharedWords()
                self._best_reranker = best, made
            return self._best_reranker[1]

    @property
    def index(self) -> VectorIndex:
        """The vector index, in line with the catalog: what an ended process left is finished."""
        with self._opening:
            if self._index is None:
                self._index = self._open_in_line(self.encoder)
            return self._index

    def _index_if_there(self) -> VectorIndex | None:
        """The index, or None while the server that keeps it cannot be used."""
        try:
            return self.index
        except VectorServerUnreachable as error:
            log.warning("Searching without the index: %s", error)
            return None

    def _open_in_line(self, encoder: Encoder) -> VectorIndex:
        aside.discard_if_taken_over(self.folder, run=self.catalog.get_setting("reindexed"))
        aside.finish_forgetting(self.folder)
        index = self._open_index(encoder)
        try:
            bring_in_line(self.catalog, index, self._files, progress=self._tell_of_rebuilding)
        except BaseException:
            index.close()
            raise
        return index

    def _tell_of_rebuilding(self, done: int, total: int) -> None:
        self.status = f"Rebuilding the index: {done:,} of {total:,} passages…"

    def _open_index(self, encoder: Encoder) -> VectorIndex:
        try:
            return VectorIndex(self.folder, encoder=encoder.name, dimensions=encoder.dimensions)
        except EncoderMismatch:
            # The catalog says which encoder holds, so the index is from before a re-indexing.
            vectors.discard(self.folder)
            return VectorIndex(self.folder, encoder=encoder.name, dimensions=encoder.dimensions)

    def _clear_away(self) -> None:
        with self._writing:
            clear_away(self.catalog, self.index, self._files)

    @property
    def reader(self) -> ReadingProcess:
        with self._opening:
            if self._reader is None:
                self._reader = ReadingProcess()
            return self._reader

    def warm(self) -> threading.Thread:
        """Load what the first question and the first file need, in the background."""
        self._warming = threading.Thread(target=self._warm, name="docqa-warm", daemon=True)
        self._warming.start()
        return self._warming

    def _warm(self) -> None:
        steps: Sequence[tuple[str, Callable[[], object]]] = (
            ("Loading the search model…", lambda: self.encoder.encode_query("ready")),
            ("Opening the index…", lambda: self.index.count()),
            ("Starting the reader…", lambda: self.reader.start()),
            ("Ready.", self._additions.resume),
        )
        try:
            for status, step in steps:
                if self._closing.is_set():
                    return
                self.status = status
                step()
            self.status = "Ready."
        except DocqaError as error:
            self.status = str(error)

    # Documents

    def documents(self) -> list[Document]:
        """Every document in the library, in the order they were added."""
        return self.catalog.documents()

    def document(self, name_or_id: str) -> Document:
        """The document of that id, or the one the name means.

        Raises `UnknownDocument` or `AmbiguousDocument`.
        """
        documents = self.documents()
        by_id = {document.id: document for document in documents}
        return by_id.get(name_or_id) or resolve(name_or_id, documents)

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
        watch = Watch(progress or UNWATCHED.progress, cancelled or UNWATCHED.cancelled)
        shown = [clean_name(name) for name in names or [path.name for path in paths]]
        begun = [
            (name, self._additions.begin(path, name, watch, (passwords or {}).get(name)))
            for path, name in zip(paths, shown, strict=True)
        ]
        results = []
        for name, settled in begun:
            result = settled()
            watch.progress(Progress(name, _end_of(result), message=result.error))
            results.append(result)
        return results

    def finish(self, *, progress: Callable[[Progress], None] | None = None) -> None:
        """Wait until every document is read to its end, those of earlier sessions and OCR too."""
        self._additions.resume()
        self._additions.settle(progress or UNWATCHED.progress)

    def under_way(self) -> list[Progress]:
        """How far each document is that is being read, embedded or OCRed at the moment."""
        return self._additions.under_way()

    def restore(self, document_id: str, index: int) -> None:
        """Bring back a passage that was left out: the one at ``index`` (from 0) in `discards`.

        It is embedded, indexed, and kept whenever passages are cut anew. Raises
        `UnknownDocument`, and IndexError where nothing is left out there.
        """
        self._known(document_id)
        self._additions.restore(document_id, self.discards(document_id)[index].text)

    def _known(self, document_id: str) -> Document:
        known = {document.id: document for document in self.documents()}
        if document_id not in known:
            raise UnknownDocument(document_id)
        return known[document_id]

    def _cut_as_recorded(self) -> Settings:
        """Passages are made as the library's others are, until it is indexed again."""
        return cut_as(self.catalog.get_setting("recipe") or "{}", self.settings)

    def reindex(
        self,
        *,
        encoder: str | None = None,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> str:
        """Cut and embed every document again, with the named encoder or the best there is.

        Those that an earlier version of the parser has read, or that were read before the layout
        network was here, are read again before. Until all of
        it is done the library stays as it was; what was done before it was broken off is not done
        again. ``progress`` is told of pages, over all documents. The name of the encoder comes
        back. Raises `ModelMissing`, and `ReadingCancelled` when told to stop.
        """
        chosen = self._encoder_named(encoder)
        watch = Watch(progress or UNWATCHED.progress, cancelled or UNWATCHED.cancelled)
        wanted = f"{recipe(chosen.name, self.settings)} {parse.VERSION}"
        wanted += f" {parse.SEEING}" if self._sees() else ""
        with self._additions.paused():
            with aside.opened(self.folder, recipe=wanted) as done:
                self._set_aside(done, chosen, watch)
                while not self._take_over(done, chosen):
                    self._set_aside(done, chosen, watch)
            aside.discard(self.folder)
            self.index.count()  # built anew
        log.info("Indexed again with %s: %d passages", chosen.name, self.catalog.chunk_count())
        return chosen.name

    def _set_aside(self, done: Catalog, encoder: Encoder, watch: Watch) -> None:
        """Cut and embed the documents that are not there yet."""
        documents, there = self._complete(), _ids(done)
        total, before = sum(document.page_count for document in documents), 0
        for document in documents:
            if document.id not in there:
                within = watch.within(document, before=before, total=total)
                keep(done, self._prepared(document, encoder, within))
            before += document.page_count

    def _prepared(self, document: Document, encoder: Encoder, watch: Watch) -> Prepared:
        """A document cut and embedded as it would be read now, or as it was read."""
        made = partial(
            prepare,
            encoder=encoder,
            settings=self.settings,
            watch=watch,
            restored=self.catalog.restored(document.id),
            notes=self.catalog.notes(document.id),
        )
        try:
            return made(*self._as_read_now(document, watch))
        except NoText as error:
            log.warning("Reading a document again gave no text: %s", type(error).__name__)
            return made(document, self.blocks(document.id), self.health(document.id))

    def _as_read_now(
        self, document: Document, watch: Watch
    ) -> tuple[Document, list[Block], list[PageHealth]]:
        """What the present parser makes of a document; what there is, where it cannot be read."""
        blocks, health = self.blocks(document.id), self.health(document.id)
        fell_back = document.engine == parse.FELL_BACK and self._sees()
        if not (fell_back or self._is_read_otherwise(document)):
            return document, blocks, health
        if not self._files.is_whole(document.id):
            return document, blocks, health
        try:
            parsed = self._read_anew(document, watch)
        except ReadingCancelled:
            raise
        except FileError as error:
            log.warning("A document could not be read again: %s", type(error).__name__)
            return document, blocks, health
        again, now = with_scans(parsed, blocks, health)
        waiting = sum(page.waiting for page in now)
        read = replace(read_as(document, parsed), page_count=len(now), waiting_pages=waiting)
        return read, again, now

    def _read_anew(self, document: Document, watch: Watch) -> Parsed:
        path, name = self._files.path(document.id), document.name
        if document.kind != "pdf":
            return self.reader.skim(
                path, name, settings=self.settings, cancelled=watch.cancelled
            ).parsed
        return self.reader.read(
            path,
            name,
            settings=with_layout(self.settings),
            password=self._passwords.get(document.id),
            progress=watch.stage(name, "reading"),
            cancelled=watch.cancelled,
        )

    def _take_over(self, done: Catalog, encoder: Encoder) -> bool:
        """Make what was set aside the library's, unless documents have come meanwhile."""
        with self._writing, self._opening:
            documents = self._complete()
            if not {document.id for document in documents} <= _ids(done):
                return False
            with self.catalog.together():
                for document in documents:
                    read = done.document(document.id)
                    named = replace(read, name=document.name, tags=document.tags)
                    keep(self.catalog, held(done, named))
                    self.catalog.begin(document.id)  # until its vectors are these too
                self._record(encoder)
                self.catalog.set_setting("reindexed", str(done.get_setting(aside.RUN)))
            if self._index is not None:
                self._index.close()
            vectors.discard(self.folder)
            self._encoder, self._index = encoder, None
        return True

    def _complete(self) -> list[Document]:
        """The documents that have vectors; the others get theirs when they have been read."""
        return [document for document in self.documents() if document.state == "complete"]

    def _record(self, encoder: Encoder) -> None:
        self.catalog.set_setting("encoder", encoder.name)
        self.catalog.set_setting("recipe", recipe(encoder.name, self.settings))

    def remove(self, document_id: str, *, with_quotes: bool = False) -> int:
        """Delete a document: text, keyword rows, vectors and file. Raises `UnknownDocument`.

        ``with_quotes`` also deletes the answers that quote it; how many those were comes back.
        """
        taken_out = self._take_out(document_id)
        quotes = self.catalog.remove_quotes(document_id) if with_quotes else 0
        taken_out.result()
        log.info("Removed %s and %d answers", document_id[:8], quotes)
        return quotes

    def _take_out(self, document_id: str) -> "Future[None]":
        """A document is gone when this returns, and all that was kept of it when that is done."""
        self._known(document_id)
        with self._writing:
            _ = self.index  # where it cannot be opened, nothing is removed
            aside.forget(self.folder, document_id)
            self.catalog.remove(document_id)
            self._files.remove(document_id)
        return self._clearing.submit(self._clear_away)

    def withdraw(self, document_id: str) -> Withdrawn:
        """Take a document out, and hold it in memory for `put_back`. Raises `UnknownDocument`.

        Its traces on disk are overwritten in the background, which `close` waits for.
        """
        prepared = held(self.catalog, self._known(document_id))
        judged = [each for each in self.catalog.judgements() if each.document_id == document_id]
        path = self._files.path(document_id)
        content = path.read_bytes() if path.exists() else b""
        password = self._passwords.pop(document_id, "")
        self._take_out(document_id).add_done_callback(_log_unfinished)
        return Withdrawn(prepared, judged, self.encoder.name, content, password)

    def put_back(self, withdrawn: Withdrawn) -> None:
        """Bring a withdrawn document back as it was; what is in the library already stays."""
        prepared = withdrawn.prepared
        document = prepared.document
        with self._writing:
            if document.id in {each.id for each in self.documents()}:
                return
            if prepared.vectors is not None and withdrawn.encoder != self.encoder.name:
                prepared = prepare(
                    document,
                    prepared.blocks,
                    prepared.health,
                    encoder=self.encoder,
                    settings=self._cut_as_recorded(),
                    watch=UNWATCHED,
                    notes={each.text: each.note for each in prepared.chunks},
                )
            self.catalog.begin(document.id)
            self._put_file_back(withdrawn.content, document.kind)
            if prepared.vectors is not None:
                ids = [chunk.id for chunk in prepared.chunks]
                self.index.add(document.id, ids, prepared.vectors)
            keep(self.catalog, prepared)
            notes = {each.text: each.note for each in withdrawn.prepared.chunks if each.note}
            self.catalog.keep_notes(document.id, notes)
            for judgement in withdrawn.judgements:
                self.catalog.judge(judgement)
        if withdrawn.password:
            self._passwords[document.id] = withdrawn.password
        self._additions.resume()

    def _put_file_back(self, content: bytes, kind: FileKind) -> None:
        if content:
            path = self.keep_upload(content, kind)
            self._files.put(path)
            shutil.rmtree(path.parent)

    def keep_upload(self, content: bytes, kind: FileKind = "pdf") -> Path:
        """A file's bytes in a folder of their own in the library; whoever asks removes it.

        What is left there by a process that was killed is deleted when the library is opened.
        Raises `LibraryUnusable`.
        """
        return in_scratch(self.folder, content, kind)

    def rename(self, document_id: str, name: str, *, tags: Sequence[str] = ()) -> Document:
        """Give a document another name and these tags; a taken name gets a number.

        An empty name leaves the old one. Raises `UnknownDocument`.
        """
        known = {each.id: each for each in self.documents()}
        if document_id not in known:
            raise UnknownDocument(document_id)
        before = known.pop(document_id)
        wanted = clean_name(name) if name.strip() else before.name
        kept = tuple(sorted({" ".join(tag.split()) for tag in tags if tag.strip()}))
        unique = unique_name(wanted, {each.name for each in known.values()})
        document = replace(before, name=unique, tags=kept)
        self.catalog.amend(document)
        return document

    # Questions

    def search(
        self,
        question: str,
        *,
        document_ids: Sequence[str] = (),
        filters: Filters = NO_FILTERS,
        top_k: int | None = None,
        settings: Settings | None = None,
    ) -> SearchResult:
        """The passages that bear on a question, best first, with every stage's score.

        Raises `EmptyQuestion`, `NoDocuments`, and `NothingPasses` where the filters leave none.
        """
        started = time.perf_counter()
        documents = self._searchable(question)
        plan = self._plan(question, documents, document_ids, filters)
        planned = time.perf_counter() - started
        trace = self._traced(plan, top_k=top_k, settings=settings or self.settings)
        if filters != NO_FILTERS and not trace.chosen:
            raise NothingPasses(told(filters))
        timings = {"plan": planned, **trace.timings}
        return SearchResult(plan, trace.chosen, trace.coverage, timings)

    def _plan(
        self,
        question: str,
        documents: Sequence[Document],
        document_ids: Sequence[str],
        filters: Filters,
    ) -> QueryPlan:
        return make_plan(
            question,
            documents=documents,
            document_ids=document_ids,
            filters=filters,
            glossary=with_own(self.glossary),
        )

    @property
    def glossary(self) -> str:
        """The library's own lines of other names for things; "" for none."""
        return self.catalog.get_setting("glossary") or ""

    def set_glossary(self, text: str) -> None:
        """Use these lines from now on, beside docqa's own. Raises `GlossaryUnreadable`."""
        with_own(text)
        self.catalog.set_setting("glossary", text)

    def _traced(
        self, plan: QueryPlan, *, settings: Settings, top_k: int | None = None
    ) -> retrieval.Trace:
        return retrieval.traced(
            plan,
            catalog=self.catalog,
            index=self._index_if_there(),
            encoder=self.encoder,
            settings=settings,
            top_k=top_k,
            reranker=self._reranker if settings.use_reranker else None,
        )

    def why(
        self,
        phrase: str,
        question: str,
        *,
        document_id: str = "",
        page: int = 0,
        document_ids: Sequence[str] = (),
        filters: Filters = NO_FILTERS,
        top_k: int | None = None,
        settings: Settings | None = None,
    ) -> Explanation:
        """Why the question did not find a phrase, or what stands on a page of a document.

        The search is that of `search` with the same arguments. Raises what `search` does, and
        `EmptyQuestion` where there is neither phrase nor page.
        """
        chosen = settings or self.settings
        documents = self._searchable(question)
        if not any(map(str.isalnum, phrase)) and not (document_id and page):
            raise EmptyQuestion
        plan = self._plan(question, documents, document_ids, filters)
        deeper = replace(chosen, candidates=EXPLAINED_DEPTH)
        return explain(
            self._traced(plan, settings=chosen, top_k=top_k),
            catalog=self.catalog,
            phrase=phrase,
            document_id=document_id,
            page=page,
            deeper=self._traced(plan, settings=deeper, top_k=top_k),
        )

    def evaluate(
        self,
        questions: Sequence[GoldQuestion] | Path,
        *,
        scopes: Sequence[Scope] = ("document", "library"),
        settings: Settings | None = None,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Evaluation:
        """How well searches find what answers the questions, or those of a JSON Lines file.

        Each is searched for in its own documents, and in the whole library. ``progress`` is told
        how many searches are done, of how many; told to stop, what was asked so far is judged.
        Raises `QuestionsUnreadable`, `NoDocuments`.
        """
        asked = read_questions(questions) if isinstance(questions, Path) else list(questions)
        if not self.documents():
            raise NoDocuments
        known, skipped = evaluating.known(asked, self.documents())
        runs = [(each, scope) for scope in scopes for each in known if _asked_in(scope, each)]
        judged: list[Judged] = []
        for each, scope in runs:
            if cancelled is not None and cancelled():
                break
            judged.append(self._judged(each, scope, settings or self.settings))
            if progress is not None:
                progress(len(judged), len(runs))
        figures = tuple(evaluating.summed_up(judged, scope=scope) for scope in scopes)
        return Evaluation(figures, tuple(judged), tuple(skipped))

    def _judged(self, asked: GoldQuestion, scope: Scope, settings: Settings) -> Judged:
        ids = {document.name: document.id for document in self.documents()}
        within = [ids[name] for name in asked.sources] if scope == "document" else []
        result = self.search(asked.question, document_ids=within, settings=settings)
        budget = settings.evidence_chars
        if result.plan.intent != "lookup":
            budget = settings.synthesis_evidence_chars
        return evaluating.judge(
            asked,
            result,
            scope=scope,
            evidence=choose_hits(result.hits, max_chars=budget),
            refused=not extractive.holds_an_answer(asked.question, result, settings=settings),
        )

    def _searchable(self, question: str) -> list[Document]:
        if not question.strip():
            raise EmptyQuestion
        documents = self.documents()
        if not documents:
            raise NoDocuments
        return documents

    def ask(
        self,
        question: str,
        *,
        document_ids: Sequence[str] = (),
        conversation_id: str | None = None,
        answerer: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        sides: Sequence[str] | None = None,
    ) -> Events:
        """What happens while a question is answered; the last event is the `Answer`.

        Where the question sets two or three documents against each other they are compared, and
        the last event is the `Comparison`; ``sides`` are their ids where the person has settled
        which, () for no comparison. ``answerer`` is "auto" (Claude where there is a key or
        a server of one's own), "extractive" or "claude". The key is used for this question and
        kept nowhere. How it is stopped, `Events` says. Raises `EmptyQuestion`,
        `NoDocuments` and `NoKey` at once, other `AnswerError`s on the way.
        """
        chosen = settings or self.settings
        key = configuration.api_key() if api_key is None else api_key
        self._searchable(question)
        kind = answerer_kind(answerer, key, chosen)
        choice, settled = NO_CHOICE, sides
        if sides is None:
            choice, settled = self._sides(question, document_ids)
        if settled:
            told = self.compare(
                settled,
                question,
                answerer=kind,
                api_key=key,
                settings=chosen,
                conversation_id=conversation_id,
            )
        else:
            asked = _Asked(question, tuple(document_ids), conversation_id, chosen)
            told = self._answering(asked, kind, key)
        return self._remembering(told, conversation_id, question, choice.reason)

    def compared(self, question: str, document_ids: Sequence[str] = ()) -> Choice:
        """The documents a question sets against each other, among those of these ids (or all).

        None where it compares none; where it cannot be told which, the choice says why.
        """

        def opening(document: Document) -> str:
            return "\n".join(block.text for block in self.blocks(document.id, 1))

        documents = self._chosen(document_ids)
        return choose(question, documents, opening=opening, limit=self.settings.max_compared)

    def _remembering(
        self,
        events: Events,
        conversation_id: str | None,
        question: str,
        notice: str,
    ) -> Events:
        """The events, the last of them with ``notice`` among its warnings and kept."""

        taken: tuple[Step, ...] = ()

        def kept(event: AnswerEvent) -> AnswerEvent:
            nonlocal taken
            taken = steps.after(taken, event)
            if isinstance(event, Answer | Comparison):
                event = replace(event, warnings=tuple(filter(None, (notice, *event.warnings))))
                answer = event if isinstance(event, Answer) else comparing.as_answer(event)
                self._remember(conversation_id, question, answer, taken)
            return event

        return relayed(events, kept)

    def preview(
        self,
        question: str,
        *,
        document_ids: Sequence[str] = (),
        conversation_id: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        sides: Sequence[str] | None = None,
    ) -> Outgoing:
        """What `ask` would send first to the model, word for word; nothing is sent.

        ``sides`` are as in `ask`; where they are given the question may be empty, as in
        `compare`. Raises `EmptyQuestion`, `NoDocuments` and `NoKey`, and what `compare` does.
        """
        chosen = settings or self.settings
        key = configuration.api_key() if api_key is None else api_key
        if not sides:
            self._searchable(question)
        compared = self._sides(question, document_ids)[1] if sides is None else sides
        asked = _Asked(question, tuple(document_ids), conversation_id, chosen)
        with closing(self._claude(chosen, key)) as claude:
            if not compared:
                return claude.preview(question, **self._given(asked))
            events = self.compare(compared, question, answerer="extractive", settings=chosen)
            [made] = [event for event in events if isinstance(event, Comparison)]
            search = self._searcher((), chosen)
            return claude.preview_comparison(made, search=search, read_page=self.blocks)

    def _sides(self, question: str, document_ids: Sequence[str]) -> tuple[Choice, list[str]]:
        """What `compared` says of a question, and the ids it compares for certain."""
        choice = self.compared(question, document_ids)
        return choice, [] if choice.reason else [document.id for document in choice.documents]

    def server_models(
        self, *, api_key: str | None = None, settings: Settings | None = None
    ) -> tuple[str, ...]:
        """The models that the server in the settings offers. Raises `AnswerError`."""
        key = configuration.api_key() if api_key is None else api_key
        with closing(self._claude(settings or self.settings, key)) as claude:
            return claude.models()

    # Notes that a model writes on passages, so that they are found by what they do not say

    def estimate_contexts(
        self, document_ids: Sequence[str] = (), *, settings: Settings | None = None
    ) -> NotesEstimate:
        """What `write_contexts` would take for these documents, or for all; sends nothing."""
        chosen = settings or self.settings
        documents = self._noted(document_ids)
        missing = {document.id: self._without_note(document.id) for document in documents}
        parts = [part for each in documents for part in self._parts(each, missing[each.id])]
        price = self.ledger.prices().get(chosen.small_model)
        tokens, cost = notes.estimate(parts, price=price)
        passages = sum(map(len, missing.values()))
        return NotesEstimate(
            url=chosen.base_url or configuration.server_url() or ANTHROPIC,
            model=chosen.small_model,
            documents=len(documents),
            passages=passages,
            written=sum(document.chunk_count for document in documents) - passages,
            tokens=tokens,
            cost_usd=cost,
        )

    def write_contexts(
        self,
        document_ids: Sequence[str] = (),
        *,
        api_key: str | None = None,
        settings: Settings | None = None,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> int:
        """Have the small model write a note for each passage that has none; how many it wrote.

        The documents' whole text is sent. Each note is kept as it arrives and indexed with its
        passage when its document is done, or when writing ends early: told to stop, or by an
        `AnswerError`, which is raised. Asked for again it goes on with those that are missing.
        Raises `NoKey` at once.
        """
        chosen = settings or self.settings
        key = configuration.api_key() if api_key is None else api_key
        documents, written = self._noted(document_ids), 0
        total = sum(len(self._without_note(document.id)) for document in documents)
        with closing(self._claude(replace(chosen, model=chosen.small_model), key)) as claude:
            for document in documents:
                with closing(self._writing_notes(document, claude)) as arriving:
                    for count in arriving:
                        written += count
                        if progress is not None:
                            progress(written, total)
                        if cancelled is not None and cancelled():
                            return written
        return written

    def _writing_notes(
        self, document: Document, claude: ClaudeAnswerer
    ) -> Generator[int, None, None]:
        """1 for each note that is kept, 0 while waiting; when it ends they are indexed."""
        parts = self._parts(document, self._without_note(document.id))
        try:
            for told in claude.notes(parts):
                if isinstance(told, tuple):
                    self.catalog.keep_notes(document.id, {told[0].text: told[1]})
                yield int(isinstance(told, tuple))
        finally:
            self._index_notes(document.id)

    def _index_notes(self, document_id: str) -> None:
        kept = self.catalog.notes(document_id)
        chunks = self.catalog.document_chunks(document_id)
        if any(chunk.note != kept.get(chunk.text, "") for chunk in chunks):
            self._additions.recut(document_id)

    def _noted(self, document_ids: Sequence[str]) -> list[Document]:
        """Those of the chosen documents that have been read to the end."""
        return [each for each in self._chosen(document_ids) if each.state == "complete"]

    def _without_note(self, document_id: str) -> list[Chunk]:
        kept = self.catalog.notes(document_id)
        chunks = self.catalog.document_chunks(document_id)
        return list({each.text: each for each in chunks if each.text not in kept}.values())

    def _parts(self, document: Document, chunks: Sequence[Chunk]) -> list[Part]:
        return notes.parts_of(document, self.blocks(document.id), chunks) if chunks else []

    def _claude(
        self, settings: Settings, key: str, conversation_id: str | None = None
    ) -> ClaudeAnswerer:
        def spend(usage: Usage) -> None:
            model, talk = settings.model, conversation_id or ""
            self.ledger.note(usage, model=model, conversation_id=talk)

        budget = Decimal(str(settings.budget_usd)) if settings.budget_usd else self.ledger.budget
        return ClaudeAnswerer(
            api_key=key,
            base_url=settings.base_url or configuration.server_url(),
            model=settings.model,
            settings=settings,
            purse=Purse(self.ledger.prices(), budget, self.ledger.today().cost_usd, spend),
        )

    def _given(self, asked: "_Asked") -> dict[str, Any]:
        """What an answerer works with: search, pages, documents, and what was said before."""
        return {
            "search": self._searcher(asked.document_ids, asked.settings),
            "read_page": self.blocks,
            "documents": self._chosen(asked.document_ids),
            "history": self._history(asked.conversation_id, asked.settings),
        }

    def _searcher(self, chosen: tuple[str, ...], settings: Settings) -> Search:
        def search(
            query: str, *, document_ids: Sequence[str] = chosen, top_k: int | None = None
        ) -> SearchResult:
            return self.search(query, document_ids=document_ids, top_k=top_k, settings=settings)

        return search

    def likeness(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """How near in meaning each text is to the question, as a cosine."""
        vectors = self.encoder.encode(list(texts))
        cosines: Sequence[float] = (vectors @ self.encoder.encode_query(question)).tolist()
        return cosines

    def _answering(self, asked: "_Asked", kind: str, key: str) -> Events:
        started = time.perf_counter()
        if kind == "claude":
            claude = self._claude(asked.settings, key, asked.conversation_id)
            events = claude.answer(asked.question, **self._given(asked))
        else:
            events = extractive.answer(
                asked.question,
                search=self._searcher(asked.document_ids, asked.settings),
                settings=asked.settings,
                likeness=self.likeness,
            )

        def checked(event: AnswerEvent) -> AnswerEvent:
            if not isinstance(event, Answer):
                return event
            answer = verify_answer(event)
            warnings = (*answer.warnings, *self._suspicions(answer.evidence))
            return replace(answer, warnings=warnings, seconds=time.perf_counter() - started)

        yield from relayed(events, checked)

    def compare(
        self,
        document_ids: Sequence[str],
        question: str,
        *,
        answerer: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        conversation_id: str | None = None,
    ) -> Events:
        """What happens while documents are compared; the last event is the `Comparison`.

        An empty question compares key figures and terms. What it costs is noted for the
        conversation. With a key the comparison is written up
        by Claude, as in `ask`; where that fails it is given as it is made without, and says so.
        Raises `ComparisonError` for fewer than two documents, too many, or the same one twice,
        `UnknownDocument` and `NoKey`, at once.
        """
        chosen = settings or self.settings
        key = configuration.api_key() if api_key is None else api_key
        kind = answerer_kind(answerer, key, chosen)
        known = {document.id: document for document in self.documents()}
        for document_id in document_ids:
            if document_id not in known:
                raise UnknownDocument(document_id)
        documents = [known[document_id] for document_id in document_ids]
        comparing.check(documents, limit=chosen.max_compared)
        claude = self._claude(chosen, key, conversation_id) if kind == "claude" else None
        return self._comparing(documents, question, chosen, claude)

    def _comparing(
        self,
        documents: Sequence[Document],
        question: str,
        settings: Settings,
        claude: ClaudeAnswerer | None,
    ) -> Events:
        started = time.perf_counter()
        asked = question if any(map(str.isalnum, question)) else comparing.OVERALL
        search = self._searcher((), settings)
        hits: dict[str, tuple[Hit, ...]] = {}
        vectors: dict[str, Vectors] = {}
        for document in documents:
            yield Searching(asked, (document.id,))
            found = gather([document], asked, search=search, top_k=settings.compare_chunks)
            yield PassagesFound(len(found[document.id]), (document.name,))
            hits[document.id], vectors[document.id] = self._pieces(
                found[document.id], asked, limit=settings.compare_pieces
            )
        evidence = self._evidence(documents, asked, hits, vectors, settings)
        reranker = self._reranker if settings.use_reranker else None
        compared = comparing.compare(
            documents, asked, evidence, settings=settings, reranker=reranker
        )
        written = self._written_up(compared, search, claude)

        def timed(event: AnswerEvent) -> AnswerEvent:
            if isinstance(event, Comparison):
                return replace(event, seconds=time.perf_counter() - started)
            return event

        yield from relayed(written, timed)

    def _written_up(
        self, compared: Comparison, search: Search, claude: ClaudeAnswerer | None
    ) -> Events:
        """Claude's words on a comparison; where none arrive, those made without it."""
        if claude is None:
            yield TextDelta(compared.text)
            yield compared
            return
        try:
            yield from claude.compare(compared, search=search, read_page=self.blocks)
        except AnswerError as error:
            stopped = isinstance(error, AnswerStopped)
            reason = "The writing was stopped before it began." if stopped else str(error)
            said = f"{reason} The comparison shown was made without it."
            yield replace(compared, warnings=(*compared.warnings, said))

    def _evidence(
        self,
        documents: Sequence[Document],
        question: str,
        hits: Mapping[str, tuple[Hit, ...]],
        vectors: Mapping[str, Vectors],
        settings: Settings,
    ) -> comparing.Evidence:
        """What was found, and what in each whole document comes nearest to the others' pieces."""
        all_hits, all_vectors = dict(hits), dict(vectors)
        partners: frozenset[str] = frozenset()
        for document in documents:
            mine = document.id
            found = self._counterparts(document, vectors, settings)
            own, rows = self._pieces(found, question, limit=len(found) * settings.compare_pieces)
            all_hits[mine], all_vectors[mine], ids = joined(hits[mine], vectors[mine], own, rows)
            partners |= ids
        blocks = {document.id: self.catalog.blocks(document.id) for document in documents}
        unread = {
            document.id: sum(
                page.source == "none" and bool(page.warnings) for page in self.health(document.id)
            )
            for document in documents
        }
        return comparing.Evidence(all_hits, all_vectors, blocks, frozenset(partners), unread)

    def _counterparts(
        self,
        document: Document,
        vectors: Mapping[str, Vectors],
        settings: Settings,
    ) -> list[Hit]:
        """The document's passages nearest to what was found in the others."""
        known = {chunk.id: chunk for chunk in self.catalog.document_chunks(document.id)}
        ids, own = self.catalog.document_vectors([document.id])
        chunks = [known[each] for each in ids if each in known]
        own = own[[each in known for each in ids]]
        found: dict[str, Hit] = {}
        for other, pieces in vectors.items():
            if other != document.id:
                near = counterparts(pieces, chunks, own, limit=settings.compare_chunks)
                found.update((chunk.id, Hit(chunk, document)) for chunk in near)
        return list(found.values())

    def _pieces(
        self, hits: Sequence[Hit], question: str, *, limit: int
    ) -> tuple[tuple[Hit, ...], Vectors]:
        """The pieces of the hits that are nearest to the question, and their vectors."""
        pieces = pieces_of(hits)
        texts = [piece.chunk.embedded_text for piece in pieces]
        encoder = self.encoder
        vectors = encoder.encode(texts) if texts else self.catalog.vectors([])
        return nearest_to(encoder.encode_query(question), pieces, vectors, limit=limit)

    def _chosen(self, document_ids: Sequence[str]) -> list[Document]:
        wanted = set(document_ids)
        return [each for each in self.documents() if not wanted or each.id in wanted]

    def _history(self, conversation_id: str | None, settings: Settings) -> list[Message]:
        if conversation_id is None:
            return []
        return self.catalog.messages(conversation_id)[-settings.history_messages :]

    def _remember(
        self,
        conversation_id: str | None,
        question: str,
        answer: Answer,
        taken: tuple[Step, ...],
    ) -> None:
        if conversation_id is not None:
            told = Message("assistant", answer.text, answer, taken)
            self.catalog.add_message(conversation_id, Message("user", question))
            self.catalog.add_message(conversation_id, told)

    # Checks and repairs

    def lost_files(self) -> list[Document]:
        """The documents whose file is not there as it was added; reads every file."""
        return [each for each in self.documents() if not self._files.is_whole(each.id)]

    def cut_otherwise(self) -> bool:
        """Whether the passages were made in another way than they would be made now."""
        now = recipe(self.encoder.name, self.settings)
        return bool(self.documents()) and self.catalog.get_setting("recipe") != now

    def read_otherwise(self) -> int:
        """The number of documents read by an earlier parser, or before a layout network came."""
        return sum(map(self._is_read_otherwise, self._complete()))

    def _is_read_otherwise(self, document: Document) -> bool:
        if document.parser != parse.VERSION:
            return True
        return document.kind == "pdf" and document.engine == parse.ENGINE and self._sees()

    def _sees(self) -> bool:
        """Whether a layout network would read along now."""
        return bool(with_layout(self.settings).layout_model)

    def reindexing_waits(self) -> bool:
        """Whether indexing again was broken off and can go on."""
        return aside.waiting(self.folder)

    def index_agrees(self) -> bool:
        """Whether every vector of the catalog can be read from the index; reads all."""
        return self.index.count() == self.catalog.vector_count() and all(
            self.index.holds(ids, kept) for _, ids, kept in self.catalog.all_vectors()
        )

    def telemetry_off(self) -> dict[str, bool]:
        """Whether each library that could report to its makers is told not to."""
        return {**configuration.telemetry_off(), "Chroma": self.index.is_silent()}

    def rebuild_index(self) -> None:
        """Make the vector index anew from the catalog; `status` says how far it is."""
        with self._additions.paused(), self._writing:
            total = self.catalog.vector_count()
            self.index.rebuild(
                self.catalog.all_vectors(), total=total, progress=self._tell_of_rebuilding
            )

    # What was read, for the reader and the library page

    def page_image(
        self, document_id: str, page: int, *, scale: float = 2.0
    ) -> tuple[bytes, float, float]:
        """One page as JPEG, with its width and height in points.

        Raises `IndexError` for a page that is not there, and `PasswordNeeded` for a protected
        file whose password was given before the last restart.
        """
        password = self._passwords.get(document_id)
        return pages.render_page(
            self._files.path(document_id), page, scale=scale, password=password
        )

    def blocks(self, document_id: str, page: int | None = None) -> list[Block]:
        """The blocks of a page, or of the whole document, in reading order."""
        return self.catalog.blocks(document_id, page)

    def health(self, document_id: str) -> list[PageHealth]:
        return self.catalog.health(document_id)

    def _suspicions(self, evidence: Sequence[Evidence]) -> Iterator[str]:
        """A warning for each passage that gives orders to a model or is not to be seen."""
        for hit in (piece.hit for piece in evidence):
            place = f"{hit.document.name}, {hit.chunk.blocks[0].where},"
            if addresses_a_model(hit.chunk.text):
                yield f"{place} gives orders to a language model; they were taken as text."
            pages = {block.page for block in hit.chunk.blocks}
            marked = [page for page in self.health(hit.document.id) if page.page in pages]
            if any(holds_unseen(hit.chunk.text, page.warnings) for page in marked):
                yield f"{place} has text that is not to be seen on the page; look at it there."

    def discards(self, document_id: str) -> list[Discard]:
        return self.catalog.discards(document_id)

    def discard_counts(self) -> dict[str, int]:
        """Chunks left out by validation over the whole library, by reason."""
        every = [each for document in self.documents() for each in self.discards(document.id)]
        return count_by_reason(every)

    def model_statuses(self) -> list[ModelStatus]:
        return model_statuses()

    @staticmethod
    def download_model(name: str, *, progress: Callable[[int, int], None] | None = None) -> None:
        """Fetch a model that is missing; ``progress`` is told bytes done and total.

        Raises `DownloadFailed`.
        """
        download(name, progress=progress)

    @staticmethod
    def sample_paths() -> list[Path]:
        """The sample documents that come with docqa."""
        return sorted(SAMPLES.glob("*.pdf"))


def _log_unfinished(clearing: "Future[None]") -> None:
    if error := clearing.exception():
        log.warning("A removal is finished at the next start: %s", type(error).__name__)


def _ids(catalog: Catalog) -> set[str]:
    return {document.id for document in catalog.documents()}


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as it was put."""

    question: str
    document_ids: tuple[str, ...]
    conversation_id: str | None
    settings: Settings


def answerer_kind(wanted: str | None, key: str, settings: Settings) -> str:
    """ "claude" or "extractive": who answers, by what is wanted and what there is.

    A server that is set as one's own may need no key. Raises `NoKey`.
    """
    kind = wanted or settings.answerer
    reachable = bool(key or settings.base_url)
    if kind == "claude" and not reachable:
        raise NoKey
    if kind == "auto":
        return "claude" if reachable else "extractive"
    return kind


def _asked_in(scope: Scope, asked: GoldQuestion) -> bool:
    return scope == "library" or bool(asked.sources)


def _end_of(result: AddResult) -> Literal["done", "failed"]:
    return "failed" if result.status in ("failed", "cancelled") else "done"
