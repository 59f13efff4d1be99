"""The models that come with docqa, loaded once, their files where all tests' models are."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.models import load
from docqa.models.load import BUNDLED, Encoder, TableReader
from docqa.models.registry import KNOWN, folder_of


def cache() -> Path:
    """See `MODELS` in `tests.conftest`."""
    return Path(os.environ["DOCQA_MODELS"])


Score = Callable[[str, Sequence[str]], NDArray[np.float32]]


class Remembering:
    """A reranker that reads a question and a passage, or a line of a table, together once."""

    def __init__(self, reranker: TableReader) -> None:
        self.name = reranker.name
        self._reranker = reranker
        self._passages: dict[int, float] = {}
        self._lines: dict[int, float] = {}

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        return self._scored(self._passages, self._reranker.score, question, passages)

    def score_lines(self, question: str, lines: Sequence[str]) -> NDArray[np.float32]:
        return self._scored(self._lines, self._reranker.score_lines, question, lines)

    @staticmethod
    def _scored(
        known: dict[int, float], score: Score, question: str, texts: Sequence[str]
    ) -> NDArray[np.float32]:
        pairs = {hash((question, text)): text for text in texts}
        new = {pair: text for pair, text in pairs.items() if pair not in known}
        if new:
            known.update(zip(new, score(question, list(new.values())).tolist(), strict=True))
        return np.array([known[hash((question, text))] for text in texts], np.float32)


def once(loading: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but as long as the same models are there it is one network."""
    made: dict[object, Any] = {}

    def loaded(cache: Path, **named: Any) -> Any:
        key = (cache, *named.items(), *map(folder_of, KNOWN.values()))
        if key not in made:
            made[key] = loading(cache, **named)
        return made[key]

    return loaded


def _remembering(cache: Path, **named: Any) -> TableReader | None:
    reranker = load.load_reranker(cache, **named)
    return reranker and Remembering(reranker)


load_encoder, load_reranker = once(load.load_encoder), once(_remembering)


def encoder() -> Encoder:
    loaded: Encoder = load_encoder(cache(), name=BUNDLED)
    return loaded


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    return encoder().encode_now(list(texts))
