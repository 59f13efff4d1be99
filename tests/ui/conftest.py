"""The screen in Streamlit's AppTest over a real library that was read once."""

import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.comparison import Comparison
from docqa.types.document import Document
from docqa.ui import state
from docqa.ui.state import Screen
from docqa.workspace import Workspace
from tests import pdfs
from tests.conftest import Once

APP = Path(__file__).parents[2] / "app.py"
SECONDS = 120  # for one run of the script, on a busy machine

REVIEW = "Harbour_Review.pdf"
TERMS = "Terms $5 to $9 *draft*.pdf"
HOSTILE = "The fee_cap is $1.2M to $19.4M | net of <b>costs</b> and `fees` at 5 * 3 in 2024."
TERMS_PAGES = [
    f"Fee terms.\n\n{HOSTILE}",
    "Vacancy in the district fell to 5.3% at the end of 2024, the second lowest level in years.",
    "Governing law: State of New York. Either party may end this agreement on ninety days' notice.",
]


@pytest.fixture(scope="session", autouse=True)
def _packages_seen_once() -> Iterator[None]:
    """Every new AppTest looks through all installed packages for components; they stay as found."""
    patch = pytest.MonkeyPatch()
    found = cache(manifest_scanner.scan_component_manifests)
    patch.setattr(manifest_scanner, "scan_component_manifests", found)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def read_library(once: Once, reader: ReadingProcess) -> Path:
    """A library folder with two documents; copied, never written to."""

    def add_both(folder: Path) -> None:
        paths = [
            pdfs.structured(folder / "one.pdf"),
            pdfs.text_pages(folder / "two.pdf", TERMS_PAGES),
        ]
        with Workspace(folder / "library", reader=reader) as workspace:
            results = workspace.add(paths, names=[REVIEW, TERMS])
            assert [each.error for each in results] == ["", ""]

    return once("read", add_both) / "library"


@pytest.fixture
def empty_app(_own_environment: None) -> Iterator[AppTest]:
    """The app over an empty library."""
    yield AppTest.from_file(str(APP), default_timeout=SECONDS)
    state._running.clear()


@pytest.fixture
def app(read_library: Path, tmp_path: Path, empty_app: AppTest) -> AppTest:
    """The app over the two documents, drawn once."""
    shutil.copytree(read_library, tmp_path / "library")
    return empty_app.run()


OnPage = Callable[[str], AppTest]


@pytest.fixture
def on_page(read_library: Path, tmp_path: Path, _own_environment: None) -> Iterator[OnPage]:
    """A page other than the first, over the two documents."""
    shutil.copytree(read_library, tmp_path / "library")
    yield open_page
    state._running.clear()


def open_page(name: str, *, desk: str = "") -> AppTest:
    """The page of that name ("compare", "library") with all that surrounds it.

    With a ``desk`` it is the tab that had it, in a new session.
    """
    lines = [f"from docqa.ui import frame, {name}", f"frame.draw({name}.page)"]
    opened = AppTest.from_string("\n".join(lines), default_timeout=SECONDS)
    if desk:
        opened.query_params["desk"] = desk
    return opened.run()


def screen(app: AppTest) -> Screen:
    found: Screen = app.session_state["screen"]
    return found


def named(name: str) -> Document:
    return next(each for each in state.workspace().documents() if each.name == name)


def components(app: AppTest, kind: str) -> list[dict[str, Any]]:
    """What our own components ("turn", "page", "sides") were given to draw, top to bottom."""
    found = [each.proto for each in app.get("bidi_component")]
    return [json.loads(p.json) for p in found if p.component_name == f"docqa.{kind}"]


def asked(app: AppTest, question: str) -> dict[str, Any]:
    """The newest turn after a question has been answered."""
    app.chat_input[0].set_value(question).run()
    asking = screen(app).asking
    assert asking is not None
    asking.wait(SECONDS)
    app.run()
    return components(app, "turn")[-1]


def shown(app: AppTest) -> str:
    """Every piece of text that can be read on the screen."""
    kinds = (app.text, app.markdown, app.caption, app.header, app.error, app.warning, app.code)
    return "\n".join(str(each.value) for kind in kinds for each in kind)


def plainly(app: AppTest) -> str:
    """`shown` as a person reads it, without the signs that keep Markdown away."""
    return shown(app).replace("\u2060", "").replace("\\", "")


def ended(app: AppTest) -> Comparison:
    """The comparison that was begun, once it is there and drawn; a short one is so at once."""
    comparing = screen(app).comparing
    if comparing is not None:
        comparing.wait(SECONDS)
        app.run()
    finished = screen(app).comparison
    assert finished is not None
    return finished
