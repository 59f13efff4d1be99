"""Boxes of ink made boxes of type."""

from dataclasses import replace

import pytest

from docqa.ingest.geometry.glyphs import (
    ASCENT,
    DESCENT,
    X_HEIGHT,
    levelled,
    unshadowed,
    with_bullets,
)
from docqa.ingest.geometry.words import Word, rows_of
from docqa.types.document import Box
from tests.ingest.drawn import words

SIZE, BASELINE = 10.0, 100.0
LOW, TALL, DEEP = (
    ("a", "as", "run", "our"),
    ("the", "held", "built", "lift"),
    ("year,", "jog", "by"),
)
MIXED = [text for three in zip(LOW, TALL, DEEP, strict=False) for text in three]


def inked(text: str, left: float, *, baseline: float = BASELINE) -> Word:
    """A word with the box of its ink, on a line at ``baseline``."""
    rise = ASCENT if text in TALL or text in DEEP else X_HEIGHT
    drop = DESCENT if text in DEEP else 0.0
    box = Box(left, baseline - rise * SIZE, left + 20, baseline + drop * SIZE)
    return Word(text, box, font="Body")


def test_words_on_a_line_come_to_one_height() -> None:
    drawn = [inked(text, 25.0 * at) for at, text in enumerate(MIXED)]
    boxes = {
        (round(word.box.top, 1), round(word.box.bottom, 1))
        for word in levelled(drawn)
        if word.text != "year,"
    }
    assert boxes == {(93.0, 102.1)}


def test_a_dash_comes_to_stand_on_its_line() -> None:
    drawn = [inked(text, 25.0 * at) for at, text in enumerate(MIXED)]
    drawn.append(Word("—", Box(300, 97.2, 310, 97.6), font="Body"))
    assert len(rows_of(drawn)) == 2
    assert len(rows_of(levelled(drawn))) == 1


def test_boxes_of_type_stay_as_they_are() -> None:
    drawn = words(" ".join(MIXED), 50, 100)
    assert levelled(drawn) == drawn


def test_a_word_printed_twice_to_be_bold_is_one_word() -> None:
    drawn = [*words("net rent", 50, 100), *words("net rent", 50.4, 100.2)]
    assert [word.text for word in unshadowed(drawn)] == ["net", "rent"]


def test_a_word_said_twice_is_two_words() -> None:
    drawn = [*words("no no", 50, 100), *words("no", 50, 112)]
    assert unshadowed(drawn) == drawn


def texts(*lines: str, apart: float = 12) -> list[str]:
    drawn = [word for at, line in enumerate(lines) for word in words(line, 50, 100 + apart * at)]
    return [word.text for word in with_bullets(drawn)]


@pytest.mark.parametrize("sign", ["∞", "§", "¨", "„", "➔", "\ufffd", "\uf076"])
def test_what_begins_every_item_of_a_list_is_a_bullet(sign: str) -> None:
    items = (f"{sign} Gas is included", f"{sign} 5 parking spaces", "at the rear")
    more = (f"{sign} Water is included", f"{sign} Pets, see {sign} below")
    read = texts(*items, *more)
    assert read.count("•") == 4
    assert read[-2] == sign


def test_what_means_something_before_a_word_is_no_bullet() -> None:
    for sign in "%$“†=":
        assert "•" not in texts(*[f"{sign} of revenue"] * 3)
    assert "•" not in texts("§ Rent", "§ Term", "Pets ∞ all", "Cats ∞ all", "Dogs ∞ all")
    assert "•" not in texts(*["∞ 5 + x"] * 3)


def test_a_sign_of_a_font_of_its_own_is_a_bullet_by_itself() -> None:
    assert texts("\uf076 Rent is due") == ["•", "Rent", "is", "due"]


def test_boxes_of_type_stay_beside_a_font_of_ink() -> None:
    ink = [inked(text, 25.0 * at) for at, text in enumerate(MIXED)]
    plain = [replace(word, font="Plain") for word in words(" ".join(MIXED), 50, 200)]
    assert levelled([*ink, *plain])[len(ink) :] == plain


def test_a_font_in_two_sizes_is_none_of_ink() -> None:
    title = words("Forward-looking by the year", 50, 100, size=12)
    drawn = [*title, *words("held as an asset the lift", 50, 120, size=9)]
    assert levelled(drawn) == drawn
