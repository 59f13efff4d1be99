"""What can be set for this session: how passages are searched, and who answers."""

from collections.abc import Mapping

import streamlit as st

from docqa import installation
from docqa import settings as configuration
from docqa.settings import DEFAULTS, Settings, Variety
from docqa.types.phrases import dollars
from docqa.ui import local_models
from docqa.ui.buttons import quiet_button
from docqa.ui.plain_text import literal
from docqa.ui.state import screen, workspace

PANEL = "settings"  # open or not
ANSWERERS = {"auto": "Automatic", "claude": "Claude", "extractive": "Quotes only"}
KEY_HEADERS = {"auto": "Automatic", "authorization": "Authorization", "x-api-key": "x-api-key"}


def panel() -> None:
    """The settings of this session; drawn only while they are open."""
    opened = st.expander("Settings", key=PANEL, type="compact", on_change="rerun")
    if opened.open:
        with opened:
            _key()
            _model()
            local_models.show()
            _answers()
            _redaction()
            _budget()
            _advanced()


def connect() -> None:
    """Open the settings at the key, which is what connects a model."""
    st.session_state[PANEL] = True
    screen().connecting += 1


def _advanced() -> None:
    opened = st.expander("Advanced", key="advanced", type="compact", on_change="rerun")
    if opened.open:
        with opened:
            _key_header()
            _search_settings()
            _reranking()


def _search_settings() -> None:
    settings = screen().settings
    top_k = st.slider(
        "Passages per question (top-k)",
        3,
        30,
        settings.search.top_k,
        key="top_k",
        help=f"More passages hold more, and cost more to read. Default {DEFAULTS.search.top_k}.",
    )
    synthesis_top_k = st.slider(
        "Passages per question about several documents",
        5,
        60,
        settings.search.synthesis_top_k,
        key="synthesis_top_k",
        help="For questions that compare or summarize documents. "
        f"Default {DEFAULTS.search.synthesis_top_k}.",
    )
    mmr = variety_choice(settings, "mmr")
    mmr_lambda = settings.search.mmr_lambda
    if mmr != "never":
        mmr_lambda = st.slider(
            "Relevance versus variety (λ)",
            0.0,
            1.0,
            mmr_lambda,
            0.05,
            key="mmr_lambda",
            help=f"1 is relevance alone, 0 variety alone. Default {DEFAULTS.search.mmr_lambda}.",
        )
    screen().change(top_k=top_k, synthesis_top_k=synthesis_top_k, mmr=mmr, mmr_lambda=mmr_lambda)


VARIETY: Mapping[Variety, str] = {
    "synthesis": "for summaries, lists and comparisons",
    "always": "for every question",
    "never": "never",
}


def variety_choice(settings: Settings, key: str) -> Variety:
    """When passages are chosen for variety as well as relevance."""
    return st.selectbox(
        "Varied passages (MMR)",
        list(VARIETY),
        list(VARIETY).index(settings.search.mmr),
        format_func=VARIETY.__getitem__,
        key=key,
        help="Prefers passages that differ from those already chosen. By default only for "
        "summaries, lists and comparisons; used for every question, it brings the right page first "
        "no more often (for 66% of 349 questions on contracts).",
    )


def _reranking() -> None:
    use_reranker = st.toggle(
        "Rerank the best passages",
        screen().settings.search.use_reranker,
        key="use_reranker",
        help="Reads each together with the question. On by default: the page that answers comes "
        "first for 66% of 349 questions on contracts, and for 56% without it.",
    )
    if use_reranker:
        st.caption(f"With {literal(reranker())}.")
    screen().change(use_reranker=use_reranker)


def reranker() -> str:
    """The name of the reranker that searches use; where none is here, words are counted."""
    used = (
        each.name
        for each in installation.model_statuses()
        if each.used and each.purpose == "reranker"
    )
    return next(used, "the words that question and passage share")


def answerer_choice(key: str) -> str | None:
    """Who answers, to be chosen; the session's own choice stands first."""
    return st.segmented_control(
        "Answers",
        list(ANSWERERS),
        format_func=ANSWERERS.__getitem__,
        default=screen().settings.answering.answerer,
        required=True,
        key=key,
        help="Automatic: Claude where there is a key, else quotes from the documents.",
    )


def _model() -> None:
    settings = screen().settings
    model = st.text_input(
        "Model",
        settings.answering.model,
        key="model",
        help=f"Default {DEFAULTS.answering.model}.",
    )
    base_url = st.text_input(
        "Server",
        settings.server.base_url,
        key="base_url",
        placeholder="Anthropic",
        help="Another server that speaks the Messages API, a local one for example.",
    )
    model, base_url = model.strip() or DEFAULTS.answering.model, base_url.strip()
    by_hand = base_url != settings.server.base_url
    screen().change(
        model=model,
        base_url=base_url,
        send_key=by_hand or settings.server.send_key,
        model_file="" if by_hand else settings.server.model_file,
    )
    st.caption(literal(_leaving()))


def _leaving() -> str:
    """What leaves this machine with the settings there are, as a sentence."""
    here = screen()
    if not here.would_use_model(here.settings):
        return "Nothing leaves this machine: no model is connected."
    if host := installation.destination(here.settings):
        return f"What leaves this machine goes to {host}: questions, and the passages found."
    return f"Nothing leaves this machine: {here.settings.answering.model} runs on it."


def _answers() -> None:
    answerer = answerer_choice("answerer")
    screen().look_first = st.toggle(
        "Preview each request before it is sent",
        screen().look_first,
        key="look_first",
        help="With Claude: the request word for word, its size and price; sent once you agree.",
    )
    second_look = st.toggle(
        "Have the model correct what is not supported",
        screen().settings.answering.second_look,
        key="second_look",
        help="With Claude: figures and quotes that do not stand in the passages are shown to it "
        "once. The better of its two answers is kept; both count toward the budget.",
    )
    screen().change(answerer=answerer or "auto", second_look=second_look)


def _redaction() -> None:
    hidden = list(screen().settings.server.redact)
    words = st.multiselect(
        "Words hidden from the server",
        hidden,
        default=hidden,
        key="redact",
        accept_new_options=True,
        placeholder="Type a name and press Enter",
        help="Sent as REDACTED-1 and so on, in passages and file names too; the "
        "answer shows the words themselves.",
    )
    screen().change(redact=tuple(dict.fromkeys(word.strip() for word in words if word.strip())))


def _key_header() -> None:
    key_header = st.selectbox(
        "Header for the key",
        list(KEY_HEADERS),
        index=list(KEY_HEADERS).index(screen().settings.server.key_header),
        format_func=KEY_HEADERS.__getitem__,
        key="key_header",
        help="The header that carries the key to the server. By default the one that the server is "
        "known to read.",
    )
    screen().change(key_header=key_header)


def _budget() -> None:
    budget_usd = st.number_input(
        "Daily budget (US$)",
        min_value=0.0,
        value=screen().settings.server.budget_usd,
        step=0.5,
        key="budget_usd",
        help="Nothing more is sent once it is spent; 0 sets no limit. Days are in UTC.",
    )
    limit = workspace().ledger.budget
    if limit and not budget_usd:
        st.caption(f"With 0, the library's own limit holds: {dollars(limit)}.")
    screen().change(budget_usd=budget_usd)


def _key() -> None:
    if screen().api_key:
        st.caption("A key is set for this session.")
        quiet_button("Forget the key", "forget_key", forget_key)
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
        screen().api_key = configuration.Key(typed.strip())
        st.rerun()


def forget_key() -> None:
    """Ask without a key from now on, or with the one from the environment."""
    screen().api_key = configuration.Key("")
