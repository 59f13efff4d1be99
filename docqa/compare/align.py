"""Which passages of two or three documents speak of the same thing, from their similarities.

Everything here works on numbers alone: a matrix of similarities, rows for the passages of one
document, columns for those of the other.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.floating]
Pair = tuple[int, int, float]
Cluster = tuple[float, tuple[int | None, ...]]


def pairs(similarity: Matrix, *, threshold: float) -> list[Pair]:
    """(row, column, similarity) of passages that are each other's partners, most alike first.

    The most alike two passages are paired first, then the most alike of those left, down to
    ``threshold`` (inclusive): no passage is in two pairs. Ties go to the lower places, in such a
    way that swapping the documents swaps the pairs and changes nothing else.
    """
    order = [
        (-float(value), row + column, abs(row - column), row, column)
        for (row, column), value in np.ndenumerate(similarity)
        if value >= threshold
    ]
    rows, columns, found = set[int](), set[int](), list[Pair]()
    for negative, _, _, row, column in sorted(order):
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            found.append((row, column, -negative))
    return found


def clusters(similarities: Sequence[Matrix], *, threshold: float) -> list[Cluster]:
    """(mean similarity to the anchor, a place or None for each document), most alike first.

    ``similarities`` hold the first document's passages against those of each other document. The
    first document is the anchor: each of its passages takes its partners as `pairs` finds them.
    Without a partner in any other document it is in no cluster.
    """
    partners = [
        {row: (column, value) for row, column, value in pairs(matrix, threshold=threshold)}
        for matrix in similarities
    ]
    found: list[Cluster] = []
    for row in sorted({row for each in partners for row in each}):
        own = [each.get(row) for each in partners]
        values = [match[1] for match in own if match]
        places = (row, *(match[0] if match else None for match in own))
        found.append((float(np.mean(values)), places))
    return sorted(found, key=lambda cluster: (-cluster[0], cluster[1][0]))


def nearest(similarity: Matrix, row: int) -> tuple[int, float]:
    """The column most like a row, the first of equals, and how much. Needs a column."""
    column = int(np.argmax(similarity[row]))
    return column, float(similarity[row, column])
