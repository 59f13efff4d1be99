"""What docqa quotes without a model: its words and figures are copied, so they are held to print.

Which row, period or scale a figure is of is not judged: it was copied from its cell with its
heads, and nobody restated it. What does not stand in the cited blocks is still told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.answer.check.evidence_index import BlockKey, EvidenceIndex
from docqa.answer.check.quotation import stands_in, wording
from docqa.answer.check.statements import Statement
from docqa.types.answer import Check

_LEAD = re.compile(r"^.*:[ \t]*$", re.MULTILINE)


def accept_printed(
    checks: Sequence[Check], statements: Sequence[Statement], index: EvidenceIndex, text: str
) -> list[Check]:
    """The checks of a ``text``; a figure or date that is printed in what is cited for it stands
    there.

    A line that leads to a list is docqa's own, counts and all: nothing in it is judged.
    """
    leads = [line.span() for line in _LEAD.finditer(text)]
    return [
        _as_printed(check, statements, index)
        if check.result == "not supported" and check.kind != "quote"
        else check
        for check in checks
        if not any(start <= check.start < end for start, end in leads)
    ]


def _as_printed(check: Check, statements: Sequence[Statement], index: EvidenceIndex) -> Check:
    own = (s for s in statements if s.start <= check.start < s.start + len(s.text))
    cited = [label for each in own for label in each.labels_for(check.end)]
    for label in cited:
        texts = (text for block in index.blocks(label) for text in _printed(block, index))
        if any(stands_in(check.text, wording(text)) for text in texts):
            return replace(check, result="stands", labels=(label,), reason="", nearest="")
    return check


def _printed(block: BlockKey, index: EvidenceIndex) -> Iterator[str]:
    """A block's text, and the title and headings of its table."""
    name, number = block
    hit = index.passages[name].piece.hit
    own = hit.chunk.blocks[number]
    yield own.text
    table = hit.table_of(own)
    if table is not None:
        yield table.title
        for column in table.columns:
            yield column.name
