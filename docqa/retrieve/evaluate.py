"""How well searches find what answers: questions with known answers, read, judged, summed up."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from docqa.errors import QuestionError, QuestionsUnreadable
from docqa.library.filenames import clean_name
from docqa.question.names import resolve
from docqa.retrieve.metrics import (
    gold_pages,
    hits_at,
    mean_reciprocal_rank,
    page_ranking,
    rank_of_gold,
    recall_at,
)
from docqa.types.document import Document
from docqa.types.evaluation import Figures, GoldQuestion, Judged, Rate, Scope
from docqa.types.search import Hit, SearchResult

DEPTHS = (1, 3, 5, 10)


def read_questions(path: Path) -> list[GoldQuestion]:
    """The questions of a JSON Lines file, in its order. Raises `QuestionsUnreadable`.

    Each line has ``question`` and where its answer stands: ``document`` with ``pages`` (from 1),
    or ``sources``, which maps names to pages, or ``documents`` where pages are not known. A
    question that the documents do not answer has ``"answerable": false``.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsUnreadable(path.name, reason="it is missing or is not text") from error
    made = [_read(line, f"line {n}", path.name) for n, line in enumerate(lines, 1) if line.strip()]
    if not made:
        raise QuestionsUnreadable(path.name, reason="it has no line with a question")
    return made


def _read(line: str, where: str, name: str) -> GoldQuestion:
    try:
        row = json.loads(line)
        question = row["question"]
        if not isinstance(question, str):
            raise TypeError
        return GoldQuestion(question, _sources(row), bool(row.get("answerable", True)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{where} is not a JSON object with a “question” and “document” and “pages”"
        raise QuestionsUnreadable(name, reason=reason) from error


def _sources(row: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    if "sources" in row:
        return {name: tuple(map(int, pages)) for name, pages in row["sources"].items()}
    named = row.get("documents") or row.get("document") or []
    pages = tuple(map(int, row.get("pages") or ()))
    names = [named] if isinstance(named, str) else list(named)
    return dict.fromkeys(names, pages if len(names) == 1 else ())


def known(
    questions: Iterable[GoldQuestion], documents: Sequence[Document]
) -> tuple[list[GoldQuestion], list[str]]:
    """The questions whose documents are in the library, named as there; sentences on the others.

    A document that a question names is found as a person's naming of it would be.
    """
    kept, skipped = [], []
    for asked in questions:
        try:
            sources = {_name(name, documents): pages for name, pages in asked.sources.items()}
            kept.append(replace(asked, sources=sources))
        except QuestionError as error:
            skipped.append(f"“{asked.question}” was not asked: {error}")
    return kept, skipped


def _name(name: str, documents: Sequence[Document]) -> str:
    exact = {document.name for document in documents}
    kept_as = clean_name(name)
    return kept_as if kept_as in exact else resolve(name, documents).name


def judge(
    asked: GoldQuestion,
    result: SearchResult,
    *,
    scope: Scope,
    evidence: Iterable[Hit],
    refused: bool,
) -> Judged:
    """A search's result beside what should have been found; ``evidence`` are the hits used."""
    spans = ((h.document.name, h.chunk.page_start, h.chunk.page_end) for h in result.hits)
    pages = page_ranking(spans)
    heard = {hit.document.name for hit in evidence}
    return Judged(
        asked=asked,
        scope=scope,
        pages=tuple(pages),
        rank=rank_of_gold(pages, gold_pages(asked.sources)),
        missing=tuple(name for name in asked.sources if name not in heard),
        refused=refused,
        seconds=result.seconds,
    )


def summed_up(judged: Sequence[Judged], *, scope: Scope) -> Figures:
    """The figures of the questions judged in one scope.

    Ranks are of the answerable questions whose pages are known, documents of those that name any.
    """
    own = [each for each in judged if each.scope == scope]
    answerable = [each for each in own if each.asked.answerable]
    paged = [each for each in answerable if any(each.asked.sources.values())]
    named = [each for each in answerable if each.asked.sources]
    refused = [each for each in own if each.refused]
    absent = [each for each in own if not each.asked.answerable]
    ranks = [each.rank for each in paged]
    seconds = sorted(each.seconds for each in own)
    return Figures(
        scope=scope,
        hit_at={depth: hits_at(ranks, depth) for depth in DEPTHS},
        recall_at={depth: _mean_recall(paged, depth) for depth in DEPTHS},
        mrr=mean_reciprocal_rank(ranks),
        documents=Rate(sum(not each.missing for each in named), len(named)),
        refusal_precision=Rate(sum(not each.asked.answerable for each in refused), len(refused)),
        refusal_recall=Rate(sum(each.refused for each in absent), len(absent)),
        median_seconds=seconds[len(seconds) // 2] if seconds else 0.0,
    )


def _mean_recall(judged: Sequence[Judged], depth: int) -> float:
    shares = [recall_at(each.pages, gold_pages(each.asked.sources), depth) for each in judged]
    return sum(shares) / len(shares) if shares else 0.0
