"""``streamlit run app.py`` in a home of its own: what the terminal says, what the browser opens."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import ROOT, free_port, open_page, own_environment, stop

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PATIENCE = 60.0  # seconds


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A new person's, at a machine with a display whose browser writes down what it is to open."""
    if sys.platform != "linux":
        pytest.skip("elsewhere the browser is opened by another program")
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" >> "{tmp_path}/opened"\n')
    opener.chmod(0o755)
    (tmp_path / "home").mkdir()
    kept = own_environment(tmp_path / "library")
    path = f"{opener.parent}:{os.environ['PATH']}"
    return {**kept, "HOME": str(tmp_path / "home"), "DISPLAY": ":99", "PATH": path}


@pytest.fixture
def started(tmp_path: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of a docqa that was started as the README says."""
    port = free_port()
    with (tmp_path / "said").open("w") as said:
        running = subprocess.Popen(
            [*START, f"--server.port={port}"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        yield f"http://127.0.0.1:{port}"
        stop(running)


START = [sys.executable, "-m", "streamlit", "run", "app.py"]


def opened(tmp_path: Path, times: int) -> list[str]:
    """What the browser was told to open, once it was told so often."""
    deadline = time.monotonic() + PATIENCE
    path = tmp_path / "opened"
    while time.monotonic() < deadline:
        found = path.read_text().split() if path.exists() else []
        if len(found) >= times:
            return found
        time.sleep(0.1)
    pytest.fail(f"the browser was not opened: {(tmp_path / 'said').read_text()}")


def test_the_browser_opens_and_a_second_start_opens_the_same_window(
    tmp_path: Path, environment: dict[str, str], started: str, browser: "Browser"
) -> None:
    assert opened(tmp_path, 1) == [started]
    page = open_page(browser, started, [], [])
    page.get_by_role("button", name="Open the samples").wait_for()
    page.context.close()
    assert (tmp_path / "said").read_text() == f"docqa is open at {started} (Ctrl+C ends it)\n"
    second = subprocess.run(START, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert second.stdout == f"docqa is already open at {started}\n"
    assert second.returncode == 0
    assert opened(tmp_path, 2) == [started, started]
    assert list((tmp_path / "home").rglob("*.toml")) == []  # Streamlit asked for no address
