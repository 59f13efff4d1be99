"""Vectors of the texts that were encoded last: one document is asked many things, and read anew
for each of them; encoding its sentences is most of what an answer without a model takes."""

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

KEPT = 8_000_000  # numbers, about 30 MB: the vectors of 20,000 texts, whose words take as much

Encode = Callable[[Sequence[str]], Sequence[NDArray[np.float32]] | NDArray[np.float32]]


class RecentVectors:
    """What was made of the last texts, those asked for longest ago going first; safe in several
    threads.

    ``kept`` is how many numbers there may be.
    """

    def __init__(self, *, kept: int = KEPT) -> None:
        self._room = kept
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._changing = threading.Lock()

    def of(self, texts: Sequence[str], encode: Encode) -> list[NDArray[np.float32]]:
        """What is made of each text, in order; those not known are encoded, each once."""
        with self._changing:
            found = {text: self._vectors.pop(text) for text in {*texts} & self._vectors.keys()}
            self._vectors.update(found)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found.update(zip(missing, encode(missing), strict=True))
            with self._changing:
                for text in missing:
                    self._keep(text, found[text].copy())
        return [found[text] for text in texts]

    def _keep(self, text: str, vectors: NDArray[np.float32]) -> None:
        if text in self._vectors:  # another thread was faster
            return
        self._vectors[text] = vectors
        self._room -= vectors.size
        while self._room < 0:
            self._room += self._vectors.pop(next(iter(self._vectors))).size
