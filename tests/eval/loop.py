"""How the tool loop does: what it finds, how often it searches, whether its citations hold.

    python -m tests.eval.loop FOLDER_OF_PDFS QUESTIONS.jsonl [--library DIR] [--model MODEL]
                              [--limit N] [--loopback]

asks every question with the key in the environment, or, with ``--loopback``, a server on this
machine that searches once and quotes the first passage: that measures the loop and the search,
not a model. QUESTIONS are as in `tests.eval.extractive`.

- recall: questions with pages whose evidence has one of them; MRR over the evidence's order.
- searches: the mean for a question, the first included.
- grounded: citations whose every quotation and figure was verified.
- page cited: questions with pages whose answer cites one of them.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from docqa.errors import AnswerError
from docqa.library.filenames import clean_name
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.answer import Answer
from docqa.types.evaluation import Rate
from docqa.types.phrases import dollars
from docqa.workspace import Workspace
from tests.eval.extractive import Asked, read_asked
from tests.eval.library import add_folder, library_folder
from tests.messages_server import MessagesServer, Turn, cited, text, tool_use


@dataclass(frozen=True, slots=True)
class Run:
    """A question and the answer it got."""

    asked: Asked
    answer: Answer

    @property
    def gold(self) -> set[tuple[str, int]]:
        return {(clean_name(n), page) for n in self.asked.documents for page in self.asked.pages}

    @property
    def rank(self) -> int:
        """The place of the first evidence with a gold page, from 1; 0 where none has."""
        for place, piece in enumerate(self.answer.evidence, start=1):
            pages = {(piece.hit.document.name, block.page) for block in piece.hit.chunk.blocks}
            if pages & self.gold:
                return place
        return 0

    @property
    def page_cited(self) -> bool:
        cited = {(c.document, block.page) for c in self.answer.citations for block in c.blocks}
        return self.answer.found and bool(cited & self.gold)


def report(runs: Sequence[Run], *, failed: int = 0) -> str:
    paged = [run for run in runs if run.asked.pages]
    verdicts = [c.verified for run in runs for c in run.answer.citations]
    n = max(1, len(runs))
    mrr = sum(1 / run.rank for run in paged if run.rank) / max(1, len(paged))
    costs = [run.answer.usage.cost_usd for run in runs if run.answer.usage.cost_usd is not None]
    searches = sum(run.answer.usage.searches for run in runs)
    lines = {
        "answered": Rate(sum(run.answer.found for run in runs), len(runs)),
        "recall": Rate(sum(run.rank > 0 for run in paged), len(paged)),
        "MRR": f"{mrr:.3f} n={len(paged)}",
        "searches": f"{searches / n:.2f} a question n={len(runs)}",
        "grounded": Rate(verdicts.count("verified"), len(verdicts)),
        "page cited": Rate(sum(run.page_cited for run in paged), len(paged)),
        "tokens": f"{sum(run.answer.usage.tokens for run in runs) / n:.0f} a question",
        "cost": f"{dollars(sum(costs, Decimal(0)))} for {len(costs)} answers",
        "failed": str(failed),
    }
    return "\n".join(f"{name:12}{value}" for name, value in lines.items())


def quoting(body: dict[str, Any]) -> Turn:
    """What the loopback server says: it searches once, then quotes the first passage given."""
    contents = [part for m in body["messages"] for part in m["content"] if isinstance(part, dict)]
    if body["tool_choice"]["type"] == "auto" and not any(
        part["type"] == "tool_result" for part in contents
    ):
        question = contents[-1]["text"].removeprefix("Question: ")
        return Turn([tool_use("search_documents", query=question[:300])], "tool_use")
    found = next((part for part in contents if part["type"] == "search_result"), None)
    if found is None:
        return Turn([text("Nothing in the documents answers this.")])
    said = found["content"][0]["text"]
    return Turn([text(f"“{said}”", cited(found["source"], 0, 1))])


def measure(
    workspace: Workspace, questions: Iterable[Asked], *, key: str | None, settings: Settings
) -> tuple[list[Run], int]:
    """Every question whose documents are in the library, asked of those; and how many failed."""
    ids = {document.name: document.id for document in workspace.documents()}
    runs, failed = [], 0
    for asked in questions:
        names = [clean_name(name) for name in asked.documents]
        if any(name not in ids for name in names):
            continue
        chosen = [ids[name] for name in names]
        try:
            *_, answer = workspace.ask(
                asked.question, document_ids=chosen, answerer="claude", api_key=key,
                settings=settings, sides=(),
            )  # fmt: skip
        except AnswerError as error:
            sys.stderr.write(f"{asked.question}: {error}\n")
            failed += 1
            continue
        assert isinstance(answer, Answer)
        runs.append(Run(asked, answer))
    return runs, failed


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the tool loop.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--library", type=Path, help="kept and used again; else a temporary one")
    parser.add_argument("--model", default=DEFAULTS.answering.model)
    parser.add_argument("--limit", type=int, default=None, help="the first so many questions")
    parser.add_argument("--loopback", action="store_true")
    options = parser.parse_args()
    questions = read_asked(options.questions)[: options.limit]
    settings = adjust(DEFAULTS, model=options.model)
    with (
        MessagesServer(quoting) if options.loopback else nullcontext() as server,
        library_folder(options.library) as library,
        Workspace(library) as workspace,
    ):
        add_folder(workspace, options.folder)
        if server is not None:
            settings = adjust(settings, base_url=server.url)
        key = "loopback" if server is not None else None
        runs, failed = measure(workspace, questions, key=key, settings=settings)
    print(report(runs, failed=failed))


if __name__ == "__main__":
    main()
