"""A new review: its documents, its questions by a template or one's own, and its name."""

from collections.abc import Sequence

import streamlit as st

from docqa.types.document import Document
from docqa.types.review import Column, Template
from docqa.ui import review_fill, review_rows
from docqa.ui.buttons import button
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import literal
from docqa.ui.review_columns import titled
from docqa.ui.review_rows import Rows, entered
from docqa.ui.state import screen, workspace

OWN = "Questions of my own"


def show(*, others: bool) -> None:
    """The form; where there are ``others``, with a way back to them."""
    documents = workspace().documents()
    if not documents:
        st.markdown(
            "The same questions of every lease, contract or report, as one table. Add documents "
            "on the left first."
        )
        return
    st.markdown("Ask the same questions of many documents; the answers stand in one table.")
    templates = {each.name: each for each in workspace().reviews.templates()}
    rows = review_rows.pick(documents, _selected(documents), key="new")
    asked = rows.among(documents)
    fitting = workspace().reviews.suggested(asked)
    offered, names = fitting.name if fitting else OWN, [*templates, OWN]
    name = st.selectbox("Questions", names, **entered("template", offered))
    template = templates.get(name)
    st.caption(literal(_about(template, asked)))
    own = ""
    if template is None:
        own = st.text_area("Questions, one a line", height=120, **entered("questions", ""))
    title = st.text_input("Name", **entered("name", name if template else "Review"))
    with st.container(horizontal=True):
        if st.button("Begin", type="primary", key="begin_review", disabled=not asked):
            columns = template.columns if template else questions_in(own)
            screen().review_notice = attempt(lambda: begin(title, columns, rows))
            st.rerun()
        if others:
            button("Cancel", "cancel_review", _leave)


def _selected(documents: Sequence[Document]) -> Rows:
    """The documents selected on the left, where they are not all or none."""
    left_out = screen().left_out
    chosen = tuple(each.id for each in documents if each.id not in left_out)
    return Rows(review_rows.CHOSEN, chosen=chosen) if 0 < len(chosen) < len(documents) else Rows()


def _about(template: Template | None, documents: Sequence[Document]) -> str:
    if template is None:
        return "More questions can be added later, and each given a kind."
    titles = ", ".join(each.title for each in template.columns)
    return f"{template.about}: {titles}.{_fit(template, documents)}"


def _fit(template: Template, documents: Sequence[Document]) -> str:
    """How many of the documents it is made for, in a sentence; "" for none."""
    fits = workspace().reviews.made_for(template, documents)
    if not fits:
        return ""
    if fits < len(documents):
        return f" It fits {fits} of these {len(documents)} documents."
    return " It fits these documents." if fits > 1 else " It fits this document."


def questions_in(text: str) -> tuple[Column, ...]:
    """A column for each line that is not empty."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(Column(titled(each), each) for each in lines if each)


def begin(name: str, columns: Sequence[Column], rows: Rows) -> None:
    """Make a review and fill it. Raises as `Reviewing.create` and `review_fill.begin`."""
    reviews = workspace().reviews
    made = reviews.create(name, columns, document_ids=rows.chosen, tag=rows.tag)
    here = screen()
    here.review_id, here.review_cell, here.new_review = made.id, ("", ""), False
    here.review_form.clear()
    review_fill.begin(made.id)


def _leave() -> None:
    screen().new_review, screen().review_notice = False, ""
    screen().review_form.clear()
