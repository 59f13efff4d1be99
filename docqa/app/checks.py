"""Whether what is kept on disk is whole, and made as it would be made now."""

from docqa import settings
from docqa.app.resources import Resources
from docqa.ingest.prepare import recipe
from docqa.types.document import Document


def lost_files(resources: Resources) -> list[Document]:
    """The documents whose file is not there as it was added; reads every file."""
    documents = resources.catalog.documents()
    return [each for each in documents if not resources.files.is_whole(each.id)]


def is_chunked_differently(resources: Resources) -> bool:
    """Whether the passages were made in another way than they would be made now."""
    now = recipe(resources.encoder.name, resources.settings)
    catalog = resources.catalog
    return bool(catalog.documents()) and catalog.get_setting("recipe") != now


def index_agrees(resources: Resources) -> bool:
    """Whether every vector of the catalog can be read from the index; reads all."""
    catalog, index = resources.catalog, resources.index
    return index.count() == catalog.vector_count() and all(
        index.holds(ids, kept) for _, ids, kept in catalog.all_vectors()
    )


def telemetry_off(resources: Resources) -> dict[str, bool]:
    """Whether each library that could report to its makers is told not to."""
    return {**settings.telemetry_off(), "Chroma": resources.index.is_silent()}
