"""Which passages of two texts are set side by side: by which similarity, pairing and threshold.

    python -m tests.eval.align FOLDER [--library DIR] [--reranker]

- ``cuad``: clauses that lawyers labelled with categories, in contracts of ``cuad/pdf``. The
  labelled pieces of two contracts of a kind, and others of theirs until there are 20 of each, are
  paired. Two pieces are partners where they share a category. Measured for the pairs of
  ``pairs.json`` and, apart, for the other contracts, each with the next of its kind.
- ``versions/asvs``: the requirements of each chapter of a standard in two versions; those with one
  number are partners.

F1 is of precision (pairs of partners among the pairs with a labelled piece) and recall (categories
found among those that both sides have). ``best`` is where F1 is highest over all thresholds, which
looks at the labels; ``at`` is at the threshold in use. ``--reranker`` adds the cross-encoder both
ways on each piece's four nearest, which takes minutes; with ``--library`` the library is kept.
"""

import argparse
import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from scipy.stats import rankdata  # type: ignore[import-untyped]

from docqa.compare import similarity
from docqa.compare.align import Pair, assigned_pairs, pairs
from docqa.compare.pieces import pieces_of
from docqa.models import Reranker, load_reranker
from docqa.settings import DEFAULTS
from docqa.types import Block, Document, Hit
from docqa.workspace import Workspace
from tests.compare.pages import hit
from tests.eval.compare import TOPICS, opened

Matrix = NDArray[np.float64]
Labels = Sequence[frozenset[str]]
SIDE = 20  # pieces of a contract at least
SAME_WORDING = 88  # of 100, from which a labelled clause is the piece it stands in
NEAREST = 4  # of each piece that the reranker reads
THRESHOLDS = 60  # quantiles of the upper half of all similarities that are tried
_DEFINED = re.compile(
    r"[“\"]([A-Z][\w’'.-]*(?:\s+(?:of|and|the|or|[A-Z][\w’'.-]*)){0,4})[,.]?[”\"]"
)


@dataclass(frozen=True, slots=True)
class Side:
    """The pieces of one text with their labels and vectors, and the terms the text defines."""

    hits: Sequence[Hit]
    labels: Labels
    vectors: similarity.Vectors
    defined: frozenset[str] = frozenset()


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


def contracts(folder: Path, workspace: Workspace) -> dict[str, Side]:
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
) -> Side:
    chunks = workspace.catalog.document_chunks(document.id)
    hits = pieces_of([Hit(chunk, document) for chunk in chunks])
    labels = [
        frozenset(category for category, clause, pages in clauses if _is_in(clause, pages, piece))
        for piece in hits
    ]
    kept = _kept(hits, labels)
    texts = [hits[at].chunk.embedded_text for at in kept]
    return Side(
        [hits[at] for at in kept],
        [labels[at] for at in kept],
        workspace.encoder.encode(texts),
        _defined(workspace.blocks(document.id)),
    )


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


def _defined(blocks: Sequence[Block]) -> frozenset[str]:
    """The terms that a contract defines in quotation marks."""
    text = " ".join(block.text for block in blocks)
    return frozenset(term.strip(" .,").lower() for term in _DEFINED.findall(text) if len(term) > 3)


def case_of(first: Side, second: Side, reranker: Reranker | None = None) -> Case:
    """How alike the pieces of two texts are in each respect."""
    sides = (first, second)
    chunks = [[each.chunk for each in side.hits] for side in sides]
    terms = first.defined & second.defined
    alike = {
        "cosine": np.clip(first.vectors @ second.vectors.T, 0, 1).astype(np.float64),
        "words": similarity.shared(*([similarity.terms(c) for c in own] for own in chunks)),
        "headings": similarity.shared(*([_heading(h) for h in side.hits] for side in sides)),
        "defined terms": similarity.shared(*([_used(terms, h) for h in s.hits] for s in sides)),
    }
    if reranker is not None:
        one, other = ([chunk.text for chunk in own] for own in chunks)
        near = near_pairs(alike["words"] + alike["cosine"])
        alike["reranker"] = read_both_ways(one, other, near, reranker)
    return Case(first.labels, second.labels, alike)


def _heading(piece: Hit) -> frozenset[str]:
    own = [block.text for block in piece.chunk.blocks if block.kind == "heading"]
    return frozenset(_plain(" ".join([*piece.chunk.headings[-1:], *own])).split())


def _used(terms: frozenset[str], piece: Hit) -> frozenset[str]:
    text = f" {_plain(piece.chunk.text)} "
    return frozenset(term for term in terms if f" {_plain(term)}" in text)


def near_pairs(alike: NDArray[np.floating]) -> NDArray[np.bool_]:
    """The pairs that are among the `NEAREST` of either piece."""
    by_row, by_column = (np.argsort(np.argsort(-alike, axis=axis), axis=axis) for axis in (1, 0))
    return (by_row < NEAREST) | (by_column < NEAREST)


def read_both_ways(
    first: Sequence[str], second: Sequence[str], near: NDArray[np.bool_], reranker: Reranker
) -> Matrix:
    """The mean of the cross-encoder's scores both ways; 0 for pairs that are not near."""
    there = _scores(first, second, near, reranker)
    back = _scores(second, first, near.T, reranker)
    return (there + back.T) / 2


def _scores(
    first: Sequence[str], second: Sequence[str], near: NDArray[np.bool_], reranker: Reranker
) -> Matrix:
    found = np.zeros(near.shape)
    for row, text in enumerate(first):
        columns = np.flatnonzero(near[row])
        if columns.size:
            found[row, columns] = reranker.score(text, [second[int(at)] for at in columns])
    return found


def requirements(folder: Path, workspace: Workspace) -> list[Case]:
    """A case for each chapter of the standard that both versions have."""
    versions = [_chapters(path, workspace) for path in sorted(folder.glob("*.csv"))]
    both = sorted(versions[0].keys() & versions[1].keys())
    return [case_of(versions[0][chapter], versions[1][chapter]) for chapter in both]


def _chapters(path: Path, workspace: Workspace) -> dict[str, Side]:
    chapters: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with path.open(newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            number = (row.get("Item") or row.get("req_id") or "").lstrip("V")
            wording = row.get("Description") or row.get("req_description") or ""
            chapters[number.split(".")[0]].append((number, wording))
    return {chapter: _requirements(rows, workspace) for chapter, rows in chapters.items()}


def _requirements(rows: Sequence[tuple[str, str]], workspace: Workspace) -> Side:
    hits = [hit("standard", at, text) for at, (_, text) in enumerate(rows)]
    vectors = workspace.encoder.encode([text for _, text in rows])
    return Side(hits, [frozenset({number}) for number, _ in rows], vectors)


Weights = Mapping[str, float]
Align = Callable[..., list[Pair]]
IN_USE: Weights = {"words": similarity.WORDS, "cosine": similarity.COSINE}
TRIED: Mapping[str, Weights] = {
    "cosine alone": {"cosine": 1.0},
    "shared words alone": {"words": 1.0},
    "both, as in use": IN_USE,
    **{
        f"and {kind}, weight {weight}": {**IN_USE, kind: weight}
        for kind in ("headings", "defined terms", "reranker")
        for weight in (0.05, 0.1, 0.2, 0.4)
    },
}


def weighed(case: Case, weights: Weights) -> Matrix:
    return np.asarray(sum(weight * case.alike[kind] for kind, weight in weights.items()))


def area(cases: Sequence[Case], weights: Weights) -> float:
    """The chance that partners are more alike than others are (area under the curve)."""
    alike = np.concatenate([weighed(case, weights)[case.judged] for case in cases])
    partners = np.concatenate([case.partners[case.judged] for case in cases])
    own, rest = int(partners.sum()), int((~partners).sum())
    ranks = rankdata(alike)[partners].sum()
    return float((ranks - own * (own + 1) / 2) / (own * rest))


def f1(cases: Sequence[Case], weights: Weights, align: Align, threshold: float) -> float:
    right = paired = found = shared = 0
    for case in cases:
        judged, partners = case.judged, case.partners
        made = align(weighed(case, weights), threshold=threshold)
        kept = [(row, column) for row, column, _ in made if judged[row, column]]
        paired += len(kept)
        right += sum(bool(partners[place]) for place in kept)
        known = (case.first[row] & case.second[column] for row, column in kept)
        found += len(frozenset().union(*known))
        shared += len(case.shared)
    precision, recall = right / max(paired, 1), found / max(shared, 1)
    return 2 * precision * recall / max(precision + recall, 1e-9)


def best(cases: Sequence[Case], weights: Weights, align: Align) -> tuple[float, float]:
    """The highest F1 and the threshold that gives it."""
    every = np.concatenate([weighed(case, weights).ravel() for case in cases])
    tried = np.quantile(every, np.linspace(0.5, 0.999, THRESHOLDS))
    return max((f1(cases, weights, align, float(each)), float(each)) for each in tried)


def told(name: str, cases: Sequence[Case]) -> Iterator[str]:
    """The lines on a set of cases."""
    partners = sum(len(case.shared) for case in cases)
    yield f"{name}: {len(cases)} pairs of texts, {partners} categories or numbers on both sides"
    in_use = similarity.sum_at(DEFAULTS.pair_threshold)
    for kind, weights in TRIED.items():
        if not weights.keys() <= cases[0].alike.keys():
            continue
        nearest, assigned = (best(cases, weights, align) for align in (pairs, assigned_pairs))
        yield (
            f"  {kind:32} area {area(cases, weights):.3f}  F1 best: nearest first {nearest[0]:.3f} "
            f"(from {nearest[1]:.2f}), best sum {assigned[0]:.3f} (from {assigned[1]:.2f})"
        )
    for threshold in (0.4, 0.5, DEFAULTS.pair_threshold, 0.7, 0.8):
        cut = similarity.sum_at(threshold)
        one, other = (f1(cases, IN_USE, align, cut) for align in (pairs, assigned_pairs))
        mark = "  in use" if cut == in_use else ""
        yield f"  threshold {threshold}: nearest first {one:.3f}, best sum {other:.3f}{mark}"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--reranker", action="store_true")
    asked = parser.parse_args(arguments)
    with opened(asked.library, "cuad") as workspace:
        reranker = load_reranker(workspace.folder / "models") if asked.reranker else None
        sides = contracts(asked.folder / "cuad", workspace)
        listed = json.loads((asked.folder / "cuad" / "pairs.json").read_text("utf-8"))
        chosen = [(row["a_pdf"], row["b_pdf"]) for row in listed]
        for name, of in (("the pairs", chosen), ("other contracts", _others(sides, chosen))):
            cases = [case_of(sides[one], sides[other], reranker) for one, other in of]
            print("\n".join(told(name, cases)), flush=True)
        standard = requirements(asked.folder / "versions" / "asvs", workspace)
        print("\n".join(told("two versions of a standard", standard)))


def _others(
    sides: Mapping[str, Side], chosen: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """The contracts in no pair, each with the next of its kind; the last with the first."""
    used = {name for pair in chosen for name in pair}
    for kind in ("hosting", "consulting"):
        own = sorted(name for name in sides.keys() - used if kind in name.lower())
        ring = own if len(own) > 2 else own[:1]
        yield from ((name, own[(at + 1) % len(own)]) for at, name in enumerate(ring))


if __name__ == "__main__":
    main(sys.argv[1:])
