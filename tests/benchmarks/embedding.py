"""Embedding passages, beside sentence-transformers' own `encode` with the same weights."""

from collections.abc import Iterator
from itertools import count

import numpy as np

from docqa.models.load import BUNDLED, load_encoder
from docqa.models.registry import MINILM, required_folder
from docqa.settings import models_folder
from tests.benchmarks.made import Prose
from tests.benchmarks.rows import Options, Row, against, give_torch_every_core, medians

SECTION = "embed"
PEER = "sentence-transformers"
LENGTHS = (200, 500, 900, 1000, 1000, 1000)  # characters, as passages have them


def run(options: Options) -> Iterator[Row]:
    from sentence_transformers import SentenceTransformer

    encoder = load_encoder(models_folder(options.scratch), name=BUNDLED)
    folder = str(required_folder(MINILM))
    peer = SentenceTransformer(folder, device="cpu", local_files_only=True)
    many = 12 if options.short else 240
    words = Prose(0)
    texts = [words.text(LENGTHS[place % len(LENGTHS)]) for place in range(many)]

    def theirs() -> object:
        give_torch_every_core()
        return peer.encode(texts, normalize_embeddings=True, show_progress_bar=False)

    cosines = np.sum(encoder.encode(texts) * np.asarray(theirs()), axis=1)
    took = medians({"docqa": lambda: encoder.encode(texts), PEER: theirs}, turns=options.turns)
    note = f"least cosine between the two {cosines.min():.6f}"
    yield from against(SECTION, f"embed {many} passages", took, turns=options.turns, unit="s")
    yield Row(SECTION, "passages a second", many / took["docqa"], "", options.turns, note=note)
    numbers = count()

    def question() -> str:  # each a new one: docqa remembers the last
        return f"What is the notice period of lease {next(numbers)}?"

    asked = {
        "docqa": lambda: encoder.encode_query(question()),
        PEER: lambda: peer.encode(question(), show_progress_bar=False),
    }
    took = medians(asked, turns=10 * options.turns)
    yield from against(SECTION, "embed a question", took, turns=10 * options.turns)
