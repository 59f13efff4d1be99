"""What a file's markup tells that flat text would lose."""

from pathlib import Path
from typing import Any

import docx
import pptx
from docx.oxml import OxmlElement

from docqa.ingest.office import sections
from docqa.settings import DEFAULTS


def texts(path: Path) -> list[str]:
    parsed = sections.read(path, path.name, settings=DEFAULTS).parsed
    return [block.text for block in parsed.blocks]


def with_mark(paragraph: Any, text: str, mark: str) -> Any:
    paragraph.add_run(text)
    raised = paragraph.add_run(mark)
    raised.font.superscript = True
    return raised


def test_a_note_mark_in_a_cell_is_no_digit_of_its_figure_in_word(tmp_path: Path) -> None:
    made = docx.Document()
    with_mark(made.add_paragraph(), "Sales were £410", "1,2")
    table = made.add_table(2, 2)
    for cell, text, mark in zip(
        table._cells, ("Item", "2024", "Area m", "410"), ("", "", *"23"), strict=True
    ):
        with_mark(cell.paragraphs[0], text, mark)
    made.save(str(tmp_path / "Note.docx"))
    assert texts(tmp_path / "Note.docx") == ["Sales were £410¹,²", "Item | 2024", "Area m² | 410³"]


def test_a_note_mark_in_a_cell_is_no_digit_of_its_figure_on_a_slide(tmp_path: Path) -> None:
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    frame = slide.shapes.add_table(1, 2, 0, 0, 9_000_000, 900_000)
    for cell, text, mark in zip(frame.table.iter_cells(), ("Loans", "640"), "12", strict=True):
        for said, baseline in ((text, "0"), (mark, "30000")):
            run = cell.text_frame.paragraphs[0].add_run()
            run.text = said
            run._r.get_or_add_rPr().set("baseline", baseline)
    made.save(str(tmp_path / "Deck.pptx"))
    assert texts(tmp_path / "Deck.pptx") == ["Loans¹ | 640²"]


def test_a_note_mark_in_a_cell_is_no_digit_of_its_figure_in_markup(tmp_path: Path) -> None:
    cells = "<td>EBITDA<SUP>1</SUP></td><td>95<sup class='n'><a href='#n'>3</a></sup></td>"
    others = "<td>7<sup>th</sup></td><td>2<sup></sup>4</td>"
    (tmp_path / "a.html").write_text(f"<table><tr>{cells}{others}</tr></table>")
    assert texts(tmp_path / "a.html") == ["EBITDA¹ | 95³ | 7th | 24"]


def test_what_markup_says_was_deleted_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>Rent: <DEL>£<b>90</b></DEL><ins>£95</ins> a <del>week</p>")
    assert texts(tmp_path / "a.html") == ["Rent: £95 a week"]


def tracked(kind: str, text: str) -> Any:
    """A run that was put in, taken out (its text has an element of its own) or moved."""
    change, run = OxmlElement(f"w:{kind}"), OxmlElement("w:r")
    said = OxmlElement("w:delText" if kind == "del" else "w:t")
    said.text = text
    run.append(said)
    change.append(run)
    return change


def in_control(element: Any) -> None:
    control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
    element.addprevious(control)
    control.append(content)
    content.append(element)


def test_tracked_changes_are_read_as_if_accepted(tmp_path: Path) -> None:
    made = docx.Document()
    moved = made.add_paragraph("The rent is ")
    for kind, text in (
        ("moveFrom", "£90"),
        ("moveTo", "£95"),
        ("del", " a week"),
        ("ins", " a year"),
    ):
        moved._p.append(tracked(kind, text))
    table = made.add_table(3, 2)
    for cell, text in zip(table._cells, ("Item", "2024", "Fee", "", "Gone", "7"), strict=True):
        cell.paragraphs[0].add_run(text)
    for kind, text in (("del", "110"), ("ins", "120")):
        table.cell(1, 1).paragraphs[0]._p.append(tracked(kind, text))
    table.rows[2]._tr.get_or_add_trPr().append(OxmlElement("w:del"))
    made.save(str(tmp_path / "Draft.docx"))
    assert texts(tmp_path / "Draft.docx") == ["The rent is £95 a year", "Item | 2024", "Fee | 120"]


def test_what_stands_in_content_controls_is_read(tmp_path: Path) -> None:
    made = docx.Document()
    in_control(made.add_paragraph("Lease")._p)
    in_control(made.add_paragraph("Rent: ").add_run("£95")._r)
    table = made.add_table(2, 3)
    for cell, text in zip(table._cells, ("Unit", "Tenant", "Rent", "1", "Acme", "£5"), strict=True):
        in_control(cell.paragraphs[0].add_run(text)._r)
    in_control(table.cell(1, 1)._tc)
    in_control(table.rows[0]._tr)
    made.save(str(tmp_path / "Form.docx"))
    parsed = sections.read(tmp_path / "Form.docx", "Form.docx", settings=DEFAULTS).parsed
    assert [block.text for block in parsed.blocks] == [
        "Lease", "Rent: £95", "Unit | Tenant | Rent", "1 | Acme | £5",
    ]  # fmt: skip
    assert [block.column_header for block in parsed.blocks] == [False, False, True, False]
