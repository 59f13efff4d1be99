from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open

from docqa.models.network import Network, batches, words_in
from docqa.models.registry import OWN, WEIGHTS, required_folder


def test_batches_put_like_lengths_together() -> None:
    assert batches([5, 100, 7, 99], tokens=200) == [[1, 3], [2, 0]]
    assert batches([]) == []


def test_a_text_longer_than_a_batch_stands_alone() -> None:
    assert batches([300, 300, 10], tokens=200) == [[0], [1], [2]]


@given(st.lists(st.integers(2, 512)), st.integers(1, 600))
def test_batches_hold_every_place_once_and_never_pad_beyond_the_tokens(
    lengths: list[int], tokens: int
) -> None:
    made = batches(lengths, tokens=tokens)
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    padded = [len(batch) * max(lengths[place] for place in batch) for batch in made]
    assert all(len(batch) == 1 or size <= tokens for batch, size in zip(made, padded, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "The tenant pays the rent on the usual quarter days. " * 40,
        "internationalisation antidisestablishmentarianism " * 60,
        "$1,234.5 | (67.8)% | " * 90,
        "Rent " + "." * 3000 + " 12",
        "x" * 5000,
        " " * 2000 + "The rent is due.",
        "The rent is due.",
        "",
    ],
)
def test_the_beginning_of_a_long_text_has_the_tokens_that_are_read(
    text: str, tmp_path: Path
) -> None:
    network = Network(OWN, required_folder(OWN), tmp_path)
    assert network._ids(text).tolist() == network.read_texts([text])[0].ids


def test_the_table_of_words_is_that_of_the_encoder() -> None:
    folder = required_folder(OWN)
    with safe_open(folder / WEIGHTS, "numpy") as file:
        every = file.get_tensor("embeddings.word_embeddings.weight")
    words = words_in(folder / WEIGHTS)
    assert words.shape == every.shape
    for token in (0, 101, len(every) - 1):
        assert np.array_equal(words[token], every[token])
