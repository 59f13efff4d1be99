"""What one document seems to lack, where a passage of it is paired with the one that says it."""

from collections.abc import Sequence
from dataclasses import replace

from docqa.compare.terms import REWORDED, near_in
from docqa.types.comparison import Alignment, TermComparison, TermSide
from docqa.types.document import Block
from docqa.types.search import Hit


def reworded(row: TermComparison, pairs: Sequence[Alignment]) -> TermComparison:
    """The row as it is, or saying that each document without a quote has a passage on the same
    thing, in other words: the one paired with a passage that is quoted."""
    said = [side.quote or side.likely for side in row.sides]
    partners = [
        None if known else _partner(row, side, pairs)
        for side, known in zip(row.sides, said, strict=True)
    ]
    found = [bool(known or hit) for known, hit in zip(said, partners, strict=True)]
    if not all(found) or not any(partners):
        return row
    sides = (
        replace(_nearest(side, hit), likely=True) if hit else side
        for side, hit in zip(row.sides, partners, strict=True)
    )
    return replace(row, sides=tuple(sides), note=REWORDED)


def _partner(row: TermComparison, side: TermSide, pairs: Sequence[Alignment]) -> Hit | None:
    """The passage of a side's document that is paired with one quoted from another.

    Not for a fact that is merely not listed, of which nothing comes near.
    """
    if not side.where:
        return None
    quoted = {(each.document_id, b.index) for each in row.sides if each.quote for b in each.blocks}
    for pair in pairs:
        if any((hit.document.id, b.index) in quoted for hit in pair.passages for b in _said(hit)):
            for hit in pair.passages:
                if hit.document.id == side.document_id:
                    return hit
    return None


def _said(hit: Hit) -> list[Block]:
    return [b for b in hit.chunk.blocks if b.kind != "heading" and not b.column_header]


def _nearest(side: TermSide, passage: Hit) -> TermSide:
    """The side with where its passage begins as what is nearest, unless that stands in it."""
    said = " ".join(" ".join(block.text.split()) for block in _said(passage))
    if side.nearest_quote and side.nearest_quote.removesuffix(" …") in said:
        return side
    return near_in(side, passage.chunk.blocks[0], said)
