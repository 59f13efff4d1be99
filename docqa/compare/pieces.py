"""Passages cut into what can be set side by side: clauses, paragraphs with headings, tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.compare.units import number_of, runs
from docqa.types.document import Block
from docqa.types.search import Hit

SHORT = 60  # characters below which a piece goes with its neighbour
LONG = 700  # characters from which a piece is cut at the next paragraph
WORDS = 8  # of a table's row, from which it is a piece of its own
_WORD = re.compile(r"[^\W\d_]{2,}")


def pieces_of(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The pieces of the hits in their order, each block once, with the scores of their hit.

    A piece's chunk has the id of its hit's chunk with its place added ("…:7/2"); a passage that is
    one piece keeps its own. A piece begins at a heading, at a numbered clause, where a table begins
    or ends, at a row of it that is words rather than figures, and at a paragraph where it would
    grow long; headings go with what they head.
    """
    seen: set[tuple[str, int, int]] = set()
    found: list[Hit] = []
    for hit in hits:
        fresh = [block for block in hit.chunk.blocks if _key(hit, block) not in seen]
        seen.update(_key(hit, block) for block in fresh if not block.column_header)
        every = runs(fresh, lambda part, block: not _begins(part, block))
        parts = [part for part in every if said_in(part)]
        whole = len(parts) == 1 and len(parts[0]) == len(hit.chunk.blocks)
        found.extend([hit] if whole else _pieces(hit, parts))
    return tuple(found)


def _pieces(hit: Hit, parts: Sequence[Sequence[Block]]) -> Iterator[Hit]:
    """The parts of one passage, each under the heading last seen."""
    path = hit.chunk.headings
    for number, part in enumerate(parts):
        own = tuple(block.text for block in part if block.kind == "heading")
        path = tuple(dict.fromkeys((*path[:-1], *own))) if own else path
        yield _piece(hit, number, part, path)


def _key(hit: Hit, block: Block) -> tuple[str, int, int]:
    return hit.document.id, block.index, block.page


def said_in(blocks: Sequence[Block]) -> list[Block]:
    """Those that are more than headings, of tables too."""
    return [each for each in blocks if each.kind != "heading" and not each.column_header]


def _begins(part: Sequence[Block], block: Block) -> bool:
    """Whether a block begins another piece than the one so far."""
    said = said_in(part)
    if block.continues or not said:
        return False
    length = sum(len(each.text) for each in said)
    if block.kind == "heading" or block.table != part[-1].table:
        return True
    if length < SHORT:
        return False
    if block.table:
        return _in_words(block) or _in_words(part[-1])
    return bool(number_of(block.text)) or length >= LONG


def _in_words(row: Block) -> bool:
    """Whether a table's row is a clause of its own: "Use | Offices, with light assembly …"."""
    return not row.column_header and len(_WORD.findall(row.text)) >= WORDS


def _piece(hit: Hit, number: int, part: Sequence[Block], path: tuple[str, ...]) -> Hit:
    chunk = replace(
        hit.chunk,
        id=f"{hit.chunk.id}/{number}",
        blocks=tuple(part),
        headings=path,
        kind="table" if any(block.table for block in part) else "text",
        # Only the document is sure to be the piece's own; the section and note may be another's.
        context=hit.chunk.context.split(" › ")[0],
        note="",
    )
    return replace(hit, chunk=chunk)
