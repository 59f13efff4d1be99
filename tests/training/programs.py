"""Teaches which sum of a table's figures a question asks for, and how sure it may be.

    python -m tests.training.programs FOLDER --libraries DIR --lessons FILE
        --out docqa/answer/findings/programs.json

FOLDER holds ``tatqa_dev``, of which the even contexts are learnt from: a program is right whose
result is the answer and whose figures are those of its derivation. Others are learnt from the
questions of `table_questions.FOR_TREES`. FILE keeps what was measured between runs. Printed is how
many are told rightly of those of `table_questions.HELD`, of fields that are not learnt from.
"""

import argparse
import json
import pickle
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.fits import NAMES, measured, signs
from docqa.answer.findings.programs import Program
from docqa.answer.findings.values import number_of
from docqa.language.trees import Numbers, trees_of
from docqa.workspace import Workspace
from tests.eval import tatqa
from tests.training.rankers import apart, chances, taught, weighed
from tests.training.table_questions import FOR_TREES, HELD, Looked, add_written, looked_at, written

WORKED = ("difference", "change", "sum", "average", "share")
ROUNDED = Decimal("0.0051")
PAIRED = ("difference", "change", "share")
SURE_FROM = (0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True, slots=True)
class Summed:
    """A question of a document; ``cells`` are the figures that answer it, in order, () for none.

    ``result`` is what they come to, where only that is known of how they are put together.
    """

    document: str
    question: str
    operation: str
    cells: tuple[str, ...]
    result: Decimal | None = None

    @property
    def asks(self) -> bool:
        return bool(self.cells) and (self.operation in WORKED or self.result is not None)

    def is_told(self, program: Program) -> bool:
        if not self.asks:
            return False
        figures = [number_of(value.text) for value in program.values]
        due = [number_of(cell) for cell in self.cells]
        if self.result is not None:
            result = program.result
            derived = {abs(figure or 0) for figure in figures} <= {abs(each or 0) for each in due}
            return derived and result is not None and self._agrees(program, result)
        if program.operation != self.operation:
            return False
        if program.whole:
            whole = [number_of(value.text) for value in program.whole]
            return due == [*figures, *whole]
        if self.operation in PAIRED:
            return figures == due
        return sorted(map(str, figures)) == sorted(map(str, due))

    def _agrees(self, program: Program, result: Decimal) -> bool:
        due = abs(self.result or Decimal(0))
        told = [abs(result), abs(result) / 100][: 1 + (program.operation == "share")]
        return any(abs(each - due) <= max(due * ROUNDED, ROUNDED) for each in told)


@dataclass(frozen=True, slots=True)
class Measured:
    """The programs of a question: features, what each comes to, and which are right."""

    group: str
    asks: bool
    rows: Numbers
    results: Sequence[Decimal | None]
    right: NDArray[np.bool_]


def of_tatqa(folder: Path, half: int = 0) -> Iterator[Summed]:
    for number, context in enumerate(tatqa.contexts(folder)):
        for each in context["questions"] if number % 2 == half else ():
            asks = each["answer_type"] == "arithmetic"
            figures = re.findall(r"\d[\d,]*\.?\d*", each["derivation"].replace("%", ""))
            cells = tuple(figures) if asks else ()
            due = re.search(r"\d[\d,]*\.?\d*", str(each["answer"])) if asks else None
            result = Decimal(due[0].replace(",", "")) if due else None
            yield Summed(tatqa.name_of(number), each["question"], "", cells, result)


def of_written(path: Path) -> Iterator[Summed]:
    for each in written(path):
        yield Summed(each.document, each.question, each.operation, each.cells)


def measured_of(asked: Summed, looked: Looked) -> Measured | None:
    """None where the tables have no figures to put together."""
    programs = [each for grid in looked.grids for each in measured(grid, looked.odds)]
    if not programs:
        return None
    rows = np.array([row for _, row in programs], np.float32)
    right = np.array([asked.is_told(program) for program, _ in programs])
    results = [program.result for program, _ in programs]
    return Measured(asked.document, asked.asks, rows, results, right)


def collected(folder: Path, libraries: Path) -> tuple[list[Measured], list[Measured]]:
    """What is learnt from, and what is held back."""
    with Workspace(libraries / "tatqa_even") as workspace:
        tatqa.add_contexts(workspace, folder / "tatqa_dev", "even")
        learnt = _of_library(workspace, of_tatqa(folder / "tatqa_dev"))
    with Workspace(libraries / FOR_TREES.stem) as workspace:
        add_written(workspace, FOR_TREES)
        learnt += _of_library(workspace, of_written(FOR_TREES))
    with Workspace(libraries / HELD.stem) as workspace:
        add_written(workspace, HELD)
        return learnt, _of_library(workspace, of_written(HELD))


def _of_library(workspace: Workspace, asked: Iterator[Summed]) -> list[Measured]:
    workspace.warming.start().join()
    known = {document.name for document in workspace.documents()}
    found = (
        measured_of(each, looked_at(workspace, each.document, each.question))
        for each in asked
        if each.document in known
    )
    return [each for each in found if each]


def signs_of(each: Measured, scores: Numbers) -> list[float]:
    return signs(each.results, each.rows, scores)


def _is_right(each: Measured, at: int) -> bool:
    """Whether a program comes to what a right one does, whichever way round it is taken."""
    due = {abs(r) for r, right in zip(each.results, each.right, strict=True) if right and r}
    result = each.results[at]
    return bool(each.right[at]) or (result is not None and abs(result) in due)


def sure_of(examples: Sequence[Measured]) -> list[float]:
    """The weights of `fits.SURE` and of 1, from documents that the trees did not learn from."""
    told, right = [], []
    for each, scores in apart(examples, NAMES):
        told.append(signs_of(each, scores))
        right.append(_is_right(each, int(scores.argmax())))
    return weighed(told, right)


def report(found: Sequence[tuple[Measured, int, float]]) -> str:
    asks = [(each, _is_right(each, at), chance) for each, at, chance in found if each.asks]
    lines = [
        f"{sum(right for _, right, _ in asks)} of {len(asks)} questions for a sum are told rightly "
        f"first; {sum(bool(each.right.any()) for each, _, _ in asks)} could be"
    ]
    for least in SURE_FROM:
        stated = [right for _, right, chance in asks if chance >= least]
        alarms = sum(chance >= least for each, _, chance in found if not each.asks)
        lines.append(
            f"from {least}: {sum(stated)} right of {len(stated)} stated; {alarms} of "
            f"{len(found) - len(asks)} that ask for none"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.programs")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, help="kept between runs")
    given = parser.parse_args()
    if given.lessons and given.lessons.exists():
        learnt, held = pickle.loads(given.lessons.read_bytes())
    else:
        learnt, held = collected(given.folder, given.libraries)
        if given.lessons:
            given.lessons.write_bytes(pickle.dumps((learnt, held)))
    kept = {**taught(learnt, NAMES), "sure": sure_of(learnt)}
    given.out.write_text(json.dumps(kept, separators=(",", ":")), encoding="utf-8")
    print(report([*chances(held, trees_of(kept, NAMES), kept["sure"], signs_of)]))


if __name__ == "__main__":
    main()
