"""What stands around a question, set apart from what is asked.

Roles, reasons, politeness and formats are told by a classifier that was taught so
(`docqa.question.asides`). A sentence that names a time, a numbered place or a document narrows what
is looked for, however it is put, and stays.
"""

import math
import re
from collections.abc import Callable, Sequence

from docqa.language.keywords import keywords
from docqa.language.sentences import sentences
from docqa.question.antecedents import places_in, times_in

PASTED = 12  # sentences, from which those that ask nothing are a page that somebody pasted
_ROUNDING = re.compile(
    r"\s*[,;(]?\s*\b(?:rounded|rounding|(?:and|then)\s+round(?:\s+it)?|accurate|correct)\s+"
    r"(?:off\s+)?(?:to|up|down)\b[^?.,;)]*\)?"
    r"|\s*[,;(]?\s*\b(?:to|with)\s+(?:\w+\s+)?(?:decimals?(?:\s+places?)?|decimal\s+points?)\b\)?",
    re.IGNORECASE,
)

OddsBeside = Callable[[Sequence[str], bool], Sequence[float]]
"""``beside(sentences, asked)``: their log odds to be beside what is asked (see `odds_beside`)."""


def set_apart(text: str, *, beside: OddsBeside | None) -> tuple[str, tuple[str, ...]]:
    """What a text asks, and what stands beside it, in their order.

    Something is always asked, if only the likeliest; where that has no word to look for ("What
    then?"), all is. Without ``beside`` only how to round is apart.

    >>> set_apart("What is the NOI, rounded to two decimals?", beside=None)
    ('What is the NOI?', ('rounded to two decimals',))
    """
    pieces = _pieces(text.strip())
    apart = _apart(pieces, beside) if beside and len(pieces) > 1 else set()
    question = " ".join(one for one in pieces if one not in apart)
    if not keywords(question):
        apart, question = set(), " ".join(pieces)
    rounding = (found[0].strip(" ,;") for found in _ROUNDING.finditer(question))
    others = [one for one in pieces if one in apart]
    return _ROUNDING.sub("", question).strip(), (*others, *filter(None, rounding))


def _apart(pieces: Sequence[str], beside: OddsBeside) -> set[str]:
    others = [one for one in pieces if not _asks(one)]
    asked = len(others) < len(pieces)
    if asked and len(pieces) >= PASTED:
        return set(others)
    odds = {
        one: -math.inf if times_in(one) or places_in(one) else own
        for one, own in zip(others, beside(others, asked), strict=True)
    }
    least = 0.0 if asked else max(0.0, min(odds.values()))
    return {one for one, own in odds.items() if own > least}


def _pieces(text: str) -> list[str]:
    """The sentences, and apart from a question what leads to it before a colon.

    After a question mark the next may begin with a small letter.
    """
    whole = (text[start:stop] for start, stop in sentences(text))
    parts = [part for one in whole for part in re.split(r"(?<=\?)\s+", one)]
    return [piece for part in parts for piece in _led_to(part)]


def _led_to(sentence: str) -> list[str]:
    before, colon, after = sentence.rpartition(": ")
    return [f"{before}:", after] if colon and _asks(after) else [sentence]


def _asks(sentence: str) -> bool:
    return sentence.rstrip(" )\"'”’").endswith("?")
