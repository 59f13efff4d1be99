"""What stands there when the library cannot be opened, and when drawing fails."""

from pathlib import Path

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from docqa.errors import KeyRefused
from docqa.ui.error_boundary import UNEXPECTED, attempt
from docqa.ui.exposure import exposed, is_loopback
from docqa.workspace import Workspace
from tests.ui.conftest import shown


def test_a_library_that_is_in_use_gets_a_page_of_its_own(
    empty_app: AppTest, tmp_path: Path
) -> None:
    with Workspace(tmp_path / "library"):
        empty_app.run()
        assert [each.value for each in empty_app.header] == ["The library cannot be opened"]
        assert "is in use by another docqa" in shown(empty_app)
        assert not empty_app.file_uploader
        assert not empty_app.exception
    empty_app.button(key="try_again").click().run()
    assert [each.value for each in empty_app.header] == ["Ask your documents"]


def test_what_goes_wrong_becomes_one_sentence() -> None:
    def refused() -> None:
        raise KeyRefused

    def broken() -> None:
        raise ZeroDivisionError("the text of a document")

    assert attempt(lambda: None) == ""
    assert attempt(refused) == str(KeyRefused())
    assert attempt(broken) == UNEXPECTED


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("server.address", "0.0.0.0", "open to other machines: it listens on 0.0.0.0"),
        ("server.address", None, "every address of this machine"),
        ("server.enableXsrfProtection", False, "XSRF is off"),
        ("browser.gatherUsageStats", True, "send usage statistics"),
    ],
)
def test_nothing_is_shown_by_a_server_others_can_reach(
    empty_app: AppTest, option: str, value: object, said: str
) -> None:
    before = config.get_option(option)
    config.set_option(option, value)
    try:
        empty_app.run()
        assert said in shown(empty_app).replace("\u2060", "").replace("\\", "")
        assert not empty_app.file_uploader
    finally:
        config.set_option(option, before)


def test_the_app_is_started_safely() -> None:
    assert exposed() == ""


def test_loopback_addresses() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.0.1", "::1", "localhost")))
    assert not any(map(is_loopback, (None, "", "0.0.0.0", "::", "10.0.0.4", "example.com")))
