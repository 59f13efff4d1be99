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
from itertools import cycle, islice

import numpy as np
from numpy.typing import NDArray

from docqa.errors import VectorServerUnreachable
from docqa.language.keywords import keywords
from docqa.language.periods import months_asked
from docqa.language.vocabulary import near_to
from docqa.library.catalog import Catalog
from docqa.library.vectors import VectorIndex
from docqa.models.load import Encoder, Reranker
from docqa.retrieve.boost import boosted, prefer_consolidated, prefer_period
from docqa.retrieve.diversify import drop_near_duplicates, maximal_marginal_relevance
from docqa.retrieve.filters import depth, passing
from docqa.retrieve.fuse import best_of, reciprocal_rank_fusion
from docqa.retrieve.openings import opening_passages
from docqa.retrieve.overlap import shared_phrases
from docqa.retrieve.quota import with_quota
from docqa.retrieve.relevance import relevance
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
    return _Search(plan, catalog, index, encoder, settings, reranker, wanted).traced()


def demote_off_period(hits: Sequence[Hit], question: str) -> list[Hit]:
    """The hits in their order, but last the tables of another time or body than is asked for."""
    timely = prefer_period(hits, months=months_asked(question))
    return prefer_consolidated(timely, question=question)


@dataclass(frozen=True, slots=True)
class _Search:
    """One search of a plan, for so many hits as are ``wanted``; its stages in their order."""

    plan: QueryPlan
    catalog: Catalog
    index: VectorIndex | None
    encoder: Encoder
    settings: Settings
    reranker: Reranker | None
    wanted: int

    def traced(self) -> Trace:
        plan, timings = self.plan, dict[str, float]()
        with ThreadPoolExecutor(1, thread_name_prefix="docqa-encode") as beside:
            encoded = beside.submit(
                lambda: [self.encoder.encode_query(query) for query in plan.queries]
            )
            with _timed(timings, "keyword"):
                lexical = self._keyword_lists()
            with _timed(timings, "missing"):
                missing = self._missing()
            with _timed(timings, "encode"):
                vectors = encoded.result()
        with _timed(timings, "dense"):
            dense = self._dense_lists(vectors)
        with _timed(timings, "tables"):
            tables = self._table_lists(vectors[0])
        with _timed(timings, "fuse"):
            fused = self._fused(dense, lexical, tables)
            opening = opening_passages(plan, fused, catalog=self.catalog)
            openings = dict.fromkeys(opening, plan.question.opening)
            looked_at = islice(fused, max(LEAST_POOL, POOL * self.wanted))
            extra = self._of_each_document(vectors[0])
            found, matrix = self._hits([*looked_at, *extra, *openings], vectors[0])
            pool = _scored(
                found, bm25=_best(lexical), titles=_best(tables), rrf=fused, opening=openings
            )
        with _timed(timings, "rerank"):
            pool = demote_off_period(pool, plan.queries[0])
            pool = demote_off_period(self._reranked(pool), plan.queries[0])
        with _timed(timings, "diversify"):
            distinct = drop_near_duplicates(pool, ratio=self.settings.search.duplicate_ratio)
            ordered = self._varied(distinct, matrix) if self._wants_variety else distinct
            chosen = with_quota(ordered, document_ids=_asked(plan), top_k=self.wanted)
        return Trace(
            plan,
            tuple(dense),
            tuple(lexical),
            tuple(tables),
            fused=tuple(fused),
            pool=tuple(pool),
            distinct=tuple(distinct),
            ordered=tuple(ordered),
            chosen=tuple(map(self._with_tables, chosen)),
            coverage=self._coverage(pool, chosen),
            missing=missing,
            timings=timings,
        )

    # Lists of candidates

    def _keyword_lists(self) -> list[Ranked]:
        search, deep = self.catalog.keyword_search, self._depth(self._candidates)
        found = (
            search(keywords(query), limit=deep, document_ids=scope)
            for scope in self._scopes
            for query in self.plan.queries
        )
        return [self._passing(ranked, self._candidates) for ranked in found]

    def _dense_lists(self, vectors: Sequence[NDArray[np.float32]]) -> list[Ranked]:
        """A list for each query within each scope."""
        deep = self._depth(self._candidates)
        return [
            self._passing(ranked, self._candidates)
            for scope in self._scopes
            for ranked in self._nearest_chunks(vectors, scope, limit=deep)
        ]

    def _table_lists(self, vector: NDArray[np.float32]) -> list[Ranked]:
        """The tables whose titles say that they state what is asked for, nearest first, each scope.

        "What is the quick ratio?" is answered by a balance sheet that has neither of the words.
        """
        titles = self.plan.tables
        titled = (
            self.catalog.table_search(titles, limit=TITLED, document_ids=scope)
            for scope in (self._scopes if titles else ())
        )
        return [self._nearest(self._passing(ranked, TITLED), vector) for ranked in titled]

    def _of_each_document(self, vector: NDArray[np.float32]) -> list[str]:
        """The nearest chunks of each document asked about, so that none is without candidates."""
        asked = self.plan.question.documents or self.plan.question.document_ids
        if not 1 < len(asked) <= QUOTA_DOCUMENTS:
            return []
        share = max(1, self.wanted // (2 * len(asked)))
        lists = (
            self._nearest_chunks([vector], (one,), limit=self._depth(share))[0] for one in asked
        )
        return [chunk_id for ranked in lists for chunk_id, _ in self._passing(ranked, share)]

    @property
    def _candidates(self) -> int:
        return self.settings.search.candidates * (2 if self.plan.question.several else 1)

    @property
    def _scopes(self) -> list[tuple[str, ...]]:
        """Where to search: in what is chosen, and again in the documents the question names."""
        chosen, named = self.plan.question.document_ids, self.plan.question.documents
        return [chosen, named] if named and set(named) != set(chosen) else [chosen]

    def _depth(self, limit: int) -> int:
        return depth(self.plan.filters, limit=limit)

    def _passing(self, ranked: Ranked, limit: int) -> Ranked:
        return passing(ranked, self.plan.filters, catalog=self.catalog, limit=limit)

    def _nearest_chunks(
        self, vectors: Sequence[NDArray[np.float32]], document_ids: Sequence[str], *, limit: int
    ) -> list[Ranked]:
        """For each vector the nearest chunks. In few documents each chunk is compared, which is
        exact and, in a large library, many times faster than the index with a filter."""
        index = self.index
        if index and (not document_ids or self._size(document_ids) > EXACT):
            try:
                return [index.search(v, limit=limit, document_ids=document_ids) for v in vectors]
            except VectorServerUnreachable as error:
                log.warning("Every passage is compared, without the index: %s", error)
        every = document_ids or [document.id for document in self.catalog.documents()]
        ids, matrix = self.catalog.document_vectors(every)
        if not ids:
            return [[] for _ in vectors]
        cosines = matrix @ np.stack(vectors).T
        orders = np.argsort(-cosines, axis=0, kind="stable")[:limit].T
        return [
            [(ids[place], float(column[place])) for place in order]
            for order, column in zip(orders, cosines.T, strict=True)
        ]

    def _size(self, document_ids: Sequence[str]) -> int:
        """The number of chunks of these documents."""
        chosen = set(document_ids)
        return sum(each.chunk_count for each in self.catalog.documents() if each.id in chosen)

    def _nearest(self, found: Ranked, vector: NDArray[np.float32]) -> Ranked:
        """The same chunks by their cosine to the question; as they were if one was just removed."""
        ids = [chunk_id for chunk_id, _ in found]
        vectors = self.catalog.vectors(ids)
        if not ids or len(vectors) < len(ids):
            return found
        cosines = map(float, vectors @ vector)
        return sorted(zip(ids, cosines, strict=True), key=lambda each: -each[1])

    # One ranking of them

    def _fused(
        self, dense: Sequence[Ranked], lexical: Sequence[Ranked], tables: Sequence[Ranked]
    ) -> dict[str, float]:
        """One ranking of the whole question, and of each of its parts one, of which the best
        counts.

        In one sum what has a little of every part stood before what answers one of them.
        """
        search, queries, parts = self.settings.search, self.plan.queries, self.plan.question.parts

        def ranking(own: Sequence[str], tables: Sequence[Ranked]) -> dict[str, float]:
            lists = [
                *((search.dense_weight, ranked) for ranked in _of_queries(dense, own, queries)),
                *((search.keyword_weight, ranked) for ranked in _of_queries(lexical, own, queries)),
                *((search.table_weight, ranked) for ranked in tables),
            ]
            return reciprocal_rank_fusion(
                [[chunk_id for chunk_id, _ in ranked] for _, ranked in lists],
                k=search.rrf_k,
                weights=[weight for weight, _ in lists],
            )

        whole = [query for query in queries if query not in parts]
        return best_of([ranking(whole, tables), *(ranking([part], ()) for part in parts)])

    def _hits(
        self, ids: Sequence[str], vector: NDArray[np.float32]
    ) -> tuple[list[Hit], dict[str, NDArray[np.float32]]]:
        """The chunks as hits in their order with their cosine to the question; vectors by id."""
        documents = {document.id: document for document in self.catalog.documents()}
        found = self.catalog.chunks(list(dict.fromkeys(ids)))
        chunks = [chunk for chunk in found if chunk.document_id in documents]  # not one just gone
        matrix = self._vectors_of(chunks)
        hits = [
            Hit(chunk, documents[chunk.document_id], {"dense": float(matrix[chunk.id] @ vector)})
            for chunk in chunks
        ]
        return hits, matrix

    def _vectors_of(self, chunks: Sequence[Chunk]) -> dict[str, NDArray[np.float32]]:
        """The chunks' vectors by id; those of a document still being indexed are made here."""
        known = self.catalog.vectors_by_id([chunk.id for chunk in chunks])
        missing = [chunk for chunk in chunks if chunk.id not in known]
        texts = [chunk.embedded_text for chunk in missing]
        made: Iterable[NDArray[np.float32]] = self.encoder.encode_now(texts) if texts else ()
        return {**known, **{chunk.id: row for chunk, row in zip(missing, made, strict=True)}}

    def _reranked(self, hits: Sequence[Hit]) -> list[Hit]:
        """The first by their relevance, raised for the kind of chunk wanted; the rest as they are.

        The openings that are looked at are read in place of the last of these.
        """
        if self.reranker is None or not hits:
            return list(hits)
        search, question = self.settings.search, self.plan.queries[0]
        opening = [hit for hit in hits if "opening" in hit.scores]
        others = [hit for hit in hits if "opening" not in hit.scores]
        room = max(search.reranked - len(opening), 0)
        first, rest = [*others[:room], *opening], others[room:]
        texts = [hit.chunk.judged_text for hit in first]
        readings = [self.reranker.score(each, texts) for each in (question, *self.plan.renamed)]
        read = np.max(readings, axis=0).tolist()
        phrases = shared_phrases(question, [hit.chunk.embedded_text for hit in first])
        made = [
            _with(hit, read=r, phrases=p) for hit, r, p in zip(first, read, phrases, strict=True)
        ]
        lifted = []
        for hit, chance in zip(made, relevance([hit.scores for hit in made]), strict=True):
            boost = boosted(
                chance,
                kind=hit.chunk.kind,
                prefers=self.plan.question.prefers,
                table=search.table_boost,
                prose=search.prose_boost,
            )
            lifted.append(_with(hit, rerank=chance, boost=boost))
        return [*sorted(lifted, key=lambda hit: -hit.scores["boost"]), *rest]

    @property
    def _wants_variety(self) -> bool:
        mmr = self.settings.search.mmr
        return mmr == "always" or (mmr == "synthesis" and self.plan.question.several)

    def _varied(self, hits: Sequence[Hit], matrix: Mapping[str, NDArray[np.float32]]) -> list[Hit]:
        """The hits with ``wanted`` varied ones first; the rest follow in their order.

        Relevance has to be on the scale of cosines to be weighed against one, while the order is
        that of the stages before. So each rank is worth the cosine of that rank (quantile
        matching): the pool's cosines, highest first. ``mmr`` is the marginal relevance a hit was
        chosen with.
        """
        pool = hits[: POOL * self.wanted]
        if not pool:
            return []
        relevance = np.sort([hit.scores["dense"] for hit in pool])[::-1]
        vectors = np.stack([matrix[hit.chunk.id] for hit in pool])
        picked = maximal_marginal_relevance(
            relevance, vectors, mmr_lambda=self.settings.search.mmr_lambda, top_k=self.wanted
        )
        varied = [_with(pool[place], mmr=value) for place, value in picked]
        chosen = {place for place, _ in picked}
        return [*varied, *(hit for place, hit in enumerate(hits) if place not in chosen)]

    # What is told of it

    def _with_tables(self, hit: Hit) -> Hit:
        """The hit with the tables it has rows of, and that which it leads to."""
        own = {block.index for block in hit.chunk.blocks}
        after = range(max(own) + 1, max(own) + 1 + LED_TO)
        near = self.catalog.tables(hit.document.id, {*own, *after})
        kept = [table for table in near if not own.isdisjoint({*table.blocks, *table.lead})]
        return replace(hit, tables=tuple(kept))

    def _missing(self) -> tuple[str, ...]:
        """The words that no document has, nor one near to them in meaning ("expire", "expiry")."""
        question = self.plan.question
        has = partial(self.catalog.has_word, document_ids=question.document_ids)
        return tuple(
            one for one in question.about if not has(one) and not any(map(has, near_to(one)))
        )

    def _coverage(self, seen: Sequence[Hit], used: Sequence[Hit]) -> tuple[Coverage, ...]:
        question = self.plan.question
        ids = question.document_ids or tuple(
            dict.fromkeys([*question.documents, *(hit.document.id for hit in seen)])
        )
        names = {document.id: document.name for document in self.catalog.documents()}
        return tuple(_covered(one, names[one], seen, used) for one in ids if one in names)


@contextmanager
def _timed(timings: dict[str, float], stage: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    timings[stage] = time.perf_counter() - started


def _of_queries(
    lists: Sequence[Ranked], own: Sequence[str], queries: Sequence[str]
) -> list[Ranked]:
    """Of the lists, one for each query within each scope, those of some of the queries."""
    return [ranked for ranked, query in zip(lists, cycle(queries)) if query in own]


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


def _asked(plan: QueryPlan) -> tuple[str, ...]:
    """The documents of which each must be heard: those named, or chosen for a synthesis."""
    question = plan.question
    asked = question.documents or (question.document_ids if question.several else ())
    return asked if 1 < len(asked) <= QUOTA_DOCUMENTS else ()


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
