"""A document's details, and its deletion after a second look."""

import streamlit as st

from docqa.types import Document
from docqa.ui.boundary import attempt
from docqa.ui.plain import count, show_note, size_of
from docqa.ui.state import screen, workspace


@st.dialog("Delete this document?")
def confirm(document: Document) -> None:
    """Ask before a document is deleted."""
    st.text(document.name)
    st.caption(
        f"Its {count(document.page_count, 'page')}, {count(document.chunk_count, 'passage')} and "
        "the stored PDF are removed from this library. Your own file is not touched; add it "
        "again to bring it back. Earlier answers keep their quotes."
    )
    with st.container(horizontal=True):
        deleted = st.button(
            "Delete",
            type="primary",
            key="delete_it",
            icon=":material/delete:",
            on_click=delete,
            args=(document.id,),
        )
        if st.button("Keep it", key="keep_it") or deleted:
            st.rerun()


def delete(document_id: str) -> None:
    """Remove a document from the library and from what this session remembers of it."""
    here = screen()
    here.trouble = attempt(lambda: workspace().remove(document_id))
    here.left_out.discard(document_id)
    if here.place is not None and here.place.document_id == document_id:
        here.place = None


@st.dialog("Document")
def show_details(document: Document) -> None:
    """What is known of a document."""
    st.text(document.name)
    rows = {
        "Title": document.title,
        "Pages": f"{document.page_count:,}",
        "Passages": f"{document.chunk_count:,} kept, {document.discard_count:,} left out",
        "Read by": document.engine,
        "Size": size_of(document.size),
        "Added": document.added.replace("T", " ").removesuffix("+00:00") + " UTC",
    }
    known = {name: value for name, value in rows.items() if value.strip()}
    st.dataframe(
        {"": list(known), " ": list(known.values())},
        hide_index=True,
        alt="Facts of the document",
    )
    for warning in document.warnings:
        show_note(warning)
