"""The cell that is looked at: the whole finding, its sum, alternatives, and what a person says."""

from collections.abc import Callable, Sequence

import streamlit as st

from docqa.types.answer import Citation
from docqa.types.document import Document, spoken_name
from docqa.types.review import Cell, Column, Found, ReviewTable
from docqa.ui import review_fill, viewer
from docqa.ui.buttons import button, quiet_button
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import literal, show_error
from docqa.ui.review_table import WORDS, Place
from docqa.ui.state import Marked, screen, workspace

CHECKS = {
    "stands": "It stands on the page, word for word.",
    "elsewhere": "It stands in another passage of the document.",
    "computed": "It is worked out from figures that stand there.",
    "in question": "It is uncertain; check it on the page.",
}


def open_cell(table: ReviewTable, place: Place) -> None:
    """Look at a cell: the reader opens at its boxes."""
    here = screen()
    here.review_cell, here.review_notice = place, ""
    workspace().reviews.give_way(table.review.id)
    try:
        cell, column = table.cell(*place), table.review.column(place[1])
    except KeyError:
        return
    cited = cell.found.citations if cell.found else cell.proposal.nearest if cell.proposal else ()
    open_sources(cell.document_id, cited, column)


def open_sources(document_id: str, cited: Sequence[Citation], column: Column) -> None:
    """Open the first of these places, which may be in another document, its others marked less."""
    if cited:
        first = cited[0]
        same = [each for each in cited[1:] if each.document_id == first.document_id]
        screen().open(
            first.document_id,
            first.page,
            first.blocks,
            others=[Marked(each.blocks) for each in same],
            question=column.question,
        )
    else:
        screen().open(document_id, 1)


def _look(document_id: str, cited: Sequence[Citation], column: Column) -> None:
    open_sources(document_id, cited, column)
    st.rerun(viewer.READER)


def show(table: ReviewTable) -> None:
    """The cell that was clicked, under the table."""
    document_id, column_id = screen().review_cell
    document = next((each for each in table.documents if each.id == document_id), None)
    column = next((each for each in table.review.columns if each.id == column_id), None)
    if document is None or column is None:
        return
    cell = table.cell(document_id, column_id)
    with st.container(key="review_cell", border=True):
        _title(document, column, cell)
        remark = table.remarks.get((document_id, column_id), "")
        if remark:
            st.caption(literal(f"Pointed out: {remark}."))
        _finding(cell)
        _rulings(table, cell)
        _correction(table, cell)
        _alternatives(table, cell, column)


def _title(document: Document, column: Column, cell: Cell) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="review_cell_title"):
        name = literal(f"{spoken_name(document.name)} · {column.title}")
        st.markdown(f"**{name}**", width="stretch", wrap=False)
        st.caption(literal(WORDS[cell.state].capitalize() + "."))
        quiet_button("Close", "close_review_cell", _close, icon="close")
    st.caption(literal(column.question))


def _close() -> None:
    screen().review_cell = ("", "")
    st.rerun()


def _finding(cell: Cell) -> None:
    found, made = cell.found, cell.proposal
    if found is not None:
        st.text(found.text)
    elif made is not None and made.error:
        show_error(made.error)
    elif made is not None and not cell.is_settled:
        st.text("Nothing was found that answers this; the nearest passage is open.")
    if made is None or cell.is_settled:
        if cell.is_settled and made and made.found and made.found[0] != found:
            st.caption(literal(f"docqa found: {made.found[0].text}"))
        return
    told = made.problem or (CHECKS.get(made.check, "") if found else "")
    if told:
        st.caption(literal(told))


def _rulings(table: ReviewTable, cell: Cell) -> None:
    reviews = workspace().reviews
    key, seen = _key(table, cell)
    proposed = bool(cell.proposal and cell.proposal.found)
    with st.container(horizontal=True, key="rulings"):
        if cell.is_settled:
            _ruling("Take back", "undo", lambda: reviews.unsettle(key, seen=seen))
        elif proposed:
            _ruling("Accept", "check", lambda: reviews.accept(key, seen=seen), primary=True)
        if cell.state != "not in the document":
            _ruling("Not in the document", "block", lambda: reviews.mark_absent(key, seen=seen))
        if not cell.is_settled and cell.state != "waiting":
            place = (cell.document_id, cell.column_id)
            _ruling("Run again", "refresh", lambda: review_fill.begin(key[0], [place]))


def _key(table: ReviewTable, cell: Cell) -> tuple[tuple[str, str, str], str]:
    """Which cell it is, and the ruling that the person has seen of it: by when it was made."""
    seen = cell.ruling.at if cell.ruling else ""
    return (table.review.id, cell.document_id, cell.column_id), seen


def _ruling(label: str, icon: str, work: Callable[[], object], *, primary: bool = False) -> None:
    button(
        label, f"ruling-{label}", _do, work, icon=icon, type="primary" if primary else "secondary"
    )


def _do(work: Callable[[], object]) -> None:
    """Do what a button says; then the whole page is drawn, of which the cell is a part."""
    screen().review_notice = attempt(work)
    st.rerun()


def _correction(table: ReviewTable, cell: Cell) -> None:
    key, seen = _key(table, cell)
    cited = _places(cell)
    with (
        st.form(f"correct-{'-'.join(key)}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        value = st.text_input("Correct it", placeholder="Another value", width="stretch")
        names = ["No source", *cited]
        source = st.selectbox("Its source", names, index=min(1, len(cited)), width=220)
        given = st.form_submit_button("Save")
    if given and value.strip():
        chosen = (cited[source],) if source in cited else ()
        _do(lambda: workspace().reviews.correct(key, value, citations=chosen, seen=seen))


def _places(cell: Cell) -> dict[str, Citation]:
    """The places a correction may rest on, by what they are called: the cell's own first."""
    made = cell.proposal
    found = [*((cell.found,) if cell.found else ()), *(made.found if made else ())]
    every = [c for each in found for c in each.citations]
    every += list(made.nearest if made else ())
    named: dict[str, Citation] = {}
    for each in every:
        words = " ".join(each.quote.split())[:32]
        named.setdefault(f"{_place(each, cell)}: {words}…", each)
    return named


def _place(cited: Citation, cell: Cell) -> str:
    """Where it stands; the document is named where it is not the row's own."""
    own = cited.document_id == cell.document_id
    return cited.where if own else f"{spoken_name(cited.document)} {cited.where}"


def _alternatives(table: ReviewTable, cell: Cell, column: Column) -> None:
    """What else was found, each with its place and a way to put it in the cell."""
    made = cell.proposal
    others = [(n, each) for n, each in enumerate(made.found if made else ()) if each != cell.found]
    if not others:
        return
    with st.expander(f"Other findings ({len(others)})", key="other_findings"):
        for n, each in others:
            _alternative(table, cell, column, n, each)


def _alternative(table: ReviewTable, cell: Cell, column: Column, n: int, found: Found) -> None:
    key, seen = _key(table, cell)
    with st.container(horizontal=True, vertical_alignment="center", key=f"alternative-{n}"):
        st.text(found.text, width="stretch")
        if found.citations:
            quiet_button(
                literal(_place(found.citations[0], cell)),
                f"look-{n}",
                _look,
                cell.document_id,
                found.citations,
                column,
            )
        button("Use this", f"use-{n}", _do, lambda: workspace().reviews.choose(key, n, seen=seen))
