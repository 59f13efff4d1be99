"""The nouns as the JSON the command line promises; docs/command-line.md documents every key."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from decimal import Decimal
from typing import Any

from docqa.settings import PRICES_OF, Price
from docqa.types.answer import Answer, Check, Citation, Usage
from docqa.types.comparison import (
    Change,
    Comparison,
    Edit,
    FigureComparison,
    Nearest,
    TermComparison,
)
from docqa.types.costs import NotesEstimate, Outgoing, Spent
from docqa.types.document import Block, Box, Discard, Document, PageHealth
from docqa.types.evaluation import (
    AnswerEvaluation,
    Evaluation,
    Figures,
    GoldQuestion,
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

# What is told of a record: its fields in order, each under its name or, as in ``place=where``,
# under another. One as in ``seconds:4`` is rounded to so many decimals.
_FIELDS: Mapping[type, str] = {
    Block: "page place=where box text",
    Check: "kind text start end result labels sum reason nearest",
    Citation: "label document document_id page place=where quote figures verified blocks",
    Discard: "page place=where reason text",
    Edit: "kind text",
    Explanation: "question phrase summary fates",
    Fate: "document page place=where text stage reason remedy dense_rank keyword_rank table_rank "
    "fused_rank",
    ModelStatus: "model=name purpose state size note used fault",
    NotesEstimate: "url model documents passages written tokens cost_usd",
    Outgoing: "url payload tokens answer_tokens cost_usd most_usd",
    PageHealth: "page place=where label characters source waiting warnings",
    Price: "input output cache_read cache_write",
    Spent: "requests tokens cost_usd unpriced",
    Usage: "input_tokens output_tokens cache_read_tokens cache_write_tokens searches cost_usd",
}


def record(value: object) -> Json:
    """A record of which all that is told are fields of its own."""
    return _fields(value, _FIELDS[type(value)])


def _fields(value: object, names: str) -> Json:
    fields: Json = {}
    for each in names.split():
        name, _, decimals = each.partition(":")
        key, _, other = name.partition("=")
        found = getattr(value, other or key)
        fields[key] = round(found, int(decimals)) if decimals else _plain(found)
    return fields


def _plain(value: object) -> object:
    match value:
        case tuple():
            return [_plain(each) for each in value]
        case Decimal():
            return str(value)
        case Box():
            return [round(side, 2) for side in astuple(value)]
        case _:
            return record(value) if type(value) in _FIELDS else value


# Those that other rooms ask for by name, of which all that is told are fields of their own.
citation = explanation = model_status = notes_estimate = outgoing = record


def hit(value: Hit) -> Json:
    return {
        **_fields(value.document, "document=name document_id=id"),
        **_fields(value.chunk, "page_start page_end place=where section kind text"),
        "scores": {stage: round(float(score), 6) for stage, score in value.scores.items()},
        **_fields(value.chunk, "blocks"),
    }


def plan(value: QueryPlan) -> Json:
    return {
        "question": value.question.text,
        **_fields(value, "queries"),
        **_fields(value.question, "intent prefers document_ids"),
    }


def coverage(value: Coverage) -> Json:
    return {
        **_fields(value, "document document_id seen used best_score:6 nearest_page"),
        "nearest_place": value.nearest if value.nearest_page else "",
        **_fields(value, "queries cited"),
    }


def search_result(value: SearchResult) -> Json:
    return {
        "question": value.plan.question.text,
        "plan": plan(value.plan),
        "hits": [hit(found) for found in value.hits],
        "coverage": [coverage(entry) for entry in value.coverage],
        **_fields(value, "missing seconds:4"),
    }


def answer(value: Answer) -> Json:
    names = "text answerer citations warnings checks usage seconds:4 found likely partial"
    return {**_fields(value, names), "coverage": [coverage(entry) for entry in value.coverage]}


def costs(
    days: Sequence[tuple[str, Spent]], prices: Mapping[str, Price], budget: Decimal | None
) -> Json:
    return {
        "days": [{"day": day, **record(each)} for day, each in days],
        "prices_of": PRICES_OF,
        "prices": {model: record(each) for model, each in prices.items()},
        "budget_usd": _plain(budget),
    }


def figure_comparison(value: FigureComparison) -> Json:
    return {
        **_fields(value, "label period unit"),
        "values": [
            {
                "document": figure.document,
                **_fields(figure.block, "page place=where"),
                **_fields(figure, "value text"),
            }
            for figure in value.values
        ],
        **_fields(value, "difference percent note"),
    }


def term_comparison(value: TermComparison) -> Json:
    return {
        "topic": value.topic,
        "sides": [
            {
                "document": side.document,
                "page": side.page or None,
                "quote": side.quote,
                "nearest_page": side.nearest_page or None,
                **_fields(side, "nearest_quote likely place=where blocks"),
            }
            for side in value.sides
        ],
        "note": value.note,
    }


def change(value: Change) -> Json:
    first, second = (next(iter(each), None) for each in (value.first_blocks, value.second_blocks))
    return {
        **_fields(value, "kind number first second"),
        "first_page": first and first.page,
        "second_page": second and second.page,
        "first_place": first.where if first else "",
        "second_place": second.where if second else "",
        **_fields(value, "edits figures_changed minor"),
    }


def lone_hit(value: Hit, nearest: Nearest | None) -> Json:
    """A passage without a partner, with what comes nearest to it in another document."""
    near = nearest and {
        "document": nearest.passage.document.name,
        **_fields(nearest.passage.chunk, "page_start page_end place=where"),
        **_fields(nearest, "similarity:4 alike"),
        "text": nearest.passage.chunk.text,
    }
    return {**hit(value), "nearest": near}


def comparison(value: Comparison) -> Json:
    names = {document.id: document.name for document in value.documents}
    return {
        "documents": [document.name for document in value.documents],
        "question": value.question,
        "figures": [figure_comparison(row) for row in value.figures],
        "pairs": [
            {**_fields(pair, "similarity:4"), "passages": [hit(each) for each in pair.passages]}
            for pair in value.pairs
        ],
        "only_in": {
            names[document_id]: [
                lone_hit(found, value.nearest.get(found.chunk.id)) for found in found_only
            ]
            for document_id, found_only in value.only_in.items()
        },
        "terms": [term_comparison(row) for row in value.terms],
        "changes": [change(each) for each in value.changes],
        **_fields(value, "summary text answerer citations warnings usage seconds:4 partial"),
    }


def rate(value: Rate) -> Json:
    interval = [round(end, 4) for end in value.interval]
    return {**_fields(value, "value:4 hits n"), "interval": interval}


def figures(value: Figures) -> Json:
    return {
        "scope": value.scope,
        "hit_at": {str(depth): rate(of) for depth, of in value.hit_at.items()},
        "recall_at": {str(depth): round(of, 4) for depth, of in value.recall_at.items()},
        **_fields(value, "mrr:4"),
        "every_document": rate(value.documents),
        "refusal_precision": rate(value.refusal_precision),
        "refusal_recall": rate(value.refusal_recall),
        **_fields(value, "median_seconds:4"),
    }


def evaluation(value: Evaluation) -> Json:
    return {
        "figures": [figures(each) for each in value.figures],
        "questions": [judged(each) for each in value.judged],
        **_fields(value, "skipped"),
    }


def judged(value: Judged) -> Json:
    return {
        "question": value.asked.question,
        "scope": value.scope,
        **_asked(value.asked),
        **_fields(value, "pages rank missing refused"),
    }


def answer_evaluation(value: AnswerEvaluation) -> Json:
    return {
        "answerer": value.answerer,
        "citations_hold": rate(value.held),
        "figures_supported": rate(value.supported),
        "right_page": rate(value.right_pages),
        "answered": rate(value.answered),
        "declined": rate(value.abstained),
        **_fields(value, "median_seconds:4 tokens cost_usd"),
        "questions": [judged_answer(each) for each in value.judged],
        **_fields(value, "skipped"),
    }


def judged_answer(value: JudgedAnswer) -> Json:
    return {
        "question": value.asked.question,
        **_asked(value.asked),
        "answer": value.text,
        "citations_hold": rate(value.held),
        "figures_supported": rate(value.supported),
        **_fields(value, "declined=abstained right_page seconds:4"),
    }


def _asked(value: GoldQuestion) -> Json:
    sources = {name: list(pages) for name, pages in value.sources.items()}
    return {"sources": sources, "answerable": value.answerable}


def document(value: Document) -> Json:
    counts = "pages=page_count chunks=chunk_count discards=discard_count"
    return {
        **_fields(value, "document=name document_id=id kind title description"),
        "landmarks": [_fields(each, "name page") for each in value.landmarks],
        **_fields(value, f"{counts} size added engine state waiting_pages warnings"),
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
        **document(value),
        "health": [record(page) for page in pages],
        "left_out": [record(each) for each in left_out],
    }


def add_result(value: AddResult) -> Json:
    known: Json = document(value.document) if value.document else {}
    return {**_fields(value, "file status error"), **known}
