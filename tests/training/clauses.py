"""Teaches the wording by which contracts settle their topics (`docqa/compare/wording.json`).

    python -m tests.training.clauses FOLDER --libraries DIR --out docqa/compare/wording.json

FOLDER holds ``cuad`` and ``cuad_more``, contracts with the clauses that lawyers marked in them.
Learnt from are all of the first and, of each kind of contract in the second, the first by file
name: the other half is kept aside. A sentence settles a topic where it stands on a page of a marked
clause and has its words. What joins the words with other signs is learnt from contracts whose words
were left out, each seventh at a time, and those are also what the chances are measured on.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse  # type: ignore[import-untyped]
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from docqa.compare.terms import Sentence, is_heading, says, sentences_of
from docqa.compare.topics import TOPICS
from docqa.compare.wording import (
    CANDIDATES,
    MEANT,
    SIGNS,
    Encode,
    Numbers,
    features,
    joined,
    meant,
    over_others,
    share,
)
from docqa.language.words import content_words
from docqa.library.filenames import clean_name
from docqa.models.registry import MINILM
from docqa.types.document import Block
from docqa.workspace import Workspace
from tests.eval.compare import TOPICS as CATEGORIES
from tests.eval.compare import in_view

CONTRACTS = 3  # that a feature stands in, at least
KEPT = 300  # features of each topic
PENALTY = 10.0  # on the square of the weights
LENGTH = 11.0  # that vectors are given, so that one penalty fits them and the words
PRESENT = 3.0  # how much a sentence that settles weighs against one that does not
FOLDS = 7
LEAST = 0.07  # chance from which a topic is held to be settled: an absence wrongly told is worst
SHARED = 0.75  # of the words of the shorter of sentence and marked clause
NAMES = list(CATEGORIES.values())
ENCODER = MINILM.name


@dataclass(slots=True)
class Contract:
    """Its sentences, for each topic which settle it, (n, topics), and their vectors, (n, d)."""

    sentences: list[Sentence]
    settles: NDArray[np.bool_]
    vectors: Numbers


def contracts(folder: Path, workspace: Workspace) -> Iterator[Contract]:
    rows = json.loads((folder / "clause_pages.json").read_text("utf-8"))
    documents = {each.name: each.id for each in workspace.documents()}
    for file in in_view(folder):
        own = [row for row in rows if Path(row["pdf"]).name == file]
        blocks = workspace.contents.blocks(documents[clean_name(file)])
        yield marked(blocks, own, workspace.resources.encoder.encode)


def marked(blocks: Sequence[Block], rows: Sequence[dict[str, Any]], encode: Encode) -> Contract:
    sentences = [each for each in sentences_of(blocks) if not is_heading(each.blocks[0])]
    settles = np.zeros((len(sentences), len(NAMES)), np.bool_)
    for row in rows:
        if row["category"] in CATEGORIES:
            at = NAMES.index(CATEGORIES[row["category"]])
            settles[:, at] |= [_is_of(each, row) for each in sentences]
    vectors = encode([meant(each.text, each.heading) for each in sentences])
    return Contract(sentences, settles, vectors)


def _is_of(sentence: Sentence, row: dict[str, Any]) -> bool:
    if not {block.page for block in sentence.blocks} & set(row["pages"]):
        return False
    one, other = set(content_words(sentence.text)), set(content_words(row["clause"]))
    least = min(len(one), len(other))
    shared = len(one & other)
    return least > 0 and shared >= min(3, len(other)) and shared >= SHARED * least


def taught(every: Sequence[Contract]) -> dict[str, Any]:
    """What `docqa.compare.wording` reads."""
    signs, right = [], []
    for fold in range(FOLDS):
        others = [each for at, each in enumerate(every) if at % FOLDS != fold]
        (names, weights), meaning = _words(others), _meaning(others)
        for each in every[fold::FOLDS]:
            odds = _matrix([each], names) @ weights[:-1] + weights[-1]
            found, settled = _joined(each, odds, each.vectors @ meaning[:-1] + meaning[-1])
            signs.append(found)
            right.append(settled)
    joint = {
        said: _joint(np.concatenate(signs), np.concatenate(right), known)
        for said, known in (("by words", SIGNS), ("by meaning", MEANT))
    }
    return {"least": LEAST, "encoder": ENCODER, **joint, "topics": _written(every)}


def _joint(signs: Numbers, right: NDArray[np.bool_], known: Sequence[str]) -> dict[str, Any]:
    fitted = LogisticRegression(C=1.0, max_iter=500).fit(signs[:, : len(known)], right)
    weights = dict(zip(known, (round(float(each), 3) for each in fitted.coef_[0]), strict=True))
    return {"offset": round(float(fitted.intercept_[0]), 3), "signs": weights}


def _meaning(every: Sequence[Contract]) -> Numbers:
    """Weights of what sentences mean, (dimensions + 1, topics), the offsets last."""
    vectors = sparse.csr_matrix(np.concatenate([each.vectors for each in every]) * LENGTH)
    weights = _regressed(vectors, np.concatenate([each.settles for each in every]))
    weights[:-1] *= LENGTH
    return weights


def _words(every: Sequence[Contract]) -> tuple[list[str], Numbers]:
    """Features and their weights, (features + 1, topics), the offsets last."""
    held = Counter(f for each in every for f in {f for s in each.sentences for f in _of(s)})
    names = sorted(name for name, count in held.items() if count >= CONTRACTS)
    settles = np.concatenate([each.settles for each in every])
    weights = _regressed(_matrix(every, names), settles)
    for column in weights[:-1].T:
        column[np.argsort(-np.abs(column), kind="stable")[KEPT:]] = 0
    return names, weights


def _of(sentence: Sentence) -> frozenset[str]:
    return features(sentence.text, sentence.heading)


def _matrix(every: Sequence[Contract], names: Sequence[str]) -> Any:
    places = {name: at for at, name in enumerate(names)}
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for sentence in (s for each in every for s in each.sentences):
        held = _of(sentence)
        own = [places[feature] for feature in held if feature in places]
        columns += own
        values += [share(len(held))] * len(own)
        ends.append(len(columns))
    filled = np.array(values, np.float32)
    return sparse.csr_matrix((filled, columns, ends), shape=(len(ends) - 1, len(names)))


def _regressed(rows: Any, settles: NDArray[np.bool_]) -> Numbers:
    """Logistic regressions, one for each topic, by L-BFGS."""
    wanted = settles.astype(np.float32)
    weight = np.where(settles, PRESENT, 1.0).astype(np.float32)
    shape = (rows.shape[1] + 1, settles.shape[1])
    turned = rows.T.tocsr()

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        own = flat.reshape(shape).astype(np.float32)
        odds = rows @ own[:-1] + own[-1]
        missed = weight * (1 / (1 + np.exp(-odds)) - wanted)
        lost = (weight * (np.logaddexp(0, odds) - wanted * odds)).sum()
        slopes = np.vstack([turned @ missed + PENALTY * own[:-1], missed.sum(0)])
        return float(lost + PENALTY / 2 * (own[:-1] ** 2).sum()), slopes.ravel().astype(np.float64)

    start = np.zeros(shape)
    start[-1] = -4
    found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 40})
    weights: Numbers = found.x.reshape(shape).astype(np.float32)
    return weights


def _joined(
    contract: Contract, odds: Numbers, meaning: Numbers
) -> tuple[Numbers, NDArray[np.bool_]]:
    """The signs of a contract's likeliest sentences for each topic, and which settle it."""
    over, over_meant = over_others(odds), over_others(meaning)
    rows = [bool(each.blocks[0].table) for each in contract.sentences]
    by_name = {topic.name: topic for topic in TOPICS}
    signs, right = [], []
    for at, name in enumerate(NAMES):
        hits = [says(by_name[name], each) > 0 for each in contract.sentences]
        best = np.argsort(-odds[:, at], kind="stable")[:CANDIDATES]
        own = joined(odds[:, at], over[:, at], hits, rows)
        signs.append(np.column_stack([own, meaning[:, at], over_meant[:, at]])[best])
        right.append(contract.settles[best, at])
    return np.concatenate(signs), np.concatenate(right)


def _written(every: Sequence[Contract]) -> dict[str, Any]:
    """By topic the weights of words and of meanings, learnt from all contracts."""
    (names, weights), meanings = _words(every), _meaning(every)
    return {
        name: {
            "offset": round(float(column[-1]), 2),
            "meaning": [round(float(each), 2) for each in meaning],
            "words": {
                names[at]: round(float(column[at]), 2)
                for at in map(int, np.flatnonzero(column[:-1]))
                if abs(column[at]) >= 0.005
            },
        }
        for name, column, meaning in zip(NAMES, weights.T, meanings.T, strict=True)
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.clauses")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    every: list[Contract] = []
    for name in ("cuad", "cuad_more"):
        with Workspace(given.libraries / name) as workspace:
            every += contracts(given.folder / name, workspace)
    text = json.dumps(taught(every), separators=(",", ":"), ensure_ascii=False)
    given.out.write_text(text + "\n", encoding="utf-8")
    print(f"{len(every)} contracts, {given.out.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
