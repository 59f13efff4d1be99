"""The parts of the screen that scripts of docqa's own draw, each with its style."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HERE = Path(__file__).parent


def script(name: str) -> ComponentRenderer:
    """What ``name``.js draws, in the style of ``name``.css where there is one."""
    return st.components.v2.component(
        f"docqa.{name}", css=_text_of(name, "css"), js=_text_of(name, "js")
    )


def _text_of(name: str, ending: str) -> str:
    """The file of that name after what all have in common."""
    files = (_HERE / f"{each}.{ending}" for each in ("element", name))
    return "".join(each.read_text(encoding="utf-8") for each in files if each.exists())
