"""Names printed upwards, or aslant, over the columns that they stand on."""

from docqa.ingest.geometry.layout import arrange
from docqa.ingest.geometry.upward_heads import laid_down
from docqa.ingest.geometry.words import Word
from docqa.types.document import Box
from tests.ingest.drawn import flush_right, page, words

ROWS = [("Elm House", "12", "3.50", "240"), ("Oak Court", "9", "4.25", "310")] * 2
RIGHTS = (240, 290, 340)
NAMES = ("Units let", "Rent per sq ft", "Area")


def upwards(text: str, left: float, foot: float, *, slant: float = 0.0) -> list[Word]:
    """The words of a text that reads upwards, each letter as far to the right as ``slant``."""
    drawn: list[Word] = []
    for word in text.split():
        top = foot - 5.0 * len(word)
        right = left + 10 + 5 * slant * len(word)
        drawn.append(Word(word, Box(left, top, right, foot), "Bold", turn=1))
        left, foot = left + 5 * slant * (len(word) + 1), top - 5
    return drawn


def figures(top: float = 200.0) -> list[Word]:
    drawn: list[Word] = []
    for at, (label, *cells) in enumerate(ROWS):
        drawn += words(label, 50, top + 14 * at)
        for right, cell in zip(RIGHTS, cells, strict=True):
            drawn += flush_right(cell, right, top + 14 * at)
    return drawn


def heads_of(drawn: list[Word]) -> list[str]:
    tables = [region.grid for region in arrange(page(drawn)) if region.grid]
    return [cell.text for grid in tables for cell in grid.cells if cell.header]


def test_names_that_read_upwards_name_the_columns_below_them() -> None:
    names = [w for right, n in zip(RIGHTS, NAMES, strict=True) for w in upwards(n, right - 14, 190)]
    assert heads_of([*names, *figures()]) == list(NAMES)


def test_names_aslant_stand_over_the_columns_at_their_feet() -> None:
    placed = zip(RIGHTS, NAMES, strict=True)
    names = [w for right, n in placed for w in upwards(n, right - 24, 190, slant=0.6)]
    assert heads_of([*names, *figures()]) == list(NAMES)


def test_a_name_on_two_lines_is_one() -> None:
    names = [w for right, n in zip(RIGHTS, NAMES, strict=True) for w in upwards(n, right - 18, 190)]
    names += upwards("on 1 May", 240 - 18 + 12, 190)
    first, *_ = heads_of([*names, *figures()])
    assert first == "Units let on 1 May"


def test_words_on_their_side_that_stand_on_no_figures_stay_as_they_are() -> None:
    margin = upwards("Printed by the registry on 1 May", 20, 500)
    far = [w for right, n in zip(RIGHTS, NAMES, strict=True) for w in upwards(n, right - 14, 120)]
    for drawn in (margin, far):
        every = [*drawn, *figures()]
        assert laid_down(every) == every
