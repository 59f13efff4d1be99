"""A part of a page around what is cited, marked."""

import io
from pathlib import Path

import pytest
from PIL import Image

from docqa.ingest.reading.cutout import AROUND, SCALE, cut_out
from docqa.types.document import Box
from tests import pdfs

MARK = Box(100, 400, 300, 420)


def picture(path: Path, *boxes: Box) -> Image.Image:
    content, _ = cut_out(path, 1, boxes)
    return Image.open(io.BytesIO(content)).convert("RGB")


def test_the_picture_ends_a_little_above_and_below_the_marks(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", ["The rent is $5."])
    content, width = cut_out(path, 1, [MARK])
    image = Image.open(io.BytesIO(content))
    assert image.height == round((20 + 2 * AROUND) * SCALE)
    assert image.width == round(width * SCALE)


def test_the_mark_lies_over_the_box_alone(tmp_path: Path) -> None:
    image = picture(pdfs.text_pages(tmp_path / "a.pdf", ["The rent is $5."]), MARK)
    inside = image.getpixel((round(200 * SCALE), round((AROUND + 10) * SCALE)))
    beside = image.getpixel((round(400 * SCALE), round((AROUND + 10) * SCALE)))
    assert isinstance(inside, tuple)
    assert inside[2] < 180 < inside[0]
    assert beside == (255, 255, 255)


def test_without_marks_the_page_is_whole_and_no_page_is_an_error(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", ["The rent is $5."])
    assert picture(path).height > picture(path, MARK).height
    with pytest.raises(IndexError):
        cut_out(path, 2, [])
