"""What one document seems to lack, where a passage of it is paired with the one that says it."""

from collections.abc import Sequence
from dataclasses import replace

from docqa.compare.passages import places_of
from docqa.compare.pieces import said_in
from docqa.compare.terms import REWORDED, near_in
from docqa.types.comparison import Alignment, TermComparison, TermSide
from docqa.types.search import Hit


def reworded(row: TermComparison, pairs: Sequence[Alignment]) -> TermComparison:
    """The row as it is, or saying that each document without a quote has a passage on the same
    thing, in other words: the one paired with a passage that is quoted."""
    lacking = [side for side in row.sides if not (side.quote or side.likely)]
    partners = [_partner(row, side, pairs) if side in lacking else None for side in row.sides]
    if not lacking or sum(map(bool, partners)) < len(lacking):
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
    quoted = places_of(*(each for each in row.sides if each.quote))
    for pair in pairs:
        told = ((hit.document.id, b) for hit in pair.passages for b in said_in(hit.chunk.blocks))
        if any((one, block.index) in quoted for one, block in told):
            for hit in pair.passages:
                if hit.document.id == side.document_id:
                    return hit
    return None


def _nearest(side: TermSide, passage: Hit) -> TermSide:
    """The side with where its passage begins as what is nearest, unless that stands in it."""
    said = " ".join(" ".join(block.text.split()) for block in said_in(passage.chunk.blocks))
    if side.nearest_quote and side.nearest_quote.removesuffix(" …") in said:
        return side
    return near_in(side, passage.chunk.blocks[0], said)
