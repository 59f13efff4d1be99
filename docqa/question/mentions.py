"""The places in a question that name documents."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from operator import eq

from docqa.language.keywords import keywords
from docqa.language.periods import YEAR, with_numbered_quarters
from docqa.language.words import STOP_WORDS, singular
from docqa.question.names import aliases, normalised, parties
from docqa.types.document import ENDING, Document

LONG_NAME = 3  # words, from which a name of common words alone is one
QUESTION_WORDS = 120  # words of a question in which names are looked for

# Words that say what kind of file it is, not which one. Alone they name nothing.
_GENERIC_TEXT = """
agreement agreements amended amendment annual appendix benefit benefits co company consulting
contract copy corp corporation dated details doc document draft earnings exhibit ex file
filing final form group guide handbook holdings hosting inc lease leases license licensing
limited llc ltd
management manual market memo memorandum note notes offering om option options overview page
paper pdf plan plc policy presentation property quarterly register report reports research results
roll rolls scan
schedule service services signed statement summary version v1 v2 v3 10k 10q 8k 20f 6k
"""
GENERIC = frozenset(_GENERIC_TEXT.split())
FORMS = frozenset({"10k", "10q", "8k", "20f", "6k"})

_MAKER = re.compile(r"^(\w{3,}?)d?er$")
_INITIALS = re.compile(r"\b[A-Z]{2,4}\b")
_ARTICLES = ("the", "a", "an")
_POINTING = frozenset(("the", "this", "that", "our", "my"))
_SAYING = frozenset(("according", "per", "say", "says", "state", "states", "show", "shows"))
_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_COUNTED = re.compile(
    rf"\b({'|'.join(_COUNTS)}|[2-9]|1\d)\s+(?:of\s+)?(?:the\s+)?([a-z]{{3,}}s)\b", re.IGNORECASE
)
_EACH = re.compile(
    r"\b(?:(?:each|every)\s+(?P<one>[a-z]{3,})|all\s+(?:of\s+)?(?:the\s+)?(?P<all>[a-z]{3,}s))\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a question that names documents.

    ``documents`` are all those it may mean, in library order. It is ``complete`` when it leaves
    out nothing that tells these documents from others, or begins the name of one alone, and
    ``exact`` when it is a whole name.
    """

    text: str
    documents: tuple[Document, ...]
    complete: bool
    exact: bool


@dataclass(frozen=True, slots=True)
class _Run:
    """Words ``start`` to ``end`` (exclusive) of the question that stand in a row in an alias."""

    start: int
    end: int
    document: Document
    alias: tuple[str, ...]


def match_documents(text: str, documents: Sequence[Document]) -> tuple[Mention, ...]:
    """The places in a question that name documents, longest first, none overlapping another.

    A common word or two ("agreement", "annual report") name nothing, nor does the article in "the
    property a tenant leases". Where a mention fits several documents ("Boeing": the filings of
    2018 and 2022), years, quarters and forms named elsewhere in the question decide; else all
    are kept.
    """
    named = [(tuple(alias.split()), each) for each in documents for alias in aliases(each)]
    named += [(tuple(party.split()), each) for party, each in _parties_of_one(documents)]
    text = _INITIALS.sub(partial(_spelled_out, aliases=[alias for alias, _ in named]), text)
    words = _question_words(text, {word for alias, _ in named for word in alias})
    plain = [normalised(word) for word in words]
    said = set(plain)
    runs = [
        run
        for alias, document in named
        if not said.isdisjoint(alias)  # of many documents, most are not spoken of
        for run in _runs(plain, alias, document)
        if _is_long_name(run)
        or _names(words[run.start : run.end], plain[run.start : run.end])
        or _is_kind(plain, run.start, run.end)
    ]
    often = Counter(word for each in documents for word in _words_of(each)) if runs else {}
    common = {word for word, count in often.items() if count > 1}
    return tuple(_mentions(runs, words, plain, common))


def _spelled_out(initials: re.Match[str], aliases: Sequence[tuple[str, ...]]) -> str:
    """What letters stand for in a name that ends there in a kind of document: "IM" for
    "information memorandum"."""
    letters, size = initials[0].lower(), len(initials[0])
    for alias in aliases:
        for at in range(len(alias) - size + 1):
            part = alias[at : at + size]
            if part[-1] in GENERIC and "".join(word[0] for word in part) == letters:
                return " ".join(part)
    return initials[0]


def _parties_of_one(documents: Sequence[Document]) -> list[tuple[str, Document]]:
    """The parties of agreements, but for those of several: a landlord of all leases names none."""
    named = [(party, each) for each in documents for party in parties(each)]
    often = Counter(party for party, _ in named)
    return [(party, each) for party, each in named if often[party] == 1]


def without_names(text: str, mentions: Sequence[Mention]) -> str:
    """The text without what names documents whole; as it is where nothing else is left.

    >>> lease = Document("a", "Lease_Bishopsgate.pdf", 1)
    >>> text = "What is Bishopsgate's rent?"
    >>> without_names(text, match_documents(text, [lease]))
    'What is rent?'
    """
    rest = text
    for one in mentions:
        if one.complete:
            rest = re.sub(rf"\b{as_written(one.text)}(?:[’']s\b)?", " ", rest)
    return " ".join(rest.split()) if keywords(rest) else text


def as_written(name: str) -> str:
    """A pattern for a name, with whatever stands between its words."""
    return r"[\W_]+".join(map(re.escape, name.split()))


def counted_documents(text: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """Those meant by "both leases", "each of the three properties", "each lease", "all leases".

    Of those that are counted as many have the word in their names: none are meant where more or
    fewer have it.

    >>> a, b = (Document(name, name, 1) for name in ("Lease_A.pdf", "Lease_B.pdf"))
    >>> [each.name for each in counted_documents("Who signed both leases?", [a, b])]
    ['Lease_A.pdf', 'Lease_B.pdf']
    >>> len(counted_documents("Who signed each lease?", [a, b]))
    2
    >>> counted_documents("Who signed the three leases?", [a, b])
    ()
    """
    for count, nouns in _COUNTED.findall(text):
        found = called(nouns, documents)
        if len(found) == (_COUNTS.get(count.lower()) or int(count)):
            return found
    for one, several in _EACH.findall(text):
        if len(found := called(one or several, documents)) > 1:
            return found
    return ()


def called(noun: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents that have this noun, its singular, or what a person is called after (the bid
    of a bidder) in their names."""
    one = singular(normalised(noun))
    wanted = {normalised(noun), one, *_MAKER.findall(one)}
    return tuple(each for each in documents if wanted & _words_of(each))


def _words_of(document: Document) -> set[str]:
    return {word for alias in aliases(document) for word in alias.split()}


def _question_words(text: str, vocabulary: set[str]) -> list[str]:
    """The words as written, two joined where a file name writes them as one."""
    spaced = re.sub(r"[-_./()\[\]“”\"?!,;:]+", " ", _keep_forms(text))
    words = [_bare(word, vocabulary) for word in spaced.split()][:QUESTION_WORDS]
    joined: list[str] = []
    for word in words:
        if joined and (joined[-1] + word).lower() in vocabulary:
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _bare(word: str, vocabulary: set[str]) -> str:
    """A word without its possessive ending, but with the s that a file's name has for it:
    "McDonald's" is written "MCDONALDS" there."""
    bare, whole = re.sub(r"[’']s$|[’']$", "", word), re.sub(r"[’']", "", word)
    return whole if whole.lower() in vocabulary and bare.lower() not in vocabulary else bare


def _keep_forms(text: str) -> str:
    text = re.sub(rf"{ENDING}\b", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(10|8|20|6)-([KQFkqf])\b", r"\1\2", text)
    text = with_numbered_quarters(text)
    joined = rf"(?i)\b({YEAR})(q[1-4])|\b(q[1-4])[’']?({YEAR})"
    return re.sub(joined, lambda found: " ".join(filter(None, found.groups())), text)


def _runs(words: Sequence[str], alias: tuple[str, ...], document: Document) -> list[_Run]:
    runs = []
    for start in (at for at, word in enumerate(words) if word not in _ARTICLES):
        length = max(_common_prefix(words[start:], alias[offset:]) for offset in range(len(alias)))
        if length:
            runs.append(_Run(start, start + length, document, alias))
    return runs


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    return sum(takewhile(bool, map(eq, first, second)))


def _is_long_name(run: _Run) -> bool:
    """Whether a whole name of several words is written, which no other words come to by chance."""
    return run.end - run.start == len(run.alias) >= LONG_NAME


def _names(written: Sequence[str], plain: Sequence[str]) -> bool:
    """Whether these words can name a document at all."""
    if any(_distinctive(word) for word in plain):
        return True
    designated = any(word.isdigit() or (len(word) == 1 and word not in "ai") for word in written)
    return designated and any(word in GENERIC for word in plain)


def _distinctive(word: str) -> bool:
    special = word in GENERIC or word in STOP_WORDS or len(word) < 3
    return not special and not any(character.isdigit() for character in word)


def _mentions(
    runs: Sequence[_Run], words: Sequence[str], plain: Sequence[str], common: Collection[str]
) -> list[Mention]:
    mentions: list[Mention] = []
    taken: set[int] = set()
    spans = {(run.start, run.end) for run in runs}
    for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span)):  # longest first
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            here = [run for run in runs if (run.start, run.end) == (start, end)]
            mentions.extend(_mention(here, words, plain, common))
    return mentions


def _mention(
    runs: Sequence[_Run], words: Sequence[str], plain: Sequence[str], common: Collection[str]
) -> list[Mention]:
    start, end = runs[0].start, runs[0].end
    fits = {run.document: _said_elsewhere(run.document, plain) for run in runs}
    best = [document for document, fit in fits.items() if fit == max(fits.values())]
    of_kind = _of_kind(fits, plain[end : end + 1]) or _of_kind(fits, _plurals(plain))
    whole_names = {run.document: None for run in runs if _is_long_name(run)}
    best = of_kind or list(whole_names) or _begun(best, runs, tuple(plain[start:end])) or best
    kept = [run for run in runs if run.document in best]
    covered = set(plain[start:end])
    whole = all(_is_whole(document, kept, covered) for document in best)
    proper = end - start > 1 or any(map(str.isupper, words[start]))  # "eBay"
    called = _is_called(plain, start, end)
    short = len(fits) == 1 and (called or (proper and _is_short(runs, covered, common)))
    short = short or len(of_kind) == 1
    if not (proper or whole or short):
        return []
    exact = {run.document for run in kept if len(run.alias) == end - start}
    complete = short or (whole and proper)
    return [Mention(" ".join(words[start:end]), tuple(best), complete, len(exact) == len(best))]


def _of_kind(documents: Collection[Document], after: Sequence[str]) -> list[Document]:
    """Those of documents of one name that are called by the kind that is said after it ("the Ash
    Tower lease", and not its valuation); none where that tells none from others."""
    kind = set(map(singular, GENERIC.intersection(after)))
    own = [each for each in documents if kind & _words_of(each)]
    return own if len(own) < len(documents) else []


def _plurals(plain: Sequence[str]) -> list[str]:
    """The words that say of several documents what kind they are ("the Ash and Elm leases")."""
    return [word for word in plain if singular(word) != word]


def _begun(
    documents: Sequence[Document], runs: Sequence[_Run], said: tuple[str, ...]
) -> list[Document]:
    """Those with a name that begins so: the agreement itself, not the amendment to it."""
    size = len(said)
    begun = {run.document for run in runs if size > 1 and run.alias[:size] == said}
    return [each for each in documents if each in begun]


def _is_called(plain: Sequence[str], start: int, end: int) -> bool:
    """Whether words stand as a name before what kind of document it is ("the escrow agreement"), or
    where something is said by it ("according to the valuation")."""
    before, after = plain[max(0, start - 3) : start], plain[end : end + 1]
    if not before or before[-1] not in _POINTING:
        return False
    if not any(map(_distinctive, plain[start:end])):
        return _is_kind(plain, start, end)
    kind = any(word in GENERIC for word in (*plain[end - 1 : end], *after))
    return kind or not _SAYING.isdisjoint((*before[:-1], *after))


def _is_kind(plain: Sequence[str], start: int, end: int) -> bool:
    """Whether words are a kind of document that is pointed at: "the annual report"."""
    pointed = plain[start - 1 : start] if start else []
    kind = end - start > 1 and all(word in GENERIC for word in plain[start:end])
    return kind and not _POINTING.isdisjoint(pointed)


def _is_short(runs: Sequence[_Run], covered: set[str], common: Collection[str]) -> bool:
    """Whether a name is shortened to its first word that tells: "Bishopsgate" of "Lease Bishopsgate
    Tower", where no other document has that word in its name."""
    first = {next(filter(_distinctive, run.alias), "") for run in runs} - set(common)
    return not first.isdisjoint(covered)


def _said_elsewhere(document: Document, plain: Sequence[str]) -> int:
    """How many of a document's telling words the question has: names, years, quarters, forms."""
    own = _words_of(document) & set(plain)
    return sum(_distinctive(word) or word[-1:].isdigit() or word in FORMS for word in own)


def _is_whole(document: Document, runs: Sequence[_Run], covered: set[str]) -> bool:
    """Whether nothing that tells the document from others is left out of one of its names."""
    own = [run.alias for run in runs if run.document == document]
    return any(set(filter(_distinctive, alias)) <= covered for alias in own)
