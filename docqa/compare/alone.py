"""What one document alone has, as far as it matters to its reader.

Notices, contents and contacts are in every document and say nothing of the matter; and a table of
a kind that the other documents have as well is compared by its figures, whatever its rows are.
"""

import re
from collections.abc import Iterable, Sequence

from docqa.language.sentences import sentences
from docqa.types.search import Hit
from docqa.types.table import Table

_NOTICE = re.compile(
    r"\bconfidential|\bdisclaim|\bno (?:representation|warrant)|\bwithout (?:any )?warrant"
    r"|\bnot (?:be )?rel(?:y|ied) (?:up)?on|\bshould rely\b|\bbelieved to be (?:reliable|accurate)"
    r"|\bforward-looking\b|\bsafe harbou?r\b|\ball rights reserved\b|©|\bcopyright\b"
    r"|\bunaudited\b|\bmay not be (?:copied|reproduced|achieved|realized|realised)\b"
    r"|\bpurposes? of (?:information|illustration)\b|\binformation(?:al)? purposes? only\b"
    r"|\b(?:make|rely on) (?:its|their|your) own (?:enquiries|inquiries|investigations?)\b"
    r"|\bthird-party sources\b|\bmeant for the recipient\b|\bfor prospective purchasers\b",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"[\w.]+@[\w.]+|\btel(?:ephone)?\b[.: ]|\bphone\b|\bcontact(?:s|ed)?\b|\bby appointment\b"
    r"|\b(?:prepared|presented) by\b|\bwww\.|\bfor (?:more|further) information\b",
    re.IGNORECASE,
)
# A document that speaks of itself, as a notice at its beginning or end does.
_OF_ITSELF = re.compile(
    r"this (?:\w+ )?(?:memorandum|document|presentation|brochure|report|material|publication)\b.*"
    r"\b(?:confidential|prepared|recipients?|provided|intended|constitutes?)\b",
    re.IGNORECASE | re.DOTALL,
)
_HEADING = re.compile(
    r"(?:table of )?contents|index|disclaimer|(?:important |legal )?notices?|contacts?(?: us)?"
    r"|confidentiality(?: notice)?|signatures?|cautionary .*|forward-looking .*|exhibit index"
    r"|definitions?|interpretation|general(?: provisions)?|miscellaneous|execution|counterparts",
    re.IGNORECASE,
)
MOST = 0.5  # of the sentences
TITLE_WORDS = 8  # fewer of which a line of a title page has


def worth_telling(hit: Hit, own: Sequence[Table], others: Iterable[Sequence[Table]]) -> bool:
    """Whether a passage without a partner says something that the other documents do not.

    ``own`` are its document's tables, ``others`` those of each of the others.
    """
    return not _is_apparatus(hit) and not _is_of_a_shared_kind(hit, own, others)


def says_nothing(heading: str) -> bool:
    """Whether a heading is one that every document has, whatever it is about.

    >>> says_nothing("1. Definitions"), says_nothing("7. Rent review")
    (True, False)
    """
    return _HEADING.fullmatch(heading.strip(" .:0123456789")) is not None


def _is_apparatus(hit: Hit) -> bool:
    if any(map(says_nothing, hit.chunk.headings[-1:])) or _is_of_a_title_page(hit):
        return True
    prose = " ".join(b.text for b in hit.chunk.blocks if b.kind != "heading" and not b.table)
    parts = [prose[start:end] for start, end in sentences(prose)]
    if parts and _OF_ITSELF.match(parts[0].strip()):
        return True
    found = [bool(_NOTICE.search(each) or _CONTACT.search(each)) for each in parts]
    return bool(found) and sum(found) >= MOST * len(found)


def _is_of_a_title_page(hit: Hit) -> bool:
    """Whether it is lines of a first page that name, and say nothing: "as Tenant"."""
    return all(
        block.page == 1
        and not block.table
        and len(block.text.split()) < TITLE_WORDS
        and not block.text.rstrip().endswith(".")
        for block in hit.chunk.blocks
    )


def _is_of_a_shared_kind(hit: Hit, own: Sequence[Table], others: Iterable[Sequence[Table]]) -> bool:
    blocks = {block.index for block in hit.chunk.blocks if block.table}
    if not blocks or any(block.kind == "text" for block in hit.chunk.blocks):
        return False
    roles = {table.role for table in own if table.blocks & blocks}
    return all(roles <= {"", *(table.role for table in each)} and any(roles) for each in others)
