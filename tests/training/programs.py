"""Teaches which sum of a table's figures a question asks for, and how sure it may be.

    python -m tests.training.programs FOLDER --libraries DIR --lessons FILE
        --out docqa/answer/findings/programs.json

FOLDER holds ``tatqa_dev``, of which the even contexts are learnt from: a program is right whose
result is the answer and whose figures are those of its derivation. ``sums.jsonl`` has documents
that a language model wrote, of tables with some text, each with eight questions, the cells that
answer each, and what is to be done with them. FILE keeps what was measured between runs.

Printed is how many are told rightly of the questions of ``sums_held.jsonl``, of fields that are not
learnt from. LightGBM, which teaches the trees, is not among docqa's packages: `pip install
lightgbm`.
"""

import argparse
import html
import json
import pickle
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from docqa.answer.evidence import add_evidence, choose_hits
from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.fits import NAMES, measured, signs
from docqa.answer.findings.grids import grids
from docqa.answer.findings.judge import judge
from docqa.answer.findings.operations import operation_odds
from docqa.answer.findings.programs import Program
from docqa.answer.findings.values import may_tell, number_of
from docqa.app.findings import means
from docqa.app.search import read_question, search
from docqa.language.trees import Numbers, trees_of
from docqa.library.filenames import clean_name
from docqa.workspace import Workspace
from tests.eval import tatqa
from tests.training.boosted import as_numbers
from tests.training.composed import read_lines

HERE = Path(__file__).parent
WRITTEN, HELD = HERE / "sums.jsonl", HERE / "sums_held.jsonl"
ROUNDS, LEAVES, RATE, SEEN, SHARE = 200, 15, 0.05, 30, 0.5
OTHERS = 300  # wrong programs of a question
FOLDS = 4  # of documents, on which the chance is told
UNANSWERED = ("printed", "none")  # what a question without a sum is called
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
        return bool(self.cells) and self.operation not in UNANSWERED

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


def written(path: Path) -> Iterator[Summed]:
    for each in read_lines(path):
        tables = [part["rows"] for part in each["parts"] if part["kind"] == "table"]
        for asked in each["questions"]:
            cells = tuple(str(tables[asked["table"]][row][at]) for row, at in asked["cells"])
            name = clean_name(f"{each['document']}.html")
            yield Summed(name, asked["question"], asked["operation"], cells)


def write_documents(folder: Path, path: Path) -> None:
    """The documents as files of HTML."""
    for each in read_lines(path):
        body = "".join(map(_part, each["parts"]))
        text = f"<html><body><h1>{html.escape(each['document'])}</h1>{body}</body></html>"
        (folder / f"{each['document']}.html").write_text(text, encoding="utf-8")


def _part(part: dict[str, Any]) -> str:
    if part["kind"] == "text":
        return f"<p>{html.escape(part['text'])}</p>"
    title = f"<h2>{html.escape(part['title'])}</h2>" if part["title"] else ""
    *groups, last = part["head"]
    spans = [[(name, len([*own])) for name, own in groupby(each)] for each in groups]
    heads = [*spans, [(name, 1) for name in last]]
    lines = ["".join(f'<th colspan="{n}">{html.escape(t)}</th>' for t, n in each) for each in heads]
    widest = max(map(len, part["rows"]))
    rows = ([*row, *[""] * (widest - len(row))] for row in part["rows"])
    lines += ["".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows]
    return f"{title}<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def measured_of(workspace: Workspace, asked: Sequence[Summed]) -> Iterator[Measured]:
    workspace.warming.start().join()
    resources = workspace.resources
    ids = {document.name: document.id for document in workspace.documents()}
    for each in asked:
        if each.document not in ids:
            continue
        own = (ids[each.document],)
        question = read_question(resources, each.question, document_ids=own)
        result = search(resources, question, settings=resources.settings)
        chosen = choose_hits(result.hits, max_chars=resources.settings.answering.evidence_chars)
        every = candidates(add_evidence((), chosen))
        telling = [piece for piece in every if may_tell(piece, question)] or every
        networks = means(resources).networks
        judged = judge(question, telling, networks)
        documents = {hit.document.id: hit.document for hit in chosen}
        odds = operation_odds(question.whole, networks.vector(question.whole))
        programs = [
            program
            for key, document in documents.items()
            for grid in grids(
                question, judged, document, resources.catalog.tables(key), networks.cosines
            )
            for program in measured(grid, odds)
        ]
        if not programs:
            continue
        rows = np.array([row for _, row in programs], np.float32)
        right = np.array([each.is_told(program) for program, _ in programs])
        results = [program.result for program, _ in programs]
        yield Measured(each.document, each.asks, rows, results, right)


def collected(folder: Path, libraries: Path) -> tuple[list[Measured], list[Measured]]:
    """What is learnt from, and what is held back."""
    learnt: list[Measured] = []
    with Workspace(libraries / "tatqa_even") as workspace:
        tatqa.add_contexts(workspace, folder / "tatqa_dev", "even")
        learnt += measured_of(workspace, [*of_tatqa(folder / "tatqa_dev")])
    learnt += _of_written(WRITTEN, libraries / "sums")
    return learnt, _of_written(HELD, libraries / "sums_held")


def _of_written(path: Path, library: Path) -> list[Measured]:
    with Workspace(library) as workspace, tempfile.TemporaryDirectory() as place:
        if not workspace.documents():
            write_documents(Path(place), path)
            workspace.add(sorted(Path(place).iterdir()))
        return [*measured_of(workspace, [*written(path)])]


def taught(examples: Sequence[Measured]) -> dict[str, Any]:
    """Trees that rank the programs of each question, as `docqa.language.trees` reads them."""
    random = np.random.default_rng(0)
    rows, right, sizes = [], [], []
    for each in examples:
        if not each.right.any():
            continue
        wrong = np.flatnonzero(~each.right)
        if len(wrong) > OTHERS:
            wrong = random.choice(wrong, OTHERS, replace=False)
        own = np.concatenate([np.flatnonzero(each.right), wrong])
        rows.append(each.rows[own])
        right.append(each.right[own])
        sizes.append(len(own))
    lightgbm: Any = import_module("lightgbm")
    told = lightgbm.Dataset(np.concatenate(rows), np.concatenate(right).astype(int), group=sizes)
    model = lightgbm.train(
        {
            "objective": "lambdarank", "lambdarank_truncation_level": 5, "label_gain": [0, 1],
            "learning_rate": RATE, "num_leaves": LEAVES, "min_data_in_leaf": SEEN,
            "feature_fraction": SHARE, "seed": 0, "verbose": -1, "deterministic": True,
        },
        told,
        ROUNDS,
    )  # fmt: skip
    return as_numbers(model, NAMES)


def weighed(examples: Sequence[Measured]) -> list[float]:
    """The weights of `fits.SURE` and of 1, from documents that the trees did not learn from."""
    groups = sorted({each.group for each in examples})
    random = np.random.default_rng(0)
    folds = dict(zip(groups, random.integers(0, FOLDS, len(groups)).tolist(), strict=True))
    told, right = [], []
    for fold in range(FOLDS):
        kept = taught([each for each in examples if folds[each.group] != fold])
        trees = trees_of(kept, NAMES)
        for each in examples:
            if folds[each.group] == fold:
                scores = trees.odds(each.rows)
                told.append(signs(each.results, each.rows, scores))
                right.append(_is_right(each, int(scores.argmax())))
    table = np.array(told)
    spread = table.std(axis=0) + 1e-6
    model = LogisticRegression(max_iter=2000).fit(table / spread, right)
    return [*(model.coef_[0] / spread).tolist(), float(model.intercept_[0])]


def _is_right(each: Measured, at: int) -> bool:
    """Whether a program comes to what a right one does, whichever way round it is taken."""
    due = {abs(r) for r, right in zip(each.results, each.right, strict=True) if right and r}
    result = each.results[at]
    return bool(each.right[at]) or (result is not None and abs(result) in due)


def report(kept: dict[str, Any], examples: Sequence[Measured]) -> str:
    trees, weights = trees_of(kept, NAMES), np.array(kept["sure"])
    found = []
    for each in examples:
        scores = trees.odds(each.rows)
        sure = weights @ [*signs(each.results, each.rows, scores), 1.0]
        chance = 1 / (1 + np.exp(-sure))
        found.append((each.asks, _is_right(each, int(scores.argmax())), chance, each.right.any()))
    asks = [each for each in found if each[0]]
    lines = [
        f"{sum(right for _, right, _, _ in asks)} of {len(asks)} questions for a sum are told "
        f"rightly first; {sum(some for *_, some in asks)} could be"
    ]
    for least in SURE_FROM:
        stated = [right for _, right, chance, _ in asks if chance >= least]
        alarms = sum(chance >= least for asked, _, chance, _ in found if not asked)
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
    kept = {**taught(learnt), "sure": [round(each, 5) for each in weighed(learnt)]}
    given.out.write_text(json.dumps(kept, separators=(",", ":")), encoding="utf-8")
    print(report(kept, held))


if __name__ == "__main__":
    main()
