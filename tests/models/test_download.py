"""Downloading, against a hub of our own on loopback that speaks the part of its API in use.

The library reads its settings when it is imported, so each test calls it in a process of its own.
"""

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from huggingface_hub.constants import DOWNLOAD_CHUNK_SIZE

from docqa.errors import DownloadFailed, ModelMissing
from docqa.models import load
from docqa.models.download import PATIENCE
from docqa.models.registry import name_by_content

REPOSITORY = "cross-encoder/ms-marco-MiniLM-L-6-v2"
NAME = "ms-marco-MiniLM-L-6-v2"
REVISION = "1234567890" * 4
FILES = {
    "config.json": b"{}",
    "tokenizer.json": b'{"version": "1.0"}',
    "model.safetensors": bytes(range(256)) * 50_000,
    "pytorch_model.bin": b"never asked for",
    "onnx/model.onnx": b"never asked for",
}


class Hub(BaseHTTPRequestHandler):
    asked: list[str]
    files: dict[str, bytes]
    starts: list[int]  # from which byte each request for the weights asked
    breaks_at: int = 0  # the byte of the weights that no connection gets beyond; 0: none

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        path = self.path.split("?")[0]
        self.asked.append(path)
        if path == "/":
            self._send(b"", {}, body=body)
        elif path == f"/api/models/{REPOSITORY}/revision/main":
            self._send_json({"id": REPOSITORY, "sha": REVISION, "siblings": []}, body=body)
        elif path == f"/api/models/{REPOSITORY}/tree/{REVISION}":
            self._send_json([self._entry(name) for name in self.files], body=body)
        elif path.startswith(f"/{REPOSITORY}/resolve/{REVISION}/"):
            self._send_file(path.rsplit(f"/{REVISION}/")[1], body=body)
        else:
            self._send(b"", {"X-Error-Code": "RepoNotFound"}, body=body, status=404)

    def _entry(self, name: str) -> dict[str, object]:
        digest = hashlib.sha256(self.files[name]).hexdigest()
        size = len(self.files[name])
        entry: dict[str, object] = {"type": "file", "path": name, "size": size, "oid": digest[:40]}
        if name.endswith(".safetensors"):
            entry["lfs"] = {"oid": digest, "size": size, "pointerSize": 100}
        return entry

    def _send_file(self, name: str, *, body: bool) -> None:
        content = self.files[name]
        digest = hashlib.sha256(content).hexdigest()
        etag = digest if name.endswith(".safetensors") else digest[:40]
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": REVISION}
        if body and name.endswith(".safetensors"):
            self._send_weights(content, headers)
        else:
            self._send(content, headers, body=body)

    def _send_weights(self, content: bytes, headers: dict[str, str]) -> None:
        """From the byte that is asked for, as far as connections hold."""
        asked = re.fullmatch(r"bytes=(\d+)-\d*", self.headers.get("Range", ""))
        start = int(asked[1]) if asked else 0
        self.starts.append(start)
        self.send_response(206 if start else 200)
        if start:
            span = f"bytes {start}-{len(content) - 1}/{len(content)}"
            self.send_header("Content-Range", span)
        for name, value in {**headers, "Content-Length": str(len(content) - start)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[start : self.breaks_at or None])
        self.close_connection = True

    def _send_json(self, value: object, *, body: bool) -> None:
        self._send(json.dumps(value).encode(), {"Content-Type": "application/json"}, body=body)

    def _send(
        self, content: bytes, headers: dict[str, str], *, body: bool, status: int = 200
    ) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[tuple[str, type[Hub]]]:
    handler = type("ThisHub", (Hub,), {"asked": [], "starts": [], "files": dict(FILES)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    server.server_close()
    thread.join()


SCRIPT = """
import json, sys
from docqa.errors import DocqaError
from docqa.models.load import download, model_statuses
told = []
try:
    download(sys.argv[1], progress=lambda done, total: told.append((done, total)))
    error = ""
except DocqaError as failure:
    error = f"{type(failure).__name__}: {failure}"
states = {each.name: each.state for each in model_statuses()}
sys.stdout.write(json.dumps({"error": error, "told": told, "state": states[sys.argv[1]]}))
"""


def download(endpoint: str, folder: Path) -> dict[str, object]:
    environment = {
        **os.environ,
        "HF_ENDPOINT": endpoint,
        "HF_HUB_OFFLINE": "0",
        "HF_HUB_CACHE": str(folder),
        "HF_HUB_DISABLE_TELEMETRY": "0",
        "HF_HUB_DISABLE_XET": "1",
    }
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, NAME],
        capture_output=True,
        text=True,
        env=environment,
        cwd=Path(load.__file__).parents[2],
        check=False,
    )
    assert run.returncode == 0, run.stderr
    outcome: dict[str, object] = json.loads(run.stdout)
    return outcome


@pytest.mark.skipif(sys.platform == "win32", reason="the hub's cache has no links there")
def test_a_download_fetches_what_is_read_and_tells_of_bytes(
    hub: tuple[str, type[Hub]], tmp_path: Path
) -> None:
    endpoint, served = hub
    outcome = download(endpoint, tmp_path)
    assert outcome["error"] == ""
    assert outcome["state"] == "cached"
    told = outcome["told"]
    assert isinstance(told, list)
    wanted = len(FILES["model.safetensors"])
    assert told[-1] == [wanted, wanted]
    assert not any("onnx" in path or ".bin" in path for path in served.asked)
    weights = tmp_path / "models--cross-encoder--ms-marco-MiniLM-L-6-v2/snapshots" / REVISION
    digest = hashlib.sha256(FILES["model.safetensors"]).hexdigest()
    assert name_by_content(weights / "model.safetensors") == digest


@pytest.mark.skipif(sys.platform == "win32", reason="the hub's cache has no links there")
def test_a_download_that_broke_off_goes_on_where_it_stopped(
    hub: tuple[str, type[Hub]], tmp_path: Path
) -> None:
    endpoint, served = hub
    served.breaks_at = 11_000_000
    assert "DownloadFailed" in str(download(endpoint, tmp_path)["error"])
    served.breaks_at, served.starts[:] = 0, []
    outcome = download(endpoint, tmp_path)
    assert (outcome["error"], outcome["state"]) == ("", "cached")
    assert served.starts == [DOWNLOAD_CHUNK_SIZE]  # what is kept are whole pieces of this size
    weights = tmp_path / "models--cross-encoder--ms-marco-MiniLM-L-6-v2/snapshots" / REVISION
    assert (weights / "model.safetensors").read_bytes() == FILES["model.safetensors"]


def test_a_hub_without_the_model_says_so(hub: tuple[str, type[Hub]], tmp_path: Path) -> None:
    endpoint, served = hub
    del served.files["tokenizer.json"]
    outcome = download(endpoint, tmp_path)
    assert "the hub does not have all of its files" in str(outcome["error"])
    assert outcome["state"] == "missing"


def test_an_answer_of_the_hub_is_named(hub: tuple[str, type[Hub]], tmp_path: Path) -> None:
    endpoint, _ = hub
    outcome = download(f"{endpoint}/elsewhere", tmp_path)
    assert "DownloadFailed" in str(outcome["error"])
    assert "the hub answered 404" in str(outcome["error"])


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_without_a_connection_it_fails_within_seconds(tmp_path: Path) -> None:
    started = time.perf_counter()
    outcome = download(f"http://127.0.0.1:{unused_port()}", tmp_path)
    assert time.perf_counter() - started < 30  # of which all but one attempt is imports
    assert "the hub cannot be reached from here" in str(outcome["error"])
    assert "The bundled model still works" in str(outcome["error"])


def test_a_hub_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.perf_counter()
        outcome = download(f"http://127.0.0.1:{silent.getsockname()[1]}", tmp_path)
        assert time.perf_counter() - started < PATIENCE + 30
    assert "cannot be reached" in str(outcome["error"])


def test_what_is_here_is_not_fetched_and_what_is_unknown_is_missing() -> None:
    load.download(load.BUNDLED)
    with pytest.raises(ModelMissing, match="no such model"):
        load.download("no such model")


def test_a_machine_set_to_stay_offline_is_not_asked_to_connect() -> None:
    with pytest.raises(DownloadFailed, match="cannot be reached"):
        load.download(NAME)
