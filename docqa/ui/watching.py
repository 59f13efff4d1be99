"""A part of the screen that is looked at again and again while something is under way."""

from collections.abc import Callable

import streamlit as st

from docqa.ui.error_boundary import reported


def watched(
    draw: Callable[[], None],
    state: Callable[[], object],
    *,
    every: float | None,
    before: object = None,
    key: str | None = None,
) -> None:
    """Draw this part, and the whole page once its state is another than ``before``.

    ``before`` is the state that the page was drawn for, the present one where that is None. While
    that is true the part is drawn ``every`` so many seconds, else once.
    """
    before = state() if before is None else before

    @reported
    def look() -> None:
        if state() != before:
            st.rerun()
        draw()

    st.fragment(look, run_every=every if before else None, key=key)()
