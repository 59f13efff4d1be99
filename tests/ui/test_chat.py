"""Asking, reading on, opening citations, and the conversations that are kept."""

import json
import re
import threading
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from streamlit.testing.v1 import AppTest

from docqa import installation
from docqa.errors import AnswerStopped
from docqa.present.citations import PARTIAL
from docqa.settings import DEFAULTS, PRICES, PRICES_OF, adjust
from docqa.types.answer import Answer, Usage
from docqa.types.document import spoken_name
from docqa.types.events import Events, Searching, TextDelta
from docqa.types.search import Coverage, taken_for
from docqa.ui import chat, questions, state, viewer
from docqa.ui.answer_view import STAGES, turn_of, turn_under_way
from docqa.ui.asking import Asking
from tests.messages_server import MessagesServer, Turn, text
from tests.ui.conftest import (
    APP,
    HOSTILE,
    REVIEW,
    SECONDS,
    TERMS,
    asked,
    components,
    named,
    plainly,
    screen,
    shown,
)

COVERED = [("A", 4, 4), ("B", 2, 0), ("C", 0, 0)]
VACANCY = "What was the net absorption, and the vacancy in the district"


def text_of(turn: dict[str, object]) -> str:
    """The words of a turn's answer, its citations left out."""

    def words(node: object) -> str:
        if isinstance(node, dict):
            return str(node.get("text", "")) + "".join(words(each) for each in node.values())
        return "".join(words(each) for each in node) if isinstance(node, list) else ""

    return words(turn["nodes"])


def test_what_was_looked_for_instead_is_a_note_told_once() -> None:
    told = taken_for([("indemnifcation", "indemnification")])
    answer = Answer("Yes.", "extractive", warnings=(told, "Look there too."))
    drawn = turn_of(answer)
    assert (drawn["notes"], drawn["warnings"]) == ([told], ["Look there too."])
    assert turn_of(answer, told={told})["notes"] == []


def test_the_first_screen_says_what_to_do(empty_app: AppTest) -> None:
    empty_app.run()
    assert not empty_app.exception
    assert [each.value for each in empty_app.header] == ["Ask your documents"]
    assert empty_app.button(key="open_samples").label == "Open the samples"
    assert empty_app.chat_input[0].disabled
    assert empty_app.chat_input[0].placeholder == "Add a document first"


def test_an_answer_comes_first_with_its_pages_and_sources(app: AppTest) -> None:
    turn = asked(app, VACANCY)
    assert "4.1%" in text_of(turn)
    first = turn["pills"][0]
    assert (first["name"], first["where"], first["sign"]) == ("Harbour Review", "p. 1", "")
    assert "4.1%" in first["quote"]
    assert first["told"] == "stands on the page. Open the page."
    assert turn["sources"][0]["scores"]
    assert {line["document"] for line in turn["coverage"]} == {REVIEW, TERMS}
    assert turn["searches"] == [{"query": VACANCY, "where": ""}]
    for line, kept in zip(turn["coverage"], newest(app).coverage, strict=True):
        assert (line["passages"], line["cited"]) == (f"{kept.used} of {kept.seen}", kept.cited)
    assert sum(line["cited"] for line in turn["coverage"]) > 0
    assert turn["checks"]["summary"] == "Word for word from the page."
    assert turn["footer"][0] == "Quoted from the documents, without a language model"
    assert turn["steps"] == []  # the coverage names the search
    assert VACANCY in [each.value for each in app.text]


def test_text_from_a_document_is_shown_exactly(app: AppTest) -> None:
    turn = asked(app, "What is the fee cap?")
    assert HOSTILE in text_of(turn)
    assert turn["verbatim"]
    passages = "\n".join(source["text"] for source in turn["sources"])
    assert HOSTILE in passages
    assert HOSTILE not in "\n".join(str(each.value) for each in app.markdown)


def with_settings(app: AppTest) -> AppTest:
    app.session_state["settings"] = True
    return app.run()


def with_advanced(app: AppTest) -> AppTest:
    app.session_state["advanced"] = True
    return with_settings(app)


def with_list(app: AppTest) -> AppTest:
    app.session_state["conversations"] = True
    return app.run()


def newest(app: AppTest) -> Answer:
    conversation_id = screen(app).conversation_id
    assert conversation_id is not None
    answer = state.workspace().conversations.messages(conversation_id)[-1].answer
    assert answer is not None
    return answer


def test_a_citation_opens_its_page_with_its_blocks_marked(app: AppTest) -> None:
    asked(app, VACANCY)
    chat.open_from(screen(app), newest(app), "cite", 0)
    app.run()
    [page] = components(app, "page")
    assert page["alt"] == f"{REVIEW}, page 1"
    assert page["src"].startswith("data:image/jpeg;base64,")
    assert [mark["kind"] for mark in page["marks"]][:1] == ["opened"]
    assert page["marks"][0]["number"] == 1
    for left, top, width, height in (mark["box"] for mark in page["marks"]):
        assert 0 <= left < left + width <= 100
        assert 0 <= top < top + height <= 100


def test_sources_and_coverage_open_their_pages_too(app: AppTest) -> None:
    turn = asked(app, VACANCY)
    answer, here = newest(app), screen(app)
    for n, source in enumerate(turn["sources"]):
        chat.open_from(here, answer, "source", n)
        assert here.place is not None
        assert here.place.blocks == answer.evidence[n].hit.chunk.blocks
        assert source["text"] == answer.evidence[n].hit.chunk.text
    for n, line in enumerate(turn["coverage"]):
        chat.open_from(here, answer, "cover", n)
        place = here.place
        assert place is not None
        assert (place.document_id, place.page) == (named(line["document"]).id, line["page"])


def test_the_reader_turns_pages_and_shows_the_text(app: AppTest) -> None:
    screen(app).open(named(TERMS).id, 1)
    app.run()
    [turning] = components(app, "turning")
    assert (turning["page"], turning["pages"]) == (1, 3)
    assert viewer.go_to(screen(app), "3", 3, [])
    app.run()
    assert [each["page"] for each in components(app, "page")] == [3]
    assert [each["page"] for each in components(app, "turning")] == [3]
    app.segmented_control(key="reader_side").set_value("Text").run()
    [leaf] = components(app, "leaf")
    assert "State of New York" in json.dumps(leaf["parts"])
    app.button(key="close_reader").click().run()
    assert not components(app, "page")


def test_follow_ups_stay_in_their_conversation_and_a_new_one_begins_empty(app: AppTest) -> None:
    asked(app, VACANCY)
    asked(app, "Which law governs?")
    assert len(components(app, "turn")) == 2
    app.button(key="new_conversation").click().run()
    assert not components(app, "turn")
    asked(app, "What is the fee cap?")
    kept = state.workspace().conversations.all()
    assert {each.title for each in kept} == {VACANCY, "What is the fee cap?"}
    [first] = [each.id for each in kept if each.title == VACANCY]
    with_list(app).button(key=f"open-{first}").click().run()
    assert not app.session_state["conversations"]
    assert "4.1%" in text_of(components(app, "turn")[0])


def test_a_conversation_is_renamed_and_deleted(app: AppTest) -> None:
    asked(app, VACANCY)
    opened = screen(app).conversation_id
    with_list(app).text_input(key=f"title-{opened}").set_value("Vacancy *2024*").run()
    catalog = state.workspace().resources.catalog
    assert [each.title for each in catalog.conversations.all()] == ["Vacancy *2024*"]
    with_list(app).button(key="delete_talk").click().run()
    assert catalog.conversations.all() == []
    assert not components(app, "turn")


def test_answers_survive_a_new_session(app: AppTest) -> None:
    before = asked(app, VACANCY)
    [kept] = state.workspace().conversations.all()
    again = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    assert screen(again).conversation_id == kept.id
    [after] = components(again, "turn")
    assert after["nodes"] == before["nodes"]
    assert after["pills"] == before["pills"]
    assert after["sources"] == before["sources"]


def test_a_sample_question_is_one_click_away(app: AppTest) -> None:
    app.button(key="sample-0").click().run()
    asking = screen(app).asking
    assert asking is not None
    asking.wait(SECONDS)
    app.run()
    assert len(components(app, "turn")) == 1


def test_a_long_question_is_a_title_that_is_told_to_be_cut(app: AppTest) -> None:
    asked(app, f"{VACANCY} {'And which of the buildings is it about, and where? ' * 3}")
    [kept] = state.workspace().conversations.all()
    assert kept.title.startswith(VACANCY[:50])
    assert kept.title.endswith("…")
    assert len(kept.title) <= 60


def test_only_the_chosen_documents_are_asked(app: AppTest) -> None:
    app.checkbox(key=f"ask-{named(REVIEW).id}").uncheck().run()
    assert app.chat_input[0].placeholder == "Ask 1 of 2 documents"
    turn = asked(app, VACANCY)
    assert {line["document"] for line in turn["coverage"]} == {TERMS}
    assert {source["document"] for source in turn["sources"]} == {TERMS}


def test_with_no_document_chosen_nothing_is_asked(app: AppTest) -> None:
    app.button(key="choose_all").click().run()
    app.chat_input[0].set_value(VACANCY).run()
    assert screen(app).asking is None
    assert "Select at least one" in shown(app)
    app.button(key="choose_all").click().run()
    assert screen(app).left_out == set()


def test_claude_without_a_key_says_so_and_offers_quotes(app: AppTest) -> None:
    with_settings(app).segmented_control(key="answerer").set_value("claude").run()
    app.chat_input[0].set_value(VACANCY).run()
    asking = screen(app).asking
    assert asking is not None
    asking.wait(SECONDS)
    app.run()
    assert "There is no API key" in app.error[0].value.replace("\u2060", "")
    app.button(key="again_quotes").click().run()
    again = screen(app).asking
    assert again is not None
    again.wait(SECONDS)
    app.run()
    assert "4.1%" in text_of(components(app, "turn")[-1])


def test_stopping_ends_it_and_says_so(app: AppTest) -> None:
    """The answerer waits for ever after its first words; stopping does not wait for it."""
    more = threading.Event()

    def slow() -> Events:
        yield Searching("vacancy")
        yield TextDelta("The vacancy [S1")
        more.wait(SECONDS)
        yield TextDelta("never shown")

    asking = Asking("How long?", slow)
    screen(app).asking = asking
    asking.start()
    while not asking.text:
        time.sleep(0.01)
    app.run()
    turn = components(app, "turn")[-1]
    assert turn["running"]
    assert text_of(turn) == "The vacancy "
    app.button(key="stop").click().run()
    assert "Stopped" in shown(app)
    more.set()
    asking.wait(SECONDS)
    assert asking.text == "The vacancy [S1"


def test_a_stopped_answer_is_kept_as_a_part(app: AppTest) -> None:
    """A model that writes for a long time is stopped; the part is there in a new session too."""
    long = Turn([text("It is 4.1% " + "and so on " * 2000)], delay=0.005)
    with MessagesServer(long) as server:
        asking_a_model(app, server).toggle(key="look_first").set_value(False).run()
        app.chat_input[0].set_value(VACANCY).run()
        asking = screen(app).asking
        assert asking is not None
        while asking.running and "and so" not in asking.text:
            time.sleep(0.01)
        asking.stop()
        finish(app)
    again = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    for turn in (components(app, "turn")[-1], components(again, "turn")[-1]):
        assert turn["partial"] == PARTIAL
        assert "It is 4.1% and so" in text_of(turn)
        assert str(AnswerStopped()) in turn["warnings"]


def test_a_key_typed_in_stays_in_memory(app: AppTest, tmp_path: Path) -> None:
    with_settings(app).text_input(key="api_key").set_value("sk-secret-4711").run()
    assert screen(app).api_key == "sk-secret-4711"
    with_settings(app).segmented_control(key="answerer").set_value("extractive").run()
    asked(app, VACANCY)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"sk-secret-4711" not in kept
    assert "sk-secret-4711" not in shown(app)
    app.session_state["settings"] = False
    app.run()
    assert screen(app).api_key == "sk-secret-4711"
    with_settings(app).button(key="forget_key").click().run()
    assert screen(app).api_key == ""
    assert app.text_input(key="api_key").value == ""


def asking_a_model(app: AppTest, server: MessagesServer) -> AppTest:
    """With a key and that server; what would be sent is shown before it is."""
    with_settings(app).text_input(key="base_url").set_value(server.url).run()
    app.text_input(key="api_key").set_value("sk-test").run()
    return app.toggle(key="look_first").set_value(True).run()


def test_what_would_be_sent_is_seen_first_and_not_sent_unasked(app: AppTest) -> None:
    with MessagesServer(Turn([text("It is 4.1%.")])) as server:
        asking_a_model(app, server).chat_input[0].set_value(VACANCY).run()
        [seen] = components(app, "turn")
        assert any("4.1%" in source["text"] for source in seen["sources"])
        assert "Nothing has been sent yet" in plainly(app)
        assert re.search(
            rf"To {DEFAULTS.answering.model} at {server.url}/v1/messages would go about "
            r"[\d,]+ tokens: "
            r"about US\$0\.\d{4}, at most US\$0\.\d{4} with the first answer",
            plainly(app),
        )
        app.button(key="unsend").click().run()
        assert not components(app, "turn")
        assert server.requests == []
        app.chat_input[0].set_value(VACANCY).run()
        request = json.loads(app.code[0].value)
        app.button(key="send").click().run()
        finish(app)
        assert server.requests[0] == {**request, "stream": True}
    assert "It is 4.1%." in text_of(components(app, "turn")[-1])
    assert state.workspace().conversations.all()[0].title == VACANCY


def test_a_comparison_is_seen_before_it_is_sent_too(app: AppTest) -> None:
    question = f"Compare {REVIEW} and {TERMS}"
    with MessagesServer(Turn([text("Both are short.")])) as server:
        asking_a_model(app, server).chat_input[0].set_value(question).run()
        request = json.loads(app.code[0].value)
        assert server.requests == []
        app.button(key="send").click().run()
        finish(app)
        assert server.requests[0] == {**request, "stream": True}
    spent = state.workspace().ledger.spent(conversation_id=screen(app).conversation_id or "")
    assert spent.requests == 1


def test_hidden_words_are_not_sent_and_stand_in_the_answer(app: AppTest) -> None:
    with MessagesServer(Turn([text("REDACTED-1 has 4.1%.")])) as server:
        asking_a_model(app, server).multiselect(key="redact").set_value(["Harbour"]).run()
        app.chat_input[0].set_value(VACANCY).run()
        told = re.search(r"Harbour is hidden (\d+) times, as REDACTED-1", plainly(app))
        assert told is not None
        assert app.code[0].value.count("REDACTED-1") == int(told[1]) > 1
        assert "harbour" not in app.code[0].value.casefold()
        app.button(key="send").click().run()
        finish(app)
        assert "harbour" not in json.dumps(server.requests).casefold()
    assert "Harbour has 4.1%." in text_of(components(app, "turn")[-1])
    assert screen(app).settings.server.redact == ("Harbour",)


def test_what_was_spent_is_told_for_the_answer_the_conversation_and_the_day(app: AppTest) -> None:
    ledger = state.workspace().ledger
    ledger.note(Usage(1000, cost_usd=Decimal("0.40")), model="claude-sonnet-5-5")
    with MessagesServer(Turn([text("It is 4.1%.")])) as server:
        asking_a_model(app, server).toggle(key="look_first").set_value(False).run()
        app.number_input(key="budget_usd").set_value(2.0).run()
        turn = asked(app, VACANCY)
    cost = newest(app).usage.cost_usd
    assert cost is not None
    assert f"US${cost:.4f}" in turn["footer"]
    told = f"This conversation US${cost:.4f} · today US${cost + Decimal('0.40'):.4f} of US$2.00"
    assert told in plainly(app)
    app.session_state["costs"] = True
    assert f"This conversation: US${cost:.4f}, 1 request, " in shown(app.run())
    assert "2 requests" in shown(app)


def test_prices_are_dated_and_can_be_ones_own(app: AppTest) -> None:
    app.session_state["costs"] = True
    app.run().button(key="show_prices").click().run()
    [table] = [each.value for each in app.table]
    assert f"as Anthropic listed them on {PRICES_OF}" in plainly(app)
    assert table["Model"].tolist() == list(PRICES)
    assert set(table["From"]) == {PRICES_OF}
    app.text_input(key="priced_model").set_value("local-one")
    app.number_input(key="price_input").set_value(0.5)
    app.button(key="keep_price").click().run()
    price = state.workspace().ledger.prices()["local-one"]
    assert (price.input, price.output) == (Decimal("0.5"), Decimal("0.0"))
    assert app.table[0].value["From"].tolist()[-1] == "you"
    app.button(key="drop_price").click().run()
    assert "local-one" not in state.workspace().ledger.prices()


def test_an_answer_that_broke_off_is_kept_and_marked_as_a_part(app: AppTest) -> None:
    with MessagesServer(Turn([text("It is 4.1% and ")], end="truncated")) as server:
        asking_a_model(app, server).toggle(key="look_first").set_value(False).run()
        turn = asked(app, VACANCY)
    assert "It is 4.1% and" in text_of(turn)
    assert turn["partial"] == PARTIAL
    assert any("cut off" in warning for warning in turn["warnings"])
    again = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    assert components(again, "turn")[-1]["partial"] == PARTIAL
    assert f"> {PARTIAL}" in turn["save"]


def finish(app: AppTest) -> None:
    """Wait until the question under way has been answered, and draw the page."""
    asking = screen(app).asking
    assert asking is not None
    asking.wait(SECONDS)
    app.run()


def test_settings_reach_the_search(app: AppTest) -> None:
    with_advanced(app).slider(key="top_k").set_value(3).run()
    app.selectbox(key="mmr").set_value("never").run()
    assert screen(app).settings == adjust(DEFAULTS, top_k=3, mmr="never")
    assert "mmr_lambda" not in [each.key for each in app.slider]
    turn = asked(app, VACANCY)
    assert 0 < len(turn["sources"]) <= 3
    assert not any("variety" in stage for s in turn["sources"] for stage, _ in s["scores"])


def test_a_search_without_the_reranker_has_no_scores_of_it(app: AppTest) -> None:
    with_advanced(app)
    [used] = [each.name for each in installation.model_statuses() if each.used]
    assert f"With {used}." in shown(app)
    with_it = asked(app, VACANCY)
    app.toggle(key="use_reranker").set_value(False).run()
    assert f"With {used}." not in shown(app)
    without = asked(app, VACANCY)
    stages = [
        {stage for s in turn["sources"] for stage, _ in s["scores"]} for turn in (with_it, without)
    ]
    assert STAGES["rerank"] in stages[0]
    assert STAGES["rerank"] not in stages[1]
    assert STAGES["rrf"] in stages[1]


def test_a_question_over_several_documents_takes_its_own_number_of_passages(app: AppTest) -> None:
    with_advanced(app).slider(key="synthesis_top_k").set_value(5).run()
    assert screen(app).settings == adjust(DEFAULTS, synthesis_top_k=5)
    found = state.workspace().search("Summarize all documents", settings=screen(app).settings)
    assert found.plan.question.several
    assert 0 < len(found.hits) <= 5


def test_the_key_goes_in_the_header_that_was_chosen(app: AppTest) -> None:
    with MessagesServer(Turn([text("It is 4.1%.")])) as server:
        with_advanced(app).text_input(key="base_url").set_value(server.url).run()
        app.selectbox(key="key_header").set_value("x-api-key").run()
        app.text_input(key="api_key").set_value("sk-test").run()
        asked(app, VACANCY)
    assert server.headers[0]["x-api-key"] == "sk-test"
    assert "authorization" not in server.headers[0]


def test_a_spent_budget_sends_nothing_more(app: AppTest) -> None:
    state.workspace().ledger.note(Usage(cost_usd=Decimal("0.40")), model="claude-sonnet-5-5")
    with MessagesServer(Turn([text("It is 4.1%.")])) as server:
        with_settings(app).text_input(key="base_url").set_value(server.url).run()
        app.number_input(key="budget_usd").set_value(0.25).run()
        app.text_input(key="api_key").set_value("sk-test").run()
        app.chat_input[0].set_value(VACANCY).run()
        finish(app)
        assert server.requests == []
    assert "budget" in app.error[0].value.casefold()


def test_questions_are_suggested_from_what_the_documents_hold(app: AppTest) -> None:
    labels = [str(each.label) for each in app.button if str(each.key).startswith("sample-")]
    offered = [label.replace("\u2060", "").replace("\\", "") for label in labels]
    assert 2 <= len(offered) <= 4
    assert any("say about “" in question for question in offered)
    assert offered[-1].startswith("Compare Harbour Review and ")


def nothing() -> Events:
    yield from ()


def test_labels_of_passages_are_not_shown_while_an_answer_arrives() -> None:
    asking = Asking("What is it?", nothing)
    asking.text = "It is 4.1% [S1.2][S3, S4]. It was 3 [sic]."
    told = text_of(turn_under_way(asking))
    assert told == "It is 4.1% . It was 3 [sic]."


def test_documents_that_nothing_came_up_from_are_not_called_searched() -> None:
    lines = tuple(Coverage(each, each, seen, used, 0.5, 1) for each, seen, used in COVERED)
    told = turn_of(Answer("It is 4.1%.", "claude", coverage=lines))["coverage_summary"]
    assert told == "Passages used from 1 of 2 documents; nothing relevant in 1 other"


def test_a_conversation_that_another_tab_deleted_is_not_asked_on(app: AppTest) -> None:
    asked(app, VACANCY)
    gone = screen(app).conversation_id
    assert gone is not None
    with_list(app)
    state.workspace().conversations.remove(gone)
    app.text_input(key=f"title-{gone}").set_value("Renamed too late").run()
    assert not app.exception
    assert screen(app).conversation_id is None
    turn = asked(app, VACANCY)
    assert "4.1%" in text_of(turn)
    assert screen(app).conversation_id not in (None, gone)


class Ending(Asking):
    """An answer that ends while the page is drawn, after it was looked at so many times."""

    looks = 2

    @property
    def busy(self) -> bool:
        return self.running

    @property
    def running(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


def test_an_answer_that_ends_while_the_page_is_drawn_is_shown(app: AppTest) -> None:
    screen(app).asking = asking = Ending(VACANCY, nothing)
    asking.result = Answer("It is 4.1%.", "claude")
    app.run()
    assert screen(app).asking is None
    assert not app.chat_input[0].disabled


def test_a_question_that_cannot_be_asked_stays_in_its_field(app: AppTest) -> None:
    app.button(key="choose_all").click().run()
    question = "What was the vacancy at the end of 2024?"
    app.chat_input[0].set_value(question).run()
    assert questions.NONE_CHOSEN in shown(app)
    assert app.chat_input[0].proto.value == question
    app.button(key="choose_all").click().run()
    assert questions.NONE_CHOSEN not in shown(app)


def test_an_answer_from_a_half_read_document_is_offered_again_once_it_is_read(app: AppTest) -> None:
    catalog = state.workspace().resources.catalog
    whole = named(TERMS)
    catalog.amend(replace(whole, waiting_pages=1))
    turn = asked(app, "What was the vacancy at the end of 2024?")
    sentence = f"{spoken_name(TERMS)} was not yet read in full; this answer may be incomplete."
    assert sentence in turn["warnings"]
    assert "ask_once_read" not in {each.key for each in app.button}
    catalog.amend(whole)
    app.run()
    app.button(key="ask_once_read").click().run()
    asking = screen(app).asking
    assert asking is not None
    asking.wait()
    app.run()
    assert sentence not in components(app, "turn")[-1]["warnings"]
    assert "ask_once_read" not in {each.key for each in app.button}
