"""The library page: what is in it, how its pages were read, opening a page from a row."""

from docqa.ui import library, state
from docqa.ui.state import Screen
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
    assert pages["Text from"].tolist() == ["text layer"] * 3
    health = state.workspace().health(named(TERMS).id)
    assert pages["Characters"].tolist() == [each.characters for each in health]


def test_a_page_opens_from_its_row(on_page: OnPage) -> None:
    app = on_page("library")
    document = named(TERMS)
    here = screen(app)
    library.open_row(here, document, [1, 2, 3], [2])
    app.run()
    assert components(app, "page")[0]["alt"] == f"{TERMS}, page 3"


def test_no_row_opens_nothing(on_page: OnPage) -> None:
    on_page("library")
    here = Screen()
    library.open_row(here, named(TERMS), [1, 2, 3], [])
    assert here.place is None
