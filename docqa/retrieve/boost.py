"""A question that wants figures prefers tables, those of its year or quarter and of the whole
group; one that wants reasons prefers prose."""

import re
from collections.abc import Sequence

from docqa.language.periods import months_named
from docqa.types.document import Chunk, ChunkKind
from docqa.types.question import Preference
from docqa.types.search import Hit

_PARENT = re.compile(
    r"\bparent(?:[- ](?:company|only)\b|\W*$)|\binformation of (?:the )?registrant\b", re.IGNORECASE
)


def boosted(
    score: float, *, kind: ChunkKind, prefers: Preference, table: float, prose: float
) -> float:
    """A calibrated score (0–1) raised for the preferred kind of chunk, never above 1.

    ``table`` and ``prose`` are factors. Only a calibrated score may be boosted: rank-fusion
    scores lie so close together that a factor would overturn the whole ranking.

    >>> boosted(0.5, kind="table", prefers="table", table=1.2, prose=1.1)
    0.6
    """
    wanted = {"table": ("table", table), "narrative": ("text", prose), "none": ("", 1.0)}
    preferred, factor = wanted[prefers]
    return min(1.0, score * factor) if kind == preferred else score


def prefer_period(hits: Sequence[Hit], *, months: int) -> list[Hit]:
    """The hits in their order, but tables of shorter times than ``months`` alone last.

    Only of documents that have tables of that length among the hits: of a quarterly filing the
    quarter's are all there is. A longer time may be what is told: cash flows are of the year so
    far. With ``months`` 0 no length was asked for.
    """
    if not months:
        return list(hits)
    lengths = {hit.chunk.id: _lengths(hit.chunk) for hit in hits}
    having = {hit.document.id for hit in hits if months in lengths[hit.chunk.id]}

    def is_shorter(hit: Hit) -> bool:
        longest = max(lengths[hit.chunk.id], default=months)
        return longest < months and hit.document.id in having

    return sorted(hits, key=is_shorter)


def prefer_consolidated(hits: Sequence[Hit], *, question: str) -> list[Hit]:
    """The hits in their order, but tables of the parent company alone last, unless asked for.

    Only of documents that have other tables among the hits: who asks for the balance sheet of a
    group means the consolidated one.
    """
    if "parent" in question.casefold():
        return list(hits)
    parents = {hit.chunk.id for hit in hits if _is_of_parent(hit.chunk)}
    tables = (hit for hit in hits if hit.chunk.kind == "table")
    having = {hit.document.id for hit in tables if hit.chunk.id not in parents}
    return sorted(hits, key=lambda hit: hit.chunk.id in parents and hit.document.id in having)


def _is_of_parent(chunk: Chunk) -> bool:
    titles = [*chunk.headings[-1:], *(block.text for block in chunk.blocks if not block.table)]
    return chunk.kind == "table" and any(map(_PARENT.search, titles))


def _lengths(chunk: Chunk) -> frozenset[int]:
    """The lengths of time that a table's heads name, else what stands over it."""
    if chunk.kind != "table":
        return frozenset()
    heads = " | ".join(block.text for block in chunk.blocks if block.column_header)
    beside = " | ".join(block.text for block in chunk.blocks if not block.table)
    return months_named(heads) or months_named(beside)
