"""docqa's own model against the real llama.cpp, with a model so small that it writes nonsense."""

import http.client
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from docqa.errors import LlamaMissing, ModelFailed, ModelTooLarge, NotAModelFile
from docqa.models import llama, machine
from docqa.models.llama import Llama
from docqa.models.load import model_statuses
from docqa.models.servers import describe
from tests.models.gguf_files import gguf, smollm2


@pytest.fixture(scope="module")
def served() -> Iterator[Llama]:
    model = Llama(smollm2())
    assert model.wait()
    yield model
    model.close()
    assert not model.alive


def answered(address: str, path: str, key: str = "") -> int:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    connection.request("GET", path, headers={"X-Api-Key": key} if key else {})
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.local
def test_it_serves_on_the_loopback_under_a_key_of_its_own(served: Llama) -> None:
    assert served.url.startswith("http://127.0.0.1:")
    assert answered(served.url, "/v1/models") == 401
    assert answered(served.url, "/v1/models", "guessed") == 401
    assert answered(served.url, "/v1/models", served.key) == 200
    if sys.platform == "linux":
        port = f"{int(served.url.rpartition(':')[2]):04X}"
        listed = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        listening = [line.split()[1] for line in listed.splitlines() if " 0A " in line]
        assert [each for each in listening if each.endswith(port)] == [f"0100007F:{port}"]


@pytest.mark.local
def test_it_is_bounded(served: Llama) -> None:
    assert served.context == 8_192
    assert 1 <= machine.threads() <= 16
    if sys.platform == "linux":
        limits = Path(f"/proc/{served.pid}/limits").read_text()
        [line] = [each for each in limits.splitlines() if each.startswith("Max address space")]
        assert int(line.split()[3]) < 8 * 1024**3
        told = Path(f"/proc/{served.pid}/environ").read_bytes()
        assert b"ANTHROPIC" not in told
        assert str(served.key).encode() not in told
        assert str(served.key).encode() not in Path(f"/proc/{served.pid}/cmdline").read_bytes()


@pytest.mark.local
def test_a_server_found_tells_what_it_holds(served: Llama) -> None:
    # Under a key it tells nothing: that its address is asked without one is meant.
    assert describe(served.url, "m").context == 0


@pytest.mark.local
def test_what_llama_cpp_refuses_gets_a_sentence(tmp_path: Path) -> None:
    smollm2()
    path = tmp_path / "odd.gguf"
    path.write_bytes(gguf())
    model = Llama(path)
    with pytest.raises(ModelFailed, match="Tiny could not be run: llama"):
        model.wait()
    assert not model.alive


@pytest.mark.local
def test_what_is_damaged_or_too_large_is_not_loaded(tmp_path: Path) -> None:
    whole = smollm2()
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(whole.read_bytes()[:60_000_000])
    with pytest.raises(NotAModelFile, match="38,362,432 bytes are missing"):
        Llama(cut)
    with pytest.raises(ModelTooLarge, match=r"takes 0\.8 GB of memory and 0\.5 GB are free"):
        Llama(whole, memory=500_000_000)


PARENT = """
import sys, time
from pathlib import Path
from docqa.models.llama import Llama
model = Llama(Path(sys.argv[1]))
model.wait()
print(model.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.local
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_it_ends_with_a_parent_that_is_killed() -> None:
    command = [sys.executable, "-c", PARENT, str(smollm2())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.kill(child, 0)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    deadline = time.monotonic() + 5
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)


def is_running(pid: int) -> bool:
    """Whether there is such a process; one that has ended and is only listed is none."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def test_without_llama_cpp_nothing_of_it_is_offered(tmp_path: Path) -> None:
    if importlib.util.find_spec(llama.PACKAGE) is not None:
        pytest.skip("xllamacpp is installed, so it is offered")
    assert not [each for each in model_statuses() if each.purpose == "answers"]
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf())
    with pytest.raises(LlamaMissing, match="pip install -r requirements"):
        Llama(path)


@pytest.mark.local
def test_with_llama_cpp_models_of_three_sizes_are_offered() -> None:
    smollm2()
    offered = {each.name: each for each in model_statuses() if each.purpose == "answers"}
    assert [each.state for each in offered.values()] == ["missing"] * 3
    for each, memory in zip(offered.values(), ("8 GB", "16 GB", "32 GB"), strict=True):
        assert f"for {memory} of memory; licence Apache-2.0" in each.note
        assert each.size > 10**9


def test_the_child_answers_in_one_line_also_where_nothing_can_be_loaded(tmp_path: Path) -> None:
    told = {
        "path": str(tmp_path / "no.gguf"),
        "name": "no",
        "context": 512,
        "threads": 1,
        "key": "k",
        "memory": 0,
    }
    run = subprocess.run(
        [sys.executable, "-m", "docqa.models.llama_child"],
        input=json.dumps(told) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    # Without llama.cpp it says that; with it, that the file cannot be loaded. It may also have
    # ended first, its input being at its end.
    assert run.stdout == "" or "error" in json.loads(run.stdout)
