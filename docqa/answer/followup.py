"""Follow-up questions made whole: "and in B?" is searched for with what it follows."""

import re
from collections.abc import Sequence

from docqa.answer.wording import content_words
from docqa.types import Message

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
