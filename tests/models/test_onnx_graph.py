"""The encoder that is written from its weights is the one that sentence-transformers has.

In 8 bits it is nearly that, and of every text alone.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer

from docqa.models.export import export
from docqa.models.onnx_graph import in_int8
from docqa.models.registry import MINILM, required_folder
from docqa.samples.questions import QUESTIONS


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # torch's own, while it traces the network
def test_the_written_network_is_the_traced_one(tmp_path: Path) -> None:
    folder = required_folder(MINILM)
    for form in ("float32", "int8", "encoder"):
        export(str(folder), str(tmp_path / f"{form}.onnx"), form)
    written, int8, traced = (
        np.concatenate(list(vectors(tmp_path / f"{form}.onnx")))
        for form in ("float32", "int8", "encoder")
    )
    assert len(written) == 3 + len(QUESTIONS)
    assert np.allclose(written, traced, atol=2e-6)
    assert np.sum(int8 * traced, axis=1).mean() > 0.99


def test_neighbours_in_8_bits_fit_into_16_with_any_row() -> None:
    weights = np.random.default_rng(1).normal(size=(384, 64)).astype(np.float32)
    weights[6:8, 3] = 9.0, -9.0  # two large ones beside each other
    weights[8, 4] = 9.0  # and one alone
    made, scales = in_int8(weights)
    sizes = np.abs(made.astype(int))
    assert (sizes[::2] + sizes[1::2]).max() <= 128
    assert sizes[6:8, 3].tolist() == [64, 64]
    assert sizes[8, 4] > 100
    assert np.allclose(made * scales, weights, atol=float(scales.max()) / 2)


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
