"""Comparisons: what is found in each document, and what the others have like it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from docqa.answer.findings import extractive
from docqa.answer.findings.quotes import Quote
from docqa.answer.model.claude import ClaudeAnswerer
from docqa.app.documents import contents_of
from docqa.app.findings import means
from docqa.app.model import Request, answerer_kind, open_claude
from docqa.app.relay import relayed
from docqa.app.resources import Resources
from docqa.app.search import read_question, search, searcher
from docqa.compare import comparison
from docqa.compare.gather import Evidence, Vectors, counterparts, joined, nearest_to
from docqa.compare.pieces import pieces_of
from docqa.compare.terms import near_in, said_by
from docqa.errors import AnswerError, AnswerStopped, NoSubject
from docqa.language.periods import YEAR_ALONE
from docqa.settings import Settings, key_to_use
from docqa.types.comparison import Comparison, TermSide
from docqa.types.document import Document
from docqa.types.events import (
    AnswerEvent,
    Events,
    PassagesFound,
    Search,
    Searching,
    TextDelta,
)
from docqa.types.search import Hit


class Comparisons:
    """Comparisons among the documents of one library."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def make(
        self,
        document_ids: Sequence[str],
        question: str,
        *,
        answerer: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        period: str = "",
    ) -> Events:
        """What happens while documents are compared; the last event is the `Comparison`.

        An empty question compares key figures and terms; ``period`` ("2023", "Q2 2024") is that of
        the figures, where it is not the latest. With a key the comparison is written up by Claude,
        as in `Workspace.ask`; where that fails it is given as it is made without, and says so.
        Raises `ComparisonError` for fewer than two documents, too many, or the same one twice,
        `UnknownDocument` and `NoKey`, at once.
        """
        request = Request(
            question,
            settings or self._resources.settings,
            key_to_use(api_key),
            answerer=answerer,
            sides=document_ids,
            period=period,
        )
        return compare(self._resources, request)

    def with_lines(self, made: Comparison, lines: Sequence[str]) -> Comparison:
        """The comparison with these of its `lines` alone; those left out are kept with it."""
        return comparison.with_lines(made, lines)


def compare(resources: Resources, request: Request) -> Events:
    """What happens while the request's sides are compared; see `Comparisons.make`."""
    settings = request.settings
    kind = answerer_kind(request.answerer, request.key, settings)
    documents = [resources.catalog.document(each) for each in request.sides or ()]
    comparison.check(documents, limit=settings.comparing.max_compared)
    claude = None
    if kind == "claude":
        claude = open_claude(resources, settings, request.key, request.conversation_id)
    return _events(resources, documents, request, claude)


def _events(
    resources: Resources,
    documents: Sequence[Document],
    request: Request,
    claude: ClaudeAnswerer | None,
) -> Events:
    """What happens on the way; the last event is the `Comparison`."""
    started, question, settings = time.perf_counter(), request.question, request.settings
    asked = question if any(map(str.isalnum, question)) else comparison.OVERALL
    find = searcher(resources, (), settings)
    hits: dict[str, tuple[Hit, ...]] = {}
    vectors: dict[str, Vectors] = {}
    for document in documents:
        yield Searching(asked, (document.id,))
        own = find(asked, document_ids=(document.id,), top_k=settings.comparing.compare_chunks)
        yield PassagesFound(len(own.hits), (document.name,))
        hits[document.id], vectors[document.id] = _pieces(
            resources, own.hits, asked, limit=settings.comparing.compare_pieces
        )
    compared = comparison.compare(
        documents,
        asked,
        _evidence(resources, documents, asked, hits, vectors, settings),
        settings=settings,
        encode=resources.encoder.encode_now,
        meaning=resources.meaning,
        reranker=resources.reranker if settings.search.use_reranker else None,
        period=request.period or _year_named(asked),
        stated=partial(_stated, resources, documents, settings),
    )

    def timed(event: AnswerEvent) -> AnswerEvent:
        if isinstance(event, Comparison):
            return replace(event, seconds=time.perf_counter() - started)
        return event

    whole = searcher(resources, (), settings, whole_tables=True)
    yield from relayed(_written_up(resources, compared, whole, claude), timed)


def _year_named(question: str) -> str:
    """The one year that a question names, "" for none or several."""
    years = set(YEAR_ALONE.findall(question))
    return years.pop() if len(years) == 1 else ""


def _stated(
    resources: Resources, documents: Sequence[Document], settings: Settings, named: str
) -> list[TermSide]:
    """What each document states on what a question names beside them."""
    found = []
    for each in documents:
        try:
            one = read_question(resources, f"What is the {named}?", document_ids=(each.id,))
        except NoSubject:
            return []
        result = search(resources, replace(one, intent="lookup"), settings=settings)
        quote, outright = extractive.likeliest(result, settings=settings, means=means(resources))
        found.append(_as_side(each, quote, outright))
    return found


def _as_side(document: Document, quote: Quote | None, outright: bool) -> TermSide:
    """A document's words on what is asked, or where it comes nearest to it."""
    if quote is None:
        return said_by(document)
    blocks = quote.piece.hit.chunk.blocks[quote.first - 1 : quote.last]
    if outright:
        return TermSide(document.id, document.name, quote.text, blocks, chance=quote.chance)
    likely = quote.chance >= extractive.HINT
    return replace(near_in(said_by(document), blocks[0], quote.text), likely=likely)


def _written_up(
    resources: Resources, compared: Comparison, search: Search, claude: ClaudeAnswerer | None
) -> Events:
    """Claude's words on a comparison; where none arrive, those made without it."""
    if claude is None:
        yield TextDelta(compared.text)
        yield compared
        return
    try:
        yield from claude.compare(compared, search=search, contents=contents_of(resources))
    except AnswerError as error:
        stopped = isinstance(error, AnswerStopped)
        reason = "The writing was stopped before it began." if stopped else str(error)
        said = f"{reason} The comparison shown was made without a model."
        yield replace(compared, warnings=(*compared.warnings, said))


def _evidence(
    resources: Resources,
    documents: Sequence[Document],
    question: str,
    hits: Mapping[str, tuple[Hit, ...]],
    vectors: Mapping[str, Vectors],
    settings: Settings,
) -> Evidence:
    """What was found, and what in each whole document comes nearest to the others' pieces."""
    all_hits, all_vectors = dict(hits), dict(vectors)
    partners: frozenset[str] = frozenset()
    for document in documents:
        mine = document.id
        found = _counterparts(resources, document, vectors, limit=settings.comparing.compare_chunks)
        limit = len(found) * settings.comparing.compare_pieces
        own, rows = _pieces(resources, found, question, limit=limit)
        all_hits[mine], all_vectors[mine], ids = joined(hits[mine], vectors[mine], own, rows)
        partners |= ids
    blocks = {document.id: resources.catalog.blocks(document.id) for document in documents}
    tables = {document.id: resources.catalog.tables(document.id) for document in documents}
    unread = {document.id: _unread_pages(resources, document) for document in documents}
    return Evidence(all_hits, all_vectors, blocks, tables, frozenset(partners), unread)


def _unread_pages(resources: Resources, document: Document) -> int:
    pages = resources.catalog.health(document.id)
    return sum(page.source == "none" and bool(page.warnings) for page in pages)


def _counterparts(
    resources: Resources, document: Document, vectors: Mapping[str, Vectors], *, limit: int
) -> list[Hit]:
    """The document's passages nearest to what was found in the others."""
    known = {chunk.id: chunk for chunk in resources.catalog.document_chunks(document.id)}
    ids, own = resources.catalog.document_vectors([document.id])
    chunks = [known[each] for each in ids if each in known]
    own = own[[each in known for each in ids]]
    found: dict[str, Hit] = {}
    for other, pieces in vectors.items():
        if other != document.id:
            near = counterparts(pieces, chunks, own, limit=limit)
            found.update((chunk.id, Hit(chunk, document)) for chunk in near)
    return list(found.values())


def _pieces(
    resources: Resources, hits: Sequence[Hit], question: str, *, limit: int
) -> tuple[tuple[Hit, ...], Vectors]:
    """The pieces of the hits that are nearest to the question, and their vectors."""
    pieces = pieces_of(hits)
    texts = [piece.chunk.embedded_text for piece in pieces]
    encoder = resources.encoder
    vectors = encoder.encode_now(texts) if texts else resources.catalog.vectors([])
    return nearest_to(encoder.encode_query(question), pieces, vectors, limit=limit)
