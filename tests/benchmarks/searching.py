"""Searching libraries of 1,000, 10,000 and 100,000 passages: whole searches, and each stage.

Beside them the keyword search of rank-bm25 and bm25s over the same words, and langchain's MMR.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from docqa.retrieve.diversify import maximal_marginal_relevance
from docqa.workspace import Workspace
from tests.benchmarks import load
from tests.benchmarks.catalog import Words
from tests.benchmarks.rows import (
    Action,
    Options,
    Row,
    against,
    exponent,
    installed,
    medians,
    missing,
    peer,
    percentile,
)
from tests.eval.misspelt import misspelt
from tests.library.nouns import unit_vectors

SECTION = "search"
DOCUMENTS = (3, 30, 300)  # of 334 passages each
STAGES = 5  # the slowest that are told apart
SCOPES = ("anywhere", "in a document")  # turn by turn
MISSPELT = 10  # one question in so many has a slip of the keys
WITHOUT = " without the question's vector"
LEFT_OUT = ("", WITHOUT)


def run(options: Options) -> Iterator[Row]:
    sizes = DOCUMENTS[:1] if options.short else DOCUMENTS
    asked = 10 if options.short else 60
    middles = []
    for documents in sizes:
        measured = _searches(load.library(options.libraries, documents), asked)
        middles.append(percentile(measured["anywhere"], 0.5))
        yield from _rows(documents * load.CHUNKS, measured)
    if len(sizes) > 1:
        grown = [documents * load.CHUNKS for documents in sizes]
        yield Row(SECTION, "growth with passages", exponent(grown, middles), "exponent", len(sizes))
    yield from _keyword_peers(load.library(options.libraries, sizes[-1]), options)
    yield from _mmr(options)


def _searches(folder: Path, count: int) -> Mapping[str, Sequence[float]]:
    """Seconds of every search, whole and without its question's vector, and of every stage."""
    words = Words(load.SEED)
    took: dict[str, list[float]] = {f"{scope}{left}": [] for scope in SCOPES for left in LEFT_OUT}
    with Workspace(folder) as workspace:
        ids = [document.id for document in workspace.documents()]
        workspace.search("ready")
        for number in range(2 * count):
            within = [ids[number % len(ids)]] if number % 2 else []
            question = " ".join(words.question(5))
            slip = number // len(SCOPES) % MISSPELT == 0
            question = misspelt(question) if slip else question
            started = time.perf_counter()
            result = workspace.search(question, document_ids=within)
            seconds = time.perf_counter() - started
            scope = SCOPES[number % 2]
            took[scope].append(seconds)
            took[scope + WITHOUT].append(seconds - result.timings["encode"])
            for stage, spent in result.timings.items():
                took.setdefault(f"stage {stage}", []).append(spent)
    return took


def _rows(chunks: int, measured: Mapping[str, Sequence[float]]) -> Iterator[Row]:
    for searched in (f"{scope}{left}" for scope in SCOPES for left in LEFT_OUT):
        seconds = measured[searched]
        for name, share in (("median", 0.5), ("95th of 100", 0.95)):
            value = percentile(seconds, share) * 1000
            yield Row(SECTION, f"{chunks} passages, {searched}, {name}", value, "ms", len(seconds))
    stages = {name: percentile(spent, 0.5) for name, spent in measured.items() if "stage" in name}
    for name in sorted(stages, key=lambda name: -stages[name])[:STAGES]:
        yield Row(
            SECTION, f"{chunks} passages, {name}", stages[name] * 1000, "ms", len(measured[name])
        )


def _keyword_peers(folder: Path, options: Options) -> Iterator[Row]:
    name = "keywords alone"
    if not installed("rank_bm25", "bm25s"):
        yield missing(SECTION, name, "rank-bm25, bm25s")
        return
    with Workspace(folder) as workspace:
        catalog = workspace.resources.catalog
        texts = [
            chunk.embedded_text.split()
            for document in workspace.documents()
            for chunk in catalog.document_chunks(document.id)
        ]
        okapi, sparse = peer("rank_bm25").BM25Okapi(texts), peer("bm25s").BM25()
        sparse.index(texts, show_progress=False)
        asked = Words(load.SEED).question(5)
        actions: dict[str, Action] = {
            "docqa": lambda: catalog.keyword_search(asked, limit=20),
            "rank-bm25": lambda: np.argsort(-okapi.get_scores(asked))[:20],
            "bm25s": lambda: sparse.retrieve([asked], k=20, show_progress=False),
        }
        took = medians(actions, turns=options.turns)
    yield from against(SECTION, f"{name}, {len(texts)} passages", took, turns=options.turns)


def _mmr(options: Options) -> Iterator[Row]:
    name = "MMR, 10 of 60"
    if not installed("langchain_core"):
        yield missing(SECTION, name, "langchain-core")
        return
    theirs = peer("langchain_core.vectorstores.utils").maximal_marginal_relevance
    vectors, query = unit_vectors(60, dimensions=384), unit_vectors(1, seed=1, dimensions=384)
    relevance = (vectors @ query[0]).astype(np.float64)
    actions: dict[str, Action] = {
        "docqa": lambda: maximal_marginal_relevance(relevance, vectors, mmr_lambda=0.5, top_k=10),
        "langchain-core": lambda: theirs(query[0], list(vectors), lambda_mult=0.5, k=10),
    }
    took = medians(actions, turns=4 * options.turns)
    yield from against(SECTION, name, took, turns=4 * options.turns)
