"""The command that measures search and answers: evaluate."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from docqa.cli.arguments import AddCommand, add_answerer, reading
from docqa.cli.output import print_count, write
from docqa.present import as_json
from docqa.types.evaluation import AnswerEvaluation, Figures, Scope
from docqa.workspace import Workspace


def register(add_command: AddCommand) -> None:
    evaluate = add_command(
        "evaluate", reading(_evaluate), "measure search by questions with known pages"
    )
    evaluate.add_argument("questions", type=Path, metavar="QUESTIONS.jsonl")
    evaluate.add_argument("--within", choices=("document", "library", "both"), default="both")
    answers = "have each question answered, and count what holds"
    evaluate.add_argument("--answers", action="store_true", help=answers)
    add_answerer(evaluate)


def _evaluate(workspace: Workspace, options: argparse.Namespace) -> int:
    skipped = (_answers if options.answers else _searches)(workspace, options)
    for sentence in skipped:
        print(sentence, file=sys.stderr)
    return int(bool(skipped))


def _searches(workspace: Workspace, options: argparse.Namespace) -> tuple[str, ...]:
    scopes: dict[str, tuple[Scope, ...]] = {"document": ("document",), "library": ("library",)}
    evaluation = workspace.evaluations.searches(
        options.questions,
        scopes=scopes.get(options.within, ("document", "library")),
        progress=print_count("searches"),
    )
    lines = (line for figures in evaluation.figures for line in _figure_lines(figures))
    write(options, as_json.evaluation(evaluation), lines)
    return evaluation.skipped


def _answers(workspace: Workspace, options: argparse.Namespace) -> tuple[str, ...]:
    evaluation = workspace.evaluations.answers(
        options.questions, answerer=options.answerer, progress=print_count("answers")
    )
    write(options, as_json.answer_evaluation(evaluation), _answer_lines(evaluation))
    return evaluation.skipped


def _answer_lines(evaluation: AnswerEvaluation) -> Iterator[str]:
    yield f"Answered by {evaluation.answerer or 'nobody'}"
    shares = {
        "citations hold": evaluation.held,
        "figures supported": evaluation.supported,
        "right page cited": evaluation.right_pages,
        "answered": evaluation.answered,
        "rightly declined": evaluation.abstained,
    }
    yield from (f"  {name:18}{rate}" for name, rate in shares.items() if rate.n)
    yield f"  {'median seconds':18}{evaluation.median_seconds:.1f}"
    if evaluation.tokens:
        yield f"  {'tokens':18}{evaluation.tokens:,}"
    if evaluation.cost_usd is not None:
        yield f"  {'cost':18}${evaluation.cost_usd:.2f}"


def _figure_lines(figures: Figures) -> Iterator[str]:
    yield "Within the documents that answer" if figures.scope == "document" else "In the library"
    if figures.hit_at[1].n:
        for depth, rate in figures.hit_at.items():
            yield f"  {f'hit@{depth}':18}{rate}   recall@{depth} {figures.recall_at[depth]:.3f}"
        yield f"  {'MRR':18}{figures.mrr:.3f}"
    shares = {
        "every document": figures.documents,
        "refusal precision": figures.refusal_precision,
        "refusal recall": figures.refusal_recall,
    }
    yield from (f"  {name:18}{rate}" for name, rate in shares.items() if rate.n)
    yield f"  {'median seconds':18}{figures.median_seconds:.3f}"
