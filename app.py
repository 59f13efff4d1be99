"""The screen of docqa: ``streamlit run app.py``.

Streamlit imports this file once, when the server starts, and runs it for every click.
"""

import importlib
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

import docqa.supported  # noqa: F401  # before what an old Python cannot import
from docqa.ui.assets import Assets


@asynccontextmanager
async def early(_: st.App) -> AsyncIterator[None]:
    """Import the screen while the first browser still loads the page."""
    threading.Thread(target=importlib.import_module, args=("docqa.ui.frame",), daemon=True).start()
    yield


def draw() -> None:
    """One run: every page with what surrounds it."""
    from docqa.ui import chat, compare, frame, library, measure

    st.set_page_config(page_title="docqa", page_icon=frame.ICON, layout="wide")
    pages = [
        st.Page(chat.page, title="Ask", icon=":material/forum:", url_path="ask", default=True),
        st.Page(compare.page, title="Compare", icon=":material/compare:", url_path="compare"),
        st.Page(library.page, title="Library", icon=":material/library_books:", url_path="library"),
        st.Page(measure.page, title="Measure", icon=":material/straighten:", url_path="measure"),
    ]
    frame.draw(st.navigation(pages, position="top").run, pages)


if __name__ == "__main__":
    draw()
else:
    app = st.App(__file__, lifespan=early, middleware=[Middleware(Assets)])
