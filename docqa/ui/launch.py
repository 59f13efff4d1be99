"""Starts the app as ``streamlit run app.py`` does in a clone: what ``docqa`` alone does."""

from streamlit.web import cli

from docqa.settings import app_folder


def launch() -> None:
    """Serve the app until it is stopped; .streamlit/config.toml beside app.py holds its options."""
    cli.main(["run", str(app_folder() / "app.py")])
