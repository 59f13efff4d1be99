"""Evidence of each document: what is nearest to the question, and what the others' pieces want."""

import numpy as np

from docqa.compare.gather import counterparts, joined
from tests.compare.pages import hit

CHUNKS = [hit("A", place, f"Text {place}.", page=place + 1).chunk for place in range(3)]
ROWS = np.asarray([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)


def test_each_piece_names_its_nearest_chunk_best_first() -> None:
    pieces = np.asarray([[0.8, 0.6], [1, 0]], dtype=np.float32)
    assert counterparts(pieces, CHUNKS, ROWS, limit=5) == [CHUNKS[0], CHUNKS[1]]
    assert counterparts(pieces, CHUNKS, ROWS, limit=1) == [CHUNKS[0]]


def test_nothing_is_nearest_to_nothing() -> None:
    assert counterparts(ROWS[:0], CHUNKS, ROWS, limit=5) == []
    assert counterparts(ROWS, [], ROWS[:0], limit=5) == []


def test_what_is_known_is_not_joined_again() -> None:
    first, second = (hit("A", place, f"Text {place}.", page=1) for place in (0, 1))
    hits, vectors, ids = joined([first], ROWS[:1], [first, second], ROWS[1:])
    assert [each.chunk.id for each in hits] == [first.chunk.id, second.chunk.id]
    assert ids == {second.chunk.id}
    assert vectors.tolist() == ROWS[[0, 2]].tolist()
    assert joined([first], ROWS[:1], [first], ROWS[1:2])[2] == frozenset()
