"""How well search finds what answers, on sets of questions with known answers.

    python -m tests.eval.retrieval FOLDER... [--libraries DIR] [--plain] [--keywords] [--floors]
        [--answerable]

For each folder (see `tests.eval.sets` for the forms) its PDFs are added to a library (those
already there are skipped), every question is asked, and the figures of `Evaluations.searches` are
printed. ``--libraries`` keeps a library for each set under DIR. ``--plain`` prints the figures of
the plain pipeline (`tests.eval.plain`) beside them, ``--keywords`` those of the keyword index
alone (BM25), and ``--floors`` those with other relevance floors. A question counts as refused where
the answer quoted from its hits says that nothing answers it. ``--answerable`` leaves out the
questions that nothing answers, which saves two thirds of the time on contracts. What each stage is
worth, `tests.eval.stages` prints.

A search's ranking of pages: its hits in order, each giving the pages it stands on from first to
last, every page counted once. A question is answered at rank r when its r-th page is the first
that is among its gold pages; in the whole library the document must be the right one too.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from docqa.settings import DEFAULTS, adjust
from docqa.types.evaluation import Evaluation, Rate
from docqa.workspace import Workspace
from tests.eval.library import library_of
from tests.eval.plain import Plain, measured
from tests.eval.sets import Set, read_set

FLOORS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


def answered(asked: Set) -> Set:
    return replace(asked, questions=tuple(each for each in asked.questions if each.answerable))


def shares(made: Evaluation) -> dict[str, dict[str, Rate]]:
    """The rates of each scope, by name; those of no question are left out."""
    told: dict[str, dict[str, Rate]] = {}
    for figures in made.figures:
        rates = {f"hit@{depth}": rate for depth, rate in figures.hit_at.items()}
        rates["every document"] = figures.documents
        rates["refused rightly"] = figures.refusal_precision
        rates["refused"] = figures.refusal_recall
        told[figures.scope] = {name: rate for name, rate in rates.items() if rate.n}
    return told


def line(*titles: str, rates: Mapping[str, Rate]) -> str:
    told = "  ".join(f"{name} {rate}" for name, rate in rates.items() if rate.n)
    return f"{'  '.join(titles)}  {told}"


def evaluate(asked: Set, workspace: Workspace, title: str, **changes: Any) -> None:
    settings = adjust(DEFAULTS, **changes)
    made = workspace.evaluations.searches(asked.questions, scopes=asked.scopes, settings=settings)
    for scope, rates in shares(made).items():
        print(line(asked.name, scope, title, rates=rates), flush=True)


def keywords_alone(asked: Set, workspace: Workspace) -> None:
    evaluate(asked, workspace, "keywords alone", dense_weight=0.0, use_reranker=False)


def compare_plain(asked: Set, workspace: Workspace, folder: Path) -> None:
    plain = Plain(folder / "plain", asked.pdfs, workspace.resources.encoder)
    for scope in asked.scopes:
        rates = measured(plain, asked.questions, scope=scope, depths=(1, 3, 5, 10))
        print(line(asked.name, scope, "plain pipeline", rates=rates), flush=True)
    plain.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure retrieval over pages.")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--libraries", type=Path, help="a library for each set, used again")
    parser.add_argument("--plain", action="store_true", help="the plain pipeline, too")
    parser.add_argument("--keywords", action="store_true", help="the keyword index alone, too")
    parser.add_argument("--floors", action="store_true", help="with other relevance floors, too")
    parser.add_argument("--answerable", action="store_true", help="only what is answered")
    options = parser.parse_args()
    for folder in options.folders:
        asked = answered(read_set(folder)) if options.answerable else read_set(folder)
        with library_of(asked, options.libraries) as workspace:
            if options.plain:
                compare_plain(asked, workspace, workspace.folder)
            if options.keywords:
                keywords_alone(asked, workspace)
            evaluate(asked, workspace, "search")
            for floor in FLOORS if options.floors else ():
                evaluate(asked, workspace, f"floor {floor}", relevance_floor=floor)


if __name__ == "__main__":
    main()
