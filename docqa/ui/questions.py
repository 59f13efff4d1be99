"""Asking: where a question goes, the answer under way, and the conversation it is kept in."""

from collections.abc import Sequence
from functools import partial

from docqa.settings import Settings
from docqa.types.answer import Message
from docqa.types.comparison import Comparison
from docqa.types.document import Document
from docqa.types.phrases import count, shortened
from docqa.types.question import Choice
from docqa.ui.asking import Asking
from docqa.ui.error_boundary import attempt
from docqa.ui.state import Undecided, Unsent, running, screen, workspace

TITLE_CHARS = 60
NO_CHOICE = Choice()
NONE_CHOSEN = "No document is selected. Select at least one on the left, then ask again."


def exchanges() -> list[tuple[str, Message]]:
    """The questions and answers of the conversation that is open."""
    conversation_id = screen().conversation_id
    return pairs(workspace().conversations.messages(conversation_id)) if conversation_id else []


def newest_turn() -> str:
    """The name of the last answer of the conversation that is open, which is scrolled to once."""
    return f"turn-{screen().conversation_id}-{len(exchanges()) - 1}"


def pairs(messages: Sequence[Message]) -> list[tuple[str, Message]]:
    """Each question with the assistant's message that follows it."""
    found = []
    question = ""
    for message in messages:
        if message.role == "user":
            question = message.text
        else:
            found.append((question, message))
    return found


def placeholder(documents: Sequence[Document]) -> str:
    """What stands in the empty question box."""
    if not documents:
        return "Add a document first"
    left_out = screen().left_out
    chosen = [each for each in documents if each.id not in left_out]
    if not chosen:
        return "Select a document to ask"
    if len(chosen) == len(documents):
        return f"Ask {count(len(documents), 'document')}"
    return f"Ask {len(chosen):,} of {len(documents):,} documents"


def ask(
    question: str,
    *,
    answerer: str | None = None,
    settings: Settings | None = None,
    sides: Sequence[str] | None = None,
) -> None:
    """Begin to answer a question, or show first what would be sent, where that was asked for.

    It belongs to the conversation that is open, or to a new one. ``settings`` hold for this
    question alone. Where it compares documents and it cannot be told which, that is asked first;
    ``sides`` are those chosen, () for an answer without a comparison.
    """
    here = screen()
    documents = workspace().documents()
    here.notice, here.undecided = "", None
    choice = _compared(question, documents) if sides is None else NO_CHOICE
    if documents and all(each.id in here.left_out for each in documents):
        here.notice = NONE_CHOSEN
    elif choice.reason:
        here.undecided = Undecided(question, choice, answerer, settings)
    elif here.look_first and answerer is None and here.would_use_model(settings or here.settings):
        here.notice = attempt(lambda: look_at(question, settings or here.settings, sides))
    else:
        _begin(question, documents, answerer, settings, sides)
    here.draft = question if here.notice else ""


def _compared(question: str, documents: list[Document]) -> Choice:
    here = screen()
    return workspace().preview.sides(
        question, here.asked(documents), conversation_id=here.conversation_id
    )


def look_at(question: str, settings: Settings, sides: Sequence[str] | None) -> None:
    """Keep what would be sent for a question, to be looked at. Raises as `Preview.outgoing`."""
    here = screen()
    outgoing = workspace().preview.outgoing(
        question,
        document_ids=here.asked(workspace().documents()),
        conversation_id=here.conversation_id,
        api_key=here.api_key or None,
        settings=settings,
        sides=sides,
    )
    here.unsent = Unsent(question, settings, outgoing, None if sides is None else tuple(sides))


def send(unsent: Unsent, answerer: str | None) -> None:
    """Ask what was looked at, with the settings it was looked at with, or by another answerer."""
    ask(
        unsent.question,
        answerer=answerer or unsent.settings.answering.answerer,
        settings=unsent.settings,
        sides=unsent.sides,
    )


def unsend() -> None:
    screen().unsent = None


def _begin(
    question: str,
    documents: list[Document],
    answerer: str | None,
    settings: Settings | None,
    sides: Sequence[str] | None,
) -> None:
    here = screen()
    here.unsent = None
    if here.conversation_id is None:
        title = shortened(question, TITLE_CHARS)
        here.conversation_id = workspace().conversations.begin(title)
    chosen = settings or here.settings
    start = partial(
        workspace().ask,
        question,
        document_ids=here.asked(documents),
        conversation_id=here.conversation_id,
        answerer=answerer or chosen.answering.answerer,
        api_key=here.api_key or None,
        settings=chosen,
        sides=sides,
    )
    here.asking = running().asked[here.desk_id] = Asking(question, start)
    here.asking.start()


def settle() -> None:
    """Put an answer that has ended in its place: the conversation, or the comparison page."""
    here = screen()
    asking = here.asking
    if asking is None or asking.running or asking.result is None:
        return
    if isinstance(asking.result, Comparison):
        here.comparison = asking.result
        running().compared[here.desk_id] = asking
    here.newest_turn = newest_turn()
    here.asking = None
    running().asked.pop(here.desk_id, None)
