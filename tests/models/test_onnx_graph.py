"""The encoder that is written from its weights is the one that sentence-transformers has."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer

from docqa.models.export import WRITTEN, export
from docqa.models.registry import MINILM, required_folder
from docqa.samples.questions import QUESTIONS


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # torch's own, while it traces the network
def test_the_written_network_is_the_traced_one(tmp_path: Path) -> None:
    folder = required_folder(MINILM)
    for form in (WRITTEN, "encoder"):
        export(str(folder), str(tmp_path / f"{form}.onnx"), form)
    written, traced = (list(vectors(tmp_path / f"{form}.onnx")) for form in (WRITTEN, "encoder"))
    assert len(written) == 3 + len(QUESTIONS)
    assert np.allclose(np.concatenate(written), np.concatenate(traced), atol=2e-6)


def vectors(path: Path) -> Iterator[NDArray[np.float32]]:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(required_folder(MINILM) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MINILM.max_tokens)
    for text in ["", "中文 ☃", "rent " * 400, *(each.question for each in QUESTIONS)]:
        ids = np.array([tokenizer.encode(text).ids])
        given = {"input_ids": ids, "attention_mask": ids**0, "token_type_ids": ids * 0}
        wanted = {each.name for each in session.get_inputs()}
        [made] = session.run(None, {name: rows for name, rows in given.items() if name in wanted})
        yield made
