"""Teaches which rows of a table a question asks for, and how sure docqa may be of them.

    python -m tests.training.selections --libraries DIR --lessons FILE
        --out docqa/answer/findings/selections.json

Learnt from are the questions of `table_questions.FOR_TREES` that ask for rows or a cell of one; of
all others none is right. FILE keeps what was measured between runs. Printed is how many are told
rightly of those of `table_questions.HELD`, of fields that are not learnt from.
"""

import argparse
import json
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.grids import Grid
from docqa.answer.findings.row_sets import Chosen
from docqa.answer.findings.selections import NAMES, measured, signs
from docqa.language.trees import Numbers, trees_of
from docqa.language.words import fold
from docqa.types.table import Row
from docqa.workspace import Workspace
from tests.training.composed import read_lines
from tests.training.rankers import apart, chances, taught, weighed
from tests.training.table_questions import (
    FOR_TREES,
    HELD,
    Looked,
    Written,
    add_written,
    looked_at,
    written,
)

LISTED = ("list", "printed", "highest", "lowest")
OF_SUMS = 5
SURE_FROM = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True, slots=True)
class Measured:
    """The sets of rows of a question: features, and which are right."""

    group: str
    operation: str
    rows: Numbers
    right: NDArray[np.bool_]


def measured_of(
    asked: Written, looked: Looked, tables: Sequence[list[list[str]]]
) -> Measured | None:
    """None where no tables were found."""
    due: list[tuple[str, ...]] = []
    if asked.operation in LISTED:
        places = dict.fromkeys((table, row) for table, row, _ in asked.places)
        due = sorted(_said(tables[table][row]) for table, row in places)
    sets = [(grid, *each) for grid in looked.grids for each in measured(grid, looked.asks)]
    if not sets:
        return None
    rows = np.array([row for *_, row in sets], np.float32)
    right = np.array([bool(due) and _told(grid, chosen) == due for grid, chosen, _ in sets])
    return Measured(asked.document, asked.operation, rows, right)


def _told(grid: Grid, chosen: Chosen) -> list[tuple[str, ...]]:
    def said(row: Row) -> tuple[str, ...]:
        return _said([row.label, *row.cells])

    return sorted(said(grid.table.rows[at]) for at in chosen.rows)


def _said(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, (fold(str(cell)) for cell in cells)))


def collected(libraries: Path) -> tuple[list[Measured], list[Measured]]:
    """What is learnt from, and what is held back."""
    learnt, held = (_of_library(libraries / path.stem, path) for path in (FOR_TREES, HELD))
    return [*learnt], [*held]


def _of_library(library: Path, path: Path) -> Iterator[Measured]:
    """Of the questions for a sum that are learnt from, every fifth."""
    with Workspace(library) as workspace:
        add_written(workspace, path)
        workspace.warming.start().join()
        for number, (each, tables) in enumerate(of_written(path)):
            adds = each.operation not in (*LISTED, "none")
            if adds and path == FOR_TREES and number % OF_SUMS:
                continue
            found = measured_of(each, looked_at(workspace, each.document, each.question), tables)
            if found:
                yield found


def of_written(path: Path) -> Iterator[tuple[Written, list[list[list[str]]]]]:
    """Each question with the rows of its document's tables."""
    every = [*written(path)]
    documents = iter(read_lines(path))
    name, tables = "", list[list[list[str]]]()
    for each in every:
        if each.document != name:
            own = next(documents)
            name = each.document
            tables = [part["rows"] for part in own["parts"] if part["kind"] == "table"]
        yield each, tables


def signs_of(each: Measured, scores: Numbers) -> list[float]:
    return signs(each.rows, scores)


def sure_of(examples: Sequence[Measured]) -> list[float]:
    """The weights of `selections.SURE` and of 1, from documents not learnt from."""
    told, right = [], []
    for each, scores in apart(examples, NAMES):
        told.append(signs_of(each, scores))
        right.append(bool(each.right[int(scores.argmax())]))
    return weighed(told, right)


def report(found: Sequence[tuple[Measured, int, float]]) -> str:
    lines = []
    for kind in LISTED:
        own = [
            (bool(each.right[at]), chance) for each, at, chance in found if each.operation == kind
        ]
        could = sum(bool(each.right.any()) for each, _, _ in found if each.operation == kind)
        first = sum(right for right, _ in own)
        lines.append(f"{kind}: {first} of {len(own)} are told rightly first; {could} could be")
        for least in SURE_FROM:
            stated = [right for right, chance in own if chance >= least]
            lines.append(f"  from {least}: {sum(stated)} right of {len(stated)} stated")
    others = [chance for each, _, chance in found if each.operation not in LISTED]
    alarms = ", ".join(f"{sum(o >= least for o in others)} from {least}" for least in SURE_FROM)
    return "\n".join([*lines, f"of {len(others)} that ask for neither: {alarms}"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.selections")
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, help="kept between runs")
    given = parser.parse_args()
    if given.lessons and given.lessons.exists():
        learnt, held = pickle.loads(given.lessons.read_bytes())
    else:
        learnt, held = collected(given.libraries)
        if given.lessons:
            given.lessons.write_bytes(pickle.dumps((learnt, held)))
    kept = {**taught(learnt, NAMES), "sure": sure_of(learnt)}
    given.out.write_text(json.dumps(kept, separators=(",", ":")), encoding="utf-8")
    print(report([*chances(held, trees_of(kept, NAMES), kept["sure"], signs_of)]))


if __name__ == "__main__":
    main()
