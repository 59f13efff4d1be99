"""What is found with vectors of the encoder in 8 bits, beside those of its full precision.

    python -m tests.eval.quantization FOLDER... --libraries DIR

For each folder (see `tests.eval.sets`) its library under DIR (as `tests.eval.retrieval --libraries`
keeps it) is copied and indexed in both ways; questions are encoded as the passages are. Printed are
the cosines of the two vectors of each passage, and the questions whose first right passage ranks
higher in 8 bits ("won") and lower ("lost"): at all, as the first, and among the first five; with
the chance of so uneven a split if neither were better (sign test). Asked are the set's questions
and, of each document, questions made from it: rows of its tables and reasons that its sentences
give (see `tests.eval.purposes`), and its headings, each answered by a passage under it.
"""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from docqa.models.load import BUNDLED
from docqa.models.registry import MINILM
from docqa.types.document import Chunk, Document
from docqa.workspace import Workspace
from tests.eval.library import each_set
from tests.eval.purposes import Need, headings_of, highest, reasons, rows, under
from tests.eval.sets import Set
from tests.eval.stages import (
    Asker,
    Without,
    answered_by,
    asker_of,
    sign_test,
    standing,
)

OF_A_DOCUMENT = 15  # questions of each kind made from a document
DEPTHS = {"rank": 0, "first": 1, "first five": 5}

Standings = list[tuple[float, float]]  # 1 / rank in 8 bits and in full precision; 0 for none


def asked_of(asked: Set, int8: Asker, full: Asker) -> Iterator[tuple[str, Standings]]:
    """The set's own questions, by scope."""
    for scope in asked.scopes:
        yield (
            f"{asked.name}, {scope}",
            [
                (
                    standing(int8.judged(each, scope, Without())),
                    standing(full.judged(each, scope, Without())),
                )
                for each in answered_by(asked, int8.catalog)
                if any(each.sources.values())
            ],
        )


def made_of(int8: Asker, full: Asker) -> Iterator[tuple[str, Standings]]:
    """Questions made from the documents, by kind."""
    cut = [(each, int8.catalog.document_chunks(each.id)) for each in int8.catalog.documents()]
    for title, make in (("rows", rows), ("reasons", reasons), ("headings", headings)):
        needs = [need for pair in cut for need in _spread(make(*pair))]
        yield title, [(found(need, int8), found(need, full)) for need in needs]


def headings(document: Document, chunks: Sequence[Chunk]) -> Iterator[Need]:
    for heading in headings_of(chunks):
        question = f"What does it say on {heading}?"
        yield Need(question, (document.id,), (under(document.id, heading),))


def found(need: Need, asker: Asker) -> float:
    return highest(need, asker.traced(need.question, need.within, Without()).chosen)


def _spread(needs: Iterator[Need]) -> list[Need]:
    every = list({each.question: each for each in needs}.values())
    return every[:: max(1, len(every) // OF_A_DOCUMENT)][:OF_A_DOCUMENT]


def told(title: str, standings: Standings) -> str:
    splits = []
    for name, depth in DEPTHS.items():
        pairs = [[_within(each, depth) for each in pair] for pair in standings]
        won, lost = (sum(sign * (a - b) > 0 for a, b in pairs) for sign in (1, -1))
        splits.append(f"{name} +{won} -{lost} p {sign_test(won, lost):.2f}")
    return f"{title}, n={len(standings)}: {'; '.join(splits)}"


def _within(standing: float, depth: int) -> float:
    return float(standing * depth >= 1) if depth else standing


def measure(asked: Set, int8: Workspace, full: Workspace) -> Standings:
    print(f"\n{asked.name}: {cosines(int8, full)}", flush=True)
    askers = asker_of(int8), asker_of(full)
    every: Standings = []
    for title, standings in (*asked_of(asked, *askers), *made_of(*askers)):
        print(f"  {told(title, standings)}", flush=True)
        every += standings
    return every


def cosines(int8: Workspace, full: Workspace) -> str:
    one, other = (
        np.concatenate([rows for *_, rows in workspace.resources.catalog.all_vectors()])
        for workspace in (int8, full)
    )
    made = np.sum(one * other, axis=1)
    return f"{len(made)} passages, cosine {made.mean():.4f} on average, {made.min():.4f} at least"


def _indexed(library: Path, copy: Path, encoder: str) -> Workspace:
    shutil.copytree(library, copy)
    workspace = Workspace(copy)
    if workspace.maintenance.indexed_with != encoder:
        workspace.maintenance.reindex(encoder=encoder)
    return workspace


def main() -> None:
    every: Standings = []
    for _, asked, workspace in each_set("Measure the encoder in 8 bits.", kept=True):
        workspace.close()
        with tempfile.TemporaryDirectory() as folder:
            copies = ((name, Path(folder) / name) for name in (BUNDLED, MINILM.name))
            int8, full = (_indexed(workspace.folder, path, name) for name, path in copies)
            with int8, full:
                every += measure(asked, int8, full)
    print(f"\n{told('all', every)}")


if __name__ == "__main__":
    main()
