"""The language model: whether it is used, and opened with the library's prices and budget."""

from contextlib import closing
from dataclasses import dataclass, field
from decimal import Decimal

from docqa.answer.model.claude import ANTHROPIC, ClaudeAnswerer
from docqa.answer.model.costs import SpendingLimit
from docqa.app.costs import Ledger
from docqa.app.resources import Resources
from docqa.errors import NoKey
from docqa.settings import Settings, server_url
from docqa.types.answer import Usage


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of the documents: the question, where it belongs, and what may answer it.

    ``document_ids`` are those searched, () for all. ``sides`` are the documents it compares where
    that is settled, () for none. ``key`` is used for this request and kept nowhere.
    """

    question: str
    settings: Settings
    key: str = field(repr=False)
    document_ids: tuple[str, ...] = ()
    conversation_id: str | None = None
    answerer: str | None = None
    sides: tuple[str, ...] | None = None


def answerer_kind(wanted: str | None, key: str, settings: Settings) -> str:
    """ "claude" or "extractive": who answers, by what is wanted and what there is.

    A server that is set as one's own may need no key. Raises `NoKey`.
    """
    kind = wanted or settings.answering.answerer
    reachable = bool(key or settings.server.base_url)
    if kind == "claude" and not reachable:
        raise NoKey
    if kind == "auto":
        return "claude" if reachable else "extractive"
    return kind


def open_claude(
    resources: Resources, settings: Settings, key: str, conversation_id: str | None = None
) -> ClaudeAnswerer:
    """Claude, as the settings say; what it takes is noted, for the conversation where it has one.

    Raises `NoKey`.
    """
    ledger = Ledger(resources.catalog)

    def spend(usage: Usage) -> None:
        ledger.note(usage, model=settings.answering.model, conversation_id=conversation_id or "")

    budget = (
        Decimal(str(settings.server.budget_usd)) if settings.server.budget_usd else ledger.budget
    )
    return ClaudeAnswerer(
        api_key=key,
        base_url=settings.server.base_url or server_url(),
        model=settings.answering.model,
        settings=settings,
        spending=SpendingLimit(ledger.prices(), budget, ledger.today().cost_usd, spend),
    )


def address(settings: Settings) -> str:
    """The server that would be sent to."""
    return settings.server.base_url or server_url() or ANTHROPIC


def server_models(resources: Resources, settings: Settings, key: str) -> tuple[str, ...]:
    """The models that the server in the settings offers. Raises `AnswerError`."""
    with closing(open_claude(resources, settings, key)) as claude:
        return claude.models()
