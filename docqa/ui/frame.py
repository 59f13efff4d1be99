"""What surrounds every page: the style, the sidebar, and the sentence where nothing can open."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import streamlit as st

from docqa.errors import LibraryError
from docqa.ui import keys, links, removal, session, sidebar
from docqa.ui.exposure import exposed
from docqa.ui.plain_text import literal
from docqa.ui.state import close_dialog, running, screen, workspace

_STYLE = Path(__file__).with_name("style.css")
_LOGO = str(Path(__file__).with_name("logo.svg"))
ICON = str(Path(__file__).with_name("icon.svg"))


def open_library() -> None:
    """Take the library before a page is asked for; where it cannot be, the page will say why."""
    with suppress(LibraryError):
        running()


def draw(run_page: Callable[[], None], pages: Sequence[st.Page] = (), *, at: str = "") -> None:
    """The sidebar and the page; where the library cannot be opened, why, and nothing else.

    ``pages`` are all there are, for a click that turns to another; ``at`` is this one's address.
    """
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
    session.restore()
    if screen().page != at:
        close_dialog()  # left for another page before its closing was told
    screen().page = at
    links.follow()
    _turn_to(pages)
    with st.sidebar:
        sidebar.draw()
    keys.listen()
    run_page()
    removal.undoing()
    session.keep()
    running().warm()


def _turn_to(pages: Sequence[st.Page]) -> None:
    going, screen().going = screen().going, ""
    for page in pages:
        if going and page.url_path == going:
            st.switch_page(page)


def closed(sentence: str) -> None:
    """A whole page that says why the library cannot be opened."""
    with st.container(key="closed"):
        st.header("The library cannot be opened", anchor=False)
        st.markdown(literal(sentence))
        st.button("Try again", key="try_again", type="primary")
