"""The library page: what is in it, how its pages were read, opening a page from a row."""

from pathlib import Path

from docqa.ui import library, state
from docqa.ui.state import Screen
from tests import pdfs
from tests.ui.conftest import REVIEW, TERMS, OnPage, components, named, screen, shown


def chosen(rows: list[int]) -> dict[str, dict[str, list[int]]]:
    return {"selection": {"rows": rows, "columns": [], "cells": []}}


def test_every_document_and_its_pages_are_listed(on_page: OnPage) -> None:
    app = on_page("library")
    assert app.dataframe[0].value["Document"].tolist() == [REVIEW, TERMS]
    assert "2 documents, 4 pages" in shown(app)
    app.session_state["library_table"] = chosen([1])
    app.run()
    pages = app.dataframe[1].value
    assert pages["Page"].tolist() == [1, 2, 3]
    assert pages["Text source"].tolist() == ["text layer"] * 3
    health = state.workspace().contents.health(named(TERMS).id)
    assert pages["Characters"].tolist() == [each.characters for each in health]


def test_what_was_left_out_is_counted_by_reason(on_page: OnPage) -> None:
    app = on_page("library")
    documents = state.workspace().documents()
    kept = sum(each.chunk_count for each in documents)
    assert f"{kept} passages kept" in shown(app)
    told = library.totals(documents, {"too short": 2, "repeated": 1})
    assert told.endswith(" passages kept, 3 left out: repeated (1), too short (2)")


def test_a_page_opens_from_its_row(on_page: OnPage) -> None:
    app = on_page("library")
    document = named(TERMS)
    here = screen(app)
    library.open_row(here, document, [1, 2, 3], [2])
    app.run()
    assert components(app, "page")[0]["alt"] == f"{TERMS}, page 3"


def test_a_passage_that_was_left_out_is_taken_in_after_all(on_page: OnPage, tmp_path: Path) -> None:
    app = on_page("library")
    signs = "~ ^ # * + = < > | / " * 12
    text = "The deposit is held in escrow until the closing of the sale. " * 4
    path = pdfs.text_pages(tmp_path / "Signs.pdf", [text, f"{signs} zebra {signs}"])
    [added] = state.workspace().add([path])
    assert added.document is not None
    [discard] = state.workspace().contents.discards(added.document.id)
    app.session_state["library_table"] = chosen([2])
    app.session_state[f"discards-1-{added.document.id}"] = chosen([0])
    app.run()
    app.button(key="restore").click().run()
    assert state.workspace().contents.discards(added.document.id) == []
    assert "Restored, and searched from now on" in app.success[0].value
    found = state.workspace().search("zebra", document_ids=[added.document.id]).hits
    assert any(discard.text in hit.chunk.text for hit in found)


def test_no_row_opens_nothing(on_page: OnPage) -> None:
    on_page("library")
    here = Screen()
    library.open_row(here, named(TERMS), [1, 2, 3], [])
    assert here.place is None
