"""A question answered in a thread of its own: what it told so far, and how to stop it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from docqa.answer.events import (
    AnswerEvent,
    Events,
    PassagesFound,
    Reading,
    Retrying,
    Searching,
    TextDelta,
)
from docqa.errors import AnswerStopped
from docqa.types import Answer, Comparison
from docqa.ui.boundary import attempt
from docqa.ui.plain import count


@dataclass(frozen=True, slots=True)
class Step:
    """Something an answerer did on its way; ``done`` once it is known what came of it."""

    text: str
    outcome: str = ""


class Asking:
    """One question under way. ``result`` or ``error`` is set when it has ended.

    One that was stopped may still get a ``result`` while it is ``ending``: what had arrived.
    """

    def __init__(
        self,
        question: str,
        ask: Callable[[], Events],
        *,
        document_ids: tuple[str, ...] = (),
    ) -> None:
        self.question = question
        self.document_ids = document_ids
        self.steps: list[Step] = []
        self.text = ""
        self.result: Answer | Comparison | None = None
        self.error = ""
        self.stopped = False
        self._ask = ask
        self._thread = threading.Thread(target=self._run, name="docqa-ask", daemon=True)

    @property
    def running(self) -> bool:
        return self._thread.is_alive() and not self.stopped

    @property
    def ending(self) -> bool:
        return self.stopped and self._thread.is_alive()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End it here and now; its thread keeps what arrived as soon as it looks up."""
        self.stopped = True

    def wait(self, seconds: float | None = None) -> None:
        self._thread.join(seconds)

    def _run(self) -> None:
        self.error = attempt(self._follow)

    def _follow(self) -> None:
        events = self._ask()
        for event in events:
            if self.stopped:
                self._keep(events)
                return
            self._take(event)

    def _keep(self, events: Events) -> None:
        """The answer as far as it came, where anything did."""
        try:
            event = events.throw(AnswerStopped())
        except AnswerStopped:
            return
        if isinstance(event, Answer | Comparison):
            self.result = event

    def _take(self, event: AnswerEvent) -> None:
        match event:
            case TextDelta(text):
                self.text += text
            case Answer() | Comparison():
                self.result = event
            case PassagesFound() if self.steps:
                self.steps[-1] = Step(self.steps[-1].text, _outcome(event))
            case _:
                self.steps.append(Step(_told(event)))


def _told(event: AnswerEvent) -> str:
    match event:
        case Searching(query, documents):
            where = f" in {count(len(documents), 'document')}" if documents else ""
            return f"Searching{where}: {query}"
        case Reading(document, page, place):
            return f"Reading {document}, {place or f'page {page}'}"
        case Retrying(seconds, reason):
            return f"Waiting {seconds:.0f} seconds: {reason}"
        case PassagesFound():
            return _outcome(event)
        case _:
            return ""


def _outcome(event: PassagesFound) -> str:
    found = count(event.count, "passage")
    if not event.documents:
        return found
    named = ", ".join(event.documents[:3])
    more = len(event.documents) - 3
    return f"{found} in {named}" + (f" and {more} more" if more > 0 else "")
