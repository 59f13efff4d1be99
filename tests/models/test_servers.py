"""Servers of models on this machine: found at the ports they are given, and nothing else."""

import time
from contextlib import ExitStack
from typing import Any

import pytest

from docqa.models.servers import describe, find, is_loopback, runs_elsewhere
from docqa.settings import SERVER_PORTS, server_ports
from docqa.types.model import ModelServer, ServedModel
from tests.models import local_servers as stand_in
from tests.models.local_servers import serving, slowly


def only(name: str, replies: stand_in.Replies) -> ModelServer:
    with serving(replies) as port:
        [server] = find({name: port})
    assert (server.name, server.url) == (name, f"http://127.0.0.1:{port}")
    return server


def test_ollama_is_found_and_its_cloud_models_are_told_apart() -> None:
    server = only("Ollama", stand_in.OLLAMA)
    assert (server.version, server.trouble) == ("0.12.6", "")
    assert server.models == (
        ServedModel("llama3.2:latest", 2019393189, 8192, server="Ollama"),
        ServedModel("gpt-oss:120b-cloud", 384, elsewhere="ollama.com", server="Ollama"),
    )


def test_a_newer_ollama_tells_more_of_each_model() -> None:
    entry = {"name": "qwen3:4b", "size": 5, "capabilities": ["completion", "tools"]}
    tags = {"models": [{**entry, "details": {"context_length": 262144}}]}
    server = only("Ollama", {**stand_in.OLLAMA, "/api/tags": tags, "/api/ps": {"models": []}})
    # Loaded for the first question, it gets Ollama's own default and not what it was trained on.
    assert server.models == (ServedModel("qwen3:4b", 5, 4096, True, server="Ollama"),)


def test_lm_studio_is_found_without_its_models_that_embed() -> None:
    server = only("LM Studio", stand_in.LM_STUDIO)
    assert server.models == (
        ServedModel("qwen2-vl-7b-instruct", context=4096, server="LM Studio"),
        ServedModel("meta-llama-3.1-8b-instruct", context=16384, tools=True, server="LM Studio"),
    )
    older = only("LM Studio", stand_in.LM_STUDIO_V1_ONLY)
    assert [each.name for each in older.models] == ["qwen/qwen3-4b"]


def test_llama_cpp_and_vllm_are_found_with_what_they_hold() -> None:
    name = "../models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf"
    assert only("llama.cpp", stand_in.LLAMA_CPP).models == (
        ServedModel(name, 4912898304, 4096, True, server="llama.cpp"),
    )
    server = only("vLLM", stand_in.VLLM)
    assert server.version == "0.11.0"
    assert server.models == (ServedModel("Qwen/Qwen3-8B", context=40960, server="vLLM"),)


def test_all_are_asked_at_once_and_told_in_their_order() -> None:
    kinds = {
        "Ollama": stand_in.OLLAMA,
        "LM Studio": stand_in.LM_STUDIO,
        "llama.cpp": stand_in.LLAMA_CPP,
        "vLLM": stand_in.VLLM,
    }
    with ExitStack() as stack:
        ports = {name: stack.enter_context(serving(told)) for name, told in kinds.items()}
        assert [each.name for each in find(ports)] == list(kinds)


@pytest.mark.parametrize(
    "replies",
    [
        {},
        {"/": "<html>Hello</html>"},
        {path: "<html>Hello</html>" for path in ("/v1/models", "/api/tags", "/api/version")},
        {path: 302 for path in ("/v1/models", "/api/tags", "/api/version", "/api/v0/models")},
        {path: 500 for path in ("/v1/models", "/api/tags", "/api/version", "/props")},
        {path: [] for path in ("/v1/models", "/api/tags", "/api/version", "/api/v0/models")},
        {"/api/version": {"version": 3}, "/api/tags": {"models": "none"}},
        {"/v1/models": {"data": [{"id": 7}, "x", None]}},
        {"/v1/models": {"object": "list", "data": [{"id": "m", "owned_by": "someone else"}]}},
        {"/v1/models": "[" * 100_000},
    ],
)
@pytest.mark.parametrize("name", SERVER_PORTS)
def test_what_is_something_else_is_left_alone(name: str, replies: dict[str, Any]) -> None:
    with serving(replies) as port:
        assert find({name: port}) == ()


def test_a_port_where_nothing_listens_is_no_server() -> None:
    with serving({}) as port:
        pass
    assert find(dict.fromkeys(SERVER_PORTS, port)) == ()


def test_a_server_that_takes_its_time_holds_nobody_up() -> None:
    slow = {path: slowly(reply, 2.0) for path, reply in stand_in.OLLAMA.items()}
    with serving(slow) as port, serving(stand_in.VLLM) as other:
        started = time.monotonic()
        found = find({"Ollama": port, "vLLM": other}, patience=0.2)
        assert time.monotonic() - started < 1.5
    assert [each.name for each in found] == ["vLLM"]


def test_a_server_without_models_or_with_a_key_says_what_to_do() -> None:
    empty = only("Ollama", {**stand_in.OLLAMA, "/api/tags": {"models": []}})
    assert empty.trouble == "It has no model yet: `ollama pull` fetches one."
    for name, health in (("llama.cpp", "/health"), ("vLLM", "/version")):
        told = {"/health": {"status": "ok"}, "/version": {"version": "0.11.0"}}
        locked = only(name, {"/v1/models": 401, health: told[health]})
        assert "asks for a key" in locked.trouble
        assert locked.models == ()
    assert "asks for a key" in only("LM Studio", {"/api/v0/models": 401}).trouble


def test_only_documented_paths_are_asked_for() -> None:
    asked: list[str] = []
    with serving(stand_in.OLLAMA, asked=asked) as port:
        find({"Ollama": port})
    assert sorted(asked) == ["/api/ps", "/api/tags", "/api/version"]


def test_a_model_is_described_by_the_server_that_runs_it() -> None:
    with serving({**stand_in.OLLAMA, "/api/ps": {"models": []}}) as port:
        told = describe(f"http://127.0.0.1:{port}", "llama3.2:latest")
        assert told == ServedModel("llama3.2:latest", 0, 16384, True, server="Ollama")
    with serving(stand_in.OLLAMA) as port:  # loaded with less than its file asks for
        assert describe(f"http://127.0.0.1:{port}", "llama3.2:latest").context == 8192
    with serving(stand_in.VLLM) as port:
        told = describe(f"http://127.0.0.1:{port}", "Qwen/Qwen3-8B")
        assert told == ServedModel("Qwen/Qwen3-8B", context=40960, server="vLLM")
    with serving({}) as port:
        assert describe(f"http://127.0.0.1:{port}", "m") == ServedModel("m")
    # Beyond this machine nothing is asked; the tests' guard would refuse it.
    assert describe("https://models.example", "m") == ServedModel("m")


def test_a_model_that_only_looks_local_is_known_by_what_ollama_says_of_it() -> None:
    passed_on = {"model_info": {}, "remote_model": "x", "remote_host": "https://ollama.com:443"}
    with serving({**stand_in.OLLAMA, "/api/show": passed_on}) as port:
        told = describe(f"http://127.0.0.1:{port}", "mine:latest")
    assert told.elsewhere == "ollama.com"


@pytest.mark.parametrize(
    ("model", "host"),
    [
        ("gpt-oss:120b-cloud", "ollama.com"),
        ("glm-4.7:cloud", "ollama.com"),
        ("llama3.2:latest", ""),
        ("my-cloud", ""),
        ("cloud", ""),
    ],
)
def test_the_name_of_a_cloud_model_says_where_it_runs(model: str, host: str) -> None:
    assert runs_elsewhere(model) == host


def test_what_counts_as_this_machine() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "localhost", "::1")))
    assert not any(map(is_loopback, ("", "localhost.example", "192.168.1.5", "0.0.0.0")))


def test_the_ports_can_be_named_or_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCQA_LOCAL_SERVERS")
    assert server_ports() == {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
    monkeypatch.setenv("DOCQA_LOCAL_SERVERS", "off")
    assert server_ports() == {}
    monkeypatch.setenv("DOCQA_LOCAL_SERVERS", "ollama=11500, vLLM=8001, other=3, LM Studio=x")
    assert server_ports() == {"Ollama": 11500, "vLLM": 8001}
