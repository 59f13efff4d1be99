"""Which documents a question asked in words wants to have compared; pure.

A document is meant by its file name or title, or by what its first page says of it: a party, a
period ("the June 2022 quarter"). What could mean several is asked about, never guessed.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from docqa.errors import AmbiguousDocument, UnknownDocument
from docqa.retrieve.names import GENERIC, match_documents, normalised
from docqa.retrieve.plan import compared, compared_documents
from docqa.retrieve.words import STOP_WORDS
from docqa.types import Choice, Document

Opening = Callable[[Document], str]
NO_CHOICE = Choice()
OPENING = 1500  # characters of a document's beginning that tell whose and of when it is
PREFIX = 5  # letters from which the beginning of a name stands for it
_ASKS = re.compile(
    r"\b(?:compar(?:e|ing|ison)|contrast|versus|vs|side[- ]by[- ]side|redline)\b"
    r"|\bdifferences?\b.*\b(?:between|among)\b|\bdiffer(?:s|ent|ed)?\b"
    r"|\b(?:what|how)\b.{0,40}\bchanged?\b.{0,80}\b(?:between|from)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"\bwhich\b.*\b(?:\w+er|\w+est|more|less|most|least|better|best|worse|worst)\b", re.IGNORECASE
)
_FILE_WORD = (
    r"documents?|files?|pdfs?|contracts?|agreements?|leases?|reports?|filings?|quarters?|quarterl"
    r"(?:y|ies)|memos?|memorand(?:a|ums?)|offerings?|propert(?:y|ies)|polic(?:y|ies)|plans?|"
    r"handbooks?|versions?|10-?[kq]s?"
)
_ALL_OF_KIND = re.compile(
    rf"\b(?:all|both|these|those|each|every|the (?:two|three|four|five|\d+))\b(?:\s+\w+){{0,3}}?\s+"
    rf"(?P<kind>{_FILE_WORD})\b"
    rf"|\b(?:compare|differences?|differ)\b.{{0,60}}\b(?:the|my|our|across) (?P<kinds>{_FILE_WORD})"
    r"(?<=s)\b(?!\s+of)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|both|each) of (?:them|these|those)\b|\bcompare (?:them|all|everything|both)\b"
    r"|\b(?:they|these|those) (?:all )?differ\b",
    re.IGNORECASE,
)
_KINDLESS = re.compile(r"(?:document|file|pdf|quarter|filing|report|version)", re.IGNORECASE)
_QUARTERS = ("first", "second", "third", "fourth")
_UNTOLD = {"quarter", "fiscal", "year", "ended", "period", "months", "month", "dated", "filed"}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_BEFORE_SIDES = re.compile(r"\b(?:in|for|of|on|at|across|between)\b", re.IGNORECASE)


def choose(question: str, documents: Sequence[Document], *, opening: Opening, limit: int) -> Choice:
    """The two to ``limit`` documents that a question compares, in the order named.

    ``opening`` gives the beginning of a document's text. No documents where the question
    compares none of them ("Compare revenue and costs").
    """
    if len(documents) < 2:
        return NO_CHOICE
    if not _ASKS.search(question):
        return Choice(_named(question, documents) if _WHICH.search(question) else ())
    described = _described(question, documents, opening)
    try:
        found = compared_documents(question, documents) or described or _named(question, documents)
    except AmbiguousDocument as error:
        candidates = tuple(each for each in documents if each.name in error.candidates)
        return Choice(described) if described else Choice((), str(error), candidates)
    except UnknownDocument as error:
        reason = f"No document matches “{error.name}”."
        return Choice(described) if described else Choice((), reason, tuple(documents))
    return _within(found or _all_meant(question, documents), limit)


def _within(found: Sequence[Document], limit: int) -> Choice:
    if len(found) <= limit:
        return Choice(tuple(found)) if len(found) > 1 else NO_CHOICE
    reason = f"{len(found)} documents are meant, and at most {limit} are compared at once."
    return Choice(tuple(found[:limit]), reason, tuple(found))


def _named(question: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents a question names anywhere, where there are two or more and none is in doubt."""
    mentions = sorted(match_documents(question, documents), key=lambda m: question.find(m.text))
    named = {m.documents[0].id: m.documents[0] for m in mentions if len(m.documents) == 1}
    return tuple(named.values()) if len(named) > 1 and len(named) == len(mentions) else ()


def _described(
    question: str, documents: Sequence[Document], opening: Opening
) -> tuple[Document, ...]:
    """The documents each side of the question tells apart; () where a side means none or many."""
    readings = [sides for sides in _readings(_with_quarters(question)) if len(sides) > 1]
    words = {d.id: _words_of(d, opening(d)[:OPENING]) for d in documents} if readings else {}
    for sides in readings:
        found: dict[str, Document] = {}
        for side in sides:
            told = _telling(side)
            fit = [each for each in documents if told and _tells(told, words[each.id])]
            if len(fit) != 1:
                break
            found[fit[0].id] = fit[0]
        else:
            if len(found) > 1:
                return tuple(found.values())
    return ()


def _readings(question: str) -> Iterator[tuple[str, ...]]:
    """The sides of the question, and those after each "in", "for", "of" … in it."""
    yield _with_year(compared(question), question)
    for match in _BEFORE_SIDES.finditer(question):
        yield _with_year(compared(f"compare {question[match.end() :].strip()}"), question)


def _with_year(sides: Sequence[str], question: str) -> tuple[str, ...]:
    """Sides without a year with the one that is left: "Q1 and Q2 of 2023" → Q1 2023, Q2 2023."""
    years = set(_YEAR.findall(question)) - {year for side in sides for year in _YEAR.findall(side)}
    left = years.pop() if len(years) == 1 else ""
    return tuple(side if _YEAR.search(side) else f"{side} {left}".strip() for side in sides)


def _tells(told: frozenset[str], words: frozenset[str]) -> bool:
    """Whether all the words are among a document's, or begin one ("Quantum", "QuantumGroup")."""
    return all(
        word in words or (len(word) >= PREFIX and any(own.startswith(word) for own in words))
        for word in told
    )


def _telling(side: str) -> frozenset[str]:
    """The words of a side that tell one document from another."""
    words = _words(side)
    return words - STOP_WORDS - GENERIC - _UNTOLD


def _words_of(document: Document, beginning: str) -> frozenset[str]:
    """The words of a document's name and title, and the names and numbers in its beginning."""
    proper = " ".join(word for word in beginning.split() if re.match(r"\W*[A-Z\d]", word))
    return _words(f"{document.name} {document.title} {proper}")


def _words(text: str) -> frozenset[str]:
    return frozenset(normalised(_with_quarters(text)).split())


def _with_quarters(text: str) -> str:
    """ "The third quarter of 2022" as "Q3 2022"."""
    for number, name in enumerate(_QUARTERS, 1):
        text = re.sub(rf"\b{name} (?:fiscal )?quarter(?: of)?\b", f"Q{number}", text, flags=re.I)
    return text


def _all_meant(question: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """Every document, or every one of the kind named ("all leases"), where that is asked for."""
    match = _ALL_OF_KIND.search(question)
    if match is None:
        return tuple(documents) if _ALL.search(question) else ()
    kind = (match["kind"] or match["kinds"]).lower()
    if _KINDLESS.match(kind):
        return tuple(documents)
    stem = re.sub(r"(?:ies|y|s)$", "", kind)
    of_kind = [each for each in documents if stem in f"{each.name} {each.title}".lower()]
    return tuple(of_kind) if len(of_kind) > 1 else tuple(documents)
