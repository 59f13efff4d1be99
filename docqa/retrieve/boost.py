"""A question that wants figures prefers tables; one that wants reasons prefers prose."""

from docqa.types import ChunkKind, Preference


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
