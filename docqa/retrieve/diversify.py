"""Fewer repetitions among the hits: near-duplicates go, variety is weighed against relevance."""

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from docqa.types import Hit

_FACT = re.compile(
    r"(?<!\S)(?=\S*\d)\S+|\b[A-Z][\w’'-]*"
    r"|\b(?:not|no|never|nor|neither|without|except|unless|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety"
    r"|hundred|thousand|million|billion|half|first|second|third|fourth)\b"
)


def drop_near_duplicates(hits: Sequence[Hit], *, ratio: float) -> list[Hit]:
    """The hits in their order, without those that repeat an earlier one of the same document.

    A hit repeats another when at least ``ratio`` (0–1) of their characters agree
    (`rapidfuzz.fuzz.ratio`) and both state the same facts: the same numbers, dates, names and
    negations. The same clause with another amount stays; so does the same text in another
    document.
    """
    kept: list[Hit] = []
    said: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for hit in hits:
        text = hit.chunk.text
        alike = said[(hit.chunk.document_id, *_facts(text))]
        if not any(fuzz.ratio(text, other, score_cutoff=100 * ratio) for other in alike):
            alike.append(text)
            kept.append(hit)
    return kept


def _facts(text: str) -> list[str]:
    return sorted(found.rstrip(".,;:)") for found in _FACT.findall(text))


def maximal_marginal_relevance(
    relevance: NDArray[np.float64], vectors: NDArray[np.float32], *, mmr_lambda: float, top_k: int
) -> list[int]:
    """Positions of the chosen items, in the order chosen; at most ``top_k``.

    ``relevance`` is (n,) cosines to the question, ``vectors`` (n, d) normalised. Each choice
    maximises ``mmr_lambda * relevance - (1 - mmr_lambda) * s``, where ``s`` is the highest cosine
    to an item already chosen (0 for the first choice). Ties go to the earlier position.
    ``mmr_lambda`` 1 gives the order of relevance.

    Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents
    and producing summaries", SIGIR 1998.
    """
    chosen: list[int] = []
    closest = np.zeros(len(relevance))
    value = mmr_lambda * np.asarray(relevance, dtype=np.float64)
    while len(chosen) < min(top_k, len(relevance)):
        best = int(np.argmax(value - (1 - mmr_lambda) * closest))
        chosen.append(best)
        value[best] = -np.inf
        similarity = vectors @ vectors[best]
        closest = similarity if len(chosen) == 1 else np.maximum(closest, similarity)
    return chosen
