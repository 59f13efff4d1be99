"""How well search finds the page that answers a question.

    python -m tests.eval.retrieval FOLDER_OF_PDFS QUESTIONS.jsonl [--library DIR] [--json]

adds the PDFs to a library (those already there are skipped), asks every question of its own
document and of the whole library, and prints hit@1, hit@5, hit@10 and the mean reciprocal rank.

A search's ranking of pages: its hits in order, each giving the pages it stands on from first to
last, every page counted once. A question is answered at rank r when its r-th page is the first
that is among its gold pages; in the whole library the document must be the right one too.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from docqa.library.filenames import clean_name
from docqa.settings import DEFAULTS, Settings
from docqa.types import SearchResult
from docqa.workspace import Workspace
from tests.eval.metrics import hits_at, mean_reciprocal_rank, page_ranking, rank_of_gold
from tests.eval.questions import Question, read_questions

DEPTHS = (1, 5, 10)
SCOPES = ("document", "library")


@dataclass(frozen=True, slots=True)
class Measured:
    """One question within one scope: the rank of its first gold page (0: none) and the time."""

    scope: str
    question: str
    document: str
    rank: int
    seconds: float


def measure(
    workspace: Workspace, questions: Sequence[Question], *, scope: str, settings: Settings
) -> list[Measured]:
    """Every question whose document is in the library, searched in "document" or "library"."""
    ids = {document.name: document.id for document in workspace.documents()}
    found = []
    for question in questions:
        document_id = ids.get(clean_name(question.document))
        if document_id is None:
            continue
        within = (document_id,) if scope == "document" else ()
        result = workspace.search(
            question.text, document_ids=within, top_k=settings.top_k, settings=settings
        )
        rank = rank_of_gold(page_ranking(_spans(result)), _gold(question))
        found.append(Measured(scope, question.text, question.document, rank, result.seconds))
    return found


def _gold(question: Question) -> set[tuple[str, int]]:
    return {(clean_name(question.document), page) for page in question.pages}


def _spans(result: SearchResult) -> Iterator[tuple[str, int, int]]:
    for hit in result.hits:
        yield hit.document.name, hit.chunk.page_start, hit.chunk.page_end


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """The figures of one scope, ready for JSON."""
    ranks = [each.rank for each in measured]
    rates = {f"hit@{depth}": hits_at(ranks, depth) for depth in DEPTHS}
    seconds = sorted(each.seconds for each in measured)
    return {
        "n": len(ranks),
        **{name: {"value": rate.value, "interval": rate.interval} for name, rate in rates.items()},
        "mrr": mean_reciprocal_rank(ranks),
        "median_seconds": seconds[len(seconds) // 2] if seconds else 0.0,
    }


@contextmanager
def _library(chosen: Path | None) -> Iterator[Path]:
    if chosen is not None:
        yield chosen
        return
    with tempfile.TemporaryDirectory(prefix="docqa-eval-") as folder:
        yield Path(folder)


def _add(workspace: Workspace, folder: Path) -> None:
    known = {document.name for document in workspace.documents()}
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf")
    for path in paths:
        if clean_name(path.name) in known:
            continue
        (result,) = workspace.add([path])
        sys.stderr.write(f"{result.status}: {result.file} {result.error}\n")


def _printed(scope: str, measured: Sequence[Measured]) -> str:
    ranks = [each.rank for each in measured]
    rates = "  ".join(f"hit@{depth} {hits_at(ranks, depth)}" for depth in DEPTHS)
    return f"{scope:8}  {rates}  MRR {mean_reciprocal_rank(ranks):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure retrieval over pages.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--library", type=Path, help="kept and used again; else a temporary one")
    parser.add_argument("--top-k", type=int, default=DEFAULTS.top_k)
    parser.add_argument("--json", action="store_true", help="every question's rank, too")
    options = parser.parse_args()
    settings = replace(DEFAULTS, top_k=options.top_k)
    questions = read_questions(options.questions)
    with _library(options.library) as library, Workspace(library) as workspace:
        _add(workspace, options.folder)
        runs = {
            scope: measure(workspace, questions, scope=scope, settings=settings) for scope in SCOPES
        }
    if options.json:
        figures = {scope: summary(run) for scope, run in runs.items()}
        every = [asdict(each) for run in runs.values() for each in run]
        print(json.dumps({"summary": figures, "questions": every}, indent=1))
    else:
        print("\n".join(_printed(scope, run) for scope, run in runs.items()))


if __name__ == "__main__":
    main()
