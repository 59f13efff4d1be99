"""A library folder and what works on it: opened at first use, closed once."""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from docqa.app.records import refresh_descriptions
from docqa.compare.wording import Encode, meaning_by
from docqa.errors import (
    EncoderMismatch,
    LibraryReadOnly,
    ModelMissing,
    VectorServerUnreachable,
)
from docqa.ingest.prepare import Watch, cut_as, recipe
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.reader import ReadingProcess
from docqa.ingest.tables import make
from docqa.language.definitions import definitions_in
from docqa.library import reindex_store, vectors
from docqa.library.catalog import Catalog
from docqa.library.files import FileStore, clear_scratch
from docqa.library.lock import LibraryLock, owner
from docqa.library.logfile import LogFile
from docqa.library.tables import TableMaker
from docqa.library.upkeep import reconcile
from docqa.library.vectors import VectorIndex
from docqa.models.llama import Llama
from docqa.models.load import (
    BUNDLED,
    Encoder,
    TableReader,
    best_reranker,
    load_encoder,
    load_reranker,
    with_layout,
)
from docqa.models.registry import OWN
from docqa.retrieve.overlap import SharedWords
from docqa.settings import Settings, models_folder
from docqa.types.document import Block, Document
from docqa.types.question import Definition

log = logging.getLogger(__name__)

LoadEncoder = Callable[[str | None], Encoder]
"""The encoder of that name, or the best on this machine. Raises `ModelMissing`."""


class Resources:
    """The catalog and files of a library, its index, the models, the reader, and the locks.

    ``writing`` is held for the moments in which a document comes, changes or goes. Within it,
    ``opening`` while a file is there that no document names yet: whoever opens the index clears
    such files away. ``passwords`` are by document id, and kept in memory only. ``status`` says
    how far opening is.

    With ``read_only`` the lock is not taken and Chroma not opened, which writes to its files even
    to read them and does not see what another process adds: passages are compared with the
    catalog's own vectors.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        *,
        read_only: bool = False,
        reader: ReadingProcess | None = None,
        load: LoadEncoder | None = None,
        address: str = "",
    ) -> None:
        """``reader`` may be shared between libraries; whoever made it closes it."""
        self.folder = folder
        self._models = models_folder(folder)
        self.settings = settings
        self.read_only = read_only
        self.passwords: dict[str, str] = {}
        self.status = ""
        self.writing = threading.Lock()
        self.opening = threading.RLock()
        self.load: LoadEncoder = load or (lambda name: load_encoder(self._models, name=name))
        self._encoder: Encoder | None = None
        self._best_reranker: tuple[str, TableReader] | None = None  # by the name of the best here
        self._judging: tuple[Encoder, TableReader] | None = None
        self._llama: Llama | None = None
        self._index: VectorIndex | None = None
        self._reader = reader
        self._shares_reader = reader is not None
        with ExitStack() as opened:
            if not read_only:
                opened.callback(LibraryLock(folder, address=address).close)
                clear_scratch(folder)
                opened.callback(LogFile(folder).close)
            maker = TableMaker(make.VERSION, make.tables_of, _defined)
            self.catalog = Catalog(folder, read_only=read_only, tables=maker)
            opened.callback(self.catalog.close)
            self.files = FileStore(folder)
            if not read_only:
                refresh_descriptions(self.catalog)
            self._opened = opened.pop_all()

    def check_writable(self) -> None:
        """Raises `LibraryReadOnly` where the library is open for reading."""
        if self.read_only:
            raise LibraryReadOnly(str(self.folder), owner=owner(self.folder))

    def close(self) -> None:
        """End the reading process and let go of the library."""
        with self.opening:
            own_reader = None if self._shares_reader else self._reader
            for resource in (self._llama, own_reader, self._index, self._opened):
                if resource is not None:
                    resource.close()
            # A hundred megabytes, which a screen that holds on to this would keep with it.
            self._encoder = self._best_reranker = self._judging = None

    @property
    def encoder(self) -> Encoder:
        """The encoder the library was made with; for a new library, the best on this machine.

        Raises `EncoderMismatch` where the library's is not on this machine.
        """
        with self.opening:
            if self._encoder is None or self._is_indexed_anew(self._encoder):
                self._encoder = self._open_encoder()
            return self._encoder

    def _is_indexed_anew(self, encoder: Encoder) -> bool:
        """Whether another process has indexed the library with another encoder since."""
        return self.read_only and self.catalog.get_setting("encoder") not in (None, encoder.name)

    def _open_encoder(self) -> Encoder:
        recorded = self.catalog.get_setting("encoder")
        try:
            encoder = self.load(recorded)
        except ModelMissing as error:
            best = self.load(None)
            raise EncoderMismatch(made_with=str(recorded), loaded=best.name) from error
        if recorded is None and not self.read_only:
            self.record(encoder)
        return encoder

    def use(self, encoder: Encoder) -> None:
        """Work with another encoder from now on, which the catalog's vectors are of."""
        with self.opening:
            if self._index is not None:
                self._index.close()
            vectors.discard(self.folder)
            self._encoder, self._index = encoder, None

    def record(self, encoder: Encoder) -> None:
        """Note in the catalog how the library's passages are made."""
        self.catalog.set_setting("encoder", encoder.name)
        self.catalog.set_setting("recipe", recipe(encoder.name, self.settings))

    def recorded_settings(self) -> Settings:
        """The settings that cut passages as the library's are, until it is indexed again."""
        return cut_as(self.catalog.get_setting("recipe") or "{}", self.settings)

    @property
    def reranker(self) -> TableReader:
        """The best reranker on this machine now: one just downloaded is used at once."""
        best = best_reranker()
        with self.opening:
            if self._best_reranker is None or self._best_reranker[0] != best:
                made = load_reranker(self._models) or SharedWords()
                self._best_reranker = best, made
            return self._best_reranker[1]

    @property
    def judging(self) -> tuple[Encoder, TableReader]:
        """The encoder and the reranker that come with docqa, by which findings are judged.

        The judge was taught with these, whatever a library is searched with.
        """
        with self.opening:
            if self._judging is None:
                encoder, reranker = self.encoder, self.reranker
                if encoder.name != BUNDLED:
                    encoder = load_encoder(self._models, name=BUNDLED)
                if reranker.name != OWN.name:
                    reranker = load_reranker(self._models, own=True) or SharedWords()
                self._judging = encoder, reranker
            return self._judging

    @property
    def meaning(self) -> Encode | None:
        """What `docqa.compare.wording.meaning_by` has of the encoder."""
        return meaning_by(self.encoder.name, self.encoder.encode_now)

    def llama(self, path: Path) -> Llama:
        """The model in that file, to be begun at the first question; the one before it ends.

        Raises `LlamaMissing`, `NotAModelFile` and `ModelTooLarge`.
        """
        with self.opening:
            own = self._llama
            if own is None or own.path != path or not own.alive:
                if own is not None:
                    own.close()
                self._llama = own = None
                self._llama = own = Llama(path)
            return own

    @property
    def index(self) -> VectorIndex:
        """The vector index, in line with the catalog: what an ended process left is finished.

        Raises `LibraryReadOnly`.
        """
        self.check_writable()
        with self.opening:
            if self._index is None:
                self._index = self._open_in_line(self.encoder)
            return self._index

    def index_if_there(self) -> VectorIndex | None:
        """The index; None if read-only or the server that keeps it is unreachable."""
        try:
            return None if self.read_only else self.index
        except VectorServerUnreachable as error:
            log.warning("Searching without the index: %s", error)
            return None

    def rebuild_index(self) -> None:
        """Make the index anew from the catalog; `status` says how far it is."""
        total = self.catalog.vector_count()
        self.index.rebuild(self.catalog.all_vectors(), total=total, progress=self._rebuilding)

    def _open_in_line(self, encoder: Encoder) -> VectorIndex:
        reindex_store.discard_if_taken_over(self.folder, run=self.catalog.get_setting("reindexed"))
        reindex_store.finish_forgetting(self.folder)
        index = VectorIndex(self.folder, encoder=encoder.name, dimensions=encoder.dimensions)
        try:
            reconcile(self.catalog, index, self.files, progress=self._rebuilding)
        except BaseException:
            index.close()
            raise
        return index

    def read(self, document: Document, watch: Watch, *, facts: Sequence[PageFacts] = ()) -> Parsed:
        """Read the structure of a PDF. Raises `FileError`."""
        return self.reader.read(
            self.files.path(document.id),
            document.name,
            settings=with_layout(self.settings),
            password=self.passwords.get(document.id),
            facts=facts,
            progress=watch.stage(document.name, "reading"),
            cancelled=watch.cancelled,
        )

    def make_tables(self, cancelled: Callable[[], bool]) -> None:
        """Make the tables of all documents that have none yet, or that other rules made."""
        for document in self.catalog.documents():
            if not cancelled():
                self.catalog.tables(document.id)

    def _rebuilding(self, done: int, total: int) -> None:
        self.status = f"Rebuilding the index: {done:,} of {total:,} passages…"

    @property
    def reader(self) -> ReadingProcess:
        with self.opening:
            if self._reader is None:
                self._reader = ReadingProcess()
            return self._reader


def _defined(blocks: Sequence[Block]) -> set[Definition]:
    return {each for block in blocks for each in definitions_in(block.text)}
