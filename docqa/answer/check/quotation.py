"""Whether a quotation stands in a text, and whether a text negates; pure."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from docqa.language.words import fold, words
from docqa.types.answer import Verdict

_NEAR_QUOTE = 0.85  # share of words in the same order
_NEGATIONS = frozenset(
    ("no", "not", "never", "none", "neither", "nor", "without", "cannot", "nothing", "except")
)
_NO_NEGATION = re.compile(  # turns of phrase with a "not" that negates nothing
    r"\bnot (?:to )?exceed\w*|\bno(?:t)? (?:more|less|later|earlier|fewer) than|\bnot limited to"
    r"|\bwhether or not|\bif not\b|\bin no event|\bnot only"
)


def check_quote(quote: str, text: str) -> Verdict:
    """Whether ``quote`` stands in ``text``: word for word, nearly, or not.

    Ligatures, dashes, quotation marks, spaces, case and hyphenation are printing and do not
    count; parts around an ellipsis must stand in order. A quotation with another number, or with
    a negation more or less, is not found however near its words are.

    >>> check_quote("net operating in-come", "Net operating income, 2024")
    'verified'
    """
    parts = [part for part in re.split(r"\.\.\.|\[\s*\.\.\.\s*\]", fold(quote)) if part.strip()]
    plain, at = fold(text), 0
    for part in parts:
        found = _position(part.strip(" .,;:"), plain, at)
        if found < 0:
            return _nearly(fold(quote), plain)
        at = found
    return "verified" if parts else "not found"


def _position(part: str, text: str, start: int) -> int:
    """Where ``part`` ends in ``text`` after ``start``, whole words only; -1 where it is not."""
    letters = [re.escape(letter) for letter in re.sub(r"[\s-]+", "", part)]
    if not letters:
        return start
    match = re.compile(r"(?<!\w)" + r"[\s-]*".join(letters) + r"(?!\w)").search(text, start)
    if match is None:
        return -1
    if _boundaries(part) and not _same_words(part, match.group()):
        return -1
    return match.end()


def _boundaries(part: str) -> bool:
    return " " in part or "-" in part


def _same_words(one: str, other: str) -> bool:
    """Whether two texts of the same letters differ in hyphens and their blanks only."""
    return one.replace(" ", "") == other.replace(" ", "") or (
        one.replace("-", "").replace(" ", "") == other.replace("-", "").replace(" ", "")
    )


def _nearly(quote: str, text: str) -> Verdict:
    wanted, given = words(quote), words(text)
    if len(wanted) < 3 or not given:
        return "not found"
    window = _best_window(wanted, given)
    if SequenceMatcher(None, wanted, window, autojunk=False).ratio() < _NEAR_QUOTE:
        return "not found"
    same_numbers = _numbers(wanted) == _numbers(window)
    same_sense = negated(wanted) == negated(window)
    return "near" if same_numbers and same_sense else "not found"


def _best_window(wanted: Sequence[str], given: Sequence[str]) -> list[str]:
    """The stretch of ``given`` as long as ``wanted`` that shares most words with it."""
    size = len(wanted)
    bag = set(wanted)
    hits = [word in bag for word in given]
    starts = range(max(1, len(given) - size + 1))
    best = max(starts, key=lambda at: sum(hits[at : at + size]))
    return list(given[best : best + size])


def _numbers(found: Iterable[str]) -> list[str]:
    return sorted(word for word in found if any(c.isdigit() for c in word))


def negated(found: Iterable[str]) -> bool:
    text = _NO_NEGATION.sub(" ", " ".join(found))
    return any(word in _NEGATIONS or word.endswith("n't") for word in text.split())
