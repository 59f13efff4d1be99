"""The left side: adding files, the documents to ask, what was left out, settings, models."""

import streamlit as st

from docqa.types import Document
from docqa.ui import models, preferences, removal
from docqa.ui.adding import Entry
from docqa.ui.boundary import reported
from docqa.ui.plain import count, literal, shortened, show_error
from docqa.ui.state import running, screen, workspace

NAME_CHARS = 28
ROWS = 30  # documents listed before a filter is needed
STAGES = {
    "waiting": "Waiting",
    "reading": "Reading",
    "OCR": "Reading by OCR",
    "embedding": "Indexing",
    "saving": "Saving",
    "done": "Done",
    "failed": "Failed",
}
SHARES = {"reading": (0.0, 0.7), "OCR": (0.0, 0.7), "embedding": (0.7, 0.28), "saving": (0.98, 0)}


@reported
def draw() -> None:
    """The whole side, on every page."""
    documents = workspace().documents()
    _uploader()
    progress()
    if screen().trouble:
        show_error(screen().trouble)
    _documents(documents)
    _left_out(documents)
    preferences.panel()
    models.panel()
    status()


def _uploader() -> None:
    uploads = st.file_uploader(
        "Add PDFs",
        type="pdf",
        accept_multiple_files=True,
        key=f"uploads-{screen().uploads}",
    )
    if uploads:
        running().adding.add_uploads([(each.name, each.getvalue()) for each in uploads])
        screen().uploads += 1
        st.rerun()


# Files on their way in


def progress() -> None:
    """How far each file is; looked at twice a second while one is being read."""
    adding = running().adding
    every = 0.5 if adding.running else None
    st.fragment(_progress, run_every=every)(adding.running, adding.settled)


@reported
def _progress(was_busy: bool, settled: int) -> None:
    adding = running().adding
    if (was_busy and not adding.running) or adding.settled != settled:
        st.rerun()
    entries = adding.entries
    if not entries:
        return
    with st.container(key="adding", gap="xsmall"):
        for number, entry in enumerate(entries):
            _entry(entry, number)
        if adding.running:
            st.button("Cancel", icon=":material/stop:", key="cancel_adding", on_click=adding.cancel)
        else:
            st.button("Clear this list", key="dismiss", type="tertiary", on_click=adding.dismiss)


def _entry(entry: Entry, number: int) -> None:
    name = literal(shortened(entry.name, limit=NAME_CHARS))
    if entry.result is None:
        st.progress(fraction(entry), text=f"{name} :gray[{literal(stage(entry))}]")
    elif entry.result.status == "added" and entry.result.document is not None:
        read = count(entry.result.document.page_count, "page")
        st.caption(f":green[:material/check_circle:] {name}, {read}")
    elif entry.result.status == "already there":
        st.caption(f":material/content_copy: {name} :gray[{literal(known(entry))}]")
    else:
        st.caption(f":red[:material/error:] {literal(entry.result.error)}")
        if entry.wants_password:
            _password(entry, number)


def _password(entry: Entry, number: int) -> None:
    with st.form(f"password-{number}", border=False):
        password = st.text_input(
            "Password of the file", type="password", autocomplete="off", key=f"opens-{number}"
        )
        if st.form_submit_button("Open", key=f"open-{number}") and password:
            running().adding.again(entry, password=password)
            st.rerun()


def known(entry: Entry) -> str:
    """Which document the file turned out to be."""
    document = entry.result.document if entry.result else None
    if document is None or document.name == entry.name:
        return "is in the library already."
    return f"is in the library already, as {document.name}."


def fraction(entry: Entry) -> float:
    """How far a file is, from 0 to 1; reading counts for more than indexing."""
    told = entry.progress
    if told is None or told.stage not in SHARES:
        return 1.0 if told and told.stage == "done" else 0.0
    start, share = SHARES[told.stage]
    return min(1.0, start + share * (told.done / told.total if told.total else 0.0))


def stage(entry: Entry) -> str:
    """What is happening to a file: "Reading, page 3 of 12"."""
    told = entry.progress
    if told is None:
        return "Waiting"
    if not told.total:
        return STAGES[told.stage]
    unit = "passage" if told.stage == "embedding" else "page"
    return f"{STAGES[told.stage]}, {unit} {told.done} of {told.total}"


# Documents


def _documents(documents: list[Document]) -> None:
    if not documents:
        return
    chosen = [each for each in documents if each.id not in screen().left_out]
    with st.container(horizontal=True, vertical_alignment="center", key="documents_head"):
        st.markdown(f"**Documents** :gray[{len(chosen)} of {len(documents)} asked]")
        if len(documents) > 1:
            every = len(chosen) == len(documents)
            st.button(
                "None" if every else "All",
                key="choose_all",
                type="tertiary",
                on_click=choose_every if not every else choose_none,
            )
    with st.container(key="documents", gap=None):
        for document in _listed(documents):
            _row(document)


def _listed(documents: list[Document]) -> list[Document]:
    if len(documents) <= ROWS:
        return documents
    sought = st.text_input("Find a document", key="find_document", live=True).casefold()
    found = [each for each in documents if sought in each.name.casefold()]
    if len(found) > ROWS:
        st.caption(f"The first {ROWS} of {len(found):,}; type part of a name to see others.")
    return found[:ROWS]


def _row(document: Document) -> None:
    key = f"ask-{document.id}"
    st.session_state[key] = document.id not in screen().left_out
    name = literal(shortened(document.name, limit=NAME_CHARS))
    with st.container(horizontal=True, gap=None, key=f"row-{document.id}"):
        with st.container(gap=None, width="stretch"):
            st.checkbox(name, key=key, on_change=choose, args=(document.id,))
            st.caption(literal(facts(document)))
        choice = st.menu_button(
            f"{name}: more",
            ["Open", "Details", "Delete…"],
            icon=":material/more_vert:",
            key=f"menu-{document.id}",
            type="tertiary",
        )
    if choice == "Open":
        screen().open(document.id, 1)
        st.rerun()
    elif choice == "Details":
        removal.show_details(document)
    elif choice:
        removal.confirm(document)


def facts(document: Document) -> str:
    """A document in a few words: pages, passages, passages left out."""
    told = [count(document.page_count, "page"), count(document.chunk_count, "passage")]
    if document.discard_count:
        told.append(f"{document.discard_count:,} left out")
    return " · ".join(told)


def choose(document_id: str) -> None:
    """Take a document into the questions, or out of them."""
    left_out = screen().left_out
    if document_id in left_out:
        left_out.remove(document_id)
    else:
        left_out.add(document_id)


def choose_every() -> None:
    screen().left_out.clear()


def choose_none() -> None:
    screen().left_out.update(each.id for each in workspace().documents())


# Statistics


def _left_out(documents: list[Document]) -> None:
    chunks = sum(each.chunk_count for each in documents)
    discards = sum(each.discard_count for each in documents)
    if not documents:
        return
    panel = st.expander("Passages checked", key="checked", type="compact", on_change="rerun")
    if not panel.open:
        return
    with panel:
        st.text(f"{count(chunks, 'passage')} kept, {discards:,} left out")
        for reason, number in sorted(workspace().discard_counts().items()):
            st.text(f"{number:,}  {reason}")
        st.caption("Each is listed with its page in the Library.")


def status() -> None:
    """Whether the models are ready; looked at until they are."""
    ready = workspace().status == READY
    st.fragment(_status, run_every=None if ready else 1.0)(ready)


READY = "Ready."


@reported
def _status(was_ready: bool) -> None:
    told = workspace().status
    if told == READY and not was_ready:
        st.rerun()
    st.caption(literal(told))
