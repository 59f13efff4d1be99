"""How much two passages speak of the same thing, 0 to 1, without a cross-encoder."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docqa.compare.labels import things_in
from docqa.retrieve.words import STOP_WORDS
from docqa.types import Chunk, Hit

Vectors = NDArray[np.float32]

# Weights of cosine, shared headings and shared words, and the line that maps their sum to 0-1.
COSINE = 0.6
HEADING = 0.15
WORDS = 0.25
OFFSET = 0.15
SLOPE = 1.25


def similarities(
    first: Sequence[Hit],
    second: Sequence[Hit],
    first_vectors: Vectors,
    second_vectors: Vectors,
) -> NDArray[np.float64]:
    """(n, m) in 0-1: the weighted mean of cosine, shared headings and shared words, stretched.

    ``first_vectors`` (n, d) and ``second_vectors`` (m, d) are the passages' own, of length 1.
    Symmetric: swapping the sides transposes the result.
    """
    if not first or not second:
        return np.zeros((len(first), len(second)))
    cosine = np.clip(first_vectors @ second_vectors.T, 0.0, 1.0).astype(np.float64)
    heading = _shares([headings(hit.chunk) for hit in first], [headings(h.chunk) for h in second])
    words = _shares([terms(hit.chunk) for hit in first], [terms(h.chunk) for h in second])
    mean = COSINE * cosine + HEADING * heading + WORDS * words
    return np.asarray(np.clip(OFFSET + SLOPE * mean, 0.0, 1.0))


def _shares(first: Sequence[frozenset[str]], second: Sequence[frozenset[str]]) -> Vectors:
    return np.array([[_overlap(one, other) for other in second] for one in first], dtype=np.float32)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared over those of the smaller set (Szymkiewicz-Simpson), tempered by the larger."""
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return shared / math.sqrt(len(one) * len(other))


def headings(chunk: Chunk) -> frozenset[str]:
    """The words of the innermost heading and of headings among the blocks."""
    inner = [block.text for block in chunk.blocks if block.kind == "heading"]
    return _words(" ".join([*chunk.headings[-1:], *inner]))


def terms(chunk: Chunk) -> frozenset[str]:
    """The words of a passage without figures, known things under one name each."""
    return _words(chunk.text)


def _words(text: str) -> frozenset[str]:
    kept = (word for word in things_in(text) if word not in STOP_WORDS)
    return frozenset(word for word in kept if not any(c.isdigit() for c in word))
