"""Cutting and embedding every document again, set aside until all of it is done.

What is set aside survives the process; the same request resumes it.
"""

import logging
from dataclasses import replace
from functools import partial

from docqa.app.documents import complete
from docqa.app.records import load_prepared, save_prepared, with_reading
from docqa.app.resources import Resources
from docqa.errors import FileError, NoText, ReadingCancelled
from docqa.ingest.prepare import Prepared, Watch, prepare, recipe, with_scans
from docqa.ingest.reading import parse, text_layer
from docqa.library import reindex_store
from docqa.library.catalog import Catalog
from docqa.models.load import Encoder, with_layout
from docqa.settings import Settings
from docqa.types.document import Block, Document, PageHealth

log = logging.getLogger(__name__)


def reindex(resources: Resources, encoder: Encoder, watch: Watch) -> None:
    """Make every document anew with this encoder; nothing may be added meanwhile.

    Raises `ReadingCancelled`.
    """
    wanted = f"{recipe(encoder.name, resources.settings)} {parse.VERSION} {parse.OFFICE_VERSION}"
    wanted += f" {parse.SEEING}" if _sees(resources.settings) else ""
    with reindex_store.opened(resources.folder, recipe=wanted) as done:
        set_aside(resources, done, encoder, watch)
        while not take_over(resources, done, encoder):
            set_aside(resources, done, encoder, watch)
    reindex_store.discard(resources.folder)
    resources.index.count()  # built anew
    log.info("Indexed again with %s: %d passages", encoder.name, resources.catalog.chunk_count())


def outdated(resources: Resources) -> int:
    """The number of documents read by an earlier parser, before a layout network came, or for want
    of a reading process not at all."""
    return sum(_is_outdated(each, resources.settings) for each in complete(resources))


def set_aside(resources: Resources, done: Catalog, encoder: Encoder, watch: Watch) -> None:
    """Cut and embed the documents that are not there yet."""
    documents, there = complete(resources), _ids(done)
    total, before = sum(document.page_count for document in documents), 0
    for document in documents:
        if document.id not in there:
            within = watch.within(document, before=before, total=total)
            save_prepared(done, _prepared(resources, document, encoder, within))
        before += document.page_count


def take_over(resources: Resources, done: Catalog, encoder: Encoder) -> bool:
    """Make what was set aside the library's, unless documents have come meanwhile."""
    catalog = resources.catalog
    with resources.writing, resources.opening:
        documents = complete(resources)
        if not {document.id for document in documents} <= _ids(done):
            return False
        with catalog.together():
            for document in documents:
                read = done.document(document.id)
                named = replace(read, name=document.name, tags=document.tags)
                save_prepared(catalog, load_prepared(done, named))
                catalog.begin(document.id)  # until its vectors are these too
            resources.record(encoder)
            catalog.set_setting("reindexed", str(done.get_setting(reindex_store.RUN)))
        resources.use(encoder)
    return True


def _prepared(resources: Resources, document: Document, encoder: Encoder, watch: Watch) -> Prepared:
    """A document cut and embedded as it would be read now, or as it was read."""
    catalog = resources.catalog
    made = partial(
        prepare,
        encoder=encoder,
        settings=resources.settings,
        watch=watch,
        restored=catalog.restored(document.id),
        notes=catalog.notes(document.id),
    )
    try:
        return made(*_as_read_now(resources, document, watch))
    except NoText as error:
        log.warning("Reading a document again gave no text: %s", type(error).__name__)
        tried = _as_tried(document, resources.settings)
        return made(tried, catalog.blocks(document.id), catalog.health(document.id))


def _as_tried(document: Document, settings: Settings) -> Document:
    """A document that was read again in vain; it is not offered once more."""
    by_geometry = document.engine == parse.ENGINE and _sees(settings)
    engine = parse.LEFT_NOTHING if by_geometry else document.engine
    return replace(document, engine=engine, parser=parse.version_of(document.kind))


def _as_read_now(
    resources: Resources, document: Document, watch: Watch
) -> tuple[Document, list[Block], list[PageHealth]]:
    """What the present parser makes of a document; what there is, where it cannot be read."""
    blocks = resources.catalog.blocks(document.id)
    health = resources.catalog.health(document.id)
    fell_back = document.engine == parse.FELL_BACK and _sees(resources.settings)
    again = fell_back or _is_outdated(document, resources.settings)
    if not again or not resources.files.is_whole(document.id):
        return document, blocks, health
    try:
        if document.kind == "pdf":
            parsed = resources.read(document, watch)
        else:
            parsed = resources.reader.skim(
                resources.files.path(document.id),
                document.name,
                settings=resources.settings,
                cancelled=watch.cancelled,
            ).parsed
    except ReadingCancelled:
        raise
    except FileError as error:
        log.warning("A document could not be read again: %s", type(error).__name__)
        return document, blocks, health
    blocks, health = with_scans(parsed, blocks, health)
    waiting = sum(page.waiting for page in health)
    read = replace(with_reading(document, parsed), page_count=len(health), waiting_pages=waiting)
    return read, blocks, health


def _is_outdated(document: Document, settings: Settings) -> bool:
    if document.parser != parse.version_of(document.kind) or document.engine == text_layer.UNREAD:
        return True
    return document.kind == "pdf" and document.engine == parse.ENGINE and _sees(settings)


def _sees(settings: Settings) -> bool:
    """Whether a layout network would read along now."""
    return bool(with_layout(settings).reading.layout_model)


def _ids(catalog: Catalog) -> set[str]:
    return {document.id for document in catalog.documents()}
