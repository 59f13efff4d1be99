from hypothesis import given
from hypothesis import strategies as st

from docqa.neural.network import batches


def test_batches_put_like_lengths_together() -> None:
    assert batches([5, 100, 7, 99], size=2) == [[1, 3], [2, 0]]
    assert batches([]) == []


@given(st.lists(st.integers(2, 512)), st.integers(1, 20))
def test_batches_hold_every_place_once_and_never_more_than_the_size(
    lengths: list[int], size: int
) -> None:
    made = batches(lengths, size=size)
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= size for batch in made)
