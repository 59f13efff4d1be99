"""Questions read and searched for in the library."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from docqa.answer.evidence import choose_hits
from docqa.app.glossary import glossary
from docqa.app.resources import Resources
from docqa.errors import EmptyQuestion, NoDocuments, NothingPasses
from docqa.language.definitions import written
from docqa.question.initials import abbreviations, spelt_by_tables
from docqa.question.queries import NO_FILTERS, make_plan
from docqa.question.read import read
from docqa.question.sides import Opening
from docqa.retrieve import search as retrieval
from docqa.retrieve.filters import told
from docqa.retrieve.spelling import may_be_misspelt, spelt_like
from docqa.retrieve.whole_tables import with_whole_tables
from docqa.settings import Settings
from docqa.types.answer import Message
from docqa.types.document import Document
from docqa.types.events import Search
from docqa.types.question import Filters, QueryPlan, Question
from docqa.types.search import SearchResult

LOOKED_THROUGH = 60  # documents whose tables are all looked through
WHOLE = 3  # tokens of a word that the encoder knows as one, its marks of beginning and end included


def read_question(
    resources: Resources,
    text: str,
    *,
    document_ids: Sequence[str] = (),
    history: Sequence[Message] = (),
    opening: Opening | None = None,
) -> Question:
    """A question, read, a slip of the keys put right where the library shows what was meant.

    Raises `EmptyQuestion`, `NoDocuments` and `NoSubject`.
    """
    reading = partial(
        read,
        documents=searchable(resources, text),
        document_ids=document_ids,
        glossary=glossary(resources.catalog),
        opening=opening,
        most_compared=resources.settings.comparing.max_compared,
        vectors=lambda texts: resources.judging[0].encode_now(list(texts)),
    )
    question = reading(text, history=history)
    others = (*_slips(resources, question.about), *_initials(resources, question))
    if not others:
        return question
    before = [replace(one, text=_respelt(one.text, others)) for one in history]
    meant = reading(_respelt(text, others), history=before)
    return replace(meant, text=text, respelt=others)


def _respelt(text: str, others: Sequence[tuple[str, str]]) -> str:
    for said, other in others:
        text = written(said).sub(other.replace("\\", r"\\"), text)
    return text


def _slips(resources: Resources, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The words that no document has, nor the encoder's own list, with what each is a slip of."""
    for word in filter(may_be_misspelt, words):
        known = resources.encoder.count_tokens(word) <= WHOLE or resources.catalog.has_word(word)
        if not known and (other := spelt_like(word, resources.catalog)):
            yield word, other


def _initials(resources: Resources, question: Question) -> Iterator[tuple[str, str]]:
    """The abbreviations that no document asked has, with the name in their tables that has these
    initials."""
    within = question.documents or question.document_ids
    every = within or [each.id for each in resources.catalog.documents()]
    for short in abbreviations(question.whole) if len(every) <= LOOKED_THROUGH else ():
        if not resources.catalog.has_word(short, document_ids=within):
            tables = (table for each in every for table in resources.catalog.tables(each))
            if name := spelt_by_tables(short, tables):
                yield short, name


def search(
    resources: Resources,
    question: Question | str,
    *,
    settings: Settings,
    document_ids: Sequence[str] = (),
    filters: Filters = NO_FILTERS,
    top_k: int | None = None,
) -> SearchResult:
    """The passages that bear on a question; see `Workspace.search`.

    One that is read already has its documents; ``document_ids`` are those of a text.
    """
    started = time.perf_counter()
    if isinstance(question, str):
        question = read_question(resources, question, document_ids=document_ids)
    plan = plan_of(resources, question, filters, settings)
    planned = time.perf_counter() - started
    trace = traced(resources, plan, settings=settings, top_k=top_k)
    if filters != NO_FILTERS and not trace.chosen:
        raise NothingPasses(told(filters))
    timings = {"plan": planned, **trace.timings}
    return SearchResult(plan, trace.chosen, trace.coverage, timings, trace.missing)


def searcher(
    resources: Resources, chosen: Sequence[str], settings: Settings, *, whole_tables: bool = False
) -> Search:
    """The search that an answerer is given, in the chosen documents unless it names others.

    With ``whole_tables`` its hits bring the tables they touch.
    """

    def find(
        query: Question | str, *, document_ids: Sequence[str] = chosen, top_k: int | None = None
    ) -> SearchResult:
        result = search(resources, query, settings=settings, document_ids=document_ids, top_k=top_k)
        if not whole_tables:
            return result
        hits = with_whole_tables(result.hits, blocks=cache(resources.catalog.blocks))
        room = sum(len(hit.chunk.text) for hit in result.hits)  # no more to read than before
        return replace(result, hits=tuple(choose_hits(hits, max_chars=room)))

    return find


def searchable(resources: Resources, question: str) -> list[Document]:
    """The documents there are. Raises `EmptyQuestion` and `NoDocuments`."""
    if not question.strip():
        raise EmptyQuestion
    documents = resources.catalog.documents()
    if not documents:
        raise NoDocuments
    return documents


def plan_of(
    resources: Resources, question: Question, filters: Filters, settings: Settings
) -> QueryPlan:
    within = question.documents or question.document_ids
    return make_plan(
        question,
        filters=filters,
        glossary=glossary(resources.catalog),
        definitions=resources.catalog.definitions(question.topic, document_ids=within),
        wider=settings.search.wider_queries,
    )


def traced(
    resources: Resources, plan: QueryPlan, *, settings: Settings, top_k: int | None = None
) -> retrieval.Trace:
    return retrieval.traced(
        plan,
        catalog=resources.catalog,
        index=resources.index_if_there(),
        encoder=resources.encoder,
        settings=settings,
        top_k=top_k,
        reranker=resources.reranker if settings.search.use_reranker else None,
    )
