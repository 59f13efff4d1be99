"""What surrounds every page: the style, the sidebar, and the sentence where nothing can open."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from docqa.errors import LibraryError
from docqa.ui import desk, sidebar
from docqa.ui.exposure import exposed
from docqa.ui.plain import literal
from docqa.ui.state import running, workspace

_STYLE = Path(__file__).with_name("style.css")
_LOGO = str(Path(__file__).with_name("logo.svg"))
ICON = str(Path(__file__).with_name("icon.svg"))


def draw(run_page: Callable[[], None]) -> None:
    """The sidebar and the page; where the library cannot be opened, why, and nothing else."""
    st.html(_STYLE)
    st.logo(_LOGO, size="large", icon_image=ICON)
    sentence = exposed()
    if sentence:
        closed(sentence)
        return
    try:
        workspace()
    except LibraryError as error:
        closed(str(error))
        return
    desk.restore()
    with st.sidebar:
        sidebar.draw()
    run_page()
    desk.keep()
    running().warm()


def closed(sentence: str) -> None:
    """A whole page that says why the library cannot be opened."""
    with st.container(key="closed"):
        st.header("The library cannot be opened", anchor=False)
        st.markdown(literal(sentence))
        st.button("Try again", key="try_again", type="primary")
