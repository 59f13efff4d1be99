"""Turning pages, the script alone: what is typed is kept, fast clicks add up."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docqa.ui import viewer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCRIPTS = [Path(viewer.__file__).with_name(f"{name}.js") for name in ("element", "turning")]
# Stands in for the server: what is asked for is noted, and drawn when the test says so.
STAND_IN = """
window.asked = [];
window.draw = (page, more = {}) => {
  run({
    data: { page, pages: 600, unit: "page", printed: "", visit: 1, ...more },
    parentElement: document.body,
    setTriggerValue: (name, value) => asked.push(value),
  });
};
draw(1);
"""


@pytest.fixture
def bar(browser: "Browser") -> "Page":
    page = browser.new_page()
    script = "".join(each.read_text("utf-8") for each in SCRIPTS)
    script = script.replace("export default function", "function run")
    page.set_content("<body></body>")
    page.add_script_tag(content=script + STAND_IN)
    return page


def test_what_is_typed_while_a_page_is_drawn_is_kept(bar: "Page") -> None:
    field = bar.get_by_role("textbox", name="Page")
    bar.get_by_role("button", name="Next page").click()
    assert field.input_value() == "2"
    field.click()
    bar.keyboard.type("20")
    bar.evaluate("draw(2)")
    assert field.input_value() == "20"
    bar.keyboard.type("1")
    bar.keyboard.press("Enter")
    assert field.input_value() == "201"
    assert bar.evaluate("asked") == ["2", "201"]
    bar.evaluate("draw(201)")
    assert field.input_value() == "201"


def test_fast_clicks_and_keys_add_up(bar: "Page") -> None:
    onwards = bar.get_by_role("button", name="Next page")
    onwards.click()
    onwards.click()
    bar.evaluate("draw(2)")
    onwards.click()
    bar.evaluate("document.dispatchEvent(new CustomEvent('docqa-turn', { detail: -1 }))")
    assert bar.evaluate("asked") == ["2", "3", "4", "3"]
    bar.evaluate("draw(3)")
    bar.evaluate("draw(90, { visit: 2 })")
    onwards.click()
    assert bar.evaluate("asked.at(-1)") == "91"


def test_what_is_typed_is_a_page_or_what_is_printed_on_one(bar: "Page") -> None:
    field = bar.get_by_role("textbox", name="Page")
    for typed in ("999", "F-12"):
        field.fill(typed)
        field.press("Enter")
    bar.evaluate("draw(600, { printed: 'F-12' })")
    assert bar.evaluate("asked") == ["600", "F-12"]
    bar.get_by_text("printed “F-12”").wait_for()
    assert bar.get_by_role("button", name="Next page").is_disabled()
    field.fill("7")
    field.press("Escape")
    assert field.input_value() == "600"
    assert bar.evaluate("asked.length") == 2
