"""Keys that work wherever nothing is being typed: what listens for them, and the list of them."""

import streamlit as st

from docqa.ui.buttons import quiet_button
from docqa.ui.scripts import script
from docqa.ui.state import close_dialog, open_dialog, screen

_listening = script("keys")

KEYS = (
    ("/", "write a question"),
    ("n p", "open the next or previous citation"),
    ("← →", "turn the page in the reader"),
    ("+ − 0", "zoom, with the page in focus"),
    ("f", "find in the open document"),
    ("w", "widen the reader"),
    ("x", "close the reader"),
    ("1 2 3 4 5", "Ask, Compare, Review, Library, Measure"),
    ("?", "this list"),
)


def listen() -> None:
    """Have the browser listen, where that is not switched off."""
    with st.container(key="keys"):
        here = screen()
        _listening(key="listening", data={"on": here.keys, "connecting": here.connecting})


def button() -> None:
    """What opens the list, which `?` presses as well; it stays while the page is drawn anew."""
    quiet_button("Keyboard", "keyboard", open_dialog, "keys", icon="keyboard")
    if screen().dialog[0] == "keys":
        show()


@st.dialog("Keyboard", on_dismiss=close_dialog)
def show() -> None:
    """The list, and a switch for those who speak to their computer or press keys by chance."""
    rows = [(" ".join(f"`{each}`" for each in keys.split()), what) for keys, what in KEYS]
    st.table(rows, border=False, hide_index=True, hide_header=True, alt="The keys")
    st.toggle("Use these keys", screen().keys, key="use_keys", on_change=_switch)


def _switch() -> None:
    screen().keys = bool(st.session_state["use_keys"])
