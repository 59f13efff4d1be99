"""Pages that came back empty are read by pdfium, and only those."""

from dataclasses import replace
from pathlib import Path

from docqa.ingest.reading import pdfium
from docqa.ingest.reading.arrange import laid_out
from docqa.ingest.reading.parse import Parsed, read
from docqa.ingest.reading.rescue import WARNING
from docqa.settings import DEFAULTS
from tests import pdfs

TEXTS = [f"Clause {number} says that the rent is due in advance." for number in (1, 2, 3)]


def with_nothing_on(path: Path, *numbers: int) -> Parsed:
    """A file as it is read where nothing was found on some of its pages."""
    laid = [
        replace(each, page=replace(each.page, regions=())) if each.page.number in numbers else each
        for each in laid_out(path, first=1, last=9)
    ]
    return read(path, settings=DEFAULTS, facts=pdfium.page_facts(path), laid=laid)


def test_the_lost_page_is_read_and_marked(tmp_path: Path) -> None:
    found = with_nothing_on(pdfs.text_pages(tmp_path / "a.pdf", TEXTS), 2)
    assert [block.text for block in found.blocks] == TEXTS
    assert [block.index for block in found.blocks] == [0, 1, 2]
    box = found.blocks[1].box
    assert abs(box.left - pdfs.MARGIN) < 2
    assert abs(box.top - pdfs.MARGIN) < 5
    assert [page.source for page in found.health] == ["text layer"] * 3
    assert [page.warnings for page in found.health] == [(), (WARNING,), ()]
    assert found.warnings == (f"Page 2: {WARNING}.",)


def test_an_empty_page_is_left_alone(tmp_path: Path) -> None:
    found = with_nothing_on(pdfs.text_pages(tmp_path / "a.pdf", [TEXTS[0], "", TEXTS[2]]), 2)
    assert [block.text for block in found.blocks] == [TEXTS[0], TEXTS[2]]
    assert [page.source for page in found.health] == ["text layer", "none", "text layer"]
    assert found.warnings == ()


def test_of_a_file_that_docling_cannot_open_nothing_is_read(tmp_path: Path) -> None:
    facts = [pdfium.PageFacts(1, 612, 792, "i", 0)]
    lost = read(pdfs.not_a_pdf(tmp_path / "a.pdf"), settings=DEFAULTS, facts=facts)
    assert lost.blocks == ()
    assert lost.health == (facts[0].health(0, "this page could not be read"),)


def test_a_table_keeps_its_rows(tmp_path: Path) -> None:
    found = with_nothing_on(pdfs.unruled_table(tmp_path / "a.pdf"), 1)
    rows = [block for block in found.blocks if block.table == 1]
    assert "Net operating income | 1,140,000 | 1,200,000" in [row.text for row in rows]
    assert rows[0].column_header
    assert [cell.column for cell in rows[1].cells] == [0, 1, 2]
