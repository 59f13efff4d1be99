"""Why a passage was not found: at which stage of a search it was lost."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docqa.library.catalog import Catalog
from docqa.retrieve.filters import admits
from docqa.retrieve.search import Trace
from docqa.retrieve.words import keywords
from docqa.types import Chunk, Document, Hit

LOOKED_AT = 50  # chunks sharing words with the phrase that are searched for it

Stage = Literal["not indexed", "not searched", "not a candidate", "repetition", "outranked", "hit"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one passage in a search. Ranks count from 1, 0 where it was not ranked.

    ``stage`` is where its way ended: left out when the file was read, outside the documents or
    filters searched, in no list, repeating a better passage, ranked behind the last place, or a
    hit. ``reason`` says so in words.
    """

    document: str
    page: int
    text: str
    stage: Stage
    reason: str
    dense_rank: int = 0
    keyword_rank: int = 0
    fused_rank: int = 0


def explain(
    trace: Trace,
    *,
    catalog: Catalog,
    phrase: str = "",
    document_id: str = "",
    page: int = 0,
) -> list[Fate]:
    """The fate of every passage that holds the phrase or stands on the page, hits first.

    Give a phrase (found whatever its case and line breaks), or a document and a page, or both.
    Empty where no passage and no discarded text has it: then it is not in the text as read.
    """
    documents = {document.id: document for document in catalog.documents()}
    chunks = _candidates(phrase, document_id, catalog=catalog)
    meant = [chunk for chunk in chunks if _meant(chunk, phrase, page)]
    fates = [_fate(chunk, documents[chunk.document_id], trace) for chunk in meant]
    lost = _discarded(documents.values(), phrase, document_id, page, catalog=catalog)
    return [*sorted(fates, key=lambda fate: fate.fused_rank or len(trace.pool) + 1), *lost]


def _candidates(phrase: str, document_id: str, *, catalog: Catalog) -> list[Chunk]:
    if document_id:
        return catalog.document_chunks(document_id)
    found = catalog.keyword_search(keywords(phrase), limit=LOOKED_AT)
    return catalog.chunks([chunk_id for chunk_id, _ in found])


def _meant(chunk: Chunk, phrase: str, page: int) -> bool:
    on_page = not page or chunk.page_start <= page <= chunk.page_end
    return on_page and _plain(phrase) in _plain(chunk.text)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


def _fate(chunk: Chunk, document: Document, trace: Trace) -> Fate:
    stage, reason = _stage(chunk, trace)
    return Fate(
        document=document.name,
        page=chunk.page_start,
        text=chunk.text,
        stage=stage,
        reason=reason,
        dense_rank=_best_rank(chunk, trace.dense),
        keyword_rank=_best_rank(chunk, trace.keyword),
        fused_rank=_rank(chunk, trace.pool),
    )


def _stage(chunk: Chunk, trace: Trace) -> tuple[Stage, str]:
    plan = trace.plan
    if plan.document_ids and chunk.document_id not in plan.document_ids:
        return "not searched", "It is in a document that was not chosen."
    if not admits(plan.filters, chunk):
        return "not searched", "The filters leave it out."
    if not _rank(chunk, trace.pool):
        return "not a candidate", "Neither its meaning nor its words came near enough."
    if not _rank(chunk, trace.distinct):
        return "repetition", "It repeats a passage that is ranked higher."
    if place := _rank(chunk, trace.chosen):
        return "hit", f"It is hit number {place}."
    return "outranked", f"It came {_rank(chunk, trace.ordered)}th, behind the last place."


def _rank(chunk: Chunk, hits: Sequence[Hit]) -> int:
    return next((rank for rank, hit in enumerate(hits, start=1) if hit.chunk.id == chunk.id), 0)


def _best_rank(chunk: Chunk, lists: Iterable[Sequence[tuple[str, float]]]) -> int:
    ranks = [
        rank
        for ranked in lists
        for rank, (chunk_id, _) in enumerate(ranked, start=1)
        if chunk_id == chunk.id
    ]
    return min(ranks, default=0)


def _discarded(
    documents: Iterable[Document], phrase: str, document_id: str, page: int, *, catalog: Catalog
) -> list[Fate]:
    return [
        Fate(document.name, one.page, one.text, "not indexed", f"It was left out: {one.reason}.")
        for document in documents
        if not document_id or document.id == document_id
        for one in catalog.discards(document.id)
        if (not page or one.page == page) and _plain(phrase) in _plain(one.text)
    ]
