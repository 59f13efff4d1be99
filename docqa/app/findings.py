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
    """The encoder and the reranker as the judge asks them; a question is encoded once."""

    def cosines(question: str, texts: Sequence[str]) -> Sequence[float]:
        encoder, _ = resources.judging
        vectors = encoder.encode_now(list(texts))
        found: Sequence[float] = (vectors @ vector(question)).tolist()
        return found

    def reads(question: str, texts: Sequence[str]) -> Sequence[float]:
        _, reranker = resources.judging
        scores: Sequence[float] = reranker.score(question, list(texts)).tolist()
        return scores

    @cache
    def vector(question: str) -> NDArray[np.float32]:
        encoder, _ = resources.judging
        return encoder.encode_query(question)

    return Networks(cosines, reads, vector)


def means(resources: Resources) -> Means:
    """What sums are worked out by; a document's blocks are read once for an answer."""
    catalog = resources.catalog
    return Means(
        networks(resources), catalog.tables, cache(catalog.blocks), partial(chosen, resources)
    )
