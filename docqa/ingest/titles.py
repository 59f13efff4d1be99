"""What a document is called, by its first pages.

The title in a PDF's metadata is not asked: in filings it is an accession number or boilerplate,
in contracts it is empty.
"""

import re
from collections.abc import Sequence

from docqa.ingest.chunks.parties import captioned
from docqa.types.document import Block

_BOILERPLATE = re.compile(
    r"^(united states$|united states securities|securities and exchange commission|washington\b"
    r"|exhibits?\s+[\w.-]+$|table of contents|contents$|index$|confidential"
    r"|execution (copy|version)|(article|section|item|part)\s+[\divxlc]+|\(?\d+[\d.]*\)?[.)\s]"
    r"|draft|form\s+(10|8|6|20|40|s|f)-|page\s+\d|copy$|redacted|front cover|\W*$)",
    re.IGNORECASE,
)
_FORM = re.compile(r"\bform\s+(\d{1,2}-[a-z]+|s-\d+|f-\d+)(/a)?\b", re.IGNORECASE)
LONGEST = 150  # characters


def title_of(blocks: Sequence[Block], first: int) -> str:
    """The title on page ``first``: a filing's registrant and form, else the greatest heading.

    Of headings of one level the first counts; "" where there is none.
    """
    page = [block for block in blocks if block.page == first and block.kind != "footer"]
    headings = [
        block
        for block in page
        if block.kind == "heading" and not _BOILERPLATE.match(block.text.strip())
    ]
    greatest = min(headings, key=lambda block: block.level).text if headings else ""
    return _filing(page) or _shortened(greatest)


def _filing(page: Sequence[Block]) -> str:
    """A filing's registrant and form, as its cover has them; "" for anything else."""
    if not (names := captioned(page)):
        return ""
    form = next((m.group() for b in page if (m := _FORM.search(b.text))), "")
    parts = [_shortened(names[0]), form.replace("FORM", "Form")]
    return ", ".join(part for part in parts if part)


def _shortened(text: str) -> str:
    """A text of at most `LONGEST` characters, cut between words."""
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0] + "…"
