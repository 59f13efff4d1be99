"""The page Review: documents × questions, filled while one looks on, settled cell by cell."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import streamlit as st

from docqa.present import export
from docqa.present.review import ReviewRecord, summary
from docqa.present.sources import printed_pages
from docqa.types.document import Document
from docqa.types.phrases import count
from docqa.types.review import KINDS, Column, FillProgress, Review, ReviewTable, Template
from docqa.ui import judgements, launch, review_cell, review_table, viewer
from docqa.ui.error_boundary import attempt, reported
from docqa.ui.plain_text import literal, show_error, show_note
from docqa.ui.state import screen, workspace

LOOK_AGAIN = 1.0  # seconds between looks at a review that is being filled
ALL, TAGGED, CHOSEN = "All documents", "Those with a tag", "Chosen documents"
OWN = "Questions of my own"


@reported
def page() -> None:
    """The page: which review, its table, and the cell that is looked at; the reader beside it."""
    with viewer.beside(), st.container(key="review"):
        reviews = workspace().reviews.all()
        here = screen()
        if here.review_id not in {each.id for each in reviews}:
            here.review_id, here.review_cell = "", ("", "")
        if not here.review_id and reviews and not here.new_review:
            here.review_id = reviews[0].id
        _head(reviews)
        if here.review_notice:
            show_note(here.review_notice)
        if here.review_id and not here.new_review:
            _opened(here.review_id)
        else:
            _new(bool(reviews))


def _head(reviews: Sequence[Review]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="review_head"):
        st.header("Review", anchor=False, width="stretch")
        if not reviews:
            return
        names = {each.id: each.name for each in reviews}
        if screen().review_id and not screen().new_review:
            st.session_state["which_review"] = screen().review_id
            st.selectbox(
                "Review",
                list(names),
                format_func=names.__getitem__,
                key="which_review",
                label_visibility="collapsed",
                width=260,
                on_change=_turn,
            )
            st.button("New review", icon=":material/add:", key="new_review", on_click=begin_new)


def _turn() -> None:
    here = screen()
    here.review_id, here.review_cell = st.session_state["which_review"], ("", "")
    here.review_notice = ""


def begin_new() -> None:
    """Show what a new review is made by."""
    screen().new_review, screen().review_notice = True, ""


# A new review


def _new(others: bool) -> None:
    documents = workspace().documents()
    if not documents:
        st.markdown(
            "The same questions of every lease, contract or report, as one table. Add documents "
            "on the left first."
        )
        return
    st.markdown("Ask the same questions of many documents; the answers stand in one table.")
    templates = {each.name: each for each in workspace().reviews.templates()}
    rows, tag, chosen = _rows(documents)
    asked = _documents_of(documents, rows, tag, chosen)
    fitting = workspace().reviews.suggested(asked)
    offered, names = fitting.name if fitting else OWN, [*templates, OWN]
    # By what is offered: other documents may fit another template.
    name = st.selectbox("Questions", names, names.index(offered), key=f"template-{offered}")
    template = templates.get(name)
    st.caption(literal(_about(template, fitting)))
    own = _own_questions() if template is None else ""
    title = st.text_input("Name", name if template else "Review", key=f"review_name-{name}")
    with st.container(horizontal=True):
        if st.button("Begin", type="primary", key="begin_review", disabled=not asked):
            columns = template.columns if template else questions_in(own)
            screen().review_notice = attempt(lambda: begin(title, columns, rows, tag, chosen))
            st.rerun()
        if others:
            st.button("Cancel", key="cancel_review", on_click=_leave_new)


def _rows(documents: Sequence[Document]) -> tuple[str, str, list[str]]:
    """Which documents are its rows: of all, those with a tag, or chosen ones."""
    tags = sorted({tag for each in documents for tag in each.tags})
    rows = st.radio(
        "Documents",
        [ALL, *([TAGGED] if tags else []), CHOSEN],
        horizontal=True,
        key="review_rows",
    )
    tag = str(st.selectbox("Tag", tags, key="review_tag")) if rows == TAGGED else ""
    names = {each.id: each.name for each in sorted(documents, key=lambda each: each.name.lower())}
    chosen: list[str] = []
    if rows == CHOSEN:
        chosen = st.multiselect(
            "Which", list(names), format_func=names.__getitem__, key="review_chosen"
        )
    return rows, tag, chosen


def _documents_of(
    documents: Sequence[Document], rows: str, tag: str, chosen: Sequence[str]
) -> list[Document]:
    if rows == CHOSEN:
        return [each for each in documents if each.id in chosen]
    return [each for each in documents if rows == ALL or tag in each.tags]


def _about(template: Template | None, fitting: Template | None) -> str:
    if template is None:
        return "One question a line; more can be added, and given a kind, later."
    fits = " It fits these documents." if template == fitting else ""
    titles = ", ".join(each.title for each in template.columns)
    return f"{template.about}: {titles}.{fits}"


def _own_questions() -> str:
    return st.text_area("Questions, one a line", key="review_questions", height=120) or ""


def questions_in(text: str) -> tuple[Column, ...]:
    """A column for each line that is not empty, titled by its first words."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(Column(each.rstrip("?")[:40], each) for each in lines if each)


def begin(name: str, columns: Sequence[Column], rows: str, tag: str, chosen: Sequence[str]) -> None:
    """Make a review and fill it. Raises as `Reviewing.create`."""
    reviews = workspace().reviews
    ids = chosen if rows == CHOSEN else ()
    made = reviews.create(name, columns, document_ids=ids, tag=tag if rows == TAGGED else "")
    here = screen()
    here.review_id, here.review_cell, here.new_review = made.id, ("", ""), False
    reviews.fill(made.id, settings=here.settings)


def _leave_new() -> None:
    screen().new_review, screen().review_notice = False, ""


# A review that is there


def _opened(review_id: str) -> None:
    progress = workspace().reviews.progress(review_id)
    table = workspace().reviews.table(review_id)
    _bar(table, progress)
    looked_at = (screen().visits, screen().review_cell)
    st.fragment(_table, run_every=LOOK_AGAIN if progress.running else None)(
        review_id, progress.running, looked_at
    )
    review_cell.show(table)


def _bar(table: ReviewTable, progress: FillProgress) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="review_bar"):
        if table.open and not progress.running:
            st.button(
                f"Fill {count(table.open, 'empty cell')}",
                icon=":material/play_arrow:",
                type="primary",
                key="fill_review",
                on_click=_fill,
                args=(table.review.id,),
            )
        failed = [key for key, each in table.cells.items() if each.state == "failed"]
        if failed and not progress.running:
            st.button(
                f"Run {count(len(failed), 'failed cell')} again",
                key="run_failed",
                on_click=_again,
                args=(table.review.id, failed),
            )
        if st.button("Columns", icon=":material/view_column:", key="columns", type="tertiary"):
            edit_columns(table.review)
        _exports(table)
        _more(table)


def _fill(review_id: str) -> None:
    here = screen()
    here.review_notice = attempt(
        lambda: workspace().reviews.fill(review_id, settings=here.settings)
    )


def _again(review_id: str, places: Sequence[review_table.Place]) -> None:
    here = screen()
    here.review_notice = attempt(
        lambda: workspace().reviews.fill_again(review_id, places, settings=here.settings)
    )


@reported
def _table(review_id: str, was_running: bool, looked_at: tuple[int, review_table.Place]) -> None:
    """The table, which alone is drawn again while it is filled; the rest where a cell is opened."""
    reviews = workspace().reviews
    progress = reviews.progress(review_id)
    opened = (screen().visits, screen().review_cell) != looked_at
    if opened or (was_running and not progress.running):
        st.rerun()
    table = reviews.table(review_id)
    if progress.running:
        _progress(review_id, progress)
    elif progress.stopped:
        show_error(f"{progress.stopped} What was filled is kept.")
    st.caption(literal(_told(table)))
    review_table.show(
        table,
        chosen=screen().review_cell,
        filling=progress.running,
        on_open=lambda place: review_cell.open_cell(table, place),
        on_seen=lambda ids: reviews.prefer(review_id, ids),
    )


def _progress(review_id: str, progress: FillProgress) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="review_progress"):
        share = progress.done / progress.total if progress.total else 0.0
        left = "" if progress.seconds_left is None else f", {_duration(progress.seconds_left)} left"
        told = f"{progress.done:,} of {count(progress.total, 'cell')}{left}"
        st.progress(share, text=told, width="stretch")
        st.button(
            "Stop",
            icon=":material/stop:",
            key="stop_review",
            on_click=workspace().reviews.cancel,
            args=(review_id,),
        )


def _duration(seconds: float) -> str:
    """A time as people tell it: "about 40 s", "about 3 min"."""
    return f"about {seconds:.0f} s" if seconds < 90 else f"about {seconds / 60:.0f} min"


def _told(table: ReviewTable) -> str:
    told = summary(table)
    if table.waits:
        told += f" {count(len(table.waits), 'document')} still being read."
    if table.gone:
        was = "is" if table.gone == 1 else "are"
        told += f" {count(table.gone, 'document')} of it {was} no longer in the library."
    return told


def _exports(table: ReviewTable) -> None:
    with st.popover("Export", icon=":material/download:", type="tertiary", key="review_exports"):
        for each in export.REVIEW:
            st.download_button(
                each.label,
                lambda each=each: each.write(record_of(table.review.id)),  # type: ignore[misc]
                file_name=export.file_name(table.review.name, each.ending),
                mime=each.mime,
                key=f"export-review-{each.ending}",
                on_click="ignore",
                type="tertiary",
            )


def record_of(review_id: str) -> ReviewRecord:
    """What is written to a file: the review as it is now, with printed page numbers and links."""
    table = workspace().reviews.table(review_id)
    health = {each.id: workspace().health(each.id) for each in table.documents}
    made = datetime.now().astimezone().isoformat(timespec="minutes")
    return ReviewRecord(table, printed_pages(table.documents, health), made, launch.address())


def _more(table: ReviewTable) -> None:
    review = table.review
    with st.popover("More", icon=":material/more_horiz:", type="tertiary", key="review_more"):
        name = st.text_input("Name", review.name, key=f"rename-{review.id}-{review.name}")
        if name.strip() and name != review.name:
            workspace().reviews.change(review.id, lambda each: replace(each, name=name))
            st.rerun()
        st.button("Copy", icon=":material/content_copy:", key="copy_review", on_click=_copy)
        settled = [each for each in table.cells.values() if each.is_settled and each.found]
        st.button(
            f"Measure search by {count(len(settled), 'settled cell')}",
            icon=":material/straighten:",
            key="cells_to_measure",
            disabled=not settled,
            on_click=to_measure,
            args=(table,),
        )
        st.button("Delete", icon=":material/delete:", key="delete_review", on_click=_delete)


def _copy() -> None:
    screen().review_id = workspace().reviews.copy(screen().review_id).id


def _delete() -> None:
    workspace().reviews.remove(screen().review_id)
    screen().review_id = ""


def to_measure(table: ReviewTable) -> None:
    """Let the pages of accepted and corrected cells be right pages for their questions."""
    judgements.keep_cells(table)
    screen().going = "measure"


# Columns


@st.dialog("Columns", width="large")
def edit_columns(review: Review) -> None:
    """Titles, questions and kinds; which are shown and frozen; the order; rows added or deleted."""
    st.caption("A changed question empties its column; what people settled stays.")
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
        told = attempt(lambda: save_columns(review, edited))
        if told:
            show_error(told)
        else:
            st.rerun()


def save_columns(before: Review, edited: Sequence[dict[str, Any]]) -> None:
    """Make the review as it was edited; columns that someone else added meanwhile stay."""
    rows = sorted(edited, key=lambda each: each.get("place") or len(edited) + 1)
    known = {each.id for each in before.columns}

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
