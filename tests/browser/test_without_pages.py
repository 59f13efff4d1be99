"""Files without pages in the reader: what a pill opens is marked where it is cited."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.ingest.office.test_workbook import rent_roll
from tests.test_formats import lease

if TYPE_CHECKING:
    from playwright.sync_api import Page

READING = 200_000  # milliseconds

CASES = (
    ("How much does the Tenant deposit under Lease.docx?", "section “3. Deposit”", "$75,000"),
    ("What is the cap rate in Rents.xlsx?", "sheet “Assumptions” (hidden)", "5.75%"),
    ("What is the dividend in Minutes.txt?", "lines 1–3", "12 pence"),
)


@pytest.fixture(scope="module")
def with_files(page: "Page", tmp_path_factory: pytest.TempPathFactory) -> "Page":
    """The page once three files without pages are in the library, asked of them alone."""
    folder = tmp_path_factory.mktemp("files")
    minutes = folder / "Minutes.txt"
    minutes.write_text("Minutes.\n\nThe board approved a dividend of 12 pence a share.\n")
    paths = [lease(folder / "Lease.docx"), rent_roll(folder / "Rents.xlsx"), minutes]
    page.locator("input[type=file]").first.set_input_files(paths)
    for path in paths:
        page.get_by_role("button", name=f"{path.name}: more").wait_for(timeout=READING)
    page.get_by_role("button", name="Clear this list").wait_for(timeout=READING)
    return page


def test_a_pill_opens_the_passage_it_cites(with_files: "Page", pictures: Path) -> None:
    page = with_files
    for question, where, cited in CASES:
        turns = page.locator(".turn[aria-busy=false]")
        before = turns.count()
        box = page.get_by_test_id("stChatInputTextArea")
        box.fill(question)
        box.press("Enter")
        turns.nth(before).wait_for()
        turns.nth(before).locator(".pill").filter(has_text=where).first.click()
        page.locator(".leaf .title").filter(has_text=where).wait_for()
        mark = page.locator(".leaf .mark.opened").first
        assert cited in mark.inner_text()
        assert mark.is_visible()
    page.screenshot(path=pictures / "11-without-pages.png")


def test_in_a_narrow_window_titles_and_names_stay_in_view(with_files: "Page") -> None:
    """After the test before this one."""
    page = with_files
    page.locator(".turn .pill").filter(has_text="sheet").first.click()
    title, sheet = page.locator(".leaf .title").filter(has_text="sheet"), page.locator(".leaf")
    title.wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    sheet.evaluate("leaf => leaf.scrollTo({ left: leaf.scrollWidth })")
    inner, outer = title.bounding_box(), sheet.bounding_box()
    assert inner is not None
    assert outer is not None
    assert inner["x"] >= outer["x"]
    page.get_by_role("button", name="Close the reader").click()
    page.locator(".turn").nth(1).locator("details.fold > summary").last.click()
    names = page.locator(".turn").nth(1).locator(".source .name")
    assert names.count() > 1
    assert min(name.evaluate("name => name.clientWidth") for name in names.all()) > 40
    page.set_viewport_size({"width": 1280, "height": 800})
