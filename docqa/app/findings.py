"""What findings are made from: networks that judge them, and a library's tables and blocks."""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.cited import Means
from docqa.answer.findings.judge import Networks
from docqa.app.documents import chosen
from docqa.app.resources import Resources


def networks(resources: Resources) -> Networks:
    """The encoder and docqa's own reranker as findings ask them; a question is encoded once."""

    def cosines(question: str, texts: Sequence[str]) -> Sequence[float]:
        encoder, _ = resources.judging
        vectors = encoder.encode_now(list(texts))
        found: Sequence[float] = (vectors @ vector(question)).tolist()
        return found

    def reads(question: str, texts: Sequence[str]) -> Sequence[float]:
        _, reranker = resources.judging
        scores: Sequence[float] = reranker.score(question, list(texts)).tolist()
        return scores

    def lines(question: str, texts: Sequence[str]) -> Sequence[float]:
        _, reranker = resources.judging
        chances: Sequence[float] = reranker.score_lines(question, list(texts)).tolist()
        return chances

    @cache
    def vector(question: str) -> NDArray[np.float32]:
        encoder, _ = resources.judging
        return encoder.encode_query(question)

    return Networks(cosines, reads, vector, lines)


def means(resources: Resources) -> Means:
    """What sums are worked out by; a document's blocks are read once for an answer."""
    catalog = resources.catalog
    return Means(
        networks(resources), catalog.tables, cache(catalog.blocks), partial(chosen, resources)
    )
