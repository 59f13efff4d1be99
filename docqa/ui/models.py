"""The models: bundled, on this machine or missing; downloading one, and indexing with another."""

from collections.abc import Callable

import streamlit as st

from docqa.ui.background import Chore
from docqa.ui.error_boundary import reported
from docqa.ui.plain_text import literal, show_note, size_of
from docqa.ui.state import running, workspace

COLOURS = {"bundled": "green", "cached": "green", "missing": "gray"}
LOOK_AGAIN = 0.5  # seconds between looks at a download


def panel() -> None:
    """The models with their states; drawn only while it is open."""
    if workspace().read_otherwise():
        show_note(
            "Some documents were read by an earlier version of docqa, or before the layout network "
            "was installed. Index the library again below."
        )
    elif workspace().reindexing_waits() and not running().reindexing.running:
        show_note("Indexing was interrupted. Continue below.")
    opened = st.expander("Models", key="models", type="compact", on_change="rerun")
    if opened.open:
        with opened, st.container(key="model_list", gap="xsmall"):
            busy = running().fetching.running or running().reindexing.running
            st.fragment(_models, run_every=LOOK_AGAIN if busy else None)(busy)


@reported
def _models(was_busy: bool) -> None:
    fetching, reindexing = running().fetching, running().reindexing
    busy = fetching.running or reindexing.running
    if was_busy and not busy:
        st.rerun()
    used = workspace().indexed_with
    for model in workspace().model_statuses():
        st.markdown(_line(model.name, model.state, model.size))
        if model.note:
            st.caption(literal(f"{model.purpose}: {model.note}"))
        if model.used:
            st.caption("Used for reading." if model.purpose == "layout" else "Used for search.")
        if model.fault:
            st.caption(f":red[:material/error:] {literal(model.fault)}")
        if model.state == "missing":
            _button("Download", "download", fetching, model.name, busy)
        elif model.purpose == "encoder" and used == model.name:
            st.caption("This library is indexed with it.")
            if workspace().read_otherwise() or workspace().reindexing_waits():
                _button("Index the library again", "refresh", reindexing, model.name, busy)
        elif model.purpose == "encoder" and used:
            _button("Index the library with it", "refresh", reindexing, model.name, busy)
        for chore, size in ((fetching, size_of), (reindexing, str)):
            if chore.name == model.name:
                _progress(chore, size)


def _line(name: str, state: str, size: int) -> str:
    told = f" · {size_of(size)}" if size else ""
    return f"{literal(name)}  \n:{COLOURS[state]}[{state}] :gray[{literal(told)}]"


def _button(label: str, icon: str, chore: Chore, name: str, busy: bool) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"{icon}-{name}",
        disabled=busy,
        on_click=chore.start,
        args=(name,),
    )


def _progress(chore: Chore, size: Callable[[int], str]) -> None:
    if chore.running:
        share = chore.done / chore.total if chore.total else 0.0
        st.progress(min(1.0, share), text=f"{size(chore.done)} of {size(chore.total)}")
    elif chore.error:
        st.caption(f":red[:material/error:] {literal(chore.error)}")
