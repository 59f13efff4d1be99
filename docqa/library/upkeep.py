"""After a process that ended in the middle of its work: the catalog is the truth, the rest follows.

Adding writes in the order journal, file, vectors, catalog; removing in the order catalog, vectors,
file, journal. Whenever it breaks off, what `bring_in_line` finds tells it which way to finish.
"""

import logging

from docqa.library.catalog import Catalog
from docqa.library.files import FileStore
from docqa.library.vectors import VectorIndex

log = logging.getLogger(__name__)


def bring_in_line(catalog: Catalog, index: VectorIndex, files: FileStore) -> None:
    """Make vectors and files those of the catalog's documents, no more and no fewer vectors.

    A PDF whose document is not in the catalog is deleted. A document whose PDF is lost keeps
    everything else. Call it with the library locked. Raises LibraryUnusable.
    """
    files.clear_broken_off()
    saved = {document.id for document in catalog.documents()}
    for document_id in catalog.unfinished():
        index.remove(document_id)
        if document_id in saved:
            _restore(catalog, index, document_id)
    for document_id in set(files.ids()) - saved:
        log.info("A file that belongs to no document is cleared away")
        files.remove(document_id)
    if not index.is_consistent_with(catalog.chunk_count()):
        log.warning("The vector index differs from the catalog and is rebuilt")
        index.rebuild(catalog.all_vectors())
    for document_id in catalog.unfinished():
        catalog.abandon(document_id)


def _restore(catalog: Catalog, index: VectorIndex, document_id: str) -> None:
    ids = [chunk.id for chunk in catalog.document_chunks(document_id)]
    index.add(document_id, ids, catalog.vectors(ids))
