"""What a question asks, of which documents, and how it is searched for."""

from dataclasses import dataclass
from typing import Literal

from docqa.types.document import Document

Intent = Literal["lookup", "synthesis", "comparison", "list"]

Preference = Literal["table", "narrative", "none"]

Definition = tuple[str, str]  # an abbreviation, and what it stands for

Wants = Literal["value", "list", "yes or no", "clause", "summary", "comparison", "computation"]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a passage must be to be searched at all, beside being in a chosen document."""

    pages: tuple[int, int] | None = None  # first and last, both included
    section: str = ""  # words that stand in the heading path, whatever their case
    tables_only: bool = False


@dataclass(frozen=True, slots=True)
class NotAsked:
    """What a question calls by name, and the documents of that name, none among those asked."""

    said: str
    documents: tuple[str, ...]  # their file names


@dataclass(frozen=True, slots=True)
class Choice:
    """Which documents a question sets against each other; () where it compares none.

    Where ``reason`` says why this cannot be decided, the person chooses among ``candidates``.
    """

    documents: tuple[Document, ...] = ()
    reason: str = ""
    candidates: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read once: what was asked, what it means, and what would answer it.

    ``text`` is as it was put. ``whole`` is what it means after the questions before it, without
    the ``instructions`` on the form of the answer; it is what is searched for and answered.
    ``nameless`` is the same without the names of documents, "" where it names none. ``respelt``
    are its words that were taken for others, each with the other.
    ``parts`` ask for a part of it each; ``leads`` is the question that those after it lean on ("Who
    is the largest tenant and when does its lease end?"), "" where none does. ``documents`` are the
    ids of those it names among ``document_ids``, which the person chose or which it names by their
    full names; none of these means every document.
    """

    text: str
    whole: str
    instructions: tuple[str, ...] = ()
    document_ids: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    not_asked: tuple[NotAsked, ...] = ()
    parts: tuple[str, ...] = ()
    leads: str = ""
    about: tuple[str, ...] = ()  # words, as written, that a document which answers should have
    intent: Intent = "lookup"
    prefers: Preference = "none"
    wants: Wants = "clause"
    compared: Choice = Choice()
    nameless: str = ""
    respelt: tuple[tuple[str, str], ...] = ()
    opening: float = 0.0  # the chance that it asks for what the opening of a document says
    one: str = ""  # as each of the documents ``each`` is asked it by itself
    each: tuple[str, ...] = ()  # ids of documents that it is put to in turn

    @property
    def meant(self) -> str:
        """The whole question with its instructions."""
        return " ".join((self.whole, *self.instructions))

    @property
    def topic(self) -> str:
        """What it asks of its documents: their names, which all their passages share, left out."""
        return self.nameless or self.whole

    @property
    def several(self) -> bool:
        """Whether the answer is gathered from several places rather than looked up in one."""
        return self.intent != "lookup"


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """How a question will be searched. ``queries[0]`` is always the question itself.

    Its parts are among the other queries, and so is ``renamed``: the question with the other name
    that a document gives one of its terms, which is read with a passage as the question is.
    """

    question: Question
    queries: tuple[str, ...]
    renamed: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()  # titles of the tables that state what is asked for
    filters: Filters = Filters()
