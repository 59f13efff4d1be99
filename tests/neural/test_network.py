from hypothesis import given
from hypothesis import strategies as st

from docqa.neural.network import batches


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
