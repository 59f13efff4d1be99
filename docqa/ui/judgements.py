"""Whether a page answers the question it was opened for: asked where it is seen, and kept."""

from typing import Any

import streamlit as st

from docqa.types.evaluation import Judgement
from docqa.types.phrases import quoted, shortened
from docqa.types.review import ReviewTable
from docqa.ui.plain_text import literal
from docqa.ui.state import Place, workspace

WORDS = {True: "Right page", False: "Wrong page"}


def row(place: Place) -> None:
    """Under the page: the question it was opened for, and what the person says of it."""
    if not place.question:
        return
    key = f"judged-{place.document_id[:12]}-{place.page}-{abs(hash(place.question))}"
    judged = {(e.question, e.document_id, e.page): e.right for e in workspace().judgements.all()}
    with st.container(horizontal=True, vertical_alignment="center", key="judging"):
        asked = literal(f"For {quoted(shortened(place.question, 60))}")
        st.caption(asked, width="stretch", wrap=False)
        st.segmented_control(
            "Does this page answer it?",
            list(WORDS),
            format_func=WORDS.__getitem__,
            default=judged.get(_key(place)),
            key=key,
            label_visibility="collapsed",
            on_change=lambda: judge(place, st.session_state[key]),
        )


def _key(place: Place) -> tuple[str, str, int]:
    return place.question, place.document_id, place.page


def judge(place: Place, right: bool | None) -> None:
    """Keep what was said of the page, or, with None, take it back."""
    if right is None:
        workspace().judgements.remove(*_key(place))
    else:
        workspace().judgements.add(Judgement(*_key(place), right))


def keep_cells(table: ReviewTable) -> None:
    """Let the pages of accepted and corrected cells be right pages for their questions."""
    for (document_id, column_id), cell in table.cells.items():
        if cell.ruling is not None and cell.found is not None:
            question = table.review.column(column_id).question
            for page in sorted({each.page for each in cell.found.citations}):
                workspace().judgements.add(Judgement(question, document_id, page, right=True))


def cases() -> list[dict[str, Any]]:
    """The questions whose right pages are known, as the evaluation of search reads them.

    One for each question and document, with its pages in order.
    """
    names = {each.id: each.name for each in workspace().documents()}
    pages: dict[tuple[str, str], list[int]] = {}
    for each in workspace().judgements.all():
        if each.right and each.document_id in names:
            pages.setdefault((each.question, each.document_id), []).append(each.page)
    return [
        {"document": names[document_id], "question": question, "pages": sorted(found)}
        for (question, document_id), found in pages.items()
    ]
