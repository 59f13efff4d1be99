"""What stands around a question, set apart from what is asked.

Where a question names what it asks about, it needs no other sentence, unless that narrows what is
looked for: it names somebody, something or a time, or comes near the question in meaning ("The roof
leaks. Who pays for repairs?"). Roles, reasons, politeness and formats are told by that alone,
however they are put. Beside a question that refers to another sentence, or where nothing is asked
with a question mark, instructions are known by whom they speak to: a sentence that turns to whoever
answers ("answer in …", "you are …", "if …, state …") is about the answer, not about the documents.
"""

import re
from collections.abc import Callable, Collection, Sequence

from docqa.language.keywords import keywords
from docqa.language.sentences import sentences
from docqa.language.words import ASKING_WORDS, STOP_WORDS
from docqa.question.antecedents import places_in, times_in

_VERB = (
    r"(?:answer|respond|reply|return|output|print|put|write|say|state|explain|note|mention|indicate"
    r"|specify|give|provide|use|leave|assume|report)"
)
# What can only be done to an answer.
_TO_THE_ANSWERER = re.compile(
    r"^\W*(?:please\s+|and\s+|then\s+|also\s+)*"
    r"(?:answer|respond|reply|round|cite|quote|be|use|keep|write|state|assume|imagine|pretend"
    r"|act\s+as|do\s+not|don[’']t)\b",
    re.IGNORECASE,
)
_TO_YOU = re.compile(r"\byou(?:r|rself|[’']re)?\b", re.IGNORECASE)
# What may be done to a document's subject too, but is here done to the answer.
_OF_THE_ANSWER = re.compile(
    rf"^\W*(?:please\s+)?(?:{_VERB}|show|express|format|present|base|make|limit|approach)\b.*"
    r"\b(?:answers?|responses?|repl(?:y|ies)|questions?|decimals?|digits?|rounded|format|json"
    r"|bullets?|(?:one|two|three|few|single|\d+)\s+(?:words?|sentences?|lines?|paragraphs?)"
    r"|n/?a|judge?ments?|not (?:available|found|stated))\b",
    re.IGNORECASE,
)
_IF_SO = re.compile(
    rf"^\W*(?:if|unless|where|when|in case)\b[^?]*(?:,|\bthen\b|\bplease\b)\s*"
    rf"(?:(?:then|please)\s+)*{_VERB}\b",
    re.IGNORECASE,
)
_IF_AT_ALL = re.compile(
    r"^\W*(?:if|where|when)\b.*\b(?:state|explain|say|note|mention|answer|respond)\b", re.I
)
# What refers to another sentence; "that" mostly begins a clause of its own.
_REFERRING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|this|these|those)\b"
    r"|^\W*(?:\w+\s+)?that\b",
    re.IGNORECASE,
)
# A capital within a sentence, for which a weekday has its own reason.
_NAME = re.compile(r"(?<=[a-z] )(?!I\b|\w+day\b)[A-Z]\w")
# Where every first word has a capital, a name is told by what follows it.
_OPENING_NAME = re.compile(
    r"^\W*([A-Z][\w&-]+)(?:[’']s\b|\s+(?:is|are|was|were|has|had|will|may|must|can)\b)"
)
_TELLING = 2  # words at least with which a question names its subject
_ROUNDING = re.compile(
    r"\s*[,;(]?\s*\b(?:rounded|rounding|(?:and|then)\s+round(?:\s+it)?|accurate|correct)\s+"
    r"(?:off\s+)?(?:to|up|down)\b[^?.,;)]*\)?"
    r"|\s*[,;(]?\s*\b(?:to|with)\s+(?:\w+\s+)?(?:decimals?(?:\s+places?)?|decimal\s+points?)\b\)?",
    re.IGNORECASE,
)


Matters = Callable[[str, Sequence[str]], Collection[str]]
"""``matters(question, sentences)``: those of the sentences that bear on the question."""


def set_apart(
    text: str, *, matters: Matters = lambda question, beside: ()
) -> tuple[str, tuple[str, ...]]:
    """What a text asks, and what stands beside it, in their order.

    A text that holds nothing else is what is asked. A sentence that ``matters`` to the question
    that it stands beside, for instance as it names a document, is not apart for standing there.

    >>> set_apart("Is the quick ratio healthy? If it is not relevant, state that and explain why.")
    ('Is the quick ratio healthy?', ('If it is not relevant, state that and explain why.',))
    >>> set_apart("You are an analyst. What is the NOI, rounded to two decimals?")[0]
    'What is the NOI?'
    """
    split = _pieces(text.strip())
    apart = {*filter(_is_instruction, split), *_asides(split, matters)}
    kept = [one for one in split if one not in apart]
    if not kept:
        return text, ()
    question = " ".join(kept)
    rounding = (found[0].strip(" ,;") for found in _ROUNDING.finditer(question))
    beside = [one for one in split if one in apart]
    return _ROUNDING.sub("", question).strip(), (*beside, *filter(None, rounding))


def _asides(split: Sequence[str], matters: Matters) -> set[str]:
    """The sentences that are no part of what is asked; none where no question stands alone."""
    asked = " ".join(filter(_stands_alone, split))
    beside = [one for one in split if _is_aside(one)]
    return set(beside).difference(matters(asked, beside)) if asked and beside else set()


def _pieces(text: str) -> list[str]:
    """The sentences, and apart from a question what leads to it before a colon.

    After a question mark the next may begin with a small letter.
    """
    whole = (text[start:stop] for start, stop in sentences(text))
    parts = [part for one in whole for part in re.split(r"(?<=\?)\s+", one)]
    return [piece for part in parts for piece in _led_to(part)]


def _led_to(sentence: str) -> list[str]:
    before, colon, after = sentence.rpartition(": ")
    leads = colon and (_stands_alone(after) or _is_instruction(before))
    return [f"{before}:", after] if leads else [sentence]


def _asks(sentence: str) -> bool:
    return sentence.rstrip(" )\"'”’").endswith("?")


def _stands_alone(sentence: str) -> bool:
    """Whether it asks something and names what, before any word that refers to another sentence.

    >>> _stands_alone("Who repairs the roof?"), _stands_alone("Can he repair it?")
    (True, False)
    """
    referring = _REFERRING.search(sentence)
    named = keywords(sentence[: referring.start()] if referring else sentence)
    return _asks(sentence) and len(named) >= _TELLING


def _is_aside(sentence: str) -> bool:
    """Whether a sentence beside a question that stands alone says nothing of what is asked.

    What refers to the question ("This includes …") goes on with it, and what names somebody,
    something or a time may be what it is about.
    """
    opening = " ".join(sentence.split()[:2])
    goes_on = _asks(sentence) or _REFERRING.search(opening)
    return not (goes_on or _names(sentence) or _narrows(sentence))


def _names(sentence: str) -> bool:
    """Whether it names somebody or something, also with its first word.

    >>> _names("Acme is the anchor tenant."), _names("There is no hurry.")
    (True, False)
    """
    opening = _OPENING_NAME.search(sentence)
    named = opening and opening[1].lower() not in STOP_WORDS | ASKING_WORDS
    return bool(named or _NAME.search(sentence))


def _narrows(sentence: str) -> bool:
    """Whether it names a time or a numbered place, to which even an instruction may limit."""
    return bool(times_in(sentence) or places_in(sentence))


def _is_instruction(sentence: str) -> bool:
    if _narrows(sentence):
        return False
    if _asks(sentence):
        return _IF_SO.search(sentence) is not None
    patterns = (_TO_THE_ANSWERER, _TO_YOU, _OF_THE_ANSWER, _IF_SO, _IF_AT_ALL)
    return any(pattern.search(sentence) for pattern in patterns)
