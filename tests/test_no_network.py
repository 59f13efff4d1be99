"""Without a key, reading, searching, answering and comparing open no connection at all."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from docqa.ingest.reading.parse import SEEING
from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.workspace import Workspace
from tests import alone, pdfs
from tests.layouts import Seen, layout_models

RENT = "The monthly rent is {}, due on the first day of each month. The term is {} years. "


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every internet address a socket of this process connects to, loopback included."""
    asked: list[str] = []
    original = socket.socket.connect

    def connect(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            asked.append(str(address))
        original(self, address)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    return asked


def test_the_watch_sees_a_connection(opened: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
    assert len(opened) == 1


def test_a_whole_session_without_a_key_connects_to_nothing(
    tmp_path: Path, reader: ReadingProcess, opened: list[str], outside_connections: list[str]
) -> None:
    outside_connections.clear()
    files = [
        pdfs.text_pages(tmp_path / "Lease North.pdf", [RENT.format("$25,000", "five") * 2]),
        pdfs.text_pages(tmp_path / "Lease South.pdf", [RENT.format("$31,500", "ten") * 2]),
    ]
    with Workspace(tmp_path / "library", reader=reader) as workspace:
        assert {each.status for each in workspace.add(files)} == {"added"}
        assert workspace.search("monthly rent").hits
        *_, answer = workspace.ask("What is the monthly rent of Lease North?")
        *_, compared = workspace.comparisons.make([each.id for each in workspace.documents()], "")
    assert isinstance(answer, Answer)
    assert "$25,000" in answer.text
    assert isinstance(compared, Comparison)
    assert opened == []
    assert outside_connections == []


# The whole application, where the kernel lets nothing out and shows who tried


@pytest.fixture(scope="module")
def alone_possible() -> None:
    if why_not := alone.possible():
        pytest.skip(f"no network of its own can be had: {why_not}")


def sent(folder: Path, *command: str, **environment: str) -> tuple[list[str], str]:
    """Where a command tried to reach, with a bare environment, and what it printed last."""
    home = folder / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("PATH", "DOCQA_MODELS") if name in os.environ}
    own = {"HOME": str(home), "DOCQA_LIBRARY": str(folder / "library"), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [*alone.COMMAND, *command],
        cwd=alone.ROOT,
        env={**kept, **own, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    *_, last, seen = ["", *done.stdout.splitlines()]
    return json.loads(seen), last


@pytest.mark.slow
def test_what_is_sent_is_seen_by_name_and_by_number(tmp_path: Path, alone_possible: None) -> None:
    words = "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('203.0.113.5', 9))"
    assert sent(tmp_path, sys.executable, "-c", words)[0] == ["203.0.113.5"]
    (tmp_path / "by name").mkdir()
    words = "import socket; socket.getaddrinfo('nobody.example', 443)"
    seen, _ = sent(tmp_path / "by name", sys.executable, "-c", f"try: {words}\nexcept OSError: 0")
    assert set(seen) == {alone.NAMES_AT}


@pytest.mark.slow
def test_the_whole_application_sends_nothing(tmp_path: Path, alone_possible: None) -> None:
    seen, told = sent(tmp_path, sys.executable, "-m", "tests.session", str(tmp_path))
    assert seen == []
    assert not any(json.loads(told).values()), told


@pytest.mark.slow
def test_a_layout_network_fetches_nothing(tmp_path: Path, alone_possible: None) -> None:
    path = pdfs.text_pages(tmp_path / "Lease.pdf", [RENT.format("$25,000", "five") * 2])
    models = layout_models(tmp_path / "models", [Seen("list_item", (0, 0, 1, 1))])
    add = (sys.executable, "-m", "docqa", "add", str(path))
    seen, _ = sent(tmp_path, *add, DOCQA_LAYOUT_MODELS=str(models))
    assert seen == []
    with Workspace(tmp_path / "library") as workspace:
        assert [each.engine for each in workspace.documents()] == [SEEING]
