"""The second look, by the real SDK against a server on loopback."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from docqa.settings import adjust
from docqa.types.answer import Answer
from docqa.types.events import Retrying
from tests.answer.model.test_claude import PRICED, QUICK, events_of
from tests.messages_server import MessagesServer, Refusal, Script, Turn, cited, text, tool_use

RIGHT = Turn([text("The base rent is $25,000 a month.", cited("S1", 1, 2))])
WRONG = Turn([text("The base rent is $52,000 a month.", cited("S1", 1, 2))])
SILENT = Turn([text("Nothing in the documents answers this. I looked for the rent.")])


def asked(*scripts: Script, **given: Any) -> tuple[Answer, MessagesServer, list[str]]:
    events, server = events_of(*scripts, **given)
    answer = events[-1]
    assert isinstance(answer, Answer)
    return answer, server, [each.reason for each in events if isinstance(each, Retrying)]


def test_a_model_mends_what_does_not_stand_in_the_passages() -> None:
    answer, server, reasons = asked(WRONG, RIGHT, spending=PRICED)
    assert answer.text == "The base rent is $25,000 a month. [S1.2]"
    assert reasons == [
        "One statement is not supported by the passages; the model looks again",
    ]
    shown = server.requests[1]["messages"][-1]["content"][-1]["text"]
    assert "- $52,000 is neither in the passages nor computed from them" in shown
    assert answer.usage.cost_usd == 2 * Decimal("0.008625")


def test_an_answer_that_holds_is_not_asked_for_again() -> None:
    answer, server, reasons = asked(RIGHT)
    assert len(server.requests) == 1
    assert (reasons, answer.problems) == ([], [])


def test_it_may_search_before_it_mends() -> None:
    search = Turn([tool_use("search_documents", query="base rent")], "tool_use")
    answer, server, _ = asked(WRONG, search, RIGHT)
    assert answer.text.startswith("The base rent is $25,000")
    assert (len(server.requests), answer.usage.searches) == (3, 2)


@pytest.mark.parametrize(
    "second",
    [WRONG, SILENT, Turn([text("I cannot say.")]), Turn([text("The base")], end="truncated")],
    ids=["no better", "silent", "without its citations", "broken off"],
)
def test_the_first_answer_stands_where_the_second_is_no_better(second: Turn) -> None:
    answer, _, _ = asked(WRONG, second)
    assert answer.text == "The base rent is $52,000 a month. [S1.2]"
    assert (answer.partial, answer.warnings) == (False, ())


def test_the_first_answer_stands_where_the_server_fails() -> None:
    answer, server, _ = asked(WRONG, Refusal(529, "overloaded_error"))
    assert len(server.requests) == 2
    assert answer.text.startswith("The base rent is $52,000")


def test_nothing_more_is_spent_than_the_budget_has() -> None:
    # A request costs 0.008625 and is estimated at about 0.02: one fits, a second does not.
    answer, server, _ = asked(WRONG, RIGHT, spending=replace(PRICED, budget=Decimal("0.027")))
    assert len(server.requests) == 1
    assert answer.text.startswith("The base rent is $52,000")


def test_it_can_be_switched_off() -> None:
    _, server, reasons = asked(WRONG, RIGHT, settings=adjust(QUICK, second_look=False))
    assert (len(server.requests), reasons) == (1, [])
