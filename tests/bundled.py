"""The encoder that comes with docqa, loaded once, its files where all tests' models are."""

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.models.load import BUNDLED, Encoder, load_encoder


def cache() -> Path:
    """See `MODELS` in `tests.conftest`."""
    return Path(os.environ["DOCQA_MODELS"])


@lru_cache(maxsize=1)
def encoder() -> Encoder:
    return load_encoder(cache(), name=BUNDLED)


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    return encoder().encode_now(list(texts))
