"""Panels, menus, dialogs and what would be sent, by the rules of axe-core, light and dark."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docqa.workspace import Workspace
from tests import pdfs
from tests.browser.conftest import CHROMIUM, drawn, open_page, open_panels, served, violations
from tests.browser.test_app import ask_server, type_in
from tests.messages_server import MessagesServer, Turn, text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

READING = 90_000  # milliseconds
ESCROW = "The deposit is held in escrow until the closing of the sale. " * 4


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[str]:
    """The app over one document and a conversation."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("panels")
    with Workspace(folder / "library") as workspace:
        workspace.add([pdfs.text_pages(folder / "Escrow.pdf", [ESCROW])])
        talk = workspace.conversations.begin("Escrow")
        list(workspace.ask("Where is the deposit held?", conversation_id=talk))
        workspace.conversations.keep_session("0" * 12, f'{{"conversation": "{talk}"}}')
    with served(folder / "library", pictures / "panels.log") as address:
        yield address


def panels(page: "Page") -> "Iterator[str]":
    """Opens one thing after the other, and names it."""
    page.get_by_test_id("stChatInputTextArea").wait_for()
    open_panels(page, "Models", "Settings", "Advanced", "Costs")
    page.get_by_text("This library is indexed with it.").wait_for()
    page.get_by_role("textbox", name="API key, for this session only").wait_for()
    yield "panels"
    more = page.get_by_role("button", name="Escrow.pdf: more")
    for entry in ("Details", "Rename and tag…"):
        drawn(page)
        more.click()
        yield f"menu before {entry}"
        page.get_by_text(entry, exact=True).last.click()
        page.get_by_role("dialog").wait_for()
        yield entry
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    page.get_by_text("open the next or previous citation").wait_for()
    yield "keys"
    assert page.get_by_role("dialog").is_visible()  # whatever was drawn meanwhile
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.locator(".st-key-conversation_head button").first.click()
    page.get_by_label("Title").wait_for()
    yield "conversations"
    page.keyboard.press("Escape")
    with MessagesServer(Turn([text("Never sent.")])) as server:
        ask_server(page, server)
        page.get_by_text("Nothing has been sent yet.").wait_for(timeout=READING)
        open_panels(page, "The request, word for word")
        page.locator(".st-key-request").get_by_test_id("stCode").wait_for()
        yield "before sending"
        page.get_by_role("button", name="Cancel", exact=True).last.click()
        type_in(page, "Server", "")


def test_nothing_in_panels_and_dialogs_keeps_people_out(
    browser: "Browser", desk: str, axe: str, pictures: Path
) -> None:
    page = open_page(browser, desk, [], [])
    page.locator(".turn").first.wait_for()
    found = {
        name: violations(page, axe, pictures / f"13-{number}")
        for number, name in enumerate(panels(page))
    }
    page.context.close()
    assert {name: each for name, each in found.items() if each} == {}
