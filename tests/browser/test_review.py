"""A review in a real browser: from choosing a template to the exported workbook."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import load_workbook  # type: ignore[import-untyped]

from docqa.installation import SAMPLES
from tests.browser.conftest import click_for, drawn, open_page, served, violations
from tests.browser.test_app import words_under
from tests.browser.test_desk import ask, in_window

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

FILLING = 180_000  # milliseconds that 30 cells may take, models included
TOWER_FILE, YARD_FILE = "Lease_Bishopsgate_Tower.pdf", "Lease_Harbour_Yard.pdf"
TOWER, YARD = "Lease Bishopsgate Tower", "Lease Harbour Yard"


@pytest.fixture(scope="module")
def address(
    sample_library: Path, tmp_path_factory: pytest.TempPathFactory, pictures: Path
) -> Iterator[str]:
    folder = shutil.copytree(sample_library, tmp_path_factory.mktemp("review") / "library")
    with served(folder, pictures / "review.log") as found:
        yield found


@pytest.fixture(scope="module")
def page(
    browser: "Browser", address: str, script_errors: list[str], pictures: Path
) -> Iterator["Page"]:
    """The leases of the samples, reviewed by the template that is offered for them."""
    page = open_page(browser, address, [], script_errors)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name="Review").click()
    page.get_by_text("Chosen documents").click()
    drawn(page)
    choose(page, "Which documents", TOWER_FILE, YARD_FILE)
    begin = page.get_by_role("button", name="Begin")
    page.get_by_role("combobox", name="Which").focus()
    before = begin.bounding_box()
    page.evaluate("document.activeElement.blur()")
    assert begin.bounding_box() == before  # else the click would miss it
    page.get_by_text("It fits these documents").wait_for()
    page.screenshot(path=pictures / "review-1-new.png")
    begin.click()
    filled = page.locator(".review tbody td:not(.is-waiting)")
    filled.first.wait_for(timeout=FILLING)
    page.screenshot(path=pictures / "review-2-filling.png")
    filled.nth(29).wait_for(timeout=FILLING)
    page.locator(".st-key-review_progress").wait_for(state="detached")
    page.screenshot(path=pictures / "review-3-filled.png")
    yield page
    page.screenshot(path=pictures / "review-last.png")
    page.context.close()


def choose(page: "Page", label: str, *names: str) -> None:
    """Choose these in a field that takes several."""
    field = page.get_by_role("combobox", name=label)
    for name in names:
        field.fill(name)
        page.get_by_role("option", name=name).click()
        page.wait_for_timeout(500)
        drawn(page)
    page.keyboard.press("Escape")


def cell(page: "Page", name: str, title: str) -> "Locator":
    """The cell of that document and column."""
    return page.locator(".review tbody button.cell").filter(has_text=f"{name}, {title}: ")


def settle(page: "Page", name: str, title: str, ruling: str, sign: str) -> None:
    """Open a cell, say this of it, and wait until the table has it."""
    click_for(cell(page, name, title), page.get_by_text(f"{name} · {title}", exact=True))
    click_for(
        page.get_by_role("button", name=ruling, exact=True),
        cell(page, name, title).locator(".sign", has_text=sign),
    )


def test_a_cell_opens_the_reader_at_the_words_it_rests_on(page: "Page", pictures: Path) -> None:
    deposit = cell(page, TOWER, "Deposit")
    assert "£296,250" in deposit.inner_text()
    click_for(deposit, page.locator(".viewer .mark.opened").first)
    place = deposit.locator(".place").inner_text().removeprefix("p. ")
    page.locator(f".viewer img[data-page='{place}']").wait_for()
    mark = page.locator(".viewer .mark.opened").first
    assert "£296,250" in words_under(mark, SAMPLES / TOWER_FILE, int(place))
    page.get_by_text("It stands on the page").wait_for()
    page.screenshot(path=pictures / "review-4-cell.png")
    page.set_viewport_size({"width": 1024, "height": 768})
    assert in_window(deposit)
    assert in_window(page.get_by_role("button", name="Accept", exact=True))
    page.set_viewport_size({"width": 1440, "height": 900})


def test_in_a_narrow_window_a_cell_is_settled_above_the_page_it_rests_on(page: "Page") -> None:
    """After the test before this one."""
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page, TOWER, "Term", "Accept", "✓")
    page.locator(".viewer .mark.opened").first.wait_for()
    below = page.locator(".st-key-reader").bounding_box()
    card = page.locator(".st-key-review_cell").bounding_box()
    assert below is not None
    assert card is not None
    assert below["y"] >= card["y"] + card["height"]
    page.get_by_role("button", name="Take back", exact=True).click()
    cell(page, TOWER, "Term").locator(".sign").wait_for(state="detached")
    page.set_viewport_size({"width": 1440, "height": 900})


def test_cells_are_accepted_corrected_and_said_to_be_absent(page: "Page", pictures: Path) -> None:
    settle(page, TOWER, "Deposit", "Accept", "✓")
    settle(page, YARD, "Renewal", "Not in the document", "–")
    rent = cell(page, YARD, "Rent")
    click_for(rent, page.get_by_text(f"{YARD} · Rent", exact=True))
    page.get_by_label("Correct it").fill("£302,500")
    click_for(
        page.get_by_role("button", name="Save", exact=True),
        rent.locator(".sign", has_text="✎"),
    )
    assert "£302,500" in rent.inner_text()
    page.screenshot(path=pictures / "review-5-settled.png")
    page.get_by_text("docqa found").wait_for()


def test_of_two_people_the_first_one_s_word_stands(
    page: "Page", browser: "Browser", address: str, script_errors: list[str]
) -> None:
    other = open_page(browser, address, [], script_errors)
    other.get_by_role("link", name="Review").click()
    for each in (page, other):
        title = each.get_by_text(f"{YARD} · Deposit", exact=True)
        click_for(cell(each, YARD, "Deposit"), title)
    settle(page, YARD, "Deposit", "Accept", "✓")
    absent = other.get_by_role("button", name="Not in the document", exact=True)
    click_for(absent, other.get_by_text("Someone else"))
    assert cell(other, YARD, "Deposit").locator(".sign").inner_text() == "✓"
    other.context.close()


def test_the_sum_of_a_column_of_figures_stands_below_it(page: "Page") -> None:
    rent = page.locator(".review tfoot td").filter(has_text="895,000")  # £592,500 + £302,500
    assert rent.count() == 1
    assert "447,500" in rent.inner_text()
    assert "302,500" in rent.inner_text()


def test_rows_are_sorted_and_filtered(page: "Page") -> None:
    names = page.locator(".review tbody th .name")
    sort = page.locator(".review thead button", has_text="Rent").first
    sort.click()
    assert names.all_inner_texts() == [YARD, TOWER]
    sort.click()
    assert names.all_inner_texts() == [TOWER, YARD]
    sort.click()
    page.get_by_placeholder("Filter rows").fill("Scotland")
    assert names.all_inner_texts() == [YARD]
    page.get_by_placeholder("Filter rows").fill("")
    page.locator(".review select").select_option("not in the document")
    assert names.all_inner_texts() == [YARD]
    page.locator(".review select").select_option("")


def test_an_uncertain_cell_says_so_in_a_word_and_is_filtered_for(page: "Page") -> None:
    marks = page.locator(".review tbody .is-likely .doubt")
    assert marks.count() > 0
    assert set(marks.all_inner_texts()) == {"uncertain"}
    page.locator(".review select").select_option(label="With “uncertain”")
    rows = page.locator(".review tbody tr")
    for n in range(rows.count()):
        assert rows.nth(n).locator(".doubt").count() > 0
    page.locator(".review select").select_option("")


def exported(page: "Page", label: str) -> Path:
    drawn(page)
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as started:
        page.get_by_role("button", name=label).click()
    page.keyboard.press("Escape")
    return Path(started.value.path())


def test_the_exported_workbook_has_what_stands_there(
    page: "Page", tmp_path: Path, pictures: Path
) -> None:
    book = load_workbook(shutil.copy(exported(page, "Excel"), tmp_path / "review.xlsx"))
    assert book.sheetnames == ["Review", "Figures", "Sources"]
    header, *rows = book["Review"].iter_rows(values_only=True)
    found: dict[str, dict[str, Any]] = {
        str(row[0]): dict(zip(header, row, strict=True)) for row in rows
    }
    assert found[TOWER_FILE]["Deposit"] == 296_250
    assert found[YARD_FILE]["Rent"] == 302_500
    assert found[YARD_FILE]["Renewal"] == "not in the document"
    assert f"{found[YARD_FILE]['Commencement']:%Y-%m-%d}" == "2025-06-01"
    header, *rows = book["Sources"].iter_rows(values_only=True)
    sources = [dict(zip(header, row, strict=True)) for row in rows]
    [rent] = [each for each in sources if (each["Document"], each["Column"]) == (YARD_FILE, "Rent")]
    assert rent["docqa’s value"] == "£302,400 per annum"
    assert str(rent["Settled by"]).startswith("a person")
    assert "£302,400" in str(rent["Quote"])


def test_a_question_about_the_table_is_answered_from_its_cells(
    page: "Page", pictures: Path
) -> None:
    asked = page.get_by_placeholder("Ask about this table")
    asked.fill("Which leases expire before 2036?")
    answer = page.locator(".st-key-table_answer .turn")
    click_for(page.get_by_role("button", name="Ask", exact=True), answer)
    said = answer.inner_text()
    assert "Expiry – 1 of 2 documents" in said
    assert "2035-03-24" in said
    click_for(answer.locator(".pill"), page.get_by_text(f"{TOWER} · Expiry", exact=True))
    page.screenshot(path=pictures / "review-9-question.png")
    page.get_by_role("button", name="Close the answer").click()
    answer.wait_for(state="detached")


def test_the_chat_answers_from_the_table_what_takes_all_documents(page: "Page") -> None:
    page.get_by_role("link", name="Ask").click()
    answer = ask(page, "Which leases expire before 2036?")
    assert "Expiry – 1 of 2 documents" in answer.inner_text()
    assert "From the review “Lease abstract”." in answer.inner_text()
    click_for(answer.locator(".pill"), page.locator(".viewer .mark.opened").first)
    assert "24 March 2035" in words_under(
        page.locator(".viewer .mark.opened").first, SAMPLES / TOWER_FILE, 2
    )
    page.get_by_role("link", name="Review").click()
    page.locator(".review").wait_for()


def test_rows_are_added_and_columns_changed(page: "Page", pictures: Path) -> None:
    dialog = page.get_by_role("dialog")
    rent = cell(page, YARD, "Rent").inner_text()
    click_for(page.get_by_role("button", name="Documents", exact=True), dialog)
    choose(page, "Which documents", "Property_C_Presentation.pdf")
    page.screenshot(path=pictures / "review-7-rows.png")
    save(page)
    page.get_by_text("Fill 15 empty cells").wait_for()
    drawn(page)
    click_for(page.get_by_role("button", name="Columns", exact=True), dialog)
    question = page.get_by_label("Question of column 1", exact=True)
    question.wait_for()
    page.screenshot(path=pictures / "review-8-columns.png")
    question.fill("Who lets the premises?")
    page.get_by_label("Question of column 16", exact=True).fill("What are the permitted uses?")
    page.get_by_label("Place of column 16", exact=True).fill("2")
    save(page)
    page.locator(".review thead button[title='Who lets the premises?']").wait_for()
    # the landlords of both leases too, and the new column of all three documents
    fill = page.get_by_role("button", name="Fill 20 empty cells")
    fill.wait_for()
    asked = page.locator(".review thead button[title]")
    assert asked.nth(1).get_attribute("title") == "What are the permitted uses?"
    assert cell(page, YARD, "Rent").inner_text() == rent
    fill.click()
    page.locator(".review tbody td:not(.is-waiting)").nth(47).wait_for(timeout=FILLING)
    page.locator(".st-key-review_progress").wait_for(state="detached")


def save(page: "Page") -> None:
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("dialog").wait_for(state="detached")
    drawn(page)


def test_nothing_keeps_people_from_using_it(page: "Page", axe: str, pictures: Path) -> None:
    found = violations(page, axe, pictures / "review-6")
    page.emulate_media(color_scheme="light")
    assert found == {}


def test_no_script_failed(page: "Page", script_errors: list[str]) -> None:
    assert page.locator(".review").count() == 1
    assert script_errors == []
