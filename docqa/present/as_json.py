"""The nouns as the JSON the command line promises; docs/command-line.md documents every key."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from docqa.settings import PRICES_OF, Price
from docqa.types.answer import Answer, Check, Citation, Usage
from docqa.types.comparison import (
    Alignment,
    Change,
    Comparison,
    FigureComparison,
    Nearest,
    TermComparison,
)
from docqa.types.costs import NotesEstimate, Outgoing, Spent
from docqa.types.document import Block, Discard, Document, PageHealth
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


def _fields(value: object, names: str) -> Json:
    """These fields of a record, each under its name or, as in ``place=where``, under another.

    One as in ``seconds:4`` is rounded to so many decimals.
    """
    fields: Json = {}
    for each in names.split():
        name, _, decimals = each.partition(":")
        key, _, other = name.partition("=")
        found = getattr(value, other or key)
        fields[key] = round(found, int(decimals)) if decimals else _plain(found)
    return fields


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Decimal) else value


def block(value: Block) -> Json:
    box = value.box
    sides = [round(side, 2) for side in (box.left, box.top, box.right, box.bottom)]
    return {**_fields(value, "page place=where"), "box": sides, "text": value.text}


def blocks(values: Sequence[Block]) -> list[Json]:
    return [block(value) for value in values]


def hit(value: Hit) -> Json:
    return {
        **_fields(value.document, "document=name document_id=id"),
        **_fields(value.chunk, "page_start page_end place=where section kind text"),
        "scores": {stage: round(float(score), 6) for stage, score in value.scores.items()},
        "blocks": blocks(value.chunk.blocks),
    }


def plan(value: QueryPlan) -> Json:
    return {
        "question": value.question.text,
        "queries": list(value.queries),
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


def citation(value: Citation) -> Json:
    names = "label document document_id page place=where quote figures verified"
    return {**_fields(value, names), "blocks": blocks(value.blocks)}


def check(value: Check) -> Json:
    return _fields(value, "kind text start end result labels sum reason nearest")


def usage(value: Usage) -> Json:
    tokens = "input_tokens output_tokens cache_read_tokens cache_write_tokens"
    return _fields(value, f"{tokens} searches cost_usd")


def answer(value: Answer) -> Json:
    return {
        **_fields(value, "text answerer"),
        "citations": [citation(entry) for entry in value.citations],
        **_fields(value, "warnings"),
        "checks": [check(entry) for entry in value.checks],
        "usage": usage(value.usage),
        **_fields(value, "seconds:4 found likely partial"),
        "coverage": [coverage(entry) for entry in value.coverage],
    }


def outgoing(value: Outgoing) -> Json:
    return _fields(value, "url payload tokens answer_tokens cost_usd most_usd")


def notes_estimate(value: NotesEstimate) -> Json:
    return _fields(value, "url model documents passages written tokens cost_usd")


def spent(value: Spent) -> Json:
    return _fields(value, "requests tokens cost_usd unpriced")


def price(value: Price) -> Json:
    return _fields(value, "input output cache_read cache_write")


def costs(
    days: Sequence[tuple[str, Spent]], prices: Mapping[str, Price], budget: Decimal | None
) -> Json:
    return {
        "days": [{"day": day, **spent(each)} for day, each in days],
        "prices_of": PRICES_OF,
        "prices": {model: price(each) for model, each in prices.items()},
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
                "nearest_quote": side.nearest_quote,
                "place": side.where,
                "blocks": blocks(side.blocks),
            }
            for side in value.sides
        ],
        "note": value.note,
    }


def change(value: Change) -> Json:
    sides = [next(iter(each), None) for each in (value.first_blocks, value.second_blocks)]
    return {
        **_fields(value, "kind number first second"),
        "first_page": sides[0] and sides[0].page,
        "second_page": sides[1] and sides[1].page,
        "first_place": sides[0].where if sides[0] else "",
        "second_place": sides[1].where if sides[1] else "",
        "edits": [_fields(edit, "kind text") for edit in value.edits],
        **_fields(value, "figures_changed minor"),
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


def alignment(value: Alignment) -> Json:
    return {
        **_fields(value, "similarity:4"),
        "passages": [hit(passage) for passage in value.passages],
    }


def comparison(value: Comparison) -> Json:
    names = {document.id: document.name for document in value.documents}
    return {
        "documents": [document.name for document in value.documents],
        "question": value.question,
        "figures": [figure_comparison(row) for row in value.figures],
        "pairs": [alignment(pair) for pair in value.pairs],
        "only_in": {
            names[document_id]: [
                lone_hit(found, value.nearest.get(found.chunk.id)) for found in found_only
            ]
            for document_id, found_only in value.only_in.items()
        },
        "terms": [term_comparison(row) for row in value.terms],
        "changes": [change(each) for each in value.changes],
        **_fields(value, "summary text answerer"),
        "citations": [citation(entry) for entry in value.citations],
        **_fields(value, "warnings"),
        "usage": usage(value.usage),
        **_fields(value, "seconds:4 partial"),
    }


def fate(value: Fate) -> Json:
    ranks = "dense_rank keyword_rank table_rank fused_rank"
    return _fields(value, f"document page place=where text stage reason remedy {ranks}")


def explanation(value: Explanation) -> Json:
    fates = [fate(each) for each in value.fates]
    return {**_fields(value, "question phrase summary"), "fates": fates}


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


def judged(value: Judged) -> Json:
    return {
        "question": value.asked.question,
        "scope": value.scope,
        **_asked(value.asked),
        "pages": [list(page) for page in value.pages],
        **_fields(value, "rank missing refused"),
    }


def evaluation(value: Evaluation) -> Json:
    return {
        "figures": [figures(each) for each in value.figures],
        "questions": [judged(each) for each in value.judged],
        "skipped": list(value.skipped),
    }


def answer_evaluation(value: AnswerEvaluation) -> Json:
    return {
        "answerer": value.answerer,
        "citations_hold": rate(value.held),
        "figures_supported": rate(value.supported),
        "right_page": rate(value.right_pages),
        "answered": rate(value.answered),
        "declined": rate(value.abstained),
        **_fields(value, "median_seconds:4 tokens cost_usd skipped"),
        "questions": [judged_answer(each) for each in value.judged],
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
    health = "page place=where label characters source waiting warnings"
    return {
        **document(value),
        "health": [_fields(page, health) for page in pages],
        "left_out": [_fields(each, "page place=where reason text") for each in left_out],
    }


def add_result(value: AddResult) -> Json:
    known: Mapping[str, Any] = document(value.document) if value.document else {}
    return {**_fields(value, "file status error"), **known}


def model_status(value: ModelStatus) -> Json:
    return _fields(value, "model=name purpose state size note used fault")
