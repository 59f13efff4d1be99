"""The application without a screen: add, remove, search, ask, compare.

Importing this costs no heavy library. Opening a `Workspace` opens the catalog alone; models, the
vector index and the reading process come at first use, or in the background with `warm`.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from docqa import settings as configuration
from docqa.answer import steps
from docqa.answer.check.verify import verify_answer
from docqa.answer.events import AnswerEvent, Events, Search, relayed
from docqa.answer.evidence import choose_hits
from docqa.answer.findings import extractive
from docqa.answer.model.claude import ANTHROPIC, ClaudeAnswerer
from docqa.answer.model.costs import Purse
from docqa.app.add import Additions, describe_anew
from docqa.app.compare import Comparing
from docqa.app.costs import Ledger
from docqa.app.notes import Noting
from docqa.app.reindex import Reindexing, record
from docqa.app.remove import Withdrawing, Withdrawn
from docqa.app.resources import Shared
from docqa.compare import comparison
from docqa.errors import (
    DocqaError,
    EmptyQuestion,
    EncoderMismatch,
    ModelMissing,
    NoDocuments,
    NoKey,
    NoPhrase,
    NothingPasses,
    UnknownDocument,
    VectorServerUnreachable,
)
from docqa.ingest.chunks.suspicion import addresses_a_model, holds_unseen
from docqa.ingest.chunks.validate import count_by_reason
from docqa.ingest.prepare import UNWATCHED, Watch, recipe
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.reader import ReadingProcess
from docqa.language.vocabulary import with_own
from docqa.library import reindex_store, vectors
from docqa.library.catalog import Catalog
from docqa.library.filenames import clean_name, unique_name
from docqa.library.files import FileStore, clear_scratch, in_scratch
from docqa.library.lock import LibraryLock
from docqa.library.logfile import LogFile
from docqa.library.upkeep import bring_in_line
from docqa.library.vectors import VectorIndex
from docqa.models.load import (
    Encoder,
    ModelStatus,
    Reranker,
    best_reranker,
    download,
    load_encoder,
    load_reranker,
    model_statuses,
)
from docqa.question.names import resolve
from docqa.question.plan import NO_FILTERS, make_plan
from docqa.question.sides import NO_CHOICE, choose
from docqa.retrieve import evaluate as evaluating
from docqa.retrieve import search as retrieval
from docqa.retrieve.evaluate import read_questions
from docqa.retrieve.explain import explain
from docqa.retrieve.filters import told
from docqa.retrieve.overlap import SharedWords
from docqa.settings import DEFAULTS, Settings
from docqa.types.answer import Answer, Evidence, Message, Step, Usage
from docqa.types.comparison import Comparison
from docqa.types.costs import NotesEstimate, Outgoing
from docqa.types.document import Block, Discard, Document, FileKind, PageHealth
from docqa.types.evaluation import Evaluation, GoldQuestion, Judged, Scope
from docqa.types.progress import AddResult, Progress
from docqa.types.question import Choice, Filters, QueryPlan
from docqa.types.search import Explanation, SearchResult

log = logging.getLogger(__name__)

SAMPLES = Path(__file__).parent / "samples"
EXPLAINED_DEPTH = 1000  # candidates among which a passage that was not found is looked for


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
            describe_anew(self.catalog)
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
        self._passwords: dict[str, str] = {}  # by document id; kept in memory only
        self.status = "Models load at the first question."
        shared = Shared(
            folder=library,
            catalog=self.catalog,
            files=self._files,
            passwords=self._passwords,
            writing=self._writing,
            opening=self._opening,
            settings=settings,
        )
        self._additions = Additions(self, shared)
        self._reindexing = Reindexing(self, shared)
        self._withdrawing = Withdrawing(self, shared)
        self._noting = Noting(self.catalog, self._additions.recut)

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
        self._withdrawing.close()
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
            record(self.catalog, encoder, self.settings)
        return encoder

    def use(self, encoder: Encoder) -> None:
        """Work with another encoder from now on, as the catalog's vectors are of it."""
        with self._opening:
            if self._index is not None:
                self._index.close()
            vectors.discard(self.folder)
            self._encoder, self._index = encoder, None

    def _encoder_named(self, name: str | None) -> Encoder:
        return load_encoder(configuration.models_folder(self.folder), name=name)

    @property
    def reranker(self) -> Reranker:
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
        reindex_store.discard_if_taken_over(self.folder, run=self.catalog.get_setting("reindexed"))
        reindex_store.finish_forgetting(self.folder)
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
        with self._additions.paused():
            self._reindexing.run(chosen, watch)
            self.index.count()  # built anew
        log.info("Indexed again with %s: %d passages", chosen.name, self.catalog.chunk_count())
        return chosen.name

    def remove(self, document_id: str, *, with_quotes: bool = False) -> int:
        """Delete a document: text, keyword rows, vectors and file. Raises `UnknownDocument`.

        ``with_quotes`` also deletes the answers that quote it; how many those were comes back.
        """
        self._known(document_id)
        taken_out = self._withdrawing.take_out(document_id)
        quotes = self.catalog.remove_quotes(document_id) if with_quotes else 0
        taken_out.result()
        log.info("Removed %s and %d answers", document_id[:8], quotes)
        return quotes

    def withdraw(self, document_id: str) -> Withdrawn:
        """Take a document out, and hold it in memory for `put_back`. Raises `UnknownDocument`.

        Its traces on disk are overwritten in the background, which `close` waits for.
        """
        self._known(document_id)
        return self._withdrawing.withdraw(document_id)

    def put_back(self, withdrawn: Withdrawn) -> None:
        """Bring a withdrawn document back as it was; what is in the library already stays."""
        self._withdrawing.put_back(withdrawn)
        self._additions.resume()

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
        chosen = settings or self.settings
        plan = self._plan(question, documents, document_ids, filters, chosen)
        planned = time.perf_counter() - started
        trace = self._traced(plan, top_k=top_k, settings=chosen)
        if filters != NO_FILTERS and not trace.chosen:
            raise NothingPasses(told(filters))
        timings = {"plan": planned, **trace.timings}
        return SearchResult(plan, trace.chosen, trace.coverage, timings, trace.missing)

    def _plan(
        self,
        question: str,
        documents: Sequence[Document],
        document_ids: Sequence[str],
        filters: Filters,
        settings: Settings,
    ) -> QueryPlan:
        return make_plan(
            question,
            documents=documents,
            document_ids=document_ids,
            filters=filters,
            glossary=with_own(self.glossary),
            wider=settings.wider_queries,
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
            reranker=self.reranker if settings.use_reranker else None,
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
        `NoPhrase` where there is neither phrase nor page.
        """
        chosen = settings or self.settings
        documents = self._searchable(question)
        if not any(map(str.isalnum, phrase)) and not (document_id and page):
            raise NoPhrase
        plan = self._plan(question, documents, document_ids, filters, chosen)
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
            refused=not extractive.answers(
                asked.question, result, settings=settings, likeness=self.likeness
            ),
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
                answer = event if isinstance(event, Answer) else comparison.as_answer(event)
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
        return self._noting.estimate(
            self._chosen(document_ids),
            url=chosen.base_url or configuration.server_url() or ANTHROPIC,
            model=chosen.small_model,
            price=self.ledger.prices().get(chosen.small_model),
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
        with closing(self._claude(replace(chosen, model=chosen.small_model), key)) as claude:
            return self._noting.write(
                self._chosen(document_ids),
                claude,
                progress=progress,
                cancelled=cancelled,
            )

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
        vectors = self.encoder.encode_now(list(texts))
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
                history=self._history(asked.conversation_id, asked.settings),
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
        comparison.check(documents, limit=chosen.max_compared)
        claude = self._claude(chosen, key, conversation_id) if kind == "claude" else None
        search = self._searcher((), chosen)
        return Comparing(self, self.catalog, search, chosen, claude).events(documents, question)

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
        return self._reindexing.read_otherwise()

    def reindexing_waits(self) -> bool:
        """Whether indexing again was broken off and can go on."""
        return reindex_store.waiting(self.folder)

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
        return pdfium.render_page(
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
            pdfium = {block.page for block in hit.chunk.blocks}
            marked = [page for page in self.health(hit.document.id) if page.page in pdfium]
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
