"""Whether this server is one that only the person at this machine can reach."""

import ipaddress

import streamlit as st

_ADVICE = "Start docqa in its own folder with `streamlit run app.py`, without other server settings"


def exposed() -> str:
    """Why the documents would not be safe behind this server, as a sentence; "" where they are."""
    address = st.get_option("server.address")
    if not is_loopback(address):
        shown = address or "every address of this machine"
        return f"docqa would be open to other machines: it listens on {shown}. {_ADVICE}."
    if not st.get_option("server.enableXsrfProtection"):
        return f"Other pages in the browser could upload files here: XSRF is off. {_ADVICE}."
    if st.get_option("browser.gatherUsageStats"):
        return f"Streamlit would send usage statistics to its makers. {_ADVICE}."
    return ""


def is_loopback(address: object) -> bool:
    """Whether only programs of this machine can reach a server there; None is every address."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(str(address)).is_loopback
    except ValueError:
        return False
