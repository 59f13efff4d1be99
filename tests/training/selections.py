"""Teaches which rows of a list a question means, as `docqa.answer.findings.selections` reads it.

    python -m tests.training.selections --library DIR --out docqa/answer/findings/selections.json

``selections.jsonl`` has questions that a language model wrote, in words of their own, for the rows
of lists in the documents that it wrote for the other networks: a document, a question, and what the
rows are called that it means, none where nothing in the document tells. The documents are added to
the library where they are not there yet. Questions for a fact or a clause of those documents
(``asked.jsonl``, ``asked_reader.jsonl``) ask for no rows, nor do those composed on other documents,
and teach that as well.

Printed is how many of those in ``selections_held.jsonl``, of other documents, are told rightly at
each chance from which on docqa answers.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-untyped]

from docqa.answer.findings.relation import may_list, merged
from docqa.answer.findings.selections import NAMES, Selection, selections
from docqa.app.findings import networks
from docqa.language.linear import linear_of
from docqa.library.filenames import clean_name
from docqa.workspace import Workspace
from tests.eval.library import add_files
from tests.training.asked import (
    DOCUMENTS,
    READER_DOCUMENTS,
    READER_QUESTIONS,
    asked_questions,
    write_documents,
)
from tests.training.composed import composed_questions, read_lines
from tests.training.composed import write_documents as write_composed
from tests.training.judge import kept
from tests.training.operations import WRITTEN as SUMS
from tests.training.terms import taught

HERE = Path(__file__).parent
WRITTEN, HELD = HERE / "selections.jsonl", HERE / "selections_held.jsonl"
OTHERS = 900  # questions of the documents that ask for no rows
COMPOSED = 4000  # the same of other documents
TREES, LEAVES, RATE, SEEN = 120, 8, 0.06, 30
FOLDS = 5
LEAST, TERM_SEEN = 0.1, 4  # of a weight that is kept, and questions that a term must be in
CHANCES = (0.2, 0.25, 0.3, 0.35, 0.4, 0.5)

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Written:
    """A question of a document, and what the rows are called that it means; None for no rows."""

    document: str
    question: str
    answer: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """A question with its vector, the features of its selections, and which are right."""

    asked: Written
    vector: Numbers
    rows: Numbers
    right: NDArray[np.bool_]


def written(path: Path) -> list[Written]:
    return [Written(e["document"], e["question"], tuple(e["answer"])) for e in read_lines(path)]


def others(documents: set[str]) -> list[Written]:
    """Questions of the documents for a fact or a clause, which ask for no rows."""
    every = (*asked_questions(), *asked_questions(READER_QUESTIONS))
    own = [e for e in every if e.kind in ("fact", "clause", "yesno") and e.document in documents]
    chosen = Random(0).sample(own, min(OTHERS, len(own)))
    return [Written(each.document, each.question, None) for each in chosen]


def add_documents(workspace: Workspace, names: set[str]) -> None:
    """Add those of the documents written for training that are not in the library yet."""
    known = {document.name for document in workspace.documents()}
    with tempfile.TemporaryDirectory() as folder:
        write_composed(Path(folder))
        for path in (DOCUMENTS, READER_DOCUMENTS):
            write_documents(Path(folder), path)
        for file in Path(folder).iterdir():
            if file.name not in names or clean_name(file.name) in known:
                file.unlink()
        add_files(workspace, Path(folder))


def measured(workspace: Workspace, every: Sequence[Written]) -> Iterator[Measured]:
    ids = {document.name: document.id for document in workspace.documents()}
    networked = networks(workspace.resources)
    for each in every:
        tables = workspace.contents.tables(ids[clean_name(each.document)])
        lists = [table for table in merged(tables) if may_list(table)]
        found, rows = selections(each.question, lists, networked, asks=0.0)
        right = np.array([is_meant(one, each.answer or ()) for one in found], bool)
        yield Measured(each, networked.vector(each.question), rows, right)


def is_meant(selection: Selection, wanted: Sequence[str]) -> bool:
    """Whether a selection has each of the rows that are called so, and no other."""
    names = [[_plain(cell) for cell in (row.label, *row.cells)] for row in selection.rows]
    wanted = [_plain(each) for each in wanted]
    return bool(wanted) and (
        all(any(_is_called(row, want) for row in names) for want in wanted)
        and all(any(_is_called(row, want) for want in wanted) for row in names)
    )


def _is_called(row: Sequence[str], want: str) -> bool:
    return any(cell == want or cell.startswith(f"{want} ") for cell in row)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def elsewhere() -> list[str]:
    """Questions of other documents that ask for no rows: for what a passage says, and for sums."""
    composed = sorted({each.question for each in composed_questions() if each.answer})
    worked = ("difference", "change", "average", "sum", "share")
    sums = [e["question"] for e in read_lines(SUMS) if e["operation"] in worked]
    return [*Random(0).sample(composed, COMPOSED), *sums]


def asking(every: Sequence[Measured], others: Mapping[str, Numbers]) -> dict[str, Any]:
    """A classifier of questions that ask for rows, for `linear_of`; ``others``, with their vectors,
    ask for none."""
    texts = [*(each.asked.question for each in every), *others]
    labels = [*(int(each.asked.answer is not None) for each in every), *([0] * len(others))]
    vectors = np.stack([*(each.vector for each in every), *others.values()])
    return taught(texts, labels, classes=2, seen=TERM_SEEN, least=LEAST, vectors=vectors)


def with_asking(every: Sequence[Measured], model: dict[str, Any]) -> list[Measured]:
    """The same with what the classifier makes of each question as a feature."""
    linear, at = linear_of(model), NAMES.index("asks for rows")
    for each in every:
        each.rows[:, at] = linear.odds(each.asked.question, each.vector)[0]
    return list(every)


def teach(
    every: Sequence[Measured], others: Mapping[str, Numbers]
) -> HistGradientBoostingClassifier:
    """Trees in which each question weighs the same, however many selections it has; what asks for
    rows is told for each fifth of the documents by what the others teach."""
    documents = sorted({each.asked.document for each in every})
    fold = {name: at % FOLDS for at, name in enumerate(documents)}
    told = []
    for number in range(FOLDS):
        rest = [each for each in every if fold[each.asked.document] != number]
        model = asking(rest, others)
        told += with_asking([e for e in every if fold[e.asked.document] == number], model)
    told = [each for each in told if len(each.right)]
    weights = np.concatenate([np.full(len(e.right), 1 / len(e.right)) for e in told])
    model = HistGradientBoostingClassifier(
        learning_rate=RATE, max_iter=TREES, max_leaf_nodes=LEAVES, min_samples_leaf=SEEN,
        l2_regularization=1.0, random_state=0,
    )  # fmt: skip
    rows, right = np.concatenate([e.rows for e in told]), np.concatenate([e.right for e in told])
    return model.fit(rows, right, sample_weight=weights / weights.mean())


def report(model: Any, every: Sequence[Measured]) -> str:
    """At each chance how many are told, and how many of them rightly; of those without an answer
    how many are."""
    best = [(e, *_likeliest(model, e)) for e in every if len(e.right)]
    there = [(chance, right) for e, chance, right in best if e.asked.answer]
    absent = [chance for e, chance, _ in best if e.asked.answer == ()]
    lines = [f"{len(there)} questions, {sum(e.right.any() for e, *_ in best)} of them can be told"]
    for limit in CHANCES:
        said = [right for chance, right in there if chance >= limit]
        alarms = sum(chance >= limit for chance in absent)
        lines.append(
            f"from {limit:.2f}: {len(said)} told, {sum(said)} rightly; of {len(absent)} that"
            f" nothing tells {alarms}"
        )
    return "\n".join(lines)


def _likeliest(model: Any, each: Measured) -> tuple[float, bool]:
    chances = model.predict_proba(each.rows)[:, 1]
    best = int(chances.argmax())
    return float(chances[best]), bool(each.right[best])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.selections")
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    learnt, held = written(WRITTEN), written(HELD)
    documents = {each.document for each in learnt}
    with Workspace(given.library) as workspace:
        add_documents(workspace, documents | {each.document for each in held})
        found = list(measured(workspace, [*learnt, *others(documents)]))
        kept_back = list(measured(workspace, held))
        vector = networks(workspace.resources).vector
        without = {text: vector(text) for text in elsewhere()}
    model, asks = teach(found, without), asking(found, without)
    print(report(model, with_asking(kept_back, asks)))
    made = {"asks": asks, "trees": kept(model, NAMES)}
    given.out.write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
