"""Fewer repetitions among the hits: near-duplicates go, variety is weighed against relevance."""

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import cache
from itertools import count

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from docqa.language.numbers import NUMBER_WORD
from docqa.types.search import Hit

_FACT = re.compile(
    r"(?<!\S)(?=\S*\d)\S+|\b[A-Z][\w’'-]*"
    rf"|\b(?:not|no|never|nor|neither|without|except|unless|{NUMBER_WORD}|hundred|thousand|million"
    r"|billion|half|first|second|third|fourth)\b"
)
_DIGIT = re.compile(r"\d")
_WORDS = 0.4  # share of words below which texts are not alike in their characters either


def drop_near_duplicates(hits: Sequence[Hit], *, ratio: float) -> list[Hit]:
    """The hits in their order, without those that repeat an earlier one of the same document.

    A hit repeats another when at least ``ratio`` (0–1) of their characters agree
    (`rapidfuzz.fuzz.ratio`) and both state the same facts: the same numbers, dates, names and
    negations. The same clause with another amount stays; so does the same text in another
    document. A ``ratio`` above 1 keeps every hit.
    """
    if ratio > 1:
        return list(hits)
    texts = [hit.chunk.text for hit in hits]
    said = [(hit.chunk.document_id, _digits(text)) for hit, text in zip(hits, texts, strict=True)]
    facts = cache(_facts)  # to look for them takes the longest, so it comes last
    kept: set[int] = set()
    for place, alike in enumerate(_alike(texts, said)):
        text = texts[place]
        earlier = (texts[at] for at in alike if at in kept)
        near = (each for each in earlier if fuzz.ratio(text, each, score_cutoff=100 * ratio))
        if not any(facts(text) == facts(each) for each in near):
            kept.add(place)
    return [hit for place, hit in enumerate(hits) if place in kept]


def _alike(texts: Sequence[str], said: Sequence[Hashable]) -> list[list[int]]:
    """For each text the earlier ones that say the same, with so many words of each other that
    their characters may agree."""
    places: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, each in enumerate(said):
        places[each].append(place)
    found: list[list[int]] = [[] for _ in texts]
    for group in places.values():
        if len(group) > 1:
            words = _words([texts[place] for place in group])
            both = np.bitwise_count(words[:, None] & words).sum(axis=2, dtype=np.int64)
            counts = np.diag(both)
            near = 2 * both >= _WORDS * (counts[:, None] + counts)
            for later, earlier in np.argwhere(np.tril(near, -1)).tolist():
                found[group[later]].append(group[earlier])
    return found


def _words(texts: Sequence[str]) -> NDArray[np.uint64]:
    """The texts' words, a row of bits for each: 1 for what it has of the words of all."""
    places: defaultdict[str, int] = defaultdict(count().__next__)
    numbered = [list(map(places.__getitem__, text.split())) for text in texts]
    rows = np.zeros((len(texts), -(-len(places) // 64) * 64), dtype=bool)
    for row, has in zip(rows, numbered, strict=True):
        row[has] = True
    return np.packbits(rows, axis=1).view(np.uint64)


def _digits(text: str) -> str:
    """Texts that state the same facts have the same."""
    return "".join(sorted(_DIGIT.findall(text)))


def _facts(text: str) -> list[str]:
    return sorted(found.rstrip(".,;:)") for found in _FACT.findall(text))


def maximal_marginal_relevance(
    relevance: NDArray[np.float64], vectors: NDArray[np.float32], *, mmr_lambda: float, top_k: int
) -> list[tuple[int, float]]:
    """(position, marginal relevance) of the chosen items, in the order chosen; at most ``top_k``.

    ``relevance`` is (n,) cosines to the question, ``vectors`` (n, d) normalised. Each choice
    maximises ``mmr_lambda * relevance - (1 - mmr_lambda) * s``, where ``s`` is the highest cosine
    to an item already chosen (0 for the first choice). Ties go to the earlier position.
    ``mmr_lambda`` 1 gives the order of relevance.

    Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents
    and producing summaries", SIGIR 1998.
    """
    chosen: list[tuple[int, float]] = []
    closest = np.zeros(len(relevance))
    value = mmr_lambda * np.asarray(relevance, dtype=np.float64)
    while len(chosen) < min(top_k, len(relevance)):
        marginal = value - (1 - mmr_lambda) * closest
        best = int(np.argmax(marginal))
        chosen.append((best, float(marginal[best])))
        value[best] = -np.inf
        similarity = vectors @ vectors[best]
        closest = similarity if len(chosen) == 1 else np.maximum(closest, similarity)
    return chosen
