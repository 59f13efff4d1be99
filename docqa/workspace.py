"""The application without a screen: add, remove, search, ask, compare.

Importing this costs no heavy library, and what asks, checks and compares is imported when it does.
Opening a `Workspace` opens the catalog alone; models, the vector index and the reading process
come at first use, or in the background with `warm`.
"""

import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Self

from docqa.answer.model.redaction import Redaction as Redaction  # hides words from others
from docqa.app import documents, search
from docqa.app.add import Additions
from docqa.app.contents import DocumentContents
from docqa.app.costs import Ledger
from docqa.app.glossary import OwnGlossary
from docqa.app.maintenance import Maintenance
from docqa.app.model import Request, open_claude
from docqa.app.notes import Notes
from docqa.app.remove import Removals
from docqa.app.remove import Withdrawn as Withdrawn  # for who holds one until it is put back
from docqa.app.resources import LoadEncoder, Resources
from docqa.app.warm import Warming
from docqa.ingest.reading.reader import ReadingProcess
from docqa.library import lock
from docqa.question.queries import NO_FILTERS
from docqa.settings import DEFAULTS, Settings, key_to_use
from docqa.types.document import Document
from docqa.types.events import Events
from docqa.types.question import Filters
from docqa.types.search import SearchResult

if TYPE_CHECKING:
    from docqa.app.ask import Preview
    from docqa.app.compare import Comparisons
    from docqa.app.evaluate import Evaluations
    from docqa.app.review import Reviewing
    from docqa.app.statements import Statements


class Workspace:
    """One library folder, opened for writing by this process alone, or for reading by any number.

    Raises `LibraryLocked` where another process has it, `LibraryUnusable` or `LibraryTooNew`
    where it cannot be read. With ``read_only`` another process may have it, and what it commits
    meanwhile is seen; nothing is written but models in their cache and what an answer has cost,
    and what would change the library raises `LibraryReadOnly`. Raises `LibraryMissing` and
    `LibraryTooOld` then, since a library is neither made nor brought up to date.

    Methods may be called from several threads; files are added one after the other. ``documents``
    are those of the `Catalog`; ``add`` and ``remove`` are those of `Additions` and `Removals`.
    ``resources`` is what all of it works with: tests and measurements look there, screens do not.
    """

    def __init__(
        self,
        library: Path,
        settings: Settings = DEFAULTS,
        *,
        read_only: bool = False,
        reader: ReadingProcess | None = None,
        load: LoadEncoder | None = None,
        address: str = "",
    ) -> None:
        """``reader`` may be shared between workspaces; whoever made it closes it.

        ``address`` is where a browser finds this process, for others who want the library.
        """
        self.folder = library
        self.settings = settings
        self.resources = Resources(
            library, settings, read_only=read_only, reader=reader, load=load, address=address
        )
        catalog = self.resources.catalog
        self.documents = catalog.documents
        self.conversations, self.judgements = catalog.conversations, catalog.judgements
        self.ledger = Ledger(catalog)
        self.contents = DocumentContents(self.resources)
        self.glossary = OwnGlossary(catalog)
        self.additions = Additions(self.resources)
        self.removals = Removals(self.resources, self.additions.resume)
        self.maintenance = Maintenance(self.resources, self.additions)
        self.notes = Notes(self.resources, self.additions.recut)
        self.warming = Warming(self.resources, self._go_on)
        self.add, self.remove = self.additions.add, self.removals.remove
        self._making = threading.Lock()
        self._reviews: Reviewing | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End the reading process and let go of the library; further calls are not allowed."""
        self.warming.close()
        if self._reviews is not None:
            self._reviews.close()
        for each in (self.additions, self.removals, self.resources):
            each.close()

    def _go_on(self) -> None:
        """Take up again what was under way when the program ended."""
        self.additions.resume()
        self.reviews.resume()

    @property
    def reviews(self) -> "Reviewing":
        """The reviews of the library: documents × questions."""
        from docqa.app.review import Reviewing

        with self._making:  # one alone, so that no cell is filled twice
            if self._reviews is None:
                self._reviews = Reviewing(self.resources)
            return self._reviews

    @property
    def evaluations(self) -> "Evaluations":
        """Measurements of searches and answers, and why a search did not find a phrase."""
        from docqa.app.evaluate import Evaluations

        return Evaluations(self.resources)

    @property
    def comparisons(self) -> "Comparisons":
        """Documents set side by side."""
        from docqa.app.compare import Comparisons

        return Comparisons(self.resources)

    @property
    def preview(self) -> "Preview":
        """What a question would compare, and what would be sent for it."""
        from docqa.app.ask import Preview

        return Preview(self.resources)

    @property
    def statements(self) -> "Statements":
        """Statements of someone else's, checked as answers are."""
        from docqa.app.statements import Statements

        return Statements(self.resources)

    # Documents

    def document(self, name_or_id: str) -> Document:
        """The document of that id, or the one the name means.

        Raises `UnknownDocument` or `AmbiguousDocument`.
        """
        return documents.named(self.resources, name_or_id)

    def rename(self, document_id: str, name: str, *, tags: Sequence[str] = ()) -> Document:
        """Give a document another name and these tags; a taken name gets a number.

        An empty name leaves the old one. Raises `UnknownDocument`.
        """
        return documents.rename(self.resources, document_id, name, tags)

    # Questions

    def search(
        self,
        question: str,
        *,
        document_ids: Sequence[str] = (),
        filters: Filters = NO_FILTERS,
        top_k: int | None = None,
        settings: Settings | None = None,
    ) -> SearchResult:
        """The passages that bear on a question, best first, with every stage's score.

        Raises `EmptyQuestion`, `NoDocuments`, and `NothingPasses` where the filters leave none.
        """
        return search.search(
            self.resources,
            question,
            settings=settings or self.settings,
            document_ids=document_ids,
            filters=filters,
            top_k=top_k,
        )

    def ask(
        self,
        question: str,
        *,
        document_ids: Sequence[str] = (),
        conversation_id: str | None = None,
        answerer: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        sides: Sequence[str] | None = None,
    ) -> Events:
        """What happens while a question is answered; the last event is the `Answer`.

        Where the question sets two or three documents against each other they are compared, and
        the last event is the `Comparison`; ``sides`` are their ids where the person has settled
        which, () for no comparison. ``answerer`` is "auto" (Claude where there is a key or
        a server of one's own), "extractive" or "claude". The key is used for this question and
        kept nowhere. How it is stopped, `Events` says. Raises `EmptyQuestion`,
        `NoDocuments` and `NoKey` at once, other `AnswerError`s on the way.
        """
        from docqa.app import ask

        request = Request(
            question,
            settings or self.settings,
            key_to_use(api_key),
            document_ids=document_ids,
            conversation_id=conversation_id,
            answerer=answerer,
            sides=sides,
        )
        return ask.ask(self.resources, request)

    # The machine

    @property
    def app_address(self) -> str:
        """Where a browser finds the docqa that has the library open; "" where none has."""
        return lock.address(self.folder)

    def server_models(self) -> tuple[str, ...]:
        """The models that the server in the settings offers. Raises `AnswerError`."""
        with closing(open_claude(self.resources, self.settings, key_to_use(None))) as claude:
            return claude.models()
