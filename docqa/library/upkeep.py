"""After a process that ended in the middle of its work: the catalog is the truth, the rest follows.

Adding writes in the order journal, file, vectors, catalog; removing in the order catalog, vectors,
file, purge, journal. Whenever it breaks off, what `reconcile` finds tells it which way to
finish.
"""

import logging

from docqa.errors import LibraryUnusable
from docqa.library.catalog import Catalog
from docqa.library.files import FileStore
from docqa.library.vectors import Told, VectorIndex

log = logging.getLogger(__name__)

FEW = 5  # documents; beyond it, building the index anew is quicker than putting each in again


def reconcile(
    catalog: Catalog,
    index: VectorIndex,
    files: FileStore,
    *,
    progress: Told | None = None,
) -> None:
    """Make vectors and files those of the catalog's documents, no more and no fewer vectors.

    A file whose document is not in the catalog is deleted. A document whose file is lost keeps
    everything else. ``progress`` is told of passages where the whole index has to be rebuilt.
    Call it with the library locked. Raises LibraryUnusable.
    """
    files.clear_broken_off()
    saved = {document.id for document in catalog.documents()}
    unfinished = catalog.unfinished()
    for document_id in set(files.ids()) - saved:
        log.info("A file that belongs to no document is cleared away")
        files.remove(document_id)
    if len(saved.intersection(unfinished)) > FEW or not _restored(catalog, index):
        log.warning("The vector index differs from the catalog and is rebuilt")
        total = catalog.vector_count()
        index.rebuild(catalog.all_vectors(), total=total, progress=progress)
    catalog.finish(unfinished)


def clear_away(catalog: Catalog, index: VectorIndex, files: FileStore) -> None:
    """Delete what is left of the documents that are no longer in the catalog.

    Overwriting their vectors takes 10 ms for each in a library of 100,000, so whoever removes a
    document need not wait for it. Call it while nothing is added. Raises LibraryUnusable.
    """
    saved = {document.id for document in catalog.documents()}
    gone = [document_id for document_id in catalog.unfinished() if document_id not in saved]
    for document_id in gone:
        index.remove(document_id)
        files.remove(document_id)
    catalog.finish(gone)


def _restored(catalog: Catalog, index: VectorIndex) -> bool:
    """Whether the index is right once the documents that were under way are put in or out.

    Where there are such documents a process was ended while it may have been writing the index,
    so every vector is read and compared.
    """
    try:
        for document_id in catalog.unfinished():
            index.remove(document_id)
            ids, vectors = catalog.document_vectors([document_id])
            if ids:
                index.add(document_id, ids, vectors)
    except LibraryUnusable as error:  # of a file of it that was half written
        log.warning("The vector index cannot be changed: %s", type(error.__cause__).__name__)
        return False
    if not index.is_consistent_with(catalog.vector_count()):
        return False
    return not catalog.unfinished() or all(
        index.holds(ids, vectors) for _, ids, vectors in catalog.all_vectors()
    )
