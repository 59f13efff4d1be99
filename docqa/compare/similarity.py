"""How much two passages speak of the same thing, 0 to 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from docqa.language.labels import things_in
from docqa.language.words import STOP_WORDS
from docqa.types.search import Hit

Vectors = NDArray[np.float32]
Matrix = NDArray[np.float64]

# Weights of what two passages share, and the curve that maps their sum to 0-1: measured on labelled
# clauses of 18 pairs of contracts (tests/eval/align.py). Where the sum is 0.255 most of the pairs
# made are right and most of those to be made are found; the curve maps it to 0.6.
WEIGHTS: Mapping[str, float] = {
    "words": 0.7,
    "cosine": 0.3,
    "reranker": 0.05,
}
CENTRE = 0.221
SLOPE = 12.0
READ = 2  # pairs that the reranker reads for each passage of the shorter side
MOST_READ = 40  # pairs in all, both ways
FAR = 2.0  # standard deviations beyond which a reading counts no more


class Reranker(Protocol):
    """Reads one passage as the question to others."""

    def score(self, query: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """0-1, (n,)."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages of a document and their own vectors (n, d) of length 1."""

    hits: Sequence[Hit]
    vectors: Vectors


def similarities(first: Passages, second: Passages, *, reranker: Reranker | None = None) -> Matrix:
    """(n, m) in 0-1: how much each passage of one side speaks of what one of the other does.

    A weighted sum of shared words, cosine and, for the pairs most alike by these, a reranker's
    reading in both directions, through a logistic curve. Symmetric: swapping the sides transposes
    the result.
    """
    if not first.hits or not second.hits:
        return np.zeros((len(first.hits), len(second.hits)))
    total = weighed(respects(first, second))
    if reranker is not None:
        total += WEIGHTS["reranker"] * readings(first, second, most_alike(total), reranker)
    return np.asarray(1.0 / (1.0 + np.exp(-SLOPE * (total - CENTRE))))


def respects(first: Passages, second: Passages) -> dict[str, Matrix]:
    """What passages share (n, m), each respect 0-1, by its name in `WEIGHTS`."""
    words = ([terms_of(hit.chunk.text) for hit in side.hits] for side in (first, second))
    return {
        "words": shared(*words),
        "cosine": np.clip(first.vectors @ second.vectors.T, 0.0, 1.0).astype(np.float64),
    }


def weighed(alike: Mapping[str, Matrix], weights: Mapping[str, float] = WEIGHTS) -> Matrix:
    """The sum of what passages share, each respect by its weight; those not there count nothing."""
    return np.asarray(sum(weights.get(kind, 0.0) * matrix for kind, matrix in alike.items()))


def most_alike(total: Matrix) -> NDArray[np.bool_]:
    """The pairs worth a reranker's time: the most alike, `READ` for each passage, `MOST_READ`.

    Of equals all are, or none where they are too many.
    """
    count = min(READ * min(total.shape), MOST_READ, total.size)
    last = np.sort(total, axis=None)[-count]
    near = total >= last
    return np.asarray(near if near.sum() <= 2 * count else total > last)


def readings(
    first: Passages, second: Passages, near: NDArray[np.bool_], reranker: Reranker
) -> Matrix:
    """What the reranker makes of the near pairs beside one another: in standard deviations.

    Rerankers are calibrated for questions; between passages only the order of their scores tells
    something, the mean of both directions. Pairs that are not near, and all where scores do not
    differ, have 0.
    """
    one, other = ([hit.chunk.text for hit in side.hits] for side in (first, second))
    scores = (_scores(one, other, near, reranker) + _scores(other, one, near.T, reranker).T) / 2
    return np.where(near, _standardised(scores, np.sort(scores[near])), 0.0)


def _standardised(scores: Matrix, among: Matrix) -> Matrix:
    spread = float(among.std()) if among.size else 0.0
    if spread < 1e-6:  # as of a single pair
        return np.zeros(scores.shape)
    return np.asarray(np.clip((scores - among.mean()) / spread, -FAR, FAR))


def _scores(
    questions: Sequence[str], texts: Sequence[str], near: NDArray[np.bool_], reranker: Reranker
) -> Matrix:
    found = np.zeros(near.shape)
    for row, question in enumerate(questions):
        columns = np.flatnonzero(near[row])
        if columns.size:
            found[row, columns] = reranker.score(question, [texts[int(at)] for at in columns])
    return found


def shared(first: Sequence[frozenset[str]], second: Sequence[frozenset[str]]) -> Matrix:
    """Cosines (n, m) of the sets of words, each word weighted by how rare it is among all sets.

    By inverse document frequency (Spärck Jones 1972).
    """
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


def terms_of(text: str) -> frozenset[str]:
    """The words of a passage without figures, known things under one name each."""
    kept = (word for word in things_in(text) if word not in STOP_WORDS)
    return frozenset(word for word in kept if not any(c.isdigit() for c in word))
