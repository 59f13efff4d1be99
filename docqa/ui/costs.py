"""What answers have cost, and at which prices: the conversation, the day, all of it; own prices."""

from decimal import Decimal

import streamlit as st

from docqa.settings import PRICES_OF, Price
from docqa.types.costs import Spent
from docqa.types.phrases import dollars
from docqa.ui.buttons import quiet_button
from docqa.ui.plain_text import literal
from docqa.ui.state import close_dialog, open_dialog, screen, workspace

LISTED = 7  # days
RATES = {
    "input": "Input",
    "output": "Output",
    "cache_read": "Cache read",
    "cache_write": "Cache write",
}


def panel() -> None:
    """The sums and the way to the prices; drawn only while it is open."""
    opened = st.expander("Costs", key="costs", type="compact", on_change="rerun")
    if opened.open:
        with opened:
            _sums()
            quiet_button("Prices…", "show_prices", open_dialog, "prices")
    if screen().dialog[0] == "prices":
        prices()


def _sums() -> None:
    ledger, talk = workspace().ledger, screen().conversation_id
    days = ledger.days()
    if not days:
        st.caption("Nothing has been sent to a model yet.")
        return
    if talk:
        st.text(f"This conversation: {ledger.spent(conversation_id=talk).described}")
    st.text(f"Today (UTC): {ledger.today().described}")
    with st.container(key="spent_days", gap=None):
        for day, spent in days[:LISTED]:
            st.caption(f"{day}: {literal(spent.described)}")
    if len(days) > 1:
        st.text(f"In all: {ledger.spent().described}")


def running() -> str:
    """What this conversation and this day have cost until now; "" where nothing was sent."""
    ledger, talk = workspace().ledger, screen().conversation_id
    today = ledger.today()
    talked = ledger.spent(conversation_id=talk) if talk else Spent(0, 0, Decimal(0))
    if not talked.requests and not today.requests:
        return ""
    limit = limit_for_a_day()
    of = f" of {dollars(limit)}" if limit else ""
    return f"This conversation {dollars(talked.cost_usd)} · today {dollars(today.cost_usd)}{of}"


def limit_for_a_day() -> Decimal | None:
    """The budget that holds: the session's, else the library's; None is no limit."""
    own = screen().settings.server.budget_usd
    return Decimal(str(own)) if own else workspace().ledger.budget


@st.dialog("Prices", width="medium", on_dismiss=close_dialog)
def prices() -> None:
    """Every model's price, and another one for any of them."""
    st.caption(
        f"US dollars per million tokens, as Anthropic listed them on {PRICES_OF}; your own "
        "prices replace them. Without a price, only tokens are counted."
    )
    own = workspace().ledger.own_prices()
    st.table(
        [_row(name, price, name in own) for name, price in workspace().ledger.prices().items()]
    )
    with st.form("price_form", border=False):
        st.text_input("Model", screen().settings.answering.model, key="priced_model")
        columns = st.columns(4)
        for column, (rate, label) in zip(columns, RATES.items(), strict=True):
            column.number_input(label, min_value=0.0, step=0.05, format="%.3f", key=f"price_{rate}")
        with st.container(horizontal=True):
            st.form_submit_button(
                "Save this price", key="keep_price", type="primary", on_click=keep_price
            )
            st.form_submit_button("Use the listed price", key="drop_price", on_click=drop_price)


def _row(name: str, price: Price, own: bool) -> dict[str, str]:
    rates = {label: f"{getattr(price, rate):,}" for rate, label in RATES.items()}
    return {"Model": name, **rates, "From": "you" if own else PRICES_OF}


def keep_price() -> None:
    given = [Decimal(str(st.session_state[f"price_{rate}"])) for rate in RATES]
    _set(Price(given[0], given[1], given[2], given[3]))


def drop_price() -> None:
    """Take a price of one's own back."""
    _set(None)


def _set(price: Price | None) -> None:
    model = str(st.session_state["priced_model"]).strip()
    if model:
        workspace().ledger.set_price(model, price)
