"""An answer under way and one that fails, with a model behind the Messages API on loopback."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docqa.workspace import Workspace
from tests import pdfs
from tests.browser.conftest import CHROMIUM, drawn, open_page, served
from tests.messages_server import Answering, MessagesServer, Refusal, Turn, text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ESCROW = "The deposit is held in escrow until the closing of the sale. " * 4
NAMES = [f"Lease {number}.pdf" for number in ("One", "Two", "Three", "Four")]
LONG = [text(f"Point {number}: the deposit is held in escrow.\n\n") for number in range(240)]


def answering(body: dict[str, Any]) -> Answering:
    """A short answer, one longer than the window, or a refusal, by the question's words."""
    asked = str(body["messages"][-1])
    if "refused" in asked:
        return Refusal(401, "authentication_error")
    return Turn(LONG, delay=0.02) if "at length" in asked else Turn([text("In escrow.\n\n" * 12)])


@pytest.fixture(scope="module")
def at_desk(
    browser: "Browser",
    tmp_path_factory: pytest.TempPathFactory,
    pictures: Path,
    script_errors: list[str],
) -> "Iterator[Page]":
    """The app over four leases, with a model, in the window of a small laptop."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("asking")
    with Workspace(folder / "library") as workspace:
        paths = [pdfs.text_pages(folder / name, [f"{name} {ESCROW}"]) for name in NAMES]
        workspace.add(paths)
    with (
        MessagesServer(answering) as server,
        served(
            folder / "library",
            pictures / "asking.log",
            ANTHROPIC_BASE_URL=server.url,
            ANTHROPIC_API_KEY="sk-test",
        ) as address,
    ):
        page = open_page(browser, address, [], script_errors)
        page.set_viewport_size({"width": 1366, "height": 768})
        yield page
        page.context.close()


def asked(page: "Page", question: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")


def in_sight(thing: "Locator") -> bool:
    """Whether all of it stands between the top of the conversation and the question box."""
    thing.wait_for()
    box = thing.bounding_box()
    talk = thing.page.locator(".st-key-conversation").bounding_box()
    assert box is not None
    assert talk is not None
    below = box["y"] + box["height"] - talk["y"] - talk["height"]
    return box["y"] > talk["y"] - 1 and below < 1


def test_stop_stays_in_sight_while_a_long_answer_arrives(at_desk: "Page") -> None:
    page = at_desk
    asked(page, "Where is the deposit held?")
    page.locator(".turn[aria-busy=false]").first.wait_for()
    drawn(page)
    asked(page, "Where is it held, at length?")
    question = page.locator(".st-key-question-under-way")
    for seen in ("Point 2:", "Point 40:"):
        page.get_by_text(seen).first.wait_for()
        page.wait_for_timeout(400)
        assert in_sight(question)
        assert in_sight(page.get_by_role("button", name="Stop", exact=True))
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text("The answer was stopped.").wait_for()
    drawn(page)


def test_what_went_wrong_comes_into_sight(at_desk: "Page") -> None:
    """After the test before this one, whose answers fill the window."""
    page = at_desk
    asked(page, "Where is it held, if this is refused?")
    told = page.get_by_text("The server refused the API key")
    told.wait_for()
    drawn(page)
    page.wait_for_timeout(400)
    assert in_sight(told)
    assert in_sight(page.get_by_role("button", name="Answer with quotes only"))


def test_what_has_to_be_chosen_comes_into_sight(at_desk: "Page") -> None:
    """After the tests before this one."""
    page = at_desk
    asked(page, "Compare the deposit of the leases")
    cancel = page.get_by_role("button", name="Cancel", exact=True)
    cancel.wait_for()
    drawn(page)
    page.wait_for_timeout(400)
    assert in_sight(page.get_by_text("The question may mean 4 documents"))
    assert in_sight(cancel)
    cancel.click()
