"""Vectors of the texts that were encoded last: one document is asked many things, and read anew
for each of them; encoding its sentences is most of what an answer without a model takes."""

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

KEPT = 20_000  # texts; of 384 numbers each about 30 MB, and as much for the texts

Encode = Callable[[Sequence[str]], NDArray[np.float32]]


class RecentVectors:
    """The vectors of the last texts, those encoded first going first; safe in several threads."""

    def __init__(self, *, kept: int = KEPT) -> None:
        self._kept = kept
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._changing = threading.Lock()

    def of(self, texts: Sequence[str], encode: Encode) -> list[NDArray[np.float32]]:
        """A vector for each text, in order; those not known are encoded, each once."""
        with self._changing:
            found = {text: self._vectors[text] for text in texts if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found.update(zip(missing, encode(missing), strict=True))
            with self._changing:
                self._vectors.update((text, found[text].copy()) for text in missing)
                for text in list(self._vectors)[: max(0, len(self._vectors) - self._kept)]:
                    del self._vectors[text]
        return [found[text] for text in texts]
