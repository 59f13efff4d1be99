"""Measuring on one's own questions, and why something was not found."""

import json

from docqa.types.evaluation import AnswerEvaluation, Evaluation, GoldQuestion, Judgement
from docqa.ui import judgements, measure, state, why
from tests.ui.conftest import REVIEW, SECONDS, TERMS, OnPage, named, screen, shown

QUESTION = "Which law governs?"


def measured(app_page: OnPage, *lines: str) -> str:
    app = app_page("measure")
    measure.measure_file("mine.jsonl", "\n".join(lines).encode())
    state.running().measuring.wait(SECONDS)
    app.run()
    assert not app.exception
    return shown(app)


def test_judged_pages_are_measured(on_page: OnPage) -> None:
    app = on_page("measure")
    assert "No page has been judged right in the reader yet." in shown(app)
    state.workspace().judgements.add(Judgement(QUESTION, named(TERMS).id, 3, right=True))
    app.run()
    assert "1 question from pages judged right" in shown(app)
    app.button(key="measure_cases").click().run()
    state.running().measuring.wait(SECONDS)
    app.run()
    found = state.running().measuring.result
    assert isinstance(found, Evaluation)
    assert [each.asked for each in found.judged] == [GoldQuestion(QUESTION, {TERMS: (3,)})] * 2
    assert found.judged[0].rank >= 1
    table = app.dataframe[-1].value
    assert table["Rank"].tolist() == [each.rank for each in found.judged]
    assert table["Right"].tolist() == [f"{TERMS} p. 3"] * 2


def test_a_file_of_questions_is_measured_and_a_bad_one_gets_a_sentence(on_page: OnPage) -> None:
    case = {"document": REVIEW, "question": "What was the vacancy?", "pages": [1]}
    measured(on_page, json.dumps(case))
    assert state.running().measuring.result is not None
    told = measured(on_page, "not json")
    assert "line 1" in told
    assert state.running().measuring.result is None


def test_answers_are_measured_by_their_checks(on_page: OnPage) -> None:
    app = on_page("measure")
    app.session_state["measure_what"] = measure.ANSWERS
    app.run()
    assert "Answered by docqa, with quotes only" in shown(app)
    state.workspace().judgements.add(Judgement(QUESTION, named(TERMS).id, 1, right=True))
    app.run()
    app.button(key="measure_cases").click().run()
    state.running().measuring.wait(SECONDS)
    app.run()
    assert not app.exception
    found = state.running().measuring.result
    assert isinstance(found, AnswerEvaluation)
    assert found.answered.hits == 1
    assert "Answerable questions answered" in str(app.table[-1].value)
    assert app.dataframe[-1].value["Answer"].tolist() == [found.judged[0].text]


def test_a_judgement_is_a_case_in_the_form_a_file_has(on_page: OnPage) -> None:
    on_page("measure")
    state.workspace().judgements.add(Judgement(QUESTION, named(TERMS).id, 3, right=True))
    case = json.dumps(judgements.cases()[0])
    measure.measure_file("x.jsonl", case.encode())
    state.running().measuring.wait(SECONDS)
    found = state.running().measuring.result
    assert isinstance(found, Evaluation)
    assert found.judged[0].asked == GoldQuestion(QUESTION, {TERMS: (3,)})
    assert measure._question(found.judged[0])["Right"] == f"{TERMS} p. 3"


def test_why_something_was_not_found_is_said_in_the_library(on_page: OnPage) -> None:
    app = on_page("library")
    app.session_state["why"] = True
    app.run()
    app.text_input(key="why_question").set_value("What is the fee cap?")
    app.text_input(key="why_phrase").set_value("State of New York")
    app.button(key="why_now").click().run()
    found = screen(app).explanation
    assert found is not None
    assert [(each.document, each.page) for each in found.fates] == [(TERMS, 1)]
    assert app.dataframe[-1].value["Outcome"].tolist() == [found.fates[0].reason]
    why.open_fate(screen(app), found, state.workspace().documents(), [0])
    place = screen(app).place
    assert place is not None
    assert (place.document_id, place.page) == (named(TERMS).id, 1)
    app.text_input(key="why_phrase").set_value("")
    app.button(key="why_now").click().run()
    assert screen(app).explanation is None
    assert app.error
