"""The compare page: picking, comparing, opening what is shown, writing it to a file."""

import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from docqa.errors import AnswerStopped
from docqa.present.as_markdown import as_markdown
from docqa.present.citations import PARTIAL
from docqa.present.comparison import comparison
from docqa.settings import Key, adjust
from docqa.types.answer import Answer
from docqa.types.comparison import (
    Alignment,
    Change,
    Edit,
    Nearest,
    TermComparison,
    TermSide,
)
from docqa.types.document import Chunk, Document
from docqa.ui import answer_view, compare, comparison_view, state
from docqa.ui.state import Screen
from tests import messages_server
from tests.messages_server import MessagesServer, Turn
from tests.present.sample import ALONE, COMPARISON, A, B, C, block, hit
from tests.ui.conftest import (
    APP,
    REVIEW,
    SECONDS,
    TERMS,
    OnPage,
    asked,
    components,
    ended,
    named,
    open_page,
    plainly,
    screen,
    shown,
)


def test_of_three_unlike_documents_no_two_are_proposed(on_page: OnPage, tmp_path: Path) -> None:
    on_page("compare")
    both = state.workspace().documents()
    assert list(compare.two_alike(both)) == both
    path = tmp_path / "Notes.md"
    path.write_text("# Minutes\n\nThe board met on Monday and agreed the minutes.\n")
    state.workspace().add([path])
    assert list(compare.two_alike(state.workspace().documents())) == []


def test_two_documents_are_compared_with_their_pages(on_page: OnPage) -> None:
    app = on_page("compare")
    app.text_input(key="compared_on").set_value("Vacancy")
    app.button(key="compare_now").click().run()
    finished = ended(app)
    assert [each.name for each in finished.documents] == [REVIEW, TERMS]
    [drawn] = components(app, "sides")
    assert [each["short"] for each in drawn["documents"]] == ["DocA", "DocB"]
    assert drawn["pairs"] or any(each["passages"] for each in drawn["only"])
    assert "4.1%" in str(drawn["terms"])
    [words] = components(app, "turn")
    assert {pill["name"] for pill in words["pills"]} <= {"DocA", "DocB"}
    reloaded = open_page("compare", desk=screen(app).desk_id)
    assert screen(reloaded).comparison == finished
    assert screen(open_page("compare")).comparison is None


def test_the_form_is_of_the_comparison_shown(on_page: OnPage) -> None:
    elsewhere = screen(on_page("library"))
    terms, review = named(TERMS), named(REVIEW)
    elsewhere.comparison = replace(
        COMPARISON,
        documents=(terms, review),
        question="Rent",
        pairs=(),
        only_in={},
        figures=(),
        period="2024",
    )
    lines = "from docqa.ui import frame, compare\nframe.draw(compare.page)"
    app = AppTest.from_string(lines, default_timeout=SECONDS)
    app.session_state["screen"] = elsewhere
    app.run()
    assert not app.exception
    assert not app.warning
    assert [app.selectbox(key=f"document_{each}").value for each in "ABC"] == [
        terms.id,
        review.id,
        None,
    ]
    assert app.text_input(key="compared_on").value == "Rent"
    assert app.text_input(key="period").value == "2024"


def test_one_document_twice_is_not_compared(on_page: OnPage) -> None:
    app = on_page("compare")
    app.selectbox(key="document_B").set_value(named(REVIEW).id)
    app.button(key="compare_now").click().run()
    assert screen(app).comparing is None
    assert "Choose two different documents" in shown(app)


def test_with_one_document_the_page_says_what_is_missing(empty_app: AppTest) -> None:
    empty_app.run()
    lines = "from docqa.ui import frame, compare\nframe.draw(compare.page)"
    app = AppTest.from_string(lines, default_timeout=SECONDS).run()
    assert "A comparison needs two or three documents" in shown(app)


def test_the_sides_mark_what_differs() -> None:
    drawn: dict[str, Any] = comparison_view.sides_of(COMPARISON)
    [pair] = drawn["pairs"]
    marked = [
        [p["text"] for line in side["lines"] for p in line[0] if p["differs"]]
        for side in pair["passages"]
    ]
    assert marked == [["$25,000."], ["$31,500."]]
    fee = drawn["figures"][1]
    assert fee["values"] == [None, {"text": "=2%", "where": "p. 2", "value": 2.0}]
    assert fee["note"] == "only one states it"


@pytest.mark.parametrize(
    ("what", "n", "m", "document", "page"),
    [("figure", 0, 1, B, 4), ("pair", 0, 0, A, 2), ("pair", 0, 1, B, 3), ("only", 0, 0, A, 3)],
)
def test_a_click_opens_the_page_behind_it(
    what: str, n: int, m: int, document: Document, page: int
) -> None:
    here = Screen()
    compare.open_side(here, COMPARISON, what, n, m)
    assert here.place is not None
    assert (here.place.document_id, here.place.page) == (document.id, page)
    assert all(each.page == page for each in here.place.blocks)


def test_terms_changes_and_what_is_nearest_are_drawn_and_open_their_pages() -> None:
    near = Nearest(hit(B, "Close to it.", 4), 0.41)
    law = (block("The law of Ohio governs.", 3), block("The law of Utah governs.", 2))
    terms = TermComparison(
        "Law",
        (
            TermSide(A.id, A.name, law[0].text, (law[0],)),
            TermSide(B.id, B.name, law[1].text, (law[1],)),
        ),
        "differs",
    )
    absent = TermComparison(
        "Rent", (TermSide(A.id, A.name, nearest_page=2), TermSide(B.id, B.name)), "only in"
    )
    edits = (Edit("same", "word " * 60), Edit("gone", "30"), Edit("new", "45"))
    changes = (
        Change("unchanged", "", "x", "x"),
        Change("changed", "4.2", "30", "45", (law[0],), (law[1],), edits, figures_changed=True),
    )
    full = replace(
        COMPARISON, terms=(terms, absent), changes=changes, nearest={ALONE.chunk.id: near}
    )
    drawn: dict[str, Any] = comparison_view.sides_of(full)
    marked = [p["text"] for p in drawn["terms"][0]["sides"][0]["parts"] if p["differs"]]
    assert marked == ["Ohio"]
    assert [side["where"] for side in drawn["terms"][1]["sides"]] == ["p. 2", ""]
    [change] = drawn["changes"]
    assert (change["n"], change["where"], change["figures"]) == (1, ["p. 3", "p. 2"], True)
    assert len(change["edits"][0]["text"].split()) == 2 * comparison_view.AROUND + 1
    assert drawn["unchanged"] == 1
    assert drawn["only"][0]["passages"][0]["nearest"]["similarity"] == 0.41
    for what, n, m, document, page in (
        ("term", 0, 1, B, 2),
        ("change", 1, 0, A, 3),
        ("near", 0, 0, B, 4),
    ):
        document_id, blocks = comparison_view.opened(full, what, n, m)
        assert (document_id, blocks[0].page) == (document.id, page)
    assert comparison_view.opened(full, "term", 1, 0) == (A.id, ())
    here = Screen()
    compare.open_side(here, full, "term", 1, 0)
    assert here.place is not None
    assert (here.place.page, here.place.blocks) == (2, ())


def test_the_words_above_the_sides_leave_out_what_the_sides_show() -> None:
    text = "| a |\n| --- |\n\nIn sum.\n\n- Law – one\n\nOnly in A: x."
    quoted = replace(COMPARISON, text=text, summary="In sum.")
    drawn: dict[str, Any] = answer_view.turn_of_comparison(quoted, shown=compare.summary_of(quoted))
    assert "Law" not in str(drawn["nodes"])
    assert "Law – one" in str(drawn["copy"])
    assert [pill["letter"] for pill in drawn["pills"]] == ["A"]
    whole: dict[str, Any] = answer_view.turn_of_comparison(quoted, shown=text)
    assert [pill["letter"] for pill in whole["pills"]] == [""]
    assert compare.summary_of(replace(quoted, answerer="model")) == text
    assert compare.summary_of(replace(quoted, summary="")) == text


def test_the_summary_row_counts_what_there_is_and_what_differs() -> None:
    drawn: dict[str, Any] = comparison_view.sides_of(COMPARISON)
    told = [(each["text"], each["note"]) for each in drawn["counts"]]
    assert told == [
        ("2 figures", "1 different"),
        ("1 passage", "side by side"),
        ("1 passage", "only in DocA"),
    ]
    # what is like another's partner is not in one document only
    near = Nearest(hit(B, "Much the same.", 4), 0.9, alike=True)
    paired = replace(COMPARISON, nearest={ALONE.chunk.id: near})
    drawn = dict(comparison_view.sides_of(paired))
    assert [(each["text"], each["note"]) for each in drawn["counts"]] == told[:2]
    assert drawn["only"][0]["passages"][0]["nearest"]["alike"]


def test_a_table_is_drawn_in_cells_and_a_missing_document_keeps_its_place() -> None:
    rows = tuple(
        replace(block(text, 1), kind="table", table=1) for text in ("Rent | $5", "Term | 9 years")
    )
    tabled = replace(hit(C, "", 1), chunk=Chunk("c:0", C.id, 0, rows, kind="table"))
    pair = Alignment(0.9, (hit(A, "Rent | a | b", 2), tabled))
    drawn: dict[str, Any] = comparison_view.sides_of(
        replace(COMPARISON, documents=(A, B, C), pairs=(pair,), only_in={})
    )
    [one, none, other] = drawn["pairs"][0]["passages"]
    assert (len(one["lines"][0]), none) == (1, None)
    assert [["".join(p["text"] for p in cell) for cell in line] for line in other["lines"]] == [
        ["Rent", "$5"],
        ["Term", "9 years"],
    ]
    assert other["m"] == 1
    assert comparison_view.opened(
        replace(COMPARISON, documents=(A, B, C), pairs=(pair,)), "pair", 0, 1
    )


def test_a_citation_of_a_comparison_is_named_doc_a() -> None:
    drawn: dict[str, Any] = answer_view.turn_of_comparison(COMPARISON)
    assert drawn["pills"][0]["name"] == "DocA"
    assert drawn["copy"] == "Lease A asks more [DocA p. 1]."
    here = Screen()
    compare.open_citation(here, COMPARISON, "cite", 0)
    assert here.place is not None
    assert here.place.document_id == A.id


def test_a_comparison_asked_for_in_the_chat_is_one_and_opens_side_by_side(app: AppTest) -> None:
    turn_drawn = asked(app, "Compare the vacancy in the Harbour Review and the Terms")
    assert ["sides", "Open side by side"] in turn_drawn["actions"]
    here = screen(app)
    assert here.comparison is not None
    assert [each.name for each in here.comparison.documents] == [REVIEW, TERMS]
    comparison = here.comparison
    assert screen(open_page("compare", desk=here.desk_id)).comparison == comparison
    kept = Answer(comparison.text, comparison.answerer, comparison.citations)
    assert compare.actions(kept) == [("sides", "Open side by side")]
    assert compare.actions(replace(kept, citations=())) == []


def test_documents_in_doubt_are_asked_about_and_the_chosen_ones_compared(app: AppTest) -> None:
    app.chat_input[0].set_value("Compare Harbour Review and Quantum Group").run()
    assert "No document matches “Quantum Group”." in shown(app)
    assert screen(app).asking is None
    chosen = [named(REVIEW).id, named(TERMS).id]
    app.multiselect(key="compared_documents").set_value(chosen).run()
    app.button(key="compare_these").click().run()
    asking = screen(app).asking
    assert asking is not None
    asking.wait(SECONDS)
    app.run()
    finished = screen(app).comparison
    assert finished is not None
    assert [each.name for each in finished.documents] == [REVIEW, TERMS]
    assert screen(app).undecided is None


def test_a_question_in_doubt_can_be_answered_without_a_comparison(app: AppTest) -> None:
    app.chat_input[0].set_value("Compare Harbour Review and Quantum Group").run()
    app.button(key="compare_none").click().run()
    asking = screen(app).asking
    assert asking is not None
    asking.wait(SECONDS)
    assert isinstance(asking.result, Answer)


# Written up by a model


def with_a_model(app: AppTest, server: MessagesServer, **settings: Any) -> AppTest:
    """A key and that server; what would be sent is shown before it is."""
    here = screen(app)
    here.api_key, here.look_first = Key("sk-test"), True
    here.settings = adjust(here.settings, base_url=server.url, **settings)
    app.text_input(key="compared_on").set_value("Vacancy")
    return app.button(key="compare_now").click().run()


def test_what_would_be_sent_is_seen_first_and_hidden_words_are_not_in_it(on_page: OnPage) -> None:
    with MessagesServer(Turn([messages_server.text("REDACTED-1 has more.")])) as server:
        app = with_a_model(on_page("compare"), server, redact=("Harbour",))
        assert "Nothing has been sent yet" in plainly(app)
        assert re.search(r"about [\d,]+ tokens: about US\$0\.\d+, at most US\$0\.\d+", plainly(app))
        assert re.search(r"Harbour is hidden \d+ times, as REDACTED-1", plainly(app))
        assert components(app, "turn")[0]["sources"]
        request = json.loads(app.code[0].value)
        app.button(key="unsend").click().run()
        assert (components(app, "turn"), server.requests) == ([], [])
        app.button(key="compare_now").click().run()
        app.button(key="send").click().run()
        finished = ended(app)
        assert server.requests == [{**request, "stream": True}]
    assert "harbour" not in json.dumps(server.requests).casefold()
    assert finished.text == "Harbour has more."
    assert screen(app).uncompared is None


def test_a_comparison_can_be_had_without_sending_what_was_seen(on_page: OnPage) -> None:
    with MessagesServer(Turn([messages_server.text("Never asked.")])) as server:
        app = with_a_model(on_page("compare"), server)
        button = app.button(key="send_nothing")
        assert button.label == "Compare without a model"
        button.click().run()
        assert ended(app).answerer == "extractive"
        assert server.requests == []


def test_a_spent_budget_sends_no_comparison(on_page: OnPage) -> None:
    with MessagesServer(Turn([messages_server.text("Never asked.")])) as server:
        app = with_a_model(on_page("compare"), server, budget_usd=0.000001)
        app.button(key="send").click().run()
        finished = ended(app)
        assert (finished.answerer, server.requests) == ("extractive", [])
    assert "budget for today" in " ".join(finished.warnings)


def test_a_comparison_that_is_stopped_is_kept_as_a_part(on_page: OnPage) -> None:
    long = Turn([messages_server.text("Both fell " + "and so on " * 2000)], delay=0.005)
    with MessagesServer(long) as server:
        app = with_a_model(on_page("compare"), server)
        app.button(key="send").click().run()
        comparing = screen(app).comparing
        assert comparing is not None
        while comparing.running and "and so" not in comparing.text:
            time.sleep(0.01)
        app.run().button(key="stop_comparing").click().run()
        finished = ended(app)
        assert server.hung_up.wait(2)
    assert finished.partial
    assert finished.text.startswith("Both fell and so")
    assert any(finished.only_in.values())  # what was computed is whole
    assert components(app, "turn")[0]["partial"] == PARTIAL
    [drawn] = components(app, "sides")
    assert drawn["documents"]
    assert PARTIAL in as_markdown(comparison(compare.record_of(finished)))


def test_a_comparison_in_the_chat_that_is_stopped_is_kept_as_a_part(app: AppTest) -> None:
    """Its conversation has the part, also in a new session."""
    long = Turn([messages_server.text("Both fell " + "and so on " * 2000)], delay=0.005)
    with MessagesServer(long) as server:
        here = screen(app)
        here.api_key = Key("sk-test")
        here.settings = adjust(here.settings, base_url=server.url)
        app.chat_input[0].set_value(f"Compare {REVIEW} and {TERMS}").run()
        asking = here.asking
        assert asking is not None
        while asking.running and "and so" not in asking.text:
            time.sleep(0.01)
        asking.stop()
        asking.wait(SECONDS)
        app.run()
    again = AppTest.from_file(str(APP), default_timeout=SECONDS).run()
    for drawn in (components(app, "turn")[-1], components(again, "turn")[-1]):
        assert drawn["partial"] == PARTIAL
        assert str(AnswerStopped()) in drawn["warnings"]


def test_the_lines_compared_are_chosen_and_the_choice_is_kept(on_page: OnPage) -> None:
    app = on_page("compare")
    app.text_input(key="compared_on").set_value("")
    app.button(key="compare_now").click().run()
    whole = ended(app)
    dropped, *others = whole.lines
    assert app.multiselect(key="chosen_lines").value == list(whole.lines)
    app.multiselect(key="chosen_lines").unselect(dropped).run()
    chosen = screen(app).comparison
    assert chosen is not None
    assert chosen.lines == tuple(others)
    [drawn] = components(app, "sides")
    assert dropped not in [
        *(row["label"] for row in drawn["figures"]),
        *(row["topic"] for row in drawn["terms"]),
    ]
    assert f"\n| {dropped} |" not in as_markdown(comparison(compare.record_of(chosen)))
    reloaded = open_page("compare", desk=screen(app).desk_id)
    assert screen(reloaded).comparison == chosen
    reloaded.multiselect(key="chosen_lines").set_value(list(whole.lines)).run()
    assert screen(reloaded).comparison == whole


def test_a_comparison_is_made_of_the_period_that_is_set(on_page: OnPage) -> None:
    app = on_page("compare")
    app.text_input(key="compared_on").set_value("Vacancy")
    app.text_input(key="period").set_value("2024")
    app.button(key="compare_now").click().run()
    finished = ended(app)
    assert finished.period == "2024"
