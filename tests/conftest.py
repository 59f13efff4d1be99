"""What holds for every test: no network beyond loopback, no settings of the person running it."""

import atexit
import ipaddress
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docqa.ingest.reading.reader import ReadingProcess

# The tests' own models, gone when they are over.
MODELS = Path(tempfile.mkdtemp(prefix="docqa-tests-"))
atexit.register(shutil.rmtree, MODELS, ignore_errors=True)

# Read by the libraries when they are imported, so set before any test module is.
os.environ.update(
    {
        "ANONYMIZED_TELEMETRY": "False",
        "DO_NOT_TRACK": "1",
        "DOCQA_MODELS": str(MODELS / "exported"),  # once for all tests
        "HF_HOME": str(MODELS / "hub"),  # no model of this machine
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_OFFLINE": "1",
        "OTEL_SDK_DISABLED": "true",
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
        "TOKENIZERS_PARALLELISM": "false",
    }
)


@pytest.fixture(scope="session")
def reader() -> Iterator[ReadingProcess]:
    """One reading process for all tests: starting it takes longer than most of them."""
    shared = ReadingProcess()
    yield shared
    shared.close()


class OutsideNetworkError(AssertionError):
    """A test tried to reach another machine."""


def is_local(family: int, address: Any) -> bool:
    """Whether ``address`` is on this machine: a UNIX socket, or loopback over IP."""
    if family not in (socket.AF_INET, socket.AF_INET6):
        return True
    host = str(address[0] if isinstance(address, tuple) else address)
    if host in ("None", "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback or ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


@pytest.fixture(scope="session")
def outside_connections() -> list[str]:
    """The addresses beyond loopback that were asked for, and refused, since last cleared."""
    return []


@pytest.fixture(scope="session", autouse=True)
def _guarded_sockets(outside_connections: list[str]) -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex"):
        patch.setattr(socket.socket, name, _guarded(name, outside_connections))
    patch.setattr(socket, "getaddrinfo", _guarded_lookup(outside_connections))
    yield
    patch.undo()


def _guarded(name: str, refused: list[str]) -> Any:
    original = getattr(socket.socket, name)

    def connect(self: socket.socket, address: Any) -> Any:
        if not is_local(self.family, address):
            refused.append(str(address))
            raise OutsideNetworkError(f"connection to {address}")
        return original(self, address)

    return connect


def _guarded_lookup(refused: list[str]) -> Any:
    original = socket.getaddrinfo

    def getaddrinfo(host: Any, *rest: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if not is_local(socket.AF_INET, name):
            refused.append(str(name))
            raise OutsideNetworkError(f"look-up of {name}")
        return original(host, *rest, **named)

    return getaddrinfo


@pytest.fixture(autouse=True)
def _nothing_reached_outside(outside_connections: list[str]) -> Iterator[None]:
    """Fails a test whose attempt at the network was refused and then swallowed."""
    outside_connections.clear()
    yield
    assert not outside_connections, f"tried to reach {outside_connections}"


@pytest.fixture(autouse=True)
def _own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, server or library of the person running the tests."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("DOCQA_CHROMA_URL", raising=False)
    monkeypatch.delenv("DOCQA_LAYOUT_MODELS", raising=False)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "anthropic"))
    monkeypatch.setenv("DOCQA_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True)
def _room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How full the disk is of the person running the tests is not what they are about."""
    usage = shutil.disk_usage(tmp_path)._replace(free=100 * 1024**3)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
