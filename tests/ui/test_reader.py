"""The reader: what is marked, searching, judging a page, pages that are turned or cropped."""

import base64
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from streamlit.testing.v1 import AppTest

from docqa.types.document import Block, Box, PageHealth
from docqa.types.evaluation import Judgement
from docqa.types.outline import Entry
from docqa.ui import contents, find, judgements, marks, state, viewer
from docqa.ui.state import Marked, Place, Screen, Sought
from tests import pdfs
from tests.ui.conftest import REVIEW, TERMS, asked, components, named, screen, shown

HERE = Box(72.0, 90.0, 540.0, 102.0)
RENT = Block("The rent is $25,000.", 3, HERE, index=4)
FEE = Block("The fee is $9.", 3, HERE, index=5)
LAW = Block("New York law governs.", 4, HERE, index=9)


def test_citations_on_one_page_are_told_apart() -> None:
    place = Place("a", 3, (Marked((FEE,), 2), Marked((RENT, FEE), 1), Marked((LAW,), 3)))
    assert marks.cited(place, []) == [("opened", 2, FEE), ("other", 1, RENT)]
    assert marks.cited(replace(place, page=4), []) == [("other", 3, LAW)]


def test_the_columns_names_are_marked_with_a_row_of_their_table() -> None:
    row, header = replace(RENT, table=2), replace(FEE, table=2, column_header=True, index=3)
    others = [replace(header, table=1), replace(LAW, table=2)]
    place = Place("a", 3, (Marked((row,), 1),))
    assert marks.cited(place, [header, row, *others]) == [("opened", 1, row), ("header", 0, header)]


def test_rows_that_touch_have_one_frame() -> None:
    first, second = Box(72, 100, 540, 112), Box(80, 111, 530, 124)
    apart, beside = Box(72, 160, 540, 172), Box(300, 171, 540, 180)
    found = marks.framed([first, second, apart, beside])
    assert found == [Box(72, 100, 540, 124), Box(72, 160, 540, 180)]
    assert marks.framed([apart, Box(20, 171, 60, 180)]) == [apart, Box(20, 171, 60, 180)]


def test_a_page_is_found_by_its_number_and_by_what_is_printed_on_it() -> None:
    labels = ("i", "ii", "1", "F-2")
    health = [
        PageHealth(n, label, 612, 792, 900, "text layer") for n, label in enumerate(labels, 1)
    ]
    here = Screen()
    here.open("a", 1)

    def turned_to(typed: str) -> int:
        viewer.go_to(here, typed, 4, health)
        return here.place.page if here.place else 0

    assert [turned_to(typed) for typed in ("3", " f-2 ", "ii", "1")] == [3, 4, 2, 1]
    assert not viewer.go_to(here, "5", 4, health)
    assert not viewer.go_to(here, "F-3", 4, health)
    assert turned_to("unheard of") == 1


def test_finds_are_marked_and_the_one_looked_at_stands_out() -> None:
    place = Place("a", 3)
    sought = Sought("the", "a", ((RENT, 0), (FEE, 0), (FEE, 1), (LAW, 0)), 2)
    found = [("found", RENT, 0), ("found", FEE, 0), ("current", FEE, 1)]
    assert marks.found(place, sought) == found
    assert marks.found(place, replace(sought, document_id="b")) == []


def test_words_are_marked_a_line_at_a_time() -> None:
    said = ["The", "net", "rent,", "net", "rent"]
    words = [(word, Box(72 + 40 * n, 90, 104 + 40 * n, 102)) for n, word in enumerate(said)]
    broken = [*words[:4], ("rent", Box(72, 104, 104, 116))]
    assert list(find.word_boxes("NET  rent", words)) == [
        [Box(112, 90, 184, 102)],
        [Box(192, 90, 264, 102)],
    ]
    [_, across] = find.word_boxes("net rent", broken)
    assert across == [Box(192, 90, 224, 102), Box(72, 104, 104, 116)]
    assert list(find.word_boxes("ren", words)) == [[words[2][1]], [words[4][1]]]


def test_words_are_found_as_people_type_them() -> None:
    printed = [
        replace(RENT, text="the tenant\u2019s off\u2010market\u00a0fee \u2013 net"),
        replace(FEE, text="\ufb01nancial"),
        replace(LAW, text="Tenants"),
    ]
    assert list(find.places("TENANT'S  off-market fee - net", printed)) == [(printed[0], 0)]
    assert list(find.places("financial", printed)) == [(printed[1], 0)]
    assert list(find.places("tenant", printed)) == [(printed[0], 0), (printed[2], 0)]


@given(st.text().filter(find.folded))
def test_a_text_is_found_in_itself(text: str) -> None:
    assert list(find.places(text, [replace(RENT, text=f"before {text} after")]))


def test_searching_leads_from_page_to_page_and_around(app: AppTest) -> None:
    document = named(TERMS)
    screen(app).open(document.id, 2)
    app.run()
    app.button(key="seek_in_reader").click().run()
    app.text_input(key="seek").set_value("THE").run()
    sought = screen(app).sought
    assert sought is not None
    texts = [block.text.casefold() for block in state.workspace().contents.blocks(document.id)]
    having = sought.found
    assert len(having) == sum(text.count("the") for text in texts) >= 2
    place = screen(app).place
    assert place is not None
    assert place.page == 2
    [page] = components(app, "page")
    assert "current" in {mark["kind"] for mark in page["marks"]}
    seen = []
    for _ in having:
        seen.append(find.told(screen(app).sought or sought))
        app.button(key="next_match").click().run()
    assert len(set(seen)) == len(having)
    assert find.told(screen(app).sought or sought) == seen[0]
    app.text_input(key="seek").set_value("unheard of").run()
    assert "not found" in shown(app)
    app.button(key="seek_in_reader").click().run()
    assert screen(app).sought is None


def test_the_contents_list_leads_to_a_heading_and_follows_the_page(app: AppTest) -> None:
    document = named(REVIEW)
    entries = state.workspace().contents.outline(document.id)
    screen(app).open(document.id, 2)
    app.run()
    assert app.selectbox(key="contents").value == contents.under(entries, 2)
    app.selectbox(key="contents").set_value(0).run()
    place = screen(app).place
    assert place is not None
    assert place.page == entries[0].page == 1
    assert app.selectbox(key="contents").value == 0


def test_a_page_is_under_what_begins_on_it_or_before_it() -> None:
    entries = [Entry("Rent", 2, 1, 0), Entry("Base rent", 2, 2, 3), Entry("Repairs", 5, 1, 9)]
    assert [contents.under(entries, page) for page in (1, 2, 4, 5, 9)] == [None, 0, 1, 2, 2]


def test_a_judged_page_becomes_a_case_for_the_evaluation(app: AppTest) -> None:
    question = "What was the vacancy at the end of 2024?"
    turn = asked(app, question)
    assert [pill["number"] for pill in turn["pills"]] == list(range(1, len(turn["pills"]) + 1))
    document = named(REVIEW)
    screen(app).open(document.id, 1, question=question)
    app.run()
    [key] = [each for each in (str(e.key) for e in app.segmented_control) if "judged-" in each]
    app.segmented_control(key=key).set_value(True).run()
    catalog = state.workspace().resources.catalog
    assert catalog.judgements.all() == [Judgement(question, document.id, 1, right=True)]
    assert judgements.cases() == [{"document": REVIEW, "question": question, "pages": [1]}]
    app.segmented_control(key=key).set_value(False).run()
    assert [each.right for each in catalog.judgements.all()] == [False]
    assert judgements.cases() == []
    judgements.judge(Place(document.id, 1, question=question), None)
    assert catalog.judgements.all() == []


def test_a_page_opened_for_nothing_is_not_asked_about(app: AppTest) -> None:
    screen(app).open(named(TERMS).id, 1)
    app.run()
    assert "For “" not in shown(app)


@pytest.mark.parametrize("kind", ["upright", "90", "180", "270", "cropped"])
def test_the_mark_is_over_the_words_however_the_page_is_turned(
    kind: str, tmp_path: Path, empty_app: AppTest
) -> None:
    """All ink of the page's one line is under its mark, as the page is displayed."""
    path = tmp_path / f"{kind}.pdf"
    if kind == "cropped":
        pdfs.cropped(path)
    else:
        pdfs.rotated(path, degrees=0 if kind == "upright" else int(kind))
    empty_app.run()
    [added] = state.workspace().add([path])
    assert added.document is not None
    [block] = state.workspace().contents.blocks(added.document.id)
    screen(empty_app).open(added.document.id, 1, (block,))
    empty_app.run()
    [page] = components(empty_app, "page")
    image = Image.open(io.BytesIO(base64.b64decode(page["src"].partition(",")[2]))).convert("L")
    left, top, right, bottom = image.point(lambda grey: 255 * (grey < 128)).getbbox() or (0,) * 4
    x, y, width, height = page["marks"][0]["box"]
    assert 100 * left / image.width >= x - 1
    assert 100 * right / image.width <= x + width + 1
    assert 100 * top / image.height >= y - 1
    assert 100 * bottom / image.height <= y + height + 1
    assert 100 * (right - left) / image.width > 0.8 * width


def test_the_reader_can_be_closed_when_its_document_is_gone(app: AppTest) -> None:
    screen(app).open("a document removed in another tab", 1)
    app.run()
    assert "This document is no longer in the library." in shown(app)
    app.button(key="close_reader").click().run()
    assert screen(app).place is None
