"""How clauses and items are numbered: "12.3", "(a)", "IV."; pure."""

import re

_NUMBER = re.compile(
    r"\((?:\d{1,3}|[ivx]{1,5}|[a-z]{1,3}|[A-Z])\)(?!\w*\))"
    r"|\d{1,2}(?:\.\d{1,3})+[.)]?(?=\s*(?:[A-Z“\"(]|$))"
    r"|(?:\d{1,3}|[IVX]{1,5}|[ivx]{1,5}|[A-Z])[.)](?=\s|$)"
    r"|\d{1,3}\.(?=[A-Z][a-z])"
    r"|[a-z]{1,3}\)(?=\s|$)"
)
_STYLES = (
    (r"\d+", "1"),
    ("[ivx]+", "i"),
    ("[IVX]+", "I"),
    (r"(?!i\b)[a-z]+", "a"),
    (r"(?!I\b)[A-Z]", "A"),
)


def numbering(text: str) -> str:
    """How a clause or an item is numbered that the text begins with: its number with "1" for every
    number, "i" or "I" for Roman ones and "a" or "A" for letters; "" for none.

    >>> [numbering(each) for each in ("12.3 Term", "(b) no", "(iv) no", "B. You", "IV. Law")]
    ['1.1', '(a)', '(i)', 'A.', 'I.']
    >>> [numbering(each) for each in ("2.1Term. This", "3.5 per cent", "12 months", "a lease")]
    ['1.1', '', '', '']
    """
    found = _NUMBER.match(text)
    number = found[0] if found else ""
    for pattern, sign in _STYLES:
        number = re.sub(rf"\b{pattern}\b", sign, number)
    return number
