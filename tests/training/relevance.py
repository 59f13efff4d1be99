"""Chooses what the parts of a passage's relevance weigh (`docqa.retrieve.relevance`).

    python -m tests.training.relevance FOLDER... --libraries DIR

Each set of questions (see `tests.eval.sets`) is asked of its library, in its first scope, without
those that the reranker learns from. The weights are those under which a passage on a page that
answers is likeliest to come first (conditional logit: McFadden, 1974), the base that under which
the chances are as often right as they say. It is printed how often one comes first with them, each
fifth of the documents weighed by what the others taught, and how often with those that ship.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from docqa.app.search import read_question
from docqa.question.queries import make_plan
from docqa.retrieve import relevance as shipped
from docqa.retrieve import search as retrieval
from docqa.types.evaluation import GoldQuestion
from docqa.types.search import Hit
from docqa.workspace import Workspace
from tests.eval.library import library_of
from tests.eval.sets import Set, read_set
from tests.training.calibrate import platt
from tests.training.judge import contracts_learnt_from

NAMES = ("READ", "FUSED", "WORDS", "MEANING", "PHRASES", "OPENING")
FOLDS = 5
HELD = 0.01  # how much weights are held towards those that ship

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Read:
    """A question's passages as the reranker read them: what was found of each, (n, 6), and which
    stand on a page that answers, (n,)."""

    found: Numbers
    right: NDArray[np.bool_]
    group: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.relevance")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--libraries", type=Path, required=True)
    given = parser.parse_args()
    sets: dict[str, list[Read]] = {}
    for folder in given.folders:
        asked = read_set(folder)
        with library_of(asked, given.libraries) as workspace:
            sets[asked.name] = list(_read(workspace, asked, _not_learnt(folder, asked)))
    every = [each for own in sets.values() for each in own]
    before = np.array([getattr(shipped, name) for name in NAMES])
    told("as they ship", sets, dict.fromkeys(range(FOLDS), before))
    folds = {
        fold: weighed([each for each in every if _fold(each) != fold], before)
        for fold in range(FOLDS)
    }
    told("by the other documents", sets, folds)
    weights = weighed(every, before)
    _, base = platt(
        [score for each in every for score in each.found @ weights],
        [bool(right) for each in every for right in each.right],
    )
    print(*(f"{name} {weight:.2f}" for name, weight in zip(NAMES, weights, strict=True)))
    print(f"BASE {base:.2f}")


def _not_learnt(folder: Path, asked: Set) -> list[GoldQuestion]:
    """What is answered on a known page, and was not taught to the reranker: its readings of other
    questions are better than they will be."""
    answered = [each for each in asked.questions if each.answerable and any(each.sources.values())]
    if (folder / "clause_pages.json").exists():
        learnt = set(contracts_learnt_from(folder))
        return [each for each in answered if not learnt & set(each.sources)]
    return answered[1::2] if (folder / "qa.jsonl").exists() else answered


def _read(workspace: Workspace, asked: Set, questions: Sequence[GoldQuestion]) -> Iterator[Read]:
    ids = {document.name: document.id for document in workspace.documents()}
    opened = workspace.resources
    for each in questions:
        within = [ids[name] for name in each.sources] if asked.scopes[0] == "document" else []
        question = read_question(opened, each.question, document_ids=within)
        trace = retrieval.traced(
            make_plan(question),
            catalog=opened.catalog,
            index=opened.index_if_there(),
            encoder=opened.encoder,
            settings=opened.settings,
            reranker=opened.reranker,
        )
        hits = [hit for hit in trace.pool if "read" in hit.scores]
        right = np.array([_answers(hit, each) for hit in hits], dtype=bool)
        if right.any() and not right.all():
            yield Read(_found(hits), right, next(iter(each.sources)))


def _answers(hit: Hit, asked: GoldQuestion) -> bool:
    on = range(hit.chunk.page_start, hit.chunk.page_end + 1)
    return any(page in on for page in asked.sources.get(hit.document.name, ()))


def _found(hits: Sequence[Hit]) -> Numbers:
    """What `relevance` weighs, (n, 6)."""
    scores = [hit.scores for hit in hits]
    fused, words = (np.array([s.get(name, 0.0) for s in scores]) for name in ("rrf", "bm25"))
    read = np.clip([s["read"] for s in scores], 1e-5, 1 - 1e-5)
    others = ([s.get(name, 0.0) for s in scores] for name in ("dense", "phrases", "opening"))
    shares = (each / (each.max() or 1.0) for each in (fused, words))
    return np.column_stack([np.log(read / (1 - read)), *shares, *others])


def weighed(questions: Sequence[Read], before: Numbers) -> Numbers:
    """The weights, (6,), under which what answers is likeliest to be drawn first, none below 0."""

    def loss(weights: Numbers) -> float:
        total = HELD * float(np.square(weights - before).sum())
        for each in questions:
            odds = each.found @ weights
            total += np.logaddexp.reduce(odds) - np.logaddexp.reduce(odds[each.right])
        return float(total / len(questions))

    found: Numbers = minimize(loss, before, bounds=[(0, None)] * len(NAMES)).x
    return found


def _fold(each: Read) -> int:
    return sum(each.group.encode()) % FOLDS


def told(title: str, sets: dict[str, list[Read]], weights: dict[int, Numbers]) -> None:
    """How often a passage on a page that answers comes first, of those questions where one was
    read."""
    for name, questions in sets.items():
        first = [each.right[(each.found @ weights[_fold(each)]).argmax()] for each in questions]
        print(f"{name}, {title}: first {sum(first)} of {len(first)}")


if __name__ == "__main__":
    main()
