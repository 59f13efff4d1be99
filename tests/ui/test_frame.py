"""What stands there when the library cannot be opened, and when drawing fails."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from docqa.errors import KeyRefused
from docqa.ui.boundary import UNEXPECTED, attempt
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
    assert [each.value for each in empty_app.header] == ["Ask your PDFs"]


def test_what_goes_wrong_becomes_one_sentence() -> None:
    def refused() -> None:
        raise KeyRefused

    def broken() -> None:
        raise ZeroDivisionError("the text of a document")

    assert attempt(lambda: None) == ""
    assert attempt(refused) == str(KeyRefused())
    assert attempt(broken) == UNEXPECTED
