"""Documents taken out of the library, for good or to be put back."""

import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docqa.app.records import load_prepared, save_prepared
from docqa.app.resources import Resources
from docqa.ingest.prepare import UNWATCHED, Prepared, prepare
from docqa.library import reindex_store
from docqa.library.files import in_scratch
from docqa.library.upkeep import clear_away
from docqa.types.document import Document, FileKind
from docqa.types.evaluation import Judgement

if TYPE_CHECKING:
    from docqa.types.review import Cell

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A document that was removed, held in memory alone so that it can be put back."""

    prepared: Prepared
    judgements: Sequence[Judgement]
    cells: "Mapping[str, Sequence[Cell]]"  # of reviews, by their ids
    encoder: str
    content: bytes = field(repr=False)
    password: str = field(repr=False)

    @property
    def document(self) -> Document:
        return self.prepared.document


class Removals:
    """A removal is seen at once; its traces on disk are overwritten in the background."""

    def __init__(self, resources: Resources, resume: Callable[[], None]) -> None:
        """``resume`` resumes reading and embedding what of a document is not done yet."""
        self._resources = resources
        self._resume = resume
        self._clearing = ThreadPoolExecutor(1, thread_name_prefix="docqa-clear")

    def close(self) -> None:
        """Wait until what was taken out has left no traces."""
        self._clearing.shutdown()

    def remove(self, document_id: str, *, with_quotes: bool = False) -> int:
        """Delete a document: text, keyword rows, vectors and file. Raises `UnknownDocument`.

        ``with_quotes`` also deletes the answers that quote it; returns how many those were.
        """
        self._resources.catalog.document(document_id)
        taken_out = self._take_out(document_id)
        conversations = self._resources.catalog.conversations
        quotes = conversations.remove_quotes(document_id) if with_quotes else 0
        taken_out.result()
        log.info("Removed %s and %d answers", document_id[:8], quotes)
        return quotes

    def withdraw(self, document_id: str) -> Withdrawn:
        """Take a document out, and hold it in memory for `put_back`. Raises `UnknownDocument`.

        Its traces on disk are overwritten in the background, which `close` waits for.
        """
        resources, catalog = self._resources, self._resources.catalog
        prepared = load_prepared(catalog, catalog.document(document_id))
        judged = [each for each in catalog.judgements.all() if each.document_id == document_id]
        cells = catalog.reviews.cells_of_document(document_id)
        path = resources.files.path(document_id)
        content = path.read_bytes() if path.exists() else b""
        password = resources.passwords.pop(document_id, "")
        self._take_out(document_id).add_done_callback(_log_unfinished)
        return Withdrawn(prepared, judged, cells, resources.encoder.name, content, password)

    def put_back(self, withdrawn: Withdrawn) -> None:
        """Bring a withdrawn document back as it was; what is in the library already stays."""
        _put_back(self._resources, withdrawn)
        self._resume()

    def _take_out(self, document_id: str) -> "Future[None]":
        """A document is gone when this returns, and all that was kept of it when that is done."""
        resources = self._resources
        with resources.writing:
            _ = resources.index  # where it cannot be opened, nothing is removed
            reindex_store.forget(resources.folder, document_id)
            resources.catalog.remove(document_id)
            resources.files.remove(document_id)
        return self._clearing.submit(self._clear_away)

    def _clear_away(self) -> None:
        resources = self._resources
        with resources.writing:
            clear_away(resources.catalog, resources.index, resources.files)


def _put_back(resources: Resources, withdrawn: Withdrawn) -> None:
    document = withdrawn.document
    with resources.writing:
        if document.id in {each.id for each in resources.catalog.documents()}:
            return
        _ = resources.index  # its opening clears away the files of no document
        prepared = _with_vectors(resources, withdrawn)
        resources.catalog.begin(document.id)
        _put_file_back(resources, withdrawn.content, document.kind)
        if prepared.vectors is not None:
            ids = [chunk.id for chunk in prepared.chunks]
            resources.index.add(document.id, ids, prepared.vectors)
        save_prepared(resources.catalog, prepared)
        notes = {each.text: each.note for each in withdrawn.prepared.chunks if each.note}
        resources.catalog.keep_notes(document.id, notes)
        for judgement in withdrawn.judgements:
            resources.catalog.judgements.add(judgement)
        resources.catalog.reviews.put_back(withdrawn.cells)
    if withdrawn.password:
        resources.passwords[document.id] = withdrawn.password


def _with_vectors(resources: Resources, withdrawn: Withdrawn) -> Prepared:
    """The document with vectors of the library's encoder, where another one came meanwhile."""
    prepared = withdrawn.prepared
    if prepared.vectors is None or withdrawn.encoder == resources.encoder.name:
        return prepared
    return prepare(
        prepared.document,
        prepared.blocks,
        prepared.health,
        encoder=resources.encoder,
        settings=resources.recorded_settings(),
        watch=UNWATCHED,
        notes={each.text: each.note for each in prepared.chunks},
    )


def _put_file_back(resources: Resources, content: bytes, kind: FileKind) -> None:
    if content:
        path = in_scratch(resources.folder, content, kind)
        resources.files.put(path)
        shutil.rmtree(path.parent)


def _log_unfinished(clearing: "Future[None]") -> None:
    if error := clearing.exception():
        log.warning("A removal is finished at the next start: %s", type(error).__name__)
