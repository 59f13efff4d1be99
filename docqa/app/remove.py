"""Documents taken out of the library, for good or to be put back."""

import logging
import shutil
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from docqa.app.add import held, keep
from docqa.app.resources import Opened, Part, Shared
from docqa.ingest.prepare import UNWATCHED, Prepared, prepare
from docqa.library import reindex_store
from docqa.library.files import in_scratch
from docqa.library.upkeep import clear_away
from docqa.types.document import FileKind
from docqa.types.evaluation import Judgement

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A document that was removed, held in memory alone so that it can be put back."""

    prepared: Prepared
    judgements: Sequence[Judgement]
    encoder: str
    content: bytes = field(repr=False)
    password: str = field(repr=False)


class Withdrawing(Part):
    """A removal is seen at once; its traces on disk are overwritten in the background."""

    def __init__(self, opened: Opened, shared: Shared) -> None:
        super().__init__(opened, shared)
        self._clearing = ThreadPoolExecutor(1, thread_name_prefix="docqa-clear")

    def close(self) -> None:
        """Wait until what was taken out has left no traces."""
        self._clearing.shutdown()

    def take_out(self, document_id: str) -> "Future[None]":
        """A document is gone when this returns, and all that was kept of it when that is done."""
        with self._writing:
            _ = self._opened.index  # where it cannot be opened, nothing is removed
            reindex_store.forget(self._folder, document_id)
            self._catalog.remove(document_id)
            self._files.remove(document_id)
        return self._clearing.submit(self._clear_away)

    def withdraw(self, document_id: str) -> Withdrawn:
        """Take a document out, and hold it in memory for `put_back`. Raises KeyError.

        Its traces on disk are overwritten in the background, which `close` waits for.
        """
        prepared = held(self._catalog, self._catalog.document(document_id))
        judged = [each for each in self._catalog.judgements() if each.document_id == document_id]
        path = self._files.path(document_id)
        content = path.read_bytes() if path.exists() else b""
        password = self._passwords.pop(document_id, "")
        self.take_out(document_id).add_done_callback(_log_unfinished)
        return Withdrawn(prepared, judged, self._opened.encoder.name, content, password)

    def put_back(self, withdrawn: Withdrawn) -> None:
        """Bring a withdrawn document back as it was; what is in the library already stays."""
        prepared = withdrawn.prepared
        document = prepared.document
        with self._writing:
            if document.id in {each.id for each in self._catalog.documents()}:
                return
            if prepared.vectors is not None and withdrawn.encoder != self._opened.encoder.name:
                prepared = prepare(
                    document,
                    prepared.blocks,
                    prepared.health,
                    encoder=self._opened.encoder,
                    settings=self._cut_as_recorded(),
                    watch=UNWATCHED,
                    notes={each.text: each.note for each in prepared.chunks},
                )
            self._catalog.begin(document.id)
            self._put_file_back(withdrawn.content, document.kind)
            if prepared.vectors is not None:
                ids = [chunk.id for chunk in prepared.chunks]
                self._opened.index.add(document.id, ids, prepared.vectors)
            keep(self._catalog, prepared)
            notes = {each.text: each.note for each in withdrawn.prepared.chunks if each.note}
            self._catalog.keep_notes(document.id, notes)
            for judgement in withdrawn.judgements:
                self._catalog.judge(judgement)
        if withdrawn.password:
            self._passwords[document.id] = withdrawn.password

    def _put_file_back(self, content: bytes, kind: FileKind) -> None:
        if content:
            path = in_scratch(self._folder, content, kind)
            self._files.put(path)
            shutil.rmtree(path.parent)

    def _clear_away(self) -> None:
        with self._writing:
            clear_away(self._catalog, self._opened.index, self._files)


def _log_unfinished(clearing: "Future[None]") -> None:
    if error := clearing.exception():
        log.warning("A removal is finished at the next start: %s", type(error).__name__)
