"""Whether another document may change what a cited one says: a deed of variation, an amendment."""

import re
from collections.abc import Callable, Iterator, Sequence

from docqa.language.periods import dates_in
from docqa.language.words import name_in_words
from docqa.types.document import Document

_AMENDS = re.compile(
    r"\b(?:variation|amend(?:ment|ing)|addendum|supplemental (?:deed|lease|agreement|indenture)"
    r"|side letter|deed of (?:surrender|release)|waiver)s?\b",
    re.IGNORECASE,
)
_BINDS = re.compile(
    r"\b(?:lease|licen[cs]e|contract|agreement|deed|indenture|mortgage|charge|loan|facilit(?:y|ies)"
    r"|tenancy|terms)s?\b",
    re.IGNORECASE,
)
_OWN_DAY = 1500  # characters in which an agreement says of what day it is
OPENING = 4000  # in which an amendment says of what day that is which it amends


def amendments(
    cited: Sequence[Document], documents: Sequence[Document], opening: Callable[[Document], str]
) -> Iterator[tuple[Document, Document]]:
    """Each cited document that another one may change, which is not cited, with that one.

    An amendment of what binds is called one, and names in its opening the day of what it amends
    ("supplemental to a lease dated 23 June 2023"), whose own opening has that day too. ``opening``
    gives the beginning of a document's text.
    """
    known = {document.id for document in cited}
    others = [each for each in documents if each.id not in known and _amends(each)]
    binding = [each for each in cited if _BINDS.search(_called(each)) and not _amends(each)]
    if not (others and binding):
        return
    days = {each.id: _days(opening(each)[:OPENING]) for each in others}
    for document in binding:
        own = _days(opening(document)[:_OWN_DAY])
        yield from ((document, each) for each in others if own & days[each.id])


def notice(document: Document, amendment: Document) -> str:
    """What is said where an answer cites the one and not the other."""
    return f"“{amendment.name}” may change what “{document.name}” says; look there too."


def _amends(document: Document) -> bool:
    return _AMENDS.search(_called(document)) is not None


def _called(document: Document) -> str:
    return f"{name_in_words(document.name)} {document.title}"


def _days(text: str) -> set[tuple[int, int, int]]:
    days = (each for each in dates_in(text) if each.year and each.day)
    return {(each.year, each.month, each.day) for each in days}
