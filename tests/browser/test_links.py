"""Links into the app, in a real browser: they open the page with its marks, and can be copied."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docqa.present.links import deep_link
from docqa.types.document import Block
from docqa.workspace import Workspace
from tests.browser.conftest import drawn, open_page, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MEMO = "Property_A_Offering_Memo.pdf"


@pytest.fixture(scope="module")
def cited(sample_library: Path) -> tuple[str, Block]:
    """A document of the samples and a block on its second page."""
    with Workspace(sample_library, read_only=True) as reader:
        document = reader.document(MEMO)
        return document.id, next(
            each for each in reader.contents.blocks(document.id, 2) if each.box.left
        )


@pytest.fixture(scope="module")
def address(
    sample_library: Path, tmp_path_factory: pytest.TempPathFactory, pictures: Path
) -> Iterator[str]:
    folder = shutil.copytree(sample_library, tmp_path_factory.mktemp("links") / "library")
    with served(folder, pictures / "links.log") as found:
        yield found


def test_a_link_opens_the_page_with_its_marks_and_can_be_copied(
    browser: "Browser", address: str, cited: tuple[str, Block], pictures: Path
) -> None:
    document_id, block = cited
    errors: list[str] = []
    page = open_page(browser, deep_link(address, document_id, 2, (block,)), [], errors)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".mark.opened").wait_for()
    drawn(page)
    image = page.locator(".sheet img")
    assert image.get_attribute("alt") == f"{MEMO}, page 2"
    frame, mark = image.bounding_box(), page.locator(".mark.opened").bounding_box()
    assert frame is not None
    assert mark is not None
    assert page.locator(".mark.opened").inner_text() == ""  # of one citation, which has no number
    scale = frame["width"] / 612  # points across a page of the samples
    assert abs(mark["x"] - frame["x"] - block.box.left * scale) < 3
    assert abs(mark["y"] - frame["y"] - block.box.top * scale) < 3
    assert "document=" not in page.url
    page.screenshot(path=pictures / "link.png")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == deep_link(address, document_id, 2, (block,))
    page.goto(f"{address}/?document={'0' * 64}")
    page.get_by_text("This document is no longer in the library.").wait_for()
    assert errors == []
    page.context.close()


def test_the_page_ask_is_found_under_its_name(browser: "Browser", address: str) -> None:
    page = open_page(browser, f"{address}/ask?desk=0123456789ab", [], [])
    page.get_by_test_id("stChatInputTextArea").wait_for()
    drawn(page)
    assert not page.get_by_text("Page not found").count()
    assert "desk=0123456789ab" in page.url
    page.context.close()
