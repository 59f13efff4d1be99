"""What would be sent to a model, word for word, with its size and price; sent only after a yes."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from docqa.types.costs import Outgoing
from docqa.types.phrases import count
from docqa.ui import answer_view
from docqa.ui.buttons import button, quiet_button
from docqa.ui.plain_text import literal
from docqa.ui.state import Screen, Unsent, screen


def show(
    unsent: Unsent,
    *,
    send: Callable[[Unsent, str | None], None],
    cancel: Callable[[], None],
    instead: str = "Answer with quotes only",
) -> None:
    """The request and what may be done with it; ``send`` gets the answerer chosen instead.

    ``instead`` is what can be had without sending anything.
    """
    outgoing, settings = unsent.outgoing, unsent.settings
    with st.container(key="sending", gap="small"):
        st.markdown("**Nothing has been sent yet.** " + literal(outgoing.described))
        for sentence in hidden(settings.server.redact, outgoing.payload):
            st.caption(f":material/visibility_off: {literal(sentence)}")
        answer_view.show_turn(
            answer_view.turn_before_sending(outgoing.evidence),
            key="turn-unsent",
            on_open=lambda what, n: open_passage(screen(), outgoing, n),
        )
        with st.expander("The request, word for word", key="request"):
            st.code(written(outgoing.payload), language=None, wrap_lines=True)
        st.caption(
            "The model may search the chosen documents again; what that finds is sent too. The "
            "daily budget is checked before each request."
        )
        with st.container(horizontal=True):
            button("Send", "send", send, unsent, None, type="primary")
            button(instead, "send_nothing", send, unsent, "extractive")
            quiet_button("Cancel", "unsend", cancel)


def written(payload: Mapping[str, Any]) -> str:
    """The request as it is sent, its lines indented."""
    return json.dumps(payload, ensure_ascii=False, indent=1)


def hidden(words: Sequence[str], payload: Mapping[str, Any]) -> list[str]:
    """For each word that is not to be sent, how often it was replaced in the request."""
    times = Counter(re.findall(r"REDACTED-\d+", written(payload)))
    stand_ins = (f"REDACTED-{number}" for number in range(1, len(words) + 1))
    return [
        f"{word} is hidden {count(times[stand_in], 'time')}, as {stand_in}"
        for word, stand_in in zip(words, stand_ins, strict=True)
    ]


def open_passage(here: Screen, outgoing: Outgoing, n: int) -> None:
    chunk = outgoing.evidence[n].hit.chunk
    here.open(chunk.document_id, chunk.page_start, chunk.blocks)
