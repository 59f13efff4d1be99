"""The models that come with docqa, loaded once, their files where all tests' models are."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.models import load
from docqa.models.load import BUNDLED, Encoder, Reranker
from docqa.models.registry import KNOWN, folder_of


def cache() -> Path:
    """See `MODELS` in `tests.conftest`."""
    return Path(os.environ["DOCQA_MODELS"])


class Remembering:
    """A reranker that reads a question and a passage together once."""

    def __init__(self, reranker: Reranker) -> None:
        self.name = reranker.name
        self._reranker = reranker
        self._scores: dict[int, float] = {}

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        pairs = {hash((question, passage)): passage for passage in passages}
        new = {pair: passage for pair, passage in pairs.items() if pair not in self._scores}
        if new:
            scores = self._reranker.score(question, list(new.values()))
            self._scores.update(zip(new, scores.tolist(), strict=True))
        found = [self._scores[hash((question, passage))] for passage in passages]
        return np.array(found, np.float32)


def once(loading: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but as long as the same models are there it is one network."""
    made: dict[object, Any] = {}

    def loaded(cache: Path, **named: Any) -> Any:
        key = (cache, *named.items(), *map(folder_of, KNOWN.values()))
        if key not in made:
            made[key] = loading(cache, **named)
        return made[key]

    return loaded


def _remembering(cache: Path, **named: Any) -> Reranker | None:
    reranker = load.load_reranker(cache, **named)
    return reranker and Remembering(reranker)


load_encoder, load_reranker = once(load.load_encoder), once(_remembering)


def encoder() -> Encoder:
    loaded: Encoder = load_encoder(cache(), name=BUNDLED)
    return loaded


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    return encoder().encode_now(list(texts))
