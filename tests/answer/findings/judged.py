"""What findings need beside hits: the bundled networks."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from docqa.answer.findings.cited import Gathered, Means, Source
from docqa.answer.findings.judge import Networks
from docqa.types.answer import Evidence
from docqa.types.document import Block
from docqa.types.search import Hit
from docqa.types.table import Table
from tests.bundled import cache, encoder, load_reranker, vectors


def means() -> Means:
    """The networks, and documents of which nothing more is known than their hits."""
    return Means(networks(), lambda _: (), lambda _: ())


def means_of(hits: Sequence[Hit]) -> Means:
    """The networks, and of each document the tables and blocks that its hits have."""
    tables: dict[str, list[Table]] = {}
    blocks: dict[str, list[Block]] = {}
    for each in hits:
        tables.setdefault(each.document.id, []).extend(each.tables)
        blocks.setdefault(each.document.id, []).extend(each.chunk.blocks)
    return Means(networks(), lambda key: tables.get(key, ()), lambda key: blocks.get(key, ()))


def source_of(hit: Hit, *others: Block, evidence: tuple[Evidence, ...] = ()) -> Source:
    """A document of other blocks and one passage, and what is cited of it so far."""
    blocks = (*others, *hit.chunk.blocks)
    known = replace(means(), tables=lambda _: hit.tables, blocks=lambda _: blocks)
    return Source(hit, Gathered(evidence, known))


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

    def lines(question: str, texts: Sequence[str]) -> Sequence[float]:
        made: Sequence[float] = reranker.score_lines(question, list(texts)).tolist()
        return made

    return Networks(cosines, reads, encoder().encode_query, lines)
