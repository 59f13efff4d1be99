"""Forms: what each field is called, set in a type of its own over what is filled in; pure.

The fields of a form stand in boxes, those of a fact sheet's sidebar under one another.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle, groupby, takewhile

from docqa.ingest.geometry.ruled_tables import Span
from docqa.ingest.geometry.words import Word, of_most_letters

FEWEST = 4  # fields
MOST = 0.6  # of the boxes: those that are called so
LONGEST = 3  # lines of a field that stands over others; more are a heading and its text

Rows = Sequence[Sequence[Word]]
Face = tuple[str, int]  # a typeface and its height in points


def fields_of(filled: Mapping[Span, Rows]) -> list[tuple[Span, Rows, Rows]]:
    """The boxes of a form in reading order, each with the line that calls it something and those
    filled in, either of which may be missing; none for a table.

    What calls a box something is its first line, in a type that no other line of it has, the same
    in most boxes.
    """
    faces = Counter(face for rows in filled.values() for face in _caption(rows))
    caption, count = faces.most_common(1)[0] if faces else (("", 0), 0)
    if count < FEWEST or count < MOST * len(filled):
        return []
    boxes = sorted(filled.items(), key=lambda item: (item[0].row, item[0].column))
    return [
        (span, rows[:1], rows[1:]) if _faces(rows[0]) == {caption} else (span, (), rows)
        for span, rows in boxes
    ]


def _caption(rows: Rows) -> set[Face]:
    """The face of the first line of a box, where the others have none such; none else."""
    first, others = _faces(rows[0]), set[Face]().union(*map(_faces, rows[1:]))
    return first if others and len(first) == 1 and first.isdisjoint(others) else set()


def _faces(row: Sequence[Word]) -> set[Face]:
    return set(map(_face_of, row))


def fields_below(rows: Rows) -> list[tuple[Rows, Rows]]:
    """The first lines under one another that are a field and what it holds in turn, each in a type
    of its own; none for fewer than a few."""
    faced = groupby(rows, key=lambda row: of_most_letters(row, _face_of))
    runs = [(face, list(own)) for face, own in faced]
    for at in range(len(runs) - 1):
        turns = cycle(face for face, _ in runs[at : at + 2])
        pairs = zip(runs[at:], turns, strict=False)
        alike = [own for (_, own), _ in takewhile(lambda each: each[0][0] == each[1], pairs)]
        if len(alike) >= 2 * FEWEST and all(len(own) <= LONGEST for own in alike):
            return list(zip(alike[::2], alike[1::2], strict=False))
    return []


def _face_of(word: Word) -> Face:
    return word.font, round(word.height)
