"""Words: how a text is cut into them, which of them say nothing, and what they have in common."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import Stemmer  # type: ignore[import-not-found]

from docqa.types.document import without_ending

# Words that carry no subject.
_STOP_WORDS_TEXT = """
a about above after again against all also am an and any are as at be because been before being
below between both but by can could did do does doing don down during each either else ever few
for from further had has have having he her here hers him his how however i if in into is it its
itself just let me might more most must my no nor not now of off on once one only or other our
ours out over own per please same shall she should so some such than that the their theirs them
then there these they this those through to too under until up upon us very was we were what
when where whether which while who whom whose why will with within without would yes you your
"""
STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
_ENGLISH_ALONE = frozenset(("the", "and", "to", "by", "with", "for", "that", "from", "or", "this"))
_BRIEF = 200  # characters of a text whose stems are kept
_ENOUGH_WORDS = 40  # to tell a language by
# Words that ask rather than name. In a passage such a word is chance, and being rare it would
# weigh heavily.
_ASKING_WORDS_TEXT = """
answer compare compared comparison contrast describe detail details difference differences
examples explain find following give gives identify information list lists mention mentioned
name overview question questions related say says show summaries summarise summarize summary
tell versus vs categories characteristics
"""
ASKING_WORDS = frozenset(_ASKING_WORDS_TEXT.split())
# Patterns without groups: what a question begins with.
INTERROGATIVE = r"(?:what|which|whom?|whose|when|where|why|how)"
AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)"
)
# Words that join others in any text, or speak of the text itself.
_BLAND_WORDS_TEXT = """
according based document documents done every file get given hereby herein hereof like made make
many may much onto provide quite regarding report reported see text therein thereof use used
using whats yet yours
"""
_WITHOUT_CONTENT = STOP_WORDS | ASKING_WORDS | frozenset(_BLAND_WORDS_TEXT.split())

_WORD = re.compile(r"[^\W_]+(?:[.,'’&/-][^\W_]+)*%?")
_IRREGULAR = {
    "paid": "pay", "spent": "spend", "sold": "sell", "bought": "buy", "grew": "grow",
    "grown": "grow", "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall",
    "held": "hold", "lost": "lose", "lent": "lend", "built": "build", "kept": "keep",
}  # fmt: skip
_SHORT_FORMS = {
    "yr": "year", "yrs": "year", "wk": "week", "wks": "week", "mo": "month", "mos": "month",
    "qtr": "quarter", "qtrs": "quarter", "amt": "amount", "avg": "average", "bldg": "building",
    "mgmt": "management", "maint": "maintenance", "bal": "balance", "orig": "original",
    "prop": "property",
}  # fmt: skip
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:s|ll|ve|re|d|m))$")
_SHORTENED = {"won't": "will", "can't": "can", "shan't": "shall"}
_DIGIT, _COMPOUND = re.compile(r"\d"), re.compile(r"[/'-]")
_SNOWBALL = Stemmer.Stemmer("english")

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−﹣", "-"),
        "\u00ad": None,
        "\u200b": None,
        "\ufeff": None,
        "…": "...",
    }
)
_BROKEN_WORD = re.compile(r"(?<=[a-z])-\s*\n\s*(?=[a-z])")
_RAISED = re.compile("(?<=\\d)[⁰¹²³⁴-⁹]+")  # of a note, or a power


def english(texts: Iterable[str]) -> float:
    """The share of the words that are common in English alone, 0–1; 1 of too few words to tell.

    >>> english(["Der Vermieter überlässt dem Mieter die Räume zur Nutzung als Büro. " * 5])
    0.0
    >>> english(["The landlord lets the premises."])
    1.0
    """
    words = [word.lower() for text in texts for word in re.findall(r"[^\W\d_]+", text)]
    if len(words) < _ENOUGH_WORDS:
        return 1.0
    return sum(word in _ENGLISH_ALONE for word in words) / len(words)


def fold(text: str) -> str:
    """Text without what printing adds, for comparison: case, ligatures, quotes, dashes, spaces.

    NFKC, so "ﬁ" is "fi" and "½" is "1⁄2"; every dash is "-", every run of white space one blank;
    a word broken at a line's end is whole; a number raised behind a figure is no part of it.

    >>> fold("The “ﬁrst”\\u00a0 per–\\ncent")
    'the "first" per- cent'
    """
    whole = _RAISED.sub(" ", _BROKEN_WORD.sub("", text.replace("\u00ad\n", "")))
    plain = unicodedata.normalize("NFKC", whole.translate(_QUOTES)).translate(_QUOTES)
    return " ".join(plain.casefold().split())


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its ending, so that "renewals", "renewed" and "renewal" agree.

    Snowball's English stemmer (Porter 2001), the past of some irregular verbs, and what short forms
    stand for ("yr"). Where fewer than four letters would stay as they are, as of "rating", which is
    no "rate", only a plural's ending goes.

    >>> [stem(word) for word in ("liabilities", "terminating", "terminated", "notices", "paid")]
    ['liabil', 'termin', 'termin', 'notic', 'pay']
    >>> stem("rating"), stem("rates"), stem("fees")
    ('rating', 'rate', 'fee')
    """
    if any(character.isdigit() for character in word):
        return word
    present = _IRREGULAR.get(word) or _SHORT_FORMS.get(word, word)
    shortened = str(_SNOWBALL.stemWord(present))
    return shortened if present[:4] == shortened[:4] else singular(present)


def has_letter(word: str) -> bool:
    """Whether a word is no number or reference ("4990-000")."""
    return any(map(str.isalpha, word))


def singular(word: str) -> str:
    """The singular of a regular plural.

    >>> singular("properties"), singular("leases"), singular("basis")
    ('property', 'lease', 'basis')
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural and len(word) > 3 else word


def words(text: str) -> list[str]:
    """The words of ``text``, folded, possessives and trailing percent signs taken off."""
    found = _WORD.findall(fold(text))
    return [word[:-2] if word.endswith("'s") else word.removesuffix("%") for word in found]


def uncontracted(word: str) -> str:
    """A word in lower case without what it is contracted with.

    >>> [uncontracted(word) for word in ("didn't", "won't", "can’t", "they'll", "lessor's", "won")]
    ['did', 'will', 'can', 'they', 'lessor', 'won']
    """
    if word.isalnum():
        return word
    return _CONTRACTED.sub("", _SHORTENED.get(word.replace("’", "'"), word))


def content_words(text: str) -> list[str]:
    """The stems of the words that say something, in order; compounds also in their parts."""
    return list(_content_words(text)) if len(text) <= _BRIEF else content_stems(words(text))


@lru_cache(maxsize=16_384)  # an answer reads the heads and labels of a table again and again
def _content_words(text: str) -> tuple[str, ...]:
    return tuple(content_stems(words(text)))


def content_stems(split: Iterable[str]) -> list[str]:
    """`content_words` of words that are split and folded already."""
    stems: list[str] = []
    for word in map(uncontracted, split):
        parts = [word] if _DIGIT.search(word) else _COMPOUND.split(word)
        stems += [stem(part) for part in parts if part and part not in _WITHOUT_CONTENT]
    return stems


def name_in_words(name: str) -> str:
    """A file's name without its ending, blanks for what parts its words.

    >>> name_in_words("Lease_A.PDF"), name_in_words("rent-roll.2024.xlsx")
    ('Lease A', 'rent roll 2024')
    """
    return re.sub(r"[_.-]+", " ", without_ending(name))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A text with spans of it blanked, every position kept.

    >>> blanked("rent of 2025", [(8, 12)])
    'rent of     '
    """
    for start, stop in spans:
        text = text[:start] + " " * (stop - start) + text[stop:]
    return text
