"""What the parts of a workspace have in common: its library, its locks, and what it opens."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from docqa.ingest.prepare import cut_as
from docqa.ingest.reading.reader import ReadingProcess
from docqa.library.catalog import Catalog
from docqa.library.files import FileStore
from docqa.library.vectors import VectorIndex
from docqa.models.load import Encoder, Reranker
from docqa.settings import Settings


class Opened(Protocol):
    """What a workspace opens at first use."""

    @property
    def encoder(self) -> Encoder: ...
    @property
    def reranker(self) -> Reranker: ...
    @property
    def index(self) -> VectorIndex: ...
    @property
    def reader(self) -> ReadingProcess: ...
    def use(self, encoder: Encoder) -> None: ...


@dataclass(frozen=True, slots=True)
class Shared:
    """``writing`` is held for the moments in which a document comes, changes or goes.

    Within it, ``opening`` while a file is there that no document names yet: whoever opens the
    index clears such files away. ``passwords`` are by document id, and kept in memory only.
    """

    folder: Path
    catalog: Catalog
    files: FileStore
    passwords: dict[str, str]
    writing: threading.Lock
    opening: threading.RLock
    settings: Settings


class Part:
    """One of the things a workspace does with documents."""

    def __init__(self, opened: Opened, shared: Shared) -> None:
        self._opened = opened
        self._folder = shared.folder
        self._catalog = shared.catalog
        self._files = shared.files
        self._passwords = shared.passwords
        self._writing = shared.writing
        self._opening = shared.opening
        self._settings = shared.settings

    def _cut_as_recorded(self) -> Settings:
        """Passages are made as the library's others are, until it is indexed again."""
        return cut_as(self._catalog.get_setting("recipe") or "{}", self._settings)
