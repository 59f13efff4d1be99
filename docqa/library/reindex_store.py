"""What re-indexing has done so far: a second catalog in the library, until all of it is done.

A document that is in it has been cut and embedded anew. Work that was broken off is taken up where
it stopped, if it is asked for in the same way again.
"""

import logging
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from docqa.errors import LibraryUnusable
from docqa.library.catalog import Catalog
from docqa.library.files import delete_folder

log = logging.getLogger(__name__)

FOLDER_NAME = "reindexing"
_RECIPE = "recipe"
RUN = "run"  # of what was set aside; the library keeps that of the last one it took over


@contextmanager
def opened(folder: Path, *, recipe: str) -> Iterator[Catalog]:
    """The catalog set aside for this recipe, with what is in it already; else an empty one.

    It stays when the block ends, whatever ends it; `discard` deletes it.
    """
    if _setting(folder, _RECIPE) != recipe:
        discard(folder)
    with closing(Catalog(folder / FOLDER_NAME)) as aside:
        if aside.get_setting(RUN) is None:
            aside.set_setting(_RECIPE, recipe)
            aside.set_setting(RUN, uuid.uuid4().hex)
        yield aside


def _setting(folder: Path, key: str) -> str | None:
    if not waiting(folder):
        return None
    try:
        with closing(Catalog(folder / FOLDER_NAME)) as aside:
            return aside.get_setting(key)
    except LibraryUnusable as error:  # nothing is lost with it but time
        log.warning("What re-indexing had done is unusable and is done again: %s", error)
        return None


def discard_if_taken_over(folder: Path, *, run: str | None) -> None:
    """Delete it where the library says that this very run was taken over whole."""
    if run is not None and _setting(folder, RUN) == run:
        discard(folder)


def forget(folder: Path, document_id: str) -> None:
    """Delete what was set aside of a document, since the document itself is deleted."""
    if waiting(folder):
        with closing(Catalog(folder / FOLDER_NAME)) as aside:
            aside.remove(document_id)
            aside.finish(aside.unfinished())


def finish_forgetting(folder: Path) -> None:
    """Overwrite what is left of documents that a process was ended in the middle of forgetting."""
    if not waiting(folder):
        return
    try:
        with closing(Catalog(folder / FOLDER_NAME)) as aside:
            aside.finish(aside.unfinished())
    except LibraryUnusable as error:
        log.warning("What re-indexing had done is unusable and is discarded: %s", error)
        discard(folder)


def waiting(folder: Path) -> bool:
    """Whether re-indexing was broken off and can be taken up again."""
    return (folder / FOLDER_NAME).exists()


def discard(folder: Path) -> None:
    """Delete all that was set aside. Raises LibraryUnusable."""
    delete_folder(folder / FOLDER_NAME)
