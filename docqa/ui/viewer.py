"""The reader: a page as it looks, or its text where there is none; the cited blocks are marked."""

import base64
from collections.abc import Callable, Sequence
from functools import wraps

import streamlit as st

from docqa.present.as_nodes import Json
from docqa.types.document import Box, Document, PageHealth
from docqa.ui import contents, find, judgements, links, marks, session, text_page
from docqa.ui.buttons import quiet_button
from docqa.ui.error_boundary import reported
from docqa.ui.plain_text import literal, short_name
from docqa.ui.scripts import script
from docqa.ui.state import Place, Screen, screen, workspace

_page, _turns = script("page"), script("turning")
# What the reader is made wider by, with the mouse or the arrows; keys.js listens to it.
EDGE = """<div class="reader-edge" role="separator" tabindex="0" aria-orientation="vertical"
  aria-label="Width of the reader"
  aria-valuenow="47" aria-valuemin="25" aria-valuemax="75"></div>"""
READER = "reader"  # the part of the screen that is drawn again alone
KEPT_PAGES = 60  # page images held in memory
SCALES = (2, 3, 4)  # pixels for a point a page is drawn at, the first until it is zoomed


@st.cache_data(max_entries=KEPT_PAGES, show_spinner=False)
def _image(document_id: str, page: int, scale: int, folder: str) -> tuple[str, float, float]:
    """A page as a data address, and its size in points."""
    jpeg, width, height = workspace().contents.page_image(document_id, page, scale=scale)
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}", width, height


@st.cache_data(max_entries=KEPT_PAGES, show_spinner=False)
def _words(document_id: str, page: int, folder: str) -> list[tuple[str, Box]]:
    """The words of a page, and where they stand."""
    return workspace().contents.page_words(document_id, page)


def beside(draw: Callable[[], None]) -> Callable[[], None]:
    """A page of the app with the reader on its right, where something is open.

    The columns are there even while nothing is open (the style hides the empty one), so that
    opening the reader does not build what is on the left anew.
    """

    @reported
    @wraps(draw)
    def drawn() -> None:
        left, right = st.columns([10, 9], gap="medium")
        with right:
            reader()
        with left:
            draw()

    return drawn


@st.fragment(key=READER)
@reported
def reader() -> None:
    """What is open beside this page of the app, nothing where that is nothing."""
    place = screen().place
    if place is not None and place.beside == screen().page:
        with st.container(key="reader"):
            st.html(EDGE)
            _show(place)


def _show(place: Place) -> None:
    """The open page, with buttons to turn it; a note where the document is gone."""
    document = _opened(place)
    if document is None:
        with st.container(horizontal=True, vertical_alignment="center", key="reader_title"):
            st.text("This document is no longer in the library.", width="stretch")
            _close_button()
        return
    health = workspace().contents.health(document.id)
    _title(document, place)
    links.notice()
    side = _bar(document, place, health)
    contents.row(document, place, health)
    if screen().seeking:
        find.row(document)
    if side == "Text":
        _text(document, place, health)
    elif document.kind == "pdf":
        show_page(document, place)
    else:
        _show_leaf(document, place, health)
    judgements.row(place)
    session.keep()


def _opened(place: Place) -> Document | None:
    return next((each for each in workspace().documents() if each.id == place.document_id), None)


def _title(document: Document, place: Place) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="reader_title"):
        st.text(short_name(document.name, limit=46), width="stretch", wrap=False)
        links.button(document, place)
        quiet_button("Find in this document", "seek_in_reader", find.toggle, icon="search")
        _close_button()


def _close_button() -> None:
    quiet_button("Close the reader", "close_reader", _close, icon="close")


def _close() -> None:
    """Put the reader away, and what was looked for in it."""
    here = screen()
    here.place, here.seeking, here.sought = None, False, None
    st.rerun()  # the whole page, which has its place


def _bar(document: Document, place: Place, health: Sequence[PageHealth]) -> str | None:
    """The line above the page: turning, the page's number, and which side is looked at."""
    with st.container(horizontal=True, vertical_alignment="center", key="reader_bar"):
        _turning(document, place, health)
        if document.kind != "pdf":
            return "Page"  # there is but one way to look at it
        return st.segmented_control(
            "Look at",
            ["Page", "Text"],
            default="Page",
            required=True,
            key="reader_side",
            label_visibility="collapsed",
        )


def _turning(document: Document, place: Place, health: Sequence[PageHealth]) -> None:
    data: Json = {
        "page": place.page,
        "pages": document.page_count,
        "unit": document.unit,
        "printed": _printed(place.page, health) if document.kind == "pdf" else "",
        "visit": place.visit,
    }

    def go() -> None:
        typed = st.session_state["turning"].get("go")
        if typed and not go_to(screen(), str(typed), document.page_count, health):
            st.toast(literal(f"No {document.unit} of this document is called “{typed}”."))

    _turns(key="turning", data=data, on_go_change=go)


def _printed(page: int, health: Sequence[PageHealth]) -> str:
    """What is printed on the page as its number, "" where that is the page's own."""
    label = next((each.label for each in health if each.page == page), "")
    return label if label != str(page) else ""


def go_to(here: Screen, typed: str, page_count: int, health: Sequence[PageHealth]) -> bool:
    """Turn to the page of that number in the file, else to the one it is printed on.

    Whether there is one.
    """
    called = typed.strip().casefold()
    printed = (each.page for each in health if each.label.casefold() == called)
    page = int(called) if called.isdecimal() else next(printed, 0)
    if not 1 <= page <= page_count:
        return False
    here.turn_to(page)
    return True


def show_page(document: Document, place: Place) -> None:
    """The page's image with its marks."""
    folder, scale = str(workspace().folder), _scale()
    address, width, height = _image(document.id, place.page, scale, folder)
    sought, blocks = screen().sought, workspace().contents.blocks(document.id, place.page)
    words = _words(document.id, place.page, folder) if sought else []
    data: Json = {
        "src": address,
        "alt": f"{document.name}, page {place.page}",
        "page": place.page,
        "visit": place.visit,
        "scale": scale,
        "scales": SCALES,
        "width": width,
        "height": height,
        "marks": [
            {**mark, "box": marks.percent(box, width=width, height=height)}
            for mark, box in marks.drawn(place, sought, blocks, words)
        ],
    }
    _page(key="page", data=data, on_scale_change=lambda: None)


def _scale() -> int:
    """Pixels for a point, as many as the zoom that is chosen can show."""
    asked = st.session_state.get("page", {}).get("scale") or SCALES[0]
    return min(SCALES, key=lambda scale: abs(scale - asked))


def _show_leaf(document: Document, place: Place, health: Sequence[PageHealth]) -> None:
    """A page, or what has none, as text, with its marks."""
    title = next((each.where for each in health if each.page == place.page), "")
    blocks, sought = workspace().contents.blocks(document.id, place.page), screen().sought
    finds = {(kind, 0, block) for kind, block, _ in marks.found(place, sought)}
    data = text_page.drawn(
        blocks,
        [*marks.cited(place, blocks), *finds],
        find=find.looked_at(sought),
        name=document.name,
        title=title,
        page=place.page,
        visit=place.visit,
        question=place.question,
    )
    text_page.draw(key="leaf", data=data)


def _text(document: Document, place: Place, health: Sequence[PageHealth]) -> None:
    blocks = workspace().contents.blocks(document.id, place.page)
    told = next((each for each in health if each.page == place.page), None)
    if told is not None and told.source == "OCR":
        st.caption("Read by OCR from the page's picture; check it against the page.")
    if blocks:
        _show_leaf(document, place, health)
    else:
        st.caption(f"No text could be read from this {document.unit}.")
