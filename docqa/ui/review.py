"""The page Review: documents × questions, filled while one looks on, settled cell by cell."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from docqa.present.document import now
from docqa.present.evidence import of_review
from docqa.present.export import REVIEW
from docqa.present.review import ReviewRecord, summary
from docqa.present.sources import printed_pages
from docqa.types.phrases import count
from docqa.types.review import FillProgress, Review, ReviewTable
from docqa.ui import (
    judgements,
    launch,
    review_cell,
    review_columns,
    review_fill,
    review_question,
    review_rows,
    review_start,
    review_table,
    saving,
    viewer,
)
from docqa.ui.buttons import button
from docqa.ui.error_boundary import reported
from docqa.ui.plain_text import show_error, show_note, span
from docqa.ui.state import screen, workspace
from docqa.ui.watching import watched

LOOK_AGAIN = 1.0  # seconds at least between looks at a review that is being filled
CELLS_A_SECOND = 1_000  # drawn, so that looking leaves the processors to a person's clicks
TABLE, CELL = "table", "cell"  # the parts of the page that are drawn again alone


@viewer.beside
def page() -> None:
    """The page: which review, its table, and the cell that is looked at."""
    with st.container(key="review"):
        reviews = workspace().reviews.all()
        here = screen()
        if here.review_id not in {each.id for each in reviews}:
            here.review_id, here.review_cell = "", ("", "")
        if not here.review_id and reviews and not here.new_review:
            here.review_id = reviews[0].id
        if here.review_id and not here.new_review:
            _opened(here.review_id, reviews)
            return
        st.header("Review", anchor=False)
        if here.review_notice:
            show_note(here.review_notice)
        review_start.show(others=bool(reviews))


def _which(reviews: Sequence[Review]) -> None:
    """The list of reviews, at the one that is open."""
    names = {each.id: each.name for each in reviews}
    st.session_state["which_review"] = screen().review_id
    st.selectbox(
        "Review",
        list(names),
        format_func=names.__getitem__,
        key="which_review",
        label_visibility="collapsed",
        width=240,
        on_change=_turn,
    )


def _turn() -> None:
    here = screen()
    here.review_id, here.review_cell = st.session_state["which_review"], ("", "")
    here.review_notice, here.review_answer, here.review_price = "", None, None


def begin_new() -> None:
    screen().new_review, screen().review_notice = True, ""


def _opened(review_id: str, reviews: Sequence[Review]) -> None:
    progress = workspace().reviews.progress(review_id)
    table = workspace().reviews.table(review_id)
    _bar(table, progress, reviews)
    if screen().review_notice:
        show_note(screen().review_notice)
    review_fill.show(table)
    review_question.show(table)
    watched(
        partial(_table, review_id),
        lambda: workspace().reviews.progress(review_id).running,
        every=max(LOOK_AGAIN, len(table.cells) / CELLS_A_SECOND),
        before=progress.running,
        key=TABLE,
    )
    st.fragment(_cell, key=CELL)(review_id)


def _bar(table: ReviewTable, progress: FillProgress, reviews: Sequence[Review]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="review_bar"):
        _which(reviews)
        if table.open and not progress.running:
            button(
                f"Fill {count(table.open, 'empty cell')}",
                "fill_review",
                review_fill.on_click,
                review_fill.begin,
                table.review.id,
                icon="play_arrow",
                type="primary",
            )
        failed = [key for key, each in table.cells.items() if each.state == "failed"]
        if failed and not progress.running:
            button(
                f"Run {count(len(failed), 'failed cell')} again",
                "run_failed",
                review_fill.on_click,
                review_fill.begin,
                table.review.id,
                failed,
            )
        if st.button("Documents", icon=":material/table_rows:", key="rows", type="tertiary"):
            screen().review_form.clear()
            review_rows.edit(table.review)
        if st.button("Columns", icon=":material/view_column:", key="columns", type="tertiary"):
            review_columns.edit(table.review)
        saving.exports(
            table.review.name,
            lambda: record_of(table.review.id),
            REVIEW,
            of_review,
            key="review_exports",
            kind="-review",
        )
        _more(table)
        button("New review", "new_review", begin_new, icon="add")


def _table(review_id: str) -> None:
    """The table, which alone is drawn again while it is filled."""
    reviews = workspace().reviews
    progress = reviews.progress(review_id)
    table = reviews.table(review_id)
    if progress.running:
        _progress(review_id, progress)
    elif progress.stopped:
        show_error(f"{progress.stopped} What was filled is kept.")
    review_table.show(
        table,
        told=_told(table),
        chosen=screen().review_cell,
        filling=progress.running,
        on_open=lambda place: _open(table, place),
        on_seen=lambda ids: reviews.prefer(review_id, ids),
    )


@reported
def _cell(review_id: str) -> None:
    review_cell.show(workspace().reviews.table(review_id))


def _open(table: ReviewTable, place: review_table.Place) -> None:
    """Look at the cell that was clicked: it is drawn first, and nothing that stays as it is."""
    noticed = screen().review_notice
    review_cell.open_cell(table, place)
    st.rerun("app" if noticed else [CELL, viewer.READER, TABLE])


def _progress(review_id: str, progress: FillProgress) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="review_progress"):
        share = progress.done / progress.total if progress.total else 0.0
        seconds = progress.seconds_left
        left = "" if seconds is None else f", about {span(seconds)} left"
        told = f"{progress.done:,} of {count(progress.total, 'cell')}{left}"
        st.progress(share, text=told, width="stretch")
        button("Stop", "stop_review", workspace().reviews.cancel, review_id, icon="stop")


def _told(table: ReviewTable) -> str:
    told = summary(table)
    if table.waits:
        waits = count(len(table.waits), "document is", "documents are")
        told += f" {waits} still being read."
    if table.gone:
        gone = count(table.gone, "document is", "documents are")
        told += f" {gone} no longer in the library."
    return told


def record_of(review_id: str) -> ReviewRecord:
    """What is written to a file: the review as it is now, with printed page numbers and links."""
    table = workspace().reviews.table(review_id)
    pages = printed_pages(table.documents, workspace().contents.health)
    return ReviewRecord(table, pages, now(), launch.address())


def _more(table: ReviewTable) -> None:
    review = table.review
    with st.popover("More", icon=":material/more_horiz:", type="tertiary", key="review_more"):
        name = st.text_input("Name", review.name, key=f"rename-{review.id}-{review.name}")
        if name.strip() and name != review.name:
            workspace().reviews.change(review.id, lambda each: replace(each, name=name))
            st.rerun()
        button("Copy", "copy_review", _copy, icon="content_copy")
        settled = [each for each in table.cells.values() if each.is_settled and each.found]
        button(
            f"Measure search by {count(len(settled), 'settled cell')}",
            "cells_to_measure",
            to_measure,
            table,
            icon="straighten",
            disabled=not settled,
        )
        button("Delete", "delete_review", _delete, icon="delete")


def _copy() -> None:
    screen().review_id = workspace().reviews.copy(screen().review_id).id


def _delete() -> None:
    workspace().reviews.remove(screen().review_id)
    screen().review_id = ""


def to_measure(table: ReviewTable) -> None:
    """Let the pages of accepted and corrected cells be right pages for their questions."""
    judgements.keep_cells(table)
    screen().going = "measure"
