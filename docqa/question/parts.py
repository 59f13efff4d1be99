"""The parts of a question that asks for several things, and what else it may be asked by."""

import re
from collections.abc import Sequence

from docqa.language.keywords import keywords
from docqa.language.periods import YEAR
from docqa.language.words import INTERROGATIVE
from docqa.question.comparison import (
    FISCAL_YEAR,
    compared,
    name_length,
    shared_words,
    topic_apart,
    without_lead,
)
from docqa.question.followup import resolved
from docqa.types.answer import Message
from docqa.types.question import Intent

MAX_SUB_QUERIES = 4  # beside the question itself (mission)

_AND = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s*&\s+", re.IGNORECASE)

# Two things asked for at once, each with an article of its own; not "the ratio of the one and the
# other", which is one.
_TWO_THINGS = re.compile(
    r"(?P<asked>\w+(?:\s\w+)?\s(?:is|are|was|were))\s(?P<one>(?:the|its|their)\s(?:(?!\bof\b"
    r"|\bbetween\b).)+?),?\sand\s(?P<other>(?:the|its|their)\s.+)",
    re.IGNORECASE,
)
_AND_ASKED = re.compile(rf"[,;]?\s+and\s+(?={INTERROGATIVE}\b)", re.IGNORECASE)
_SHORTEST_QUESTION = 4  # words, as "How long" is none by itself
_OF_IT = r"\b(?:it|its|they|them|their|he|she)\b"
_LEANS = re.compile(rf"{_OF_IT}|\b(?:this|that|these|those)\W*$", re.IGNORECASE)
# Of each of what the question before it picks; not of all of them.
_OF_EACH = re.compile(
    rf"^(?!.*\b(?:total|together|combined|altogether)\b).*{_OF_IT}", re.IGNORECASE
)


def parts_of(question: str, *, intent: Intent) -> tuple[str, ...]:
    """A query for each thing that is asked for, if for several; at most `MAX_SUB_QUERIES`.

    Of a synthesis, list or comparison its sides, its years, or what it lists ("Summarize Q1, Q2,
    and Q3 reports": one for each of the three); of a lookup the questions it is made of, where each
    can stand alone.

    >>> parts_of("Summarize the rent and the term", intent="synthesis")
    ('rent', 'the term')
    >>> parts_of("What is the deposit and when is it returned to the tenant?", intent="lookup")
    ('What is the deposit', 'When is the deposit returned to the tenant?')
    >>> parts_of("What are the rent and the term of the lease?", intent="lookup")
    ('What are the rent', 'What are the term of the lease?')
    """
    parts = _questions(question) if intent == "lookup" else _parts(question, intent)
    made = dict.fromkeys(part for part in parts if keywords(part))
    made.pop(question, None)
    return tuple(made)[:MAX_SUB_QUERIES]


def _questions(question: str) -> list[str]:
    """The questions that one is made of, if each can stand alone: what leans on the first is made
    whole ("and when is it due"); "and what are the exceptions" says too little."""
    if two := _TWO_THINGS.fullmatch(question):
        return [f"{two['asked']} {each}" for each in (two["one"], two["other"])]
    first, *others = _AND_ASKED.split(question)
    whole = [resolved(each, [Message("user", first)]) for each in others]
    alone = [
        len(keywords(each)) > 1 and not _LEANS.search(each) and not each.startswith(first)
        for each in whole
    ]
    is_whole = keywords(first) and len(first.split()) >= _SHORTEST_QUESTION
    return [first, *whole] if others and is_whole and all(alone) else []


def leading(question: str) -> str:
    """The question that those after it lean on, each thing that it picks for itself; "" for none.

    >>> leading("Which tenant pays the highest rent and when does its lease expire?")
    'Which tenant pays the highest rent'
    >>> leading("When does the lease start and how long is the term?")
    ''
    """
    first, *others = _AND_ASKED.split(question)
    leaning = any(map(_OF_EACH.search, others))
    return first if leaning and len(first.split()) >= _SHORTEST_QUESTION else ""


def _parts(question: str, intent: Intent) -> list[str]:
    subject = _subject(question)
    items, shared = _items(subject)
    if intent == "comparison" and (sides := compared(question)):
        return _sides(question, sides)[0]
    if len(years := FISCAL_YEAR.findall(subject)) > 1:
        return [_of_year(subject, year) for year in years]
    return [_joined(item, shared) for item in _limited(items)] if len(items) > 1 else []


def wider_queries(question: str, *, intent: Intent) -> tuple[str, ...]:
    """What else a synthesis, list or comparison may be asked by (mission): both sides at once,
    lists and kinds, an overview. A lookup has none."""
    subject = _subject(question)
    if intent == "comparison" and (sides := compared(question)):
        return (_sides(question, sides)[1],)
    if intent == "list":
        kinds = ("list examples", "types categories", "overview")
        return tuple(_joined(subject, kind) for kind in kinds)
    alone = intent != "lookup" and not parts_of(question, intent=intent)
    return (_joined(subject, "overview"),) if alone else ()


def _sides(question: str, sides: Sequence[str]) -> tuple[list[str], str]:
    """Each side with what is compared, and both in one."""
    topic, named = topic_apart(sides)
    shared = _joined(topic, shared_words(question, sides))
    both = _joined(" versus ".join(named), shared, "differences")
    return [_joined(side, shared) for side in named], both


def _of_year(subject: str, year: str) -> str:
    """The subject asked of one of its years: "revenue in 2018 and 2022" → "revenue in 2018"."""
    others = rf"(?:\s*(?:,|\band\b|\bto\b|\bvs\.?))*\s*\b(?:FY\s?)?(?!{year}){YEAR}\b"
    return re.sub(
        r"\b(in|of|from|between)\s+(?:and|to|vs\.?)\s+", r"\1 ", re.sub(others, "", subject)
    )


def _limited(items: Sequence[str]) -> list[str]:
    """At most `MAX_SUB_QUERIES` items, the last one holding all that remain."""
    head, rest = items[: MAX_SUB_QUERIES - 1], items[MAX_SUB_QUERIES - 1 :]
    return [*head, " ".join(rest)] if rest else list(head)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _subject(question: str) -> str:
    """What is left when the asking words go: "Summarize the annual report" → "annual report"."""
    rest = without_lead(question.strip().rstrip("?.! "))
    return re.sub(r"^(?:the|a|an|all)\s+", "", rest, flags=re.IGNORECASE)


def _items(subject: str) -> tuple[list[str], str]:
    """The listed items and the words they share: "Q1, Q2 and Q3 reports" → [Q1, Q2, Q3], reports.

    The shared words are those after the first words of the last item, when the items are names
    (capitalised or with a digit) and the words are not.
    """
    parts = [part.strip() for part in _AND.split(subject) if part.strip()]
    if len(parts) < 2:
        return parts, ""
    words = parts[-1].split()
    size = name_length(words)
    return [*parts[:-1], " ".join(words[:size])], " ".join(words[size:])
