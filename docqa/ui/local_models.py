"""Models on this machine, each chosen with one click: those of servers, and files."""

import time
from collections.abc import Sequence

import streamlit as st

from docqa import installation
from docqa.settings import DEFAULTS, server_ports
from docqa.types.model import ModelServer, ServedModel
from docqa.types.phrases import count, series
from docqa.ui.buttons import button, quiet_button
from docqa.ui.plain_text import literal, size_of
from docqa.ui.state import running, screen
from docqa.ui.watching import watched

LOOK_AGAIN = 0.3  # seconds between looks at the search
FRESH = 30.0  # seconds for which what was found is not looked for again by itself
SHOWN = 6  # models of a server; the others are folded away
HOW = "docs/local-models.md says how to run one."


def show() -> None:
    """What was found, and whether to look at all; looks while the settings are open."""
    with st.container(key="local_models", gap="xsmall"):
        wanted = st.toggle(
            "Look for models on this machine",
            screen().settings.server.find_servers,
            key="find_servers",
            help="Asks only 127.0.0.1, at the usual ports of "
            f"{', '.join(server_ports()) or 'no server (DOCQA_LOCAL_SERVERS)'}.",
        )
        screen().change(find_servers=wanted)
        if wanted and server_ports():
            looking = running().looking
            if time.monotonic() - looking.ended > FRESH:
                look()
            watched(_found, lambda: looking.running, every=LOOK_AGAIN)
        server = screen().settings.server
        if server.model_file:
            st.caption(
                literal(f"docqa runs {screen().settings.answering.model} itself.")
                + " It is loaded at the first question."
            )
        own = server.model_file or server.base_url
        if own and not installation.destination(screen().settings):
            quiet_button("Use Claude again", "use_claude", use_claude)


def _found() -> None:
    looking = running().looking
    if looking.running and looking.result is None:
        st.caption("Looking for model servers…")
        return
    for server in looking.result or ():
        _server(server)
    if not looking.result:
        names = series(list(server_ports()), "or")
        st.caption(literal(looking.error or f"No {names} answers here. {HOW}"))
    quiet_button("Look again", "look_again", look)


def look() -> None:
    running().looking.start("", installation.find_servers)


def _server(server: ModelServer) -> None:
    version = f" {server.version}" if server.version else ""
    st.markdown(f"**{literal(server.name)}**:gray[{literal(version)}]")
    if server.trouble:
        st.caption(literal(server.trouble))
    here = [each for each in server.models if not each.elsewhere]
    _choices(server, here[:SHOWN])
    if here[SHOWN:]:
        with st.expander(f"{len(here) - SHOWN} more", key=f"more-{server.name}", type="compact"):
            _choices(server, here[SHOWN:])
    away = [each for each in server.models if each.elsewhere]
    if away:
        hosts = ", ".join(dict.fromkeys(each.elsewhere for each in away))
        st.caption(literal(f"{count(len(away), 'model')} left out: they run at {hosts}, not here."))


def _choices(server: ModelServer, models: Sequence[ServedModel]) -> None:
    used = screen().settings
    for model in models:
        name, at = used.answering.model, used.server.base_url
        if (name, at) == (model.name, server.url):
            st.caption(f":green[:material/check: {literal(_told(model))}, in use]")
        else:
            button(
                literal(_told(model)),
                f"use-{server.name}-{model.name}",
                use,
                server,
                model,
                help="Answer with this model.",
            )


def _told(model: ServedModel) -> str:
    size = f" · {size_of(model.size)}" if model.size else ""
    return f"{model.name}{size}"


def use(server: ModelServer, model: ServedModel) -> None:
    """Ask this model from now on; no key is sent to it."""
    _switch(model.name, server.url, send_key=False)


def use_file(name: str, path: str) -> None:
    """Answer with the model in that file, which docqa runs itself."""
    _switch(name, "", send_key=True, model_file=path)


def use_claude() -> None:
    """Ask Claude again, where there is a key."""
    _switch(DEFAULTS.answering.model, "", send_key=True)


def _switch(model: str, base_url: str, *, send_key: bool, model_file: str = "") -> None:
    screen().change(
        model=model,
        base_url=base_url,
        model_file=model_file,
        send_key=send_key,
        answerer="auto",
    )
    # The fields below show what was chosen.
    st.session_state.update({"model": model, "base_url": base_url, "answerer": "auto"})
