"""Follow-up questions made whole: "and in B?" is searched for with what it follows."""

import re
from collections.abc import Sequence

from docqa.language.words import content_words
from docqa.types.answer import Message

_LEANS_BACK = re.compile(
    r"^\s*(?:and|but|or|also|so|then|what about|how about|same|why|ok|okay)\b"
    r"|\b(?:it|its|they|them|their|that|those|these|this|there|he|she|his|her|one|ones|same"
    r"|other|former|latter|above|previous)\b",
    re.IGNORECASE,
)
_FEW = 3  # content words a question needs to stand alone


def standalone(question: str, history: Sequence[Message]) -> str:
    """What to search for: the question, after the one before it where it leans on that.

    >>> asked = [Message("user", "What is the rent in Lease A?"), Message("assistant", "$5.")]
    >>> standalone("And in B?", asked)
    'What is the rent in Lease A? And in B?'
    >>> standalone("Who are the parties to the hosting agreement?", asked)
    'Who are the parties to the hosting agreement?'
    """
    earlier = [message.text for message in history if message.role == "user"]
    leans = len(content_words(question)) < _FEW or _LEANS_BACK.search(question)
    return f"{earlier[-1]} {question}" if earlier and leans else question


_GOES_ON = re.compile(
    r"\s*(?:and|but|or|also|so|then|what about|how about|same for|why|ok|okay)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(  # not "is there", "this lease" or "the tenant that"
    r"\b(?:it|its|they|them|their|he|she|his|her|former|latter|the same)\b|\b(?:those|these)\W*$",
    re.IGNORECASE,
)
_NAME = re.compile(r"\s[A-Z]\w")
_YEAR = re.compile(
    r"\b(?:(?:in|for|of|during|at|as of)\s+)?(?:FY\s?|fiscal\s+(?:year\s+)?)?(?:19|20)\d\d\b", re.I
)
_BEFORE = re.compile(r"\b(?:year before|(?:previous|prior|preceding|last) year)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:year after|(?:next|following) year)\b", re.IGNORECASE)


def carried_on(question: str, history: Sequence[Message]) -> str:
    """The question to answer in its own words: after the last that stands alone, where it leans.

    A year it names takes the place of the earlier one's, and "the year before" is reckoned.

    >>> asked = [Message("user", "What was NOI in 2024?"), Message("assistant", "$5.")]
    >>> carried_on("And in 2023?", asked), carried_on("And the year before?", asked)
    ('What was NOI? And in 2023?', 'What was NOI in 2023? And the year before?')
    >>> carried_on("Is there a cap on liability?", asked)
    'Is there a cap on liability?'
    """
    if not _leans(question):
        return question
    earlier = [message.text for message in history if message.role == "user"]
    whole = next((each for each in reversed(earlier) if not _leans(each)), "")
    return f"{_of_asked_year(whole, question)} {question}" if whole else question


def _leans(question: str) -> bool:
    """Whether it goes on from another, or has a pronoun for what it does not name itself."""
    if _GOES_ON.match(question):
        return True
    pronoun = _POINTS_BACK.search(question)
    return pronoun is not None and not _NAME.search(question[: pronoun.start()])


def _of_asked_year(earlier: str, question: str) -> str:
    if _YEAR.search(question):
        plain = " ".join(_YEAR.sub("", earlier).split())
        return re.sub(r"\s+(?=[?.,!])", "", plain)
    apart = -1 if _BEFORE.search(question) else 1 if _AFTER.search(question) else 0
    return re.sub(r"\b(?:19|20)\d\d\b", lambda year: str(int(year[0]) + apart), earlier)
