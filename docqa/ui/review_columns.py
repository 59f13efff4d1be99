"""The columns of a review that is there, edited as a table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from docqa.types.review import KINDS, Column, Review
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import show_error
from docqa.ui.state import workspace


@st.dialog("Columns", width="large")
def edit(review: Review) -> None:
    """Titles, questions and kinds; which are shown and frozen; the order; rows added or deleted."""
    st.caption(
        "A changed question or kind empties its column; what people settled stays. A deleted "
        "column with settled cells is hidden instead."
    )
    rows = [
        {
            "place": place,
            "title": each.title,
            "question": each.question,
            "kind": each.kind,
            "shown": each.id not in review.hidden,
            "frozen": each.id in review.frozen,
            "id": each.id,
        }
        for place, each in enumerate(review.columns, start=1)
    ]
    edited = st.data_editor(
        rows,
        key=f"columns-{review.id}",
        num_rows="dynamic",
        height=min(560, 36 * (len(rows) + 2)),
        hide_index=True,
        column_order=("place", "title", "question", "kind", "shown", "frozen"),
        column_config={
            "place": st.column_config.NumberColumn("Place", width=60, min_value=1, step=1),
            "title": st.column_config.TextColumn("Title"),
            "question": st.column_config.TextColumn("Question", width="large"),
            "kind": st.column_config.SelectboxColumn("Gives", options=KINDS, default="text"),
            "shown": st.column_config.CheckboxColumn("Shown", default=True),
            "frozen": st.column_config.CheckboxColumn("Frozen", default=False),
        },
    )
    if st.button("Save", type="primary", key="save_columns"):
        told = attempt(lambda: save(review, edited))
        if told:
            show_error(told)
        else:
            st.rerun()


def save(before: Review, edited: Sequence[dict[str, Any]]) -> None:
    """Make the review as it was edited; columns that someone else added meanwhile stay."""
    known = {each.id: place for place, each in enumerate(before.columns, start=1)}

    def order(row: dict[str, Any]) -> tuple[int, int]:
        """By place; a column that was moved to the place of another takes it."""
        place = int(row.get("place") or len(edited) + 1)
        was = known.get(row.get("id") or "", place)
        return place, (place > was) - (place < was)

    rows = sorted(edited, key=order)

    def merged(now: Review) -> Review:
        own = [_column_of(each) for each in rows if (each.get("question") or "").strip()]
        added = [each for each in now.columns if each.id not in known]
        there = {each.id for each in now.columns}
        kept = [each for each in own if not each.id or each.id in there]
        hidden = tuple(
            each["id"] for each in rows if each.get("id") and not each.get("shown", True)
        )
        frozen = tuple(each["id"] for each in rows if each.get("id") and each.get("frozen"))
        return replace(now, columns=(*kept, *added), hidden=hidden, frozen=frozen)

    workspace().reviews.change(before.id, merged)


def _column_of(row: dict[str, Any]) -> Column:
    question = " ".join(str(row["question"]).split())
    title = " ".join(str(row.get("title") or question.rstrip("?")[:40]).split())
    return Column(title, question, row.get("kind") or "text", row.get("id") or "")
