"""The models: bundled, on this machine or missing; downloading one, and indexing with another."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from docqa import installation
from docqa.errors import ModelError
from docqa.types.model import ModelFile, ModelStatus
from docqa.ui import local_models
from docqa.ui.background import Chore
from docqa.ui.buttons import button
from docqa.ui.plain_text import literal, show_note, size_of
from docqa.ui.state import running, screen, workspace
from docqa.ui.watching import watched

COLOURS = {"bundled": "green", "cached": "green", "missing": "gray"}
LOOK_AGAIN = 0.5  # seconds between looks at a download


def panel() -> None:
    """The models with their states; drawn only while it is open."""
    if workspace().maintenance.outdated():
        show_note(
            "Some documents were read by an earlier version of docqa, or before the layout network "
            "was installed. Index the library again below."
        )
    elif workspace().maintenance.is_reindexing_unfinished() and not running().reindexing.running:
        show_note("Indexing was interrupted. Continue below.")
    opened = st.expander("Models", key="models", type="compact", on_change="rerun")
    if opened.open:
        with opened, st.container(key="model_list", gap="xsmall"):
            watched(_models, _is_busy, every=LOOK_AGAIN)


def _is_busy() -> bool:
    return running().fetching.running or running().reindexing.running


def _models() -> None:
    busy = _is_busy()
    used = workspace().maintenance.indexed_with
    statuses = installation.model_statuses()
    _list([each for each in statuses if each.purpose != "answers"], used, busy)
    answering = [each for each in statuses if each.purpose == "answers"]
    if answering:
        st.markdown("**Models that answer, run by docqa itself**")
        if memory := installation.total_memory():
            st.caption(literal(f"This machine has {size_of(memory)} of memory."))
        _list(answering, used, busy)
        _from_disk()


def _list(models: list[ModelStatus], used: str | None, busy: bool) -> None:
    fetching, reindexing = running().fetching, running().reindexing
    for model in models:
        st.markdown(_line(model.name, model.state, model.size))
        if model.note:
            st.caption(literal(f"{model.purpose.capitalize()}: {model.note}."))
        if model.used:
            st.caption("Used for reading." if model.purpose == "layout" else "Used for search.")
        if model.fault:
            st.caption(f":red[:material/error:] {literal(model.fault)}")
        if model.state == "missing":
            _button("Download", "download", download, model.name, busy)
        elif model.purpose == "answers":
            _answer_with(model.file)
        elif model.purpose == "encoder" and used == model.name:
            st.caption("This library is indexed with it.")
            upkeep = workspace().maintenance
            if upkeep.outdated() or upkeep.is_reindexing_unfinished():
                _button("Index the library again", "refresh", reindex, model.name, busy)
        elif model.purpose == "encoder" and used:
            _button("Index the library with it", "refresh", reindex, model.name, busy)
        for chore, size in ((fetching, size_of), (reindexing, str)):
            if chore.name == model.name:
                _progress(chore, size)


def _from_disk() -> None:
    typed = st.text_input(
        "A GGUF file on this machine",
        key="model_file",
        placeholder="/home/me/models/model.gguf",
        help="An instruct model in the format of llama.cpp, loaded at the first question.",
    )
    if typed.strip():
        _answer_with(str(Path(typed.strip()).expanduser()))


def _answer_with(path: str) -> None:
    """What the file takes of memory, and a button to answer with it where it fits."""
    try:
        model = installation.model_file(Path(path))
    except ModelError as error:
        st.caption(f":red[:material/error:] {literal(str(error))}")
        return
    st.caption(literal(_fits(model)))
    if screen().settings.server.model_file == model.path:
        st.caption(":green[:material/check: in use]")
        return
    name = Path(model.path).stem
    button(
        "Answer with it", f"answer-{name}", local_models.use_file, name, model.path, icon="forum"
    )


def _fits(model: ModelFile) -> str:
    free = f"; {size_of(model.free)} are free" if model.free else ""
    tools = "" if model.tools else " It was not trained to search; docqa searches for it."
    return (
        f"Takes {size_of(model.needs)} of memory with a context of {model.context:,} tokens{free}."
        f"{tools}"
    )


def _line(name: str, state: str, size: int) -> str:
    told = f" · {size_of(size)}" if size else ""
    return f"**{literal(name)}**  \n:{COLOURS[state]}[{state}] :gray[{literal(told)}]"


def _button(label: str, icon: str, work: Callable[[str], None], name: str, busy: bool) -> None:
    button(label, f"{icon}-{name}", work, name, icon=icon, disabled=busy)


def download(name: str) -> None:
    fetching = running().fetching
    fetching.start(name, lambda: installation.download(name, progress=fetching.follow))


def reindex(name: str) -> None:
    """Index the library anew with the encoder of that name."""
    chore, upkeep = running().reindexing, workspace().maintenance
    chore.start(
        name,
        lambda: upkeep.reindex(
            encoder=name, progress=lambda told: chore.follow(told.done, told.total)
        ),
    )


def _progress(chore: Chore[object], size: Callable[[int], str]) -> None:
    if chore.running:
        share = chore.done / chore.total if chore.total else 0.0
        st.progress(min(1.0, share), text=f"{size(chore.done)} of {size(chore.total)}")
    elif chore.error:
        st.caption(f":red[:material/error:] {literal(chore.error)}")
