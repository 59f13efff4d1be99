"""A document's deletion, which can be undone while this process lives, and its details."""

import streamlit as st

from docqa.types.document import Document
from docqa.types.phrases import count
from docqa.ui.buttons import button, quiet_button
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import literal, short_name, show_note, size_of
from docqa.ui.state import close_dialog, running, screen, workspace
from docqa.workspace import Withdrawn

UNDOABLE = 3  # deleted documents held in memory


def delete(document_id: str) -> None:
    """Remove a document from disk and from this session; in memory it is held for `undo`."""
    here, removed = screen(), running().removed
    here.trouble = attempt(lambda: removed.append(workspace().removals.withdraw(document_id)))
    del removed[:-UNDOABLE]
    here.left_out.discard(document_id)
    running().adding.forget(document_id)
    if here.place is not None and here.place.document_id == document_id:
        here.place = None


def undoing() -> None:
    """What was deleted last, with a way to have it back and one to let it go."""
    removed = running().removed
    if not removed:
        return
    document = removed[-1].document
    with st.container(horizontal=True, vertical_alignment="center", key="undoing"):
        st.caption(
            f"Deleted {literal(short_name(document.name, limit=28))}. {literal(_left(removed[-1]))}"
        )
        button("Undo", "undo", undo, icon="undo")
        quiet_button("Dismiss", "let_go", let_go)


def _left(withdrawn: Withdrawn) -> str:
    """What had to do with the document, in sentences; "" for nothing."""
    quoting = len(workspace().conversations.quoting(withdrawn.document.id))
    reviews = len(withdrawn.cells)
    quoted = f"{count(quoting, 'conversation')} still quoted from it." if quoting else ""
    rows = f"It was a row of {count(reviews, 'review')}." if reviews else ""
    return " ".join(filter(None, (quoted, rows)))


def undo() -> None:
    """Put the document that was deleted last back as it was."""
    removed = running().removed
    if removed:
        screen().trouble = attempt(lambda: workspace().removals.put_back(removed.pop()))


def let_go() -> None:
    running().removed.clear()


@st.dialog("Details", on_dismiss=close_dialog)
def show_details(document: Document) -> None:
    """What is known of a document."""
    st.text(document.name)
    if document.description:
        st.text(document.description)
    rows = {
        "Title": document.title,
        "Length": document.extent,
        "Passages": f"{document.chunk_count:,} kept, {document.discard_count:,} left out",
        "Read by": document.engine,
        "Size": size_of(document.size),
        "Added": document.added.replace("T", " ").removesuffix("+00:00") + " UTC",
        "Tags": ", ".join(document.tags),
    }
    st.table(
        [(name, literal(value)) for name, value in rows.items() if value.strip()],
        border="horizontal",
        hide_index=True,
        hide_header=True,
        alt="Details of the document",
    )
    for warning in document.warnings:
        show_note(warning)
