"""How far the reading of a file is, and what became of it."""

from dataclasses import dataclass
from typing import Literal

from docqa.types.document import Document

Stage = Literal["waiting", "reading", "OCR", "embedding", "saving", "done", "failed"]


def no_progress(done: int, total: int) -> None:
    """Takes progress where nobody follows it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the reading of one file is: ``done`` of ``total`` pages, chunks, or steps."""

    file: str
    stage: Stage
    done: int = 0
    total: int = 0
    message: str = ""


@dataclass(frozen=True, slots=True)
class AddResult:
    """What became of one file. ``error`` is a sentence for the person who added it."""

    file: str
    status: Literal["added", "already there", "failed", "cancelled"]
    document: Document | None = None
    error: str = ""
