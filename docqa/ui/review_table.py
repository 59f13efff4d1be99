"""A review's table: what review_table.js draws of it, and what it tells of clicks."""

from collections.abc import Callable

import streamlit as st

from docqa.present.as_nodes import Json
from docqa.present.review import NAMES, place_of, shown_columns, why_empty
from docqa.types.document import Document, spoken_name
from docqa.types.phrases import count
from docqa.types.review import Cell, Column, ColumnFigures, ReviewTable
from docqa.ui.scripts import script

_table = script("review_table")
Place = tuple[str, str]
"""A cell: the ids of its document and column."""

FEW = 40  # characters of a cell that a narrow column shows
WORDS = {
    "waiting": "not filled yet",
    "found": "found",
    "likely": "uncertain: check it",
    "not found": "nothing was found",
    "failed": "could not be filled",
    "accepted": "accepted",
    "corrected": "corrected by a person",
    "not in the document": "a person says it is not in the document",
}


def show(
    table: ReviewTable,
    *,
    told: str,
    chosen: Place,
    filling: bool,
    on_open: Callable[[Place], None],
    on_seen: Callable[[list[str]], None],
) -> None:
    """Draw the table, with what is ``told`` of it all.

    Told of the cell that was clicked and, while it is filled, of rows seen.
    """

    def clicked() -> None:
        if click := st.session_state["review_table"].get("open"):
            on_open((str(click["row"]), str(click["column"])))

    def scrolled() -> None:
        if seen := st.session_state["review_table"].get("seen"):
            on_seen([str(each) for each in seen])

    data = {**table_of(table, chosen=chosen, filling=filling), "told": told}
    _table(key="review_table", data=data, on_open_change=clicked, on_seen_change=scrolled)


def table_of(table: ReviewTable, *, chosen: Place, filling: bool) -> Json:
    """The table as the screen's script reads it."""
    columns = shown_columns(table)
    return {
        "review": table.review.id,
        "filling": filling,
        "chosen": list(chosen),
        "words": WORDS,
        "names": NAMES,
        "columns": [_column(each, table) for each in columns],
        "rows": [_row(each, columns, table) for each in table.documents],
    }


def _column(column: Column, table: ReviewTable) -> Json:
    figures = table.figures.get(column.id)
    return {
        "id": column.id,
        "title": column.title,
        "question": column.question,
        "kind": column.kind,
        "frozen": column.id in table.review.frozen,
        "wide": column.kind in ("text", "clause") and _has_words(column, table),
        "figures": _sums(figures) if figures and figures.n > 1 else [],
    }


def _has_words(column: Column, table: ReviewTable) -> bool:
    return any(each.found and len(each.found.value) > FEW for each in table.of_column(column.id))


def _sums(figures: ColumnFigures) -> list[list[str]]:
    named = {
        "sum": figures.sum,
        "mean": figures.mean,
        "highest": figures.highest,
        "lowest": figures.lowest,
    }
    sums = [[name, f"{value:,.2f}".removesuffix(".00")] for name, value in named.items()]
    told = ", ".join(filter(None, (figures.unit, count(figures.n, "cell"))))
    other = sum(each.n for each in figures.others)
    parts = [f"{figures.uncertain:,} uncertain"] * bool(figures.uncertain)
    parts += [f"{other:,} in other units"] * bool(other)
    return [*sums, ["in", told], *(["without", each] for each in parts)]


def _row(document: Document, columns: list[Column], table: ReviewTable) -> Json:
    return {
        "id": document.id,
        "name": spoken_name(document.name),
        "wait": table.waits.get(document.id, ""),
        "cells": [_cell(table.cell(document.id, each.id), each, table) for each in columns],
    }


def _cell(cell: Cell, column: Column, table: ReviewTable) -> Json:
    """What there is of a cell: all is sent again each time some of thousands are filled."""
    found = cell.found
    remark = table.remarks.get((cell.document_id, cell.column_id), "")
    if cell.ruling is not None and cell.ruling.asked != column.asked:
        remark = "settled for an earlier question"
    made: Json = {
        "value": found.value if found else why_empty(cell),
        "sort": _sort(cell),
        "state": cell.state,
        "place": place_of(found) if found else "",
        "remark": remark,
    }
    return {name: each for name, each in made.items() if each not in (None, "")}


def _sort(cell: Cell) -> float | str | None:
    """What the cell is sorted by: its number, its day or its words; None where it is empty."""
    found = cell.found
    if found is None:
        return None
    return float(found.number) if found.number is not None else found.day or found.value.casefold()
