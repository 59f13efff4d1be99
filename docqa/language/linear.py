"""Linear classifiers of short texts: logistic regression over words and pairs of neighbours."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.language.words import words

_SIGN = re.compile(r"[%/+÷=]|(?<= )[-–−](?= )")  # that a sum may be asked for with


def terms_of(text: str) -> Iterator[str]:
    """A text's words and pairs of words, with marks at its ends; numbers as "#", years as "@". Of
    signs those of calculation are told, too.

    >>> list(terms_of("Total % in 2019?"))
    ['%', 'total', 'in', '@', '< total', 'total in', 'in @', '@ >']
    """
    yield from _SIGN.findall(text)
    plain = [_plain(word) for word in words(text)]
    yield from plain
    ends = ["<", *plain, ">"]
    yield from (f"{one} {other}" for one, other in pairwise(ends))


def _plain(word: str) -> str:
    if re.fullmatch(r"(?:fy|cy)?'?(?:19|20)\d\d", word):
        return "@"
    return "#" if word[:1].isdigit() else word


@dataclass(frozen=True, slots=True)
class Linear:
    """``numbers`` are of terms; ``weights`` are (classes, terms), ``base`` (classes,).

    ``meaning`` are weights of a text's vector, (classes, d); (classes, 0) where it has none.
    """

    numbers: dict[str, int]
    weights: NDArray[np.float32]
    base: NDArray[np.float32]
    meaning: NDArray[np.float32]

    def odds(
        self, text: str, vector: Sequence[float] | NDArray[np.float32] = ()
    ) -> NDArray[np.float32]:
        """The log odds of each class, (classes,); ``vector`` (d,) is the text's."""
        held = [self.numbers[term] for term in set(terms_of(text)) & self.numbers.keys()]
        odds: NDArray[np.float32] = self.base + self.weights[:, held].sum(axis=1)
        return odds + self.meaning @ np.asarray(vector, np.float32)


def linear_of(kept: Mapping[str, Any]) -> Linear:
    """A classifier as `tests.training.terms.taught` writes it."""
    base = np.array(kept["base"], np.float32)
    return Linear(
        {term: at for at, term in enumerate(kept["terms"])},
        np.array(kept["weights"], np.float32),
        base,
        np.array(kept.get("meaning", [[]] * len(base)), np.float32),
    )


@cache
def bundled(package: str, name: str) -> Linear:
    """The classifier that a package keeps in a file of JSON, read once."""
    return linear_of(json.loads(resources.files(package).joinpath(name).read_text("utf-8")))
