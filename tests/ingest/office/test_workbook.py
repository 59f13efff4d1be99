"""Excel workbooks: rows as they are shown, where each stands, what is to be known of a sheet."""

import warnings
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]  # it has no types
import pytest
from openpyxl.comments import Comment  # type: ignore[import-untyped]
from openpyxl.styles import Font  # type: ignore[import-untyped]

from docqa.errors import ReadingFailed
from docqa.ingest.chunks.pack import chunk
from docqa.ingest.office import sections, workbook
from docqa.ingest.reading.parse import Parsed
from docqa.settings import DEFAULTS
from docqa.types.document import Block, where_of


def rent_roll(path: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Rent roll"
    sheet["A1"] = "100 Main Street"
    sheet["A1"].font = Font(bold=True)
    sheet["A2"] = "in thousands of dollars"
    sheet.append(["Building", "Tenant", 2023, 2024, "Growth", "Start"])
    sheet.append(["North", "Acme", 1200.5, 1263.5, 0.0525, datetime(2024, 3, 31)])
    sheet.append([None, "Beta", -500, 0, 0.03, datetime(2025, 1, 1)])
    sheet.append(["Total", None, 700.5, "=SUM(D4:D5)"])
    sheet.merge_cells("A4:A5")
    sheet["C4"].comment = Comment("Abated until May", "a clerk")
    for row in (4, 5):
        sheet.cell(row, 3).number_format = "$#,##0.00_);($#,##0.00)"
        sheet.cell(row, 5).number_format = "0.00%"
        sheet.cell(row, 6).number_format = "m/d/yyyy"
    hidden = book.create_sheet("Assumptions")
    hidden.sheet_state = "hidden"
    hidden.append(["Cap rate", None, 0.0575])
    hidden["C1"].number_format = "0.00%"
    book.create_sheet("Empty")
    book.save(path)
    return path


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Parsed:
    path = rent_roll(tmp_path_factory.mktemp("book") / "Rents.xlsx")
    return sections.read(path, path.name, settings=DEFAULTS).parsed


def on(parsed: Parsed, page: int) -> list[Block]:
    return [block for block in parsed.blocks if block.page == page]


def test_figures_stand_as_they_are_shown_and_merged_cells_in_every_row(read: Parsed) -> None:
    rows = [block.text for block in on(read, 1) if block.table]
    assert rows == [
        "Building | Tenant | 2023 | 2024 | Growth | Start",
        "North | Acme | $1,200.50 | 1263.5 | 5.25% | 3/31/2024",
        "North | Beta | ($500.00) | 0 | 3.00% | 1/1/2025",
        "Total | 700.5",
    ]
    assert [block.column_header for block in on(read, 1) if block.table] == [True, *[False] * 3]


def test_one_is_not_shown_as_true_nor_true_as_one(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Unit", "Let", "Floors"], ["A", True, 1], ["B", False, 0], ["C", 1, True]):
        book.active.append(list(row))
    book.save(tmp_path / "Flags.xlsx")
    [sheet] = workbook.read(tmp_path / "Flags.xlsx", "Flags.xlsx")
    rows = [block.text for block in sheet.blocks if block.table]
    assert rows[1:] == ["A | TRUE | 1", "B | FALSE | 0", "C | 1 | TRUE"]


def test_what_heads_a_table_is_told_from_its_rows(read: Parsed) -> None:
    told = [(b.kind, b.text) for b in on(read, 1) if not b.table]
    assert told == [
        ("heading", "Rent roll"),
        ("heading", "100 Main Street"),
        ("caption", "in thousands of dollars"),
        ("footnote", "Abated until May"),
    ]


def tables(folder: Path, rows: Sequence[Sequence[object]]) -> list[list[str]]:
    """The rows of each table of a sheet with such cells; "# " before a head's."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    book.save(folder / "Book.xlsx")
    [sheet] = workbook.read(folder / "Book.xlsx", "Book.xlsx")
    found: dict[int, list[str]] = {}
    for block in sheet.blocks:
        if block.table:
            found.setdefault(block.table, []).append("# " * block.column_header + block.text)
    return list(found.values())


A = ("Rent", 410, 402)
B = ("Repairs", -37, -12)


def test_tables_side_by_side_are_read_one_after_the_other(tmp_path: Path) -> None:
    names = (None, "Q1", "Q2")
    alike = [("North", *3 * [None], "South"), (*names, *names), (*A, None, *B), (*B, None, *A)]
    one = ["# Q1 | Q2", "Rent | 410 | 402", "Repairs | -37 | -12"]
    assert tables(tmp_path, alike) == [one, [one[0], one[2], one[1]]]
    shorter = [("Line", 2023, 2024, None, "Exit"), (*A, None, "Yield", 0.05), B]
    assert tables(tmp_path, shorter) == [["# Line | 2023 | 2024", *one[1:]], ["Yield | 0.05"]]
    again = [("Unit", "Rent", None, "Unit", "Rent"), ("A", 1, None, "C", 3), ("B", 2)]
    assert tables(tmp_path, again) == [
        ["# Unit | Rent", "A | 1", "B | 2"],
        ["# Unit | Rent", "C | 3"],
    ]


def test_blank_columns_within_a_table_do_not_part_it(tmp_path: Path) -> None:
    for rows in (
        [("Line", 2023, None, 2024), ("Rent", 410, None, 402), ("Repairs", -37, None, -12)],
        [
            ("Unit", "Area", None, "Tenant", "Rent"),
            ("A", 1, None, "Acme", 3),
            ("B", 2, None, "Beta"),
        ],
        [("Let",), ("Area", 1, None, "Acme", 3), ("Yard", 2, None, "Beta", 4)],
        [("Space", None, None, "Lease"), ("A", 1, None, "Acme", 3), ("B", 2, None, "Beta", 4)],
    ):
        assert len(tables(tmp_path, rows)) == 1


def test_a_blank_row_under_a_head_does_not_part_it_from_its_figures(tmp_path: Path) -> None:
    spaced = [("Budget",), (), (None, "Q1", "Q2"), (), ("Costs",), A, B, (), ("Total", 373, 390)]
    rows = ["# Q1 | Q2", "Costs", "Rent | 410 | 402", "Repairs | -37 | -12"]
    assert tables(tmp_path, spaced) == [rows, ["Total | 373 | 390"]]
    dated = [(None, datetime(2025, 3, 31), datetime(2024, 3, 31), "Change"), (), A]
    assert len(tables(tmp_path, dated)) == 1
    facts = [("Borrower", "Acme"), (), ("Loan", 500)]  # a label and what it says name no columns
    assert tables(tmp_path, facts) == [["Borrower | Acme"], ["Loan | 500"]]
    wider = [("Tenant", "Use", "Floor"), (), (*A, 395)]
    assert len(tables(tmp_path, wider)) == 2


def test_a_cell_merged_over_columns_beside_the_labels_is_no_title(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in ((None, "Actual 2025"), ("Line", "Apr", "May"), A, B):
        book.active.append(list(row))
    book.active.merge_cells("B1:C1")
    book.save(tmp_path / "Book.xlsx")
    [sheet] = workbook.read(tmp_path / "Book.xlsx", "Book.xlsx")
    assert [block.column_header for block in sheet.blocks[1:]] == [True, True, False, False]


def test_a_head_right_below_figures_begins_another_table(tmp_path: Path) -> None:
    rents = ("Income ($ million)", 2024, 2023), A
    debts = ("Debt ($ million)", "Drawn", "Limit"), ("Term loan", 640, 700)
    assert tables(tmp_path, [*rents, *debts]) == [
        ["# Income ($ million) | 2024 | 2023", "Rent | 410 | 402"],
        ["# Debt ($ million) | Drawn | Limit", "Term loan | 640 | 700"],
    ]
    kept = ("Tenure", "Freehold", "Leasehold"), ("Repairs", "None", "None")
    assert len(tables(tmp_path, [rents[0], A, *kept, B])) == 1


def test_the_first_of_facts_names_no_columns(tmp_path: Path) -> None:
    facts = [
        ("Borrower", "Acme"),
        ("Lender", "Beta"),
        ("Loan", 500),
        ("Signed", datetime(2024, 1, 1)),
    ]
    assert tables(tmp_path, facts)[0][0] == "Borrower | Acme"
    assert tables(tmp_path, facts[:2])[0][0] == "Borrower | Acme"
    assert tables(tmp_path, [("Borrower", "Loan"), ("Acme", 500)])[0][0] == "# Borrower | Loan"


def test_a_row_that_fills_what_is_named_in_bold_names_nothing(tmp_path: Path) -> None:
    rows = [("Name", "Team", "Left", "Exit pay"), ("L. Amos", "Sales", "May", "-")]
    rows += [("P. Oyle", "Sales", "June", "18,250")]
    assert headed(tmp_path, rows, bold=False) == [True, False, False]
    assert headed(tmp_path, [rows[0], ("A", "B", "C", "D"), rows[2]], bold=True) == [
        True, False, False,
    ]  # fmt: skip


def headed(tmp_path: Path, rows: Sequence[Sequence[str]], *, bold: bool) -> list[bool]:
    """Whether each row of a sheet is read as naming the columns."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    for cell in book.active[1]:
        cell.font = Font(bold=bold)
    path = tmp_path / f"{bold}.xlsx"
    book.save(path)
    blocks = sections.read(path, path.name, settings=DEFAULTS).parsed.blocks
    return [block.column_header for block in blocks if block.kind == "table"]


def test_rows_are_cited_by_their_numbers(read: Parsed) -> None:
    rows = [block for block in on(read, 1) if block.table]
    assert rows[1].where == "sheet “Rent roll”, row 4"
    assert where_of(rows, 1) == "sheet “Rent roll”, rows 4–6"


def test_a_formula_without_a_value_is_told_and_no_value_is_made_up(read: Parsed) -> None:
    [told] = [each for each in read.warnings if "formula" in each]
    assert told.startswith("sheet “Rent roll”: one formula without a value")
    assert "save" in told


def test_hidden_sheets_are_read_and_say_so(read: Parsed) -> None:
    assert [page.label for page in read.health] == [
        "sheet “Rent roll”",
        "sheet “Assumptions” (hidden)",
        "sheet “Empty”",
    ]
    assert [block.text for block in on(read, 2)] == ["Assumptions", "Cap rate | 5.75%"]
    assert read.health[1].warnings == ("hidden in Excel",)
    assert read.health[2].source == "none"


def test_no_passage_goes_from_one_sheet_to_the_next(read: Parsed) -> None:
    made = chunk(
        "id", "Rents.xlsx", "", read.blocks,
        count_tokens=len, max_tokens=2000, settings=DEFAULTS, apart=True,
    )  # fmt: skip
    assert [(each.page_start, each.page_end) for each in made] == [(1, 1), (2, 2)]
    assert made[0].where == "sheet “Rent roll”, rows 1–6"


def test_a_stray_cell_far_out_costs_nothing_and_a_long_sheet_has_several_pages(
    tmp_path: Path,
) -> None:
    book = openpyxl.Workbook()
    for n in range(workbook.ROWS + 10):
        book.active.append(["Unit", n])
    book.active["XFD1048576"] = "stray"
    book.save(tmp_path / "Long.xlsx")
    first, second = workbook.read(tmp_path / "Long.xlsx", "Long.xlsx")
    assert first.name == f"sheet “Sheet”, rows 1–{workbook.ROWS}"
    assert second.blocks[-1].text == "stray"
    assert second.blocks[0].row == workbook.ROWS + 1


def test_merged_cells_without_end_are_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "all of it"
    book.active.merged_cells.add("A1:XFD1048576")
    book.save(tmp_path / "Merged.xlsx")
    with pytest.raises(ReadingFailed, match="merged"):
        workbook.read(tmp_path / "Merged.xlsx", "Merged.xlsx")


def test_a_workbook_that_breaks_off_is_refused_with_a_sentence(tmp_path: Path) -> None:
    whole = rent_roll(tmp_path / "Rents.xlsx").read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for at in range(1, len(whole), len(whole) // 12):
            (tmp_path / "Part.xlsx").write_bytes(whole[:at])
            with pytest.raises(ReadingFailed, match=r"Part.xlsx could not be read"):
                workbook.read(tmp_path / "Part.xlsx", "Part.xlsx")
