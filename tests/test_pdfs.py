"""The test PDFs look as their boxes say, or no test of a box means what it says."""

from pathlib import Path

import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import pytest

from docqa.types.document import Box
from tests import pdfs
from tests.pdfs import TURNED


def inked(path: Path) -> tuple[Box, float, float]:
    """The box around everything dark on the first page as displayed, and the page's size."""
    document = pypdfium2.PdfDocument(path)
    page = document[0]
    dark = np.asarray(page.render(scale=4).to_pil().convert("L")) < 128
    width, height = page.get_size()
    page.close()
    document.close()
    rows, columns = dark.nonzero()
    left, right = columns.min() / 4, (columns.max() + 1) / 4
    return Box(left, rows.min() / 4, right, (rows.max() + 1) / 4), width, height


def assert_around(box: Box, ink: Box) -> None:
    """The box holds the ink and is no larger than room for the tallest letters asks."""
    assert box.left - 0.5 <= ink.left <= box.left + 2.5
    assert box.top - 0.5 <= ink.top <= box.top + 2.5
    assert box.right - 2.5 <= ink.right <= box.right + 0.5
    assert box.bottom - 2.5 <= ink.bottom <= box.bottom + 0.5


def test_a_line_is_in_its_box(tmp_path: Path) -> None:
    ink, width, height = inked(pdfs.pages(tmp_path / "line.pdf", [[TURNED]]))
    assert (width, height) == (pdfs.WIDTH, pdfs.HEIGHT)
    assert_around(TURNED.box, ink)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_line_is_in_its_turned_box(tmp_path: Path, degrees: int) -> None:
    ink, width, height = inked(pdfs.rotated(tmp_path / "turned.pdf", degrees=degrees))
    upright = degrees == 180
    assert (width, height) == ((612.0, 792.0) if upright else (792.0, 612.0))
    assert_around(pdfs.rotated_box(TURNED.box, degrees=degrees), ink)


def test_a_cropped_line_is_in_its_shifted_box(tmp_path: Path) -> None:
    ink, width, height = inked(pdfs.cropped(tmp_path / "cropped.pdf"))
    assert (width, height) == (400.0, 650.0)
    assert_around(pdfs.cropped_box(TURNED.box), ink)


def test_the_rules_of_a_table_are_around_its_rows(tmp_path: Path) -> None:
    ruled, _, _ = inked(pdfs.ruled_table(tmp_path / "ruled.pdf"))
    assert ruled.bottom == pytest.approx(pdfs.row_box(len(pdfs.TABLE) - 1).bottom, abs=1)
    plain, _, _ = inked(pdfs.unruled_table(tmp_path / "plain.pdf"))
    assert plain.bottom < ruled.bottom - 3


def test_a_scan_has_ink_and_no_text(tmp_path: Path) -> None:
    path = pdfs.scanned(tmp_path / "scan.pdf", ["Only a picture of these words."])
    document = pypdfium2.PdfDocument(path)
    layer = document[0].get_textpage()
    characters = layer.count_chars()
    layer.close()
    document.close()
    assert characters == 0
    ink, _, _ = inked(path)
    assert ink.left == pytest.approx(pdfs.MARGIN, abs=2)


def test_the_same_file_is_made_twice(tmp_path: Path) -> None:
    one, other = (pdfs.structured(tmp_path / name) for name in ("one.pdf", "two.pdf"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    "made", [pdfs.encrypted, pdfs.empty_file, pdfs.not_a_pdf, pdfs.truncated, pdfs.zero_pages]
)
def test_what_is_broken_does_not_open(tmp_path: Path, made: pdfs.Maker) -> None:
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(made(tmp_path / "broken.pdf"))
