"""The steps to an answer, in words: what was searched for and found, what was read."""

from docqa.types.answer import Step
from docqa.types.events import AnswerEvent, PassagesFound, Reading, Retrying, Searching
from docqa.types.phrases import count

WAITING = "Waiting"
NAMED = 3  # documents that are named with what was found in them


def after(steps: tuple[Step, ...], event: AnswerEvent) -> tuple[Step, ...]:
    """The steps so far, once ``event`` has been told too.

    >>> after(after((), Searching("break right")), PassagesFound(2, ("Lease.pdf",)))
    (Step(text='Searching: break right', outcome='2 passages in Lease.pdf'),)
    """
    match event:
        case Searching(query, documents):
            where = f" in {count(len(documents), 'document')}" if documents else ""
            return (*steps, Step(f"Searching{where}: {query}"))
        case Reading(document, page, place):
            return (*steps, Step(f"Reading {document}, {place or f'page {page}'}"))
        case Retrying(seconds, reason):
            waited = bool(steps) and steps[-1].text.startswith(WAITING)
            told = f"{WAITING} {seconds:.0f} s: {reason}" if seconds else reason
            return (*steps[: -1 if waited else None], Step(told))
        case PassagesFound() if steps:
            return (*steps[:-1], Step(steps[-1].text, _found(event)))
        case PassagesFound():
            return (Step(_found(event)),)
        case _:
            return steps


def _found(event: PassagesFound) -> str:
    found = count(event.count, "passage")
    if not event.documents:
        return found
    more = len(event.documents) - NAMED
    named = ", ".join(event.documents[:NAMED])
    return f"{found} in {named}" + (f" and {more} more" if more > 0 else "")
