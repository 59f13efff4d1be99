"""Which documents a question sets against each other.

A document is meant by its file name or title, or by what its first page says of it: a party, a
period ("the June 2022 quarter"). Where a side could mean several, the
person is asked; nothing is guessed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath

from docqa.errors import AmbiguousDocument, UnknownDocument
from docqa.language.change import asks_what_changed
from docqa.language.periods import TIME_BEFORE, YEAR, YEAR_ALONE, with_numbered_quarters
from docqa.language.words import STOP_WORDS, singular
from docqa.question.comparison import asks_to_rank, compared, may_compare_documents, readings
from docqa.question.documents import compared_documents
from docqa.question.intent import preference_of
from docqa.question.kinds import KINDS
from docqa.question.mentions import GENERIC, Mention, match_documents
from docqa.question.names import normalised
from docqa.types.document import Document
from docqa.types.question import Choice

Opening = Callable[[Document], str]
Words = frozenset[str]
NO_CHOICE = Choice()
OPENING = 1500  # characters of a document's beginning that tell whose and of when it is
PREFIX = 5  # letters from which the beginning of a name stands for it
_KINDS = rf"(?:{KINDS}|quarters?)"
_OF_WHICH = r"(?:\s+(?!(?:in|of|the|for|on|at|and|between|across|from|with)\b)[\w-]+){0,3}?"
_ALL_OF_KIND = re.compile(
    r"\b(?:all|both|these|those|each|every|the (?:two|three|four|five|\d+))\b"
    rf"(?P<which>{_OF_WHICH})\s+(?P<kind>{_KINDS})\b"
    rf"|\b(?:compar(?:e|ing)|contrast|differences?|differ)\b.{{0,60}}?\b(?:the|my|our|across)"
    rf"(?P<whichs>{_OF_WHICH})\s+(?P<kinds>{_KINDS})(?<=s)\b(?!\s+of)"
    rf"|^\W*compare\s+(?P<lone>{_KINDS})\W*$",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|both|each) of (?:them|these|those)\b|\bcompare (?:them|all|everything|both)\b"
    r"|\bcompare(?: the (?:two|three))?\W*$|\b(?:they|these|those) (?:all )?differ\b",
    re.IGNORECASE,
)
_KINDLESS = re.compile(r"(?:document|file|pdf|quarter|filing|report|version)", re.IGNORECASE)
_COUNTS = frozenset({"two", "three", "four", "five", "six", "all", "both", "each", "every", "of"})
_TIME_WORDS = {"quarter", "fiscal", "year", "ended", "period", "months", "month", "dated", "filed"}
_QUARTER = re.compile(r"\bQ[1-4]\b", re.IGNORECASE)
_PERIOD = re.compile(rf"(?:FY|fiscal|Q[1-4])?\s*{YEAR}|Q[1-4]", re.IGNORECASE)
_TWO_PERIODS = re.compile(
    rf"\b(?:from|between)\s+(?:{_PERIOD.pattern})\s+(?:to|and|through)\s+(?:{_PERIOD.pattern})\b",
    re.IGNORECASE,
)
_FIRST = frozenset({"draft", "original", "initial", "old", "previous"})
_LAST = frozenset({"signed", "executed", "final", "revised", "amended", "new", "latest"})
_NUMBERED = re.compile(rf"v\d|{YEAR}")
_MAY_CHANGE = re.compile(
    r"\b(?:can|could|may|might|must|shall|should|will|would|if|when|whether|who|why|cannot)\b",
    re.IGNORECASE,
)
_OTHER_TIME = re.compile(r"\byear[- ](?:on|over)[- ]year\b|\b(?:budget|forecast)\b", re.IGNORECASE)
_WHAT = re.compile(r"^\W*(?:what|which|any)\b|\bchanges\s+(?:in|to)\b", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\b(?:how (?:much|many)|by what)\b", re.IGNORECASE)
_THROUGH = re.compile(
    rf"\b(?P<kind>{_KINDS})\s+(?P<first>[A-Z])\s*(?:through|to|thru|[-–])\s*(?P<last>[A-Z])\b"
)
_SHORT = {"prop": "property", "props": "properties", "agmt": "agreement", "doc": "document"}


@dataclass(frozen=True, slots=True)
class _Known:
    """A document with the words that tell it from others, those of its file name alone first."""

    document: Document
    words: tuple[Words, ...]


def choose(
    question: str,
    documents: Sequence[Document],
    *,
    mentions: Sequence[Mention],
    opening: Opening,
    limit: int,
) -> Choice:
    """The two to ``limit`` documents that a question compares, in the order named.

    ``mentions`` are those of the question as it is put; ``opening`` gives the beginning of a
    document's text. Of no more documents than are compared at once, those that it names none of are
    all meant; and both of two where it asks what changed. No documents where the question compares
    none of them ("Compare revenue and costs").
    """
    if len(documents) < 2:
        return NO_CHOICE
    put, question = question, _spelled_out(question)
    of_two = len(documents) == 2 and _asks_what_became(question)
    if not (may_compare_documents(question) or asks_to_rank(question) or of_two):
        return NO_CHOICE
    if question != put:
        mentions = match_documents(question, documents)
    if not may_compare_documents(question) and not of_two:
        return Choice(_named(question, mentions))
    known = [_Known(each, _words_of(each, opening(each)[:OPENING])) for each in documents]
    described, doubt = _described(question, known)
    if described:
        return _within(described, limit)
    try:
        found = _by_name(question, documents, mentions) or _named(question, mentions)
    except AmbiguousDocument as error:
        candidates = tuple(each for each in documents if each.name in error.candidates)
        return doubt or Choice((), str(error), candidates)
    except UnknownDocument as error:
        if _PERIOD.fullmatch(error.name.strip()) or _TWO_PERIODS.search(question):
            return doubt or NO_CHOICE  # "the change from 2020 to 2021" is of one report
        return doubt or Choice((), f"No document matches “{error.name}”.", tuple(documents))
    meant = found or _by_version(question, _all_meant(question, known))
    if not meant and not doubt and not mentions and len(documents) <= limit:
        meant = _told_apart(question, known) or _all_of_few(question, documents)
    return _within(meant, limit) if meant or not doubt else doubt


def _asks_what_became(question: str) -> bool:
    """Whether a question asks what became of a text: not what may be changed, nor how a figure
    moved, which each document tells."""
    if not asks_what_changed(question) or _MAY_CHANGE.search(question):
        return False
    return _WHAT.search(question) is not None or preference_of(question) != "table"


def _told_apart(question: str, known: Sequence[_Known]) -> tuple[Document, ...]:
    """The documents that words of a question tell apart in whose file names alone they stand, if
    such words say no more elsewhere ("draft against signed"); () where these are not several."""
    said = _words(question) - STOP_WORDS
    owners = {word: [each.document for each in known if word in each.words[0]] for word in said}
    found = {own[0].id for own in owners.values() if len(own) == 1}
    told = [each.document for each in known if each.document.id in found]
    return _by_version(question, told) if len(told) > 1 else ()


def _all_of_few(question: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """All documents, where a question sets no other things against each other, nor a time against
    the one before."""
    otherwise = (_TWO_PERIODS, _HOW_MUCH, TIME_BEFORE, _OTHER_TIME)
    if compared(question) or any(pattern.search(question) for pattern in otherwise):
        return ()
    asks = may_compare_documents(re.sub(r"\bdifferent\b", "", question, flags=re.IGNORECASE))
    return _by_version(question, documents) if asks or _asks_what_became(question) else ()


def _by_version(question: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """Drafts before what was signed, and the latest year first but where it is asked what changed;
    as they are where anything else in their file names tells the documents apart."""
    names = {each.id: _words(PurePath(each.name).stem) for each in documents}
    numbers = {one: {w for w in name if _NUMBERED.fullmatch(w)} for one, name in names.items()}
    rest = {name - _FIRST - _LAST - numbers[one] for one, name in names.items()}
    if len(rest) > 1:
        return tuple(documents)

    def version(document: Document) -> tuple[int, list[str]]:
        name = names[document.id]
        told = sorted(word for word in numbers[document.id] if not word.isdigit())
        return len(name & _LAST) - len(name & _FIRST), told

    latest_first = not asks_what_changed(question)
    dated = sorted(documents, key=lambda each: sorted(numbers[each.id]), reverse=latest_first)
    return tuple(sorted(dated, key=version))


def _within(found: Sequence[Document], limit: int) -> Choice:
    if len(found) <= limit:
        return Choice(tuple(found)) if len(found) > 1 else NO_CHOICE
    reason = f"The question may mean {len(found)} documents; at most {limit} are compared at once."
    return Choice(tuple(found[:limit]), reason, tuple(found))


def _spelled_out(question: str) -> str:
    """The question with quarters, short words and "A through C" written in full."""
    question = _THROUGH.sub(_each_letter, with_numbered_quarters(question))
    return re.sub(r"\b\w+\b", lambda word: _SHORT.get(word[0].lower(), word[0]), question)


def _each_letter(match: re.Match[str]) -> str:
    """ "Properties A through C" as "property A, property B, property C"."""
    kind = re.sub(r"ies$", "y", re.sub(r"(?<!ie)s$", "", match["kind"]))
    letters = range(ord(match["first"]), ord(match["last"]) + 1)
    return ", ".join(f"{kind} {chr(letter)}" for letter in letters) or match[0]


def _by_name(
    question: str, documents: Sequence[Document], mentions: Sequence[Mention]
) -> tuple[Document, ...]:
    """The documents compared by name, where the question or what follows an "of", "in" … says so.

    Raises `AmbiguousDocument` and `UnknownDocument`.
    """
    doubt: AmbiguousDocument | UnknownDocument | None = None
    for text in readings(question):
        try:
            found = compared_documents(text, documents, mentions if text == question else None)
        except (AmbiguousDocument, UnknownDocument) as error:
            doubt = doubt or error
        else:
            if found:
                return found
    if doubt:
        raise doubt
    return ()


def _named(question: str, mentions: Sequence[Mention]) -> tuple[Document, ...]:
    """The documents a question names anywhere, where there are two or more and none is in doubt."""
    in_order = sorted(mentions, key=lambda mention: question.find(mention.text))
    named = {m.documents[0].id: m.documents[0] for m in in_order if len(m.documents) == 1}
    return tuple(named.values()) if len(named) > 1 and len(named) == len(mentions) else ()


def _described(
    question: str, known: Sequence[_Known]
) -> tuple[tuple[Document, ...], Choice | None]:
    """The documents that the sides of the question tell apart, () where a side means none or many.

    With a doubt to settle where one side means a document and another could mean several.
    """
    doubt: Choice | None = None
    for text in readings(question):
        sides = _with_year(compared(text), question)
        kind = _kinds(" ".join(sides[-1:]))  # "of Elm Yard and Ash Tower leases"
        fits = [_fitting(side, known, _kinds(side) or kind) for side in sides]
        if len(fits) < 2 or not all(fits):
            continue
        found = {fit[0].id: fit[0] for fit in fits if len(fit) == 1}
        if len(found) > 1 and all(len(fit) == 1 for fit in fits):
            return tuple(found.values()), None
        if found and doubt is None:
            doubt = _doubt(sides, fits, len(known))
    return (), doubt


def _doubt(
    sides: Sequence[str], fits: Sequence[tuple[Document, ...]], documents: int
) -> Choice | None:
    """The question back for the first side that could mean several, but not any, of them."""
    for side, fit in zip(sides, fits, strict=True):
        if 1 < len(fit) < documents and not side.isdigit():
            names = ", ".join(each.name for each in fit)
            sure = tuple(own[0] for own in fits if len(own) == 1)
            reason = f"“{side}” could be any of {names}. Say which, by its file name."
            return Choice(sure, reason, tuple(dict.fromkeys((*sure, *fit))))
    return None


def _kinds(side: str) -> Words:
    """What kind of document a side says it is, in the singular."""
    return frozenset(map(singular, _words(side) & GENERIC))


def _fitting(side: str, known: Sequence[_Known], kind: Words) -> tuple[Document, ...]:
    """The documents a side may mean: by file name, else by title too, else by the beginning."""
    wanted = _words(side) - STOP_WORDS - GENERIC - _TIME_WORDS  # that tell one from another
    if not wanted:
        return ()
    for level in range(len(known[0].words)):
        found = [each for each in known if _all_among(wanted, each.words[level])]
        of_kind = [each for each in found if kind <= each.words[level]]  # the lease, not its deed
        if found:
            return tuple(each.document for each in of_kind or found)
    return ()


def _with_year(sides: Sequence[str], question: str) -> tuple[str, ...]:
    """Sides without a year with the one that is left: "Q1 and Q2 of 2023" → Q1 2023, Q2 2023.

    Where all share one ("2023 Q1 and Q2"), the other quarters have it too.
    """
    years = set(YEAR_ALONE.findall(question))
    left = years - {year for side in sides for year in YEAR_ALONE.findall(side)}
    [own] = left if len(left) == 1 else years if len(years) == 1 else [""]
    return tuple(
        f"{side} {own}".strip()
        if not YEAR_ALONE.search(side) and (left or _QUARTER.search(side))
        else side
        for side in sides
    )


def _all_among(wanted: Words, words: Words) -> bool:
    """Whether all the words are among a document's, or begin one ("Quantum", "QuantumGroup")."""
    return all(
        word in words or (len(word) >= PREFIX and any(own.startswith(word) for own in words))
        for word in wanted
    )


def _words_of(document: Document, beginning: str) -> tuple[Words, ...]:
    """The words of a document's file name; with its title's; with the names in its beginning."""
    proper = " ".join(word for word in beginning.split() if re.match(r"\W*[A-Z\d]", word))
    texts = (document.name, document.title, proper)
    return tuple(accumulate(map(_words, texts), frozenset.union))


def _words(text: str) -> Words:
    return frozenset(normalised(with_numbered_quarters(text)).split())


def _all_meant(question: str, known: Sequence[_Known]) -> tuple[Document, ...]:
    """Every document, or every one of the kind named ("all 2023 leases"), where that is asked."""
    documents = tuple(each.document for each in known)
    match = _ALL_OF_KIND.search(question)
    if match is None:
        return documents if _ALL.search(question) else ()
    kind = (match["kind"] or match["kinds"] or match["lone"]).lower()
    stem = "" if _KINDLESS.match(kind) else re.sub(r"(?:ies|y|s)$", "", kind)
    of_kind = [
        each for each in known if stem in f"{each.document.name} {each.document.title}".lower()
    ]
    kept = of_kind if len(of_kind) > 1 else known
    which = _words(match["which"] or match["whichs"] or "") - _COUNTS - STOP_WORDS
    narrowed = [each for each in kept if which and _all_among(which, each.words[1])]
    return tuple(each.document for each in (narrowed if len(narrowed) > 1 else kept))
