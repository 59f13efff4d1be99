"""The contents list of the document that is open: where one is in it, and the way elsewhere."""

from collections.abc import Sequence

import streamlit as st

from docqa.types.document import Document, PageHealth
from docqa.types.outline import Entry
from docqa.types.phrases import shortened
from docqa.ui.state import Place, screen, workspace

TITLE_CHARS = 60
_INDENT = "\u2003"  # an em space, which the list does not take together


@st.cache_data(max_entries=20, show_spinner=False)
def _outline(document_id: str, health: Sequence[PageHealth], folder: str) -> tuple[Entry, ...]:
    """The document's headings and tables; anew where its pages were read again."""
    return workspace().contents.outline(document_id)


def row(document: Document, place: Place, health: Sequence[PageHealth]) -> None:
    """A list of the headings and tables, at the one the page is under; choosing one goes there."""
    entries = _outline(document.id, health, str(workspace().folder))
    if len(entries) < 2:
        return
    st.session_state["contents"] = under(entries, place.page)
    st.selectbox(
        "Contents",
        range(len(entries)),
        key="contents",
        format_func=lambda at: _line(entries[at]),
        placeholder="Contents",
        label_visibility="collapsed",
        on_change=_go,
        args=(entries,),
    )


def under(entries: Sequence[Entry], page: int) -> int | None:
    """The first entry that begins on the page, else the last before it; None before the first."""
    here = [at for at, entry in enumerate(entries) if entry.page == page]
    before = [at for at, entry in enumerate(entries) if entry.page < page]
    return next(iter(here), before[-1] if before else None)


def _go(entries: Sequence[Entry]) -> None:
    chosen = st.session_state["contents"]
    if chosen is not None:
        screen().turn_to(entries[chosen].page)


def _line(entry: Entry) -> str:
    kind = f" ({entry.role})" if entry.role else ""
    title = shortened(entry.title, TITLE_CHARS)
    return f"{entry.page}{_INDENT * entry.level}{title}{kind}"  # the page first, which is never cut
