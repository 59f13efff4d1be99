"""What is not met every day: passages left out, files being read, an empty library, one in use."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docqa.workspace import Workspace
from tests import pdfs
from tests.browser.conftest import CHROMIUM, click_for, drawn, open_page, served, violations
from tests.browser.test_app import ask

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

READING = 90_000  # milliseconds a short file may take, models included
SIGNS = "~ ^ # * + = < > | / " * 12
ESCROW = "The deposit is held in escrow until the closing of the sale. " * 4
FIRST_ROW = (14, 53)  # where a table's first row is chosen, from its upper left corner


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a library with one document, of which one passage was left out."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("states")
    path = pdfs.text_pages(folder / "Signs.pdf", [ESCROW, f"{SIGNS} zebra {SIGNS}"])
    with Workspace(folder / "library") as workspace:
        [added] = workspace.add([path])
        assert added.document is not None
        assert len(workspace.contents.discards(added.document.id)) == 1
    return folder / "library"


@pytest.fixture(scope="module")
def desk(library: Path, pictures: Path) -> Iterator[str]:
    with served(library, pictures / "states.log") as address:
        yield address


@pytest.fixture(scope="module")
def at_desk(browser: "Browser", desk: str, script_errors: list[str]) -> "Iterator[Page]":
    page = open_page(browser, desk, [], script_errors)
    page.get_by_test_id("stChatInputTextArea").wait_for()
    yield page
    page.context.close()


def choose_first(table: "Locator") -> None:
    table.wait_for()
    table.page.wait_for_timeout(700)  # a table is drawn on a canvas
    table.click(position={"x": FIRST_ROW[0], "y": FIRST_ROW[1]})


def test_a_passage_that_was_left_out_comes_back_and_is_found(
    at_desk: "Page", pictures: Path
) -> None:
    page = at_desk
    page.get_by_role("link", name="Library").click()
    choose_first(page.locator(".st-key-library_table .dvn-scroller").first)
    page.get_by_role("heading", name="1 passage left out").wait_for()
    choose_first(page.locator("[class*='st-key-discards-'] .dvn-scroller").first)
    page.locator(".viewer img[data-page='2']").wait_for()
    drawn(page)
    page.get_by_role("button", name="Restore this passage").click()
    page.get_by_text("Restored, and searched from now on").wait_for(timeout=READING)
    page.get_by_role("heading", name="passage left out").wait_for(state="detached")
    page.screenshot(path=pictures / "12-taken-in.png")
    page.get_by_role("link", name="Ask").click()
    answer = ask(page, "Where does the zebra stand?")
    assert "zebra" in answer.inner_text()
    answer.locator(".pill").filter(has_text="p. 2").first.wait_for()


def test_where_an_answer_was_looked_for_is_there_after_a_reload(at_desk: "Page") -> None:
    """After the test before this one."""
    page = at_desk
    page.reload()
    looked = (
        page.locator(".turn").last.locator("details.fold").filter(has_text="Passages used from")
    )
    looked.locator("summary").click()
    assert "Where does the zebra stand?" in looked.inner_text()
    assert "Signs.pdf" in looked.inner_text()


WATCHED = """() => { window.offered = [];
  new MutationObserver(() => {
    for (const button of document.querySelectorAll("[data-testid=stSidebar] button[aria-label]"))
      if (/^(Remove|Cancel)/.test(button.ariaLabel) &&
          button.checkVisibility({ visibilityProperty: true }))
        window.offered.push(button.ariaLabel);
  }).observe(document, { subtree: true, childList: true, attributes: true }); }"""


def test_no_button_offers_to_stop_what_it_does_not(at_desk: "Page", tmp_path: Path) -> None:
    """Once a file is uploaded it is read, and the uploader cannot take it back any more."""
    page = at_desk
    page.evaluate(WATCHED)
    path = pdfs.text_pages(tmp_path / "Side letter.pdf", ["The side letter lapses in May."])
    page.locator("input[type=file]").first.set_input_files(path)
    page.get_by_text("2 of 2 selected").wait_for(timeout=READING)
    page.get_by_role("button", name="Clear this list").click(timeout=READING)
    assert set(page.evaluate("window.offered")) <= {f"Cancel upload of {path.name}"}


LONG = 400  # pages that take so long that a question can be asked meanwhile
WORDS = ("tenant", "shall", "pay", "rent", "within", "days", "after", "notice", "cost", "repair")
LINES = """() => { window.lines = [];
  new MutationObserver(() => {
    for (const row of document.querySelectorAll("[class*=st-key-arrival-]"))
      if (row.innerText !== window.lines.at(-1)) window.lines.push(row.innerText);
  }).observe(document, { subtree: true, childList: true, characterData: true }); }"""


@pytest.fixture(scope="module")
def while_read(at_desk: "Page", tmp_path_factory: pytest.TempPathFactory) -> "Page":
    """The page while a long file is read and a short one waits for it; `LINES` told of both."""
    folder, page = tmp_path_factory.mktemp("long"), at_desk
    chance = random.Random(7)  # a page's own words, so that none is taken for what runs on all
    texts = [f"{' '.join(chance.choices(WORDS, k=30)).capitalize()}." for _ in range(LONG)]
    texts[LONG // 2] += " The parking fee is 45 dollars a month."
    long = pdfs.text_pages(folder / "Rent_roll.pdf", texts)
    short = pdfs.text_pages(folder / "Guaranty.pdf", ["The guarantor is Alder Holdings plc."])
    page.evaluate(LINES)
    page.locator("input[type=file]").first.set_input_files([long, short])
    for path in (long, short):
        page.get_by_role("button", name=f"{path.name}: more").wait_for(timeout=READING)
    return page


def test_an_answer_made_while_a_file_is_read_is_said_to_be_incomplete(while_read: "Page") -> None:
    answer = ask(while_read, "How much is the parking fee?")
    assert "not yet read in full; this answer may be incomplete." in answer.inner_text()


def test_the_question_is_offered_again_once_the_files_are_read(while_read: "Page") -> None:
    """After the test before this one."""
    page = while_read
    page.get_by_text("The documents have been read in full since.").wait_for(timeout=2 * READING)
    answers = page.locator(".turn:has(.footer)")
    before = answers.count()
    click_for(page.get_by_role("button", name="Ask again", exact=True), answers.nth(before))
    answer = answers.nth(before).inner_text()
    assert "45 dollars" in answer
    assert "may be incomplete" not in answer
    drawn(page)
    assert not page.get_by_text("The documents have been read in full since.").count()


def test_a_wait_is_told_and_the_time_left_does_not_grow(while_read: "Page") -> None:
    """After the tests before this one."""
    lines = [" ".join(line.split()) for line in while_read.evaluate("window.lines")]
    assert any("Guaranty" in line and "Waiting for Rent_roll.pdf" in line for line in lines)
    told = [re.search(r"Rent_roll.*about (\d+) (s|min) left", line) for line in lines]
    left = [int(each[1]) * (60 if each[2] == "min" else 1) for each in told if each]
    if not left:
        pytest.skip("The file was read before the time left could be told.")
    assert left == sorted(left, reverse=True)


def test_nothing_keeps_people_out_where_the_library_is_empty_or_in_use(
    browser: "Browser", tmp_path: Path, axe: str, pictures: Path
) -> None:
    found = {}
    held = tmp_path / "held"
    with Workspace(held), served(held, pictures / "second.log") as address:
        page = open_page(browser, address, [], [])
        page.get_by_role("heading", name="The library cannot be opened").wait_for()
        found["in use"] = violations(page, axe, pictures / "14-in-use")
        page.context.close()
    with served(tmp_path / "empty", pictures / "empty.log") as address:
        page = open_page(browser, address, [], [])
        page.get_by_role("button", name="Open the samples").wait_for()
        page.locator("input[type=file]").first.set_input_files(
            pdfs.not_a_pdf(tmp_path / "Minutes.pdf")
        )
        page.get_by_text("Minutes.pdf is not a PDF").wait_for(timeout=READING)
        for name in ("Ask", "Compare", "Review", "Library", "Measure"):
            page.get_by_role("link", name=name).click()
            page.wait_for_timeout(1500)
            found[name] = violations(page, axe, pictures / f"14-empty-{name.lower()}")
        page.context.close()
    assert {name: each for name, each in found.items() if each} == {}
