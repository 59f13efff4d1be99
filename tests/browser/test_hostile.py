"""What a document, its name or a model's answer says is shown: it loads and runs nothing.

A picture loaded from elsewhere would tell its server what is being read, so each is tried here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docqa.ingest.reading.reader import ReadingProcess
from docqa.workspace import Workspace
from tests import hostile
from tests.browser.conftest import CHROMIUM, drawn, open_page, served
from tests.messages_server import MessagesServer, Turn, cited, text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVIL = """The rent is $25,000. ![a](http://198.51.100.7/a.png) ![b][ref] <img src=x onerror=ran=1>

[ref]: http://198.51.100.7/b.png "title"

<script>window.ran = 1; fetch("http://198.51.100.7/c")</script>
<style>@import url(http://198.51.100.7/d.css); * { background: url(http://198.51.100.7/e) }</style>

# <svg onload="window.ran=1"><image href="http://198.51.100.7/f.svg"/></svg>

- <iframe src="http://198.51.100.7/g" srcdoc="<script>parent.ran=1</script>"></iframe>
- [press](javascript:window.ran=1) <a href="javascript:window.ran=1">press</a>
- **![c](http://198.51.100.7/h.png)** ~~<link rel=prefetch href=http://198.51.100.7/i>~~

| ![d](http://198.51.100.7/j.png) | <video src=http://198.51.100.7/k autoplay> |
|---|---|
| <img/src=http://198.51.100.7/l> | <a ping=http://198.51.100.7/m href=#>n</a> |

<meta http-equiv=refresh content="0;url=http://198.51.100.7/o"> :material/delete: $x$ http://198.51.100.7/p
"""
NAME = "Lease ![x](http:198.51.100.7) <img src=x onerror=ran=1> [y](javascript:ran=1).pdf"
NOTES = f"# Notes\n\nThe monthly rent of the kiosk is $900.\n\n{EVIL}"
QUESTION = f"What is the monthly rent? {EVIL.splitlines()[0]} <script>window.ran = 1</script>"
LOADED = """() => [...document.querySelectorAll("[src], [href], [srcdoc], [ping]")]
  .map((each) => each.outerHTML.slice(0, 200))
  .filter((shown) => /198\\.51|javascript:|onerror|onload/i.test(shown))"""
ANSWERING = 90_000  # milliseconds


@pytest.fixture(scope="module")
def hostile_app(
    tmp_path_factory: pytest.TempPathFactory, reader: ReadingProcess, pictures: Path
) -> Iterator[str]:
    """The app over documents that mean harm, with a server whose every answer does."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("hostile")
    notes = folder / "Notes.md"
    notes.write_text(NOTES, "utf-8")
    with Workspace(folder / "library", reader=reader) as workspace:
        added = workspace.add([hostile.markup(folder / "a.pdf"), notes], names=[NAME, notes.name])
        assert [each.error for each in added] == ["", ""]
        for each in workspace.documents():
            workspace.rename(each.id, each.name, tags=[EVIL.splitlines()[0]])
    with MessagesServer(Turn([text(EVIL, cited("S1", 0, 1), cited("S2", 0, 1))])) as server:
        key = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "sk-test"}
        with served(folder / "library", pictures / "hostile.log", **key) as address:
            yield address
            assert server.requests  # the answers were that server's


@pytest.fixture(scope="module")
def dialogs() -> list[str]:
    """What boxes the page opened, by which a script would show itself."""
    return []


@pytest.fixture(scope="module")
def visited(
    browser: "Browser",
    hostile_app: str,
    pictures: Path,
    requested_elsewhere: list[str],
    script_errors: list[str],
    dialogs: list[str],
) -> "Iterator[Page]":
    """The app once a question was asked, and its page and its compared documents were shown."""
    page = open_page(browser, hostile_app, requested_elsewhere, script_errors)
    page.on("dialog", lambda box: dialogs.append(box.message))
    page.on("dialog", lambda box: box.dismiss())
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(QUESTION)
    box.press("Enter")
    turn = page.locator(".turn[aria-busy=false]").last
    turn.wait_for(timeout=ANSWERING)
    yield page
    page.screenshot(path=pictures / "9-hostile.png")
    page.context.close()


def assert_harmless(page: "Page") -> None:
    page.wait_for_timeout(300)
    assert page.evaluate("() => window.ran") is None
    for frame in page.frames:
        assert frame.evaluate(LOADED) == []


def test_an_answer_and_its_sources_are_words(visited: "Page", pictures: Path) -> None:
    turn = visited.locator(".turn").last
    shown = turn.inner_text()
    assert "![a](http://198.51.100.7/a.png)" in shown
    assert '<script>window.ran = 1; fetch("http://198.51.100.7/c")</script>' in shown
    assert "[press](javascript:window.ran=1)" in shown
    for fold in turn.locator("details > summary").all():
        fold.click()
    turn.locator(".pill").first.hover()
    assert_harmless(visited)
    visited.screenshot(path=pictures / "9-hostile-answer.png")


def test_the_reader_shows_words(visited: "Page") -> None:
    """Of the PDF its picture, of the Markdown its text; a click on each pill opens one of them."""
    pills = visited.locator(".turn").last.locator(".pill")
    for name, kind in (("Notes", ".leaf"), ("Lease", ".viewer img")):
        pills.filter(has_text=name).first.click()
        visited.locator(kind).wait_for()
        assert_harmless(visited)


def test_the_other_pages_show_words(visited: "Page") -> None:
    visited.get_by_role("link", name="Compare", exact=True).first.click()
    question = visited.get_by_label("Compare them on")
    question.fill(QUESTION)
    question.press("Enter")
    drawn(visited)
    visited.get_by_role("button", name="Compare", exact=True).click()
    visited.locator(".sides").wait_for(timeout=ANSWERING)
    assert_harmless(visited)
    for name in ("Library", "Measure"):
        visited.get_by_role("link", name=name, exact=True).first.click()
        visited.wait_for_timeout(1500)
        assert_harmless(visited)


def test_nothing_was_asked_of_another_machine_and_no_script_ran(
    visited: "Page",
    requested_elsewhere: list[str],
    script_errors: list[str],
    dialogs: list[str],
) -> None:
    assert requested_elsewhere == []
    assert dialogs == []
    assert script_errors == []
    visited.evaluate("() => { new Image().src = 'http://198.51.100.7/watched.png' }")
    visited.wait_for_timeout(500)
    assert requested_elsewhere == ["http://198.51.100.7/watched.png"]
