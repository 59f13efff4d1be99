from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from tokenizers import Tokenizer

from docqa.neural import digits
from docqa.neural.export import export
from docqa.neural.known import MINILM, required_folder
from docqa.samples.questions import QUESTIONS

CPU = Path("/proc/cpuinfo")
MATRICES = arrays(np.float32, (3, 5), elements=st.floats(-50, 50, width=32))


@given(MATRICES)
def test_two_digits_are_the_number_to_four_decimals_of_the_largest(
    weight: NDArray[np.float32],
) -> None:
    first, second, scale = digits.digits(weight)
    again = scale[:, None] * (first + second / np.float32(digits.BASE))
    assert np.all(np.abs(again - weight) <= scale[:, None] / digits.BASE * 0.51)
    assert np.abs(first.astype(int)).max() <= digits.DIGIT
    assert np.abs(second.astype(int)).max() <= digits.DIGIT


def test_only_a_processor_that_says_so_multiplies_digits(tmp_path: Path) -> None:
    described = tmp_path / "cpuinfo"
    assert not digits.are_fast(described)
    described.write_text("flags : fpu avx2 avx512_vnni amx_tile\n")
    assert not digits.are_fast(described)
    described.write_text("flags : fpu amx_tile amx_int8\n")
    assert digits.are_fast(described)


def sums_are_whole() -> bool:
    """Older processors cut the sum of two 8-bit products off at 16 bits."""
    return CPU.is_file() and "vnni" in CPU.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # torch's own, while it traces the network
@pytest.mark.skipif(not sums_are_whole(), reason="this processor cuts off sums of 8-bit products")
def test_the_vectors_are_those_of_floating_point(tmp_path: Path) -> None:
    folder = required_folder(MINILM)
    for form in ("encoder", "digits"):
        export(str(folder), str(tmp_path / f"{form}.onnx"), form)
    whole, other = (list(vectors(tmp_path / f"{form}.onnx")) for form in ("digits", "encoder"))
    cosines = np.sum(np.concatenate(whole) * np.concatenate(other), axis=1)
    assert len(cosines) == 3 + len(QUESTIONS)
    assert cosines.min() > 0.99999


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
