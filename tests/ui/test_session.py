"""What a reload or a restart finds again, and that two tabs have two desks."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docqa.settings import DEFAULTS, Key, adjust
from docqa.types.document import Box
from docqa.types.events import Events
from docqa.ui import chat, session, state
from docqa.ui.state import Marked, Screen
from docqa.workspace import Workspace
from tests.ui.conftest import APP, REVIEW, SECONDS, TERMS, asked, components, named, screen
from tests.ui.test_chat import VACANCY, newest


def reloaded(app: AppTest) -> AppTest:
    """The same tab in a new session of the browser."""
    again = AppTest.from_file(str(APP), default_timeout=SECONDS)
    again.query_params["desk"] = screen(app).desk_id
    return again.run()


def working(app: AppTest) -> AppTest:
    """A session with a conversation, a selection, a setting and a page open."""
    asked(app, VACANCY)
    chat.open_from(screen(app), newest(app), "cite", 0, question=VACANCY)
    app.checkbox(key=f"ask-{named(TERMS).id}").uncheck().run()
    screen(app).settings = adjust(
        DEFAULTS, top_k=4, use_reranker=False, budget_usd=2.5, key_header="x-api-key"
    )
    screen(app).api_key = Key("sk-secret-4711")
    return app.run()


def open_things(app: AppTest) -> tuple[object, ...]:
    here = screen(app)
    place = here.place
    assert place is not None
    return (
        here.conversation_id,
        here.left_out,
        here.settings,
        (place.document_id, place.page, place.marked, place.question),
    )


def test_a_reload_finds_everything_but_the_key(app: AppTest) -> None:
    before = working(app)
    after = reloaded(before)
    assert open_things(after) == open_things(before)
    assert components(after, "page")[0]["marks"] == components(before, "page")[0]["marks"]
    turn = components(after, "turn")[-1]
    assert turn["nodes"] == components(before, "turn")[-1]["nodes"]
    assert turn["steps"] == components(before, "turn")[-1]["steps"]
    assert turn["focus"]  # it is scrolled to
    assert screen(after).api_key == ""
    assert "sk-secret" not in state.workspace().conversations.session(screen(before).desk_id)


def test_what_was_marked_before_a_document_was_read_again_is_marked_where_it_stands(
    app: AppTest,
) -> None:
    place = screen(working(app)).place
    assert place is not None
    cited = place.marked[0].blocks[0]
    elsewhere = replace(cited, index=0, box=Box(72.5, 400.25, 300.0, 412.5))
    screen(app).place = replace(place, marked=(Marked((elsewhere,), 1),))
    before = components(app.run(), "page")[0]["marks"]
    assert len(before) == 1
    again = reloaded(app)
    assert components(again, "page")[0]["marks"] == before
    assert elsewhere.text not in state.workspace().conversations.session(screen(app).desk_id)


def test_a_restarted_server_finds_everything(app: AppTest) -> None:
    before = open_things(working(app))
    steps = components(app, "turn")[-1]["steps"]
    state._running.clear()
    again = reloaded(app)
    assert open_things(again) == before
    assert components(again, "turn")[-1]["steps"] == steps


def test_turning_a_page_is_kept_too(app: AppTest) -> None:
    screen(app).open(named(TERMS).id, 1)
    app.run()
    screen(app).turn_to(2)
    app.run()
    place = screen(reloaded(app)).place
    assert place is not None
    assert place.page == 2


def test_two_tabs_do_not_fight(app: AppTest) -> None:
    screen(app).open(named(TERMS).id, 3)
    app.run()
    other = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    assert screen(other).desk_id != screen(app).desk_id
    screen(other).open(named(REVIEW).id, 1)
    other.run()
    app.run()
    assert [components(each, "page")[0]["alt"] for each in (app, other)] == [
        f"{TERMS}, page 3",
        f"{REVIEW}, page 1",
    ]
    assert components(reloaded(app), "page")[0]["alt"] == f"{TERMS}, page 3"


def test_an_answer_under_way_is_found_after_a_reload(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, goes_on = Workspace.ask, threading.Event()

    def held(*given: Any, **named: Any) -> Events:
        goes_on.wait(SECONDS)
        yield from ask(*given, **named)

    monkeypatch.setattr(Workspace, "ask", held)
    app.chat_input[0].set_value(VACANCY).run()
    asking = screen(app).asking
    again = reloaded(app)
    assert screen(again).asking is asking
    assert asking is not None
    goes_on.set()
    asking.wait(SECONDS)
    again.run()
    assert "4.1%" in str(components(again, "turn")[-1]["nodes"])
    assert state.running().asked == {}


def test_what_left_the_library_is_not_laid_out(app: AppTest) -> None:
    working(app)
    state.workspace().remove(named(REVIEW).id)
    here = Screen()
    session.lay_out(here, state.workspace().conversations.session(screen(app).desk_id))
    assert here.place is None
    assert here.left_out == {named(TERMS).id}
    session.lay_out(here, "")
