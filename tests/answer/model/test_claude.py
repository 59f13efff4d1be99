"""The real SDK against a server on loopback: text, tools, citations, and every way it can fail."""

import gc
import inspect
import json
import time
from dataclasses import replace
from decimal import Decimal
from typing import Any

import anthropic
import httpx2
import pytest

from docqa.answer.model import claude
from docqa.answer.model.api_errors import answer_error
from docqa.answer.model.claude import ClaudeAnswerer
from docqa.answer.model.costs import SpendingLimit
from docqa.answer.model.prompts import NOT_FOUND
from docqa.errors import (
    AnswerCutOff,
    AnswerError,
    AnswerStopped,
    BudgetReached,
    ConnectionLost,
    ContextTooLong,
    Declined,
    KeyRefused,
    NeverAnswered,
    NoKey,
    NotAMessagesServer,
    Overloaded,
    PriceUnknown,
    RateLimited,
    RequestRefused,
    UnknownModel,
)
from docqa.question.read import read
from docqa.settings import DEFAULTS, Price, Settings, adjust
from docqa.types.answer import Answer, Message, Usage
from docqa.types.document import Block
from docqa.types.events import (
    AnswerEvent,
    Events,
    PassagesFound,
    Reading,
    Retrying,
    Searching,
    TextDelta,
)
from docqa.types.outline import Entry
from docqa.types.question import NotAsked
from tests.answer.passages import Searches, block, contents, document, hit, row, statement
from tests.messages_server import (
    MessagesServer,
    Page,
    Refusal,
    Script,
    Turn,
    cited,
    text,
    thinking,
    tool_use,
)

A, B = document("Lease A.pdf"), document("Lease B.pdf")
RENT_A = hit("The premises are in Ohio.", "The base rent is $25,000 a month.", "It is fixed.", of=A)
RENT_B = hit(block("The base rent is $31,500 a month.", 3), of=B)
QUESTION = "What is the base rent?"
QUICK = adjust(DEFAULTS, max_retries=0)
PRICE = Price(Decimal(3), Decimal(15), Decimal("0.30"), Decimal("3.75"))
PRICED = SpendingLimit({"model-one": PRICE})


def read_page(document_id: str, page: int) -> list[Block]:
    return [block(f"Page {page} names the deposit: $9,000.", page)] if page == 5 else []


CONTENTS = contents(read_page)


def stream(
    server: MessagesServer,
    search: Searches | None = None,
    *,
    question: str = QUESTION,
    settings: Settings = QUICK,
    history: tuple[Message, ...] = (),
    spending: SpendingLimit | None = None,
) -> Events:
    answerer = ClaudeAnswerer(
        "key", base_url=server.url, model="model-one", settings=settings, spending=spending
    )
    return answerer.answer(
        read(question, history=history, documents=[A, B]),
        search=search or Searches(RENT_A, RENT_B),
        contents=CONTENTS,
        documents=[A, B],
        history=history,
    )


def events_of(*scripts: Script, **given: Any) -> tuple[list[AnswerEvent], MessagesServer]:
    with MessagesServer(*scripts) as server:
        return list(stream(server, **given)), server


def answer_of(*scripts: Script, **given: Any) -> Answer:
    events, _ = events_of(*scripts, **given)
    last = events[-1]
    assert isinstance(last, Answer)
    return last


def told(events: list[AnswerEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def test_what_questions_share_begins_the_request_and_is_marked() -> None:
    shared = [hit("The law of Ohio governs.", of=A, index=7), RENT_A]
    searched = Turn([tool_use("search_documents", query="deposit")], stop_reason="tool_use")
    with MessagesServer(searched, Turn([text("It is $25,000.", cited("S2", 1, 2))])) as server:
        answerer = ClaudeAnswerer("key", base_url=server.url, model="model-one", settings=QUICK)
        *_, answer = answerer.answer(
            read(QUESTION, documents=[A, B]),
            search=Searches(RENT_B),
            contents=CONTENTS,
            documents=[A, B],
            shared=shared,
        )
    first, last, question = server.requests[0]["messages"][0]["content"]
    assert (first["source"], last["source"]) == ("S1", "S2")
    assert "cache_control" not in first
    assert "cache_control" in last
    assert question["text"] == f"Question: {QUESTION}"
    assert json.dumps(server.requests[1]).count("cache_control") == 4  # as many as it may carry
    assert isinstance(answer, Answer)
    assert [each.quote for each in answer.citations] == ["The base rent is $25,000 a month."]


# What arrives whole


def test_text_streams_and_ends_in_an_answer() -> None:
    events, server = events_of(Turn([text("The base rent is $25,000 a month.")]))
    last = events[-1]
    assert isinstance(last, Answer)
    assert told(events) == last.text == "The base rent is $25,000 a month."
    assert events[0] == Searching(QUESTION)
    assert events[1] == PassagesFound(2, ("Lease A.pdf", "Lease B.pdf"))
    assert sum(isinstance(event, TextDelta) for event in events) > 3
    assert (last.answerer, last.found, last.warnings) == ("model-one", True, ())
    assert server.requests[0]["model"] == "model-one"


def test_passages_come_before_the_question_with_one_block_for_each_block() -> None:
    _, server = events_of(Turn([text("Yes.")]))
    *results, asked = server.requests[0]["messages"][-1]["content"]
    assert [result["source"] for result in results] == ["S1", "S2"]
    assert results[0]["title"] == "Lease A.pdf, p. 1"
    assert [each["text"] for each in results[0]["content"]] == [
        "The premises are in Ohio.",
        "The base rent is $25,000 a month.",
        "It is fixed.",
    ]
    assert all(result["citations"] == {"enabled": True} for result in results)
    assert asked["text"] == f"Question: {QUESTION}"


def test_nothing_is_sent_that_newer_models_refuse() -> None:
    _, server = events_of(Turn([text("Yes.")]))
    assert not {"temperature", "top_p", "top_k"} & set(server.requests[0])


def test_native_citations_become_labels_of_block_ranges() -> None:
    last = answer_of(
        Turn(
            [
                text("The rent of Lease A is $25,000 and fixed", cited("S1", 1, 3)),
                text("; that of Lease B is $31,500", cited("S2", 0, 1)),
                text("."),
            ]
        )
    )
    assert last.text == (
        "The rent of Lease A is $25,000 and fixed [S1.2-3]; that of Lease B is $31,500 [S2]."
    )
    first, second = last.citations
    assert [b.text for b in first.blocks] == ["The base rent is $25,000 a month.", "It is fixed."]
    assert (second.document, second.page) == ("Lease B.pdf", 3)


def test_written_labels_count_too_and_unknown_ones_are_told() -> None:
    last = answer_of(Turn([text("It is $25,000 [S1.2]. Not so [S7].")]))
    assert last.text == "It is $25,000 [S1.2]. Not so."
    assert [citation.label for citation in last.citations] == ["S1.2"]
    assert "S7" in last.warnings[0]


def test_a_citation_of_what_was_not_given_is_removed() -> None:
    last = answer_of(Turn([text("It is $25,000", cited("S9", 0, 1)), text(".")]))
    assert (last.text, last.citations) == ("It is $25,000.", ())
    assert len(last.warnings) == 1


def test_thinking_is_not_text_but_lets_the_answer_be_stopped() -> None:
    events, _ = events_of(Turn([thinking("Let me consider."), text("It is $25,000.")]))
    assert told(events) == "It is $25,000."
    assert TextDelta("") in events


def test_not_found_is_an_answer() -> None:
    last = answer_of(Turn([text(f"{NOT_FOUND} I looked for a pet clause.")]))
    assert not last.found


def test_a_question_is_left_to_the_model_though_no_passage_shares_its_words() -> None:
    far = Searches(hit("Recourse to the courts is excluded.", of=A, dense=0.05))
    turn = Turn([text("No, it is final.")])
    events, server = events_of(turn, search=far, question="Can the loser take it further?")
    assert (told(events), len(server.requests)) == ("No, it is final.", 1)


def test_where_the_search_finds_no_passage_nothing_is_sent() -> None:
    events, server = events_of(Turn([text("no")]), search=Searches(), question="Who pays?")
    last = events[-1]
    assert isinstance(last, Answer)
    assert (last.found, server.requests) == (False, [])


def test_the_model_and_the_person_are_told_of_a_document_that_is_not_asked() -> None:
    beside = Searches(RENT_A, not_asked=[NotAsked("Lease C", ("Lease_C.pdf",))])
    events, server = events_of(Turn([text("Lease A has a rent of $25,000.")]), search=beside)
    *_, asked = server.requests[0]["messages"][-1]["content"]
    said = "“Lease_C.pdf” is in the library, but not among the documents asked"
    assert said in asked["text"]
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.warnings[0].startswith(said)


# Tools


def test_connections_are_closed_with_the_answerer() -> None:
    with MessagesServer(Turn([text("The rent is $5,000.")])) as server:
        answerer = ClaudeAnswerer("k", base_url=server.url, model="m", settings=QUICK)
        assert answerer.models()
        client = answerer.server.client
        assert not client.is_closed()
        del answerer
        gc.collect()
        assert client.is_closed()


def test_the_model_searches_reads_and_lists_until_it_answers() -> None:
    search = Searches(RENT_A, RENT_B)
    events, server = events_of(
        Turn(
            [
                text("Let me search."),
                tool_use("search_documents", query="deposit", documents=["lease b.pdf"]),
                tool_use("list_documents", id="toolu_2"),
            ],
            "tool_use",
        ),
        Turn([tool_use("read_page", document="Lease B.pdf", page=5, id="toolu_3")], "tool_use"),
        Turn([text("The deposit is $9,000", cited("S3", 0, 1)), text(".")]),
        search=search,
    )
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.text == "The deposit is $9,000 [S3]."
    assert (last.citations[0].document, last.citations[0].page) == ("Lease B.pdf", 5)
    assert search.asked == [(QUESTION, ()), ("deposit", (B.id,))]
    assert Searching("deposit", (B.id,)) in events
    assert Reading("Lease B.pdf", 5) in events
    results = server.requests[1]["messages"][-1]["content"]
    assert [result["tool_use_id"] for result in results] == ["toolu_1", "toolu_2"]
    assert "S2" in results[0]["content"]  # found again, so only named
    assert "Lease A.pdf" in results[1]["content"]
    assert server.requests[2]["messages"][-1]["content"][0]["content"][0]["source"] == "S3"
    assert last.usage == Usage(2700, 45, 12000, 3600, 2)


def test_the_model_walks_an_outline_to_a_page_and_is_sent_nothing_twice() -> None:
    found, table = statement(of=B)
    shelf = contents(
        lambda document_id, page: [*found.chunk.blocks, block("Notes follow.", page)],
        [table],
        [Entry("Balance sheets", 5, 1, 0, 1, "balance sheet")],
    )
    with MessagesServer(
        Turn([tool_use("outline", document="Lease B.pdf")], "tool_use"),
        Turn([tool_use("read_page", document="Lease B.pdf", page=5, id="toolu_2")], "tool_use"),
        Turn([text("It is 8", cited("S1", 3, 4)), text(".")]),
    ) as server:
        answerer = ClaudeAnswerer("key", base_url=server.url, model="model-one", settings=QUICK)
        events = list(
            answerer.answer(
                read(QUESTION), search=Searches(found), contents=shelf, documents=[A, B]
            )
        )
    (walked,) = server.requests[1]["messages"][-1]["content"]
    assert "Balance sheets (balance sheet), p. 5" in walked["content"]
    (page,) = server.requests[2]["messages"][-1]["content"]
    assert page["content"][0]["content"] == [{"type": "text", "text": "Notes follow."}]
    assert "S1" in page["content"][1]["text"]
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.citations[0].shown == (
        "Current assets › Cash: 8 (2023), 7 (2022); $, in thousands"
    )


def test_searches_are_bounded_and_then_it_must_answer() -> None:
    def asking(body: dict[str, Any]) -> Turn:
        if body["tool_choice"]["type"] == "none":
            return Turn([text("That is all.")])
        return Turn([tool_use("search_documents", query="more")], "tool_use")

    search = Searches(RENT_A, RENT_B)
    settings = adjust(QUICK, max_searches=3)
    last = answer_of(asking, search=search, settings=settings)
    assert last.text == "That is all."
    assert len(search.asked) == 1 + 3
    assert last.usage.searches == 4


def test_a_model_that_never_answers_is_not_asked_for_ever() -> None:
    settings = adjust(QUICK, max_searches=2)
    with MessagesServer(Turn([tool_use("list_documents")], "tool_use")) as server:
        with pytest.raises(NeverAnswered):
            list(stream(server, settings=settings))
        assert len(server.requests) == 2 + 4


def test_searches_asked_at_once_are_bounded_too() -> None:
    several = [tool_use("search_documents", id=f"toolu_{n}", query=f"q{n}") for n in range(4)]
    search = Searches(RENT_A)
    settings = adjust(QUICK, max_searches=2)
    events, server = events_of(
        Turn(several, "tool_use"), Turn([text("Done.")]), search=search, settings=settings
    )
    assert len(search.asked) == 1 + 2
    results = server.requests[1]["messages"][-1]["content"]
    assert [result.get("is_error", False) for result in results] == [False, False, True, True]
    assert isinstance(events[-1], Answer)


def test_an_answer_that_has_cost_enough_searches_no_more() -> None:
    settings = adjust(QUICK, answer_tokens=5000)  # one turn of the server takes 6115
    _, server = events_of(
        Turn([tool_use("search_documents", query="deposit")], "tool_use"),
        Turn([text("Done.")]),
        settings=settings,
    )
    choices = [request["tool_choice"]["type"] for request in server.requests]
    assert choices == ["auto", "none"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (tool_use("search_documents", query="rent", documents=["Lease Z"]), "Lease A.pdf"),
        (tool_use("search_documents", query=" "), "query"),
        (tool_use("read_page", document="Lease A.pdf", page=99), "pages 1 to 20"),
        (tool_use("read_page", document="Lease A.pdf", page="two"), "pages 1 to 20"),
        (tool_use("delete_everything"), "no tool named"),
    ],
)
def test_a_tool_used_wrongly_is_told_to_the_model(call: dict[str, Any], said: str) -> None:
    events, server = events_of(Turn([call], "tool_use"), Turn([text("I see.")]))
    result = server.requests[1]["messages"][-1]["content"][0]
    assert result["is_error"] is True
    assert said in result["content"]
    assert isinstance(events[-1], Answer)


def test_a_turn_is_sent_back_as_it_came() -> None:
    first = [thinking("Hm."), text("So.", cited("S1", 0, 1)), tool_use("list_documents")]
    _, server = events_of(Turn(first, "tool_use"), Turn([text("Done.")]))
    returned = server.requests[1]["messages"][-2]
    assert returned["role"] == "assistant"
    assert [each["type"] for each in returned["content"]] == ["thinking", "text", "tool_use"]
    assert returned["content"][0]["signature"] == "c2lnbmVk"
    assert returned["content"][2]["input"] == {}


def test_a_pause_is_carried_on() -> None:
    events, server = events_of(Turn([text("First.")], "pause_turn"), Turn([text("Second.")]))
    assert len(server.requests) == 2
    assert isinstance(events[-1], Answer)
    assert events[-1].text == "Second."


def test_a_request_begins_the_same_whatever_is_asked() -> None:
    """What is marked for caching must not change between questions on the same library."""
    asked = (QUESTION, "When is the deposit due?")
    servers = [events_of(Turn([text("Yes.")]), question=each)[1] for each in asked]
    first, other = (server.requests[0] for server in servers)
    assert (first["system"], first["tools"]) == (other["system"], other["tools"])
    assert first["messages"] != other["messages"]


def test_caching_is_marked_at_most_four_times() -> None:
    _, server = events_of(
        *[Turn([tool_use("search_documents", query="q")], "tool_use")] * 4,
        Turn([text("Done.")]),
        settings=adjust(QUICK, max_searches=9),
    )
    for request in server.requests:
        assert str(request).count("cache_control") in (2, 3)
    assert server.requests[0]["system"][0]["cache_control"] == {"type": "ephemeral"}


# History


def test_earlier_turns_are_sent_and_their_labels_spelt_out() -> None:
    earlier = answer_of(Turn([text("It is $31,500", cited("S2", 0, 1)), text(".")]))
    history = (Message("user", "And the rent in B?"), Message("assistant", earlier.text, earlier))
    search = Searches(RENT_A, RENT_B)
    _, server = events_of(Turn([text("Yes.")]), history=history, question="And A?", search=search)
    first, second, _ = server.requests[0]["messages"]
    assert first == {"role": "user", "content": "And the rent in B?"}
    assert second["content"] == "It is $31,500 (Lease B.pdf, p. 3)."
    assert search.asked[0][0] == "And the rent in A?"


def test_only_the_last_messages_are_sent() -> None:
    history = tuple(
        Message("user" if n % 2 == 0 else "assistant", f"Message {n}") for n in range(20)
    )
    _, server = events_of(Turn([text("Yes.")]), history=history)
    texts = [message["content"] for message in server.requests[0]["messages"][:-1]]
    assert texts == [f"Message {n}" for n in range(14, 20)]


# Failures before anything arrived


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Refusal(401, "authentication_error"), KeyRefused),
        (Refusal(403, "permission_error"), KeyRefused),
        (Refusal(402, "billing_error"), RequestRefused),
        (Refusal(404, "not_found_error", "model: model-one"), UnknownModel),
        (Refusal(404, ""), NotAMessagesServer),
        (Refusal(405, ""), NotAMessagesServer),
        (Refusal(400, "invalid_request_error", "prompt is too long: 9 > 8"), ContextTooLong),
        (Refusal(413, "request_too_large"), ContextTooLong),
        (Refusal(429, "rate_limit_error"), RateLimited),
        (Refusal(500, "api_error"), Overloaded),
        (Refusal(529, "overloaded_error"), Overloaded),
        (Refusal(504, "timeout_error"), ConnectionLost),
        (Page(), NotAMessagesServer),
        (Page('{"hello": 1}', "application/json"), NotAMessagesServer),
        (Page("event: message_start\ndata: no json\n\n", "text/event-stream"), NotAMessagesServer),
        (Turn(end="error"), Overloaded),
        (Turn(end="error", error="rate_limit_error"), RateLimited),
        (Turn(end="error", error="authentication_error"), KeyRefused),
        (Turn(end="truncated"), AnswerCutOff),
        (Turn(end="dropped"), ConnectionLost),
        (Turn([text("")], "refusal"), Declined),
        (Turn([text("")], "max_tokens"), AnswerCutOff),
        (Turn([text("")], "model_context_window_exceeded"), ContextTooLong),
    ],
)
def test_a_failure_before_any_text_is_raised(reply: Script, error: type[AnswerError]) -> None:
    with pytest.raises(error):
        events_of(reply, settings=adjust(QUICK, citation_form="native"))


def test_an_unknown_model_names_those_offered() -> None:
    refused = Refusal(404, "not_found_error", "model: model-one")
    with MessagesServer(refused, models=("new-1", "old-2", "new-3")) as server:
        with pytest.raises(UnknownModel, match=r"It offers new-1, new-3\.") as raised:
            list(stream(server))
        assert "old-2" not in str(raised.value)


def test_no_server_there() -> None:
    with MessagesServer(Turn()) as server:
        pass
    with pytest.raises(ConnectionLost):
        list(stream(server))


def test_a_server_that_does_not_answer_in_time() -> None:
    slow = Turn([text("Too late.")], delay=2.0)
    with pytest.raises(ConnectionLost):
        events_of(slow, settings=adjust(QUICK, request_seconds=0.2))


def test_no_key() -> None:
    with pytest.raises(NoKey):
        ClaudeAnswerer("", model="model-one", settings=DEFAULTS)


@pytest.mark.parametrize("key", ["sk-ant-…", "sk-ant\n1", "“sk-ant”"])
def test_what_no_key_can_be_is_said_to_be_the_key(key: str) -> None:
    with pytest.raises(KeyRefused):
        ClaudeAnswerer(key, model="model-one", settings=QUICK)


def test_an_address_that_is_none() -> None:
    answerer = ClaudeAnswerer("k", base_url="ftp://127.0.0.1", model="m", settings=QUICK)
    with pytest.raises(AnswerError):
        answerer.models()


# Failures after text had arrived


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Turn([text("It is $25,000 ")], end="error"), "overloaded"),
        (Turn([text("It is $25,000 ")], end="error", error="rate_limit_error"), "Too many"),
        (Turn([text("It is $25,000 ")], end="error", error="authentication_error"), "key"),
        (Turn([text("It is $25,000 ")], end="error", error="api_error"), "overloaded"),
        (Turn([text("It is $25,000 ")], end="error", error="timeout_error"), "connection"),
        (Turn([text("It is $25,000 ")], end="truncated"), "cut off"),
        (Turn([text("It is $25,000 ")], end="dropped"), "connection"),
        (Turn([text("It is $25,000 ")], "max_tokens"), "length limit"),
        (Turn([text("It is $25,000 ")], "refusal"), "declined"),
        (Turn([text("It is $25,000 ")], "model_context_window_exceeded"), "too long"),
    ],
)
def test_what_has_arrived_is_kept_with_a_warning(reply: Turn, said: str) -> None:
    last = answer_of(reply)
    assert last.text == "It is $25,000"
    assert len(last.warnings) == 1
    assert said in last.warnings[0]
    assert last.usage.input_tokens == 900


# Failures in a later turn, when searches have been made


SEARCHES = Turn([tool_use("search_documents", query="deposit")], "tool_use")


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Refusal(401, "authentication_error"), KeyRefused),
        (Refusal(404, "not_found_error", "model: model-one"), UnknownModel),
        (Refusal(413, "request_too_large"), ContextTooLong),
        (Refusal(429, "rate_limit_error"), RateLimited),
        (Refusal(529, "overloaded_error"), Overloaded),
        (Page(), NotAMessagesServer),
        (Turn(end="error", error="rate_limit_error"), RateLimited),
        (Turn(end="dropped"), ConnectionLost),
        (Turn(end="truncated"), AnswerCutOff),
    ],
)
def test_a_failure_after_a_search_is_raised(reply: Script, error: type[AnswerError]) -> None:
    spent: list[Usage] = []
    settings = adjust(QUICK, citation_form="native")
    with MessagesServer(SEARCHES, reply) as server:
        with pytest.raises(error):
            list(stream(server, settings=settings, spending=SpendingLimit(spend=spent.append)))
        assert len(server.requests) >= 2
    assert spent[0].input_tokens == 900  # what the first turn took is counted all the same


def test_remarks_before_a_search_are_not_kept_as_an_answer() -> None:
    """The key is refused in the middle of the loop: "Let me search" is no part of an answer."""
    remark = Turn([text("Let me search."), *SEARCHES.content], "tool_use")
    with pytest.raises(KeyRefused):
        events_of(remark, Refusal(401, "authentication_error"))


def test_a_rate_limit_in_a_later_turn_is_waited_for() -> None:
    busy = Refusal(429, "rate_limit_error", headers={"retry-after": "0.2"})
    events, server = events_of(SEARCHES, busy, Turn([text("Now.")]), settings=DEFAULTS)
    assert [event.seconds for event in events if isinstance(event, Retrying)] == [0.2]
    assert server.requests[1] == server.requests[2]
    assert isinstance(events[-1], Answer)
    assert (events[-1].text, events[-1].partial) == ("Now.", False)


def test_a_rate_limit_in_mid_stream_before_any_text_is_waited_for() -> None:
    limited = Turn([thinking("Hm.")], end="error", error="rate_limit_error")
    settings = adjust(DEFAULTS, max_retries=1)
    events, server = events_of(limited, Turn([text("Now.")]), settings=settings)
    assert len(server.requests) == 2
    assert any(isinstance(event, Retrying) for event in events)
    assert isinstance(events[-1], Answer)
    assert events[-1].text == "Now."


def test_what_arrived_in_a_later_turn_is_kept_with_its_citations() -> None:
    said = [text("The deposit", cited("S1", 1, 2)), text(" is")]
    last = answer_of(SEARCHES, Turn(said, end="error", error="rate_limit_error"))
    assert (last.text, last.partial) == ("The deposit [S1.2] is", True)
    assert last.usage.searches == 2
    assert last.usage.input_tokens == 1800


def test_one_stopped_while_a_tool_is_used_has_nothing_to_keep() -> None:
    with MessagesServer(SEARCHES, Turn([text("Never sent.")])) as server:
        events = stream(server)
        while next(events) != Searching("deposit"):
            pass
        with pytest.raises(AnswerStopped):
            events.throw(AnswerStopped())
        assert len(server.requests) == 1


def test_citations_that_arrived_are_kept_too() -> None:
    last = answer_of(
        Turn([text("It is $25,000", cited("S1", 1, 2)), text(" and so")], end="dropped")
    )
    assert last.text == "It is $25,000 [S1.2] and so"
    assert last.citations[0].label == "S1.2"


# Waiting


def test_a_busy_server_is_asked_again_and_the_waiting_is_told() -> None:
    busy = Refusal(429, "rate_limit_error", headers={"retry-after": "0.2"})
    settings = adjust(DEFAULTS, max_retries=3)
    events, server = events_of(busy, busy, Turn([text("Now.")]), settings=settings)
    waits = [event for event in events if isinstance(event, Retrying)]
    assert [wait.seconds for wait in waits] == [0.2, 0.2]
    assert len(server.requests) == 3
    assert isinstance(events[-1], Answer)
    assert events[-1].text == "Now."


def test_a_server_that_asks_for_too_long_is_not_waited_for() -> None:
    busy = Refusal(429, "rate_limit_error", headers={"retry-after": "3600"})
    started = time.perf_counter()
    with pytest.raises(RateLimited, match="3600 seconds"):
        events_of(busy, settings=DEFAULTS)
    assert time.perf_counter() - started < 5


def test_a_server_is_not_asked_for_ever() -> None:
    busy = Refusal(529, "overloaded_error", headers={"retry-after": "0"})
    with MessagesServer(busy) as server:
        with pytest.raises(Overloaded):
            list(stream(server, settings=adjust(DEFAULTS, max_retries=2)))
        assert len(server.requests) == 3


def test_nothing_is_sent_again_after_text_has_arrived() -> None:
    with MessagesServer(Turn([text("It is ")], end="error")) as server:
        list(stream(server, settings=DEFAULTS))
        assert len(server.requests) == 1


# Stopping


def test_closing_the_iterator_hangs_up_at_once() -> None:
    long = Turn([text("word " * 2000)], delay=0.005)
    with MessagesServer(long) as server:
        events = stream(server)
        assert any(isinstance(event, TextDelta) for event in events)
        started = time.perf_counter()
        assert hasattr(events, "close")
        events.close()
        assert time.perf_counter() - started < 0.5
        assert server.hung_up.wait(2)


@pytest.mark.parametrize("stop", [AnswerStopped, KeyboardInterrupt])
def test_an_answer_that_is_stopped_keeps_what_arrived(stop: type[BaseException]) -> None:
    long = Turn([text("It is $25,000", cited("S1", 1, 2)), text(" word" * 2000)], delay=0.005)
    with MessagesServer(long) as server:
        events = stream(server)
        arrived = ""
        while "word" not in arrived:
            event = next(events)
            arrived += event.text if isinstance(event, TextDelta) else ""
        kept = events.throw(stop())
        assert isinstance(kept, Answer)
        assert server.hung_up.wait(2)
    assert kept.partial
    assert kept.text.startswith("It is $25,000 [S1.2]")
    assert kept.citations[0].label == "S1.2"
    assert kept.warnings == (str(AnswerStopped()),)
    assert kept.usage.input_tokens == 900


def test_an_answer_that_is_stopped_before_it_begins_is_none() -> None:
    with MessagesServer(Turn([text("Never sent.")])) as server:
        events = stream(server)
        assert isinstance(next(events), Searching)
        with pytest.raises(AnswerStopped):
            events.throw(AnswerStopped())
        assert server.requests == []


# Servers without native citations


def written(body: dict[str, Any]) -> bool:
    return "search_result" not in str(body["messages"])


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(400, "invalid_request_error", "messages.0.content.0: unexpected type"),
        Refusal(422, "", "Input should be 'text' or 'image'"),
        Refusal(500, "api_error", "unsupported content[].type"),
    ],
)
def test_a_server_that_refuses_search_results_gets_text(refusal: Refusal) -> None:
    def reply(body: dict[str, Any]) -> Turn | Refusal:
        return Turn([text("It is $25,000 [S1.2].")]) if written(body) else refusal

    events, server = events_of(reply)
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.citations[0].quote == "The base rent is $25,000 a month."
    assert any(isinstance(event, Retrying) for event in events)
    first = server.requests[-1]["messages"][-1]["content"][0]["text"]
    assert first.splitlines()[2] == "[S1.2] The base rent is $25,000 a month."
    assert "square brackets" in server.requests[-1]["system"][0]["text"]


def test_a_server_that_leaves_the_passages_out_gets_text() -> None:
    few = {"input_tokens": 40, "output_tokens": 1}

    def reply(body: dict[str, Any]) -> Turn:
        if written(body):
            return Turn([text("It is $25,000 [S1.1].")])
        return Turn([text("I was given no passages.")], usage=few)

    long = Searches(hit("The base rent is $25,000 a month. " * 30, of=A))
    last = answer_of(reply, search=long)
    assert last.text == "It is $25,000 [S1]."


def test_written_labels_can_be_asked_for() -> None:
    settings = adjust(QUICK, citation_form="written")
    _, server = events_of(
        Turn([tool_use("read_page", document="Lease A", page=5)], "tool_use"),
        Turn([text("It is $9,000 [S3].")]),
        settings=settings,
    )
    assert all(map(written, server.requests))
    result = server.requests[1]["messages"][-1]["content"][0]
    assert "[S3.1] Page 5 names the deposit" in result["content"][0]["text"]


def test_an_older_server_gets_its_header_too() -> None:
    _, server = events_of(Turn([text("Yes.")]))
    assert server.headers[0]["x-api-key"] == "key"


def test_an_address_may_end_in_v1() -> None:
    with MessagesServer(Turn([text("Yes.")])) as server:
        answerer = ClaudeAnswerer("k", base_url=f"{server.url}/v1/", model="m", settings=QUICK)
        assert answerer.models() == ("model-one", "model-two")


# Cost


def test_cost_is_known_only_where_the_price_is() -> None:
    assert answer_of(Turn([text("Yes.")])).usage.cost_usd is None
    # 900 × 3 + 15 × 15 + 4000 × 0.30 + 1200 × 3.75 = 8625 dollars for a million answers
    assert answer_of(Turn([text("Yes.")]), spending=PRICED).usage.cost_usd == Decimal("0.008625")


def test_every_request_is_counted_also_one_that_breaks_off() -> None:
    spent: list[Usage] = []
    with MessagesServer(
        Turn([tool_use("list_documents")], "tool_use"), Turn([text("Yes, the")], end="truncated")
    ) as server:
        answerer = ClaudeAnswerer(
            "key",
            base_url=server.url,
            model="model-one",
            settings=QUICK,
            spending=replace(PRICED, spend=spent.append),
        )
        *_, answer = answerer.answer(
            read(QUESTION), search=Searches(RENT_A), contents=CONTENTS, documents=[A, B]
        )
    assert isinstance(answer, Answer)
    assert answer.partial
    assert len(spent) == 2
    assert answer.usage.cost_usd == sum(each.cost_usd or 0 for each in spent)


def test_a_budget_stops_before_anything_is_sent() -> None:
    poor = replace(PRICED, budget=Decimal("0.001"))
    with MessagesServer(Turn([text("Yes.")])) as server:
        with pytest.raises(BudgetReached, match=r"\$0\.00"):
            list(stream(server, spending=poor))
        assert server.requests == []


def test_a_budget_stops_between_two_requests() -> None:
    # Each request costs 0.008625 and is estimated at about 0.02: one fits, a second does not.
    poor = replace(PRICED, budget=Decimal("0.027"))
    with MessagesServer(Turn([tool_use("list_documents")], "tool_use")) as server:
        with pytest.raises(BudgetReached):
            list(stream(server, spending=poor))
        assert len(server.requests) == 1


def test_a_budget_without_a_price_cannot_be_kept() -> None:
    with MessagesServer(Turn([text("Yes.")])) as server:
        with pytest.raises(PriceUnknown, match="model-one"):
            list(stream(server, spending=SpendingLimit(budget=Decimal(5))))
        assert server.requests == []


# What leaves the machine


def test_the_preview_is_what_is_sent() -> None:
    with MessagesServer(Turn([text("$25,000.")])) as server:
        answerer = ClaudeAnswerer(
            "key", base_url=server.url, model="model-one", settings=QUICK, spending=PRICED
        )
        given: Any = {
            "search": Searches(RENT_A, RENT_B), "contents": CONTENTS, "documents": [A, B]
        }  # fmt: skip
        shown = answerer.preview(read(QUESTION), **given)
        assert server.requests == []
        list(answerer.answer(read(QUESTION), **given))
        (sent,) = server.requests
    assert {**shown.payload, "stream": True} == sent
    assert shown.url == f"{server.url}/v1/messages"
    assert 0 < shown.tokens < 5000
    assert shown.cost_usd is not None
    assert shown.most_usd is not None
    assert Decimal(0) < shown.cost_usd < shown.most_usd


def test_hidden_words_are_not_sent_and_stand_in_the_answer() -> None:
    hidden = adjust(QUICK, redact=("Ohio", "lease a"))
    given: dict[str, Any] = {
        "query": "deposit in REDACTED-1",
        "documents": ["REDACTED-2.pdf"],
    }
    replies = (
        Turn([tool_use("search_documents", **given)], "tool_use"),
        Turn([text("The premises are in REDACTED-1 [S1.1], says REDACTED-2.")]),
    )
    search = Searches(RENT_A, RENT_B)
    events, server = events_of(*replies, settings=hidden, search=search)
    assert "ohio" not in str(server.requests).lower()
    assert "lease a" not in str(server.requests).lower()
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.text == "The premises are in Ohio [S1.1], says lease a."
    assert "REDACTED" not in told(events)
    assert search.asked[-1][0] == "deposit in Ohio"


# Too much for the model


def test_what_is_too_long_is_sent_with_fewer_passages_and_that_is_said() -> None:
    too_long = Refusal(400, "invalid_request_error", "prompt is too long: 250000 tokens")
    many = Searches(*(hit(f"The base rent of unit {n} is ${n},000.", index=n) for n in range(1, 9)))
    events, server = events_of(too_long, too_long, Turn([text("It is $1,000 [S1].")]), search=many)
    sent = [str(request).count("'search_result'") for request in server.requests]
    assert sent == [8, 4, 2]
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert not answer.partial
    assert any("6 of them were left out" in warning for warning in answer.warnings)
    assert len(answer.evidence) == 2


def test_what_is_too_long_with_one_passage_is_an_error() -> None:
    too_long = Refusal(413, "request_too_large", "too large")
    with pytest.raises(ContextTooLong):
        events_of(too_long, search=Searches(RENT_A))


# The server's own ways


@pytest.mark.parametrize(
    ("header", "authorization", "own"),
    [
        ("auto", "Bearer key", "key"),
        ("authorization", "Bearer key", None),
        ("x-api-key", None, "key"),
    ],
)
def test_the_key_goes_in_the_header_chosen(
    header: str, authorization: str | None, own: str | None
) -> None:
    _, server = events_of(Turn([text("Yes.")]), settings=adjust(QUICK, key_header=header))
    (sent,) = server.headers
    assert (sent.get("authorization"), sent.get("x-api-key")) == (authorization, own)


# Every error of the SDK and its transport


def classes_below(root: type[Exception]) -> list[type[Exception]]:
    return [root, *(each for child in root.__subclasses__() for each in classes_below(child))]


def made(kind: type[Exception]) -> Exception:
    """An instance of an SDK exception, as the SDK would make it."""
    request = httpx2.Request("POST", "http://127.0.0.1/v1/messages")
    if issubclass(kind, anthropic.APIStatusError):
        status = getattr(kind, "status_code", None)
        response = httpx2.Response(status if isinstance(status, int) else 418, request=request)
        body = {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}
        return kind("no", response=response, body=body)
    try:
        return kind("no")
    except TypeError:  # its constructor wants something else; it is of its class all the same
        return kind.__new__(kind, "no")


@pytest.mark.parametrize(
    "kind", classes_below(anthropic.AnthropicError) + classes_below(httpx2.TransportError)
)
def test_every_error_of_the_sdk_is_mapped(kind: type[Exception]) -> None:
    assert isinstance(answer_error(made(kind), url="http://127.0.0.1"), AnswerError)


def test_the_named_statuses_are_mapped_to_their_own_errors() -> None:
    def mapped(kind: type[anthropic.APIStatusError], error_type: str) -> type[AnswerError]:
        request = httpx2.Request("POST", "http://127.0.0.1/v1/messages")
        response = httpx2.Response(getattr(kind, "status_code", 500), request=request)
        body = {"type": "error", "error": {"type": error_type, "message": "no"}}
        return type(answer_error(kind("no", response=response, body=body), url="http://x"))

    assert mapped(anthropic.AuthenticationError, "authentication_error") is KeyRefused
    assert mapped(anthropic.PermissionDeniedError, "permission_error") is KeyRefused
    assert mapped(anthropic.RateLimitError, "rate_limit_error") is RateLimited
    assert mapped(anthropic.InternalServerError, "api_error") is Overloaded
    assert mapped(anthropic.ConflictError, "invalid_request_error") is RequestRefused


def test_anthropic_is_imported_only_when_needed() -> None:
    source = inspect.getsource(claude)
    at_top = [
        line
        for line in source.splitlines()
        if line.startswith(("import anthropic", "from anthropic"))
    ]
    assert at_top == []


def test_a_row_keeps_its_place_in_the_passage() -> None:
    table = hit(row("", "2024", header=True), row("NOI", "$1,200"), of=A)
    last = answer_of(
        Turn([text("NOI was $1,200", cited("S1", 1, 2)), text(".")]),
        search=Searches(table),
        question="What was NOI in 2024?",
    )
    assert last.citations[0].blocks == (table.chunk.blocks[1],)
