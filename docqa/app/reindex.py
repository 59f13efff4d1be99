"""Cutting and embedding every document again, set aside until all of it is done."""

import logging
from dataclasses import replace
from functools import partial

from docqa.app.add import held, keep, read_as
from docqa.app.resources import Part
from docqa.errors import FileError, NoText, ReadingCancelled
from docqa.ingest.prepare import Prepared, Watch, prepare, recipe, with_scans
from docqa.ingest.reading import parse
from docqa.ingest.reading.parse import Parsed
from docqa.library import reindex_store
from docqa.library.catalog import Catalog
from docqa.models.load import Encoder, with_layout
from docqa.settings import Settings
from docqa.types.document import Block, Document, PageHealth

log = logging.getLogger(__name__)


def record(catalog: Catalog, encoder: Encoder, settings: Settings) -> None:
    """Note with what the passages of a library are made."""
    catalog.set_setting("encoder", encoder.name)
    catalog.set_setting("recipe", recipe(encoder.name, settings))


class Reindexing(Part):
    """What is set aside survives the process; asked for in the same way, it is gone on with.

    Nothing may be added while `run` runs.
    """

    def run(self, encoder: Encoder, watch: Watch) -> None:
        """Make every document anew with this encoder. Raises `ReadingCancelled`."""
        wanted = f"{recipe(encoder.name, self._settings)} {parse.VERSION}"
        wanted += f" {parse.SEEING}" if self._sees() else ""
        with reindex_store.opened(self._folder, recipe=wanted) as done:
            self.set_aside(done, encoder, watch)
            while not self.take_over(done, encoder):
                self.set_aside(done, encoder, watch)
        reindex_store.discard(self._folder)

    def read_otherwise(self) -> int:
        """The number of documents read by an earlier parser, or before a layout network came."""
        return sum(map(self._is_read_otherwise, self._complete()))

    def set_aside(self, done: Catalog, encoder: Encoder, watch: Watch) -> None:
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
            settings=self._settings,
            watch=watch,
            restored=self._catalog.restored(document.id),
            notes=self._catalog.notes(document.id),
        )
        try:
            return made(*self._as_read_now(document, watch))
        except NoText as error:
            log.warning("Reading a document again gave no text: %s", type(error).__name__)
            blocks, health = self._catalog.blocks(document.id), self._catalog.health(document.id)
            return made(self._as_tried(document), blocks, health)

    def _as_tried(self, document: Document) -> Document:
        """A document that was read again in vain; it is not offered once more."""
        by_geometry = document.engine == parse.ENGINE and self._sees()
        engine = parse.LEFT_NOTHING if by_geometry else document.engine
        return replace(document, engine=engine, parser=parse.VERSION)

    def _as_read_now(
        self, document: Document, watch: Watch
    ) -> tuple[Document, list[Block], list[PageHealth]]:
        """What the present parser makes of a document; what there is, where it cannot be read."""
        blocks, health = self._catalog.blocks(document.id), self._catalog.health(document.id)
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
            return self._opened.reader.skim(
                path, name, settings=self._settings, cancelled=watch.cancelled
            ).parsed
        return self._opened.reader.read(
            path,
            name,
            settings=with_layout(self._settings),
            password=self._passwords.get(document.id),
            progress=watch.stage(name, "reading"),
            cancelled=watch.cancelled,
        )

    def take_over(self, done: Catalog, encoder: Encoder) -> bool:
        """Make what was set aside the library's, unless documents have come meanwhile."""
        with self._writing, self._opening:
            documents = self._complete()
            if not {document.id for document in documents} <= _ids(done):
                return False
            with self._catalog.together():
                for document in documents:
                    read = done.document(document.id)
                    named = replace(read, name=document.name, tags=document.tags)
                    keep(self._catalog, held(done, named))
                    self._catalog.begin(document.id)  # until its vectors are these too
                record(self._catalog, encoder, self._settings)
                self._catalog.set_setting("reindexed", str(done.get_setting(reindex_store.RUN)))
            self._opened.use(encoder)
        return True

    def _complete(self) -> list[Document]:
        """The documents that have vectors; the others get theirs when they have been read."""
        return [document for document in self._catalog.documents() if document.state == "complete"]

    def _is_read_otherwise(self, document: Document) -> bool:
        if document.parser != parse.VERSION:
            return True
        return document.kind == "pdf" and document.engine == parse.ENGINE and self._sees()

    def _sees(self) -> bool:
        """Whether a layout network would read along now."""
        return bool(with_layout(self._settings).layout_model)


def _ids(catalog: Catalog) -> set[str]:
    return {document.id for document in catalog.documents()}
