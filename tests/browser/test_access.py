"""Every page with what can stand on it, by the rules of axe-core, light and dark, at two widths."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import (
    CHROMIUM,
    click_for,
    drawn,
    open_page,
    open_panels,
    served,
    violations,
)
from tests.browser.test_app import ANSWERING, ask

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def address(sample_library: Path, tmp_path: Path, pictures: Path) -> Iterator[str]:
    """The app over the samples."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    library = shutil.copytree(sample_library, tmp_path / "library")
    with served(library, pictures / "access.log") as address:
        yield address


def turn_to(page: "Page", name: str) -> None:
    drawn(page)
    page.get_by_role("link", name=name).click()
    page.locator(f"[data-testid=stTopNavLink][aria-current=page]:has-text('{name}')").wait_for()
    drawn(page)


def asked(page: "Page") -> Iterator[str]:
    """The conversation and the reader."""
    page.get_by_test_id("stChatInputTextArea").wait_for()
    yield "questions to try"
    ask(page, "Compare the break clauses of the two leases.")
    yield "an answer with a table"
    turn = ask(page, "How much is the security deposit of the Bishopsgate Tower lease?")
    for fold in turn.locator("details.fold > summary").all():
        fold.click()
    turn.locator("details.source > summary").first.click()
    yield "an answer with all that is folded away"
    turn.locator(".pill").first.click()
    page.locator(".viewer .mark").first.wait_for()
    yield "the reader"
    sought = page.get_by_placeholder("Find in this document")
    click_for(page.get_by_role("button", name="Find in this document"), sought)
    sought.fill("break")
    sought.press("Enter")
    page.locator(".viewer .mark.current").wait_for()
    yield "finding words"
    page.get_by_role("button", name="Right page").or_(
        page.get_by_role("radio", name="Right page")
    ).first.click()
    page.get_by_role("radio", name="Text").or_(
        page.get_by_role("button", name="Text", exact=True)
    ).first.click()
    page.locator(".st-key-reader .leaf").wait_for()
    yield "the text of a page"
    page.get_by_role("button", name="Edit and ask again").last.click()
    page.get_by_role("dialog").wait_for()
    yield "to ask again"
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


def compared(page: "Page") -> Iterator[str]:
    turn_to(page, "Compare")
    page.get_by_label("Compare them on").wait_for()
    yield "Compare"
    page.get_by_role("button", name="Compare", exact=True).last.click()
    page.locator(".sides .frame").first.wait_for(timeout=ANSWERING)
    yield "a comparison"


def reviewed(page: "Page") -> Iterator[str]:
    turn_to(page, "Review")
    begin = page.get_by_role("button", name="Begin")
    begin.wait_for()
    yield "a new review"
    begin.click()
    page.locator(".review table").wait_for(timeout=ANSWERING)
    yield "a review as it is filled"
    page.locator(".st-key-stop_review").wait_for(state="detached", timeout=2 * ANSWERING)
    page.locator(".review tbody .cell", has_text="$").first.click()
    page.locator(".viewer img[data-page]").wait_for()
    yield "a cell"
    dialog = page.get_by_role("dialog")
    click_for(page.locator(".st-key-columns button").first, dialog)
    yield "the columns"
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")


def looked_up(page: "Page") -> Iterator[str]:
    turn_to(page, "Library")
    table = page.locator(".st-key-library_table .dvn-scroller").first
    table.wait_for()
    yield "Library"
    table.click(position={"x": 16, "y": 52})
    page.locator(".st-key-library_chosen").wait_for()
    open_panels(page, "Why was something not found?")
    page.get_by_label("Question", exact=True).fill("What is the cap rate?")
    page.get_by_label("What should have been found").fill("parking")
    drawn(page)
    page.get_by_role("button", name="Explain").click()
    page.locator(".st-key-why_fates canvas").first.wait_for(timeout=ANSWERING)
    yield "a document, and why a phrase was not found"


def measured(page: "Page") -> Iterator[str]:
    """After a page was judged right."""
    turn_to(page, "Measure")
    begin = page.get_by_role("button", name="Measure them")
    begin.wait_for()
    yield "Measure"
    begin.click()
    page.get_by_text("95% Wilson intervals").wait_for(timeout=ANSWERING)
    yield "a measurement"


def deleted(page: "Page") -> Iterator[str]:
    page.locator("[class*='st-key-menu-'] button").last.click()
    page.get_by_text("Delete", exact=True).last.click()
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    yield "a deletion"
    edge = page.get_by_test_id("stSidebar").bounding_box()
    told = page.locator(".st-key-undoing").bounding_box()
    assert edge is not None
    assert told is not None
    assert told["x"] >= edge["x"] + edge["width"], "the sidebar covers what was deleted"


def test_nothing_on_a_page_keeps_people_out(
    browser: "Browser", address: str, axe: str, pictures: Path, script_errors: list[str]
) -> None:
    page = open_page(browser, address, [], script_errors)
    pages = (asked, compared, reviewed, looked_up, measured, deleted)
    steps = (name for each in pages for name in each(page))
    found = {
        name: violations(page, axe, pictures / f"6-{number:02}")
        for number, name in enumerate(steps, start=1)
    }
    page.context.close()
    assert {name: each for name, each in found.items() if each} == {}
    assert script_errors == []
