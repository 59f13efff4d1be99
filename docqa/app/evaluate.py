"""How well searches find what answers questions whose pages are known."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from docqa.answer.evidence import choose_hits
from docqa.answer.findings import extractive
from docqa.app.resources import Resources
from docqa.app.search import likeness, search
from docqa.errors import NoDocuments
from docqa.retrieve import evaluate as evaluating
from docqa.retrieve.evaluate import read_questions
from docqa.settings import Settings
from docqa.types.evaluation import Evaluation, GoldQuestion, Judged, Scope


def evaluate(
    resources: Resources,
    questions: Sequence[GoldQuestion] | Path,
    *,
    scopes: Sequence[Scope],
    settings: Settings,
    progress: Callable[[int, int], None] | None,
    cancelled: Callable[[], bool] | None,
) -> Evaluation:
    """Search for the answer to each question in each scope; see `Workspace.evaluate`."""
    asked = read_questions(questions) if isinstance(questions, Path) else list(questions)
    documents = resources.catalog.documents()
    if not documents:
        raise NoDocuments
    known, skipped = evaluating.known(asked, documents)
    runs = [(each, scope) for scope in scopes for each in known if _belongs(each, scope)]
    judged: list[Judged] = []
    for each, scope in runs:
        if cancelled is not None and cancelled():
            break
        judged.append(_judged(resources, each, scope, settings))
        if progress is not None:
            progress(len(judged), len(runs))
    figures = tuple(evaluating.summed_up(judged, scope=scope) for scope in scopes)
    return Evaluation(figures, tuple(judged), tuple(skipped))


def _belongs(asked: GoldQuestion, scope: Scope) -> bool:
    """Whether the question is searched for in that scope: only those with sources have one."""
    return scope == "library" or bool(asked.sources)


def _judged(resources: Resources, asked: GoldQuestion, scope: Scope, settings: Settings) -> Judged:
    ids = {document.name: document.id for document in resources.catalog.documents()}
    within = [ids[name] for name in asked.sources] if scope == "document" else []
    result = search(resources, asked.question, document_ids=within, settings=settings)
    several = result.plan.question.several
    budget = (
        settings.answering.synthesis_evidence_chars
        if several
        else settings.answering.evidence_chars
    )
    like = partial(likeness, resources)
    return evaluating.judge(
        asked,
        result,
        scope=scope,
        evidence=choose_hits(result.hits, max_chars=budget),
        refused=not extractive.answers(result, settings=settings, likeness=like),
    )
