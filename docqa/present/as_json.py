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


def block(value: Block) -> Json:
    box = value.box
    return {
        "page": value.page,
        "place": value.where,
        "box": [round(side, 2) for side in (box.left, box.top, box.right, box.bottom)],
        "text": value.text,
    }


def blocks(values: Sequence[Block]) -> list[Json]:
    return [block(value) for value in values]


def hit(value: Hit) -> Json:
    chunk = value.chunk
    return {
        "document": value.document.name,
        "document_id": value.document.id,
        "page_start": chunk.page_start,
        "page_end": chunk.page_end,
        "place": chunk.where,
        "section": chunk.section,
        "kind": chunk.kind,
        "text": chunk.text,
        "scores": {stage: round(float(score), 6) for stage, score in value.scores.items()},
        "blocks": blocks(chunk.blocks),
    }


def plan(value: QueryPlan) -> Json:
    return {
        "question": value.question.text,
        "queries": list(value.queries),
        "intent": value.question.intent,
        "prefers": value.question.prefers,
        "document_ids": list(value.question.document_ids),
    }


def coverage(value: Coverage) -> Json:
    return {
        "document": value.document,
        "document_id": value.document_id,
        "seen": value.seen,
        "used": value.used,
        "best_score": round(value.best_score, 6),
        "nearest_page": value.nearest_page,
        "nearest_place": value.nearest if value.nearest_page else "",
        "queries": list(value.queries),
        "cited": value.cited,
    }


def search_result(value: SearchResult) -> Json:
    return {
        "question": value.plan.question.text,
        "plan": plan(value.plan),
        "hits": [hit(found) for found in value.hits],
        "coverage": [coverage(entry) for entry in value.coverage],
        "missing": list(value.missing),
        "seconds": round(value.seconds, 4),
    }


def citation(value: Citation) -> Json:
    return {
        "label": value.label,
        "document": value.document,
        "document_id": value.document_id,
        "page": value.page,
        "place": value.where,
        "quote": value.quote,
        "figures": value.figures,
        "verified": value.verified,
        "blocks": blocks(value.blocks),
    }


def check(value: Check) -> Json:
    return {
        "kind": value.kind,
        "text": value.text,
        "start": value.start,
        "end": value.end,
        "result": value.result,
        "labels": list(value.labels),
        "sum": value.sum,
        "reason": value.reason,
        "nearest": value.nearest,
    }


def usage(value: Usage) -> Json:
    return {
        "input_tokens": value.input_tokens,
        "output_tokens": value.output_tokens,
        "cache_read_tokens": value.cache_read_tokens,
        "cache_write_tokens": value.cache_write_tokens,
        "searches": value.searches,
        "cost_usd": _dollars(value.cost_usd),
    }


def answer(value: Answer) -> Json:
    return {
        "text": value.text,
        "answerer": value.answerer,
        "citations": [citation(entry) for entry in value.citations],
        "warnings": list(value.warnings),
        "checks": [check(entry) for entry in value.checks],
        "usage": usage(value.usage),
        "seconds": round(value.seconds, 4),
        "found": value.found,
        "likely": value.likely,
        "partial": value.partial,
        "coverage": [coverage(entry) for entry in value.coverage],
    }


def _dollars(value: Decimal | None) -> str | None:
    return None if value is None else str(value)


def outgoing(value: Outgoing) -> Json:
    return {
        "url": value.url,
        "payload": value.payload,
        "tokens": value.tokens,
        "answer_tokens": value.answer_tokens,
        "cost_usd": _dollars(value.cost_usd),
        "most_usd": _dollars(value.most_usd),
    }


def notes_estimate(value: NotesEstimate) -> Json:
    return {
        "url": value.url,
        "model": value.model,
        "documents": value.documents,
        "passages": value.passages,
        "written": value.written,
        "tokens": value.tokens,
        "cost_usd": _dollars(value.cost_usd),
    }


def spent(value: Spent) -> Json:
    return {
        "requests": value.requests,
        "tokens": value.tokens,
        "cost_usd": str(value.cost_usd),
        "unpriced": value.unpriced,
    }


def price(value: Price) -> Json:
    return {
        "input": str(value.input),
        "output": str(value.output),
        "cache_read": str(value.cache_read),
        "cache_write": str(value.cache_write),
    }


def costs(
    days: Sequence[tuple[str, Spent]], prices: Mapping[str, Price], budget: Decimal | None
) -> Json:
    return {
        "days": [{"day": day, **spent(each)} for day, each in days],
        "prices_of": PRICES_OF,
        "prices": {model: price(each) for model, each in prices.items()},
        "budget_usd": _dollars(budget),
    }


def figure_comparison(value: FigureComparison) -> Json:
    return {
        "label": value.label,
        "period": value.period,
        "unit": value.unit,
        "values": [
            {
                "document": figure.document,
                "page": figure.block.page,
                "place": figure.block.where,
                "value": str(figure.value),
                "text": figure.text,
            }
            for figure in value.values
        ],
        "difference": value.difference,
        "percent": value.percent,
        "note": value.note,
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
        "kind": value.kind,
        "number": value.number,
        "first": value.first,
        "second": value.second,
        "first_page": sides[0] and sides[0].page,
        "second_page": sides[1] and sides[1].page,
        "first_place": sides[0].where if sides[0] else "",
        "second_place": sides[1].where if sides[1] else "",
        "edits": [{"kind": edit.kind, "text": edit.text} for edit in value.edits],
        "figures_changed": value.figures_changed,
        "minor": value.minor,
    }


def lone_hit(value: Hit, nearest: Nearest | None) -> Json:
    """A passage without a partner, with what comes nearest to it in another document."""
    near = nearest and {
        "document": nearest.passage.document.name,
        "page_start": nearest.passage.chunk.page_start,
        "page_end": nearest.passage.chunk.page_end,
        "place": nearest.passage.chunk.where,
        "similarity": round(nearest.similarity, 4),
        "alike": nearest.alike,
        "text": nearest.passage.chunk.text,
    }
    return {**hit(value), "nearest": near}


def alignment(value: Alignment) -> Json:
    return {
        "similarity": round(value.similarity, 4),
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
        "summary": value.summary,
        "text": value.text,
        "answerer": value.answerer,
        "citations": [citation(entry) for entry in value.citations],
        "warnings": list(value.warnings),
        "usage": usage(value.usage),
        "seconds": round(value.seconds, 4),
        "partial": value.partial,
    }


def fate(value: Fate) -> Json:
    return {
        "document": value.document,
        "page": value.page,
        "place": value.where,
        "text": value.text,
        "stage": value.stage,
        "reason": value.reason,
        "remedy": value.remedy,
        "dense_rank": value.dense_rank,
        "keyword_rank": value.keyword_rank,
        "table_rank": value.table_rank,
        "fused_rank": value.fused_rank,
    }


def explanation(value: Explanation) -> Json:
    return {
        "question": value.question,
        "phrase": value.phrase,
        "summary": value.summary,
        "fates": [fate(each) for each in value.fates],
    }


def rate(value: Rate) -> Json:
    return {
        "value": round(value.value, 4),
        "hits": value.hits,
        "n": value.n,
        "interval": [round(end, 4) for end in value.interval],
    }


def figures(value: Figures) -> Json:
    return {
        "scope": value.scope,
        "hit_at": {str(depth): rate(of) for depth, of in value.hit_at.items()},
        "recall_at": {str(depth): round(of, 4) for depth, of in value.recall_at.items()},
        "mrr": round(value.mrr, 4),
        "every_document": rate(value.documents),
        "refusal_precision": rate(value.refusal_precision),
        "refusal_recall": rate(value.refusal_recall),
        "median_seconds": round(value.median_seconds, 4),
    }


def judged(value: Judged) -> Json:
    return {
        "question": value.asked.question,
        "scope": value.scope,
        "sources": {name: list(pages) for name, pages in value.asked.sources.items()},
        "answerable": value.asked.answerable,
        "pages": [list(page) for page in value.pages],
        "rank": value.rank,
        "missing": list(value.missing),
        "refused": value.refused,
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
        "median_seconds": round(value.median_seconds, 4),
        "tokens": value.tokens,
        "cost_usd": _dollars(value.cost_usd),
        "questions": [judged_answer(each) for each in value.judged],
        "skipped": list(value.skipped),
    }


def judged_answer(value: JudgedAnswer) -> Json:
    return {
        "question": value.asked.question,
        "sources": {name: list(pages) for name, pages in value.asked.sources.items()},
        "answerable": value.asked.answerable,
        "answer": value.text,
        "citations_hold": rate(value.held),
        "figures_supported": rate(value.supported),
        "declined": value.abstained,
        "right_page": value.right_page,
        "seconds": round(value.seconds, 4),
    }


def document(value: Document) -> Json:
    return {
        "document": value.name,
        "document_id": value.id,
        "kind": value.kind,
        "title": value.title,
        "description": value.description,
        "landmarks": [{"name": each.name, "page": each.page} for each in value.landmarks],
        "pages": value.page_count,
        "chunks": value.chunk_count,
        "discards": value.discard_count,
        "size": value.size,
        "added": value.added,
        "engine": value.engine,
        "state": value.state,
        "waiting_pages": value.waiting_pages,
        "warnings": list(value.warnings),
    }


def outline(value: Document, entries: Sequence[Entry]) -> Json:
    """A document's headings and tables, each with its page and how deep it stands."""
    return {
        "document": value.name,
        "document_id": value.id,
        "outline": [
            {
                "title": entry.title,
                "page": entry.page,
                "level": entry.level,
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
        "health": [
            {
                "page": page.page,
                "place": page.where,
                "label": page.label,
                "characters": page.characters,
                "source": page.source,
                "waiting": page.waiting,
                "warnings": list(page.warnings),
            }
            for page in pages
        ],
        "left_out": [
            {"page": each.page, "place": each.where, "reason": each.reason, "text": each.text}
            for each in left_out
        ],
    }


def add_result(value: AddResult) -> Json:
    known: Mapping[str, Any] = document(value.document) if value.document else {}
    return {"file": value.file, "status": value.status, "error": value.error, **known}


def model_status(value: ModelStatus) -> Json:
    return {
        "model": value.name,
        "purpose": value.purpose,
        "state": value.state,
        "size": value.size,
        "note": value.note,
        "used": value.used,
        "fault": value.fault,
    }
