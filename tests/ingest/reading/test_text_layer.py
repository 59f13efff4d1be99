"""The text layer as plain blocks, before its structure is read."""

from pathlib import Path

import pytest

from docqa.ingest.reading.text_layer import skim
from tests import pdfs
from tests.pdfs import MARGIN, Line


def blocks(path: Path, *lines: str) -> list[str]:
    """The blocks of a page with these lines one under the other."""
    placed = [Line(text, top=MARGIN + 14 * row) for row, text in enumerate(lines)]
    found = skim(pdfs.pages(path, [placed]), block_chars=600)
    return [block.text for block in found.parsed.blocks]


@pytest.mark.parametrize(
    ("above", "below", "whole"),
    [
        ("The tenant pays the compen-", "sation within a month.", "compensation within"),
        ("Adjusted figures and non-", "GAAP measures are told.", "non-GAAP measures"),
        ("A compound, long-term, and long-", "term by agreement.", "long-term by"),
    ],
)
def test_a_word_broken_at_a_lines_end_is_whole(
    tmp_path: Path, above: str, below: str, whole: str
) -> None:
    [block] = blocks(tmp_path / "a.pdf", above, below)
    assert whole in block


def test_a_line_behind_a_hyphen_has_a_box_of_its_own(tmp_path: Path) -> None:
    placed = [Line("The terms of the amend-", left=300, top=72), Line("ment follow.", top=400)]
    found = skim(pdfs.pages(tmp_path / "a.pdf", [placed]), block_chars=600)
    assert [round(block.box.left, -1) for block in found.parsed.blocks] == [300, 70]
