"""Events on their way to whoever follows an answer, each changed as it passes."""

from collections.abc import Callable

from docqa.errors import AnswerStopped
from docqa.types.events import AnswerEvent, Events


def relayed(events: Events, change: Callable[[AnswerEvent], AnswerEvent]) -> Events:
    """The events, each as ``change`` makes it; a stop that is thrown in reaches ``events``."""
    event = next(events, None)
    while event is not None:
        try:
            yield change(event)
        except AnswerStopped as stopped:
            event = events.throw(stopped)
        else:
            event = next(events, None)
