"""Passages that speak of the same thing, those that stand alone, and what is nearest to them."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from docqa.compare.align import clusters, nearest
from docqa.compare.alone import worth_telling
from docqa.compare.amendments import Amendment
from docqa.compare.facts import Listed
from docqa.compare.gather import Evidence
from docqa.compare.similarity import Matrix, Passages, Reranker, similarities
from docqa.settings import Settings
from docqa.types.comparison import Alignment, Figure, Nearest, TermSide
from docqa.types.document import Document
from docqa.types.search import Hit

Matrices = dict[tuple[str, str], Matrix]  # by the ids of two documents


def paired_passages(
    documents: Sequence[Document],
    evidence: Evidence,
    *,
    settings: Settings,
    known: Listed,
    reranker: Reranker | None,
    amendment: Amendment | None,
) -> tuple[tuple[Alignment, ...], dict[str, tuple[Hit, ...]], dict[str, Nearest]]:
    """Pairs or clusters, passages in none, and what comes nearest to those.

    What an amendment says of a clause is paired with it, however it is worded.
    """
    matrices = _matrices(documents, evidence, reranker)
    if amendment:
        _pair_as_amended(amendment, evidence, documents, matrices)
    ids = [document.id for document in documents]
    threshold = settings.comparing.pair_threshold
    found = clusters([matrices[ids[0], other] for other in ids[1:]], threshold=threshold)
    aligned = [
        Alignment(
            value,
            tuple(
                evidence.hits[one][place]
                for one, place in zip(ids, places, strict=True)
                if place is not None
            ),
        )
        for value, places in found
    ]
    partnered = {hit.chunk.id for each in aligned for hit in each.passages} | evidence.partners
    alone = {
        one: tuple(
            hit
            for hit in evidence.hits[one]
            if hit.chunk.id not in partnered and _worth_telling(hit, evidence, known)
        )
        for one in ids
    }
    nearby = _nearby(alone, evidence, matrices, threshold)
    return tuple(aligned), alone, nearby


def _worth_telling(hit: Hit, evidence: Evidence, known: Listed) -> bool:
    mine = hit.document.id
    others = [tables for each, tables in evidence.tables.items() if each != mine]
    in_lists = {block.table for block in hit.chunk.blocks if block.kind != "heading"} - {0}
    if in_lists and all((mine, b.index) in known.blocks for b in hit.chunk.blocks if b.table):
        return any(block.kind == "text" for block in hit.chunk.blocks)
    return worth_telling(hit, evidence.tables[mine], others)


def _matrices(
    documents: Sequence[Document], evidence: Evidence, reranker: Reranker | None
) -> Matrices:
    """For each two documents, in both orders, how alike their passages are.

    Only against the first document are passages paired, so only there the reranker reads.
    """
    sides = {
        each.id: Passages(evidence.hits[each.id], evidence.vectors[each.id]) for each in documents
    }
    found: Matrices = {}
    for one, other in combinations(sides, 2):
        anchored = one == documents[0].id
        alike = similarities(sides[one], sides[other], reranker=reranker if anchored else None)
        lent = [
            [h.chunk.id in evidence.partners for h in evidence.hits[id_]] for id_ in (one, other)
        ]
        alike[np.ix_(*map(np.flatnonzero, lent))] = 0.0  # two that are there for others only
        found[one, other], found[other, one] = alike, alike.T
    return found


def _pair_as_amended(
    amendment: Amendment,
    evidence: Evidence,
    documents: Sequence[Document],
    matrices: Matrices,
) -> None:
    """Make a clause and what the amendment says of it each other's partners."""
    first, second = (document.id for document in documents)
    alike = matrices[first, second]
    for row in amendment.rows:
        places = [
            [at for at, hit in enumerate(evidence.hits[side.document_id]) if _has(hit, side)]
            for side in row.sides
        ]
        if all(places):
            alike[places[0], :] = 0.0
            alike[:, places[1]] = 0.0
            alike[np.ix_(*places)] = 1.0


def _has(hit: Hit, side: TermSide) -> bool:
    return bool(places_of(side) & {(hit.document.id, block.index) for block in hit.chunk.blocks})


def _nearby(
    alone: Mapping[str, Sequence[Hit]], evidence: Evidence, matrices: Matrices, threshold: float
) -> dict[str, Nearest]:
    """For each passage without a partner the most similar one of all other documents."""
    found: dict[str, Nearest] = {}
    for (one, other), matrix in matrices.items():
        if not evidence.hits[other]:
            continue
        for row, hit in enumerate(evidence.hits[one]):
            column, value = nearest(matrix, row)
            best = found.get(hit.chunk.id)
            if hit in alone[one] and (best is None or value > best.similarity):
                near = evidence.hits[other][column]
                found[hit.chunk.id] = Nearest(near, value, alike=value >= threshold)
    return found


def places_of(*sides: TermSide | Figure) -> set[tuple[str, int]]:
    """Where these are quoted from: ids of documents and indices of blocks."""
    return {(side.document_id, block.index) for side in sides for block in side.blocks}
