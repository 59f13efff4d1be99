"""Reading 20 passages again with a question, beside sentence-transformers' `CrossEncoder`.

The peer has the shape of ms-marco-MiniLM-L-6-v2, which sentence-transformers' documentation shows;
its weights are drawn at random where it is not on this machine, which takes it the same time.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docqa.models.load import load_reranker
from docqa.models.registry import MARCO, MINILM, folder_of, required_folder
from docqa.settings import models_folder
from tests.benchmarks.made import Prose
from tests.benchmarks.rows import Options, Row, against, medians

SECTION = "rerank"
PEER = "sentence-transformers CrossEncoder"
PASSAGES = 20  # as many as a search reads again
QUESTION = "What is the notice period of the lease?"


def run(options: Options) -> Iterator[Row]:
    count = 4 if options.short else PASSAGES
    words = Prose(0)
    passages = [words.text(900) for _ in range(count)]
    reranker, peer = load_reranker(models_folder(options.scratch)), _cross_encoder(options.scratch)
    assert reranker is not None
    reranker.score(QUESTION, passages[:1])
    pairs = [(QUESTION, passage) for passage in passages]
    actions = {
        "docqa": lambda: reranker.score(QUESTION, passages),
        PEER: lambda: peer.predict(pairs, show_progress_bar=False),
    }
    took = medians(actions, turns=2 * options.turns)
    yield from against(SECTION, f"read {count} passages again", took, turns=2 * options.turns)


def _cross_encoder(scratch: Path) -> Any:
    from sentence_transformers import CrossEncoder

    folder = folder_of(MARCO) or _drawn(scratch / "cross-encoder")
    return CrossEncoder(str(folder), device="cpu", local_files_only=True, max_length=512)


def _drawn(folder: Path) -> Path:
    """A cross-encoder of six layers of 384, with the bundled encoder's words."""
    from transformers import BertConfig, BertForSequenceClassification

    bundled = required_folder(MINILM)
    config = BertConfig.from_pretrained(bundled, num_labels=1, local_files_only=True)
    BertForSequenceClassification(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(bundled / name, folder / name)
    return folder
