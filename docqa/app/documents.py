"""The documents of the library: found by name or id, renamed, and what was read of each."""

from collections.abc import Sequence
from dataclasses import replace

from docqa.app.resources import Resources
from docqa.errors import UnknownDocument
from docqa.ingest.chunks.validate import count_by_reason
from docqa.ingest.reading import pdfium
from docqa.library.filenames import clean_name, unique_name
from docqa.question.names import resolve
from docqa.types.document import Document


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


def discard_counts(resources: Resources) -> dict[str, int]:
    """Chunks left out by validation over the whole library, by reason."""
    catalog = resources.catalog
    every = [each for document in catalog.documents() for each in catalog.discards(document.id)]
    return count_by_reason(every)
