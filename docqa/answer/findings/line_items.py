"""Line items of statements under the names people ask for them by; pure. Extend here."""

import re

from docqa.language.words import content_words

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
    (
        r"\bper\b.*\bshare\b.*\bdiluted\b.*› .*\bnet (?:income|earnings|profit|loss)\b"
        r"|\bper\b.*\bshare\b.*› diluted\b",
        ("diluted earnings per share", "diluted loss per share"),
    ),
    (
        r"\bper\b.*\bshare\b.*\bbasic\b.*› .*\bnet (?:income|earnings|profit|loss)\b"
        r"|\bper\b.*\bshare\b.*› basic\b",
        ("basic earnings per share", "basic loss per share"),
    ),
)
_COMPILED = tuple(
    (re.compile(label, re.IGNORECASE), tuple(tuple(content_words(name)) for name in names))
    for label, names in _OTHER_NAMES
)


def other_names(label: str) -> tuple[tuple[str, ...], ...]:
    """The stems of each other name of a row's label, () where it has none.

    >>> other_names("Purchases of property, plant and equipment")
    (('capit', 'expenditur'), ('capex',))
    >>> other_names("Proceeds from sales of property, plant and equipment")
    ()
    """
    return tuple(stems for pattern, names in _COMPILED if pattern.search(label) for stems in names)
