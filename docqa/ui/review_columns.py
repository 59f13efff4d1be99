"""The columns of a review that is there, edited in one form."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from docqa.types.phrases import shortened
from docqa.types.review import KINDS, Column, Review
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import show_error
from docqa.ui.state import workspace

TITLE_CHARS = 40
NEW = 2  # rows left empty for columns that are added
WIDTHS = (0.7, 1.8, 5, 1.3, 0.9, 0.9)
HEADS = ("Place", "Title", "Question", "Kind", "Shown", "Frozen")


@st.dialog("Columns", width="large")
def edit(review: Review) -> None:
    """Titles, questions and kinds; which are shown and frozen; the order; rows added or deleted.

    A form, so that nothing typed is sent, or lost, before it is saved as a whole.
    """
    st.caption(
        "A changed question or kind empties its column; what people settled stays. Empty a "
        "question to delete its column; one with settled cells is hidden instead."
    )
    with st.form("columns", border=False):
        for place, title in zip(st.columns(WIDTHS, gap="small"), HEADS, strict=True):
            place.caption(title)
        added = [Column("", "") for _ in range(NEW)]
        rows = [
            _row(review, place, each)
            for place, each in enumerate((*review.columns, *added), start=1)
        ]
        saved = st.form_submit_button("Save", type="primary", key="save_columns")
    if saved:
        told = attempt(lambda: save(review, rows))
        if told:
            show_error(told)
        else:
            st.rerun()


def _row(review: Review, place: int, column: Column) -> dict[str, Any]:
    """One column's fields; what they hold."""
    fields = st.columns(WIDTHS, gap="small", vertical_alignment="center")
    key = f"{review.id}-{place}-{column.id}"

    def named(field: int) -> dict[str, Any]:
        return {
            "label": f"{HEADS[field]} of column {place}",
            "label_visibility": "collapsed",
            "key": f"column-{HEADS[field].lower()}-{key}",
        }

    return {
        "id": column.id,
        "place": fields[0].text_input(value=str(place), **named(0)),
        "title": fields[1].text_input(value=column.title, **named(1)),
        "question": fields[2].text_input(value=column.question, **named(2)),
        "kind": fields[3].selectbox(options=KINDS, index=KINDS.index(column.kind), **named(3)),
        "shown": fields[4].checkbox(value=column.id not in review.hidden, **named(4)),
        "frozen": fields[5].checkbox(value=column.id in review.frozen, **named(5)),
    }


def save(before: Review, edited: Sequence[dict[str, Any]]) -> None:
    """Make the review as it was edited; columns that someone else added meanwhile stay."""
    known = {each.id: place for place, each in enumerate(before.columns, start=1)}

    def order(row: dict[str, Any]) -> tuple[int, int]:
        """By place; a column that was moved to the place of another takes it."""
        told = str(row.get("place") or "")
        place = int(told) if told.isdecimal() else len(edited) + 1
        was = known.get(row.get("id") or "", len(edited))
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
    title = " ".join(str(row.get("title") or titled(question)).split())
    return Column(title, question, row.get("kind") or "text", row.get("id") or "")


def titled(question: str) -> str:
    """What a question's column is called where nobody says: by its first words."""
    return shortened(question.rstrip("?"), TITLE_CHARS)
