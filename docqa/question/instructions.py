"""Instructions on the form of an answer, set apart from what is asked.

They are known by whom they speak to: a sentence that asks nothing and turns to whoever answers
("answer in …", "you are …", "if …, state …") is about the answer, not about the documents.
"""

import re

from docqa.language.sentences import sentences

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
_PREAMBLE = re.compile(r"^.*\bfollowing\s+question\s*:\s*", re.IGNORECASE | re.DOTALL)
_ROUNDING = re.compile(
    r"\s*[,;(]?\s*\b(?:rounded|rounding|(?:and|then)\s+round(?:\s+it)?|accurate|correct)\s+"
    r"(?:off\s+)?(?:to|up|down)\b[^?.,;)]*\)?"
    r"|\s*[,;(]?\s*\b(?:to|with)\s+(?:\w+\s+)?(?:decimals?(?:\s+places?)?|decimal\s+points?)\b\)?",
    re.IGNORECASE,
)


def set_apart(text: str) -> tuple[str, tuple[str, ...]]:
    """What a text asks, and the instructions beside it, in their order.

    A text that holds nothing else is what is asked.

    >>> set_apart("Is the quick ratio healthy? If it is not relevant, state that and explain why.")
    ('Is the quick ratio healthy?', ('If it is not relevant, state that and explain why.',))
    >>> set_apart("You are an analyst. What is the NOI, rounded to two decimals?")[0]
    'What is the NOI?'
    """
    before = _PREAMBLE.match(text)
    preamble = before[0].strip() if before and before.end() < len(text) else ""
    split = _sentences(text[len(preamble) :].strip())
    kept = [one for one in split if not _is_instruction(one)]
    if not kept:
        return text, ()
    question = " ".join(kept)
    rounding = (found[0].strip(" ,;") for found in _ROUNDING.finditer(question))
    apart = (preamble, *(one for one in split if one not in kept), *rounding)
    return _ROUNDING.sub("", question).strip(), tuple(filter(None, apart))


def _sentences(text: str) -> list[str]:
    """The sentences; after a question mark the next may begin with a small letter."""
    whole = (text[start:stop] for start, stop in sentences(text))
    return [part for one in whole for part in re.split(r"(?<=\?)\s+", one)]


def _is_instruction(sentence: str) -> bool:
    if sentence.rstrip(" )\"'”’").endswith("?"):
        return _IF_SO.search(sentence) is not None
    patterns = (_TO_THE_ANSWERER, _TO_YOU, _OF_THE_ANSWER, _IF_SO, _IF_AT_ALL)
    return any(pattern.search(sentence) for pattern in patterns)
