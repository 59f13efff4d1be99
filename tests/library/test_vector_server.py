"""The index at a real Chroma server, on this machine and ended by the test."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docqa.diagnosis import examine
from docqa.errors import EncoderMismatch, VectorServerUnreachable
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
    index, vectors = open_index(tmp_path), unit_vectors(1200)
    assert (index.place, index.is_silent(), index.count()) == (told, True, 0)
    ids = [f"a:{place}" for place in range(1200)]
    index.add(document_id("a"), ids, vectors)
    index.add(document_id("b"), ["b:0"], unit_vectors(1, seed=5))
    [(nearest, cosine)] = index.search(vectors[7], limit=1)
    assert (nearest, round(cosine, 4)) == ("a:7", 1.0)
    assert index.search(vectors[7], limit=9, document_ids=[document_id("b")])[0][0] == "b:0"
    assert index.holds(ids, vectors)
    index.remove(document_id("a"))
    assert index.is_consistent_with(1)
    index.close()
    index = open_index(tmp_path)
    assert index.count() == 1
    assert not (tmp_path / FOLDER_NAME).exists()
    index.rebuild([(document_id("a"), ids, vectors)])
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
    with pytest.raises(EncoderMismatch, match="indexed with tiny, but large"):
        open_index(tmp_path / "one", encoder="large")


def test_a_library_lives_at_the_server_and_comes_back(
    told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [made_pdf(tmp_path / f"{seed}.pdf", seed=seed, passages=6) for seed in (1, 2)]
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add(paths)
        found = [hit.chunk.id for hit in opened.search("rent").hits]
        assert found
        [index] = [each for each in examine(opened) if each.name == "vector index"]
        assert index.fine
        assert told in index.detail
        opened.reindex()
        assert opened.index_agrees()
    record = tmp_path / "library" / RECORD_NAME
    assert json.loads(record.read_text())["server"] == told
    monkeypatch.delenv("DOCQA_CHROMA_URL")
    with SmallWorkspace(tmp_path / "library") as opened:
        assert opened.index_agrees()
        assert [hit.chunk.id for hit in opened.search("rent").hits] == found
        opened.remove(opened.documents()[0].id)
    monkeypatch.setenv("DOCQA_CHROMA_URL", told)
    with SmallWorkspace(tmp_path / "library") as opened:
        assert opened.index.count() == opened.catalog.chunk_count()
        assert opened.index_agrees()


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
            assert opened.search("rent").hits
        with pytest.raises(VectorServerUnreachable, match="does not answer"):
            opened.index.count()
    with SmallWorkspace(library) as opened:
        with pytest.raises(VectorServerUnreachable, match=f"127.0.0.1:{port} cannot be used"):
            opened.search("rent")
        assert opened.blocks(opened.documents()[0].id)
        [index] = [each for each in examine(opened) if each.name == "vector index"]
        assert not index.fine
        with chroma(tmp_path / "server", port):
            assert opened.search("rent").hits
            assert opened.index_agrees()


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
