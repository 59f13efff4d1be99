"""The panel that says why something was not found: at which stage of a search it was lost."""

import streamlit as st

from docqa.types.document import Document
from docqa.types.search import Explanation
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import literal, show_error
from docqa.ui.state import Screen, screen, workspace

ANYWHERE = "Any document"


def panel(documents: list[Document]) -> None:
    """What was asked and what was missed; then what became of it."""
    opened = st.expander("Why was something not found?", key="why", on_change="rerun")
    if opened.open:
        with opened:
            _form(documents)
            found = screen().explanation
            if screen().why_trouble:
                show_error(screen().why_trouble)
            elif found is not None:
                _show(found, documents)


def _form(documents: list[Document]) -> None:
    names = {"": ANYWHERE, **{each.id: each.name for each in documents}}
    with st.form("why_form", border=False):
        st.text_input("Question", screen().why_question, key="why_question")
        st.text_input(
            "What should have been found",
            key="why_phrase",
            placeholder="Words as they appear in the document, or choose a page",
        )
        with st.container(horizontal=True):
            st.selectbox("Document", list(names), format_func=names.__getitem__, key="why_document")
            st.number_input("Page", 1, None, None, key="why_page", placeholder="Any", width=140)
        if st.form_submit_button("Explain", key="why_now"):
            fields = ("question", "phrase", "document", "page")
            question, phrase, document_id, page = (st.session_state[f"why_{n}"] for n in fields)
            explain(question, phrase, document_id, page or 0)


def explain(question: str, phrase: str, document_id: str, page: int) -> None:
    """Search once more as the session does, and keep what became of the phrase or the page."""
    here = screen()
    here.explanation, here.why_question = None, question

    def look() -> None:
        here.explanation = workspace().evaluations.why(
            phrase,
            question,
            document_id=document_id,
            page=page,
            document_ids=here.asked(workspace().documents()),
            settings=here.settings,
        )

    here.why_trouble = attempt(look)


def _show(found: Explanation, documents: list[Document]) -> None:
    st.markdown(literal(found.summary))
    if not found.fates:
        return
    rows = {
        "Document": [each.document for each in found.fates],
        "Place": [each.where for each in found.fates],
        "Outcome": [each.reason for each in found.fates],
        "What would help": [each.remedy for each in found.fates],
        "Rank by meaning": [each.dense_rank or None for each in found.fates],
        "Rank by words": [each.keyword_rank or None for each in found.fates],
        "Final rank": [each.fused_rank or None for each in found.fates],
        "Text": [each.text for each in found.fates],
    }
    st.dataframe(
        rows,
        hide_index=True,
        key="why_fates",
        on_select=lambda: open_fate(
            screen(), found, documents, list(st.session_state["why_fates"]["selection"]["rows"])
        ),
        selection_mode="single-row",
        alt="Outcome for each passage",
    )


def open_fate(here: Screen, found: Explanation, documents: list[Document], rows: list[int]) -> None:
    ids = {each.name: each.id for each in documents}
    if rows and rows[0] < len(found.fates):
        fate = found.fates[rows[0]]
        if fate.document in ids and fate.page:
            here.open(ids[fate.document], fate.page, question=found.question)
