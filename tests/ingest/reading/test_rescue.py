"""Pages that came back empty are read by pdfium, and only those."""

from dataclasses import replace
from pathlib import Path

from docqa.ingest.reading import pdfium
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.rescue import WARNING, rescue, unread
from docqa.types.document import Block, Box, PageHealth
from tests import pdfs

HERE = Box(1, 2, 3, 4)
TEXTS = [f"Clause {number} says that the rent is due in advance." for number in (1, 2, 3)]


def parsed_but_for_page_two() -> Parsed:
    blocks = tuple(
        Block(TEXTS[page - 1], page, HERE, index=index, table=7 if page == 3 else 0)
        for index, page in enumerate((1, 3))
    )
    health = [PageHealth(page, "", 612, 792, 45, "text layer") for page in (1, 2, 3)]
    health[1] = replace(health[1], characters=0, source="none", warnings=("nothing was read",))
    warnings = ("Something general.", "Page 2: nothing was read.")
    return Parsed("T", blocks, tuple(health), "geometry", warnings)


def test_the_lost_page_is_read_and_marked(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", TEXTS)
    facts = pdfium.page_facts(path)
    found = rescue(parsed_but_for_page_two(), path, facts=facts, block_chars=600)
    assert [block.text for block in found.blocks] == TEXTS
    assert [block.index for block in found.blocks] == [0, 1, 2]
    assert [block.table for block in found.blocks] == [0, 0, 7]
    box = found.blocks[1].box
    assert abs(box.left - pdfs.MARGIN) < 2
    assert abs(box.top - pdfs.MARGIN) < 5
    assert [page.source for page in found.health] == ["text layer"] * 3
    assert found.health[1].warnings == (WARNING,)
    assert found.warnings == ("Something general.", f"Page 2: {WARNING}.")


def test_what_was_read_is_left_alone(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", [TEXTS[0], "", TEXTS[2]])
    before = parsed_but_for_page_two()
    after = rescue(before, path, facts=pdfium.page_facts(path), block_chars=600)
    assert after.blocks == before.blocks
    assert after.health == before.health


def test_nothing_read_at_all(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", TEXTS)
    facts = pdfium.page_facts(path)
    found = rescue(unread(facts, engine="geometry"), path, facts=facts, block_chars=600)
    assert [block.text for block in found.blocks] == TEXTS
    assert [page.page for page in found.health] == [1, 2, 3]


def test_a_table_keeps_its_rows(tmp_path: Path) -> None:
    path = pdfs.unruled_table(tmp_path / "a.pdf")
    facts = pdfium.page_facts(path)
    found = rescue(unread(facts, engine="geometry"), path, facts=facts, block_chars=600)
    rows = [block for block in found.blocks if block.table == 1]
    assert "Net operating income | 1,140,000 | 1,200,000" in [row.text for row in rows]
    assert rows[0].column_header
    assert [cell.column for cell in rows[1].cells] == [0, 1, 2]
