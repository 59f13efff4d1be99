"""The encoder that comes with docqa, loaded once."""

import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.models.load import BUNDLED, Encoder, load_encoder


@lru_cache(maxsize=1)
def _encoder() -> Encoder:
    return load_encoder(Path(tempfile.mkdtemp(prefix="docqa-tests-")), name=BUNDLED)


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    return _encoder().encode_now(list(texts))
