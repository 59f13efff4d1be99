"""Without a key, reading, searching, answering and comparing open no connection at all."""

import socket
from pathlib import Path

import pytest

from docqa.ingest.worker import ReadingProcess
from docqa.types import Answer, Comparison
from docqa.workspace import Workspace
from tests import pdfs

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
        *_, compared = workspace.compare([each.id for each in workspace.documents()], "")
    assert isinstance(answer, Answer)
    assert "$25,000" in answer.text
    assert isinstance(compared, Comparison)
    assert opened == []
    assert outside_connections == []
