"""Why a passage was not found: at which stage of a search it was lost."""

import re
from collections.abc import Iterable, Iterator, Sequence

from docqa.language.keywords import keywords
from docqa.library.catalog import Catalog
from docqa.retrieve.filters import admits
from docqa.retrieve.search import Ranked, Trace
from docqa.types.document import Block, Chunk, Discard, Document
from docqa.types.phrases import count
from docqa.types.search import Explanation, Fate, FateStage, Hit, unmentioned

LOOKED_AT = 200  # chunks sharing words with the phrase that are searched for it
NAMED_PAGES = 10  # pages without text that are named one by one
FURNITURE = {"header": "running header", "footer": "running footer", "picture": "picture"}


def explain(
    trace: Trace,
    *,
    catalog: Catalog,
    phrase: str = "",
    document_id: str = "",
    page: int = 0,
    deeper: Trace | None = None,
) -> Explanation:
    """The fate of every passage that holds the phrase or stands on the page, hits first.

    Give a phrase (found whatever its case and line breaks), or a document and a page, or both.
    ``deeper`` is the same search with more candidates; it tells how many would have been needed.
    Where no passage and no discarded text has the phrase, the summary says so and names the pages
    of which no text was read.
    """
    documents = {document.id: document for document in catalog.documents()}
    within = [documents[document_id]] if document_id in documents else list(documents.values())
    chunks = _holding(phrase, document_id, page, within, catalog=catalog)
    fates = [_fate(chunk, documents[chunk.document_id], trace, deeper) for chunk in chunks]
    fates.sort(key=lambda fate: fate.fused_rank or len(trace.pool) + 1)
    lost = [*_discarded(within, phrase, page, catalog=catalog)]
    if not fates and not lost:
        lost = [*_furniture(within, phrase, page, catalog=catalog)]
    found = (*fates, *lost)
    summary = _summary(found) if found else _nowhere(phrase, page, within, catalog=catalog)
    said = " ".join(filter(None, (summary, unmentioned(trace.missing))))
    return Explanation(trace.plan.question.text, phrase, found, said)


def _holding(
    phrase: str, document_id: str, page: int, within: Sequence[Document], *, catalog: Catalog
) -> list[Chunk]:
    """The chunks with the phrase; where it runs over the end of one, those with its parts."""
    if document_id:
        chunks = catalog.document_chunks(document_id)
    else:
        found = catalog.keyword_search(keywords(phrase), limit=LOOKED_AT)
        chunks = catalog.chunks([chunk_id for chunk_id, _ in found])
    on_page = [c for c in chunks if not page or c.page_start <= page <= c.page_end]
    holding = [chunk for chunk in on_page if _plain(phrase) in _plain(chunk.text)]
    return holding or (_in_parts(phrase, within, catalog=catalog) if phrase else [])


def _in_parts(phrase: str, within: Sequence[Document], *, catalog: Catalog) -> list[Chunk]:
    """The chunks whose blocks together hold the phrase, read from the pages themselves."""
    chunks = []
    for document in within:
        places = {b.index for b in _blocks_with(phrase, catalog.blocks(document.id))}
        if places:
            chunks += [
                chunk
                for chunk in catalog.document_chunks(document.id)
                if places & {block.index for block in chunk.blocks}
            ]
    return chunks


def _blocks_with(phrase: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks over which the phrase runs, wherever it stands first; [] where nowhere."""
    wanted = _plain(phrase)
    text, spans = "", []
    for block in blocks:
        words = _plain(block.text)
        spans.append((len(text), len(text) + len(words)))
        text += words + " "
    at = text.find(wanted)
    if at < 0 or not wanted:
        return []
    end = at + len(wanted)
    return [
        block
        for block, (start, stop) in zip(blocks, spans, strict=True)
        if start < end and at < stop
    ]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


def _fate(chunk: Chunk, document: Document, trace: Trace, deeper: Trace | None) -> Fate:
    stage, reason, remedy = _stage(chunk, document, trace, deeper)
    return Fate(
        document=document.name,
        page=chunk.page_start,
        place=chunk.blocks[0].place,
        text=chunk.text,
        stage=stage,
        reason=reason,
        remedy=remedy,
        dense_rank=_best_rank(chunk, trace.dense),
        keyword_rank=_best_rank(chunk, trace.keyword),
        table_rank=_best_rank(chunk, trace.tables),
        fused_rank=_rank(chunk, trace.pool) or _place(chunk.id, trace.fused),
    )


def _stage(
    chunk: Chunk, document: Document, trace: Trace, deeper: Trace | None
) -> tuple[FateStage, str, str]:
    searched, filters = trace.plan.question.document_ids, trace.plan.filters
    if searched and chunk.document_id not in searched:
        remedy = f"Choose {document.name} too, or name it in the question."
        return "not searched", "It is in a document that was not searched.", remedy
    if not admits(filters, chunk):
        return "not searched", "The filters leave it out.", "Search without the filters."
    if not _rank(chunk, trace.pool) and not _place(chunk.id, trace.fused):
        reason = "Neither its meaning nor its words are close enough."
        return "not a candidate", reason, _needed(chunk, deeper)
    if not _rank(chunk, trace.pool):
        return _outranked(_place(chunk.id, trace.fused), trace)
    if not _rank(chunk, trace.distinct):
        remedy = "A higher “duplicate_ratio” keeps passages that are more alike."
        return "repetition", "It repeats a passage that is ranked higher.", remedy
    if place := _rank(chunk, trace.chosen):
        return "hit", f"It is hit number {place}.", ""
    return _outranked(_rank(chunk, trace.ordered), trace)


def _outranked(place: int, trace: Trace) -> tuple[FateStage, str, str]:
    reason = f"It is number {place} of the candidates, behind the last of {len(trace.chosen)} hits."
    return "outranked", reason, f"Ask for {place} hits, or use more of the passage's own words."


def _needed(chunk: Chunk, deeper: Trace | None) -> str:
    if deeper is None or chunk.id not in deeper.fused:
        return "Ask with words that the passage itself uses."
    ranks = (_best_rank(chunk, lists) for lists in (deeper.dense, deeper.keyword))
    nearest = min((rank for rank in ranks if rank), default=1)
    return (
        f"It is number {nearest} in its best list; with “candidates” at {nearest} it would have "
        "been kept. Or ask with words that the passage itself uses."
    )


def _place(chunk_id: str, ids: Sequence[str]) -> int:
    return ids.index(chunk_id) + 1 if chunk_id in ids else 0


def _rank(chunk: Chunk, hits: Sequence[Hit]) -> int:
    return _place(chunk.id, [hit.chunk.id for hit in hits])


def _best_rank(chunk: Chunk, lists: Iterable[Ranked]) -> int:
    places = (_place(chunk.id, [chunk_id for chunk_id, _ in ranked]) for ranked in lists)
    return min(filter(None, places), default=0)


def _discarded(
    within: Iterable[Document], phrase: str, page: int, *, catalog: Catalog
) -> Iterator[Fate]:
    for document in within:
        for one in catalog.discards(document.id):
            if (not page or one.page == page) and _plain(phrase) in _plain(one.text):
                yield _not_indexed(
                    document, one, f"It was left out when the file was read: {one.reason}."
                )


def _furniture(
    within: Iterable[Document], phrase: str, page: int, *, catalog: Catalog
) -> Iterator[Fate]:
    """What is printed on pages beside their text and is therefore not indexed."""
    for document in within:
        for block in catalog.blocks(document.id, page or None):
            kind = FURNITURE.get(block.kind)
            if kind and phrase and _plain(phrase) in _plain(block.text):
                yield _not_indexed(document, block, f"It is a {kind}, which is not indexed.")


def _not_indexed(document: Document, one: Block | Discard, reason: str) -> Fate:
    return Fate(document.name, one.page, one.text, "not indexed", reason, place=one.place)


def _summary(fates: Sequence[Fate]) -> str:
    best = fates[0]
    more = len(fates) - 1
    others = f" {count(more, 'more passage has', 'more passages have')} it." if more else ""
    told = " ".join(part for part in (best.reason, best.remedy) if part)
    return f"It stands in {best.document}, {best.where}. {told}{others}"


def _nowhere(phrase: str, page: int, within: Sequence[Document], *, catalog: Catalog) -> str:
    if len(within) == 1 and page > within[0].page_count:
        one = within[0]
        return f"There is no {one.unit} {page}: {one.name} has {one.extent}."
    unread = [
        f"{document.name}, {health.where}"
        for document in within
        for health in catalog.health(document.id)
        if health.source == "none" and (not page or health.page == page)
    ]
    what = f"“{phrase}” is on no page as it was read." if phrase else "The page has no passage."
    if not unread:
        return f"{what} Check the spelling, or look for a part of it."
    more = f" and {len(unread) - NAMED_PAGES} more" if len(unread) > NAMED_PAGES else ""
    return f"{what} No text was read from {'; '.join(unread[:NAMED_PAGES])}{more}."
