"""The abbreviations that a text itself gives its terms: "Real Estate Investment Trust (“REIT”)".

They are matched to the words before them letter by letter (Schwartz and Hearst, "A simple algorithm
for identifying abbreviation definitions in biomedical text", PSB 2003).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from docqa.language.words import STOP_WORDS
from docqa.types.question import Definition

_BEFORE = 200  # characters before a bracket in which the words stand that it shortens
_BRACKET = re.compile(r"\(([^()]{2,60})\)")
_QUOTED = re.compile(r"[“\"]([A-Z][^“”\"]{1,40}?)[,.;]?[”\"]")
_ABBREVIATION = re.compile(r"(?=(?:.*[A-Z]){2})[A-Za-z][\w&./-]{1,9}")


def definitions_in(text: str) -> Iterator[Definition]:
    """The abbreviations that a text gives in brackets, each with what it stands for, in order.

    >>> list(definitions_in("a Real Estate Investment Trust (a “REIT”) of one (1) share"))
    [('REIT', 'Real Estate Investment Trust')]
    """
    for bracket in _BRACKET.finditer(text):
        before = text[max(0, bracket.start() - _BEFORE) : bracket.start()]
        for short in _QUOTED.findall(bracket[1]) or [bracket[1].strip()]:
            if _ABBREVIATION.fullmatch(short) and (long := spelt_out(short, before)):
                yield short, long


def spelt_out(short: str, before: str) -> str:
    """The last words of a text that have an abbreviation's letters in order; "" for none.

    The first letter begins a word that is no stop word; at most min(n + 5, 2n) words for n letters.

    >>> spelt_out("OTS", "approved by the Office of Thrift Supervision")
    'Office of Thrift Supervision'
    """
    letters = re.sub(r"[^a-z0-9]", "", short.lower())
    said = " ".join(before.split()[-min(len(letters) + 5, 2 * len(letters)) :])
    at = len(said)
    for letter in reversed(letters[1:]):
        at = said.lower().rfind(letter, 0, at)
        if at < 0:
            return ""
    begun = [word for word in re.finditer(r"\w[\w’'.&-]*", said[:at]) if _begins(word[0], letters)]
    long = said[begun[-1].start() :].strip(' ,;:“”"') if begun else ""
    return long if short.lower() not in long.lower().split() else ""


def _begins(word: str, letters: str) -> bool:
    return word[0].lower() == letters[:1] and word.lower() not in STOP_WORDS


def by_other_names(text: str, definitions: Iterable[Definition]) -> Iterator[str]:
    """The text once for each term of it that is defined, with the other name in its place.

    Terms with several meanings are left alone, and those that stand there under both names.

    >>> list(by_other_names("What is GMV?", [("GMV", "gross merchandise volume")]))
    ['What is gross merchandise volume?']
    """
    others: defaultdict[str, set[str]] = defaultdict(set)
    for short, long in definitions:
        others[short].add(long.lower())
        others[long.lower()].add(short)
    for said, names in sorted(others.items()):
        found = written(said).search(text)
        if found and len(names) == 1 and not written(other := min(names)).search(text):
            yield text[: found.start()] + other + text[found.end() :]


def written(term: str) -> re.Pattern[str]:
    """A term as a text has it, its case heeded where it has a capital."""
    flags = re.IGNORECASE if term.islower() else re.NOFLAG
    return re.compile(rf"(?<!\w){re.escape(term)}(?!\w)", flags)
