"""What stands in a document, its name, a tag or a question is shown everywhere as written.

Streamlit reads Markdown in labels, captions and headings; our own components read none. So no
sign of the hostile words may stand bare in the former, and all of them in the latter.
"""

import pytest
from streamlit.testing.v1 import AppTest

from docqa.present.as_text import plain
from docqa.present.citations import written
from docqa.present.markup import verbatim
from docqa.types.answer import Answer, Citation
from docqa.ui import answer_view, chat, state
from tests.ui.conftest import HOSTILE, TERMS, OnPage, asked, components, named, screen
from tests.ui.test_chat import newest, text_of

NAME = "<img src=x onerror=alert(1)> $5 to $9 *draft* `x` _y_ [z](a) 租約 עברית.pdf"
TAG = ":red[x] $1|$2 <b>b</b> 契約"
QUESTION = "What is the fee_cap of $1.2M to $19.4M | net of <b>costs</b> and `fees` *here*? 租שכר"
BARE = ("$5", "$1", "$2", "*draft*", "`x`", "`fees`", "<img", "<b>", "[z](", ":red[x", "*here*")
READ_AS_MARKDOWN = (
    *("markdown", "caption", "header", "subheader", "error", "warning", "info", "success"),
    *("button", "menu_button", "download_button", "popover", "expander", "expandable"),
    *("checkbox", "toggle", "text_input", "text_area", "number_input", "selectbox", "slider"),
    *("multiselect", "button_group", "pills", "segmented_control"),
)
RIGHT_TO_LEFT = "דמי השכירות הם $1,200 לחודש"
CHINESE = "租金為每月 $1,200(不含稅)| 第 3 條 *不變*"


def read_as_markdown(app: AppTest) -> list[str]:
    """Every label, caption and heading on the screen."""
    found = []
    for kind in READ_AS_MARKDOWN:
        for element in app.get(kind):
            proto = getattr(element, "proto", None)
            said = [getattr(proto, name, "") for name in ("label", "body", "help", "placeholder")]
            options = [getattr(each, "content", "") for each in getattr(proto, "options", ())]
            found += [text for text in (*said, *options) if isinstance(text, str) and text]
    return found


def assert_as_written(app: AppTest) -> None:
    assert not app.exception
    labels = read_as_markdown(app)
    assert any("<img" in text.replace("\u2060", "").replace("\\", "") for text in labels)
    assert [(bare, text) for text in labels for bare in BARE if bare in text] == []


@pytest.fixture
def hostile(app: AppTest) -> AppTest:
    """The app with a document of a hostile name, tag and text, and a hostile conversation."""
    state.workspace().rename(named(TERMS).id, NAME, tags=[TAG])
    assert state.workspace().documents()[1].tags == (TAG,)
    asked(app, QUESTION)
    chat.open_from(screen(app), newest(app), "cite", 0, question=QUESTION)
    return app.run()


def test_in_the_chat_and_the_sidebar(hostile: AppTest) -> None:
    assert_as_written(hostile)
    shown = components(hostile, "turn")[-1]
    assert HOSTILE in text_of(shown)
    assert QUESTION in [each.value for each in hostile.text]
    assert NAME in {line["document"] for line in shown["coverage"]}
    assert HOSTILE in shown["pills"][0]["quote"]


def test_in_the_reader(hostile: AppTest) -> None:
    hostile.button(key="seek_in_reader").click().run()
    hostile.text_input(key="seek").set_value("$19.4M | net of <b>").run()
    sought = screen(hostile).sought
    assert sought is not None
    assert [HOSTILE in block.text for block, _ in sought.found] == [True]
    hostile.segmented_control(key="reader_side").set_value("Text").run()
    [leaf] = components(hostile, "leaf")
    assert HOSTILE in [span["text"] for part in leaf["parts"] for span in part["spans"]]
    assert_as_written(hostile)


def test_in_dialogs_and_what_was_deleted(hostile: AppTest) -> None:
    key = f"menu-{state.workspace().documents()[1].id}"
    for choice in ("Details", "Rename and tag…"):
        hostile.menu_button(key=key).click(choice).run()
        assert_as_written(hostile)
    screen(hostile).dialog = ("again", "0")
    hostile.run()
    assert hostile.text_area(key="again_question").value == QUESTION
    assert_as_written(hostile)
    screen(hostile).dialog = state.NO_DIALOG
    hostile.run()
    hostile.menu_button(key=key).click("Delete").run()
    assert "undo" in {each.key for each in hostile.button}
    assert_as_written(hostile)


@pytest.mark.parametrize("name", ["library", "compare", "measure"])
def test_on_the_other_pages(name: str, on_page: OnPage) -> None:
    app = on_page(name)
    document = named(TERMS)
    state.workspace().rename(document.id, NAME, tags=[TAG])
    screen(app).open(document.id, 1, question=QUESTION)
    app.session_state["why"] = True
    app.session_state["library_table"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    app.run()
    assert_as_written(app)


@pytest.mark.parametrize("text", [RIGHT_TO_LEFT, CHINESE, HOSTILE, "a\u202eb", "$$x$$ $`y`$"])
@pytest.mark.parametrize("answerer", ["extractive", "claude-x"])
def test_an_answer_is_drawn_as_written(text: str, answerer: str) -> None:
    cited = Citation("S1", "a" * 64, f"{text}.pdf", 1, text, (), "verified")
    drawn = answer_view.turn_of(Answer(f"{text} [S1]", answerer, (cited,), warnings=(text,)))
    if answerer == "extractive":
        assert text_of(drawn).strip() == text
    else:
        assert text_of(drawn).strip() == text.replace("**", "")
    assert drawn["copy"] == f"{text} {written(cited)}"
    assert drawn["warnings"] == [text]
    assert plain(verbatim(text), citations={}) == text
