"""Links to a place of a document: one that was followed is opened, the open place's is copied."""

from collections.abc import Sequence

import streamlit as st

from docqa.errors import QuestionError
from docqa.present.links import PARAMETERS, Target, deep_link, edges_of, target
from docqa.types.document import Block, Box, Document
from docqa.ui import launch
from docqa.ui.find import covered
from docqa.ui.scripts import script
from docqa.ui.state import Place, screen, workspace

_copying = script("link")
NO_PAGE = "The link names a page that this document does not have."
NO_MARK = "What the link quotes is not on this page."


def follow() -> None:
    """Open, once, what this tab's address names; what is no longer there says so in the reader."""
    wanted = target({name: st.query_params.get(name, "") for name in PARAMETERS})
    for name in PARAMETERS:
        if name in st.query_params:
            del st.query_params[name]
    if wanted is not None:
        _open(wanted)


def _open(wanted: Target) -> None:
    here = screen()
    try:
        document = workspace().document(wanted.document)
    except QuestionError:
        here.open(wanted.document, 1)  # of which the reader says that it is gone
        return
    page = min(max(wanted.page, 1), document.page_count)
    marked = marked_by(wanted, workspace().contents.blocks(document.id, page))
    here.open(document.id, page, marked)
    if page != max(wanted.page, 1):
        here.link_notice = NO_PAGE
    elif wanted.quote and not marked:
        here.link_notice = NO_MARK


def marked_by(wanted: Target, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """What a link marks of a page's blocks; boxes stay where the page was read again since."""
    if not wanted.boxes:
        return quoted(wanted.quote, blocks)
    known = {edges_of(block): block for block in blocks}
    page = max(wanted.page, 1)
    return tuple(
        known.get(edges) or Block("", page, Box(*map(float, edges)), index=-1 - n)
        for n, edges in enumerate(wanted.boxes)
    )


def quoted(quote: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks over which a quote runs, whatever its case, spaces, dashes and quotation marks.

    () where it does not stand there.
    """
    return tuple(next(covered(quote, ((block.text, block) for block in blocks)), ()))


def button(document: Document, place: Place) -> None:
    address = deep_link(launch.address(), document.id, place.page, place.blocks)
    _copying(key="copy_link", data={"link": address})


def notice() -> None:
    """Which parts of the followed link no longer exist."""
    if screen().link_notice:
        st.caption(screen().link_notice)
