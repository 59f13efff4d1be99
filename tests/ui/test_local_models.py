"""Models on this machine: looked for while the settings are open, chosen with one click."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from docqa.models import llama
from docqa.settings import DEFAULTS, Key, adjust
from docqa.ui import state
from tests.messages_server import MessagesServer, Turn, text
from tests.models import local_servers as stand_in
from tests.models.gguf_files import gguf, smollm2
from tests.models.local_servers import serving
from tests.ui.conftest import asked, plainly, screen

NOTHING = "Nothing leaves this machine"


def settings_open(app: AppTest) -> AppTest:
    """The settings, with what was found on this machine."""
    app.session_state["settings"] = True
    app.run()
    state.running().looking.wait(10)
    return app.run()


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with serving(stand_in.OLLAMA) as port:
        monkeypatch.setenv("DOCQA_LOCAL_SERVERS", f"Ollama={port}")
        yield f"http://127.0.0.1:{port}"


def test_a_model_on_this_machine_is_chosen_with_one_click(app: AppTest, ollama: str) -> None:
    settings_open(app)
    assert f"{NOTHING}: no model is connected" in plainly(app)
    assert "Ollama" in plainly(app)
    assert "1 model left out: they run at ollama.com, not here" in plainly(app)
    app.button(key="use-Ollama-llama3.2:latest").click().run()
    chosen = adjust(DEFAULTS, model="llama3.2:latest", base_url=ollama, send_key=False)
    assert screen(app).settings == chosen
    assert app.text_input(key="model").value == "llama3.2:latest"
    assert app.text_input(key="base_url").value == ollama
    assert f"{NOTHING}: llama3.2:latest runs on it" in plainly(app)
    assert "llama3.2:latest · 2.02 GB, in use" in plainly(app)
    app.button(key="use_claude").click().run()
    assert screen(app).settings == DEFAULTS


def test_a_cloud_model_that_is_typed_in_is_said_to_leave(app: AppTest, ollama: str) -> None:
    settings_open(app).text_input(key="base_url").set_value(ollama).run()
    app.text_input(key="model").set_value("gpt-oss:120b-cloud").run()
    assert NOTHING not in plainly(app)
    assert "What leaves this machine goes to ollama.com" in plainly(app)


def test_nothing_is_looked_for_when_that_is_turned_off(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths: list[str] = []
    with serving(stand_in.OLLAMA, asked=paths) as port:
        monkeypatch.setenv("DOCQA_LOCAL_SERVERS", f"Ollama={port}")
        screen(app).settings = adjust(DEFAULTS, find_servers=False)
        settings_open(app)
        assert paths == []
        assert "answers here" not in plainly(app)
        app.toggle(key="find_servers").set_value(True).run()
        state.running().looking.wait(10)
        app.run()
        assert "/api/tags" in paths
        assert "latest" in app.button(key="use-Ollama-llama3.2:latest").label


def test_nothing_is_looked_for_while_the_settings_are_closed(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths: list[str] = []
    with serving(stand_in.OLLAMA, asked=paths) as port:
        monkeypatch.setenv("DOCQA_LOCAL_SERVERS", f"Ollama={port}")
        app.run()
        assert state.running().looking.result is None
    assert paths == []


def test_where_no_server_answers_the_way_to_one_is_told(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving({}) as port:
        monkeypatch.setenv("DOCQA_LOCAL_SERVERS", f"vLLM={port}")
        assert "No vLLM answers here. docs/local-models.md says" in plainly(settings_open(app))


def test_a_model_here_is_asked_without_a_key_and_without_regard_to_the_budget(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret-4711")
    with MessagesServer(Turn([text("It is 5.3%.")])) as server:
        here = screen(app)
        here.settings = adjust(
            here.settings, model="qwen3:4b", base_url=server.url, send_key=False, budget_usd=0.01
        )
        turn = asked(app, "What is the vacancy in the district?")
    assert "5.3%" in str(turn)
    assert server.requests[0]["model"] == "qwen3:4b"
    assert all("sk-ant" not in value for each in server.headers for value in each.values())


def test_a_server_typed_in_is_sent_the_key(app: AppTest) -> None:
    with MessagesServer(Turn([text("It is 5.3%.")])) as server:
        screen(app).api_key = Key("sk-own-4711")
        screen(app).settings = adjust(DEFAULTS, send_key=False)
        settings_open(app).text_input(key="base_url").set_value(server.url).run()
        assert screen(app).settings.server.send_key
        asked(app, "What is the vacancy in the district?")
    assert server.headers[0]["x-api-key"] == "sk-own-4711"


def models_open(app: AppTest) -> AppTest:
    app.session_state["models"] = True
    return app.run()


@pytest.mark.skipif(llama.installed(), reason="xllamacpp is installed")
def test_without_llama_cpp_no_model_that_answers_is_listed(app: AppTest) -> None:
    assert "run by docqa itself" not in plainly(models_open(app))
    assert "model_file" not in [each.key for each in app.text_input]


@pytest.mark.local
def test_a_file_from_disk_is_looked_at_chosen_and_asked(app: AppTest, tmp_path: Path) -> None:
    path = smollm2()
    assert "Qwen3-8B" in plainly(models_open(app))
    assert "for 16 GB of memory; licence Apache-2.0; Qwen/Qwen3-8B-GGUF" in plainly(app)
    (tmp_path / "none.gguf").write_bytes(b"PK")
    (tmp_path / "cut.gguf").write_bytes(gguf()[:-1])
    for name, said in (
        ("none.gguf", "none.gguf cannot be loaded: it is no GGUF file"),
        ("cut.gguf", "cut.gguf cannot be loaded: it is cut off; 1 bytes are missing"),
        ("nothere.gguf", "nothere.gguf cannot be loaded: it cannot be read"),
    ):
        app.text_input(key="model_file").set_value(str(tmp_path / name)).run()
        assert said in plainly(app)
    app.text_input(key="model_file").set_value(str(path)).run()
    assert "Takes 916 MB of memory with a context of 8,192 tokens" in plainly(app)
    app.button(key=f"answer-{path.stem}").click().run()
    assert screen(app).settings == adjust(DEFAULTS, model=path.stem, model_file=str(path))
    app.session_state["settings"] = True
    app.run()
    assert f"docqa runs {path.stem} itself" in plainly(app)
    assert f"{NOTHING}: {path.stem} runs on it" in plainly(app)
    assert state.workspace().resources._llama is None  # until the first question
    screen(app).settings = adjust(screen(app).settings, max_answer_tokens=24)
    asked(app, "What is the vacancy in the district?")
    kept = state.workspace().conversations.messages(screen(app).conversation_id or "")
    assert kept[-1].answer is not None
    assert kept[-1].answer.answerer == path.stem
    assert kept[-1].answer.usage.output_tokens > 0
    own = state.workspace().resources._llama
    assert own is not None
    assert own.alive
    state._running.clear()
    assert not own.alive


def test_figures_without_support_get_quotes_beside_them(app: AppTest) -> None:
    for said, wanting in (("It is 71.3%.", True), ("It is 5.3% [S1].", False)):
        with MessagesServer(Turn([text(said)])) as server:
            here = screen(app)
            here.settings = adjust(here.settings, model="qwen3:4b", base_url=server.url)
            asked(app, "What was the vacancy in the district at the end of 2024?")
        kept = state.workspace().conversations.messages(screen(app).conversation_id or "")
        assert kept[-1].answer is not None
        words = kept[-1].answer.text
        assert words.startswith(said[:8])
        assert ("In the documents' own words" in words) is wanting
        if wanting:
            assert "Vacancy in the district fell to 5.3%" in words
            assert any("5.3%" in each.quote for each in kept[-1].answer.citations)


def test_a_model_that_only_seems_to_run_here_is_sent_nothing(app: AppTest) -> None:
    paths: list[str] = []
    passed_on = {"model_info": {}, "remote_model": "x", "remote_host": "https://ollama.com:443"}
    with serving({**stand_in.OLLAMA, "/api/show": passed_on}, asked=paths) as port:
        here = screen(app)
        url = f"http://127.0.0.1:{port}"
        here.settings = adjust(here.settings, model="mine:latest", base_url=url)
        app.chat_input[0].set_value("What is the vacancy?").run()
        asking = screen(app).asking
        assert asking is not None
        asking.wait(60)
    assert asking.error.startswith("Nothing was sent")
    assert "ollama.com" in asking.error
    assert "/v1/messages" not in paths


@pytest.mark.parametrize(
    ("name", "replies", "model", "context"),
    [
        ("Ollama", stand_in.OLLAMA, "llama3.2:latest", 8192),
        ("LM Studio", stand_in.LM_STUDIO, "meta-llama-3.1-8b-instruct", 16384),
        ("vLLM", stand_in.VLLM, "Qwen/Qwen3-8B", 40960),
    ],
)
def test_from_no_model_to_an_answer(
    app: AppTest,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    replies: stand_in.Json,
    model: str,
    context: int,
) -> None:
    with MessagesServer(Turn([text("It fell to 5.3% [S1].")]), replies=replies) as server:
        monkeypatch.setenv("DOCQA_LOCAL_SERVERS", f"{name}={server.url.rpartition(':')[2]}")
        settings_open(app).button(key=f"use-{name}-{model}").click().run()
        assert f"{NOTHING}: {model} runs on it" in plainly(app)
        asked(app, "What was the vacancy in the district at the end of 2024?")
    [request] = server.requests
    assert request["model"] == model
    told = json.dumps(request)
    assert "search_result" not in told
    assert "[S1] " in told
    assert len(told) / 3 + request["max_tokens"] < context
    assert ("thinking" in request) is (name == "Ollama")
    kept = state.workspace().conversations.messages(screen(app).conversation_id or "")
    assert kept[-1].answer is not None
    assert kept[-1].answer.answerer == model
    assert [each.label for each in kept[-1].answer.citations][:1] == ["S1"]
