import os
import sys
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from docqa.errors import ModelDamaged, ModelFailed
from docqa.models import bfloat16, load
from docqa.models.bfloat16 import Halves
from docqa.models.load import Encoder, load_encoder
from docqa.models.registry import MINILM, WEIGHTS, required_folder
from docqa.samples.questions import QUESTIONS

TEXTS = ["", "中文 ☃", "rent " * 400, "rent " * 30, *(each.question for each in QUESTIONS)]


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> Encoder:
    """The encoder of a processor that multiplies halves fast."""
    monkeypatch.setattr(load, "are_fast", lambda: True)
    return load_encoder(Path(os.environ["DOCQA_MODELS"]), name=MINILM.name)


def test_only_a_processor_that_says_so_multiplies_halves(tmp_path: Path) -> None:
    described = tmp_path / "cpuinfo"
    assert not bfloat16.are_fast(described)
    described.write_text("flags : fpu avx512_bf16 amx_tile amx_int8\n")
    assert not bfloat16.are_fast(described)
    described.write_text("flags : fpu amx_bf16 amx_tile\n")
    assert bfloat16.are_fast(described)


@pytest.mark.slow
def test_the_vectors_are_those_of_the_whole_network_to_three_decimals(fast: Encoder) -> None:
    made = fast.encode(TEXTS)
    assert made.shape == (len(TEXTS), 384)
    assert made.dtype == np.float32
    assert np.linalg.norm(made, axis=1) == pytest.approx(1.0, abs=1e-5)
    cosines = np.sum(made * fast.encode_now(TEXTS), axis=1)
    assert cosines.min() > 0.9997
    assert cosines.min() < 0.9999999  # it was another way


@pytest.mark.slow
def test_a_vector_is_the_same_to_the_bit_whatever_is_read_with_it(fast: Encoder) -> None:
    among = fast.encode(TEXTS)
    again = fast.encode(TEXTS[::-1])[::-1]
    alone = np.concatenate([fast.encode([text]) for text in TEXTS])
    assert np.array_equal(among, again)
    assert np.array_equal(among, alone)


@pytest.mark.slow
def test_without_torch_the_network_reads_them(
    fast: Encoder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)  # importing it fails
    assert np.array_equal(fast.encode(TEXTS[:2]), fast.encode_now(TEXTS[:2]))
    assert np.array_equal(fast.encode(TEXTS[2:3]), fast.encode_now(TEXTS[2:3]))
    told = [each.getMessage() for each in caplog.records if each.name == load.__name__]
    assert told == [
        "torch does not load, so passages are encoded without: "
        "import of torch halted; None in sys.modules"
    ]


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / WEIGHTS).write_bytes(b"changed")
    with pytest.raises(ModelDamaged):
        Halves(tmp_path)


@pytest.mark.slow
def test_what_torch_refuses_is_said_in_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    read = load_encoder(Path("never made"))._network.read_texts(["rent"])  # type: ignore[attr-defined]
    made = Halves(required_folder(MINILM))
    monkeypatch.setattr(made, "_places", made._places[:2])
    with pytest.raises(ModelFailed, match=r"all-MiniLM-L6-v2 could not be run"):
        made.run(read, None)


@pytest.mark.slow
@pytest.mark.parametrize("after", ["none", "gelu"])
def test_a_matrix_that_is_laid_out_makes_what_a_plain_one_does(
    after: Literal["none", "gelu"],
) -> None:
    torch = pytest.importorskip("torch")
    numbers = torch.linspace(-2, 2, 64 * 32).reshape(64, 32).bfloat16()
    rows, bias = numbers[:8], numbers[:, 0].contiguous()
    run = bfloat16.packed(numbers, bias, after=after)
    if run is None:
        pytest.skip("this torch or processor lays out no matrices of halves")
    wanted = bfloat16.plain(numbers, bias, after=after)(rows)
    torch.testing.assert_close(run(rows), wanted, rtol=0.02, atol=0.02)


def test_a_matrix_that_torch_does_not_lay_out_is_left_plain() -> None:
    torch = pytest.importorskip("torch")
    assert bfloat16.packed(torch.eye(4).long(), torch.zeros(4).long(), after="none") is None
