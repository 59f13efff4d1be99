"""What holds for every test: no network beyond loopback, no settings of the person running it."""

import atexit
import ipaddress
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from docqa import installation
from docqa.ingest.reading.reader import ReadingProcess
from docqa.workspace import Workspace
from tests import bundled

IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
MOST_WORKERS = 4  # each holds the models and a reading process


def own_models() -> Path:
    """A folder for the tests' own models, which a run's workers share; gone when it is over."""
    if IS_WORKER:
        return Path(os.environ["DOCQA_MODELS"]).parent
    folder = Path(tempfile.mkdtemp(prefix="docqa-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


MODELS = own_models()

# Read by the libraries when they are imported, so set before any test module is.
os.environ.update(
    {
        "ANONYMIZED_TELEMETRY": "False",
        "DO_NOT_TRACK": "1",
        "DOCQA_MODELS": str(MODELS / "exported"),  # once for all tests
        "HF_HOME": str(MODELS / "hub"),  # no model of this machine
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",  # every core has a worker; more threads wait for one another
        "OTEL_SDK_DISABLED": "true",
        "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "false",
        "TOKENIZERS_PARALLELISM": "false",
    }
)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker to a core for the whole suite; files that are named run in this process."""
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        return 0
    return min(os.cpu_count() or 1, MOST_WORKERS)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if config.option.markexpr == "not slow":
        terminalreporter.write_line(
            "Slow tests (training, benchmarks, kills, fuzzing, the browser) are left out; "
            "`python -m pytest -m slow` runs them."
        )


Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Fills a folder of that name once in a run, whichever worker needs it first."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if IS_WORKER else base

    def filled(name: str, fill: Callable[[Path], object]) -> Path:
        folder = shared / name
        with FileLock(shared / f"{name}.lock"):
            if not folder.exists():
                partial = Path(tempfile.mkdtemp(dir=shared, prefix=f"{name}-"))
                fill(partial)
                partial.rename(folder)
        return folder

    return filled


@pytest.fixture(scope="session")
def sample_library(once: Once, reader: ReadingProcess) -> Path:
    """A library of the five samples; copied, never written to."""

    def add_samples(folder: Path) -> None:
        with Workspace(folder / "library", reader=reader) as opened:
            assert [each.status for each in opened.add(installation.sample_paths())] == [
                "added"
            ] * 5

    return once("samples", add_samples) / "library"


@pytest.fixture(scope="module")
def workspace(
    sample_library: Path, tmp_path_factory: pytest.TempPathFactory, reader: ReadingProcess
) -> Iterator[Workspace]:
    """The five samples in a library of a module's own; its tests leave it as they found it."""
    folder = shutil.copytree(sample_library, tmp_path_factory.mktemp("samples") / "library")
    with Workspace(folder, reader=reader) as opened:
        yield opened


class SharedReader(ReadingProcess):
    """Which no library ends that is closed."""

    def close(self) -> None:
        pass

    def end(self) -> None:
        super().close()


@pytest.fixture(scope="session")
def reader() -> Iterator[ReadingProcess]:
    """One reading process for all tests: starting it takes longer than most of them."""
    shared = SharedReader()
    yield shared
    shared.end()


@pytest.fixture(autouse=True)
def _shared_reader(reader: ReadingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library opened without a reading process has that of all tests, which it cannot end."""
    monkeypatch.setattr("docqa.app.resources.ReadingProcess", lambda: reader)


@pytest.fixture(autouse=True)
def _shared_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library's encoder and reranker are loaded once for all tests, as long as they are whole."""
    monkeypatch.setattr("docqa.app.resources.load_encoder", bundled.load_encoder)
    monkeypatch.setattr("docqa.app.resources.load_reranker", bundled.load_reranker)


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
    monkeypatch.setenv("DOCQA_LOCAL_SERVERS", "off")  # whatever runs on this machine
    monkeypatch.delenv("DOCQA_LAYOUT_MODELS", raising=False)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "anthropic"))
    monkeypatch.setenv("DOCQA_LIBRARY", str(tmp_path / "library"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True)
def _room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How full the disk is of the person running the tests is not what they are about."""
    usage = shutil.disk_usage(tmp_path)._replace(free=100 * 1024**3)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
