"""At the desk: what a person stumbles over, in the order of a day's work."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from docqa.workspace import Workspace
from tests import pdfs
from tests.browser.conftest import (
    CHROMIUM,
    click_for,
    drawn,
    hover_for,
    open_page,
    open_panels,
    served,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ESCROW = "The deposit is held in escrow until the closing. The deposit bears interest. " * 2
FIND = "Find in this document"
READING = 90_000  # milliseconds a short file may take
FRAME = 2  # pixels around a mark
LEGIBLE = 7.0  # the contrast of text at WCAG's level AAA


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[str]:
    """The app over a contract and a table."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("desk")
    with Workspace(folder / "library") as workspace:
        escrow = pdfs.text_pages(folder / "Escrow.pdf", [ESCROW, "The seller pays the taxes.", ""])
        workspace.add([escrow, pdfs.ruled_table(folder / "Income.pdf")])
    with served(folder / "library", pictures / "desk.log") as address:
        yield address


@pytest.fixture(scope="module")
def at_desk(browser: "Browser", desk: str, script_errors: list[str]) -> "Iterator[Page]":
    page = open_page(browser, desk, [], script_errors)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.get_by_test_id("stChatInputTextArea").wait_for()
    yield page
    page.context.close()


def test_a_question_of_no_document_stays_in_its_field(at_desk: "Page") -> None:
    page = at_desk
    click_for(
        page.get_by_role("button", name="None", exact=True), page.get_by_text("0 of 2 selected")
    )
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("Where is the deposit held?")
    box.press("Enter")
    told = page.get_by_text("No document is selected.")
    told.wait_for()
    drawn(page)
    assert box.input_value() == "Where is the deposit held?"
    assert in_window(told)
    assert in_window(page.get_by_test_id("stChatInput"))
    page.get_by_role("button", name="All", exact=True).click()
    told.wait_for(state="detached")
    drawn(page)
    box.press("Enter")
    page.locator(".turn:has(.footer)").wait_for()
    drawn(page)


def ask(page: "Page", question: str) -> "Locator":
    """The finished answer to a question, once it has its place in the conversation."""
    finished = page.locator(".turn:has(.footer)")
    drawn(page)
    before = finished.count()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    finished.nth(before).wait_for()
    drawn(page)
    return finished.nth(before)


def in_window(thing: "Locator") -> bool:
    box, size = thing.bounding_box(), thing.page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 1


def test_the_reader_is_made_wider_and_leaves_the_question_box_whole(at_desk: "Page") -> None:
    """After the test before this one."""
    page = at_desk
    answer = ask(page, "What was the net operating income in 2024?")
    answer.locator(".pill").filter(has_text="Income").first.click()
    page.locator(".viewer .mark.header").wait_for()
    assert page.locator(".viewer .mark.opened").count() == 1
    reader = page.locator(".st-key-reader")
    before = width_of(reader)
    edge = page.get_by_role("separator", name="Width of the reader").bounding_box()
    assert edge is not None
    page.mouse.move(edge["x"] + edge["width"] / 2, 300)
    page.mouse.down()
    page.mouse.move(edge["x"] - 60, 300, steps=4)
    page.mouse.up()
    assert width_of(reader) - before == pytest.approx(60, abs=15)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("w")
    assert width_of(reader) == pytest.approx(before, abs=15)
    page.keyboard.press("w")
    assert width_of(reader) > 1.35 * before
    assert in_window(page.get_by_test_id("stChatInput"))
    page.keyboard.press("w")


def width_of(thing: "Locator") -> float:
    box = thing.bounding_box()
    assert box is not None
    return box["width"]


def test_a_narrow_window_shows_the_reader_alone(at_desk: "Page") -> None:
    """After the test before this one."""
    page = at_desk
    talk, wrong = page.locator(".st-key-conversation"), page.get_by_text("Wrong page")
    page.set_viewport_size({"width": 390, "height": 844})
    talk.wait_for(state="hidden")
    assert width_of(page.locator(".st-key-reader")) > 300
    assert in_window(wrong)
    page.keyboard.press("/")
    talk.wait_for()
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.locator(".turn .pill").filter(has_text="Income").first.click()
    page.locator(".viewer .mark.opened").wait_for()
    drawn(page)
    assert talk.is_visible()
    assert in_window(wrong)
    page.set_viewport_size({"width": 1024, "height": 768})


def test_the_rows_label_stays_in_view_when_zoomed(at_desk: "Page") -> None:
    """After the test before this one."""
    page = at_desk
    label = page.locator(".viewer .mark.label").first
    assert not label.is_visible()
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    frame = page.locator(".viewer .frame")
    frame.evaluate("frame => frame.scrollTo({ left: frame.scrollWidth / 2 })")
    label.wait_for(state="visible")
    box, around = label.locator("span").bounding_box(), frame.bounding_box()
    assert box is not None
    assert around is not None
    assert box["x"] >= around["x"] - 1
    assert "Net operating income" in label.inner_text()


def contrast(picture: bytes) -> float:
    """Of the darkest pixel to the middle one, as WCAG has it: 1 where nothing can be read."""
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"), dtype=float) / 255
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    light = linear @ np.array([0.2126, 0.7152, 0.0722])
    return float((np.median(light) + 0.05) / (light.min() + 0.05))


def test_figures_stay_legible_under_marks_that_overlap(at_desk: "Page") -> None:
    """After the tests before this one: the row that was clicked, and a find in it."""
    page = at_desk
    page.locator(".viewer .amount").click()
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Find in this document").click()
    page.wait_for_function("document.activeElement.matches('.st-key-seek input')")
    page.keyboard.type("1,200,000")
    found = page.locator(".viewer .mark.current")
    found.wait_for()
    drawn(page)
    found.scroll_into_view_if_needed()  # once it stands still
    figure, row = found.bounding_box(), page.locator(".viewer .mark.opened").bounding_box()
    assert figure is not None
    assert row is not None
    assert row["x"] < figure["x"] < row["x"] + row["width"]
    assert row["y"] < figure["y"] + figure["height"] / 2 < row["y"] + row["height"]
    x, y = figure["x"] + FRAME, figure["y"] + FRAME
    width, height = figure["width"] - 2 * FRAME, figure["height"] - 2 * FRAME
    inside = page.screenshot(clip={"x": x, "y": y, "width": width, "height": height})
    assert contrast(inside) > LEGIBLE
    page.keyboard.press("Escape")


def test_find_takes_the_focus_and_steps_through_words(at_desk: "Page", pictures: Path) -> None:
    """After the test before this one."""
    page = at_desk
    page.get_by_role("button", name="Escrow.pdf: more").click()
    page.get_by_text("Open", exact=True).last.click()
    page.locator(".viewer img[data-page='1']").wait_for()
    drawn(page)
    page.evaluate("document.activeElement.blur()")
    page.get_by_role("button", name="Find in this document").click()
    page.wait_for_function("document.activeElement.matches('.st-key-seek input')")
    page.keyboard.type("deposit n x")
    assert page.get_by_placeholder(FIND).input_value() == "deposit n x"
    page.locator(".st-key-seek_row").get_by_text("not found").wait_for()
    for _ in " n x":
        page.keyboard.press("Backspace")
    current = page.locator(".viewer .mark.current")
    current.wait_for()
    page.get_by_text("1 of 4").wait_for()
    drawn(page)
    first = current.bounding_box()
    page.get_by_role("button", name="Next match").click()
    page.get_by_text("2 of 4").wait_for()
    drawn(page)
    second = current.bounding_box()
    assert first is not None
    assert second is not None
    assert first["width"] == pytest.approx(second["width"], abs=2)  # the word alone
    assert (first["x"], first["y"]) != (second["x"], second["y"])
    page.screenshot(path=pictures / "15-find.png")


def test_the_reader_closes_with_its_conversation(at_desk: "Page") -> None:
    """After the test before this one."""
    page = at_desk
    page.locator(".turn").last.locator(".pill").first.click()
    page.locator(".viewer").wait_for()
    drawn(page)
    page.get_by_role("link", name="Compare").click()
    page.get_by_label("Compare them on").wait_for()
    page.locator(".viewer").wait_for(state="detached")
    page.get_by_role("link", name="Ask").click()
    page.locator(".viewer").wait_for()
    drawn(page)
    page.get_by_role("button", name="New", exact=True).click()
    page.locator(".viewer").wait_for(state="detached")


def begin_anew(page: "Page") -> None:
    """An empty conversation, where one is open."""
    drawn(page)
    new = page.get_by_role("button", name="New", exact=True)
    if new.is_enabled():
        new.click()
    page.locator(".turn").first.wait_for(state="detached")


def test_a_conversation_is_found_and_its_files_bear_its_name(at_desk: "Page") -> None:
    """After the tests before this one."""
    page = at_desk
    for question in ("Who pays the taxes?", "What does the deposit bear?"):
        begin_anew(page)
        ask(page, question)
    talks = page.locator("[class*='st-key-open-'] button")
    click_for(page.locator(".st-key-conversation_head button").first, talks.nth(1))
    assert page.get_by_text(re.compile(r"^\d+ [A-Z][a-z]+ 20\d\d")).count() == 2
    page.get_by_label("Find a conversation").fill("taxes")
    talks.nth(1).wait_for(state="detached")
    drawn(page)
    talks.first.click()
    talks.first.wait_for(state="detached")
    page.locator(".turn").filter(has_text="seller").first.wait_for()
    drawn(page)
    word = page.get_by_role("button", name="Word", exact=True)
    click_for(page.locator(".st-key-export_talk button").first, word)
    with page.expect_download() as saved:
        word.click()
    assert saved.value.suggested_filename == "Who pays the taxes.docx"
    page.keyboard.press("Escape")
    word.wait_for(state="detached")
    with page.expect_download() as one:
        page.get_by_role("button", name="Download the answer as a Markdown file").first.click()
    assert one.value.suggested_filename == "Who pays the taxes.md"


def test_pages_to_check_open_from_where_they_are_counted(at_desk: "Page") -> None:
    page = at_desk
    drawn(page)
    page.get_by_role("button", name="1 page to check").click()
    page.get_by_role("heading", name="Pages: 1 to check").wait_for()
    page.get_by_text("hold what you use of it against the page").first.wait_for()
    page.locator(".viewer img[data-page='3']").wait_for()
    drawn(page)
    page.get_by_role("link", name="Ask").click()
    page.get_by_test_id("stChatInputTextArea").wait_for()


def test_questions_are_suggested_of_the_ticked_documents_alone(at_desk: "Page") -> None:
    page = at_desk
    begin_anew(page)
    page.get_by_role("button", name="net operating income").first.wait_for()
    page.get_by_text("Income.pdf", exact=True).first.click()
    page.get_by_text("1 of 2 selected").wait_for()
    page.get_by_role("button", name="net operating income").first.wait_for(state="detached")
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_text("2 of 2 selected").wait_for()


def test_where_quotes_do_not_answer_a_model_is_offered(at_desk: "Page") -> None:
    page = at_desk
    drawn(page)
    ask(page, "Which parrot belongs to Zanzibar?")
    offered = page.locator(".turn").last.get_by_role("button", name="Connect a model")
    click_for(offered, page.locator(".st-key-api_key input"))
    page.wait_for_function("document.activeElement.closest('.st-key-api_key') !== null")
    labels = ("api_key", "model", "base_url")
    tops = [page.locator(f".st-key-{name}").bounding_box() for name in labels]
    assert all(tops)
    assert [box["y"] for box in tops if box] == sorted(box["y"] for box in tops if box)
    assert not page.get_by_label("Passages per question (top-k)").is_visible()
    open_panels(page, "Advanced")
    page.get_by_label("Passages per question (top-k)").first.wait_for()


def test_each_advanced_setting_says_what_it_does_and_its_default(at_desk: "Page") -> None:
    """After the test before this one."""
    page = at_desk
    drawn(page)
    marks = page.locator(".st-key-advanced [data-testid=stTooltipIcon]")
    settings = page.locator(".st-key-advanced [data-testid=stWidgetLabel]")
    assert marks.count() == settings.count() >= 6
    for n in range(marks.count()):
        told = page.get_by_test_id("stTooltipContent")
        hover_for(marks.nth(n), told)
        assert re.search(r"\b[Dd]efault\b.+\.$", told.inner_text()), told.inner_text()
        page.mouse.move(0, 0)
        told.wait_for(state="detached")


def test_a_tag_needs_no_mouse_and_a_removal_is_undone_in_view(at_desk: "Page") -> None:
    page = at_desk
    page.get_by_role("button", name="Escrow.pdf: more").click()
    page.get_by_text("Rename and tag…", exact=True).last.click()
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.type("closing")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("radio", name="closing").or_(
        page.get_by_role("button", name="closing")
    ).first.wait_for()
    drawn(page)
    page.get_by_role("button", name="Income.pdf: more").click()
    page.get_by_text("Delete", exact=True).last.click()
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    assert in_window(undo)
    undo.click()
    page.get_by_text("2 of 2 selected").wait_for()


def test_the_keys_are_listed_where_one_looks(at_desk: "Page") -> None:
    page = at_desk
    drawn(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    listed = page.get_by_role("dialog").get_by_text("widen the reader")
    listed.wait_for()
    assert in_window(listed)
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


def lease(path: Path) -> Path:
    """A lease with three headed sections, one under a heading with a word broken in two."""
    said = (
        "This Lease is made on 1 May 2024 between Ash Ltd (“the Landlord”) and Elm plc "
        "(“the Tenant”). The Landlord lets the premises to the Tenant for a term of ten years."
    )
    sections = {
        "1. Repairs and decoration": "The Tenant keeps the premises in repair, and paints them.",
        "2. Guaran tee": "Alder Holdings plc guarantees what the Tenant owes under this Lease.",
        "3. Assignment": "The Tenant assigns this Lease only as the Landlord agrees in writing.",
    }
    lines, top = (
        [
            pdfs.Line("Lease", top=72, size=20, font="Helvetica-Bold"),
            *pdfs.paragraphs(said, top=120),
        ],
        180.0,
    )
    for heading, text in sections.items():
        lines.append(pdfs.Line(heading, top=top, size=14, font="Helvetica-Bold"))
        lines += pdfs.paragraphs(f"{text} " * 3, top=top + 26)
        top += 110
    return pdfs.pages(path, [lines])


def test_suggestions_name_the_documents_kind_and_its_whole_headings(
    at_desk: "Page", tmp_path: Path
) -> None:
    page = at_desk
    begin_anew(page)
    page.locator("input[type=file]").first.set_input_files(lease(tmp_path / "Quay_House.pdf"))
    page.get_by_text("3 of 3 selected").wait_for(timeout=READING)
    clear = page.get_by_role("button", name="Clear this list")
    clear.wait_for(timeout=READING)
    offered = page.locator(".st-key-samples button")
    named = offered.filter(has_text="What does Quay House say about “")
    named.first.wait_for()
    page.get_by_role("button", name="None", exact=True).click()
    page.get_by_text("0 of 3 selected").wait_for()
    page.get_by_text("Quay_House.pdf", exact=True).first.click()
    page.get_by_text("1 of 3 selected").wait_for()
    drawn(page)
    named.first.wait_for(state="detached")
    asked = [text.splitlines()[-1] for text in offered.all_inner_texts()]
    assert sorted(asked) == [
        "What does the lease say about “Assignment”?",
        "What does the lease say about “Repairs and decoration”?",
    ]
