"""A document as it was prepared, saved in a catalog and taken from one."""

import logging
from dataclasses import replace

from docqa.errors import LibraryUnusable
from docqa.ingest.prepare import DESCRIBING, Prepared, described
from docqa.ingest.reading import parse
from docqa.ingest.reading.parse import Parsed
from docqa.library.catalog import Catalog
from docqa.types.document import Document

log = logging.getLogger(__name__)


def save_prepared(catalog: Catalog, prepared: Prepared) -> None:
    """Save what was prepared in a catalog."""
    catalog.save(
        prepared.document,
        blocks=prepared.blocks,
        chunks=prepared.chunks,
        vectors=prepared.vectors,
        health=prepared.health,
        discards=prepared.discards,
    )


def load_prepared(catalog: Catalog, document: Document) -> Prepared:
    """All that a catalog keeps of the document, with the document's own name and tags."""
    chunks, discards = catalog.document_chunks(document.id), catalog.discards(document.id)
    vectors = catalog.vectors([chunk.id for chunk in chunks])
    return Prepared(
        replace(document, chunk_count=len(chunks), discard_count=len(discards)),
        catalog.blocks(document.id),
        chunks,
        vectors if document.state == "complete" else None,
        catalog.health(document.id),
        discards,
    )


def with_reading(document: Document, parsed: Parsed) -> Document:
    """The document with what its reading says of it."""
    return replace(
        document,
        title=parsed.title,
        engine=parsed.engine,
        warnings=parsed.warnings,
        parser=parse.version_of(document.kind),
    )


def refresh_descriptions(catalog: Catalog) -> None:
    """Describe the documents of a library whose descriptions were made by other rules, or never.

    Where that cannot be kept, on a full disk for instance, the library is as useful without.
    """
    version = str(DESCRIBING)
    if catalog.get_setting("descriptions") == version:
        return
    from docqa.ingest.description import OPENING_PAGES

    try:
        with catalog.together():
            for document in catalog.documents():
                outline = catalog.outline(document.id, pages=OPENING_PAGES)
                catalog.amend(described(document, outline))
            catalog.set_setting("descriptions", version)
    except LibraryUnusable as error:
        log.warning("The documents are not described: %s", error)
