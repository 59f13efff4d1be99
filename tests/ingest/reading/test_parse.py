"""Docling's documents as Blocks, from PDFs whose contents and boxes are known."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from docqa.errors import ReadingFailed
from docqa.ingest.reading import arrange
from docqa.ingest.reading.parse import Parsed, read
from docqa.ingest.reading.pdfium import PageFacts
from docqa.settings import DEFAULTS, adjust
from docqa.types.document import Box
from tests import pdfs


def parsed(path: Path, *, block_chars: int = DEFAULTS.reading.block_chars) -> Parsed:
    settings = adjust(DEFAULTS, block_chars=block_chars)
    return read(path, settings=settings)


def close(one: Box, other: Box, *, within: float = 4.0) -> bool:
    pairs = zip(
        (one.left, one.top, one.right, one.bottom),
        (other.left, other.top, other.right, other.bottom),
        strict=True,
    )
    return all(abs(a - b) <= within for a, b in pairs)


def test_a_structured_page_is_headings_paragraphs_and_a_list(tmp_path: Path) -> None:
    result = parsed(pdfs.structured(tmp_path / "a.pdf"))
    assert [block.index for block in result.blocks] == list(range(len(result.blocks)))
    assert [block.kind for block in result.blocks] == [
        "heading", "heading", "text", "heading", "text", "list", "list", "list",
    ]  # fmt: skip
    assert result.title == "Annual Review of the Harbour District"
    assert [page.source for page in result.health] == ["text layer"]


@pytest.mark.parametrize("make", [pdfs.ruled_table, pdfs.unruled_table])
def test_a_table_is_a_block_for_each_row(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    rows = [block for block in parsed(make(tmp_path / "a.pdf")).blocks if block.kind == "table"]
    assert [tuple(cell.text for cell in row.cells) for row in rows] == list(pdfs.TABLE)
    assert rows[3].text == "Net operating income | 1,140,000 | 1,200,000"
    assert [row.column_header for row in rows] == [True, False, False, False, False]
    assert {row.table for row in rows} == {1}


def test_a_label_that_is_merged_over_rows_is_in_each_of_them(tmp_path: Path) -> None:
    made = Canvas(str(tmp_path / "a.pdf"), pagesize=(pdfs.WIDTH, pdfs.HEIGHT), invariant=1)
    for at, texts in enumerate(
        (("Region", "City"), ("North", "Leeds"), ("", "York"), ("South", "Bath"))
    ):
        for left, text in zip((75, 205), texts, strict=True):
            made.drawString(left, 585 - 20 * at, text)
        for left, right in ((70, 200), (200, 330)):
            if at != 2 or left == 200:
                made.line(left, 600 - 20 * at, right, 600 - 20 * at)
    made.line(70, 520, 330, 520)
    for left in (70, 200, 330):
        made.line(left, 520, left, 600)
    made.save()
    rows = [block.text for block in parsed(tmp_path / "a.pdf").blocks]
    assert rows == ["Region | City", "North | Leeds", "North | York", "South | Bath"]


def test_a_name_broken_by_a_hyphen_is_whole_where_the_document_has_the_word(tmp_path: Path) -> None:
    made = Canvas(str(tmp_path / "a.pdf"), pagesize=(pdfs.WIDTH, pdfs.HEIGHT), invariant=1)
    made.drawString(75, 650, "Settlements are told net of costs and before any fee of ours.")
    rows = (
        ("", "First", "Settle-", "Half-"),
        ("Case", "year", "ments", "year"),
        *((name, "120", "45", "60") for name in ("Alder", "Birch", "Cedar")),
    )
    for at, texts in enumerate(rows):
        for left, text in zip((75, 205, 305, 405), texts, strict=True):
            made.drawString(left, 585 - 22 * at, text)
    made.save()
    told = [block.text for block in parsed(tmp_path / "a.pdf").blocks if block.kind == "table"]
    assert told[:2] == ["First | Half-", "Case | year | Settlements | year"]


@pytest.mark.parametrize(
    ("font", "size", "up"),
    [("Helvetica", 7, 4), ("Times-Roman", 8.8, 3.5), ("Times-Roman", 7, 2.75)],
)
def test_small_figures_above_the_line_are_no_part_of_the_number(
    tmp_path: Path, font: str, size: float, up: float
) -> None:
    path = pdfs.raised(tmp_path / "a.pdf", font, size, up)
    prose, *rows = (block.text for block in parsed(path).blocks)
    assert prose == "The hall has 10² square metres at 1,234³ dollars, or 5½ a day."
    assert rows == ["2023⁴ | 2022", "Rent¹ | 1,234³ | 1,100", "Costs | 900 | 800²,³"]


def test_a_long_paragraph_is_cut_at_sentence_ends(tmp_path: Path) -> None:
    text = " ".join(f"Sentence number {n} says what it has to say." for n in range(30))
    blocks = parsed(pdfs.text_pages(tmp_path / "a.pdf", [text]), block_chars=200).blocks
    assert " ".join(block.text for block in blocks) == text
    assert all(len(block.text) <= 200 and block.text.endswith(".") for block in blocks)
    assert [block.continues for block in blocks] == [False] + [True] * (len(blocks) - 1)
    assert all(a.box.top <= b.box.top for a, b in itertools.pairwise(blocks))
    assert blocks[-1].box.top > blocks[0].box.bottom


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_boxes_are_on_the_page_as_displayed(tmp_path: Path, degrees: int) -> None:
    path = pdfs.rotated(tmp_path / "a.pdf", degrees=degrees)
    (block,) = parsed(path).blocks
    assert block.text == pdfs.TURNED.text
    assert close(block.box, pdfs.rotated_box(pdfs.TURNED.box, degrees=degrees))


def test_a_page_shown_on_its_side_says_so(tmp_path: Path) -> None:
    (health,) = parsed(pdfs.rotated(tmp_path / "a.pdf", degrees=90)).health
    assert health.warnings == ("this page is rotated: its text reads downwards",)
    assert health.characters == len(pdfs.TURNED.text)


def test_a_table_without_cells_is_told_of(tmp_path: Path) -> None:
    result = parsed(pdfs.empty_frame(tmp_path / "a.pdf"))
    told = "a table without cells: the frame is drawn, but there is no text in it"
    assert result.warnings == (f"Page 1: {told}.",)
    assert [block.kind for block in result.blocks] == ["text"]
    assert not parsed(pdfs.ruled_table(tmp_path / "b.pdf")).warnings


def test_pages_laid_out_before_are_not_laid_out_again(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", ["One.", "Two.", "Three."])
    done: list[int] = []
    laid = arrange.laid_out(path, first=1, last=3, done=done.append)
    assert done == [1, 2, 3]
    assert read(path, settings=DEFAULTS, laid=laid) == read(path, settings=DEFAULTS)
    [second] = [each for each in laid if each.page.number == 2]
    renamed = replace(second.page, regions=laid[2].page.regions)
    changed = [laid[0], replace(second, page=renamed), laid[2]]
    texts = [block.text for block in read(path, settings=DEFAULTS, laid=changed).blocks]
    assert texts == ["One.", "Three.", "Three."]


def test_a_range_of_pages_keeps_its_numbers(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", ["First page.", "Second page.", "Third page."])
    result = read(path, settings=DEFAULTS, first=2, last=3)
    assert [(block.page, block.text) for block in result.blocks] == [
        (2, "Second page."),
        (3, "Third page."),
    ]


def test_only_what_is_displayed_of_a_cropped_page_counts(tmp_path: Path) -> None:
    result = parsed(pdfs.cropped(tmp_path / "a.pdf"))
    (block,), (page,) = result.blocks, result.health
    assert close(block.box, pdfs.cropped_box(pdfs.TURNED.box))
    assert (page.width, page.height) == (
        pdfs.CROP.right - pdfs.CROP.left,
        pdfs.CROP.bottom - pdfs.CROP.top,
    )


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    blocks = parsed(pdfs.two_columns(tmp_path / "a.pdf"), block_chars=5000).blocks
    assert [block.text for block in blocks] == [
        "Reading order",
        pdfs.LEFT_COLUMN,
        pdfs.RIGHT_COLUMN,
    ]


def test_a_page_that_was_not_read_is_told_from_an_empty_one(tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", ["", "Something."])
    facts = [PageFacts(1, 612, 792, "i", 40), PageFacts(2, 612, 792, "1", 10)]
    result = read(path, settings=DEFAULTS, facts=facts)
    first, second = result.health
    assert (first.label, first.source, len(first.warnings)) == ("i", "none", 1)
    assert (second.label, second.source, second.warnings) == ("1", "text layer", ())
    assert result.warnings[0].startswith("Page 1: ")


@pytest.mark.parametrize("make", [pdfs.truncated, pdfs.not_a_pdf, pdfs.encrypted])
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    with pytest.raises(ReadingFailed, match=r"a\.pdf could not be read"):
        parsed(make(tmp_path / "a.pdf"))


def test_a_password_opens_a_locked_file(tmp_path: Path) -> None:
    path = pdfs.encrypted(tmp_path / "a.pdf", ["Locked text."])
    result = read(path, password=pdfs.PASSWORD, settings=DEFAULTS)
    assert [block.text for block in result.blocks] == ["Locked text."]


@pytest.mark.slow
def test_a_scan_is_read_by_ocr(tmp_path: Path) -> None:
    text = "The rent for the first year is one million dollars."
    result = parsed(pdfs.scanned(tmp_path / "a.pdf", [text]))
    assert "".join(b.text for b in result.blocks).replace(" ", "") == text.replace(" ", "")
    (page,) = result.health
    assert (page.source, page.warnings) == ("OCR", ())
    assert close(result.blocks[0].box, pdfs.paragraphs(text)[0].box, within=6)


def test_ocr_waits_for_what_may_be_letters_and_not_for_rules(tmp_path: Path) -> None:
    def waiting(path: Path) -> list[int]:
        result = read(path, settings=DEFAULTS, ocr=False)
        return [page.page for page in result.health if page.waiting]

    assert waiting(pdfs.rules_alone(tmp_path / "rules.pdf")) == []
    assert waiting(pdfs.outlined(tmp_path / "outlined.pdf")) == [1]
    assert waiting(pdfs.scanned(tmp_path / "scan.pdf", ["A scan."])) == [1]


def test_a_paragraph_that_flows_over_a_page_is_a_block_on_each(tmp_path: Path) -> None:
    first = "The tenant pays the rent on the first day of every month and keeps"
    second = "the premises in good repair.\n\nThe landlord insures the building."
    pages = [[*pdfs.paragraphs(first), *footer(1)], [*pdfs.paragraphs(second), *footer(2)]]
    blocks = parsed(pdfs.pages(tmp_path / "a.pdf", pages)).blocks
    assert [(block.page, block.kind, block.continues) for block in blocks] == [
        (1, "text", False),
        (1, "footer", False),
        (2, "text", True),
        (2, "text", False),
        (2, "footer", False),
    ]


def footer(number: int) -> list[pdfs.Line]:
    return [pdfs.Line(f"Page {number}", left=300, top=750)]


def test_a_name_and_the_paragraph_beside_it_are_both_kept(tmp_path: Path) -> None:
    lines = [
        pdfs.Line("MARY A. BROWN -", top=100, size=11, font="Helvetica-Bold"),
        pdfs.Line("Vice Chairman and Chief Financial Officer", top=100, left=200),
        pdfs.Line("Ms. Brown (51) has been Vice Chairman since April 2021. Prior to", top=112),
        pdfs.Line("that, she had been Group President since February 2018.", top=124),
    ]
    texts = [block.text for block in parsed(pdfs.pages(tmp_path / "a.pdf", [lines])).blocks]
    assert len(texts) == len(set(texts)) == 2
    assert texts[0] == "MARY A. BROWN -"


def test_items_of_a_list_stay_where_they_stand_around_tables(tmp_path: Path) -> None:
    def page(item: str) -> list[pdfs.Line]:
        table = [
            pdfs.Line(text, left, 130 + 16 * at)
            for at, row in enumerate(
                (("$m", "2023", "2022"), ("Legal", "14", "29"), ("Tax", "9", "18"))
            )
            for text, left in zip(row, (72, 300, 400), strict=True)
        ]
        return [pdfs.Line(item, 72, 80), *table]

    path = pdfs.pages(tmp_path / "a.pdf", [page("(3) Legal costs."), page("(6) Adjustments.")])
    blocks = parsed(path).blocks
    assert [(block.page, block.kind) for block in blocks] == [
        (number, kind) for number in (1, 2) for kind in ("list", "table", "table", "table")
    ]
