"""The nouns as the JSON the command line promises; docs/command-line.md documents every key."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from decimal import Decimal
from operator import attrgetter
from typing import Any

from docqa.settings import PRICES_OF, Price
from docqa.types.answer import Answer, Check, Citation, Usage
from docqa.types.comparison import (
    Alignment,
    Change,
    Comparison,
    Edit,
    Figure,
    FigureComparison,
    Nearest,
    TermComparison,
    TermSide,
)
from docqa.types.costs import NotesEstimate, Outgoing, Spent
from docqa.types.document import Block, Box, Discard, Document, Landmark, PageHealth
from docqa.types.evaluation import (
    AnswerEvaluation,
    Evaluation,
    Figures,
    Judged,
    JudgedAnswer,
    Rate,
)
from docqa.types.model import ModelStatus
from docqa.types.outline import Entry
from docqa.types.progress import AddResult
from docqa.types.question import QueryPlan
from docqa.types.search import Coverage, Explanation, Fate, Hit, SearchResult

Json = dict[str, Any]


def record(value: object) -> Json:
    """A record as `_TOLD` says."""
    told = _TOLD[type(value)]
    return _fields(value, told) if isinstance(told, str) else told(value)


def _fields(value: object, names: str) -> Json:
    """The fields named, in order: each under its name or, as in ``place=where``, under another.

    What is told of a field of a field is ``text=chunk.text``; ``seconds:4`` is rounded to so many
    decimals, and so is all that a field ``interval:4`` holds.
    """
    fields: Json = {}
    for each in names.split():
        name, _, decimals = each.partition(":")
        key, _, other = name.partition("=")
        found = attrgetter(other or key)(value)
        fields[key] = _rounded(found, int(decimals)) if decimals else _plain(found)
    return fields


def _rounded(value: Any, decimals: int) -> object:
    match value:
        case Mapping():
            return {str(key): round(float(each), decimals) for key, each in value.items()}
        case tuple():
            return [round(each, decimals) for each in value]
        case _:
            return round(value, decimals)


def _plain(value: object) -> object:
    match value:
        case Mapping():
            return {str(key): _plain(each) for key, each in value.items()}
        case tuple():
            return [_plain(each) for each in value]
        case Decimal():
            return str(value)
        case Box():
            return [round(side, 2) for side in astuple(value)]
        case _:
            return record(value) if type(value) in _TOLD else value


def _coverage(value: Coverage) -> Json:
    names = "document document_id seen used best_score:6 nearest_page nearest_place queries cited"
    place = value.nearest if value.nearest_page else ""
    return {**_fields(value, names), "nearest_place": place}


def costs(
    days: Sequence[tuple[str, Spent]], prices: Mapping[str, Price], budget: Decimal | None
) -> Json:
    return {
        "days": [{"day": day, **record(each)} for day, each in days],
        "prices_of": PRICES_OF,
        "prices": _plain(prices),
        "budget_usd": _plain(budget),
    }


def _term_side(value: TermSide) -> Json:
    names = "document page quote nearest_page nearest_quote likely place=where blocks"
    pages = {"page": value.page or None, "nearest_page": value.nearest_page or None}
    return {**_fields(value, names), **pages}


def _change(value: Change) -> Json:
    first, second = (next(iter(each), None) for each in (value.first_blocks, value.second_blocks))
    return {
        **_fields(value, "kind number first second"),
        "first_page": first and first.page,
        "second_page": second and second.page,
        "first_place": first.where if first else "",
        "second_place": second.where if second else "",
        **_fields(value, "edits figures_changed minor"),
    }


def _comparison(value: Comparison) -> Json:
    names = {document.id: document.name for document in value.documents}
    return {
        "documents": [document.name for document in value.documents],
        **_fields(value, "question figures pairs"),
        "only_in": {
            names[document_id]: [
                {**record(hit), "nearest": _plain(value.nearest.get(hit.chunk.id))} for hit in hits
            ]
            for document_id, hits in value.only_in.items()
        },
        **_fields(value, "terms changes summary text answerer citations warnings usage seconds:4"),
        "partial": value.partial,
    }


def outline(value: Document, entries: Sequence[Entry]) -> Json:
    """A document's headings and tables, each with its page and how deep it stands."""
    return {
        **_fields(value, "document=name document_id=id"),
        "outline": [
            {
                **_fields(entry, "title page level"),
                "kind": "table" if entry.table else "heading",
                "role": entry.role,
            }
            for entry in entries
        ],
    }


def reading(value: Document, pages: Sequence[PageHealth], left_out: Sequence[Discard]) -> Json:
    """How a document was read: each page's health, each passage that validation left out."""
    return {
        **record(value),
        "health": [record(page) for page in pages],
        "left_out": [record(each) for each in left_out],
    }


def add_result(value: AddResult) -> Json:
    known: Json = record(value.document) if value.document else {}
    return {**_fields(value, "file status error"), **known}


# What is told of a record: its fields, as `_fields` reads them, or what a function makes of it.
_TOLD: Mapping[type, str | Callable[[Any], Json]] = {
    Alignment: "similarity:4 passages",
    Answer: "text answerer citations warnings checks usage seconds:4 found likely partial coverage",
    AnswerEvaluation: "answerer citations_hold=held figures_supported=supported "
    "right_page=right_pages answered declined=abstained median_seconds:4 tokens cost_usd "
    "questions=judged skipped",
    Block: "page place=where box text",
    Change: _change,
    Check: "kind text start end result labels sum reason nearest",
    Citation: "label document document_id page place=where quote figures verified blocks",
    Comparison: _comparison,
    Coverage: _coverage,
    Discard: "page place=where reason text",
    Document: "document=name document_id=id kind title description landmarks pages=page_count "
    "chunks=chunk_count discards=discard_count size added engine state waiting_pages warnings",
    Edit: "kind text",
    Evaluation: "figures questions=judged skipped",
    Explanation: "question phrase summary fates",
    Fate: "document page place=where text stage reason remedy dense_rank keyword_rank table_rank "
    "fused_rank",
    Figure: "document page=block.page place=block.where value text",
    FigureComparison: "label period unit values difference percent note",
    Figures: "scope hit_at recall_at:4 mrr:4 every_document=documents refusal_precision "
    "refusal_recall median_seconds:4",
    Hit: "document=document.name document_id=document.id page_start=chunk.page_start "
    "page_end=chunk.page_end place=chunk.where section=chunk.section kind=chunk.kind "
    "text=chunk.text scores:6 blocks=chunk.blocks",
    Judged: "question=asked.question scope sources=asked.sources answerable=asked.answerable pages "
    "rank missing refused",
    JudgedAnswer: "question=asked.question sources=asked.sources answerable=asked.answerable "
    "answer=text citations_hold=held figures_supported=supported declined=abstained right_page "
    "seconds:4",
    Landmark: "name page",
    ModelStatus: "model=name purpose state size note used fault",
    Nearest: "document=passage.document.name page_start=passage.chunk.page_start "
    "page_end=passage.chunk.page_end place=passage.chunk.where similarity:4 alike "
    "text=passage.chunk.text",
    NotesEstimate: "url model documents passages written tokens cost_usd",
    Outgoing: "url payload tokens answer_tokens cost_usd most_usd",
    PageHealth: "page place=where label characters source waiting warnings",
    Price: "input output cache_read cache_write",
    QueryPlan: "question=question.text queries intent=question.intent prefers=question.prefers "
    "document_ids=question.document_ids",
    Rate: "value:4 hits n interval:4",
    SearchResult: "question=plan.question.text plan hits coverage missing seconds:4",
    Spent: "requests tokens cost_usd unpriced",
    TermComparison: "topic sides note",
    TermSide: _term_side,
    Usage: "input_tokens output_tokens cache_read_tokens cache_write_tokens searches cost_usd",
}

# What other rooms ask for by name.
answer = answer_evaluation = citation = comparison = document = evaluation = record
explanation = hit = model_status = notes_estimate = outgoing = search_result = record
