"""A comparison saved as a file: every format says what it rests on, read back by its own reader."""

import csv
import io
import re
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import docx
import openpyxl  # type: ignore[import-untyped]
import pytest
from docx.shared import Length, Pt

from docqa.present.as_docx import to_docx
from docqa.present.comparison import title_of
from docqa.present.document import Table
from docqa.present.export import COMPARISON as FORMATS
from docqa.present.export import Format
from docqa.present.sources import Record
from docqa.types.answer import Citation
from docqa.types.comparison import (
    Change,
    Comparison,
    Edit,
    Figure,
    FigureComparison,
    TermComparison,
    TermSide,
)
from docqa.types.document import Document
from tests.present.sample import ALONE, COMPARISON, RECORD, SETTINGS, A, B, C, block, figure

NUMBERS = "n"
TEXT = "s"


def saved(record: Record, ending: str) -> bytes:
    [form] = [each for each in FORMATS if each.ending == ending]
    return form.write(record)


def book_of(record: Record) -> dict[str, list[list[object]]]:
    book = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))
    return {sheet.title: [[c.value for c in row] for row in sheet.rows] for sheet in book}


def word_texts(record: Record) -> list[str]:
    """Every paragraph, and every cell of every table."""
    document = docx.Document(io.BytesIO(saved(record, "docx")))
    cells = [c.text for table in document.tables for row in table.rows for c in row.cells]
    return [paragraph.text for paragraph in document.paragraphs] + cells


def csv_rows(record: Record) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(saved(record, "csv").decode("utf-8-sig"))))


def markdown(record: Record) -> str:
    return saved(record, "md").decode()


def contents(record: Record, ending: str) -> str:
    match ending:
        case "docx":
            return "\n".join(word_texts(record))
        case "xlsx":
            return str(book_of(record))
        case "csv":
            return str(csv_rows(record))
        case _:
            return markdown(record).replace("\\", "")


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.ending)
def test_every_format_says_what_it_rests_on(form: Format[Record]) -> None:
    """Documents, pages as counted and as printed, quotes, checks, hashes, settings, date."""
    found = contents(RECORD, form.ending)
    for wanted in (A.name, B.name, A.id, B.id, "F-1", "iv", "Ohio law governs.", "$1.2M"):
        assert wanted in found
    assert "verified" in found
    assert SETTINGS in found
    made = RECORD.made if form.ending == "csv" else "1 March 2026, 10:00 UTC"
    assert made in found


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.ending)
def test_characters_that_a_file_may_not_hold_do_not_break_it(form: Format[Record]) -> None:
    odd = "a\x00b\x0b\ud800\uffff"
    alone = replace(ALONE, chunk=replace(ALONE.chunk, blocks=(block(odd, 1),)))
    record = Record(Comparison((A, B), odd, (), (), {A.id: (alone,)}, odd), {})
    found = form.write(record)
    if form.ending == "docx":
        assert "a\ufffdb\ufffd\ufffd\ufffd" in word_texts(record)
    if form.ending == "xlsx":
        assert "a\ufffdb\ufffd\ufffd\ufffd" in str(book_of(record))
    assert found


def test_a_file_begins_with_what_was_compared_and_the_short_names() -> None:
    comparison = replace(COMPARISON, question="key figures and terms")
    title = "Key figures and terms: Lease A (DocA) and Lease B (DocB)"
    assert title_of(comparison) == title
    assert word_texts(replace(RECORD, comparison=comparison))[0] == title


def test_what_does_not_stand_in_its_block_is_not_marked_as_verified() -> None:
    elsewhere = replace(figure(A, "$1.2M", "1200000", 1), block=block("Rent on request.", 1))
    row = replace(COMPARISON.figures[0], values=(elsewhere, COMPARISON.figures[0].values[1]))
    record = Record(replace(COMPARISON, figures=(row,)), {})
    assert [each["check"] for each in csv_rows(record)][:2] == ["not found", "verified"]
    assert "$1.2M (p. 1) ✕" in word_texts(record)
    sheet = book_of(record)["Figures"]
    assert {"not found", "verified", "$1.2M", "Rent on request."} <= set(sheet[1])


ROWS = (
    replace(block("Tenant | Area | Rent", 2), table=1, column_header=True),
    replace(block("Orrin & Vale | 4,400 | $25,000", 2), table=1),
)
CLAUSE = replace(block("7.7 | Headings are for ease.", 3), table=2)


def of_rows() -> Record:
    """A comparison that quotes rows of tables everywhere."""
    text = "\n".join(each.text for each in ROWS)
    term = TermComparison(
        "Largest tenant",
        (TermSide(A.id, A.name, ROWS[1].text, ROWS[1:]), TermSide(B.id, B.name)),
        "only in Lease_A.pdf",
    )
    cited = Citation("S1", A.id, A.name, 2, text, ROWS, "verified")
    rows, clause = (replace(ALONE, chunk=replace(ALONE.chunk, blocks=b)) for b in (ROWS, (CLAUSE,)))
    said = Comparison(
        (A, B),
        "rent",
        (),
        (),
        {A.id: (rows, clause)},
        f"“{ROWS[1].text}” [S1]",
        citations=(cited,),
        terms=(term,),
        changes=(Change("gone", "", ROWS[1].text, "", ROWS[1:]),),
    )
    return Record(said, {})


@pytest.mark.parametrize("ending", ["docx", "xlsx", "md"])
def test_a_quoted_row_reads_as_one_is_printed(ending: str) -> None:
    found = contents(of_rows(), ending)
    assert "Orrin & Vale · 4,400 · $25,000" in found
    assert "7.7 Headings are for ease." in found
    assert not re.search(r"Vale \||4,400 \||7\.7 \|", found)
    if ending != "xlsx":
        assert "Tenant · Area · Rent" in found


def test_rows_on_one_line_are_told_apart() -> None:
    words = word_texts(of_rows())
    rows = "“Tenant · Area · Rent; Orrin & Vale · 4,400 · $25,000”"
    assert f"Lease A: {rows} (p. 2)" in words
    assert f"1. Lease_A.pdf, p. 2 (verified: stands on the page). {rows}" in words


def test_a_program_gets_a_row_as_it_was_read() -> None:
    assert ROWS[1].text in [each["quote"] for each in csv_rows(of_rows())]


@pytest.mark.parametrize("ending", ["docx", "xlsx", "md"])
def test_notes_call_a_document_as_the_tables_do(ending: str) -> None:
    figures = (replace(COMPARISON.figures[1], note="Lease_B.pdf alone states it"),)
    record = replace(RECORD, comparison=replace(RECORD.comparison, figures=figures))
    found = contents(record, ending)
    assert "only in Lease A" in found
    assert "only in Lease_A.pdf" not in found
    assert "Lease B alone states it" in found
    assert "Lease_B.pdf alone states it" in {row["note"] for row in csv_rows(record)}


def test_what_was_not_found_bears_no_sign_of_a_quote_that_does_not_stand() -> None:
    words = word_texts(RECORD)
    assert "not found" in words  # the first lease has no fee
    assert "not found ✕" not in words


# Excel


def test_the_workbook_has_a_sheet_for_each_table_with_its_header_in_sight() -> None:
    book = openpyxl.load_workbook(io.BytesIO(saved(RECORD, "xlsx")))
    assert book.sheetnames == [
        *("Figures", "Terms", "Changes", "Side by side", "Only in one document", "Citations"),
        "How it was made",
    ]
    for sheet in book:
        assert sheet.freeze_panes == "B2"
        assert all(cell.font.bold for cell in sheet[1])
        assert not any(cell.font.bold for cell in sheet[2])
        assert all(8 <= each.width <= 60 for each in sheet.column_dimensions.values())
    [first, *_] = book["Figures"].iter_rows(values_only=True)
    assert first[:6] == (
        *("Figure", "Period", "Unit"),
        *(f"Lease A: {field}" for field in ("value", "as printed", "page")),
    )


def test_a_column_is_as_wide_as_its_contents_and_not_as_its_name() -> None:
    linked = replace(RECORD, address="http://127.0.0.1:8501")
    sheet = openpyxl.load_workbook(io.BytesIO(saved(linked, "xlsx")))["Figures"]
    cells = {cell.value: cell for cell in sheet[1]}
    widths = {
        field: sheet.column_dimensions[cells[f"Lease A: {field}"].column_letter].width
        for field in ("page", "check", "link")
    }
    assert widths == {"page": 8, "check": 11, "link": 8}
    opened = sheet.cell(2, cells["Lease A: link"].column)
    assert opened.value == "Open"
    assert opened.hyperlink.target.startswith("http://127.0.0.1:8501/?document=aaa")


def test_a_row_is_as_high_as_its_longest_text_and_a_sheet_prints_few_pages_wide() -> None:
    alone = replace(ALONE, chunk=replace(ALONE.chunk, blocks=(block("Pay the rent. " * 60, 1),)))
    record = Record(replace(COMPARISON, only_in={A.id: (alone,)}), {})
    book = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))
    sheet = book["Only in one document"]
    assert 14 * 15 <= sheet.row_dimensions[2].height <= 20 * 15
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
    assert sheet.auto_filter.ref == sheet.dimensions
    assert sheet["A1"].font.name == sheet["A2"].font.name == "Calibri"


def test_the_workbook_holds_numbers_as_numbers_and_no_formula() -> None:
    book = openpyxl.load_workbook(io.BytesIO(saved(RECORD, "xlsx")))
    rent = {cell.value: cell for cell in book["Figures"][2]}
    assert rent[1_200_000].data_type == rent[100_000].data_type == NUMBERS
    assert rent[1_200_000].number_format == '"$"#,##0'
    assert rent["$1.2M"].data_type == TEXT
    fee = {cell.value: cell for cell in book["Figures"][3]}
    assert (fee[2].data_type, fee["=2%"].data_type) == (NUMBERS, TEXT)
    alone = {cell.value: cell for cell in book["Only in one document"][2]}
    formula = alone["=SUM(A1) & <b>only</b> here"]
    assert (formula.data_type, formula.quotePrefix) == (TEXT, True)
    match = book["Side by side"]["A2"]
    assert (match.value, match.number_format) == (0.91, "0.0%")
    assert not [c for sheet in book for row in sheet.rows for c in row if c.data_type == "f"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "#N/A", "1200000", "TRUE"])
def test_text_in_a_workbook_stays_text(text: str) -> None:
    row = FigureComparison(text, text, text, (figure(A, text, "1", 1),), text, text)
    record = Record(replace(COMPARISON, figures=(row,)), {})
    book = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))
    found = [cell for cell in book["Figures"][2] if cell.value == text]
    assert len(found) >= 6
    assert {cell.data_type for cell in found} == {TEXT}


def test_a_percentage_is_one_in_a_workbook() -> None:
    row = replace(COMPARISON.figures[0], percent="−9.1%")
    book = openpyxl.load_workbook(
        io.BytesIO(saved(Record(replace(COMPARISON, figures=(row,)), {}), "xlsx"))
    )
    [cell] = [each for each in book["Figures"][2] if each.number_format == "0.0%"]
    assert cell.value == pytest.approx(-0.091)


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        ("5.25", "%", '#,##0.00"%"'),
        ("1200", "USD", '"$"#,##0'),
        ("3.15", "USD/share", '"$"#,##0.00"/share"'),
        ("1.5", "EUR", '"€"#,##0.0'),
        ("12300", "sq ft", '#,##0" sq ft"'),
        ("1E+3", "", "#,##0"),
    ],
)
def test_a_number_in_a_workbook_has_the_form_of_its_unit(value: str, unit: str, shown: str) -> None:
    found = replace(figure(A, "as printed", value, 1), unit=unit)
    record = Record(replace(COMPARISON, figures=(FigureComparison("x", "", unit, (found,)),)), {})
    book = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))
    [cell] = [each for each in book["Figures"][2] if each.value == float(value)]
    assert cell.number_format == shown


def dated(text: str, value: str) -> Figure:
    return replace(figure(A, text, value, 1), unit="date")


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("20240131", datetime(2024, 1, 31)),
        ("18991231", "1899-12-31"),
        ("20240230", "2024-02-30"),
        ("20240500", "2024-05-00"),
    ],
)
def test_a_date_is_one_where_excel_knows_it(value: str, cell: object) -> None:
    row = FigureComparison("Closing", "", "date", (dated("the day", value),), "+3 days")
    sheet = book_of(Record(replace(COMPARISON, figures=(row,)), {}))["Figures"]
    assert cell in sheet[1]
    assert "+3 days" in sheet[1]


def test_the_workbooks_difference_is_the_one_computed() -> None:
    """Of outflows it is of their size, so it is not always the first value less the second."""
    sides = (figure(A, "(23)", "-23", 1), figure(B, "(20)", "-20", 4))
    row = FigureComparison("Capital expenditures", "2024", "USD", sides, "+$3", apart=Decimal(3))
    sheet = book_of(Record(replace(COMPARISON, figures=(row,)), {}))["Figures"]
    assert {-23, -20, 3} <= set(sheet[1])
    assert -3 not in sheet[1]


def test_percentages_are_points_apart_in_a_workbook() -> None:
    sides = tuple(replace(figure(d, f"{n}%", n, 1), unit="%") for d, n in ((A, "6.2"), (B, "5.8")))
    row = FigureComparison("Cap rate", "", "%", sides, "+0.4 pts", apart=Decimal("0.4"))
    record = Record(replace(COMPARISON, figures=(row,)), {})
    book = openpyxl.load_workbook(io.BytesIO(saved(record, "xlsx")))
    [cell] = [each for each in book["Figures"][2] if each.value == 0.4]
    assert cell.number_format == '#,##0.0" pts"'


def test_a_number_too_long_for_a_spreadsheet_goes_as_text() -> None:
    long = figure(A, "much", "123456789012345678", 1)
    row = FigureComparison("Much", "", "", (long, figure(B, "0.25", "0.25", 1)))
    sheet = book_of(Record(replace(COMPARISON, figures=(row,)), {}))["Figures"]
    assert {"123456789012345678", 0.25} <= set(sheet[1])


def test_a_text_longer_than_a_cell_is_cut_and_says_so() -> None:
    alone = replace(ALONE, chunk=replace(ALONE.chunk, blocks=(block("word " * 7_000, 1),)))
    record = Record(replace(COMPARISON, only_in={A.id: (alone,)}), {})
    [text] = [
        cell
        for cell in book_of(record)["Only in one document"][1]
        if isinstance(cell, str) and cell.startswith("word")
    ]
    assert len(text) == 32_767
    assert text.endswith(" …")
    assert len(contents(record, "md")) > 34_999
    assert len(contents(record, "docx")) < 5_000


def test_a_file_without_pages_is_cited_by_the_names_of_its_sheets() -> None:
    book = Document("d" * 64, "Rents.xlsx", 3, kind="xlsx")
    rent = replace(figure(A, "$5", "5", 2), document_id=book.id, document=book.name)
    row = FigureComparison("Rent", "", "USD", (rent,))
    record = Record(Comparison((book, B), "", (row,), (), {}, ""), {(book.id, 2): "sheet “Rents”"})
    assert "$5 (sheet “Rents”) ✓" in word_texts(record)
    assert {"$5", 2, "sheet “Rents”"} <= set(book_of(record)["Figures"][1])


# Word


def test_the_document_holds_words_tables_and_how_it_was_made() -> None:
    words = word_texts(RECORD)
    assert "Lease A asks more [DocA p. 1 ✓]." in words
    assert "Lease A: “=SUM(A1) & <b>only</b> here” (p. 3, printed F-1)" in words
    assert "$1.2M (p. 1) ✓" in words
    assert "not found; nearest page (p. 2)" in words
    assert {A.id, "1 March 2026, 10:00 UTC", "Mind the gap."} <= set(words)
    assert "1. Lease_A.pdf, p. 1 (verified: stands on the page). “$1.2M”" in words


def test_the_document_is_in_words_own_styles_and_repeats_a_tables_header() -> None:
    document = docx.Document(io.BytesIO(saved(RECORD, "docx")))
    styles = {each.text: each.style.name for each in document.paragraphs if each.style}
    assert styles["Figures"] == "Heading 2"
    said = document.core_properties
    assert said.title == document.paragraphs[0].text
    assert said.created is not None
    assert said.created.year >= 2026  # python-docx's template has 2013
    table = document.tables[0]
    assert table.style is not None
    assert table.style.name == "Light Grid Accent 1"
    assert 'w:instr="PAGE"' in document.sections[0].footer._element.xml
    first, second = (row._tr.xpath("./w:trPr/w:tblHeader") for row in table.rows[:2])
    assert (len(first), len(second)) == (1, 0)
    assert all(run.bold for cell in table.rows[0].cells for run in cell.paragraphs[0].runs)


def test_a_words_table_gives_each_column_the_room_that_its_text_needs() -> None:
    rows = tuple((f"Lease_Bishopsgate_Tower_{n}.pdf", "p. 3", "stands " * 90) for n in range(2))
    table = Table(("Document", "Page", "Quote"), rows)
    [made] = docx.Document(io.BytesIO(to_docx([table]))).tables
    name, page, quote = (column.width or 0 for column in made.columns)
    assert 5.0 < Length(name).cm < 6.5  # the name is not broken
    assert page < name < quote
    assert Length(name + page + quote).cm == pytest.approx(17, abs=0.1)
    for row in made.rows:
        assert [cell.width for cell in row.cells] == [name, page, quote]


def test_a_link_in_a_words_table_has_letters_as_large_as_the_others() -> None:
    linked = replace(RECORD, address="http://127.0.0.1:8501")
    document = docx.Document(io.BytesIO(saved(linked, "docx")))
    table = document.tables[0]
    styles = {p.style.name for cell in table.rows[1].cells for p in cell.paragraphs if p.style}
    assert styles == {"Table Text"}
    assert table._tbl.xpath(".//w:hyperlink")
    assert not table._tbl.xpath(".//w:sz")
    assert document.styles["Table Text"].font.size == Pt(9)


def test_what_comes_nearest_is_said_to_be_no_more_than_that() -> None:
    comparison = RECORD.comparison
    [row] = comparison.terms
    sides = (row.sides[0], replace(row.sides[1], nearest_quote="Pay rent."))
    record = replace(RECORD, comparison=replace(comparison, terms=(replace(row, sides=sides),)))
    assert "not found; nearest: “Pay rent.” (p. 2)" in word_texts(record)
    likely = (row.sides[0], replace(sides[1], likely=True))
    record = replace(RECORD, comparison=replace(comparison, terms=(replace(row, sides=likely),)))
    assert "likely: “Pay rent.” (p. 2)" in word_texts(record)


def test_a_page_is_turned_where_a_table_is_wide() -> None:
    def width_over_height(record: Record) -> bool:
        section = docx.Document(io.BytesIO(saved(record, "docx"))).sections[0]
        return (section.page_width or 0) > (section.page_height or 0)

    three = replace(COMPARISON, documents=(A, B, C))
    assert not width_over_height(RECORD)
    assert width_over_height(replace(RECORD, comparison=replace(three, terms=(), changes=())))


def test_the_documents_words_stay_words_in_a_web_page_that_asks_for_nothing() -> None:
    page = saved(RECORD, "html").decode()
    assert "&lt;b&gt;only&lt;/b&gt;" in page
    assert "<b>only" not in page
    assert "<script" not in page
    assert re.search(r"""(?:src|href)=["'](?!data:)""", page) is None
    linked = saved(replace(RECORD, address="http://127.0.0.1:8501"), "html").decode()
    assert 'href="http://127.0.0.1:8501/?document=' in linked
    assert "default-src 'none'" in page


def test_a_redline_strikes_what_went_and_marks_what_is_new() -> None:
    edits = (Edit("same", "due in"), Edit("gone", "30"), Edit("new", "45"), Edit("same", "days"))
    places = (block("due in 30 days", 2),), (block("due in 45 days", 3),)
    change = Change("changed", "4.2", "due in 30 days", "due in 45 days", *places, edits)
    minor = Change("changed", "5", "x", "X", *places, minor=True)
    record = replace(RECORD, comparison=replace(COMPARISON, changes=(change, minor)))
    document = docx.Document(io.BytesIO(saved(record, "docx")))
    [row] = [row for table in document.tables for row in table.rows if "4.2" in row.cells[0].text]
    first, second = (cell.paragraphs[0].runs for cell in row.cells[1:3])
    assert [run.text for run in first if run.font.strike] == ["30 "]
    assert [run.text for run in second if run.bold] == ["45 "]
    assert row.cells[2].text == "due in 45 days (p. 3) ✓"
    assert "~~30~~" in markdown(record)
    assert "due in 30 days" in book_of(record)["Changes"][1]
    assert len(book_of(record)["Minor changes"]) == 2


def test_a_corrected_cell_says_in_files_what_it_was() -> None:
    text = "| a | b |\n| --- | --- |\n| x | ~~$5~~ $6 |"
    written = replace(RECORD, comparison=replace(COMPARISON, text=text, answerer="model-one"))
    assert "(corrected from $5) $6" in word_texts(written)


# Markdown and CSV


def test_markdown_escapes_what_the_documents_hold() -> None:
    written = markdown(RECORD)
    assert "Lease A asks more \\[DocA p. 1 ✓\\]." in written
    assert "| Rent | 2024 | USD | \\$1.2M (p. 1)" in written.replace("\\(", "(").replace("\\)", ")")
    assert "\\<b\\>only\\</b\\>" in written
    assert "printed F-1" in written
    assert A.id in written
    assert "Mind the gap." in written


def test_csv_has_a_row_for_each_side_and_no_formula() -> None:
    assert saved(RECORD, "csv").startswith(b"\xef\xbb\xbf")
    rows = csv_rows(RECORD)
    assert list(rows[0]) == [
        *("kind", "label", "period", "unit", "document", "sha256", "page", "printed_page"),
        *("value", "as_printed", "quote", "check", "link", "difference", "percent", "note"),
        *("compared_on", "date", "written_by", "settings"),
    ]
    first, second, absent, fee, law, nowhere, gone, one, other, alone = rows
    assert (first["value"], first["as_printed"], first["page"]) == ("1200000", "$1.2M", "1")
    assert (second["document"], second["printed_page"]) == (B.name, "iv")
    assert first["difference"] == "+$100,000"
    assert (absent["check"], absent["value"]) == ("not found", "")
    assert fee["as_printed"] == "'=2%"
    assert (law["quote"], law["printed_page"], law["check"]) == (
        *("Ohio law governs.", "F-1", "verified"),
    )
    assert (nowhere["page"], nowhere["check"]) == ("2", "not found; nearest page")
    assert (gone["kind"], gone["label"], gone["quote"]) == ("change", "gone 4.2", "Dogs.")
    assert [each["page"] for each in (one, other)] == ["2", "3"]
    assert (one["label"], one["note"]) == (other["label"], other["note"]) == ("1", "match 0.910")
    assert (alone["kind"], alone["printed_page"], alone["check"]) == (
        *("only in one", "F-1", "verified"),
    )
    assert alone["quote"] == "'=SUM(A1) & <b>only</b> here"
    assert {row["check"] for row in (first, second, fee, gone, one, other)} == {"verified"}
    assert {row["sha256"] for row in rows} == {A.id, B.id}
    assert {row["settings"] for row in rows} == {SETTINGS}
    assert {row["date"] for row in rows} == {"2026-03-01T10:00+00:00"}


def test_a_date_is_written_as_iso_8601_in_csv() -> None:
    row = FigureComparison("Closing", "", "date", (dated("January 31, 2024", "20240131"),))
    [first, *_] = csv_rows(Record(replace(COMPARISON, figures=(row,)), {}))
    assert first["value"] == str(date(2024, 1, 31))
