"""A table of contents says where things stand, not what they are: comparisons leave it out."""

import re
from collections.abc import Sequence

from docqa.types.document import Block
from docqa.types.table import Table

_TITLE = re.compile(r"(?:table of )?contents", re.IGNORECASE)
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*(?:[A-Z]{1,2}-)?\d{1,4}$")


def without_contents(blocks: Sequence[Block], tables: Sequence[Table]) -> list[Block]:
    """The blocks but for tables of contents, and lines led by dots to a page's number."""
    listed = {index for table in tables if _is_contents(table) for index in table.blocks}
    return [b for b in blocks if b.index not in listed and not _LEADERS.search(b.text)]


def _is_contents(table: Table) -> bool:
    """Whether it is known as one, or stands under that title: one of several pages is several."""
    return table.role == "contents" or any(map(_TITLE.fullmatch, table.section[-1:]))
