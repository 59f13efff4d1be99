"""What findings need beside hits: the bundled networks."""

from collections.abc import Sequence
from functools import lru_cache

from docqa.answer.findings.cited import Means
from docqa.answer.findings.judge import Networks
from docqa.models.load import load_reranker
from tests.bundled import cache, encoder, vectors


def means() -> Means:
    """The networks, and documents of which nothing more is known than their hits."""
    return Means(networks(), lambda _: (), lambda _: ())


@lru_cache(maxsize=1)
def networks() -> Networks:
    """The encoder and the reranker that come with docqa."""
    reranker = load_reranker(cache(), own=True)
    assert reranker is not None

    def cosines(question: str, texts: Sequence[str]) -> Sequence[float]:
        made: Sequence[float] = (vectors(texts) @ encoder().encode_query(question)).tolist()
        return made

    def reads(question: str, texts: Sequence[str]) -> Sequence[float]:
        made: Sequence[float] = reranker.score(question, list(texts)).tolist()
        return made

    return Networks(cosines, reads)
