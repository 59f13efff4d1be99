"""How much two passages speak of the same thing, 0 to 1, without a cross-encoder."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from docqa.compare.labels import things_in
from docqa.retrieve.words import STOP_WORDS
from docqa.types import Chunk, Hit

Vectors = NDArray[np.float32]
Matrix = NDArray[np.float64]

# Weights of shared words and cosine, and the curve that maps their sum to 0-1. On labelled clauses
# of 18 pairs of contracts (tests/eval/align.py) this sum tells partners best; words of headings and
# defined terms in common, and a cross-encoder both ways, did not raise F1 on both halves, so they
# are not weighed. F1 is highest where the sum is 0.25, which the curve maps to 0.6.
WORDS = 0.7
COSINE = 0.3
CENTRE = 0.216
SLOPE = 12.0


def similarities(
    first: Sequence[Hit],
    second: Sequence[Hit],
    first_vectors: Vectors,
    second_vectors: Vectors,
) -> NDArray[np.float64]:
    """(n, m) in 0-1: how much each passage of one side speaks of what one of the other does.

    The sum of shared words and cosine through a logistic curve. Words count by how few of all
    these passages have them (inverse document frequency, Spärck Jones 1972).
    ``first_vectors`` (n, d) and ``second_vectors`` (m, d) are the passages' own, of length 1.
    Symmetric: swapping the sides transposes the result.
    """
    if not first or not second:
        return np.zeros((len(first), len(second)))
    cosine = np.clip(first_vectors @ second_vectors.T, 0.0, 1.0).astype(np.float64)
    words = shared([terms(hit.chunk) for hit in first], [terms(h.chunk) for h in second])
    total = WORDS * words + COSINE * cosine
    return np.asarray(1.0 / (1.0 + np.exp(-SLOPE * (total - CENTRE))))


def sum_at(similarity: float) -> float:
    """The sum of shared words and cosine that the curve maps to this similarity.

    >>> round(sum_at(0.6), 2)
    0.25
    """
    return CENTRE + math.log(similarity / (1 - similarity)) / SLOPE


def shared(first: Sequence[frozenset[str]], second: Sequence[frozenset[str]]) -> Matrix:
    """Cosines (n, m) of the sets of words, each word weighted by how rare it is among all sets."""
    vocabulary = sorted(frozenset().union(*first, *second))
    place = {word: at for at, word in enumerate(vocabulary)}
    one, other = (_occurrences(sets, place) for sets in (first, second))
    frequency = one.sum(axis=0) + other.sum(axis=0)
    weights = np.log(1 + (len(first) + len(second)) / np.maximum(frequency, 1))
    one, other = (_of_length_one(rows * weights) for rows in (one, other))
    return np.asarray(one @ other.T)


def _occurrences(sets: Sequence[frozenset[str]], place: Mapping[str, int]) -> Matrix:
    rows = np.zeros((len(sets), len(place)))
    for at, words in enumerate(sets):
        rows[at, [place[word] for word in sorted(words)]] = 1.0
    return rows


def _of_length_one(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths == 0, 1.0, lengths)


def terms(chunk: Chunk) -> frozenset[str]:
    """The words of a passage without figures, known things under one name each."""
    kept = (word for word in things_in(chunk.text) if word not in STOP_WORDS)
    return frozenset(word for word in kept if not any(c.isdigit() for c in word))
