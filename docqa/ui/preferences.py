"""What can be set for this session: how passages are searched, and who answers."""

from dataclasses import replace

import streamlit as st

from docqa import settings as configuration
from docqa.ui.state import screen

ANSWERERS = {"auto": "Automatic", "claude": "Claude", "extractive": "Quotes only"}


def panel() -> None:
    """The settings of this session; drawn only while they are open."""
    opened = st.expander("Settings", key="settings", type="compact", on_change="rerun")
    if opened.open:
        with opened:
            _search_settings()
            _answer_settings()
            _key()


def _search_settings() -> None:
    settings = screen().settings
    top_k = st.slider("Passages for a question (top-k)", 3, 30, settings.top_k, key="top_k")
    use_mmr = st.toggle(
        "Varied passages (MMR)",
        settings.use_mmr,
        key="use_mmr",
        help="Prefers passages that differ from those already chosen.",
    )
    mmr_lambda = st.slider(
        "Relevance against variety (λ)",
        0.0,
        1.0,
        settings.mmr_lambda,
        0.05,
        key="mmr_lambda",
        disabled=not use_mmr,
        help="1 is relevance alone, 0 variety alone.",
    )
    screen().settings = replace(settings, top_k=top_k, use_mmr=use_mmr, mmr_lambda=mmr_lambda)


def _answer_settings() -> None:
    settings = screen().settings
    answerer = st.segmented_control(
        "Answers",
        list(ANSWERERS),
        format_func=ANSWERERS.__getitem__,
        default=settings.answerer,
        required=True,
        key="answerer",
        help="Automatic: Claude where there is a key, else quotes from the documents.",
    )
    model = st.text_input("Model", settings.model, key="model")
    base_url = st.text_input(
        "Server",
        settings.base_url,
        key="base_url",
        placeholder="Anthropic",
        help="Another server that speaks the Messages API, a local one for example.",
    )
    screen().look_first = st.toggle(
        "Show passages before they are sent",
        screen().look_first,
        key="look_first",
        help="With Claude: you see what was found and send it, or not.",
    )
    screen().settings = replace(
        settings,
        answerer=answerer or "auto",
        model=model.strip() or configuration.DEFAULTS.model,
        base_url=base_url.strip(),
    )


def _key() -> None:
    if screen().api_key:
        st.caption("A key is set for this session.")
        st.button("Forget the key", key="forget_key", type="tertiary", on_click=forget_key)
        return
    typed = st.text_input(
        "API key, for this session only",
        type="password",
        autocomplete="off",
        key="api_key",
        placeholder="From the environment" if configuration.api_key() else "None",
        help="Kept in memory until this page is closed; never stored, logged or exported.",
    )
    if typed.strip():
        screen().api_key = typed.strip()
        st.rerun()


def forget_key() -> None:
    """Ask without a key from now on, or with the one from the environment."""
    screen().api_key = ""
