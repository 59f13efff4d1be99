"""The documents of the library: found by name or id, and renamed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from docqa.app.resources import Resources
from docqa.ingest.outline import outline
from docqa.library.filenames import clean_name, unique_name
from docqa.question.names import resolve
from docqa.types.document import Document
from docqa.types.events import Contents
from docqa.types.outline import Entry


def chosen(resources: Resources, document_ids: Sequence[str]) -> list[Document]:
    """The documents of these ids, in the library's order; all of them where there is no id."""
    wanted = set(document_ids)
    return [each for each in resources.catalog.documents() if not wanted or each.id in wanted]


def complete(resources: Resources, document_ids: Sequence[str] = ()) -> list[Document]:
    """Those of `chosen` that have vectors; the others get theirs when they have been read."""
    return [each for each in chosen(resources, document_ids) if each.state == "complete"]


def named(resources: Resources, name_or_id: str) -> Document:
    """The document of that id, or the one the name means.

    Raises `UnknownDocument` or `AmbiguousDocument`.
    """
    documents = resources.catalog.documents()
    by_id = {document.id: document for document in documents}
    return by_id.get(name_or_id) or resolve(name_or_id, documents)


def rename(resources: Resources, document_id: str, name: str, tags: Sequence[str]) -> Document:
    """Give a document another name and these tags; see `Workspace.rename`."""
    before = resources.catalog.document(document_id)
    others = {each.name for each in resources.catalog.documents() if each.id != document_id}
    wanted = clean_name(name) if name.strip() else before.name
    kept = tuple(sorted({" ".join(tag.split()) for tag in tags if tag.strip()}))
    document = replace(before, name=unique_name(wanted, others), tags=kept)
    resources.catalog.amend(document)
    return document


def outline_of(resources: Resources, document_id: str) -> tuple[Entry, ...]:
    """A document's headings, with its tables and statements among them."""
    catalog = resources.catalog
    return outline(catalog.outline(document_id, pages=0), catalog.tables(document_id))


def contents_of(resources: Resources) -> Contents:
    """What a model may look up in the library's documents."""
    catalog = resources.catalog
    return Contents(catalog.blocks, catalog.tables, partial(outline_of, resources))
