"""From an empty library to a cited page: what a person does first, in the order they do it."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2  # type: ignore[import-untyped]
import pytest

from docqa.installation import SAMPLES
from tests import pdfs
from tests.browser.conftest import click_for, drawn, open_page, open_panels, press_until_gone
from tests.messages_server import MessagesServer, Turn, cited, text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

READING = 400_000  # milliseconds the five samples may take, models included
ANSWERING = 90_000


@pytest.fixture(scope="module")
def with_samples(page: "Page", pictures: Path) -> "Page":
    """The page once the five samples are in the library."""
    button = page.get_by_role("button", name="Open the samples")
    button.wait_for()
    page.screenshot(path=pictures / "1-empty.png")
    button.click()
    page.get_by_text("What would you like to know?").wait_for(timeout=READING)
    page.get_by_text("5 of 5 selected").wait_for(timeout=READING)
    page.get_by_role("button", name="Clear this list").wait_for(timeout=READING)  # read in full
    page.screenshot(path=pictures / "2-samples.png")
    return page


def ask(page: "Page", question: str) -> "Locator":
    """Ask in the chat and return the finished answer."""
    turns = page.locator(".turn[aria-busy=false]")
    before = turns.count()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    turns.nth(before).wait_for(timeout=ANSWERING)
    return turns.nth(before)


def test_an_answer_cites_the_page_that_holds_it(with_samples: "Page", pictures: Path) -> None:
    answer = ask(with_samples, "What was the NOI of Property A in 2024?")
    assert "1.2M" in answer.inner_text() or "1,200,000" in answer.inner_text()
    pill = answer.locator(".pill").first
    pill.wait_for()
    assert "Property A" in pill.inner_text()
    with_samples.screenshot(path=pictures / "3-answer.png")


def test_dollars_stand_as_written(with_samples: "Page") -> None:
    answer = ask(with_samples, "What is the cap rate on the $19.4M purchase price?")
    assert "$19.4M" in answer.inner_text()
    assert with_samples.locator(".katex").count() == 0


@pytest.fixture(scope="module")
def cited_page(with_samples: "Page", pictures: Path) -> "Page":
    """The page once the first citation of an answer has been clicked."""
    answer = ask(with_samples, "How much is the security deposit of the Bishopsgate Tower lease?")
    pill = answer.locator(".pill").first
    page = pill.locator(".page").inner_text().removeprefix("p. ")
    assert page in ("2", "3")
    pill.click()
    with_samples.locator(f".viewer img[data-page='{page}']").wait_for()
    with_samples.locator(".viewer .mark").first.wait_for()
    with_samples.screenshot(path=pictures / "4-page.png")
    return with_samples


def test_a_pill_opens_its_page(cited_page: "Page") -> None:
    image = cited_page.locator(".viewer img")
    assert image.evaluate("image => image.complete && image.naturalWidth > 600")


def test_the_passage_is_marked_on_the_page(cited_page: "Page") -> None:
    sheet = cited_page.locator(".viewer .sheet").bounding_box()
    mark = cited_page.locator(".viewer .mark").first.bounding_box()
    assert sheet is not None
    assert mark is not None
    assert mark["width"] > 20
    assert mark["height"] > 5
    assert sheet["x"] <= mark["x"]
    assert mark["x"] + mark["width"] <= sheet["x"] + sheet["width"] + 1
    assert sheet["y"] <= mark["y"]
    assert mark["y"] + mark["height"] <= sheet["y"] + sheet["height"] + 1


def words_under(mark: "Locator", path: Path, page: int) -> str:
    """The text the PDF has where a mark is drawn."""
    sides = mark.evaluate("m => [m.style.left, m.style.top, m.style.width, m.style.height]")
    left, top, width, height = (float(side.removesuffix("%")) / 100 for side in sides)
    document = pypdfium2.PdfDocument(path)
    sheet = document[page - 1]
    across, down = sheet.get_size()
    found: str = sheet.get_textpage().get_text_bounded(
        left * across, down - (top + height) * down, (left + width) * across, down - top * down
    )
    document.close()
    return " ".join(found.split())


def test_the_mark_is_over_the_cited_words(cited_page: "Page") -> None:
    image = cited_page.locator(".viewer img")
    opened = int(image.get_attribute("data-page") or 0)
    lease = SAMPLES / "Lease_Bishopsgate_Tower.pdf"
    words = words_under(cited_page.locator(".viewer .mark.opened").first, lease, opened)
    pill = cited_page.locator(".turn").last.locator(".pill").first
    cited_page.wait_for_timeout(1600)  # a quote does not cover the page that a click opened
    cited_page.mouse.move(5, 5)
    pill.hover()
    card = cited_page.locator(".turn").last.locator(".card")
    card.wait_for()
    quote = " ".join(card.locator("blockquote").inner_text().replace("|", " ").split())
    for each in ("Security deposit", "£296,250"):
        assert each in quote
        assert each in words
    cited_page.mouse.move(5, 5)


def test_the_reader_finds_words_and_keeps_what_is_said_of_a_page(
    cited_page: "Page", pictures: Path
) -> None:
    page = cited_page
    sought = page.get_by_placeholder("Find in this document")
    click_for(page.get_by_role("button", name="Find in this document"), sought)
    sought.fill("break")
    sought.press("Enter")
    page.locator(".viewer .mark.current").wait_for()
    page.get_by_text(re.compile(r"^1 of \d+$|^\d+ of \d+$")).first.wait_for()
    lease = SAMPLES / "Lease_Bishopsgate_Tower.pdf"
    opened = int(page.locator(".viewer img").get_attribute("data-page") or 0)
    words = words_under(page.locator(".viewer .mark.current"), lease, opened)
    assert "break" in words.casefold()
    page.screenshot(path=pictures / "5-search.png")
    drawn(page)
    page.get_by_role("button", name="Find in this document").click()
    page.locator(".viewer .mark.current").wait_for(state="detached")
    page.get_by_role("radio", name="Right page").or_(
        page.get_by_role("button", name="Right page")
    ).first.click()


def test_a_reload_brings_everything_back(cited_page: "Page") -> None:
    turns, opened = cited_page.locator(".turn").count(), cited_page.locator(".viewer img")
    number = opened.get_attribute("data-page")
    cited_page.reload()
    cited_page.locator(f".viewer img[data-page='{number}']").wait_for()
    cited_page.locator(".turn").nth(turns - 1).wait_for()
    assert cited_page.locator(".turn").count() == turns


FOCUSED = """() => { let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.getAttribute("aria-label") ?? at.placeholder ?? at.innerText; }"""


def test_without_a_mouse(cited_page: "Page") -> None:
    """A pill by Tab and Enter, and the keys that the list in the sidebar names."""
    page, press = cited_page, cited_page.keyboard.press
    pill = page.locator(".turn").last.locator(".pill").first
    said = pill.inner_text()
    page.locator(".viewer img[data-page='3']").or_(page.locator(".viewer img")).first.wait_for()
    page.evaluate("document.activeElement.blur()")
    press("n")
    assert page.evaluate(FOCUSED) == said
    press("Tab")
    assert page.evaluate(FOCUSED) != said
    press_until_gone("x", page.locator(".viewer"))  # what "n" opens may come after it
    pill.focus()
    press("Enter")
    shown = page.locator(".viewer img[data-page]")
    shown.wait_for()
    opened = int(shown.get_attribute("data-page") or 0)
    press("ArrowRight")
    page.locator(f".viewer img[data-page='{opened + 1}']").wait_for()
    press("f")
    page.wait_for_function(f"({FOCUSED})() === 'Find in this document'")
    page.keyboard.type("n3x")
    assert page.get_by_placeholder("Find in this document").input_value() == "n3x"
    page.locator(".st-key-seek_row").get_by_text("not found").wait_for()
    page.evaluate("document.activeElement.blur()")
    press("?")
    page.get_by_text("open the next or previous citation").wait_for()
    press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    drawn(page)
    press("4")
    page.get_by_role("heading", name="Library", exact=True).wait_for()
    press("1")
    pill.wait_for()
    press("/")
    assert str(page.evaluate(FOCUSED)).startswith("Ask ")
    page.evaluate("document.activeElement.blur()")
    press("x")
    page.locator(".viewer").wait_for(state="detached")


def assert_terms_fit_beside_the_reader(page: "Page") -> None:
    """On a small laptop with a page open, every column of the terms can be read at once."""
    page.set_viewport_size({"width": 1366, "height": 768})
    page.locator(".sides .terms .link").first.click()
    page.locator(".viewer img").wait_for()
    drawn(page)
    terms = page.locator(".sides .part-terms .frame")
    assert terms.evaluate("frame => frame.scrollWidth - frame.clientWidth") <= 1
    assert page.get_by_role("columnheader", name="Lease Harbour Yard").last.is_visible()
    drawn(page)
    page.get_by_role("button", name="Close the reader").click()
    page.locator(".viewer").wait_for(state="detached")
    page.set_viewport_size({"width": 1280, "height": 800})


def test_two_leases_side_by_side(cited_page: "Page", pictures: Path) -> None:
    page = cited_page
    page.get_by_role("link", name="Compare").click()
    question = page.get_by_label("Compare them on")
    question.fill("security deposit and break notice")
    question.press("Enter")
    drawn(page)
    page.get_by_role("button", name="Compare", exact=True).click()
    page.locator(".sides").wait_for(timeout=ANSWERING)
    table = page.locator(".sides").inner_text()
    assert "£296,250" in table
    assert "£75,600" in table
    assert "six months" in table
    assert "nine months" in table
    marks = page.locator(".turn .pill.small")
    assert marks.all_inner_texts()[:2] == ["A", "B"]
    assert str(marks.first.get_attribute("aria-label")).startswith("A: Lease_Bishopsgate_Tower")
    page.screenshot(path=pictures / "7-compare.png")
    marks.first.click()
    page.locator(".viewer img").wait_for()
    assert_terms_fit_beside_the_reader(page)
    figure = page.locator(".sides td .link").last
    figure.scroll_into_view_if_needed()
    figure.click()
    drawn(page)
    for seen in (figure, page.locator(".st-key-reader_title")):
        box = seen.bounding_box()
        assert box is not None
        assert 0 < box["y"] < 800 - box["height"]
    word = page.get_by_role("button", name="Word", exact=True)
    click_for(page.locator(".st-key-exports button").first, word)
    with page.expect_download() as saved:
        word.click()
    named = saved.value.suggested_filename
    assert named.startswith("Lease Bishopsgate Tower and Lease Harbour Yard, security deposit")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Ask").click()
    question.wait_for(state="detached")
    page.get_by_role("link", name="Compare").click()
    question.wait_for()
    assert question.input_value() == "security deposit and break notice"


def test_what_is_sent_is_seen_before_and_its_cost_after(
    with_samples: "Page", app: str, browser: "Browser", pictures: Path, script_errors: list[str]
) -> None:
    """With a server on this machine that speaks the Messages API, and a word hidden from it."""
    answer = Turn([text("The deposit is £296,250", cited("S1", 0, 1)), text(".")])
    page = open_page(browser, app, [], script_errors)
    with MessagesServer(answer) as server:
        ask_server(page, server)
        page.get_by_text("Nothing has been sent yet.").wait_for(timeout=ANSWERING)
        open_panels(page, "The request, word for word")
        request = page.locator(".st-key-request").get_by_test_id("stCode")
        request.wait_for()
        assert "REDACTED-1" in request.inner_text()
        assert "Bishopsgate" not in request.inner_text()
        assert server.requests == []
        page.screenshot(path=pictures / "9-before-sending.png")
        page.get_by_role("button", name="Send", exact=True).click()
        page.locator(".turn[aria-busy=false] .footer").get_by_text("US$").last.wait_for()
        assert "296,250" in page.locator(".turn").last.inner_text()
    open_panels(page, "Costs")
    page.get_by_text("This conversation: US$").scroll_into_view_if_needed()
    page.screenshot(path=pictures / "10-costs.png")
    type_in(page, "Server", "")  # a tab that is opened after this one begins with its settings
    page.context.close()


def type_in(page: "Page", label: str, typed: str) -> None:
    field = page.get_by_role("textbox", name=label, exact=True)
    field.fill(typed)
    field.press("Enter")
    page.wait_for_timeout(1000)
    drawn(page)


def ask_server(page: "Page", server: MessagesServer) -> None:
    """Ask a new conversation's question, to be shown before it is sent, with its settings."""
    page.get_by_role("button", name="New", exact=True).click()
    page.locator(".turn").first.wait_for(state="detached")
    open_panels(page, "Settings")
    type_in(page, "Server", server.url)
    type_in(page, "API key, for this session only", "sk-test")
    page.get_by_text("Preview each request before it is sent").click()
    hidden = page.get_by_role("combobox", name="Words hidden from the server")
    hidden.fill("Bishopsgate")
    hidden.press("Enter")
    page.get_by_text("Bishopsgate", exact=True).first.wait_for()
    page.wait_for_timeout(1000)
    drawn(page)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("How much is the security deposit of the Bishopsgate Tower lease?")
    box.press("Enter")


def test_a_file_that_is_no_pdf_is_told_by_a_sentence(
    with_samples: "Page", tmp_path: Path, pictures: Path
) -> None:
    path = pdfs.not_a_pdf(tmp_path / "Minutes.pdf")
    with_samples.locator("input[type=file]").first.set_input_files(path)
    with_samples.get_by_text("Minutes.pdf is not a PDF").wait_for()
    with_samples.screenshot(path=pictures / "8-not-a-pdf.png")


def test_the_app_listens_on_this_machine_alone(app: str) -> None:
    table = Path("/proc/net/tcp")
    if not table.exists():
        pytest.skip("the system does not list its sockets in /proc")
    port = f"{int(app.rsplit(':', 1)[1]):04X}"
    listening = []
    for each in filter(Path.exists, (table, Path("/proc/net/tcp6"))):
        rows = [line.split() for line in each.read_text("ascii").splitlines()[1:]]
        listening += [row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{port}")]
    assert listening == [f"0100007F:{port}"]


def test_nothing_of_it_needs_another_machine(
    with_samples: "Page", requested_elsewhere: list[str], script_errors: list[str]
) -> None:
    with_samples.wait_for_timeout(500)
    assert requested_elsewhere == []
    assert script_errors == []
