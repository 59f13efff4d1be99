"""The one place where whatever goes wrong becomes a sentence on the screen.

Errors of docqa carry their own sentence. Anything else is a fault of the program: it is logged
by its kind and place, never with the text of a document, and the person is told what still works.
"""

import logging
import traceback
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from docqa.errors import DocqaError

log = logging.getLogger(__name__)

UNEXPECTED = (
    "Something went wrong in docqa itself. Your documents are safe; try again, and restart "
    "docqa if it happens twice."
)

Arguments = ParamSpec("Arguments")


def attempt(work: Callable[[], object]) -> str:
    """Does the work; the sentence that says what went wrong, "" where nothing did."""
    try:
        work()
    except DocqaError as error:
        return str(error)
    except Exception as error:
        log.error("%s in %s", type(error).__name__, _place(error))
        log.debug("Full traceback", exc_info=True)
        return UNEXPECTED
    return ""


def reported(draw: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """A part of the screen that shows a sentence in its place when it cannot be drawn."""

    @wraps(draw)
    def drawn(*args: Arguments.args, **named: Arguments.kwargs) -> None:
        from docqa.ui.plain_text import show_error

        sentence = attempt(lambda: draw(*args, **named))
        if sentence:
            show_error(sentence)

    return drawn


def _place(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}"
