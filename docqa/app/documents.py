"""The documents of the library: found by name or id, renamed, and what was read of each."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from functools import partial

from docqa.app.resources import Resources
from docqa.errors import FileError, UnknownDocument
from docqa.ingest.chunks.validate import count_by_reason
from docqa.ingest.outline import outline
from docqa.ingest.reading import cutout, pdfium
from docqa.library.filenames import clean_name, unique_name
from docqa.present.document import Picture
from docqa.question.names import resolve
from docqa.types.document import Block, Box, Document
from docqa.types.events import Contents
from docqa.types.outline import Entry


def chosen(resources: Resources, document_ids: Sequence[str]) -> list[Document]:
    """The documents of these ids, in the library's order; all of them where there is no id."""
    wanted = set(document_ids)
    return [each for each in resources.catalog.documents() if not wanted or each.id in wanted]


def with_id(resources: Resources, document_id: str) -> Document:
    """The document of that id. Raises `UnknownDocument`."""
    known = {document.id: document for document in resources.catalog.documents()}
    if document_id not in known:
        raise UnknownDocument(document_id)
    return known[document_id]


def named(resources: Resources, name_or_id: str) -> Document:
    """The document of that id, or the one the name means.

    Raises `UnknownDocument` or `AmbiguousDocument`.
    """
    documents = resources.catalog.documents()
    by_id = {document.id: document for document in documents}
    return by_id.get(name_or_id) or resolve(name_or_id, documents)


def rename(resources: Resources, document_id: str, name: str, tags: Sequence[str]) -> Document:
    """Give a document another name and these tags; see `Workspace.rename`."""
    before = with_id(resources, document_id)
    others = {each.name for each in resources.catalog.documents() if each.id != document_id}
    wanted = clean_name(name) if name.strip() else before.name
    kept = tuple(sorted({" ".join(tag.split()) for tag in tags if tag.strip()}))
    document = replace(before, name=unique_name(wanted, others), tags=kept)
    resources.catalog.amend(document)
    return document


def page_image(
    resources: Resources, document_id: str, page: int, scale: float
) -> tuple[bytes, float, float]:
    """One page as JPEG, with its width and height in points; see `Workspace.page_image`."""
    path, password = resources.files.path(document_id), resources.passwords.get(document_id)
    return pdfium.render_page(path, page, scale=scale, password=password)


def page_cutout(
    resources: Resources, document_id: str, page: int, blocks: Sequence[Block]
) -> Picture | None:
    """A page around some of its blocks; see `Workspace.page_cutout`."""
    documents = {document.id: document for document in resources.catalog.documents()}
    document = documents.get(document_id)
    if document is None or document.kind != "pdf":
        return None
    path, password = resources.files.path(document_id), resources.passwords.get(document_id)
    boxes = [block.box for block in blocks if block.page == page and any(astuple(block.box))]
    try:
        content, width = cutout.cut_out(path, page, boxes, password=password)
    except (FileError, IndexError):
        return None
    return Picture(content, f"{document.name}, page {page}", width)


def outline_of(resources: Resources, document_id: str) -> tuple[Entry, ...]:
    """A document's headings and tables; see `Workspace.outline`."""
    catalog = resources.catalog
    return outline(catalog.outline(document_id, pages=0), catalog.tables(document_id))


def contents_of(resources: Resources) -> Contents:
    """What a model may look up in the library's documents."""
    catalog = resources.catalog
    return Contents(catalog.blocks, catalog.tables, partial(outline_of, resources))


def page_words(resources: Resources, document_id: str, page: int) -> list[tuple[str, Box]]:
    """The words of a page's text layer with their boxes; see `Workspace.page_words`."""
    path, password = resources.files.path(document_id), resources.passwords.get(document_id)
    return pdfium.page_words(path, page, password=password)


def discard_counts(resources: Resources) -> dict[str, int]:
    """Chunks left out by validation over the whole library, by reason."""
    catalog = resources.catalog
    every = [each for document in catalog.documents() for each in catalog.discards(document.id)]
    return count_by_reason(every)
