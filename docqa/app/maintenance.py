"""Keeping a library sound: what `doctor` sees and mends, and indexing all of it again."""

from collections.abc import Callable

from docqa.app import diagnosis, reindex
from docqa.app.add import Additions
from docqa.app.resources import Resources
from docqa.ingest.prepare import watching
from docqa.library import reindex_store
from docqa.types.progress import Progress


class Maintenance:
    """Upkeep of one library, during which nothing is added."""

    def __init__(self, resources: Resources, additions: Additions) -> None:
        self._resources = resources
        self._additions = additions

    def examine(self) -> list[diagnosis.Finding]:
        """Every check of the installation and the library; reads every file and vector."""
        return diagnosis.examine(self._resources)

    def repair(self) -> list[str]:
        """Mend what can be mended without asking; a sentence for each thing that was."""
        self._resources.check_writable()
        return diagnosis.repair(self._resources, self._additions)

    def reindex(
        self,
        *,
        encoder: str | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> str:
        """Cut and embed every document again, with the named encoder or the best there is.

        Those that an earlier version of the parser has read, or that were read before the layout
        network was here, are read again first. Until all of it is done the library stays as it
        was; what was done before it was broken off is not done again. ``progress`` is told of
        pages, over all documents. Returns the encoder's name. Raises `ModelMissing`, and
        `ReadingCancelled` when told to stop.
        """
        self._resources.check_writable()
        chosen = self._resources.load(encoder)
        with self._additions.paused():
            reindex.reindex(self._resources, chosen, watching(progress, None))
        return chosen.name

    @property
    def indexed_with(self) -> str | None:
        """The name of the encoder that the library is indexed with; None while it is new."""
        return self._resources.catalog.get_setting("encoder")

    def is_reindexing_unfinished(self) -> bool:
        """Whether indexing again was broken off and can go on."""
        return reindex_store.waiting(self._resources.folder)

    def outdated(self) -> int:
        """The number of documents read by an earlier parser, or before a layout network came."""
        return reindex.outdated(self._resources)
