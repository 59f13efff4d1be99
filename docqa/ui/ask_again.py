"""Asking once more: the question edited, other settings for it alone."""

from collections.abc import Sequence

import streamlit as st

from docqa.settings import adjust
from docqa.types.answer import Message
from docqa.ui import questions
from docqa.ui.preferences import answerer_choice, variety_choice
from docqa.ui.state import close_dialog, screen, workspace


def offer(exchanges: Sequence[tuple[str, Message]]) -> None:
    """The dialog, where an answer's "Edit and ask again" was clicked."""
    name, about = screen().dialog
    if name == "again" and int(about) < len(exchanges):
        number = int(about)
        _dialog(exchanges[number][0], number, last=number == len(exchanges) - 1)


@st.dialog("Ask again", on_dismiss=close_dialog)
def _dialog(question: str, number: int, *, last: bool) -> None:
    settings = screen().settings
    edited = st.text_area("Question", question, key="again_question")
    answerer = answerer_choice("again_answerer")
    top_k = st.slider("Passages (top-k)", 3, 30, settings.search.top_k, key="again_top_k")
    mmr = variety_choice(settings, "again_mmr")
    reranked = st.toggle(
        "Rerank the best passages", settings.search.use_reranker, key="again_use_reranker"
    )
    instead = last and st.checkbox("Replace the current answer", key="again_instead")
    if st.button("Ask", type="primary", key="ask_again", disabled=not edited.strip()):
        chosen = adjust(
            settings,
            answerer=answerer or "auto",
            top_k=top_k,
            mmr=mmr,
            use_reranker=reranked,
        )
        close_dialog()
        if instead:
            forget_from(number)
        questions.ask(edited.strip(), settings=chosen)
        st.rerun()


def forget_from(number: int) -> None:
    """Take the exchange of that number (from 0), and what follows, out of the conversation."""
    conversation_id = screen().conversation_id
    if conversation_id is not None:
        workspace().conversations.cut(conversation_id, exchanges=number)
