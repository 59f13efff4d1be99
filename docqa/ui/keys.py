"""Keys that work wherever nothing is being typed: what listens for them, and the list of them."""

from pathlib import Path

import streamlit as st

from docqa.ui.state import screen

_listening = st.components.v2.component(
    "docqa.keys", js=Path(__file__).with_name("keys.js").read_text(encoding="utf-8")
)

KEYS = (
    ("/", "write a question"),
    ("n p", "open the next or previous citation"),
    ("← →", "turn the page in the reader"),
    ("\\+ − 0", "zoom, with the page in focus"),
    ("f", "find in the open document"),
    ("x", "close the reader"),
    ("1 2 3 4", "Ask, Compare, Library, Measure"),
    ("?", "this list"),
)


def listen() -> None:
    """Have the browser listen, where that is not switched off."""
    with st.container(key="keys"):
        _listening(key="listening", data={"on": screen().keys})


def panel() -> None:
    """The list, and a switch for those who speak to their computer or press keys by chance."""
    opened = st.expander("Keyboard", key="keyboard", type="compact", on_change="rerun")
    if opened.open:
        with opened:
            st.markdown("\n".join(f"- **{keys}** {what}" for keys, what in KEYS))
            screen().keys = st.toggle("Use these keys", screen().keys, key="use_keys")
