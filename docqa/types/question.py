"""What is asked, and of which documents."""

from dataclasses import dataclass
from typing import Literal

from docqa.types.document import Document

Intent = Literal["lookup", "synthesis", "comparison", "list"]

Preference = Literal["table", "narrative", "none"]


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
class QueryPlan:
    """How a question will be searched. ``queries[0]`` is always the question itself.

    ``parts`` are those of the queries that ask for a part of it each.
    """

    question: str
    queries: tuple[str, ...]
    intent: Intent = "lookup"
    prefers: Preference = "none"
    document_ids: tuple[str, ...] = ()  # empty means every document
    named_ids: tuple[str, ...] = ()  # documents the question names, preferred and represented
    tables: tuple[str, ...] = ()  # titles of the tables that state what is asked for
    subjects: tuple[str, ...] = ()  # words, as written, that are worth a notice if none has them
    filters: Filters = Filters()
    parts: tuple[str, ...] = ()
    not_asked: tuple[NotAsked, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Which documents a question sets against each other; () where it compares none.

    Where ``reason`` says why they cannot be told, the person chooses among ``candidates``.
    """

    documents: tuple[Document, ...] = ()
    reason: str = ""
    candidates: tuple[Document, ...] = ()
