"""What the screen says of an answer whose figures stand there, are computed, or are wrong.

The words are given by a server on this machine that speaks the Messages API; the passages, the
check and the marks are docqa's own.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import open_page, served
from tests.browser.test_app import ask
from tests.messages_server import Json, MessagesServer, Turn, cited, text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

FACTS = "Purchase price"  # the table of key facts has it
ASKED = "What is the purchase price of Property A, and its net operating income?"


def passages(request: Json) -> Iterator[Json]:
    """The search results of a request, in order."""
    for message in request["messages"]:
        if isinstance(message["content"], list):
            yield from (each for each in message["content"] if each["type"] == "search_result")


def citing(words: str, statement: str) -> Callable[[Json], Turn]:
    """An answer of one statement that cites the first block with these words."""

    def answer(request: Json) -> Turn:
        for piece in passages(request):
            for at, block in enumerate(piece["content"]):
                if words in block["text"]:
                    return Turn([text(statement, cited(piece["source"], at, at + 1)), text(".")])
        raise AssertionError(f"no passage has {words!r}")

    return answer


@pytest.fixture(scope="module")
def page(
    browser: "Browser",
    sample_library: Path,
    tmp_path_factory: pytest.TempPathFactory,
    script_errors: list[str],
    pictures: Path,
) -> "Iterator[tuple[Page, MessagesServer]]":
    """The samples, and the server that answers each question."""
    folder = shutil.copytree(sample_library, tmp_path_factory.mktemp("marks") / "library")
    with MessagesServer(Turn([text("Not asked yet.")])) as server:
        keys = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": server.url}
        with served(folder, pictures / "marks.log", **keys) as address:
            page = open_page(browser, address, [], script_errors)
            page.get_by_test_id("stChatInputTextArea").wait_for()
            yield page, server
            page.context.close()


def answered(
    page: "tuple[Page, MessagesServer]", words: str, picture: Path, asked: str = ASKED
) -> "Locator":
    """The answer of these words as the screen shows it."""
    shown, server = page
    server.scripts[:] = [citing(FACTS, words)]
    turn = ask(shown, asked)
    shown.wait_for_timeout(500)
    shown.screenshot(path=picture)
    return turn


def test_an_answer_that_is_all_well_has_one_quiet_line(
    page: "tuple[Page, MessagesServer]", pictures: Path
) -> None:
    said = "The purchase price is $19,400,000 and net operating income in 2024 was $1.2 million"
    turn = answered(page, said, pictures / "marks-1-well.png")
    assert "Every figure and quote stands where it is cited." in turn.inner_text()
    assert turn.locator("mark.doubt").count() == 0


def test_computed_figures_are_told_with_their_sums(
    page: "tuple[Page, MessagesServer]", pictures: Path
) -> None:
    said = (
        "Net operating income of $1,200,000 is 6.19% of the purchase price of $19,400,000, "
        "$14.63 per square foot on 82,000 square feet, and $100,000 a month"
    )
    asked = "What are the purchase price, net operating income and rentable area of Property A?"
    turn = answered(page, said, pictures / "marks-2-computed.png", asked)
    assert "; 3 are computed, with their sums." in turn.inner_text()
    assert turn.locator("mark.doubt").count() == 0
    turn.get_by_text("3 are computed").click()
    turn.get_by_text(re.compile(r"^\$14\.63 = .+ / 82,000$")).wait_for()


def test_a_wrong_figure_is_marked_with_the_one_that_stands_there(
    page: "tuple[Page, MessagesServer]", pictures: Path
) -> None:
    said = "The purchase price is $19,700,000 and net operating income was $1,200,000"
    turn = answered(page, said, pictures / "marks-3-wrong.png")
    assert [each.inner_text() for each in turn.locator("mark.doubt").all()] == ["$19,700,000"]
    assert "stands where it is cited" not in turn.inner_text()
    assert "$19,400,000" in turn.inner_text()


def test_no_script_failed(page: "tuple[Page, MessagesServer]", script_errors: list[str]) -> None:
    assert page[0].locator(".turn").count() > 0
    assert script_errors == []
