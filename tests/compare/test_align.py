"""Pairs and clusters: the sums of the mission's picture, and laws over any matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from docqa.compare.align import clusters, nearest, pairs

# A1-B3 .85 and A2-B5 .72 are partners; A3-B2 .45 is below the threshold.
PICTURE = np.array(
    [
        [0.10, 0.20, 0.85, 0.30, 0.71],
        [0.15, 0.25, 0.80, 0.20, 0.72],
        [0.05, 0.45, 0.40, 0.10, 0.30],
    ]
)
# Twentieths, so that ties are common; half of them reach the threshold.
matrices = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=7),
    elements=st.integers(0, 20).map(lambda value: value / 20),
)


def test_the_pairs_of_the_picture() -> None:
    assert pairs(PICTURE, threshold=0.6) == [(0, 2, 0.85), (1, 4, 0.72)]


def test_the_threshold_itself_is_enough() -> None:
    assert pairs(np.array([[0.6, 0.59]]), threshold=0.6) == [(0, 0, 0.6)]
    assert pairs(np.array([[0.59]]), threshold=0.6) == []


def test_the_best_come_first() -> None:
    similarity = np.diag([0.6 + place / 100 for place in range(10)])
    found = pairs(similarity, threshold=0.6)
    assert [row for row, _, _ in found] == [*range(9, -1, -1)]


def test_a_closer_pair_comes_before_an_earlier_passage() -> None:
    """The first passage's best partner belongs to the second, which is nearer to it."""
    similarity = np.array([[0.80, 0.70], [0.95, 0.10]])
    assert pairs(similarity, threshold=0.6) == [(1, 0, 0.95), (0, 1, 0.70)]


@given(similarity=matrices)
def test_no_passage_is_in_two_pairs(similarity: NDArray[np.float64]) -> None:
    found = pairs(similarity, threshold=0.5)
    rows, columns = [pair[0] for pair in found], [pair[1] for pair in found]
    assert len(set(rows)) == len(rows)
    assert len(set(columns)) == len(columns)
    values = [pair[2] for pair in found]
    assert values == sorted(values, reverse=True)
    assert all(value >= 0.5 and similarity[row, column] == value for row, column, value in found)
    assert pairs(similarity.copy(), threshold=0.5) == found


@given(similarity=matrices)
def test_swapping_the_documents_swaps_the_pairs(similarity: NDArray[np.float64]) -> None:
    found = pairs(similarity, threshold=0.5)
    swapped = pairs(similarity.T, threshold=0.5)
    assert sorted((column, row, value) for row, column, value in swapped) == sorted(found)


@given(similarity=matrices)
def test_what_is_left_over_has_no_partner_left(similarity: NDArray[np.float64]) -> None:
    found = pairs(similarity, threshold=0.5)
    rows, columns = {pair[0] for pair in found}, {pair[1] for pair in found}
    left = [
        value
        for (row, column), value in np.ndenumerate(similarity)
        if row not in rows and column not in columns
    ]
    assert all(value < 0.5 for value in left)


def test_the_clusters_of_the_picture() -> None:
    """A1 has B2 (.78) and C5 (.82), A2 only B7 (.91); A3 has nobody."""
    b = np.zeros((3, 7))
    c = np.zeros((3, 5))
    b[0, 1], c[0, 4], b[1, 6] = 0.78, 0.82, 0.91
    found = clusters([b, c], threshold=0.6)
    assert [places for _, places in found] == [(1, 6, None), (0, 1, 4)]
    assert [value for value, _ in found] == pytest.approx([0.91, (0.78 + 0.82) / 2])


@given(
    first=arrays(np.float64, (4, 3), elements=st.integers(0, 9).map(lambda value: value / 9)),
    second=arrays(np.float64, (4, 5), elements=st.integers(0, 9).map(lambda value: value / 9)),
)
def test_a_passage_is_in_one_cluster(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> None:
    found = clusters([first, second], threshold=0.5)
    for document in range(3):
        places = [each[document] for _, each in found if each[document] is not None]
        assert len(places) == len(set(places))
    assert all(sum(place is not None for place in places) >= 2 for _, places in found)


def test_the_nearest_is_the_first_of_equals() -> None:
    assert nearest(np.array([[0.2, 0.4, 0.4]]), 0) == (1, 0.4)
