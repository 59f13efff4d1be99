"""Files on their way into the library: how far each is, how long it will take, what became of it.

What is shown belongs to the process and not to a browser session, so a reload finds it again.
"""

import time
from collections.abc import Sequence

import streamlit as st

from docqa.types.document import Document
from docqa.types.phrases import count
from docqa.types.progress import Progress
from docqa.ui.adding import Entry
from docqa.ui.buttons import button, quiet_button
from docqa.ui.plain_text import literal, short_name
from docqa.ui.state import running, workspace
from docqa.ui.watching import watched

NAME_CHARS = 28
LISTED = 4  # files that wait, each on a line; of the others only how many they are
LOOK_AGAIN = 0.5  # seconds
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
NEARLY = 0.9  # the share of the work after which a file is nearly done
SURE_AFTER = 4.0  # seconds of work before the time left is told


def show() -> None:
    """How far each file is; looked at twice a second while one is being read."""
    adding = running().adding
    busy = adding.running or bool(in_background())
    watched(
        _show,
        lambda: (adding.running, adding.settled, set(in_background())),
        every=LOOK_AGAIN if busy else None,
    )


def _show() -> None:
    adding = running().adding
    entries = adding.entries
    if not entries:
        return
    with st.container(key="adding", gap="xsmall"):
        _under_way([each for each in entries if each.result is None])
        _settled(entries)
        if not adding.running:
            quiet_button("Clear this list", "dismiss", adding.dismiss)


def arriving() -> set[str]:
    """The files of the list above the documents that are not yet read in full."""
    return {each.name for each in running().adding.entries if each.result is None}


def in_background() -> dict[str, Progress]:
    """By the name of its document, what is read, indexed or OCRed at the moment."""
    under_way = workspace().additions.under_way()
    return {told.file: told for told in under_way if told.stage != "failed"}


def _under_way(entries: Sequence[Entry]) -> None:
    first = waited_for(entries)
    for entry in entries[: LISTED + 1]:
        name, row = literal(short_name(entry.name, limit=NAME_CHARS)), f"arrival-{entry.number}"
        with st.container(horizontal=True, vertical_alignment="center", key=row):
            told = f"{stage(entry, first)}{left(entry, now=time.monotonic())}{asked(entry)}"
            text = f"{name}  \n:gray[{literal(told)}]"
            if fraction(entry):
                st.progress(fraction(entry), text=text)
            else:
                st.markdown(text)
                first = ""  # what the first waits for, the others wait for too
            quiet_button(
                f"Cancel {name}",
                f"cancel-{entry.number}",
                running().adding.cancel,
                entry,
                icon="close",
            )
    if len(entries) > LISTED + 1:
        st.caption(f"{len(entries) - LISTED - 1:,} more waiting")
    if len(entries) > 1:
        button("Cancel all", "cancel_adding", running().adding.cancel)


def _settled(entries: Sequence[Entry]) -> None:
    added = [each for each in entries if each.result and each.result.status == "added"]
    if len(added) > 1:
        pages = sum(e.result.document.page_count for e in added if e.result and e.result.document)
        told = f"{count(len(added), 'file')} added, {count(pages, 'page')}"
        st.caption(f":green[:material/check_circle:] {told}")
    for entry in entries:
        if entry.result is not None and (entry not in added or len(added) == 1):
            _outcome(entry)


def _outcome(entry: Entry) -> None:
    name = literal(short_name(entry.name, limit=NAME_CHARS))
    result = entry.result
    if result is None:
        return
    if result.status == "added" and result.document is not None:
        _added(name, result.document)
    elif result.status == "already there":
        st.caption(f":material/content_copy: {name} :gray[{literal(known(entry))}]")
    elif result.status == "cancelled":
        st.caption(f":material/block: {name} :gray[was cancelled.]")
    else:
        st.caption(f":red[:material/error:] {literal(result.error)}")
        if entry.wants_password:
            _password(entry)


def _added(name: str, document: Document) -> None:
    if document.is_plain:
        st.caption(f":orange[:material/warning:] {literal(document.warnings[0])}")
    else:
        st.caption(f":green[:material/check_circle:] {name}, {document.extent}")


def _password(entry: Entry) -> None:
    with st.form(f"password-{entry.number}", border=False):
        password = st.text_input(
            f"Password of {literal(short_name(entry.name, limit=NAME_CHARS))}",
            type="password",
            autocomplete="off",
            key=f"opens-{entry.number}",
        )
        if st.form_submit_button("Open", key=f"open-{entry.number}") and password:
            running().adding.again(entry, password=password)
            st.rerun()


def known(entry: Entry) -> str:
    """Which document the file turned out to be."""
    document = entry.result.document if entry.result else None
    if document is None or document.name == entry.name:
        return "is already in the library."
    return f"is already in the library, as {document.name}."


def fraction(entry: Entry) -> float:
    """How far a file is, from 0 to 1; reading counts for more than indexing."""
    told = entry.progress
    if told is None or told.stage not in SHARES:
        return 1.0 if told and told.stage == "done" else 0.0
    start, share = SHARES[told.stage]
    return min(1.0, start + share * (told.done / told.total if told.total else 0.0))


def waited_for(entries: Sequence[Entry]) -> str:
    """What files wait for that nothing is done with yet: the one being read, else the models."""
    busy = (each.name for each in entries if each.progress and each.progress.stage in SHARES)
    named = next((short_name(name, limit=NAME_CHARS) for name in busy), "")
    return named or ("" if workspace().warming.is_ready else "the search model")


def stage(entry: Entry, first: str = "") -> str:
    """What is happening to a file: "Reading, page 3 of 12", or what it waits for."""
    told = entry.progress
    if told is None or told.stage == "waiting":
        here = "Opening" if entry.started and told is None else "Waiting"
        return f"Waiting for {first}" if first else here
    return told_of(told)


def asked(entry: Entry) -> str:
    """That the file can be asked already, while it is read in full."""
    told = entry.progress
    early = told is not None and told.stage in ("reading", "embedding", "saving")
    return " · ready for questions" if early else ""


def told_of(told: Progress) -> str:
    """A stage in words, and how far it is."""
    if not told.total:
        return STAGES[told.stage]
    unit = "passage" if told.stage == "embedding" else "page"
    return f"{STAGES[told.stage]}, {unit} {told.done:,} of {told.total:,}"


def left(entry: Entry, *, now: float) -> str:
    """The time a file will still take, from what it took so far; "" while that says little.

    ``now`` is on the clock of `Entry.started`, in seconds. What was said before is not gone
    back on: where a file takes longer, nothing is said until it is nearly done.
    """
    gone, done = now - entry.started, fraction(entry)
    if gone < SURE_AFTER or not 0.02 < done < 1.0:
        return ""
    entry.ends = min(entry.ends, now + gone * (1.0 - done) / done)
    seconds = entry.ends - now
    if seconds < 5:
        return " · nearly done" if done > NEARLY else ""
    if seconds < 50:
        return f" · about {5 * round(seconds / 5)} s left"
    return f" · about {max(1, round(seconds / 60))} min left"
