"""Which documents a question is about: those it names or sets against each other by name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docqa.errors import AmbiguousDocument, QuestionError, UnknownDocument
from docqa.question.comparison import compared, compares, topic_apart
from docqa.question.mentions import Mention, counted_documents, match_documents
from docqa.question.names import resolve
from docqa.types.document import Document
from docqa.types.question import NotAsked


@dataclass(frozen=True, slots=True)
class Named:
    """The ids of the documents a question names, and whether it is about these alone."""

    ids: tuple[str, ...] = ()
    alone: bool = False


def named_documents(
    question: str, documents: Sequence[Document], mentions: Sequence[Mention]
) -> Named:
    """The documents that a question's ``mentions`` name, or that it counts ("both leases").

    A name in part ("Northwind Health", where two plans begin so) gives nothing: preferring its
    documents was measured to lose more answers than it finds.
    """
    try:
        if sides := compared_documents(question, documents, mentions):
            return Named(tuple(document.id for document in sides), alone=True)
    except QuestionError:
        pass  # a side is unknown or ambiguous: whoever compares asks; a search goes on
    whole = [one for one in mentions if one.complete]
    if not whole:
        return Named(tuple(each.id for each in counted_documents(question, documents)))
    ids = tuple(dict.fromkeys(each.id for one in whole for each in one.documents))
    return Named(ids, alone=all(mention.exact for mention in whole))


def not_asked(
    question: str,
    documents: Sequence[Document],
    within: Sequence[Document],
    mentions: Sequence[Mention],
) -> tuple[NotAsked, ...]:
    """The documents named outside ``within``, but by what names one of these as well.

    A part of a name in small letters ("the intellectual property", beside a file called
    "Intellectual Property Agreement") is rather what is asked about. ``mentions`` are those of
    documents within.
    """
    if len(within) == len(documents):
        return ()
    own = {one.text for one in mentions if one.complete}
    chosen = {document.id for document in within}
    return tuple(
        NotAsked(one.text, tuple(document.name for document in one.documents))
        for one in match_documents(question, documents)
        if one.complete
        and (one.exact or _looks_like_name(one.text))
        and one.text not in own
        and chosen.isdisjoint(document.id for document in one.documents)
    )


def compared_documents(
    question: str, documents: Sequence[Document], mentions: Sequence[Mention] | None = None
) -> tuple[Document, ...]:
    """The documents a comparison question sets against each other, in the order named.

    () where the question compares no documents ("Compare revenue and costs", "Compare Q1 and Q2"
    with no such files). Once one side means a document, a side that looks like a name must too:
    else `UnknownDocument` or `AmbiguousDocument` is raised for the person to settle. ``mentions``
    are those of the question, where they are known.
    """
    if not compares(question):
        return ()
    if mentions is None:
        mentions = match_documents(question, documents)
    if len(mentions) == 1 and len(mentions[0].documents) > 1:
        return mentions[0].documents
    if len(mentions) > 1:
        in_order = sorted(mentions, key=lambda mention: question.find(mention.text))
        return _unique(_only(mention) for mention in in_order)
    _, named = topic_apart(compared(question))
    return _sides_resolved(named, documents)


def _only(mention: Mention) -> Document:
    if len(mention.documents) > 1:
        candidates = tuple(document.name for document in mention.documents)
        raise AmbiguousDocument(mention.text, candidates=candidates)
    return mention.documents[0]


def _sides_resolved(sides: Sequence[str], documents: Sequence[Document]) -> tuple[Document, ...]:
    found: list[Document] = []
    unknown: list[UnknownDocument] = []
    for side in sides:
        try:
            found.append(resolve(side, documents))
        except UnknownDocument as error:
            unknown.extend([error] if _looks_like_name(side) else [])
    if found and unknown:
        raise unknown[0]
    return _unique(found) if len(found) > 1 else ()


def _looks_like_name(side: str) -> bool:
    """A capital, a digit or a lone letter somewhere: "Property Z", "lease 3", "lease z"."""
    return side != side.lower() or re.search(r"\d|\b[b-hj-z]\b", side) is not None


def _unique(documents: Iterable[Document]) -> tuple[Document, ...]:
    return tuple({document.id: document for document in documents}.values())
