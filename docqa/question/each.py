"""A question that is put to every document in turn: of "each lease", "which of the contracts"."""

import re
from collections.abc import Sequence

from docqa.language.change import VERSIONS
from docqa.language.words import content_words, singular
from docqa.question.comparison import asks_to_rank, compares
from docqa.question.intent import asks_for_summary
from docqa.question.kinds import ANY, KIND
from docqa.question.mentions import called
from docqa.types.document import Document

_OWN = r"the|these|those|our|my"
_OF_EACH = re.compile(
    rf"\b(?:"
    r"(?:each|every|any|all|both|which|what|how\s+many|either|neither)\b(?:\s+of)?"
    rf"(?:\s+(?:{_OWN}))?"
    rf"(?P<which>(?:\s+[a-z]+)??)\s+(?P<many>{KIND}s)"
    rf"|(?:each|every|any)(?P<which_one>(?:\s+[a-z]+)??)\s+(?P<one>{KIND})"
    rf"|(?:{_OWN})\s+(?P<own>(?:{ANY}|lease)s)"
    r"|(?:each|all|both|any|none|which|either|neither)\s+of\s+"
    r"(?P<them>them|these|those|the\s+(?:two|three))"
    rf")\b(?!-)",
    re.IGNORECASE,
)
_RANKED = re.compile(rf"\b(?:which|what)\s+(?P<one>{KIND})\b", re.IGNORECASE)
_SAYING_NOTHING = frozenset(content_words("list give document file pdf contract agreement company"))


def asked_of_each(question: str, documents: Sequence[Document]) -> tuple[str, tuple[Document, ...]]:
    """The question as one document is asked it by itself, and the documents that it is put to.

    "" and none where it is not put to each of several. "Leases" are documents where several are
    called so; "contracts" or "companies" are all of them. What sets documents against each other
    is compared instead.

    >>> a, b = (Document(name, name, 1) for name in ("Lease_A.pdf", "Lease_B.pdf"))
    >>> asked_of_each("Which leases allow subletting?", [a, b])[0]
    'the lease allow subletting?'
    >>> asked_of_each("What is the notice period of each contract?", [a, b])[0]
    'What is the notice period of the contract?'
    >>> asked_of_each("What is the notice period?", [a, b])
    ('', ())
    """
    pattern = _OF_EACH
    if not (found := pattern.search(question)) and asks_to_rank(question):
        pattern, found = _RANKED, _RANKED.search(question)
    if not found or compares(question):
        return "", ()
    one = re.sub(r"\bacross\s+the\b", "in the", pattern.sub(_as_one, question))
    meant = _meant(_kind(found), _which(found).strip(), documents)
    says_more = set(content_words(one)) - _SAYING_NOTHING or asks_for_summary(question)
    return (one, meant) if says_more and len(meant) > 1 else ("", ())


def _meant(kind: str, which: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents of a kind: all where it is a word for any document, or for one of two versions,
    else those called so; of "consulting agreements" those that have that word too, where several
    have."""
    whatever = rf"{ANY}|{VERSIONS}" if len(documents) == 2 else ANY
    of_any = re.fullmatch(whatever, kind, re.IGNORECASE)
    named = tuple(documents) if of_any else called(kind, documents)
    narrowed = called(which, named) if which else ()
    return narrowed if len(narrowed) > 1 else named


def _which(match: re.Match[str]) -> str:
    said = match.groupdict()
    return said.get("which") or said.get("which_one") or ""


def _kind(match: re.Match[str]) -> str:
    said = match.groupdict()
    if said.get("them"):
        return "document"
    return singular(said.get("many") or said.get("own") or said["one"])


def _as_one(match: re.Match[str]) -> str:
    return f"the{_which(match)} {_kind(match)}"
