"""Which documents are a review's rows: of all, those with a tag, or chosen ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from docqa.types.document import Document
from docqa.types.review import Review
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import show_error
from docqa.ui.state import screen, workspace

ALL, TAGGED, CHOSEN = "All documents", "Those with a tag", "Chosen documents"


@dataclass(frozen=True, slots=True)
class Rows:
    """What was picked: one of the three, with its tag or its documents' ids."""

    kind: str = ALL
    tag: str = ""
    chosen: tuple[str, ...] = ()

    def among(self, documents: Sequence[Document]) -> list[Document]:
        """The documents that would be rows now."""
        if self.kind == CHOSEN:
            return [each for each in documents if each.id in self.chosen]
        return [each for each in documents if self.kind == ALL or self.tag in each.tags]


def rows_of(review: Review) -> Rows:
    """What a review was made of."""
    kind = CHOSEN if review.document_ids else TAGGED if review.tag else ALL
    return Rows(kind, review.tag, review.document_ids)


def pick(documents: Sequence[Document], before: Rows, *, key: str) -> Rows:
    """Draw the choice, as it was ``before``; what is picked now.

    Chosen documents begin with those that are rows already.
    """
    tags = sorted({tag for each in documents for tag in each.tags})
    kinds = [ALL, *([TAGGED] if tags else []), CHOSEN]
    names = {each.id: each.name for each in sorted(documents, key=lambda each: each.name.lower())}
    kind = st.radio(
        "Documents", kinds, horizontal=True, **entered(f"{key}_rows", before.kind, kinds)
    )
    if kind == TAGGED:
        return Rows(kind, tag=st.selectbox("Tag", tags, **entered(f"{key}_tag", before.tag, tags)))
    if kind == ALL:
        return Rows()
    known = entered(f"{key}_chosen", [each for each in before.chosen if each in names], list(names))
    chosen = st.multiselect("Which documents", list(names), format_func=names.__getitem__, **known)
    return Rows(kind, chosen=tuple(chosen))


def entered(field: str, offered: Any, options: Sequence[Any] = ()) -> dict[str, Any]:
    """The key of a field, which holds what is offered until the person enters another.

    What was entered is kept apart: Streamlit forgets a field that is not drawn for a moment. Of
    ``options``, where there are any, those that are gone are not held.
    """
    key, kept = f"review_{field}", screen().review_form
    held = kept.get(field, offered)
    if options and isinstance(held, list):
        held = [each for each in held if each in options]
    elif options and held not in options:
        held = options[0]
    st.session_state[key] = held

    def keep() -> None:
        kept[field] = st.session_state[key]

    return {"key": key, "on_change": keep}


@st.dialog("Documents", width="large")
def edit(review: Review) -> None:
    """Other rows for a review that is there."""
    documents, before = workspace().documents(), rows_of(review)
    st.caption(
        "New rows are empty until they are filled. A row that is removed keeps its cells, "
        "which are there again when it comes back."
    )
    if before.kind != CHOSEN:
        before = replace(before, chosen=tuple(each.id for each in before.among(documents)))
    picked = pick(documents, before, key=f"edit-{review.id}")
    none = not picked.among(documents)
    if st.button("Save", type="primary", key="save_rows", disabled=none):
        told = attempt(lambda: save(review.id, picked))
        if told:
            show_error(told)
        else:
            st.rerun()


def save(review_id: str, picked: Rows) -> None:
    """Let these be the review's rows. Raises `UnknownReview`."""
    workspace().reviews.change(
        review_id, lambda each: replace(each, document_ids=picked.chosen, tag=picked.tag)
    )
