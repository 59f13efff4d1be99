"""A library folder and what works on it: opened at first use, closed once."""

import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from docqa.app.records import describe_anew
from docqa.errors import EncoderMismatch, ModelMissing, VectorServerUnreachable
from docqa.ingest.prepare import cut_as, recipe
from docqa.ingest.reading.reader import ReadingProcess
from docqa.library import reindex_store, vectors
from docqa.library.catalog import Catalog
from docqa.library.files import FileStore, clear_scratch
from docqa.library.lock import LibraryLock
from docqa.library.logfile import LogFile
from docqa.library.upkeep import bring_in_line
from docqa.library.vectors import VectorIndex
from docqa.models.load import Encoder, Reranker, best_reranker, load_encoder, load_reranker
from docqa.retrieve.overlap import SharedWords
from docqa.settings import Settings, models_folder

log = logging.getLogger(__name__)

LoadEncoder = Callable[[str | None], Encoder]
"""The encoder of that name, or the best on this machine. Raises `ModelMissing`."""


class Resources:
    """The catalog and files of a library, its index, the models, the reader, and the locks.

    ``writing`` is held for the moments in which a document comes, changes or goes. Within it,
    ``opening`` while a file is there that no document names yet: whoever opens the index clears
    such files away. ``passwords`` are by document id, and kept in memory only. ``status`` says
    how far opening is.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        *,
        reader: ReadingProcess | None = None,
        load: LoadEncoder | None = None,
    ) -> None:
        """``reader`` may be shared between libraries; whoever made it closes it."""
        self.folder = folder
        self.settings = settings
        self.passwords: dict[str, str] = {}
        self.status = "Models load at the first question."
        self.writing = threading.Lock()
        self.opening = threading.RLock()
        self.load: LoadEncoder = load or self._load_encoder
        self._encoder: Encoder | None = None
        self._best_reranker: tuple[str, Reranker] | None = None  # by the name of the best here
        self._index: VectorIndex | None = None
        self._reader = reader
        self._shares_reader = reader is not None
        with ExitStack() as opened:
            opened.callback(LibraryLock(folder).close)
            clear_scratch(folder)
            opened.callback(LogFile(folder).close)
            self.catalog = Catalog(folder)
            opened.callback(self.catalog.close)
            self.files = FileStore(folder)
            describe_anew(self.catalog)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """End the reading process and let go of the library."""
        with self.opening:
            own_reader = None if self._shares_reader else self._reader
            for resource in (own_reader, self._index, self._opened):
                if resource is not None:
                    resource.close()
            # A hundred megabytes, which a screen that holds on to this would keep with it.
            self._encoder = self._best_reranker = None

    @property
    def encoder(self) -> Encoder:
        """The encoder the library was made with; for a new library, the best on this machine.

        Raises `EncoderMismatch` where the library's is not on this machine.
        """
        with self.opening:
            if self._encoder is None:
                self._encoder = self._open_encoder()
            return self._encoder

    def _open_encoder(self) -> Encoder:
        recorded = self.catalog.get_setting("encoder")
        try:
            encoder = self.load(recorded)
        except ModelMissing as error:
            best = self.load(None)
            raise EncoderMismatch(made_with=str(recorded), loaded=best.name) from error
        if recorded is None:
            self.record(encoder)
        return encoder

    def _load_encoder(self, name: str | None) -> Encoder:
        return load_encoder(models_folder(self.folder), name=name)

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
    def reranker(self) -> Reranker:
        """The best reranker on this machine now: one just downloaded is used at once."""
        best = best_reranker()
        with self.opening:
            if self._best_reranker is None or self._best_reranker[0] != best:
                made = load_reranker(models_folder(self.folder)) or SharedWords()
                self._best_reranker = best, made
            return self._best_reranker[1]

    @property
    def index(self) -> VectorIndex:
        """The vector index, in line with the catalog: what an ended process left is finished."""
        with self.opening:
            if self._index is None:
                self._index = self._open_in_line(self.encoder)
            return self._index

    def index_if_there(self) -> VectorIndex | None:
        """The index, or None while the server that keeps it cannot be used."""
        try:
            return self.index
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
        index = self._open_index(encoder)
        try:
            bring_in_line(self.catalog, index, self.files, progress=self._rebuilding)
        except BaseException:
            index.close()
            raise
        return index

    def _rebuilding(self, done: int, total: int) -> None:
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
        with self.opening:
            if self._reader is None:
                self._reader = ReadingProcess()
            return self._reader
