"""The page Review: a review begun, its table drawn, and cells settled."""

from dataclasses import replace
from typing import Any

from docqa.present import export
from docqa.present.document import Picture
from docqa.present.evidence import of_review
from docqa.settings import Key, adjust
from docqa.types.review import Column, Review
from docqa.ui import (
    judgements,
    review,
    review_cell,
    review_columns,
    review_rows,
    review_start,
    saving,
    state,
)
from tests.messages_server import MessagesServer, Turn, text
from tests.ui.conftest import (
    REVIEW,
    SECONDS,
    TERMS,
    OnPage,
    components,
    named,
    plainly,
    screen,
    shown,
)

VACANCY = Column("Vacancy", "What was the vacancy at the end of 2024?", "figure")
LAW = Column("Governing law", "Which law governs?", "clause")


def made(*columns: Column) -> Review:
    """A review of both documents, filled."""
    reviews = state.workspace().reviews
    found = reviews.create("Terms", columns or (VACANCY, LAW))
    reviews.fill(found.id)
    reviews.wait(found.id, SECONDS)
    return reviews.get(found.id)


def table(app: Any) -> dict[str, Any]:
    return components(app, "review_table")[-1]


def test_a_review_is_begun_with_questions_of_ones_own(on_page: OnPage) -> None:
    app = on_page("review")
    assert not app.exception
    app.selectbox[0].set_value(review_start.OWN).run()
    app.text_area(key="review_questions").set_value(f"{LAW.question}\n\nWho pays?").run()
    app.button(key="begin_review").click().run()
    [found] = state.workspace().reviews.all()
    assert [each.question for each in found.columns] == [LAW.question, "Who pays?"]
    state.workspace().reviews.wait(found.id, SECONDS)
    app.run()
    assert not app.exception
    drawn = table(app)
    assert [each["name"] for each in drawn["rows"]] == ["Harbour Review", "Terms $5 to $9 *draft*"]
    assert drawn["told"].startswith("2 documents, 2 questions")


def test_what_was_entered_for_a_review_stays_when_other_documents_are_chosen(
    on_page: OnPage,
) -> None:
    app = on_page("review")
    suggested = app.selectbox[0].value
    app.selectbox[0].set_value(review_start.OWN).run()
    app.text_area(key="review_questions").set_value("Who pays?").run()
    app.radio(key="review_new_rows").set_value(review_rows.CHOSEN).run()
    app.multiselect(key="review_new_chosen").set_value([named(REVIEW).id]).run()
    app.radio(key="review_new_rows").set_value(review_rows.ALL).run()
    app.radio(key="review_new_rows").set_value(review_rows.CHOSEN).run()
    assert app.multiselect(key="review_new_chosen").value == [named(REVIEW).id]
    app.radio(key="review_new_rows").set_value(review_rows.ALL).run()
    assert app.selectbox[0].value == review_start.OWN
    assert app.text_area(key="review_questions").value == "Who pays?"
    app.selectbox[0].set_value(suggested).run()
    app.selectbox[0].set_value(review_start.OWN).run()
    assert app.text_area(key="review_questions").value == "Who pays?"


def test_a_column_is_called_by_whole_words_of_its_question() -> None:
    asked = "What is the notice period for termination?\n\nWho pays?"
    titles = [each.title for each in review_start.questions_in(asked)]
    assert titles == ["What is the notice period for …", "Who pays"]


def test_without_a_question_it_says_so(on_page: OnPage) -> None:
    app = on_page("review")
    app.selectbox[0].set_value(review_start.OWN).run()
    app.button(key="begin_review").click().run()
    assert "A review needs a question" in shown(app)
    assert state.workspace().reviews.all() == []


def test_the_table_shows_values_states_and_places(on_page: OnPage) -> None:
    on_page("review")
    found = made()
    app = on_page("review")
    drawn = table(app)
    assert [each["title"] for each in drawn["columns"]] == ["Vacancy", "Governing law"]
    rows = {each["name"]: each["cells"] for each in drawn["rows"]}
    vacancy, law = rows["Terms $5 to $9 *draft*"]
    assert (vacancy["value"], vacancy["sort"], vacancy["place"]) == ("5.3%", 5.3, "p. 2")
    assert "State of New York" in law["value"]
    assert drawn["words"][law["state"]] == "found"
    hidden = replace(found, hidden=(found.columns[0].id,), frozen=(found.columns[1].id,))
    state.workspace().reviews.change(found.id, lambda _: hidden)
    [column] = table(app.run())["columns"]
    assert (column["title"], column["frozen"]) == ("Governing law", True)


def test_an_uncertain_cell_is_called_so_in_the_table_and_its_filter(on_page: OnPage) -> None:
    on_page("review")
    made(replace(VACANCY, title="Vacancy rate"))  # a ratio that is not worked out
    drawn = table(on_page("review"))
    assert {each["cells"][0]["state"] for each in drawn["rows"]} == {"likely"}
    assert drawn["names"] == {"likely": "uncertain"}
    assert "2 uncertain" in drawn["told"]


def test_of_a_cell_that_waits_nothing_but_that_is_sent(on_page: OnPage) -> None:
    on_page("review")
    state.workspace().reviews.create("Terms", (VACANCY,))
    cells = [each["cells"] for each in table(on_page("review"))["rows"]]
    assert cells == 2 * [[{"state": "waiting"}]]


def test_a_cell_opens_at_its_boxes_and_is_settled(on_page: OnPage) -> None:
    on_page("review")
    found = made()
    app = on_page("review")
    here, document = screen(app), named(TERMS)
    place = (document.id, found.columns[1].id)
    now = state.workspace().reviews.table(found.id)
    cited = now.cell(*place).found
    assert cited is not None
    here.open(document.id, 1)
    here.review_cell = place
    app.run()
    assert not app.exception
    assert "It stands on the page, word for word." in shown(app)
    app.button(key="ruling-Accept").click().run()
    assert state.workspace().reviews.table(found.id).cell(*place).state == "accepted"
    app.button(key="ruling-Take back").click().run()
    app.button(key="ruling-Not in the document").click().run()
    assert state.workspace().reviews.table(found.id).cell(*place).state == "not in the document"


def test_the_reader_opens_where_the_finding_stands(on_page: OnPage, monkeypatch: Any) -> None:
    on_page("review")
    found = made()
    now = state.workspace().reviews.table(found.id)
    here = state.Screen(page="review")
    monkeypatch.setattr(review_cell, "screen", lambda: here)
    place = (named(TERMS).id, found.columns[1].id)
    review_cell.open_cell(now, place)
    assert here.place is not None
    assert (here.place.page, here.review_cell) == (3, place)
    assert here.place.blocks
    assert here.place.question == LAW.question
    review_cell.open_cell(now, ("gone", "gone"))  # removed while it was clicked


def test_a_citation_of_another_document_opens_that_document(
    on_page: OnPage, monkeypatch: Any
) -> None:
    on_page("review")
    found = made()
    here = state.Screen(page="review")
    monkeypatch.setattr(review_cell, "screen", lambda: here)
    now = state.workspace().reviews.table(found.id)
    own, other = named(TERMS), named(REVIEW)
    cell = now.cell(own.id, found.columns[1].id).found
    assert cell is not None
    [cited, *_] = cell.citations
    elsewhere = replace(cited, document_id=other.id, document=other.name, page=2)
    review_cell.open_sources(own.id, [elsewhere, cited], found.columns[1])
    assert here.place is not None
    assert (here.place.document_id, here.place.page) == (other.id, 2)
    assert len(here.place.marked) == 1


def test_columns_saved_by_one_keep_what_another_added(on_page: OnPage) -> None:
    on_page("review")
    reviews = state.workspace().reviews
    before = reviews.create("Terms", (VACANCY, LAW))
    reviews.change(
        before.id, lambda each: replace(each, columns=(*each.columns, replace(LAW, title="Third")))
    )
    first, second = (each.id for each in before.columns)
    review_columns.save(
        before,
        [
            {
                "place": 2,
                "title": "Empty",
                "question": "How many rooms are empty?",
                "kind": "text",
                "id": first,
                "frozen": True,
            },
            {"place": 1, "title": None, "question": "Who pays?", "kind": None, "shown": True},
        ],
    )
    after = reviews.get(before.id)
    assert [each.title for each in after.columns] == ["Who pays", "Empty", "Third"]
    assert second not in {each.id for each in after.columns}
    assert after.columns[1].id == first
    assert after.frozen == (first,)
    assert after.hidden == ()


def test_a_column_that_is_moved_takes_the_place_of_another(on_page: OnPage) -> None:
    on_page("review")
    reviews = state.workspace().reviews
    before = reviews.create("Terms", [replace(LAW, title=each) for each in "ABCD"])
    kept = [
        {"id": each.id, "question": LAW.question, "title": each.title} for each in before.columns
    ]
    for places, titles in (((1, 2, 3, 2), "ADBC"), ((3, 2, 3, 4), "BCAD")):
        moved = [{**row, "place": place} for row, place in zip(kept, places, strict=True)]
        review_columns.save(before, moved)
        assert "".join(each.title for each in reviews.get(before.id).columns) == titles


def test_a_deleted_column_with_settled_cells_is_hidden_instead(on_page: OnPage) -> None:
    on_page("review")
    before = made()
    law = before.columns[1]
    place = (named(TERMS).id, law.id)
    state.workspace().reviews.accept((before.id, *place))
    review_columns.save(before, [{"place": 1, "question": "Who pays?", "shown": True}])
    after = state.workspace().reviews.table(before.id)
    assert [each.title for each in after.review.columns] == ["Who pays", law.title]
    assert after.review.hidden == (law.id,)
    assert after.cell(*place).state == "accepted"


def test_rows_are_taken_out_and_come_back_with_their_cells(on_page: OnPage) -> None:
    on_page("review")
    before = made()
    terms = named(TERMS)
    place = (terms.id, before.columns[1].id)
    kept = state.workspace().reviews.accept((before.id, *place))
    other = [each for each in state.workspace().documents() if each != terms]
    reviews = state.workspace().reviews
    picked = review_rows.Rows(review_rows.CHOSEN, chosen=tuple(each.id for each in other))
    review_rows.save(before.id, picked)
    assert list(reviews.table(before.id).documents) == other
    assert review_rows.rows_of(reviews.get(before.id)) == picked
    review_rows.save(before.id, review_rows.Rows())
    assert reviews.table(before.id).cell(*place) == kept


def test_a_question_about_the_table_is_answered_from_its_cells(on_page: OnPage) -> None:
    on_page("review")
    made()
    app = on_page("review")
    app.text_input(key="ask_table_question").set_value("Which has the highest vacancy?")
    app.button(key="ask_this_table").click().run()
    assert not app.exception
    answer = screen(app).review_answer
    assert answer is not None
    assert answer.answer.text.startswith("Highest Vacancy, of")
    assert answer.places
    app.text_input(key="ask_table_question").set_value("?")
    app.button(key="ask_this_table").click().run()
    assert "There is no question yet" in shown(app)
    assert screen(app).review_answer is None


def test_a_model_s_price_is_told_before_it_fills(on_page: OnPage) -> None:
    with MessagesServer(Turn([text("It is 5.3%.")])) as server:
        app = on_page("review")
        here = screen(app)
        here.api_key = Key("sk-test")
        here.settings = adjust(here.settings, base_url=server.url)
        app.selectbox[0].set_value(review_start.OWN).run()
        app.text_area(key="review_questions").set_value(LAW.question).run()
        app.button(key="begin_review").click().run()
        told = plainly(app)
        assert "Nothing has been sent yet" in told
        assert f"{here.settings.answering.model} at {server.url}" in told
        assert "2 cells, about" in told
        assert server.requests == []
        app.button(key="fill_by_model").click().run()
        [found] = state.workspace().reviews.all()
        state.workspace().reviews.wait(found.id, SECONDS)
        app.run()
        assert not app.exception
        assert server.requests
        assert screen(app).review_price is None


def test_settled_cells_become_questions_to_measure_by(on_page: OnPage) -> None:
    on_page("review")
    found = made()
    reviews = state.workspace().reviews
    reviews.accept((found.id, named(TERMS).id, found.columns[1].id))
    judgements.keep_cells(reviews.table(found.id))
    assert judgements.cases() == [
        {"document": TERMS, "question": LAW.question, "pages": [3]},
    ]


def test_every_export_is_made_of_what_stands_there(on_page: OnPage) -> None:
    on_page("review")
    found = made()
    record = review.record_of(found.id)
    assert record.table.review == found
    for each in export.REVIEW:
        assert each.write(record), each.ending
    parts = saving.evidence_of(of_review(record))
    pictures = [each for each in parts if isinstance(each, Picture)]
    cited = {
        (each.document_id, each.page, each.quote)
        for cell in record.table.cells.values()
        for each in (cell.found.citations if cell.found else ())
    }
    assert len(pictures) == len(cited) > 1
