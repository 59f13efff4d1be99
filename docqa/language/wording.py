"""Words, sentences and spelling, as far as an answer needs them: pure, English first."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from docqa.types.document import ENDING

# Questions' own words and the little ones: they say nothing about where an answer stands.
_LITTLE_WORDS = """
a about above after all also am an and any are as at be because been before being below between
both but by can could did do does doing done down during each either else ever every few for from
further get give given had has have having he her here hers him his how i if in into is it its
itself just let like list made make many may me might more most much must my name no nor not of
off on once one only onto or other our ours out over own per please provide quite same say says
see shall she should show so some such tell than that the their theirs them then there these they
this those through to too under until up upon us use used using very was we were what whats when
where whether which while who whom whose why will with within would yet you your yours according
based describe document documents explain find file following information mention mentioned
question answer report reported regarding tell text there thereof therein hereof herein hereby
"""
STOP_WORDS = frozenset(_LITTLE_WORDS.split())
_WORD = re.compile(r"[^\W_]+(?:[.,'’&/-][^\W_]+)*%?")
_SUFFIXES = ("ments", "ment", "ings", "ing", "ions", "ion", "ally", "al", "ed", "ers", "er")
_IRREGULAR = {
    "paid": "pay", "spent": "spend", "sold": "sell", "bought": "buy", "grew": "grow",
    "grown": "grow", "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall",
    "held": "hold", "lost": "lose", "lent": "lend", "built": "build", "kept": "keep",
}  # fmt: skip
_STEM_LENGTH = 4  # a suffix goes only where at least so many letters stay

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

_SENTENCE_END = re.compile(
    r"[.!?][\"'”’)\]⁰¹²³⁴-⁹]*\s+(?=[\"'“‘(\[]*[A-Z0-9•])|\n\s*\n|\n(?=\s*[-•*|#])"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Inc|Corp|Co|Ltd|No|Nos|Art|Sec|Secs|Fig|vs|v|St|Jr|Sr|e\.g"
    r"|i\.e|cf|approx|para|paras|cl|pp|p|Reg|Rev|Stat|Ex|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov"
    r"|Dec|sq|ft|U\.S|U\.K)|\b[A-Z]\.[A-Z])\.[\"'”’)\]]*$"
)

_RAISED = re.compile("(?<=\\d)[⁰¹²³⁴-⁹]+")  # of a note, or a power


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

    >>> [stem(word) for word in ("liabilities", "terminating", "terminated", "notices", "paid")]
    ['liability', 'terminat', 'terminat', 'notic', 'pay']
    """
    word = _IRREGULAR.get(word, word)
    if len(word) <= _STEM_LENGTH or any(character.isdigit() for character in word):
        return word
    short = _singular(word)
    for suffix in _SUFFIXES:
        if short.endswith(suffix) and len(short) - len(suffix) >= _STEM_LENGTH:
            short = short[: -len(suffix)]
            break
    return short.removesuffix("e") if len(short) > _STEM_LENGTH else short


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def words(text: str) -> list[str]:
    """The words of ``text``, folded, possessives and trailing percent signs taken off."""
    found = _WORD.findall(fold(text))
    return [re.sub(r"'s$|%$", "", word) for word in found]


def content_words(text: str) -> list[str]:
    """The stems of the words that say something, in order; compounds also in their parts."""
    return content_stems(words(text))


def name_in_words(name: str) -> str:
    """A file's name without its ending, blanks for what parts its words."""
    return re.sub(rf"{ENDING}$|[_.-]+", " ", name)


def content_stems(spoken: Iterable[str]) -> list[str]:
    """`content_words` of words that are split and folded already."""
    stems: list[str] = []
    for word in spoken:
        parts = [word] if re.search(r"\d", word) else re.split(r"[/'-]", word)
        stems += [stem(part) for part in parts if part and part not in STOP_WORDS]
    return stems


def sentences(text: str) -> list[tuple[int, int]]:
    """The spans of the sentences of ``text``, blanks around them left out.

    A sentence ends at ".", "!" or "?" before a capital or a figure, at a blank line and before
    a list item or table row on a new line; abbreviations and initials end none.

    >>> [text[a:b] for text in ["Acme Inc. pays. It owes 1.5%."] for a, b in sentences(text)]
    ['Acme Inc. pays.', 'It owes 1.5%.']
    """
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        before = text[max(start, match.start() - 12) : match.end()].rstrip()
        if match.group()[0] == "\n" or not _ABBREVIATION.search(before):
            spans.append((start, match.end()))
            start = match.end()
    spans.append((start, len(text)))
    return [span for span in (_trimmed(text, *span) for span in spans) if span[0] < span[1]]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
