"""Words as docling-parse decodes them."""

from pathlib import Path

from docqa.ingest.geometry.words import Word
from docqa.ingest.reading.decoded import FAIR, decoded_pages, made_tall
from docqa.types.document import Box
from tests import pdfs


def test_words_of_a_font_without_a_fair_height_are_made_as_tall_as_a_line() -> None:
    flat = [Word("Portfolio", Box(57, 72.8, 102, 76), font="DejaVuSans-Bold")] * 3
    fair = [Word("Corvane", Box(57, 90, 92, 98), font="LiberationSerif")]
    tall, *_, same = made_tall([*flat, *fair])
    assert same == fair[0]
    assert (tall.box.left, tall.box.right, tall.box.bottom) == (57, 102, 76)
    assert 9 < tall.height < 12  # letters are five points wide


def test_narrow_type_in_boxes_that_are_too_low_is_made_tall_and_capitals_are_not() -> None:
    narrow = [Word("Turnover", Box(57, 71, 90, 75.4), font="Narrow")] * 3
    capitals = [Word("TURNOVER", Box(57, 83, 109, 90), font="Broad")] * 3
    typed = [Word("Turnover", Box(57, 103, 97.8, 109), font="Courier")] * 3
    made = made_tall([*narrow, *capitals, *typed])
    assert 8 < made[0].height < 10
    assert made[3:] == [*capitals, *typed]


def test_signs_and_a_few_letters_tell_nothing_of_a_font() -> None:
    signs = [Word("☐☐☐", Box(57, 72, 90, 76), font="Boxes")] * 20
    few = [Word("Total", Box(57, 82.8, 90, 86), font="Wide")]
    assert made_tall([*signs, *few]) == [*signs, *few]


def test_words_of_a_standard_font_that_is_not_brought_are_as_tall_as_where_it_is(
    tmp_path: Path,
) -> None:
    path = pdfs.not_brought(tmp_path / "web.pdf", "Green Cross shall own all data", size=10)
    [page] = decoded_pages(path, password=None, first=1, last=1)
    assert len(page.words) == 6
    assert {round(word.height, 1) for word in page.words} == {FAIR * 10}


def test_a_word_knows_the_colour_of_the_smallest_shape_that_it_stands_on(tmp_path: Path) -> None:
    lines = [pdfs.Line(text, left=80, top=top) for text, top in (("Head", 100), ("Body", 130))]
    path = pdfs.shaded(tmp_path / "band.pdf", [*lines, pdfs.Line("Beside", left=80, top=400)])
    [page] = decoded_pages(path, password=None, first=1, last=1)
    grounds = {word.text: word.ground for word in page.grounded(page.words)}
    assert grounds == {"Head": "(51, 102, 153)", "Body": "(204, 204, 204)", "Beside": ""}
