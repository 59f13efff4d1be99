"""What findings need beside hits: the bundled networks."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from docqa.answer.findings.cited import Means
from docqa.answer.findings.judge import Networks
from docqa.models.load import BUNDLED, load_encoder, load_reranker

_CACHE = TemporaryDirectory(prefix="docqa-judged-")  # of the networks, until the tests end


def means() -> Means:
    """The networks, and documents of which nothing more is known than their hits."""
    return Means(networks(), lambda _: (), lambda _: ())


@lru_cache(maxsize=1)
def networks() -> Networks:
    """The encoder and the reranker that come with docqa."""
    cache = Path(_CACHE.name)
    encoder, reranker = load_encoder(cache, name=BUNDLED), load_reranker(cache, own=True)
    assert reranker is not None

    def cosines(question: str, texts: Sequence[str]) -> Sequence[float]:
        vectors = encoder.encode_now(list(texts))
        made: Sequence[float] = (vectors @ encoder.encode_query(question)).tolist()
        return made

    def reads(question: str, texts: Sequence[str]) -> Sequence[float]:
        made: Sequence[float] = reranker.score(question, list(texts)).tolist()
        return made

    return Networks(cosines, reads)
