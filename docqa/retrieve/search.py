"""The order of the stages, once: from a plan to ranked hits.

plan → for each query a dense and a keyword list, and one of tables by their titles → reciprocal
rank fusion, each part of a question apart → reranking, where there is a reranker → table or
narrative boost → near-duplicates → maximal marginal relevance → a place for every document asked
about → hits with the score of every stage.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from docqa.errors import VectorServerUnreachable
from docqa.language.keywords import keywords
from docqa.language.periods import months_asked
from docqa.language.vocabulary import near_to
from docqa.library.catalog import Catalog
from docqa.library.vectors import VectorIndex
from docqa.models.load import Encoder
from docqa.retrieve.boost import boosted, prefer_consolidated, prefer_period
from docqa.retrieve.diversify import drop_near_duplicates, maximal_marginal_relevance
from docqa.retrieve.filters import depth, passing
from docqa.retrieve.fuse import best_of, reciprocal_rank_fusion
from docqa.retrieve.openings import opening_passages
from docqa.retrieve.overlap import shared_phrases
from docqa.retrieve.quota import with_quota
from docqa.retrieve.relevance import Found, relevance
from docqa.settings import Settings
from docqa.types.document import Chunk
from docqa.types.question import QueryPlan
from docqa.types.search import Coverage, Hit

log = logging.getLogger(__name__)

TITLED = 100  # tables looked at whose titles say that they answer
POOL = 3  # candidates for each hit when variety is weighed (mission)
LED_TO = 3  # blocks from a sentence that introduces a table to its first row
LEAST_POOL = 60  # candidates that are looked at closely at least
EXACT = 5000  # chunks of chosen documents up to which every one is compared; more take the index
QUOTA_DOCUMENTS = 30  # more documents than this are ranked together, without a quota

Ranked = list[tuple[str, float]]  # chunk ids with one list's score, best first


class Reranker(Protocol):
    """Scores passages against a question, calibrated to 0–1; (n,) in the order given."""

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Trace:
    """What each stage of a search passed on, so that it can be said where a passage was lost.

    ``fused`` are the ids of all candidates in the order of fusion; ``pool`` the best of them, in
    that order or the reranker's; ``distinct`` those
    without repetitions; ``ordered`` the same, varied ones first; ``chosen`` the hits.
    """

    plan: QueryPlan
    dense: tuple[Ranked, ...]
    keyword: tuple[Ranked, ...]
    tables: tuple[Ranked, ...]
    fused: tuple[str, ...]
    pool: tuple[Hit, ...]
    distinct: tuple[Hit, ...]
    ordered: tuple[Hit, ...]
    chosen: tuple[Hit, ...]
    coverage: tuple[Coverage, ...]
    missing: tuple[str, ...]  # words the question is about that no document searched has
    timings: Mapping[str, float]


def traced(
    plan: QueryPlan,
    *,
    catalog: Catalog,
    index: VectorIndex | None,
    encoder: Encoder,
    settings: Settings,
    top_k: int | None = None,
    reranker: Reranker | None = None,
) -> Trace:
    """The passages that bear on a plan's question, best first, and what every stage passed on.

    ``top_k`` is the number of hits; None takes it from the settings, where a question over
    several documents has more. Equal scores stay in the order of the lists they came from.
    Without an ``index``, or where its server does not answer, every passage is compared.
    ``coverage`` has an entry for each document chosen, else for each one named or seen;
    ``timings`` maps each stage to its seconds; of "encode" to those that were waited for, as the
    question's vector is made while its words are looked for.
    """
    wanted = top_k or (
        settings.search.synthesis_top_k if plan.question.several else settings.search.top_k
    )
    timings: dict[str, float] = {}
    with ThreadPoolExecutor(1, thread_name_prefix="docqa-encode") as beside:
        encoded = beside.submit(_encoded, plan.queries, encoder)
        with _timed(timings, "keyword"):
            lexical = _keyword_lists(plan, catalog=catalog, settings=settings)
        with _timed(timings, "missing"):
            missing = _missing(plan, catalog=catalog)
        with _timed(timings, "encode"):
            vectors = encoded.result()
    with _timed(timings, "dense"):
        dense = _dense_lists(plan, vectors, catalog=catalog, index=index, settings=settings)
    with _timed(timings, "tables"):
        tables = _table_lists(plan, vectors[0], catalog=catalog)
    with _timed(timings, "fuse"):
        fused = _fused(plan, dense, lexical, tables, settings=settings)
        extra = _of_each_document(plan, vectors[0], catalog=catalog, index=index, limit=wanted)
        openings = dict.fromkeys(
            opening_passages(plan, fused, catalog=catalog), plan.question.opening
        )
        looked_at = islice(fused, max(LEAST_POOL, POOL * wanted))
        found, matrix = _hits(
            [*looked_at, *extra, *openings], vectors[0], catalog=catalog, encoder=encoder
        )
        pool = _scored(
            found, bm25=_best(lexical), titles=_best(tables), rrf=fused, opening=openings
        )
    with _timed(timings, "rerank"):
        pool = demote_off_period(pool, plan.queries[0])
        pool = _reranked(pool, plan, reranker=reranker, settings=settings)
        pool = demote_off_period(pool, plan.queries[0])
    with _timed(timings, "diversify"):
        distinct = drop_near_duplicates(pool, ratio=settings.search.duplicate_ratio)
        ordered = distinct
        if _wants_variety(plan, settings):
            ordered = _diverse(
                distinct, matrix, wanted=wanted, mmr_lambda=settings.search.mmr_lambda
            )
        chosen = with_quota(ordered, document_ids=_asked(plan), top_k=wanted)
    coverage = _coverage(plan, pool, chosen, catalog=catalog)
    return Trace(
        plan,
        tuple(dense),
        tuple(lexical),
        tuple(tables),
        fused=tuple(fused),
        pool=tuple(pool),
        distinct=tuple(distinct),
        ordered=tuple(ordered),
        chosen=tuple(_with_tables(hit, catalog=catalog) for hit in chosen),
        coverage=coverage,
        missing=missing,
        timings=timings,
    )


def _with_tables(hit: Hit, *, catalog: Catalog) -> Hit:
    """The hit with the tables it has rows of, and that which it leads to."""
    own = {block.index for block in hit.chunk.blocks}
    after = range(max(own) + 1, max(own) + 1 + LED_TO)
    near = catalog.tables(hit.document.id, {*own, *after})
    kept = [table for table in near if not own.isdisjoint({*table.blocks, *table.lead})]
    return replace(hit, tables=tuple(kept))


def demote_off_period(hits: Sequence[Hit], question: str) -> list[Hit]:
    """The hits in their order, but last the tables of another time or body than is asked for."""
    timely = prefer_period(hits, months=months_asked(question))
    return prefer_consolidated(timely, question=question)


def _encoded(queries: Sequence[str], encoder: Encoder) -> list[NDArray[np.float32]]:
    return [encoder.encode_query(query) for query in queries]


@contextmanager
def _timed(timings: dict[str, float], stage: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    timings[stage] = time.perf_counter() - started


def _dense_lists(
    plan: QueryPlan,
    vectors: Sequence[NDArray[np.float32]],
    *,
    catalog: Catalog,
    index: VectorIndex | None,
    settings: Settings,
) -> list[Ranked]:
    """A list for each query within each scope."""
    limit = _candidates(plan, settings)
    deep = depth(plan.filters, limit=limit)
    return [
        passing(found, plan.filters, catalog=catalog, limit=limit)
        for scope in _scopes(plan)
        for found in _nearest_chunks(vectors, scope, limit=deep, catalog=catalog, index=index)
    ]


def _candidates(plan: QueryPlan, settings: Settings) -> int:
    return settings.search.candidates * (2 if plan.question.several else 1)


def _nearest_chunks(
    vectors: Sequence[NDArray[np.float32]],
    document_ids: Sequence[str],
    *,
    limit: int,
    catalog: Catalog,
    index: VectorIndex | None,
) -> list[Ranked]:
    """For each vector the nearest chunks. In few documents each chunk is compared, which is
    exact and, in a large library, many times faster than the index with a filter."""
    if index and (not document_ids or _size(document_ids, catalog=catalog) > EXACT):
        try:
            return [index.search(each, limit=limit, document_ids=document_ids) for each in vectors]
        except VectorServerUnreachable as error:
            log.warning("Every passage is compared, without the index: %s", error)
    every = document_ids or [document.id for document in catalog.documents()]
    ids, matrix = catalog.document_vectors(every)
    if not ids:
        return [[] for _ in vectors]
    cosines = matrix @ np.stack(vectors).T
    orders = np.argsort(-cosines, axis=0, kind="stable")[:limit].T
    return [
        [(ids[place], float(column[place])) for place in order]
        for order, column in zip(orders, cosines.T, strict=True)
    ]


def _size(document_ids: Sequence[str], *, catalog: Catalog) -> int:
    chosen = set(document_ids)
    return sum(each.chunk_count for each in catalog.documents() if each.id in chosen)


def _keyword_lists(plan: QueryPlan, *, catalog: Catalog, settings: Settings) -> list[Ranked]:
    limit = _candidates(plan, settings)
    return [
        passing(
            catalog.keyword_search(
                keywords(query), limit=depth(plan.filters, limit=limit), document_ids=scope
            ),
            plan.filters,
            catalog=catalog,
            limit=limit,
        )
        for scope in _scopes(plan)
        for query in plan.queries
    ]


def _table_lists(plan: QueryPlan, vector: NDArray[np.float32], *, catalog: Catalog) -> list[Ranked]:
    """The tables whose titles say that they state what is asked for, nearest first, each scope.

    "What is the quick ratio?" is answered by a balance sheet that has neither of the words.
    """
    made = []
    for scope in _scopes(plan) if plan.tables else ():
        titled = catalog.table_search(plan.tables, limit=TITLED, document_ids=scope)
        kept = passing(titled, plan.filters, catalog=catalog, limit=TITLED)
        made.append(_nearest(kept, vector, catalog=catalog))
    return made


def _nearest(found: Ranked, vector: NDArray[np.float32], *, catalog: Catalog) -> Ranked:
    """The same chunks by their cosine to the question; as they were if one was just removed."""
    ids = [chunk_id for chunk_id, _ in found]
    vectors = catalog.vectors(ids)
    if not ids or len(vectors) < len(ids):
        return found
    cosines = map(float, vectors @ vector)
    return sorted(zip(ids, cosines, strict=True), key=lambda each: -each[1])


def _scopes(plan: QueryPlan) -> list[tuple[str, ...]]:
    """Where to search: in what is chosen, and again in the documents the question names."""
    chosen, named = plan.question.document_ids, plan.question.documents
    return [chosen, named] if named and set(named) != set(chosen) else [chosen]


def _fused(
    plan: QueryPlan,
    dense: Sequence[Ranked],
    lexical: Sequence[Ranked],
    tables: Sequence[Ranked],
    *,
    settings: Settings,
) -> dict[str, float]:
    """One ranking of the whole question, and of each of its parts one, of which the best counts.

    In one sum what has a little of every part stood before what answers one of them.
    """
    parts = plan.question.parts
    whole = [at for at, query in enumerate(plan.queries) if query not in parts]
    apart = [[plan.queries.index(part)] for part in parts]

    def ranking(queries: Sequence[int], tables: Sequence[Ranked]) -> dict[str, float]:
        lists = [
            (settings.search.dense_weight, _of_queries(dense, queries, plan)),
            (settings.search.keyword_weight, _of_queries(lexical, queries, plan)),
            (settings.search.table_weight, tables),
        ]
        return reciprocal_rank_fusion(
            [[chunk_id for chunk_id, _ in ranked] for _, own in lists for ranked in own],
            k=settings.search.rrf_k,
            weights=[weight for weight, own in lists for _ in own],
        )

    return best_of([ranking(whole, tables), *(ranking(each, ()) for each in apart)])


def _of_queries(
    lists: Sequence[Ranked], queries: Sequence[int], plan: QueryPlan
) -> Sequence[Ranked]:
    """Of the lists, one for each query within each scope, those of some of the queries."""
    return [own for at, own in enumerate(lists) if at % len(plan.queries) in queries]


def _of_each_document(
    plan: QueryPlan,
    vector: NDArray[np.float32],
    *,
    catalog: Catalog,
    index: VectorIndex | None,
    limit: int,
) -> list[str]:
    """The nearest chunks of each document asked about, so that none is without candidates."""
    asked = plan.question.documents or plan.question.document_ids
    if not 1 < len(asked) <= QUOTA_DOCUMENTS:
        return []
    share = max(1, limit // (2 * len(asked)))
    deep = depth(plan.filters, limit=share)
    lists = [
        found
        for one in asked
        for found in _nearest_chunks([vector], (one,), limit=deep, catalog=catalog, index=index)
    ]
    kept = [passing(found, plan.filters, catalog=catalog, limit=share) for found in lists]
    return [chunk_id for ranked in kept for chunk_id, _ in ranked]


def _hits(
    ids: Sequence[str], vector: NDArray[np.float32], *, catalog: Catalog, encoder: Encoder
) -> tuple[list[Hit], dict[str, NDArray[np.float32]]]:
    """The chunks as hits in their order with their cosine to the question; vectors by chunk id."""
    documents = {document.id: document for document in catalog.documents()}
    found = catalog.chunks(list(dict.fromkeys(ids)))
    chunks = [chunk for chunk in found if chunk.document_id in documents]  # not one just removed
    matrix = _vectors_of(chunks, catalog=catalog, encoder=encoder)
    hits = [
        Hit(chunk, documents[chunk.document_id], {"dense": float(matrix[chunk.id] @ vector)})
        for chunk in chunks
    ]
    return hits, matrix


def _vectors_of(
    chunks: Sequence[Chunk], *, catalog: Catalog, encoder: Encoder
) -> dict[str, NDArray[np.float32]]:
    """The chunks' vectors by id; those of a document still being indexed are made here."""
    known = catalog.vectors_by_id([chunk.id for chunk in chunks])
    missing = [chunk for chunk in chunks if chunk.id not in known]
    texts = [chunk.embedded_text for chunk in missing]
    made: Iterable[NDArray[np.float32]] = encoder.encode_now(texts) if texts else ()
    return {**known, **{chunk.id: row for chunk, row in zip(missing, made, strict=True)}}


def _best(lists: Sequence[Ranked]) -> dict[str, float]:
    """Each chunk's best score over the lists."""
    best: dict[str, float] = {}
    for chunk_id, score in (found for ranked in lists for found in ranked):
        best[chunk_id] = max(score, best.get(chunk_id, score))
    return best


def _scored(hits: Sequence[Hit], **stages: dict[str, float]) -> list[Hit]:
    """The hits with what each stage gave them; a stage that did not see a chunk gives nothing."""
    return [
        _with(
            hit, **{stage: of[hit.chunk.id] for stage, of in stages.items() if hit.chunk.id in of}
        )
        for hit in hits
    ]


def _with(hit: Hit, **scores: float) -> Hit:
    return replace(hit, scores={**hit.scores, **scores})


def _reranked(
    hits: Sequence[Hit], plan: QueryPlan, *, reranker: Reranker | None, settings: Settings
) -> list[Hit]:
    """The first by their relevance, raised for the kind of chunk wanted; the rest as they are.

    The openings that are looked at are read in place of the last of these.
    """
    if reranker is None or not hits:
        return list(hits)
    opening = [hit for hit in hits if "opening" in hit.scores]
    others = [hit for hit in hits if "opening" not in hit.scores]
    room = max(settings.search.reranked - len(opening), 0)
    first, rest = [*others[:room], *opening], others[room:]
    question = plan.queries[0]
    texts = [hit.chunk.judged_text for hit in first]
    readings = [reranker.score(each, texts) for each in (question, *plan.renamed)]
    read = np.max(readings, axis=0).tolist()
    phrases = shared_phrases(question, [hit.chunk.embedded_text for hit in first])
    chances = relevance(
        [
            Found(
                score,
                fused=hit.scores.get("rrf", 0.0),
                words=hit.scores.get("bm25", 0.0),
                cosine=hit.scores["dense"],
                phrases=shared,
                opening=hit.scores.get("opening", 0.0),
            )
            for hit, score, shared in zip(first, read, phrases, strict=True)
        ]
    )
    lifted = [
        _with(
            hit,
            read=score,
            phrases=shared,
            rerank=chance,
            boost=_boost(hit, chance, plan, settings),
        )
        for hit, score, shared, chance in zip(first, read, phrases, chances, strict=True)
    ]
    return [*sorted(lifted, key=lambda hit: -hit.scores["boost"]), *rest]


def _boost(hit: Hit, score: float, plan: QueryPlan, settings: Settings) -> float:
    return boosted(
        score,
        kind=hit.chunk.kind,
        prefers=plan.question.prefers,
        table=settings.search.table_boost,
        prose=settings.search.prose_boost,
    )


def _wants_variety(plan: QueryPlan, settings: Settings) -> bool:
    if settings.search.mmr == "synthesis":
        return plan.question.several
    return settings.search.mmr == "always"


def _diverse(
    hits: Sequence[Hit],
    matrix: Mapping[str, NDArray[np.float32]],
    *,
    wanted: int,
    mmr_lambda: float,
) -> list[Hit]:
    """The hits with ``wanted`` varied ones first; the rest follow in their order.

    Relevance has to be on the scale of cosines to be weighed against one, while the order is that
    of the stages before. So each rank is worth the cosine of that rank (quantile matching): the
    pool's cosines, highest first. ``mmr`` is the marginal relevance a hit was chosen with.
    """
    pool = hits[: POOL * wanted]
    if not pool:
        return []
    relevance = np.sort([hit.scores["dense"] for hit in pool])[::-1]
    vectors = np.stack([matrix[hit.chunk.id] for hit in pool])
    picked = maximal_marginal_relevance(relevance, vectors, mmr_lambda=mmr_lambda, top_k=wanted)
    varied = [_with(pool[place], mmr=value) for place, value in picked]
    chosen = {place for place, _ in picked}
    return [*varied, *(hit for place, hit in enumerate(hits) if place not in chosen)]


def _asked(plan: QueryPlan) -> tuple[str, ...]:
    """The documents of which each must be heard: those named, or chosen for a synthesis."""
    question = plan.question
    asked = question.documents or (question.document_ids if question.several else ())
    return asked if 1 < len(asked) <= QUOTA_DOCUMENTS else ()


def _missing(plan: QueryPlan, *, catalog: Catalog) -> tuple[str, ...]:
    """The words that no document has, nor one near to them in meaning ("expire", of "expiry")."""
    has = partial(catalog.has_word, document_ids=plan.question.document_ids)
    words = plan.question.about
    return tuple(one for one in words if not has(one) and not any(map(has, near_to(one))))


def _coverage(
    plan: QueryPlan, seen: Sequence[Hit], used: Sequence[Hit], *, catalog: Catalog
) -> tuple[Coverage, ...]:
    ids = plan.question.document_ids or tuple(
        dict.fromkeys([*plan.question.documents, *(hit.document.id for hit in seen)])
    )
    names = {document.id: document.name for document in catalog.documents()}
    return tuple(_covered(one, names[one], seen, used) for one in ids if one in names)


def _covered(document_id: str, name: str, seen: Sequence[Hit], used: Sequence[Hit]) -> Coverage:
    own = [hit for hit in seen if hit.document.id == document_id]
    best = max(own, key=lambda hit: hit.scores["dense"], default=None)
    return Coverage(
        document_id=document_id,
        document=name,
        seen=len(own),
        used=sum(hit.document.id == document_id for hit in used),
        best_score=best.scores["dense"] if best else 0.0,
        nearest_page=best.chunk.page_start if best else 0,
        nearest_place=best.chunk.blocks[0].place if best else "",
    )
