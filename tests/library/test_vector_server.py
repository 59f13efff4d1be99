"""The index at a real Chroma server, on this machine and ended by the test."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from docqa.app.diagnosis import index_agrees
from docqa.errors import VectorServerUnreachable
from docqa.library import vectors
from docqa.library.vectors import FOLDER_NAME, RECORD_NAME, VectorIndex
from tests.library.nouns import document_id, unit_vectors
from tests.library.small import SmallWorkspace, made_pdf

RUN = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"
PATIENCE = 60.0  # seconds until a server that was started has to listen


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def chroma(folder: Path, port: int) -> Iterator[None]:
    """A server while the block runs."""
    where = ["--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
    started = subprocess.Popen(
        [sys.executable, "-c", RUN, "run", *where],
        env=environment,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port, started)
        yield
    finally:
        started.terminate()
        started.wait(30)


def wait_for(port: int, started: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and started.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("chroma run does not listen")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    with chroma(tmp_path_factory.mktemp("server"), port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def told(url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("DOCQA_CHROMA_URL", url)
    return url


def open_index(folder: Path, encoder: str = "tiny") -> VectorIndex:
    return VectorIndex(folder, encoder=encoder, dimensions=8)


def test_vectors_are_put_found_and_taken_out_at_the_server(told: str, tmp_path: Path) -> None:
    index, put = open_index(tmp_path), unit_vectors(1200)
    assert (index.place, index.is_silent(), index.count()) == (told, True, 0)
    ids = [f"a:{place}" for place in range(1200)]
    index.add(document_id("a"), ids, put)
    index.add(document_id("b"), ["b:0"], unit_vectors(1, seed=5))
    [(nearest, cosine)] = index.search(put[7], limit=1)
    assert (nearest, round(cosine, 4)) == ("a:7", 1.0)
    assert index.search(put[7], limit=9, document_ids=[document_id("b")])[0][0] == "b:0"
    assert index.holds(ids, put)
    index.remove(document_id("a"))
    assert index.is_consistent_with(1)
    index.close()
    index = open_index(tmp_path)
    assert index.count() == 1
    assert not (tmp_path / FOLDER_NAME).exists()
    index.rebuild([(document_id("a"), ids, put)])
    assert index.is_consistent_with(1200)
    index.close()


def test_two_libraries_and_two_encoders_are_not_mixed(told: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, two = open_index(tmp_path / "one"), open_index(tmp_path / "two")
    one.add(document_id("a"), ["a:0"], unit_vectors(1))
    assert (one.count(), two.count()) == (1, 0)
    one.close()
    two.close()
    other = open_index(tmp_path / "one", encoder="large")
    assert other.count() == 0
    other.close()


def test_a_library_lives_at_the_server_and_comes_back(
    told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [made_pdf(tmp_path / f"{seed}.pdf", seed=seed, passages=6) for seed in (1, 2)]
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add(paths)
        found = [hit.chunk.id for hit in opened.search("rent").hits]
        assert found
        [index] = [each for each in opened.maintenance.examine() if each.name == "vector index"]
        assert index.fine
        assert told in index.detail
        opened.maintenance.reindex()
        assert index_agrees(opened.resources)
    record = tmp_path / "library" / RECORD_NAME
    assert json.loads(record.read_text())["server"] == told
    monkeypatch.delenv("DOCQA_CHROMA_URL")
    with SmallWorkspace(tmp_path / "library") as opened:
        assert index_agrees(opened.resources)
        assert [hit.chunk.id for hit in opened.search("rent").hits] == found
        opened.remove(opened.documents()[0].id)
    monkeypatch.setenv("DOCQA_CHROMA_URL", told)
    with SmallWorkspace(tmp_path / "library") as opened:
        assert opened.resources.index.count() == opened.resources.catalog.chunk_count()
        assert index_agrees(opened.resources)


@pytest.mark.slow
def test_a_server_that_goes_away_is_told_of_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, library = free_port(), tmp_path / "library"
    (tmp_path / "server").mkdir()
    monkeypatch.setenv("DOCQA_CHROMA_URL", f"http://127.0.0.1:{port}")
    path = made_pdf(tmp_path / "1.pdf", seed=1, passages=6)
    with SmallWorkspace(library) as opened:
        with chroma(tmp_path / "server", port):
            opened.add([path])
            found = [hit.chunk.id for hit in opened.search("rent").hits]
            assert found
        with pytest.raises(VectorServerUnreachable, match="does not answer"):
            opened.resources.index.count()
        assert [hit.chunk.id for hit in opened.search("rent").hits] == found
    with SmallWorkspace(library) as opened:
        with pytest.raises(VectorServerUnreachable, match=f"127.0.0.1:{port} cannot be used"):
            opened.resources.index.count()
        assert [hit.chunk.id for hit in opened.search("rent").hits] == found
        assert opened.contents.blocks(opened.documents()[0].id)
        [index] = [each for each in opened.maintenance.examine() if each.name == "vector index"]
        assert not index.fine
        with chroma(tmp_path / "server", port):
            assert opened.search("rent").hits
            assert index_agrees(opened.resources)


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1", "http://[", "http://a:b"])
def test_what_is_no_address_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCQA_CHROMA_URL", address)
    with pytest.raises(VectorServerUnreachable, match="has to be like"):
        open_index(tmp_path)


def test_no_name_or_password_of_the_address_is_kept(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCQA_CHROMA_URL", url.replace("//", "//zanzibar:quux@"))
    index = open_index(tmp_path)
    index.close()
    assert index.place == url
    assert "zanzibar" not in (tmp_path / RECORD_NAME).read_text()


class Failing(BaseHTTPRequestHandler):
    """Says that it is there, and fails at everything else."""

    asked: ClassVar[list[str]] = []

    def answer(self) -> None:
        self.asked.append(self.command)
        there = self.path.endswith("/heartbeat")
        said = b'{"nanosecond heartbeat": 1}' if there else b'{"error": "InternalError"}'
        self.send_response(200 if there else 500)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815  # http.server's names

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


def test_a_server_that_fails_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("DOCQA_CHROMA_URL", f"http://127.0.0.1:{server.server_port}")
        record = {"server": f"http://127.0.0.1:{server.server_port}", "collection": "docqa-1"}
        (tmp_path / RECORD_NAME).write_text(json.dumps(record))
        with pytest.raises(VectorServerUnreachable, match="cannot be used: it"):
            open_index(tmp_path)
        server.shutdown()
    assert len(Failing.asked) > 1
    assert "DELETE" not in Failing.asked
    assert json.loads((tmp_path / RECORD_NAME).read_text()) == record


def test_no_proxy_comes_between(told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "elsewhere")
    index = open_index(tmp_path)
    index.add(document_id("a"), ["a:0"], unit_vectors(1))
    assert index.count() == 1
    index.close()


def test_a_server_that_says_nothing_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_ANSWERS_WITHIN", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("DOCQA_CHROMA_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(VectorServerUnreachable, match="does not answer"):
            open_index(tmp_path)
