"""The page that shows what was read: documents, the health of their pages, what was left out."""

from collections.abc import Mapping, Sequence

import streamlit as st

from docqa.types.document import Discard, Document, PageHealth
from docqa.types.phrases import count, quoted, shortened
from docqa.ui import removal, viewer, welcome, why
from docqa.ui.buttons import button, quiet_button
from docqa.ui.documents import WHY_CHECK
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import literal
from docqa.ui.state import Screen, screen, workspace

ROWS = 20  # documents that are listed in full; of more, those that the table scrolls to


@viewer.beside
def page() -> None:
    """The page: every document, then the pages and left-out passages of the one chosen."""
    documents = workspace().documents()
    with st.container(key="library"):
        st.header("Library", anchor=False)
        if not documents:
            st.markdown("The library is empty. Add documents on the left, or open the samples.")
            welcome.offer_samples()
            return
        st.caption(totals(documents, workspace().contents.discard_counts()))
        chosen = _table(documents)
        if chosen is None:
            st.caption("Choose a row to see how its pages were read.")
        else:
            _document(chosen)
        why.panel(documents)


def totals(documents: list[Document], discards: Mapping[str, int]) -> str:
    """The library in one line, with what was left out for what reason."""
    pages = sum(each.page_count for each in documents)
    chunks = sum(each.chunk_count for each in documents)
    told = f"{count(len(documents), 'document')}, {count(pages, 'page')}, "
    told += f"{count(chunks, 'passage')} kept, {sum(discards.values()):,} left out"
    reasons = [f"{reason} ({number:,})" for reason, number in sorted(discards.items())]
    return f"{told}: {', '.join(reasons)}" if reasons else told


def _table(documents: list[Document]) -> Document | None:
    rows = {
        "Document": [each.name for each in documents],
        "Description": [each.description or each.title for each in documents],
        "Pages": [each.page_count for each in documents],
        "Passages": [each.chunk_count for each in documents],
        "Left out": [each.discard_count for each in documents],
        "Added": [each.added[:16].replace("T", " ") for each in documents],
    }
    ids = [each.id for each in documents]
    if screen().chosen in ids:
        chosen_row = {"rows": [ids.index(screen().chosen)], "columns": [], "cells": []}
        st.session_state["library_table"] = {"selection": chosen_row}
    screen().chosen = ""
    picked = st.dataframe(
        rows,
        hide_index=True,
        height="content" if len(documents) <= ROWS else "auto",
        key="library_table",
        column_config={
            "Document": st.column_config.TextColumn(width=280),
            "Description": st.column_config.TextColumn(width=320),
            "Pages": st.column_config.NumberColumn(width="small"),
            "Passages": st.column_config.NumberColumn(width="small"),
            "Left out": st.column_config.NumberColumn(width="small"),
        },
        on_select="rerun",
        selection_mode="single-row",
        alt="Documents in the library",
    )
    chosen = [row for row in picked["selection"]["rows"] if row < len(documents)]
    return documents[chosen[0]] if chosen else None


def _document(document: Document) -> None:
    health = workspace().contents.health(document.id)
    discards = workspace().contents.discards(document.id)
    with st.container(horizontal=True, vertical_alignment="center", key="library_chosen"):
        st.text(document.name, width="stretch")
        button("Open", "library_open", screen().open, document.id, 1, icon="menu_book")
        quiet_button("Delete", "library_delete", removal.delete, document.id, icon="delete")
    if document.description:
        st.text(document.description)
    if document.signposts:
        st.text(document.signposts)
    _pages(document, health)
    _discards(document, discards)


def _pages(document: Document, health: list[PageHealth]) -> None:
    doubtful = [each for each in health if each.is_doubtful]
    units = f"{document.unit}s"
    st.subheader(f"{units.capitalize()}: {len(doubtful) or 'none'} to check", anchor=False)
    if doubtful:
        st.caption(WHY_CHECK)
    if 0 < len(doubtful) < len(health):
        every = st.toggle(f"All {units}", key=f"every-{document.id}")
        health = health if every else doubtful
    rows: dict[str, Sequence[object]] = {
        "Page": [each.page for each in health],
        "Label": [each.label for each in health],
        "Text source": [each.source for each in health],
        "Characters": [each.characters for each in health],
        "Remarks": ["; ".join(each.warnings) for each in health],
    }
    st.dataframe(
        {name: values for name, values in rows.items() if any(values)},
        width="content",
        hide_index=True,
        key=f"pages-{document.id}",
        column_config={
            "Page": st.column_config.NumberColumn(width="small"),
            "Characters": st.column_config.NumberColumn(format="localized", width="small"),
        },
        on_select=lambda: open_row(
            screen(), document, [each.page for each in health], chosen_rows("pages", document)
        ),
        selection_mode="single-row",
        height="auto" if len(health) <= 10 else 385,
        alt="Pages of the document",
    )


def _discards(document: Document, discards: list[Discard]) -> None:
    where, text = screen().restored
    if where == document.id:
        st.success(f"Restored, and searched from now on: {literal(quoted(shortened(text, 80)))}")
    if not discards:
        return
    table = f"discards-{len(discards)}"  # what is chosen of these is nothing of those left later
    st.subheader(f"{count(len(discards), 'passage')} left out", anchor=False)
    rows = {
        "Page": [each.page for each in discards],
        "Reason": [each.reason for each in discards],
        "Text": [each.text for each in discards],
    }
    st.dataframe(
        rows,
        hide_index=True,
        key=f"{table}-{document.id}",
        on_select=lambda: open_row(
            screen(), document, [each.page for each in discards], chosen_rows(table, document)
        ),
        selection_mode="single-row",
        alt="Passages that were left out, and why",
    )
    chosen = [row for row in chosen_rows(table, document) if row < len(discards)]
    if chosen:
        button("Restore this passage", "restore", restore, document.id, chosen[0], icon="undo")


def restore(document_id: str, index: int) -> None:
    """Bring a passage back that was left out: from now on it is searched and quoted."""
    here, text = screen(), workspace().contents.discards(document_id)[index].text
    here.trouble = attempt(lambda: workspace().additions.restore(document_id, index))
    here.restored = ("", "") if here.trouble else (document_id, text)


def chosen_rows(table: str, document: Document) -> list[int]:
    return list(st.session_state[f"{table}-{document.id}"]["selection"]["rows"])


def open_row(here: Screen, document: Document, pages: list[int], rows: list[int]) -> None:
    if rows and rows[0] < len(pages):
        here.open(document.id, pages[rows[0]])
