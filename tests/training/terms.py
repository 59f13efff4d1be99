"""Texts by the terms that a linear classifier weighs."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

from docqa.language.linear import terms_of


def held(texts: Sequence[str], *, seen: int) -> tuple[list[str], csr_matrix]:
    """The terms that at least ``seen`` of the texts have, sorted, and who has which, (n, terms)."""
    terms = [set(terms_of(text)) for text in texts]
    counts = Counter(term for own in terms for term in own)
    names = sorted(term for term, count in counts.items() if count >= seen)
    numbers = {term: at for at, term in enumerate(names)}
    places = [[numbers[term] for term in own & numbers.keys()] for own in terms]
    starts = np.cumsum([0, *map(len, places)])
    shape = (len(texts), len(names))
    return names, csr_matrix((np.ones(starts[-1]), np.concatenate(places), starts), shape)
