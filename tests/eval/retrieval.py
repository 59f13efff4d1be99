"""How well search finds what answers, on sets of questions with known answers.

    python -m tests.eval.retrieval FOLDER... [--libraries DIR]

For each folder (see `tests.eval.sets` for the forms) its PDFs are added to a library (those
already there are skipped), every question is asked, and the figures of `Workspace.evaluate` are
printed. ``--libraries`` keeps a library for each set under DIR.

A search's ranking of pages: its hits in order, each giving the pages it stands on from first to
last, every page counted once. A question is answered at rank r when its r-th page is the first
that is among its gold pages; in the whole library the document must be the right one too.
"""

import argparse
from pathlib import Path

from docqa.types import Evaluation
from docqa.workspace import Workspace
from tests.eval.library import add_folder, library_folder
from tests.eval.sets import Set, read_set


def lines_of(name: str, made: Evaluation) -> list[str]:
    """One line for each scope."""
    lines = []
    for figures in made.figures:
        shares = {f"hit@{depth}": rate for depth, rate in figures.hit_at.items()}
        shares["every document"] = figures.documents
        shares["refused rightly"] = figures.refusal_precision
        shares["refused"] = figures.refusal_recall
        told = "  ".join(f"{share} {rate}" for share, rate in shares.items() if rate.n)
        lines.append(f"{name} {figures.scope}  {told}  MRR {figures.mrr:.3f}")
    return lines


def evaluated(asked: Set, library: Path | None) -> Evaluation:
    with library_folder(library) as folder, Workspace(folder) as workspace:
        add_folder(workspace, asked.pdfs)
        return workspace.evaluate(asked.questions, scopes=asked.scopes)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure retrieval over pages.")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--libraries", type=Path, help="a library for each set, used again")
    options = parser.parse_args()
    for folder in options.folders:
        asked = read_set(folder)
        kept = options.libraries / asked.name if options.libraries else None
        print("\n".join(lines_of(asked.name, evaluated(asked, kept))), flush=True)


if __name__ == "__main__":
    main()
