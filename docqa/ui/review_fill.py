"""Filling a review's cells: by quotes alone at once, by a model after its price was told."""

from collections.abc import Callable, Sequence

import streamlit as st

from docqa.types.review import ReviewTable
from docqa.ui.buttons import button, quiet_button
from docqa.ui.error_boundary import attempt
from docqa.ui.plain_text import literal
from docqa.ui.review_table import Place
from docqa.ui.state import screen, workspace


def begin(review_id: str, places: Sequence[Place] = ()) -> None:
    """Fill the empty cells, or these again; where a model would, its price is told first.

    Raises as `Reviewing.fill` and `Reviewing.price`.
    """
    here = screen()
    here.review_price, here.review_places = None, tuple(places)
    if here.would_use_model(here.settings):
        here.review_price = workspace().reviews.price(
            review_id, places, settings=here.settings, key=here.api_key or None
        )
    else:
        fill(review_id, "extractive")


def fill(review_id: str, answerer: str) -> None:
    """Fill what was asked for, by this answerer. Raises as `Reviewing.fill`."""
    here, reviews = screen(), workspace().reviews
    key, places = here.api_key or None, here.review_places
    here.review_price, here.review_places = None, ()
    if places:
        reviews.fill_again(review_id, places, settings=here.settings, key=key, answerer=answerer)
    else:
        reviews.fill(review_id, settings=here.settings, key=key, answerer=answerer)


def on_click(work: Callable[..., None], *given: object) -> None:
    """Do one of these where a button was pressed; what went wrong is told on the page."""
    screen().review_notice = attempt(lambda: work(*given))


def show(table: ReviewTable) -> None:
    """The price of what a model is about to be asked, and the ways to go on."""
    price = screen().review_price
    if price is None:
        return
    review_id = table.review.id
    with st.container(key="review_price", border=True):
        st.markdown("**Nothing has been sent yet.** " + literal(price.described))
        st.caption(
            "The passages of each document that bear on its questions are sent. The daily budget "
            "is checked before each request; once it is spent, filling stops and says so."
        )
        with st.container(horizontal=True):
            button(
                f"Fill with {price.model}",
                "fill_by_model",
                on_click,
                fill,
                review_id,
                "claude",
                type="primary",
            )
            button(
                "Fill with quotes only", "fill_by_quotes", on_click, fill, review_id, "extractive"
            )
            quiet_button("Cancel", "fill_not", _forget)


def _forget() -> None:
    screen().review_price, screen().review_places = None, ()
