"""The app on a free loopback port with a library of its own, and a Chromium that looks at it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "ci-output"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
STARTING = 120.0  # seconds the app may take until it answers


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def pictures() -> Path:
    """The folder screenshots are left in."""
    PICTURES.mkdir(exist_ok=True)
    return PICTURES


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> Iterator[str]:
    """The address of a running app whose library is empty at first."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    with served(tmp_path_factory.mktemp("library"), pictures / "app.log") as address:
        yield address


@contextmanager
def served(library: Path, log: Path, **environment: str) -> Iterator[str]:
    """The address of the app over a library, with variables beside those of this environment."""
    port = free_port()
    with log.open("w") as told:
        running = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"],
            cwd=ROOT,
            env={**own_environment(library), **environment},
            stdout=told,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_answering(address, running)
            yield address
        finally:
            stop(running)
    said = log.read_text()
    for fault in ("(most recent call last)", "ScriptRunContext"):
        assert fault not in said, f"the person's terminal shows what is not for them:\n{said}"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def own_environment(library: Path) -> dict[str, str]:
    """This environment without a key, with ``library`` as the library's folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    return {**kept, "DOCQA_LIBRARY": str(library)}


def wait_until_answering(address: str, running: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + STARTING
    while time.monotonic() < deadline:
        assert running.poll() is None, f"the app ended with {running.returncode}"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
                assert answer.status == 200
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    pytest.fail(f"the app did not answer within {STARTING:.0f} seconds")


def stop(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(15)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait(15)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def requested_elsewhere() -> list[str]:
    """Addresses on other machines that the page asked for; each is refused."""
    return []


@pytest.fixture(scope="module")
def script_errors() -> list[str]:
    """What went wrong in the page's scripts, and the errors its console was told."""
    return []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which looks for what keeps people from using a page."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed; `npm install --no-save axe-core` brings it")
    return AXE.read_text("utf-8")


# All that axe-core finds, but for what Streamlit itself draws so: its file field, and where it puts
# its menus and messages.
VIOLATIONS = """async () => (await axe.run(document, {resultTypes: ["violations"],
    rules: {"presentation-role-conflict": {enabled: false}, region: {enabled: false}}})).violations
  .map((each) => `${each.id}: ` + each.nodes.map((node) =>
    node.html.slice(0, 120) + " " + (node.any[0]?.message ?? "")).join(" | "))"""
SCHEMES: "tuple[Literal['dark', 'light'], ...]" = ("dark", "light")
WIDTHS = (1440, 1024)


def violations(page: "Page", axe: str, picture: Path) -> dict[str, list[str]]:
    """What axe-core finds on the page as it is, light and dark, wide and narrow; with pictures."""
    page.evaluate(axe)
    found = {}
    for scheme, width in product(SCHEMES, WIDTHS):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(700)
        drawn(page)
        told = page.evaluate(VIOLATIONS)
        if told:
            found[f"{scheme}, {width}"] = told
        page.screenshot(path=picture.with_name(f"{picture.name}-{scheme}-{width}.png"))
    return found


TIMES: dict[str, list[float]] = {}


@pytest.fixture(scope="session")
def times() -> dict[str, list[float]]:
    """What was timed, and the seconds of each time; printed at the end."""
    return TIMES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TIMES:
        terminalreporter.section("times in the browser")
    for name, seconds in TIMES.items():
        told = f"median {1000 * median(seconds):.0f} ms, longest {1000 * max(seconds):.0f} ms"
        terminalreporter.write_line(f"{name}: {told} (n={len(seconds)})")


@pytest.fixture(scope="module")
def page(
    browser: "Browser",
    app: str,
    pictures: Path,
    requested_elsewhere: list[str],
    script_errors: list[str],
) -> "Iterator[Page]":
    """The app's page, drawn, at the size of a small laptop."""
    page = open_page(browser, app, requested_elsewhere, script_errors)
    yield page
    page.screenshot(path=pictures / "last.png")
    page.context.close()


def open_page(
    browser: "Browser",
    address: str,
    elsewhere: list[str],
    errors: list[str],
    *,
    scheme: 'Literal["light", "dark"]' = "light",
) -> "Page":
    """A browser of its own at that address; the caller closes its context."""
    page = open_window(browser, elsewhere, errors, scheme=scheme)
    page.goto(address)
    return page


def open_window(
    browser: "Browser",
    elsewhere: list[str],
    errors: list[str],
    *,
    scheme: 'Literal["light", "dark"]' = "light",
) -> "Page":
    """A browser of its own that shows nothing yet; the caller closes its context."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        reduced_motion="reduce",
        color_scheme=scheme,
        locale="en-US",
    )
    refuse_elsewhere(context, elsewhere)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda told: errors.extend([told.text] if told.type == "error" else []))
    return page


def refuse_elsewhere(context: "BrowserContext", asked: list[str]) -> None:
    def decide(route: "Route") -> None:
        address = urlsplit(route.request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname != "127.0.0.1":
            asked.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    context.route("**/*", decide)


DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"
TRIES = 5
PATIENCE = 10_000  # milliseconds until a click is taken for lost


def drawn(page: "Page") -> None:
    """Wait until the server has drawn what it was asked for."""
    page.locator(DRAWN).wait_for()


def click_for(button: "Locator", wanted: "Locator") -> None:
    """Click when nothing is being drawn, and again where what it opens does not come.

    What another run changes meanwhile may move a button, or put it anew, between its press and
    its release; and a run that is under way may draw what it knew before the click.
    """
    _tried(lambda: None if wanted.is_visible() else button.click(), wanted)


def hover_for(mark: "Locator", told: "Locator") -> None:
    """Point at a mark, and again where what it tells does not come.

    What another run draws meanwhile may put the mark anew, and no pointer enters that.
    """

    def point() -> None:
        mark.page.mouse.move(0, 0)
        mark.scroll_into_view_if_needed()
        mark.hover()

    _tried(point, told)


def press_until_gone(key: str, thing: "Locator") -> None:
    """Press a key when nothing is being drawn, and again where what it closes stays."""
    _tried(lambda: thing.page.keyboard.press(key) if thing.count() else None, thing, "detached")


def _tried(
    act: Callable[[], None], thing: "Locator", state: Literal["visible", "detached"] = "visible"
) -> None:
    """Act when nothing is being drawn, and again until a thing is so."""
    from playwright.sync_api import TimeoutError as Late

    for left in reversed(range(TRIES)):
        drawn(thing.page)
        act()
        try:
            thing.wait_for(state=state, timeout=PATIENCE)
            return
        except Late:
            assert left, f"{thing} is not {state}"


def open_panels(page: "Page", *names: str) -> None:
    """Open these panels, one after the other; those that are open stay so."""
    for name in names:
        summary = page.locator("summary").filter(has=page.get_by_text(name, exact=True)).first
        within = summary.locator("xpath=parent::details[@open]/*[2]//*[normalize-space()]")
        click_for(summary, within.first)
