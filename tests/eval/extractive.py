"""How often the extractive answer holds the gold figure, and quotes from a page that answers.

    python -m tests.eval.extractive FOLDER_OF_PDFS QUESTIONS [--library DIR] [--show]

adds the PDFs to a library (those already there are skipped) and asks every question of the
documents it names. QUESTIONS is JSON Lines or a JSON list with ``question``, ``answer``, and
``document`` or a list ``gold`` of file names, and ``pages`` (from 1) where they are known. A
question without an answer ("answer": null) should be refused.

- figure: of the questions whose gold answer has figures (years apart), those whose answer holds
  one of them; ``all figures`` those whose answer holds every one. Figures agree by their digits:
  "$1.2 million" and 1,200 (in thousands) are the same.
- figure first: those whose first quotation holds one.
- figure in evidence: the same of the passages found, which bounds it.
- printed first: the same of those whose gold answer has a figure that stands on its pages.
- page: of the questions with pages, those with a quotation from one of them.
- words: the mean share of the gold answer's words that the answer holds.
- seconds: from the question to the whole answer, models loaded; ``computing`` is the processor's
  time for it, over all cores, which other work on the machine changes less.
"""

import argparse
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from docqa.answer.evidence import MARKER
from docqa.language.amounts import stated_amounts
from docqa.language.words import content_words
from docqa.library.filenames import clean_name
from docqa.types.answer import Answer
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.library import add_folder, library_folder


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the answer it should have (None: none), and the pages that hold it."""

    question: str
    answer: str | None
    documents: tuple[str, ...]
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    asked: Asked
    answer: Answer
    seconds: float  # of search and answering
    computing: float  # the same, of processor time
    printed: bool = False  # whether a figure of the gold answer stands on the pages that hold it

    @property
    def page(self) -> bool:
        places = {(c.document, b.page) for c in self.answer.citations for b in c.blocks}
        names = [clean_name(name) for name in self.asked.documents]
        wanted = {(name, page) for name in names for page in self.asked.pages}
        return self.answer.found and bool(places & wanted)

    @property
    def figures(self) -> tuple[int, int]:
        """How many of the gold answer's figures the answer holds, and how many there are."""
        gold = digits_of(self.asked.answer or "")
        return len(gold & digits_of(self.answer.text)), len(gold)

    @property
    def figure_first(self) -> bool:
        """Whether the first line with a quotation holds one of the gold answer's figures."""
        quoted = (line for line in self.answer.text.splitlines() if MARKER.search(line))
        return bool(digits_of(self.asked.answer or "") & digits_of(next(quoted, "")))

    @property
    def figure_in_evidence(self) -> bool:
        text = " ".join(piece.hit.chunk.text for piece in self.answer.evidence)
        return bool(digits_of(self.asked.answer or "") & digits_of(text))

    @property
    def words(self) -> float:
        gold = set(content_words(self.asked.answer or ""))
        return len(gold & set(content_words(self.answer.text))) / len(gold) if gold else 1.0


def digits_of(text: str) -> set[str]:
    """The significant digits of every amount in a text that has two: scale and unit put aside.

    >>> sorted(digits_of("$1.20 million in 2024, up 8.1%"))
    ['12', '81']
    """
    found = set()
    for amount in stated_amounts(text, words=False):
        plain = re.sub(r"\D", "", str(amount.value.normalize()).split("E")[0])
        found.add(plain.strip("0"))
    return {digits for digits in found if len(digits) > 1}


def read_asked(path: Path) -> list[Asked]:
    text = path.read_text(encoding="utf-8")
    rows = json.loads(text) if text.lstrip().startswith("[") else map(json.loads, text.splitlines())
    return [_asked(row) for row in rows]


def _asked(row: dict[str, Any]) -> Asked:
    documents = (row["document"],) if "document" in row else tuple(row.get("gold", ()))
    answer = row["answer"].partition("SOURCE(S)")[0] if row["answer"] else None
    return Asked(row["question"], answer, documents, tuple(row.get("pages", ())))


def measure(workspace: Workspace, questions: Iterable[Asked]) -> list[Outcome]:
    """Every question whose documents are in the library, answered from those; models loaded."""
    workspace.warming.start().join()
    ids = {document.name: document.id for document in workspace.documents()}
    outcomes = []
    for asked in questions:
        names = [clean_name(name) for name in asked.documents]
        if any(name not in ids for name in names):
            continue
        chosen = [ids[name] for name in names]
        started, computed = time.perf_counter(), time.process_time()
        *_, answer = workspace.ask(
            asked.question, document_ids=chosen, answerer="extractive", sides=()
        )
        assert isinstance(answer, Answer)
        seconds, computing = time.perf_counter() - started, time.process_time() - computed
        printed = _is_printed(asked, workspace, chosen)
        outcomes.append(Outcome(asked, answer, seconds, computing, printed))
    return outcomes


def _is_printed(asked: Asked, workspace: Workspace, chosen: Iterable[str]) -> bool:
    blocks = (b for each in chosen for b in workspace.resources.catalog.blocks(each))
    text = " ".join(block.text for block in blocks if block.page in asked.pages)
    return bool(digits_of(asked.answer or "") & digits_of(text))


def report(outcomes: Sequence[Outcome]) -> str:
    answerable = [o for o in outcomes if o.asked.answer is not None]
    absent = [o for o in outcomes if o.asked.answer is None]
    figured = [o for o in answerable if o.figures[1]]
    figures = [o.figures for o in figured]
    paged = [o for o in answerable if o.asked.pages]
    verdicts = [c.verified for o in outcomes for c in o.answer.citations]
    words = sum(o.words for o in answerable) / max(1, len(answerable))
    lines = {
        "answered": Rate(sum(o.answer.found for o in answerable), len(answerable)),
        "figure": Rate(sum(held > 0 for held, _ in figures), len(figures)),
        "figure first": Rate(sum(o.figure_first for o in figured), len(figured)),
        "printed first": Rate(
            sum(o.figure_first for o in figured if o.printed), sum(o.printed for o in figured)
        ),
        "figure in evidence": Rate(sum(o.figure_in_evidence for o in figured), len(figured)),
        "all figures": Rate(sum(held == n for held, n in figures), len(figures)),
        "page": Rate(sum(o.page for o in paged), len(paged)),
        "refused": Rate(sum(not o.answer.found for o in absent), len(absent)),
        "citations verified": Rate(verdicts.count("verified"), len(verdicts)),
        "words": f"{words:.3f} n={len(answerable)}",
        "quotations": f"{len(verdicts) / max(1, len(outcomes)):.1f} an answer",
        "seconds": _median([o.seconds for o in outcomes]),
        "seconds, computing": _median([o.computing for o in outcomes]),
    }
    said = {name: value for name, value in lines.items() if "n=0" not in str(value)}
    return "\n".join(f"{name:20}{value}" for name, value in said.items())


def _median(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.3f} median n={len(seconds)}" if seconds else "n=0"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure extractive answers.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--library", type=Path, help="kept and used again; else a temporary one")
    parser.add_argument("--show", action="store_true", help="every question with its answer")
    options = parser.parse_args()
    questions = read_asked(options.questions)
    with library_folder(options.library) as library, Workspace(library) as workspace:
        add_folder(workspace, options.folder)
        outcomes = measure(workspace, questions)
    if options.show:
        for o in outcomes:
            print(f"{o.asked.question}\n  gold: {o.asked.answer}\n{o.answer.text}\n")
    print(report(outcomes))


if __name__ == "__main__":
    main()
