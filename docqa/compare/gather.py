"""What a comparison looks at: the pieces nearest to the question, and the others' nearest ones.

A table of contents says where things stand, not what they are, and is left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from docqa.types.document import Block, Chunk
from docqa.types.search import Hit
from docqa.types.table import Table, Tables

_TITLE = re.compile(r"(?:table of )?contents", re.IGNORECASE)
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*(?:[A-Z]{1,2}-)?\d{1,4}$")

Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a comparison rests on, by document id: passages with vectors, all blocks and tables.

    ``partners`` are ids of passages that the question did not find: they are there for those of
    the other documents and never stand alone. ``unread`` counts pages that yielded no text.
    """

    hits: Mapping[str, tuple[Hit, ...]]
    vectors: Mapping[str, Vectors]
    blocks: Mapping[str, Sequence[Block]]
    tables: Tables
    partners: frozenset[str] = frozenset()
    unread: Mapping[str, int] = field(default_factory=dict)


def nearest_to(
    question: Vector, hits: Sequence[Hit], vectors: Vectors, *, limit: int
) -> tuple[tuple[Hit, ...], Vectors]:
    """The ``limit`` hits nearest to the question, best first, and their vectors (limit, d).

    ``question`` (d,) and ``vectors`` (n, d) are of length 1; each hit's "dense" is its own cosine.
    Equally near ones keep their order.
    """
    if not hits:
        return (), vectors[:0]
    cosines = vectors @ question
    order = np.argsort(-cosines, kind="stable")[:limit]
    near = (
        replace(hits[place], scores={**hits[place].scores, "dense": float(cosines[place])})
        for place in order
    )
    return tuple(near), vectors[order]


def counterparts(
    pieces: Vectors, chunks: Sequence[Chunk], vectors: Vectors, *, limit: int
) -> list[Chunk]:
    """The chunks of a whole document that come nearest to another's pieces.

    ``pieces`` (n, d) and ``vectors`` (m, d), those of ``chunks``, are of length 1. Each piece names
    its nearest chunk; those named with the highest cosine come first, at most ``limit``. So what
    the search for the question missed on one side can still be found to be there.
    """
    if not pieces.size or not vectors.size:
        return []
    cosines = pieces @ vectors.T
    named = sorted(zip((-cosines.max(axis=1)).tolist(), cosines.argmax(axis=1), strict=True))
    return [chunks[column] for column in list(dict.fromkeys(at for _, at in named))[:limit]]


def joined(
    hits: Sequence[Hit], vectors: Vectors, more: Sequence[Hit], rows: Vectors
) -> tuple[tuple[Hit, ...], Vectors, frozenset[str]]:
    """The hits and, after them, those of ``more`` with other blocks; the vectors; the latters' ids.

    ``vectors`` (n, d) and ``rows`` (m, d) belong to ``hits`` and ``more``.
    """
    known = {block.index for hit in hits for block in hit.chunk.blocks}
    fresh = [
        at
        for at, hit in enumerate(more)
        if not all(block.index in known for block in hit.chunk.blocks)
    ]
    if not fresh:
        return tuple(hits), vectors, frozenset()
    added = [more[at] for at in fresh]
    ids = frozenset(hit.chunk.id for hit in added)
    return (*hits, *added), np.concatenate([vectors, rows[fresh]]), ids


def without_contents(blocks: Sequence[Block], tables: Sequence[Table]) -> list[Block]:
    """The blocks but for tables of contents, and lines led by dots to a page's number."""
    listed = {index for table in tables if _is_contents(table) for index in table.blocks}
    return [b for b in blocks if b.index not in listed and not _LEADERS.search(b.text)]


def _is_contents(table: Table) -> bool:
    """Whether it is known as one, or stands under that title: one of several pages is several."""
    return table.role == "contents" or any(map(_TITLE.fullmatch, table.section[-1:]))
