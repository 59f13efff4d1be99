import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docqa.library.hnsw import is_sound
from docqa.library.vectors import FOLDER_NAME, VectorIndex
from tests.library.nouns import document_id, unit_vectors

ELEMENTS = 400


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a graph that Chroma wrote."""
    library = tmp_path_factory.mktemp("library")
    index = VectorIndex(library, encoder="tiny", dimensions=8)
    ids = [f"{number:04}" for number in range(ELEMENTS)]
    index.add(document_id("a"), ids, unit_vectors(ELEMENTS))
    index.close()
    (header,) = (library / FOLDER_NAME).glob("*/header.bin")
    return {path.name: path.read_bytes() for path in header.parent.iterdir()}


@pytest.fixture
def graph(made: dict[str, bytes], tmp_path: Path) -> Path:
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_what_chroma_wrote_is_sound(graph: Path) -> None:
    assert is_sound(graph)


@pytest.mark.parametrize("name", ["header.bin", "data_level0.bin", "link_lists.bin"])
def test_a_lost_or_shortened_file_is_not(graph: Path, name: str) -> None:
    content = (graph / name).read_bytes()
    (graph / name).write_bytes(content[: len(content) // 2])
    assert not is_sound(graph)
    (graph / name).unlink()
    assert not is_sound(graph)


@given(seed=st.integers(0, 2**32 - 1))
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.parametrize("name", ["header.bin", "data_level0.bin", "link_lists.bin"])
def test_noise_is_not(made: dict[str, bytes], graph: Path, name: str, seed: int) -> None:
    (graph / name).write_bytes(np.random.default_rng(seed).bytes(len(made[name])))
    assert not is_sound(graph)
    (graph / name).write_bytes(made[name])


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("header.bin", 4 + 8),  # room for this many elements
        ("header.bin", 4 + 16),  # elements
        ("header.bin", 4 + 48 + 4),  # the element where a search begins
        ("link_lists.bin", 0),  # the length of the first element's links
        ("data_level0.bin", 4),  # the first element's nearest
    ],
)
def test_one_number_that_is_too_large_is_not(graph: Path, name: str, place: int) -> None:
    content = bytearray((graph / name).read_bytes())
    struct.pack_into("<I", content, place, 0x7FFFFFF0)
    (graph / name).write_bytes(content)
    assert not is_sound(graph)
