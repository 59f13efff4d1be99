"""The left side: adding files, the documents to ask, settings, models."""

from pathlib import PurePath

import streamlit as st

from docqa.types.document import KINDS, is_readable
from docqa.ui import costs, documents, keys, models, preferences, uploads
from docqa.ui.adding import KINDS as KINDS_TOLD
from docqa.ui.buttons import quiet_button
from docqa.ui.error_boundary import reported
from docqa.ui.plain_text import literal, show_error
from docqa.ui.state import running, screen, workspace
from docqa.ui.watching import watched


@reported
def draw() -> None:
    kept = workspace().documents()
    _uploader()
    uploads.show()
    if screen().trouble:
        show_error(screen().trouble)
    documents.show(kept)
    preferences.panel()
    costs.panel()
    models.panel()
    keys.button()
    status()


def _uploader() -> None:
    folders = screen().folders
    # Of a folder the other files are passed over. A file that was chosen is told of where it is not
    # read, which Streamlit would only mark red.
    uploads = st.file_uploader(
        "Add a folder of documents" if folders else "Add documents",
        type=[ending[1:] for ending in KINDS] if folders else None,
        accept_multiple_files="directory" if folders else True,
        key=f"uploads-{screen().uploads}",
    )
    st.caption(KINDS_TOLD)
    quiet_button("Add files instead" if folders else "Add a folder instead", "folders", _switch)
    if uploads:
        readable = [each for each in uploads if is_readable(PurePath(each.name).name)]
        running().adding.add_uploads([(each.name, each.getvalue()) for each in readable])
        if not folders:
            running().adding.refuse([each.name for each in uploads if each not in readable])
        screen().uploads += 1
        st.rerun()


def _switch() -> None:
    screen().folders = not screen().folders
    screen().uploads += 1


def status() -> None:
    """Whether the models are ready; looked at until they are."""
    warming = workspace().warming
    watched(_status, lambda: not warming.is_ready, every=1.0)


def _status() -> None:
    warming = workspace().warming
    if warming.status and not warming.is_ready:
        st.caption(literal(warming.status))
