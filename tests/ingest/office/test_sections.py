"""Files without pages: what is read of each kind, and what is refused before it is unpacked."""

import zipfile
from pathlib import Path

import docx
import openpyxl  # type: ignore[import-untyped]  # it has no types
import pptx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.ns import nsmap

from docqa.errors import EmptyFile, ReadingFailed, TooLarge
from docqa.ingest.office import formats, sections
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS


def read(path: Path) -> Parsed:
    return sections.read(path, path.name, settings=DEFAULTS).parsed


def labels(parsed: Parsed) -> list[str]:
    return [page.label for page in parsed.health]


def texts(parsed: Parsed, page: int) -> list[str]:
    return [block.text for block in parsed.blocks if block.page == page]


def workbook(folder: Path) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Rents"
    for row in (["Tenant", "Rent"], ["Acme", 500]):
        book.active.append(row)
    book.create_sheet("Costs").append(["Tax", 9])
    book.save(folder / "Rents.xlsx")
    return folder / "Rents.xlsx"


def test_a_sheet_is_a_page_with_its_name_and_keeps_rows_and_cells(tmp_path: Path) -> None:
    parsed = read(workbook(tmp_path))
    assert labels(parsed) == ["sheet “Rents”", "sheet “Costs”"]
    title, header, row = (block for block in parsed.blocks if block.page == 1)
    assert (title.kind, title.text) == ("heading", "Rents")
    assert header.column_header
    assert not row.column_header
    assert [(cell.text, cell.column) for cell in row.cells] == [("Acme", 0), ("500", 1)]


def test_a_section_of_a_word_file_is_a_page(tmp_path: Path) -> None:
    made = docx.Document()
    for heading, level, text in (
        ("Rent", 1, "It is $500."),
        ("Due", 2, "Monthly."),
        ("Term", 1, "5 years."),
    ):
        made.add_heading(heading, level)
        made.add_paragraph(text)
    made.save(str(tmp_path / "Lease.docx"))
    parsed = read(tmp_path / "Lease.docx")
    assert labels(parsed) == ["section “Rent”", "section “Term”"]
    assert texts(parsed, 1) == ["Rent", "It is $500.", "Due", "Monthly."]
    assert [b.level for b in parsed.blocks if b.kind == "heading"] == [2, 3, 2]


def test_items_and_cells_in_bold_are_told_once_and_items_by_their_number(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_paragraph("Lease")
    made.add_paragraph().add_run("Parties").bold = True
    made.paragraphs[-1].add_run(" are named below.")
    item = made.add_paragraph(style="List Number")
    item.add_run("Rent").bold = True
    item.add_run(" means $500 a month.")
    made.add_paragraph("It is due monthly.", style="List Number")
    made.add_paragraph("Keys: two", style="List Bullet")
    table = made.add_table(1, 2)
    for cell, text in zip(table.rows[0].cells, ("Term", "5 years"), strict=True):
        cell.paragraphs[0].add_run(text).bold = True
        cell.add_paragraph()
    made.save(str(tmp_path / "Lease.docx"))
    assert texts(read(tmp_path / "Lease.docx"), 1) == [
        "Lease",
        "Parties are named below.",
        "1. Rent means $500 a month.",
        "2. It is due monthly.",
        "Keys: two",
        "Term | 5 years",
    ]


def test_what_a_name_of_columns_is_merged_down_beside_names_columns_too(tmp_path: Path) -> None:
    made = docx.Document()
    table = made.add_table(4, 4)
    written = (("Fee", "2024", "", "2025"), ("", "A", "B", "A"), ("Agency", *"456"), ("", *"789"))
    for row, texts in zip(table.rows, written, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    for first, last in (((0, 0), (1, 0)), ((0, 1), (0, 2)), ((2, 0), (3, 0))):
        table.cell(*first).merge(table.cell(*last))
    made.save(str(tmp_path / "Fees.docx"))
    assert [(block.text, block.column_header) for block in read(tmp_path / "Fees.docx").blocks] == [
        ("Fee | 2024 | 2025", True),
        ("Fee | A | B | A", True),
        ("Agency | 4 | 5 | 6", False),
        ("Agency | 7 | 8 | 9", False),
    ]


def test_numbers_in_markup_stay_with_their_items(tmp_path: Path) -> None:
    (tmp_path / "Notes.md").write_text("# Terms\n\n1. **Rent** is $500\n2. Keys\n", "utf-8")
    assert texts(read(tmp_path / "Notes.md"), 1) == ["Terms", "1. Rent is $500", "2. Keys"]


def test_a_slide_is_a_page(tmp_path: Path) -> None:
    made = pptx.Presentation()
    for title, text in (("Overview", "Cap rate 5.2%"), ("Income", "NOI $2M")):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
    made.save(str(tmp_path / "Deck.pptx"))
    parsed = read(tmp_path / "Deck.pptx")
    assert labels(parsed) == ["slide 1", "slide 2"]
    assert texts(parsed, 2) == ["Income", "NOI $2M"]


def test_a_speakers_notes_are_read_in_small_print_after_the_slide(tmp_path: Path) -> None:
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Debt"
    slide.notes_slide.notes_text_frame.text = "Headroom is 22 per cent."
    made.save(str(tmp_path / "Deck.pptx"))
    told = [(block.kind, block.text, block.page) for block in read(tmp_path / "Deck.pptx").blocks]
    assert told == [("heading", "Debt", 1), ("footnote", "Headroom is 22 per cent.", 1)]


def test_a_footnote_is_read_and_a_comment_or_page_head_is_not(tmp_path: Path) -> None:
    made = docx.Document()
    made.sections[0].header.paragraphs[0].text = "Draft"
    run = made.add_paragraph("The margin is 2%.").runs[0]
    made.add_comment(run, "Really?", author="A")
    text = "<w:p><w:r><w:t>Above a floor.</w:t></w:r></w:p>"
    space = f"xmlns:w='{nsmap['w']}'"
    notes = f"<w:footnotes {space}><w:footnote w:id='2'>{text}</w:footnote></w:footnotes>"
    name = PackURI("/word/footnotes.xml")
    part = Part(name, "application/xml", notes.encode(), made.part.package)
    made.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    made.save(str(tmp_path / "Loan.docx"))
    told = [(block.kind, block.text) for block in read(tmp_path / "Loan.docx").blocks]
    assert told == [("text", "The margin is 2%."), ("footnote", "Above a floor.")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "a.html",
            "<h1>One</h1><p>Hello</p><table><tr><th>A</th></tr><tr><td>1</td></tr></table><h1>Two</h1><p>x</p>",
        ),
        ("a.md", "# One\n\nHello\n\n|A|\n|-|\n|1|\n\n# Two\n\nx\n"),
    ],
)
def test_headings_part_what_is_written_in_markup(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    parsed = read(tmp_path / name)
    assert labels(parsed) == ["section “One”", "section “Two”"]
    assert texts(parsed, 1) == ["One", "Hello", "A", "1"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_plain_text_is_parted_by_blank_lines(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_text("The café\npays.\n\n# 2 units", encoding=encoding)
    assert texts(read(tmp_path / "a.txt"), 1) == ["The café pays.", "# 2 units"]


def test_what_would_unpack_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "UNPACKED", 1_000_000)
    bomb = tmp_path / "Bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 2_000_000)
    with pytest.raises(TooLarge):
        read(bomb)


def test_bad_files_are_told(tmp_path: Path) -> None:
    for name in ("Empty.docx", "Damaged.docx"):
        (tmp_path / name).write_bytes(b"" if name.startswith("Empty") else b"PK no archive")
    with pytest.raises(EmptyFile):
        read(tmp_path / "Empty.docx")
    with pytest.raises(ReadingFailed):
        read(tmp_path / "Damaged.docx")
    with zipfile.ZipFile(tmp_path / "Other.docx", "w") as archive:
        archive.writestr("a.txt", "not a Word file")
    with pytest.raises(ReadingFailed):
        read(tmp_path / "Other.docx")


def test_the_reading_process_reads_them_under_the_name_given(tmp_path: Path) -> None:
    kept = workbook(tmp_path).rename(tmp_path / "upload.xlsx")
    with ReadingProcess() as process:
        skimmed = process.skim(kept, "Renamed", settings=DEFAULTS, cancelled=lambda: False)
    assert labels(skimmed.parsed) == ["sheet “Rents”", "sheet “Costs”"]
    assert skimmed.parsed.engine == "Excel reader"
