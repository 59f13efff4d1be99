"""What a name means: a document, by its file name or title, in full, in part, or misspelt."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from docqa.errors import AmbiguousDocument, UnknownDocument
from docqa.language.organisations import parties_in
from docqa.language.periods import YEAR, full_year
from docqa.types.document import Document, without_ending

MATCH = 0.60  # similarity below which a name means no document
CONTAINED = 0.85  # at least this where the whole name stands in the alias, or the other way round
WORD_MATCH = 0.80  # similarity of two words from which one may be the other, misspelt
BEGINNING = 4  # letters with which a document's name may be said to begin
MARGIN = 0.05  # lead over the runner-up below which a name is ambiguous
ALIAS_CHARS = 80  # a longer title is a sentence, not a name

# Filing systems write "CHANGEPOINTCORP": the company's form is no part of its name.
_FORM_OF_COMPANY = re.compile(r"\b([^\W\d_]{4,}?)(incorporated|corporation|corp|inc|llc|ltd|plc)\b")


def normalised(name: str) -> str:
    """A name as it is compared: lower case, no ending, one space between words and numbers.

    >>> normalised("AMCOR_2023Q2_10-Q.pdf"), normalised("CHANGEPOINTCORP_2000-EX-10.6.pdf")
    ('amcor 2023 q2 10q', 'changepoint corp 2000 ex 10 6')
    """
    plain = unicodedata.normalize("NFKC", name).lower().replace("_", " ")
    plain = without_ending(plain.strip())
    plain = re.sub(r"[’']s\b", "", plain)
    plain = _FORM_OF_COMPANY.sub(r"\1 \2", plain)
    plain = re.sub(r"\b(10|8|20|6)[ _-]([kqf])(?![a-z])", r"\1\2", plain)
    plain = re.sub(rf"(?<!\d)({YEAR})(q[1-4])", r"\1 \2", plain)
    plain = re.sub(rf"(q[1-4])({YEAR})(?!\d)", r"\1 \2", plain)
    plain = re.sub(r"\bfy[ _’']?((?:19|20)?\d\d)\b", lambda found: str(full_year(found[1])), plain)
    plain = re.sub(r"([^\W\d_]{4,})(\d)", r"\1 \2", plain)  # "Unit7" is the Unit 7 of a question
    return " ".join(re.findall(r"[^\W_]+(?:&[^\W_]+)*", plain))


def aliases(document: Document) -> tuple[str, ...]:
    """The normalised names a document goes by: its file name, and its title where short."""
    return _aliases(document.name, document.title)


@lru_cache(maxsize=4096)  # every question is held against the names of every document
def _aliases(name: str, title: str) -> tuple[str, ...]:
    names = map(normalised, (name, title) if len(title) <= ALIAS_CHARS else (name,))
    return tuple(dict.fromkeys(filter(None, names)))


def parties(document: Document) -> tuple[str, ...]:
    """The normalised names of those between whom a document is, as its description has them.

    >>> told = "Lease between Ash, LLC and Elm & Sons Ltd, dated June 1, 2020. Sections: Rent."
    >>> parties(Document("a", "lease.pdf", 1, description=told))
    ('ash llc', 'elm sons ltd')
    """
    return _parties(document.description)


@lru_cache(maxsize=4096)
def _parties(description: str) -> tuple[str, ...]:
    return tuple(filter(None, map(normalised, parties_in(description))))


def similarity(name: str, alias: str) -> float:
    """How well a normalised name fits a normalised alias, 0–1.

    1 where they are the same; from `CONTAINED` up where one stands in the other, at word ends and
    whatever the spaces ("american express", "americanexpress"); `CONTAINED` for the alias's
    initials; else the token-set ratio, or, where each word fits one of the alias but for a slip
    of the keys ("proprety a"), how well they fit. A number or a single letter of the name that
    the alias lacks rules the alias out: "property c" is not "property a".
    """
    if not name or not alias:
        return 0.0
    if name == alias:
        return 1.0
    if _stands_in(name, alias) or _stands_in(alias, name):
        shorter, longer = sorted((len(name), len(alias)))
        return CONTAINED + (1 - CONTAINED) * shorter / longer
    if _initials(alias) == name:
        return CONTAINED
    if _designators(name) - set(alias.split()):
        return 0.0
    return min(CONTAINED, max(fuzz.token_set_ratio(name, alias) / 100, _misspelt(name, alias)))


def _misspelt(name: str, alias: str) -> float:
    """The mean fit of the name's words to the nearest of the alias's; 0 where one fits badly."""
    fits = [max(fuzz.ratio(word, own) for own in alias.split()) / 100 for word in name.split()]
    return sum(fits) / len(fits) if min(fits) >= WORD_MATCH else 0.0


def _stands_in(short: str, long: str) -> bool:
    letters = [re.escape(letter) for letter in short.replace(" ", "")]
    return re.search(r"\b" + " ?".join(letters) + r"\b", long) is not None


def _initials(alias: str) -> str:
    words = alias.split()
    return "".join(word[0] for word in words) if len(words) >= 3 else ""


def _designators(name: str) -> set[str]:
    return {word for word in name.split() if len(word) == 1 or any(c.isdigit() for c in word)}


def resolve(name: str, documents: Sequence[Document]) -> Document:
    """The one document that a name means: its name, near enough, or else how it begins.

    Raises `UnknownDocument` where nothing reaches `MATCH`, and `AmbiguousDocument` where the
    runner-up comes within `MARGIN` of the best; a full name is never ambiguous.
    """
    wanted = normalised(name)
    scored = [(similarity(wanted, own), each) for each in documents for own in aliases(each)]
    best = max((score for score, _ in scored), default=0.0)
    if best < MATCH:
        return _begun(name, documents)
    margin = 0.0 if best == 1.0 else MARGIN
    close = list(dict.fromkeys(each for score, each in scored if score >= best - margin))
    if len(close) > 1:
        raise AmbiguousDocument(name, candidates=tuple(document.name for document in close))
    return close[0]


def _begun(name: str, documents: Sequence[Document]) -> Document:
    """The one document whose name begins so: "Kiromic" of "KIROMICBIOPHARMA,INC_EX-10.PDF"."""
    letters = normalised(name).replace(" ", "")
    plain = [(normalised(document.name).replace(" ", ""), document) for document in documents]
    begun = [document for own, document in plain if own.startswith(letters)]
    if len(letters) < BEGINNING or not begun:
        raise UnknownDocument(name, known=tuple(document.name for document in documents))
    if len(begun) > 1:
        raise AmbiguousDocument(name, candidates=tuple(document.name for document in begun))
    return begun[0]
