"""Line items under the names people ask for them by; pure.

Those that are one name for another stand in the vocabulary, those that need a pattern here.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from docqa.language.vocabulary import BUILT_IN, NEAR
from docqa.language.words import content_words, has_letter
from docqa.types.question import Question
from docqa.types.table import Row

_OTHER_NAMES = (  # how a statement names it, and how people do
    (
        r"\b(?:purchases?|acquisitions?|additions?|payments?|expenditures?)\b.{0,30}"
        r"\bpropert(?:y|ies)\b.{0,12}\b(?:plant|equipment)\b",
        ("capital expenditures", "capex"),
    ),
    (  # a loss is asked for of a year that brought a profit, and the other way round
        r"^(?:consolidated )?net (?:income|earnings|profit|loss)\b(?!.*\bper\b)"
        r"(?!.*\battributable to (?:the )?(?:non-?controlling|minority))(?!.*\bcontinu)",
        ("net income", "net earnings", "net profit", "net loss"),
    ),
    *(
        (
            rf"^(?=.*\bper\b.{{0,20}}\bshare\b)(?=.*\b{kind}\b)"
            r"(?!.*\b(?:weighted|number|(?:dis)?continu\w+|adjusted|non-gaap|dividends?)\b)",
            tuple(f"{kind} {what} per share" for what in ("earnings", "loss", "income")),
        )
        for kind in ("diluted", "basic")
    ),
)
OTHER = re.compile(r"\bother\b", re.IGNORECASE)
_SPENT = NEAR["cost"]
_COMPILED = tuple((re.compile(label, re.IGNORECASE), names) for label, names in _OTHER_NAMES)


def also_called(label: str) -> tuple[str, ...]:
    """The other names of a row's label, () where it has none.

    >>> also_called("Purchases of property, plant and equipment")
    ('capital expenditures', 'capex')
    >>> also_called("Proceeds from sales of property, plant and equipment")
    ()
    """
    patterned = [name for pattern, names in _COMPILED if pattern.search(label) for name in names]
    own = tuple(content_words(label))
    named = [name for name in _figures().get(own, ()) if tuple(content_words(name)) != own]
    return tuple(dict.fromkeys((*patterned, *named)))


def other_names(label: str) -> tuple[tuple[str, ...], ...]:
    """The stems of each other name of a row's label.

    >>> other_names("Purchases of property, plant and equipment")
    (('capit', 'expenditur'), ('capex',))
    >>> ("real", "estat", "tax") in other_names("Property tax")
    True
    """
    return tuple(dict.fromkeys(tuple(content_words(name)) for name in also_called(label)))


@lru_cache(maxsize=1)
def _figures() -> dict[tuple[str, ...], Sequence[str]]:
    """The stems of each name of a figure, with all its names."""
    return {tuple(content_words(name)): names for names in BUILT_IN.figures for name in names}


def names_of(label: str) -> tuple[tuple[str, ...], ...]:
    """The stems of a label without its numbers, and of its other names."""
    own = tuple(filter(has_letter, content_words(label)))
    return tuple(filter(None, (own, *other_names(" ".join(own)), *other_names(label))))


def is_named(row: Row, question: Question) -> bool:
    """Whether a question has all words of a row's label, or of another name of it ("NOI"); that
    it is a cost may be said in other words ("spent on distribution").

    What a label calls other is the rest, and no more than that.
    """
    asked = set(content_words(question.topic))
    if OTHER.search(row.label) and not OTHER.search(question.topic):
        return False
    return any(
        not asked.isdisjoint(name)
        and all(word in asked or (word in _SPENT and asked & _SPENT) for word in name)
        for name in names_of(row.label)
    )
