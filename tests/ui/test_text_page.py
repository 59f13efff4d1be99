"""What has no pages in the reader: parts, tables and marks; what a document says stays text."""

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from docqa.types.document import Block, Box, Cell
from docqa.ui import state, text_page
from tests.ui.conftest import components, screen, shown

HERE = Box(0, 0, 0, 0)
PLACE = "section “Rent”"


def block(index: int, text: str, **more: object) -> Block:
    return Block(text, 1, HERE, index=index, place=PLACE, **more)  # type: ignore[arg-type]


def test_a_paragraph_in_pieces_is_one_and_each_piece_has_its_own_mark() -> None:
    blocks = [block(0, "One."), block(1, "Two.", continues=True), block(2, "Three.")]
    drawn: Any = text_page.drawn(
        blocks,
        [("opened", 2, blocks[1]), ("current", 0, blocks[1])],
        name="Lease.docx",
        title=PLACE,
        page=1,
        visit=1,
    )
    first, second = drawn["parts"]
    assert [span["text"] for span in first["spans"]] == ["One.", "Two."]
    assert first["spans"][1]["kinds"] == "opened current"
    assert first["spans"][1]["number"] == 2
    assert "kinds" not in first["spans"][0]
    assert [span["text"] for span in second["spans"]] == ["Three."]


def test_rows_of_one_table_stay_together_with_their_cells() -> None:
    blocks = [
        block(0, "A | B", kind="table", table=1, cells=(Cell("A", 0), Cell("B", 2))),
        block(1, "1", kind="table", table=1, cells=(Cell("1", 1, 2),), row=7),
        block(2, "C", kind="table", table=2, cells=(Cell("C", 0),)),
    ]
    drawn: Any = text_page.drawn(blocks, [], name="a.xlsx", title="", page=1, visit=1)
    parts = drawn["parts"]
    assert [len(part["rows"]) for part in parts] == [2, 1]
    assert parts[0]["rows"][0]["cells"] == [["A", 0, 1], ["B", 2, 1]]
    assert parts[0]["rows"][1] == {"row": 7, "header": False, "cells": [["1", 1, 2]]}


def test_the_columns_a_question_names_are_told() -> None:
    names = [Cell("Unit", 0), Cell("Area (sq ft)", 1), Cell("Arrears (£)", 2)]
    blocks = [
        block(0, "", kind="table", table=1, cells=tuple(names), column_header=True),
        block(1, "", kind="table", table=1, cells=(Cell("1st", 0), Cell("700", 1), Cell("9", 2))),
    ]
    assert text_page.asked_columns(blocks, "Who is in arrears of more than 5?") == [2]
    assert text_page.asked_columns(blocks, "") == []


def test_the_reader_turns_searches_and_gives_the_text_of_sections(
    empty_app: AppTest, tmp_path: Path
) -> None:
    path = tmp_path / "Notes.md"
    path.write_text("# Rent\n\nThe rent is $500 <b>net</b>.\n\n# Term\n\nFive years, rent free.\n")
    empty_app.run()
    [added] = state.workspace().add([path])
    assert added.document is not None
    cited = state.workspace().contents.blocks(added.document.id)[1]
    screen(empty_app).open(added.document.id, 1, (cited,))
    empty_app.run()
    assert not empty_app.exception
    [drawn] = components(empty_app, "leaf")
    assert drawn["title"] == "section “Rent”"
    [heading, paragraph] = drawn["parts"]
    assert heading["kind"] == "heading"
    assert paragraph["spans"][0]["text"] == "The rent is $500 net."
    assert paragraph["spans"][0]["kinds"] == "opened"
    screen(empty_app).turn_to(2)
    empty_app.run()
    [drawn] = components(empty_app, "leaf")
    assert drawn["title"] == "section “Term”"
    empty_app.button(key="seek_in_reader").click().run()
    empty_app.text_input(key="seek").set_value("RENT").run()
    [drawn] = components(empty_app, "leaf")
    assert "1 of 3" not in shown(empty_app)
    assert any("current" in span.get("kinds", "") for p in drawn["parts"] for span in p["spans"])
    assert not empty_app.segmented_control  # one way to look at it
