"""Which passages of two texts are set side by side: by which similarity, pairing and threshold.

    python -m tests.eval.align FOLDER [--library DIR]

- ``cuad``: clauses that lawyers labelled with categories, in contracts of ``cuad/pdf``. The
  labelled pieces of two contracts of a kind, and others of theirs until there are 20 of each, are
  paired. Two pieces are partners where they share a category. Measured for the pairs of
  ``pairs.json`` and, apart, for the other contracts, each with the next of its kind.
- ``versions/asvs``: the requirements of each chapter of a standard in two versions; those with one
  number are partners.

F1 is of precision (pairs of partners among the pairs with a labelled piece) and recall (categories
found among those that both sides have). ``best`` is where F1 is highest over all thresholds, which
looks at the labels; ``at`` is at the threshold in use. The reranker reads both ways, which takes
minutes; with ``--library`` the library is kept.
"""

import argparse
import csv
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from scipy.stats import rankdata  # type: ignore[import-untyped]

from docqa.compare.align import pairs
from docqa.compare.pieces import pieces_of
from docqa.compare.similarity import (
    CENTRE,
    SLOPE,
    WEIGHTS,
    Passages,
    most_alike,
    readings,
    respects,
    weighed,
)
from docqa.models.load import Reranker, load_reranker
from docqa.settings import DEFAULTS
from docqa.types.document import Document
from docqa.types.search import Hit
from docqa.workspace import Workspace
from tests.compare.pages import hit
from tests.eval.compare import TOPICS, opened

Matrix = NDArray[np.float64]
Labels = Sequence[frozenset[str]]
SIDE = 20  # pieces of a contract at least
SAME_WORDING = 88  # of 100, from which a labelled clause is the piece it stands in
THRESHOLDS = 60  # quantiles of the upper half of all similarities that are tried


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text's side of a comparison and the labels of its pieces."""

    side: Passages
    labels: Labels


@dataclass(frozen=True, slots=True)
class Case:
    """Two sides and how alike their pieces are in each respect."""

    first: Labels
    second: Labels
    alike: dict[str, Matrix] = field(default_factory=dict)

    @property
    def partners(self) -> NDArray[np.bool_]:
        return np.array([[bool(one & other) for other in self.second] for one in self.first])

    @property
    def judged(self) -> NDArray[np.bool_]:
        return np.array([[bool(one or other) for other in self.second] for one in self.first])

    @property
    def shared(self) -> frozenset[str]:
        return frozenset().union(*self.first) & frozenset().union(*self.second)


def contracts(folder: Path, workspace: Workspace) -> dict[str, Labelled]:
    """Every contract with labelled clauses, by the name of its file."""
    clauses: dict[str, list[tuple[str, str, set[int]]]] = defaultdict(list)
    for row in json.loads((folder / "clause_pages.json").read_text("utf-8")):
        if row["category"] in TOPICS and row["clause"]:
            labelled = (row["category"], _plain(row["clause"]), set(row["pages"]))
            clauses[Path(row["pdf"]).name].append(labelled)
    workspace.add(sorted((folder / "pdf").glob("*.[pP][dD][fF]")))
    return {
        document.name: _side(workspace, document, clauses[document.name])
        for document in workspace.documents()
        if document.name in clauses
    }


def _side(
    workspace: Workspace, document: Document, clauses: Sequence[tuple[str, str, set[int]]]
) -> Labelled:
    chunks = workspace.resources.catalog.document_chunks(document.id)
    hits = pieces_of([Hit(chunk, document) for chunk in chunks])
    labels = [
        frozenset(category for category, clause, pages in clauses if _is_in(clause, pages, piece))
        for piece in hits
    ]
    kept = _kept(hits, labels)
    vectors = workspace.resources.encoder.encode_now([hits[at].chunk.embedded_text for at in kept])
    return Labelled(Passages([hits[at] for at in kept], vectors), [labels[at] for at in kept])


def _kept(hits: Sequence[Hit], labels: Labels) -> list[int]:
    """The labelled pieces, and others from all over the text until there are `SIDE`."""
    own = [at for at, label in enumerate(labels) if label]
    rest = [at for at, each in enumerate(hits) if not labels[at] and len(each.chunk.text) >= 60]
    wanted = max(0, SIDE - len(own))
    return sorted(own + rest[:: max(1, len(rest) // max(wanted, 1))][:wanted])


def _is_in(clause: str, pages: set[int], piece: Hit) -> bool:
    text = _plain(piece.chunk.text)
    if not pages & {block.page for block in piece.chunk.blocks}:
        return False
    short, long = sorted((clause, text), key=len)
    if len(short) < 15 or (len(text) < 40 and clause not in text):
        return bool(clause) and clause in text
    return fuzz.partial_ratio(short, long) >= SAME_WORDING


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).lower().strip()


def case_of(first: Labelled, second: Labelled, reranker: Reranker | None) -> Case:
    """How alike the pieces of two texts are in each respect."""
    alike = respects(first.side, second.side)
    if reranker is not None:
        near = most_alike(weighed(alike))
        alike["reranker"] = readings(first.side, second.side, near, reranker)
    return Case(first.labels, second.labels, alike)


def requirements(folder: Path, workspace: Workspace, reranker: Reranker | None) -> list[Case]:
    """A case for each chapter of the standard that both versions have."""
    versions = [_chapters(path, workspace) for path in sorted(folder.glob("*.csv"))]
    both = sorted(versions[0].keys() & versions[1].keys())
    return [case_of(versions[0][chapter], versions[1][chapter], reranker) for chapter in both]


def _chapters(path: Path, workspace: Workspace) -> dict[str, Labelled]:
    chapters: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with path.open(newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            number = (row.get("Item") or row.get("req_id") or "").lstrip("V")
            wording = row.get("Description") or row.get("req_description") or ""
            chapters[number.split(".")[0]].append((number, wording))
    return {chapter: _requirements(rows, workspace) for chapter, rows in chapters.items()}


def _requirements(rows: Sequence[tuple[str, str]], workspace: Workspace) -> Labelled:
    hits = [hit("standard", at, text) for at, (_, text) in enumerate(rows)]
    vectors = workspace.resources.encoder.encode_now([text for _, text in rows])
    return Labelled(Passages(hits, vectors), [frozenset({number}) for number, _ in rows])


Weights = Mapping[str, float]
TRIED: Mapping[str, Weights] = {
    "cosine alone": {"cosine": 1.0},
    "shared words alone": {"words": 1.0},
    **{f"without {kind}": {**WEIGHTS, kind: 0.0} for kind in WEIGHTS},
    "all, as in use": WEIGHTS,
    **{
        f"reranker, weight {weight}": {**WEIGHTS, "reranker": weight}
        for weight in (0.01, 0.02, 0.05, 0.1, 0.2)
    },
}


def area(cases: Sequence[Case], weights: Weights) -> float:
    """The chance that partners are more alike than others are (area under the curve)."""
    alike = np.concatenate([weighed(case.alike, weights)[case.judged] for case in cases])
    partners = np.concatenate([case.partners[case.judged] for case in cases])
    own, rest = int(partners.sum()), int((~partners).sum())
    ranks = rankdata(alike)[partners].sum()
    return float((ranks - own * (own + 1) / 2) / (own * rest))


def f1(cases: Sequence[Case], weights: Weights, threshold: float) -> float:
    right = paired = found = shared = 0
    for case in cases:
        judged, partners = case.judged, case.partners
        made = pairs(weighed(case.alike, weights), threshold=threshold)
        kept = [(row, column) for row, column, _ in made if judged[row, column]]
        paired += len(kept)
        right += sum(bool(partners[place]) for place in kept)
        known = (case.first[row] & case.second[column] for row, column in kept)
        found += len(frozenset().union(*known))
        shared += len(case.shared)
    precision, recall = right / max(paired, 1), found / max(shared, 1)
    return 2 * precision * recall / max(precision + recall, 1e-9)


def best(cases: Sequence[Case], weights: Weights) -> tuple[float, float]:
    """The highest F1 and the threshold that gives it."""
    every = np.concatenate([weighed(case.alike, weights).ravel() for case in cases])
    tried = np.quantile(every, np.linspace(0.5, 0.999, THRESHOLDS))
    return max((f1(cases, weights, float(each)), float(each)) for each in tried)


def sum_at(similarity: float) -> float:
    """The sum of signs that this similarity is made of."""
    return CENTRE + math.log(similarity / (1 - similarity)) / SLOPE


def told(name: str, cases: Sequence[Case]) -> Iterator[str]:
    """The lines on a set of cases."""
    partners = sum(len(case.shared) for case in cases)
    yield f"{name}: {len(cases)} pairs of texts, {partners} categories or numbers on both sides"
    in_use = sum_at(DEFAULTS.comparing.pair_threshold)
    for kind, weights in TRIED.items():
        highest, cut = best(cases, weights)
        yield f"  {kind:32} area {area(cases, weights):.3f}  F1 best {highest:.3f} (from {cut:.2f})"
    for threshold in (0.4, 0.5, DEFAULTS.comparing.pair_threshold, 0.7, 0.8):
        cut = sum_at(threshold)
        mark = "  in use" if cut == in_use else ""
        yield f"  threshold {threshold}: F1 {f1(cases, WEIGHTS, cut):.3f}{mark}"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path)
    asked = parser.parse_args(arguments)
    with opened(asked.library, "cuad") as workspace:
        reranker = load_reranker(workspace.folder / "models")
        sides = contracts(asked.folder / "cuad", workspace)
        listed = json.loads((asked.folder / "cuad" / "pairs.json").read_text("utf-8"))
        chosen = [(row["a_pdf"], row["b_pdf"]) for row in listed]
        for name, of in (("the pairs", chosen), ("other contracts", _others(sides, chosen))):
            cases = [case_of(sides[one], sides[other], reranker) for one, other in of]
            print("\n".join(told(name, cases)), flush=True)
        standard = requirements(asked.folder / "versions" / "asvs", workspace, reranker)
        print("\n".join(told("two versions of a standard", standard)))


def _others(
    sides: Mapping[str, Labelled], chosen: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """The contracts in no pair, each with the next of its kind; the last with the first."""
    used = {name for pair in chosen for name in pair}
    for kind in ("hosting", "consulting"):
        own = sorted(name for name in sides.keys() - used if kind in name.lower())
        ring = own if len(own) > 2 else own[:1]
        yield from ((name, own[(at + 1) % len(own)]) for at, name in enumerate(ring))


if __name__ == "__main__":
    main(sys.argv[1:])
