"""GGUF files: what one says, what is none, and what fits."""

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.errors import ModelTooLarge, NotAModelFile
from docqa.models.gguf import Gguf, context_that_fits, needed, read
from tests.models.gguf_files import TOLD, gguf

GB = 10**9


def written(folder: Path, content: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(content)
    return path


def test_a_file_says_what_it_is(tmp_path: Path) -> None:
    content = gguf()
    model = read(written(tmp_path, content))
    # 36 layers * 8 heads * (128 keys + 128 values) * 2 bytes = 147,456 for each token
    assert (model.name, model.size, model.context) == ("Tiny", len(content), 32768)
    assert model.cache == 36 * 8 * (128 + 128) * 2 == 147_456
    assert not model.tools
    template = TOLD["tokenizer.chat_template"] + "{% if tools %}{% endif %}"
    assert read(written(tmp_path, gguf({**TOLD, "tokenizer.chat_template": template}))).tools


def test_without_sizes_of_its_own_a_head_is_its_share_of_the_width(tmp_path: Path) -> None:
    kept = {k: v for k, v in TOLD.items() if not k.endswith(("_length", "_kv"))}
    model = read(written(tmp_path, gguf({**kept, "llama.embedding_length": 2560})))
    assert model.cache == 36 * 32 * (80 + 80) * 2
    assert model.context == 0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is no GGUF file"),
        (b"PK\3\4 a zip", "it is no GGUF file"),
        (b"<html>Not found</html>", "it is no GGUF file"),
        (b"GGUF", "damaged or cut off"),
        (gguf(version=1), "its version 1 is not known"),
        (gguf(version=0x03000000), "its version 50331648 is not known"),
        (gguf()[:-1], "1 bytes are missing"),
        (gguf()[:200], "damaged or cut off"),
        (gguf(tensors=0), "it holds no language model"),
        (gguf({"general.name": "x"}), "it holds no language model"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 1), "damaged or cut off"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1, 2**60), "damaged or cut off"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 1, 1, 2**62), "damaged or cut off"),
    ],
)
def test_what_is_none_or_damaged_gets_a_sentence(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    with pytest.raises(NotAModelFile) as raised:
        read(written(tmp_path, content))
    assert str(raised.value).startswith("model.gguf cannot be loaded: ")
    assert reason in str(raised.value)


def test_a_file_that_is_not_there_or_a_folder_gets_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path / "no.gguf", tmp_path):
        with pytest.raises(NotAModelFile, match="it cannot be read"):
            read(path)


@given(st.integers(4, 600), st.binary(min_size=1, max_size=8))
def test_whatever_is_changed_in_a_head_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, other: bytes
) -> None:
    content = bytearray(gguf())
    content[at : at + len(other)] = other
    path = written(tmp_path_factory.mktemp("fuzz"), bytes(content))
    try:
        assert read(path).size == len(content)
    except NotAModelFile:
        pass
    finally:
        path.unlink()


MODEL = Gguf(Path("m"), "M", 2_500_000_000, 262_144, 147_456, tools=True)


def test_the_most_context_is_taken_that_fits() -> None:
    # 2.5 GB + 16,384 * 147,456 bytes (2.42 GB) + 0.63 GB = 5.5 GB
    assert needed(MODEL, 16_384) == 2_500_000_000 + 16_384 * 147_456 + 600 * 1024**2
    assert context_that_fits(MODEL, memory=6 * GB) == 16_384
    assert context_that_fits(MODEL, memory=5 * GB) == 8_192
    assert context_that_fits(MODEL, memory=4 * GB) == 4_096
    assert context_that_fits(MODEL, memory=0) == 16_384  # where memory cannot be told
    with pytest.raises(ModelTooLarge, match=r"M takes 3\.7 GB of memory and 3\.0 GB are free"):
        context_that_fits(MODEL, memory=3 * GB)


def test_no_more_context_is_taken_than_the_model_was_trained_on() -> None:
    small = Gguf(Path("m"), "M", GB, 2_048, 1000, tools=False)
    assert context_that_fits(small, memory=8 * GB) == 2_048
