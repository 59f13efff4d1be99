"""The parts of the screen that scripts of docqa's own draw, each with its style."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HERE = Path(__file__).parent


def script(name: str) -> ComponentRenderer:
    """What ``name``.js draws, in the style of ``name``.css where there is one."""
    style = _HERE / f"{name}.css"
    return st.components.v2.component(
        f"docqa.{name}",
        css=style.read_text(encoding="utf-8") if style.exists() else None,
        js="".join(
            (_HERE / f"{part}.js").read_text(encoding="utf-8") for part in ("element", name)
        ),
    )
