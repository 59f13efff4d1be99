"""Whether a sentence beside a question says nothing of what is asked, but how, by whom or why.

A logistic regression over a sentence's words, pairs of words and its vector, taught by
`tests.training.asides` on sentences written for it. Beside what is asked are instructions to
whoever answers, and what people tell of themselves; part of it are circumstances that narrow a
question, and what it is about; a request asks without a question mark.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from docqa.language.linear import bundled

Vectors = Callable[[Sequence[str]], NDArray[np.float32]]
"""Vectors of length 1, (n, d), of n texts, by the encoder that comes with docqa."""


def odds_beside(sentences: Sequence[str], vectors: Vectors, *, asked: bool) -> list[float]:
    """How much likelier each sentence is beside what is asked than part of it, as log odds.

    Where another sentence has ``asked``, none of these is taken for a request.
    """
    taught = bundled("docqa.question", "asides.json")
    each = zip(sentences, vectors(sentences), strict=True)
    odds = np.stack([taught.odds(sentence, vector) for sentence, vector in each])
    beside, others = odds[:, 0], odds[:, 1 : 2 if asked else 3]  # part, request
    likelier: list[float] = (beside - others.max(axis=1)).tolist()
    return likelier
