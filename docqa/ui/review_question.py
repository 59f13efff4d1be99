"""A question about a review's whole table, and its answer out of the cells."""

import streamlit as st

from docqa.types.review import ReviewTable
from docqa.ui import answer_view, review_cell
from docqa.ui.buttons import quiet_button
from docqa.ui.error_boundary import attempt
from docqa.ui.state import screen, workspace


def show(table: ReviewTable) -> None:
    """The field, and the answer with a pill for each cell; a pill opens its cell."""
    with (
        st.form("ask_table", border=False),
        st.container(horizontal=True, vertical_alignment="center"),
    ):
        question = st.text_input(
            "Ask about this table",
            placeholder="Ask about this table: which expire before 2028? which has the highest …?",
            key="ask_table_question",
            label_visibility="collapsed",
            width="stretch",
        )
        if st.form_submit_button("Ask", key="ask_this_table"):
            screen().review_notice = attempt(lambda: ask(table.review.id, question))
            st.rerun()
    answer = screen().review_answer
    if answer is not None:
        with st.container(key="table_answer", border=True):
            answer_view.show_turn(
                answer_view.turn_of(answer.answer),
                key="table-answer",
                on_open=lambda what, n: open_place(table, n),
            )
            quiet_button("Close the answer", "close_answer", _close)


def ask(review_id: str, question: str) -> None:
    """Have the table answer. Raises as `Reviewing.ask`."""
    screen().review_answer = None
    screen().review_answer = workspace().reviews.ask(review_id, question)


def open_place(table: ReviewTable, n: int) -> None:
    """Look at the cell that the n-th citation stands for."""
    answer = screen().review_answer
    if answer is not None and n < len(answer.places):
        review_cell.open_cell(table, answer.places[n])


def _close() -> None:
    screen().review_answer = None
