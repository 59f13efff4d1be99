"""The documents in the sidebar: which are asked, their tags and health, and what can be done."""

import streamlit as st

from docqa.types.document import Document
from docqa.types.phrases import count
from docqa.types.progress import Progress
from docqa.ui import removal, uploads
from docqa.ui.buttons import quiet_button
from docqa.ui.error_boundary import attempt, reported
from docqa.ui.plain_text import literal, short_name
from docqa.ui.state import close_dialog, open_dialog, screen, workspace

NAME_CHARS = 44  # two lines
LOOK_AGAIN = 1.0  # seconds
ROWS = 30  # documents listed before a filter is needed
WHY_CHECK = (
    "Read by OCR, or with a remark: a word or a figure may be misread, so hold what you use of it "
    "against the page. The count stays as a reminder; nothing else is to be done."
)


def show(documents: list[Document]) -> None:
    """The list, with a way to find in a long one."""
    if not documents:
        return
    _head(documents)
    _tags(documents)
    doubtful = workspace().contents.pages_to_look_at()
    with st.container(key="documents", gap=None):
        for document in _listed(documents):
            _row(document, doubtful.get(document.id, 0))
    _dialogs(documents)


def _head(documents: list[Document]) -> None:
    ids = {each.id for each in documents}
    chosen = ids - screen().left_out
    with st.container(horizontal=True, vertical_alignment="center", key="documents_head"):
        st.markdown(f"**Documents** :gray[{len(chosen):,} of {len(documents):,} selected]")
        if len(documents) > 1:
            quiet_button(
                "None" if chosen == ids else "All",
                "choose_all",
                choose_only,
                set() if chosen == ids else ids,
            )


def _tags(documents: list[Document]) -> None:
    tags = sorted({tag for document in documents for tag in document.tags})
    if tags:
        st.pills(
            "Ask those tagged",
            tags,
            format_func=literal,
            key="asked_tags",
            label_visibility="collapsed",
            on_change=lambda: choose_tag(st.session_state["asked_tags"]),
        )


def choose_tag(tag: str | None) -> None:
    """Ask the documents with this tag and no others; without one, all of them."""
    choose_only({each.id for each in workspace().documents() if not tag or tag in each.tags})


def _listed(documents: list[Document]) -> list[Document]:
    if len(documents) <= ROWS:
        return documents
    with st.container(key="finding", gap="xsmall"):
        found = _found(documents)
    return sorted(found, key=lambda each: (each.is_whole, each.name.casefold()))[:ROWS]


def _found(documents: list[Document]) -> list[Document]:
    typed = st.text_input("Find a document", key="find_document", live=True).strip()
    sought = typed.casefold()
    found = [each for each in documents if sought in " ".join((each.name, *each.tags)).casefold()]
    if not found:
        st.caption(f"No document's name or tag contains “{literal(typed)}”.")
    elif sought:
        several = f"these {len(found):,} documents"
        told = f"Ask {several if len(found) > 1 else 'this document'} only"
        asked = {each.id for each in found}
        quiet_button(told, "ask_found", choose_only, asked)
    if len(found) > ROWS:
        st.caption(f"The first {ROWS} of {len(found):,}; type part of a name to see others.")
    return found


def _row(document: Document, doubtful: int) -> None:
    key = f"ask-{document.id}"
    st.session_state[key] = document.id not in screen().left_out
    name = literal(short_name(document.name, limit=NAME_CHARS))
    with st.container(horizontal=True, gap=None, key=f"row-{document.id}"):
        with st.container(gap=None, width="stretch"):
            st.checkbox(name, key=key, on_change=choose, args=(document.id,))
            if doubtful:
                quiet_button(
                    f":orange[:material/warning: {to_check(document, doubtful)}]",
                    f"check-{document.id}",
                    look_at_pages,
                    document.id,
                    help=WHY_CHECK,
                )
            st.caption(f"{literal(facts(document))}{tagged(document)}")
            if not document.is_whole and document.name not in uploads.arriving():
                moving = document.name in uploads.in_background()
                st.fragment(_still, run_every=LOOK_AGAIN if moving else None)(document)
        choice = st.menu_button(
            f"{name}: more",
            ["Open", "Rename and tag…", "Details", "Delete"],
            icon=":material/more_vert:",
            key=f"menu-{document.id}",
            type="tertiary",
        )
    _act(choice, document)


@reported
def _still(document: Document) -> None:
    under_way = {told.file: told for told in workspace().additions.under_way()}
    told = still(document, under_way.get(document.name))
    st.caption(f":material/hourglass_top: {literal(told)}")


def still(document: Document, told: Progress | None) -> str:
    """What is still to be done with a document: "Ready for questions; OCR, page 3 of 12"."""
    if told is not None and told.stage == "failed":
        return told.message
    ready = "Ready for questions" if document.chunk_count else "Not ready for questions"
    if told is not None:
        doing = uploads.told_of(told)
        return f"{ready}; {doing[0].lower()}{doing[1:]}"
    if document.state == "complete":
        pages = count(document.waiting_pages, "page waits", "pages wait")
        return f"{ready}; {pages} for OCR"
    return f"{ready}; not yet read in full"


def _act(choice: str | None, document: Document) -> None:
    if choice == "Open":
        screen().open(document.id, 1)
        st.rerun()
    elif choice == "Details":
        open_dialog("details", document.id)
    elif choice == "Delete":
        removal.delete(document.id)
        st.rerun()
    elif choice:
        open_dialog("rename", document.id)


def _dialogs(documents: list[Document]) -> None:
    for document in documents:
        if screen().dialog == ("rename", document.id):
            rename(document)
        elif screen().dialog == ("details", document.id):
            removal.show_details(document)


def facts(document: Document) -> str:
    """A document in a few words: pages, passages, passages left out."""
    told = [document.extent, count(document.chunk_count, "passage")]
    if document.discard_count:
        told.append(f"{document.discard_count:,} left out")
    return " · ".join(told)


def to_check(document: Document, doubtful: int) -> str:
    """How many of its pages or sheets were not read well: "2 pages to check"."""
    every = doubtful == document.page_count and doubtful > 1
    return f"{f'all {document.unit}s' if every else count(doubtful, document.unit)} to check"


def look_at_pages(document_id: str) -> None:
    """Turn to the Library, with the pages of a document that were not read well, the first open."""
    health = workspace().contents.health(document_id)
    page = next((each.page for each in health if each.is_doubtful), 1)
    screen().open(document_id, page, beside="library")
    screen().chosen, screen().going = document_id, "library"


def tagged(document: Document) -> str:
    """Its tags, each in a box of its own."""
    return "".join(f" :gray-badge[{literal(tag)}]" for tag in document.tags)


@st.dialog("Rename and tag", on_dismiss=close_dialog)
def rename(document: Document) -> None:
    """Another name, and the person's own words for a document."""
    with st.form("naming", border=False):
        st.text_input("Name", document.name, key="new_name", max_chars=120)
        st.text_input("Tags, separated by commas", ", ".join(document.tags), key="new_tags")
        st.caption("Earlier answers keep the old name.")
        args = (document.id,)
        save = st.form_submit_button
        if save("Save", type="primary", key="save_name", on_click=_save_name, args=args):
            st.rerun()


def _save_name(document_id: str) -> None:
    name, tags = st.session_state["new_name"], st.session_state["new_tags"].split(",")
    close_dialog()
    screen().trouble = attempt(lambda: workspace().rename(document_id, name, tags=tags))


def choose(document_id: str) -> None:
    """Take a document into the questions, or out of them, as its box now says.

    Not the other way round than before: Streamlit also tells of a box as changed that had not been
    drawn for a while, as of a document that was not among those listed.
    """
    if st.session_state[f"ask-{document_id}"]:
        screen().left_out.discard(document_id)
    else:
        screen().left_out.add(document_id)


def choose_only(asked: set[str]) -> None:
    """Ask these documents and no others."""
    screen().left_out = {each.id for each in workspace().documents()} - asked
