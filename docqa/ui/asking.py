"""A question answered in a thread of its own: what it told so far, and how to stop it."""

import threading
from collections.abc import Callable

from docqa.errors import AnswerStopped
from docqa.present import steps
from docqa.types.answer import Answer, Step
from docqa.types.comparison import Comparison
from docqa.types.events import AnswerEvent, Events, Pace, TextDelta
from docqa.ui.error_boundary import attempt


class Asking:
    """One question under way. ``result`` or ``error`` is set when it has ended.

    One that was stopped may still get a ``result`` while it is ``ending``: what had arrived.
    """

    def __init__(self, question: str, ask: Callable[[], Events]) -> None:
        self.question = question
        self.steps: tuple[Step, ...] = ()
        self.text = ""
        self.pace: Pace | None = None  # of a model on this machine
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

    @property
    def busy(self) -> bool:
        return self._thread.is_alive()

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
            case Pace():
                self.pace = event
            case Answer() | Comparison():
                self.result = event
            case _:
                self.steps = steps.after(self.steps, event)
