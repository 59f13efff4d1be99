"""The screen of docqa: ``streamlit run app.py``.

Streamlit imports this file once, when the server starts, and runs it for every click.
"""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

import docqa.supported  # noqa: F401  # before what an old Python cannot import
from docqa.ui import launch
from docqa.ui.assets import Assets


@asynccontextmanager
async def start(_: st.App) -> AsyncIterator[None]:
    """Open the library while the first browser still loads the page."""
    launch.announce()
    threading.Thread(target=open_library, daemon=True).start()
    yield


def open_library() -> None:
    from docqa.ui import frame  # the whole screen with it

    frame.open_library()


def to_first(request: Request) -> RedirectResponse:
    """The page Ask under the name it would have, were it not the first: a bookmark, or a guess."""
    return RedirectResponse(request.url.replace(path="/"))


def draw() -> None:
    """One run: every page with what surrounds it."""
    from docqa.ui import chat, compare, frame, library, measure, review

    st.set_page_config(page_title="docqa", page_icon=frame.ICON, layout="wide")
    pages = [
        st.Page(chat.page, title="Ask", icon=":material/forum:", url_path="ask", default=True),
        st.Page(compare.page, title="Compare", icon=":material/compare:", url_path="compare"),
        st.Page(review.page, title="Review", icon=":material/table_view:", url_path="review"),
        st.Page(library.page, title="Library", icon=":material/library_books:", url_path="library"),
        st.Page(measure.page, title="Measure", icon=":material/straighten:", url_path="measure"),
    ]
    page = st.navigation(pages, position="top")
    frame.draw(page.run, pages, at=page.url_path)


if __name__ == "__main__":
    draw()
else:
    launch.hand_over()
    routes, middleware = [Route("/ask", to_first)], [Middleware(Assets)]
    app = st.App(__file__, lifespan=start, routes=routes, middleware=middleware)
