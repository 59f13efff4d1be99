"""What a question would do, told before it is asked; nothing is sent and nothing kept."""

from collections.abc import Sequence

from docqa.app import ask
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.settings import Settings, key_to_use
from docqa.types.costs import Outgoing
from docqa.types.question import Choice


class Preview:
    """Which documents a question would compare, and what would be sent to a model for it."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def sides(
        self,
        question: str,
        document_ids: Sequence[str] = (),
        *,
        conversation_id: str | None = None,
    ) -> Choice:
        """The documents a question sets against each other, among those of these ids (or all).

        None where it compares none; where it cannot be decided which, the choice says why.
        """
        settings = self._resources.settings
        return ask.compared(
            self._resources, Request(question, settings, "", document_ids, conversation_id)
        )

    def outgoing(
        self,
        question: str,
        *,
        document_ids: Sequence[str] = (),
        conversation_id: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        sides: Sequence[str] | None = None,
    ) -> Outgoing:
        """What would be sent first, word for word.

        ``sides`` are as in `Workspace.ask`; where they are given the question may be empty, as in
        `Comparisons.make`. Raises `EmptyQuestion`, `NoDocuments` and `NoKey`, and what
        `Comparisons.make` does.
        """
        request = Request(
            question,
            settings or self._resources.settings,
            key_to_use(api_key),
            document_ids,
            conversation_id,
            sides=sides,
        )
        return ask.preview(self._resources, request)
