"""Which documents a question means to compare, asked where it cannot be told."""

import streamlit as st

from docqa.ui import questions
from docqa.ui.buttons import button, quiet_button
from docqa.ui.plain_text import show_note
from docqa.ui.state import Undecided, screen


def offer(undecided: Undecided) -> None:
    """Why it is asked, the documents to choose among, and what can be done instead."""
    limit = screen().settings.comparing.max_compared
    names = {document.id: document.name for document in undecided.choice.candidates}
    with st.container(key="choosing"):
        with st.container(key="question-undecided"):
            st.text(undecided.question, width="stretch")
        show_note(undecided.choice.reason)
        chosen = st.multiselect(
            f"Documents to compare (up to {limit})",
            list(names),
            default=[document.id for document in undecided.choice.documents],
            format_func=names.__getitem__,
            max_selections=limit,
            key="compared_documents",
        )
        with st.container(horizontal=True):
            button(
                "Compare these",
                "compare_these",
                settle,
                undecided,
                tuple(chosen),
                type="primary",
                disabled=len(chosen) < 2,
            )
            button("Answer without comparing", "compare_none", settle, undecided, ())
            quiet_button("Cancel", "choose_nothing", leave)


def settle(undecided: Undecided, sides: tuple[str, ...]) -> None:
    """Ask the question of the documents chosen, or without comparing any."""
    questions.ask(
        undecided.question,
        answerer=undecided.answerer,
        settings=undecided.settings,
        sides=sides,
    )


def leave() -> None:
    screen().undecided = None
