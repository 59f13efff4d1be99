"""Teaches linear classifiers of short texts, as `docqa.language.linear` reads them."""

from collections import Counter
from collections.abc import Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from docqa.language.linear import terms_of

LENGTH = 3.0  # of a vector, beside words that count 1 each
STRENGTH = 0.5  # the inverse of how far weights are held towards 0


def taught(
    texts: Sequence[str],
    labels: Sequence[int],
    *,
    classes: int,
    seen: int,
    least: float,
    without: Set[str] = frozenset(),
    vectors: NDArray[np.float32] | None = None,
    length: float = LENGTH,
    strength: float = STRENGTH,
    balanced: bool = False,
) -> dict[str, Any]:
    """A classifier of texts as numbers, for `docqa.language.linear.linear_of`.

    ``labels`` are numbers of classes; of two the odds of the second are kept. Terms have to be in
    ``seen`` texts and to have no word of ``without``, and weights to be of ``least``. ``vectors``,
    (n, d), are weighed beside words, as if they were of that ``length``.
    """
    names, rows = held(texts, seen=seen, without=without)
    weight = "balanced" if balanced else None
    model = LogisticRegression(C=strength, max_iter=1000, class_weight=weight)
    model.fit(rows if vectors is None else hstack([rows, vectors * length]), labels)
    own = [0] if classes == 2 else model.classes_
    found = np.zeros((1 if classes == 2 else classes, model.coef_.shape[1]))
    base = np.full(len(found), -20.0)  # of a class that none is of
    found[own], base[own] = model.coef_, model.intercept_
    weights, meaning = np.split(found, [len(names)], axis=1)
    kept = np.flatnonzero(np.abs(weights).max(axis=0) > least)
    made = {
        "terms": [names[at] for at in kept],
        "weights": weights[:, kept].round(2).tolist(),
        "base": base.round(3).tolist(),
    }
    return made if vectors is None else {**made, "meaning": (meaning * length).round(2).tolist()}


def held(
    texts: Sequence[str], *, seen: int, without: Set[str] = frozenset()
) -> tuple[list[str], csr_matrix]:
    """The terms that at least ``seen`` of the texts have, sorted, and who has which, (n, terms).

    Those with a word of ``without`` are left out.
    """
    terms = [set(terms_of(text)) for text in texts]
    counts = Counter(term for own in terms for term in own)
    often = (term for term, count in counts.items() if count >= seen)
    names = sorted(term for term in often if without.isdisjoint(term.split()))
    numbers = {term: at for at, term in enumerate(names)}
    places = [[numbers[term] for term in own & numbers.keys()] for own in terms]
    starts = np.cumsum([0, *map(len, places)])
    shape = (len(texts), len(names))
    return names, csr_matrix((np.ones(starts[-1]), np.concatenate(places), starts), shape)
