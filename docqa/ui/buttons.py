"""Buttons that do something: what is called once one is pressed, and with what."""

from collections.abc import Callable
from typing import Any

import streamlit as st


def button(
    label: str,
    key: str,
    on_click: Callable[..., None],
    *args: object,
    icon: str = "",
    **drawn: Any,
) -> None:
    """A button that calls ``on_click`` with ``args``; ``icon`` is a Material symbol's name.

    ``drawn`` is what else Streamlit's own takes.
    """
    sign = f":material/{icon}:" if icon else None
    st.button(label, key=key, on_click=on_click, args=args, icon=sign, **drawn)


def quiet_button(
    label: str, key: str, on_click: Callable[..., None], *args: object, **drawn: Any
) -> None:
    """A button that stands back behind others, its words alone."""
    button(label, key, on_click, *args, type="tertiary", **drawn)
