"""Terms that a text defines in quotation marks, and which of them a passage uses."""

import re
from collections.abc import Iterable

from docqa.language.labels import plain_words
from docqa.types.document import Block

SHORTEST = 4  # characters of a term
_DEFINED = re.compile(
    r"[“\"]([A-Z][\w’'.-]*(?:\s+(?:of|and|the|or|[A-Z][\w’'.-]*)){0,4})[,.]?[”\"]"
)


def defined_terms(blocks: Iterable[Block]) -> frozenset[str]:
    """What stands in quotation marks with a capital, in plain words.

    >>> from docqa.types.document import Block, Box
    >>> text = 'due each month (the "Base Rents"), and "no" interest'
    >>> sorted(defined_terms([Block(text, 1, Box(0, 0, 1, 1))]))
    ['base rent']
    """
    found = (_plain(term) for block in blocks for term in _DEFINED.findall(block.text))
    return frozenset(term for term in found if len(term) >= SHORTEST)


def used(terms: frozenset[str], text: str) -> frozenset[str]:
    """Those of the terms that the text has as whole words."""
    words = f" {_plain(text)} "
    return frozenset(term for term in terms if f" {term} " in words)


def _plain(text: str) -> str:
    return " ".join(plain_words(text))
