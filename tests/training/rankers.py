"""Trees that rank what a question may mean, taught by LightGBM, and the chance of the first.

LightGBM is not among docqa's packages: `pip install lightgbm`.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from docqa.language.trees import Numbers, Trees, trees_of
from tests.training.boosted import as_numbers

OTHERS = 300  # wrong ones of a question
FOLDS = 4  # of documents, on which the chance is told
SEEN, SHARE = 30, 0.5  # examples in a leaf at the least, and features that a tree may look at


class Ranked(Protocol):
    """What a question may mean, with features, (n, features), and which are right, (n,)."""

    @property
    def group(self) -> str: ...
    @property
    def rows(self) -> Numbers: ...
    @property
    def right(self) -> NDArray[np.bool_]: ...


T = TypeVar("T", bound=Ranked)


def taught(
    examples: Sequence[Ranked],
    names: Sequence[str],
    *,
    rounds: int = 200,
    leaves: int = 15,
    rate: float = 0.05,
) -> dict[str, Any]:
    """Trees that rank what each question may mean."""
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
            "learning_rate": rate, "num_leaves": leaves, "min_data_in_leaf": SEEN,
            "feature_fraction": SHARE, "seed": 0, "verbose": -1, "deterministic": True,
        },
        told,
        rounds,
    )  # fmt: skip
    return as_numbers(model, names)


def apart(examples: Sequence[T], names: Sequence[str], **how: Any) -> Iterator[tuple[T, Numbers]]:
    """Each example with its scores, by trees that did not learn from its document."""
    groups = sorted({each.group for each in examples})
    random = np.random.default_rng(0)
    folds = dict(zip(groups, random.integers(0, FOLDS, len(groups)).tolist(), strict=True))
    for fold in range(FOLDS):
        others = [each for each in examples if folds[each.group] != fold]
        trees = trees_of(taught(others, names, **how), names)
        for each in examples:
            if folds[each.group] == fold:
                yield each, trees.odds(each.rows)


def weighed(told: Sequence[Sequence[float]], right: Sequence[bool]) -> list[float]:
    """The weights of signs that the first is right, (n, signs), and of 1."""
    table = np.array(told)
    spread = table.std(axis=0) + 1e-6
    model = LogisticRegression(max_iter=2000).fit(table / spread, right)
    weights = [*(model.coef_[0] / spread).tolist(), float(model.intercept_[0])]
    return [round(each, 5) for each in weights]


def chances(
    examples: Sequence[T],
    trees: Trees,
    weights: Sequence[float],
    signs: Callable[[T, Numbers], Sequence[float]],
) -> Iterator[tuple[T, int, float]]:
    """Each example, which one is first, and the chance that it is right."""
    for each in examples:
        scores = trees.odds(each.rows)
        sure = float(np.array(weights) @ [*signs(each, scores), 1.0])
        yield each, int(scores.argmax()), float(1 / (1 + np.exp(-sure)))
