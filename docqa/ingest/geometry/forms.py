"""Fields: what one is called, and what it holds; pure.

Those of a form stand in boxes, those of a fact sheet's sidebar under one another, each called so
in a type of its own. Tiles are figures side by side in large type, each over what it is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, groupby, takewhile

from docqa.ingest.geometry.ruled_tables import Span
from docqa.ingest.geometry.table_rows import LARGER, ROUNDED, SAME_EDGE
from docqa.ingest.geometry.words import Line, Word, line_of, middle, of_most_letters, rows_of
from docqa.language.amounts import measured_amounts

FEWEST = 4  # fields
MOST = 0.6  # of the boxes: those that are called so
LONGEST = 3  # lines of a field that stands over others; more are a heading and its text
FEWEST_TILES = 2  # side by side
MOST_LINES = 3  # of a tile's label
NEAR = 0.7  # of a line's height: what is below it, and still of it, is nearer

Rows = Sequence[Sequence[Word]]
Field = tuple[Sequence[Line], Sequence[Line]]  # what it is called, and what it holds
Face = tuple[str, int]  # a typeface and its height in points


def fields_of(filled: Mapping[Span, Rows]) -> list[Field]:
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
    called = (int(_faces(rows[0]) == {caption}) for _, rows in boxes)
    return [_field(rows[:at], rows[at:]) for (_, rows), at in zip(boxes, called, strict=True)]


def _caption(rows: Rows) -> set[Face]:
    """The face of the first line of a box, where the others have none such; none else."""
    first, others = _faces(rows[0]), set[Face]().union(*map(_faces, rows[1:]))
    return first if others and len(first) == 1 and first.isdisjoint(others) else set()


def _faces(row: Sequence[Word]) -> set[Face]:
    return set(map(_face_of, row))


def _face_of(word: Word) -> Face:
    return word.font, round(word.height)


def _field(called: Rows, given: Rows) -> Field:
    return list(map(line_of, called)), list(map(line_of, given))


def fields_below(words: Iterable[Word]) -> list[Field]:
    """The first lines under one another that are a field and what it holds in turn, each in a type
    of its own; none for fewer than a few."""
    faced = groupby(rows_of(words), key=lambda row: of_most_letters(row, _face_of))
    runs = [(face, list(own)) for face, own in faced]
    for at in range(len(runs) - 1):
        turns = cycle(face for face, _ in runs[at : at + 2])
        pairs = zip(runs[at:], turns, strict=False)
        alike = [own for (_, own), _ in takewhile(lambda each: each[0][0] == each[1], pairs)]
        if len(alike) >= 2 * FEWEST and all(len(own) <= LONGEST for own in alike):
            return [_field(*each) for each in zip(alike[::2], alike[1::2], strict=False)]
    return []


def tiles_of(lines: Iterable[Line]) -> list[list[Field]]:
    """The tiles among lines, those of a row together: its label and its figure are a field's, as
    no figure names a column."""
    rows = rows_of(lines)
    return [tiles for at, row in enumerate(rows) if (tiles := _tiles(row, rows[at + 1 :]))]


def _tiles(row: Sequence[Line], below: Sequence[Sequence[Line]]) -> list[Field]:
    """The figures of a row, each with the lines of its label; none where one lacks it."""
    if len(row) < FEWEST_TILES or not all(map(_is_figure, row)):
        return []
    near = [line for each in below[: 2 * MOST_LINES] for line in each]
    ends = [*(line.box.left for line in row[1:]), float("inf")]
    labels = [_label(line, end, near) for line, end in zip(row, ends, strict=True)]
    return [(label, [line]) for label, line in zip(labels, row, strict=True)] if all(labels) else []


def _is_figure(line: Line) -> bool:
    """Whether a line is an amount with its sign, scale and unit, and nothing else."""
    amounts = measured_amounts(line.text)
    return len(amounts) == 1 and amounts[0].text == line.text.strip(" +")


def _label(figure: Line, end: float, lines: Iterable[Line]) -> list[Line]:
    """The lines in smaller type right below a figure that begin where it does, or have its middle,
    and end before the next; none for other."""
    held: list[Line] = []
    for line in lines:
        above = held[-1] if held else figure
        gap = line.box.top - above.box.bottom
        if not _is_under(line, figure) or line.box.right >= end or gap < -above.size:
            continue
        alike = not held or abs(line.size - held[0].size) <= ROUNDED
        if gap > NEAR * above.size or not alike or len(held) == MOST_LINES:
            break
        held.append(line)
    words = held and any(letter.isalpha() for letter in held[0].text)
    return held if words and held[0].size * LARGER <= figure.size else []


def _is_under(line: Line, figure: Line) -> bool:
    one, other = line.box, figure.box
    apart = min(abs(one.left - other.left), abs(middle(one) - middle(other)))
    return apart <= SAME_EDGE
