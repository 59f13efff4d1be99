"""A model on this machine: asked for what it holds, told of while it works, stopped at once."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from docqa.answer.model import claude
from docqa.answer.model.claude import ClaudeAnswerer
from docqa.answer.model.fit import Fit
from docqa.answer.model.prompts import AT_ONCE, SEARCH
from docqa.errors import AnswerStopped, ModelLooped, NotAMessagesServer, ServerGone, ThoughtTooLong
from docqa.question.read import read
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.answer import Answer
from docqa.types.events import AnswerEvent, Events, Pace, Retrying, TextDelta
from tests.answer.passages import Searches, contents, document, hit
from tests.messages_server import (
    Answering,
    Json,
    MessagesServer,
    Page,
    Script,
    Turn,
    text,
    thinking,
    tool_use,
)

A = document("Lease A.pdf")
RENT = hit("The base rent is $25,000 a month.", of=A)
QUESTION = "What is the base rent?"
LOCAL = Fit(local=True)
SAID = Turn([text("It is $25,000 [S1.1].")])


def stream(
    url: str,
    *,
    fit: Fit = LOCAL,
    settings: Settings = DEFAULTS,
    search: Searches | None = None,
) -> Events:
    answerer = ClaudeAnswerer("", base_url=url, model="m", settings=settings, fit=fit)
    return answerer.answer(
        read(QUESTION, documents=[A]),
        search=search or Searches(RENT),
        contents=contents(lambda document_id, page: []),
        documents=[A],
    )


def events_of(*scripts: Script, **given: Any) -> tuple[list[AnswerEvent], MessagesServer]:
    with MessagesServer(*scripts) as server:
        return list(stream(server.url, **given)), server


def answer_of(*scripts: Script, **given: Any) -> Answer:
    last = events_of(*scripts, **given)[0][-1]
    assert isinstance(last, Answer)
    return last


def after(seconds: float, answering: Answering) -> Script:
    """The answer, once so much time has passed in which nothing arrives."""

    def wait(_: Json) -> Answering:
        time.sleep(seconds)
        return answering

    return wait


# What is asked


def test_a_small_model_gets_the_short_prompt_and_one_tool() -> None:
    _, server = events_of(SAID, fit=Fit(local=True, brief=True))
    [request] = server.requests
    assert [each["name"] for each in request["tools"]] == [SEARCH]
    full = events_of(SAID)[1].requests[0]
    assert len(request["system"][0]["text"]) * 3 < len(full["system"][0]["text"])


def test_one_without_tools_gets_none_and_one_turn() -> None:
    search = Searches(RENT)
    _, server = events_of(SAID, fit=Fit(local=True, searches=False), search=search)
    [request] = server.requests
    assert not {"tools", "tool_choice"} & set(request)
    assert len(search.asked) == 1


def test_where_nothing_more_may_be_searched_no_tool_is_offered() -> None:
    looking = Turn([tool_use(SEARCH, query="base rent")], stop_reason="tool_use")
    _, server = events_of(looking, SAID, settings=adjust(DEFAULTS, max_searches=1))
    first, second = server.requests
    assert first["tool_choice"] == {"type": "auto"}
    assert not {"tools", "tool_choice"} & set(second)


def test_thinking_is_turned_off_only_where_that_is_understood() -> None:
    _, server = events_of(SAID, fit=Fit(local=True, may_think=False))
    assert server.requests[0]["thinking"] == {"type": "disabled"}
    assert "thinking" not in events_of(SAID)[1].requests[0]


def test_what_would_not_fit_is_left_out_before_it_is_sent() -> None:
    long = [hit(f"{n} " + "The base rent is $25,000. " * 60, of=A, index=n) for n in range(6)]
    settings = adjust(DEFAULTS, max_answer_tokens=500, citation_form="written")
    fit = Fit(local=True, brief=True, context=3_000)
    events, server = events_of(SAID, fit=fit, settings=settings, search=Searches(*long))
    [request] = server.requests
    assert len(request["messages"][-1]["content"]) < 6
    last = events[-1]
    assert isinstance(last, Answer)
    assert any("too long for this model" in each for each in last.warnings)


# What is told


def test_how_it_gets_on_is_told_while_it_reads_and_writes() -> None:
    slow = Turn([text("It is $25,000 [S1.1], and fixed for five years.")], delay=0.12)
    events, _ = events_of(after(1.2, slow))
    paces = [each for each in events if isinstance(each, Pace)]
    stages = [each.stage for each in paces]
    assert stages == sorted(stages, key=["reading", "thinking", "writing"].index)
    assert {"reading", "writing"} <= set(stages)
    assert all(each.tokens > 0 for each in paces)
    assert paces[-1].rate > 1


def test_a_server_elsewhere_tells_no_pace() -> None:
    events, _ = events_of(after(0.8, SAID), fit=Fit())
    assert not [each for each in events if isinstance(each, Pace)]
    assert TextDelta("") in events  # so that it can be stopped meanwhile


@contextmanager
def silent() -> Iterator[tuple[MessagesServer, threading.Event]]:
    """A server that answers nothing until it is let go."""
    let_go = threading.Event()

    def wait(_: Json) -> Answering:
        let_go.wait(20)
        return SAID

    with MessagesServer(wait) as server:
        yield server, let_go
        let_go.set()


@pytest.mark.parametrize("fit", [LOCAL, Fit()])
def test_stopping_takes_less_than_a_second_while_nothing_arrives(fit: Fit) -> None:
    with silent() as (server, _):
        events = stream(server.url, fit=fit)
        while not server.requests:
            next(events)
        started = time.monotonic()
        next(events)
        with pytest.raises(AnswerStopped):
            events.throw(AnswerStopped())
        assert time.monotonic() - started < 1.0


def test_what_had_arrived_is_kept_and_the_server_is_hung_up_on() -> None:
    long = Turn([text("It is $25,000 [S1.1]." + " And so on" * 400)], delay=0.05)
    with MessagesServer(long) as server:
        events = stream(server.url)
        for event in events:
            if isinstance(event, TextDelta) and "S1" in event.text:
                break
        started = time.monotonic()
        last = events.throw(AnswerStopped())
        assert time.monotonic() - started < 1.0
        assert isinstance(last, Answer)
        assert last.partial
        assert "$25,000" in last.text
        assert server.hung_up.wait(5)


def test_a_connection_that_was_cut_does_not_spoil_the_next_question() -> None:
    with MessagesServer(after(3.0, SAID), SAID) as server:
        answerer = ClaudeAnswerer("", base_url=server.url, model="m", settings=DEFAULTS, fit=LOCAL)

        def ask() -> Events:
            return answerer.answer(
                read(QUESTION, documents=[A]),
                search=Searches(RENT),
                contents=contents(lambda document_id, page: []),
                documents=[A],
            )

        first = ask()
        while not server.requests:
            next(first)
        first.close()
        last = list(ask())[-1]
    assert isinstance(last, Answer)
    assert last.text == "It is $25,000 [S1]."


# What goes wrong


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    started = time.monotonic()
    with pytest.raises(ServerGone, match=f"127.0.0.1:{port} does not answer"):
        list(stream(f"http://127.0.0.1:{port}"))
    assert time.monotonic() - started < 5.0  # it is not asked again and again


def test_one_that_dies_in_mid_answer_leaves_what_arrived() -> None:
    last = answer_of(Turn([text("It is $25,000 [S1.1].")], end="dropped"))
    assert last.partial
    assert last.text.startswith("It is $25,000")
    assert any("does not answer, or ended" in each for each in last.warnings)
    assert [each.label for each in last.citations] == ["S1"]


def test_one_that_answers_with_a_page_is_none() -> None:
    with pytest.raises(NotAMessagesServer):
        events_of(Page())


def test_a_model_that_goes_round_in_circles_is_stopped() -> None:
    round_and_round = "It is $25,000 [S1.1]. " + "The rent is due monthly. " * 400
    events, server = events_of(Turn([text(round_and_round)], delay=0.001))
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.text == "It is $25,000 [S1]. The rent is due monthly."
    assert str(ModelLooped()) in last.warnings
    assert last.partial
    assert server.hung_up.wait(5)


THOUGHT = Turn([thinking("Let me see. " * 400)], delay=0.02)
HASTY = adjust(DEFAULTS, thinking_seconds=0.5)


def test_one_that_thinks_for_too_long_is_asked_to_answer_at_once() -> None:
    events, server = events_of(THOUGHT, SAID, settings=HASTY)
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.text == "It is $25,000 [S1]."
    assert any(isinstance(each, Retrying) and "too long" in each.reason for each in events)
    assert any(isinstance(each, Pace) and each.stage == "thinking" for each in events)
    first, second = (each["messages"][-1]["content"][-1]["text"] for each in server.requests)
    assert AT_ONCE not in first
    assert second.endswith(AT_ONCE)


def test_one_that_still_thinks_is_given_up() -> None:
    with pytest.raises(ThoughtTooLong):
        events_of(THOUGHT, settings=HASTY)


def test_what_is_learnt_of_its_speed_is_used_for_the_next_question() -> None:
    with MessagesServer(after(0.8, Turn([text("It is $25,000 [S1.1].")], delay=0.2))) as server:
        list(stream(server.url))
        assert claude._READS[server.url, "m"] > 0
        again = [each for each in stream(server.url) if isinstance(each, Pace)]
    assert again[0].stage == "reading"
    assert again[0].left > 0
