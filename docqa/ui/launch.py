"""Starting: one line with the address, the browser opened there, one docqa to a library."""

import sys

import streamlit as st
from streamlit import cli_util

from docqa.library import lock
from docqa.settings import app_folder, library_folder


def launch() -> None:
    """Serve the app as ``streamlit run app.py`` does in a clone: what ``docqa`` alone does."""
    from streamlit.web import cli

    cli.main(["run", str(app_folder() / "app.py")])


def address() -> str:
    """Where this server is reached by a browser of this machine."""
    return f"http://{st.get_option('server.address')}:{st.get_option('server.port')}"


def hand_over() -> None:
    """Where a docqa with this library is open already, show that one and start no other."""
    opened = lock.address_of_holder(library_folder())
    if opened:
        _show(opened, f"docqa is already open at {opened}")
        sys.exit()


def announce() -> None:
    """Say where the app is, and show it."""
    _show(address(), f"docqa is open at {address()} (Ctrl+C ends it)")


def _show(url: str, message: str) -> None:
    cli_util.print_to_cli(message)
    # Unset in .streamlit/config.toml: Streamlit itself looks whether there is a display.
    if not st.get_option("server.headless"):
        cli_util.open_browser(url)
