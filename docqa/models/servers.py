"""Servers of language models on this machine: found on the loopback, and what they offer.

Each is asked at its own port alone, in the words its documentation gives, and has to answer as
documented: whatever else listens there is left alone. Nothing but these questions is sent, to no
address but 127.0.0.1, through no proxy and along no redirect.
"""

import ipaddress
import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit

from docqa.types.model import ModelServer, ServedModel

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
PATIENCE = 1.0  # seconds a server has for each answer; one that is busy still lists its models
_LONGEST = 4 * 1024**2  # bytes of an answer that are read
_OLLAMA_CONTEXT = 4096  # tokens, of a model that is not loaded and has no size of its own set
_CLOUD = "ollama.com"

Get = Callable[[str], Any]
"""What a server answers at a path, as JSON; None where it does not answer so."""

REFUSED = {"refused": True}  # what stands for an answer that asks for a key


def find(ports: Mapping[str, int], *, patience: float = PATIENCE) -> tuple[ModelServer, ...]:
    """The servers that answer, in the order of ``ports``, by name; all are asked at once.

    Takes 3 * ``patience`` seconds at the most, also where something takes its time on purpose.
    """
    found: dict[str, ModelServer] = {}
    threads = []
    for name, port in ports.items():
        task = (name, port, patience, found)
        threads.append(threading.Thread(target=_look, args=task, daemon=True))
        threads[-1].start()
    ends = time.monotonic() + 3 * patience
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    return tuple(found[name] for name in ports if name in found)


def _look(name: str, port: int, patience: float, found: dict[str, ModelServer]) -> None:
    url = f"http://{LOOPBACK}:{port}"
    server = _KINDS[name](url, _asking(url, patience))
    if server is not None:
        found[name] = server


def describe(url: str, model: str) -> ServedModel:
    """What the server at ``url`` says of a model; one of which nothing is known without it.

    Only a server on this machine is asked.
    """
    if not is_loopback(urlsplit(url).hostname or ""):
        return ServedModel(model)
    get = _asking(url, PATIENCE)
    if own := _llama_cpp(url, get):  # it answers with the model it has, whatever that is called
        return replace(own.models[0], name=model) if own.models else ServedModel(model)
    for kind in (_vllm, _lm_studio):
        server = kind(url, get)
        named = [each for each in server.models if each.name == model] if server else []
        if named:
            return named[0]
    known = _field(get("/api/version"), "version")
    body = json.dumps({"model": model})
    shown = _answer(url, "POST", "/api/show", body, PATIENCE) if known else None
    if isinstance(shown, dict) and isinstance(shown.get("model_info"), dict):
        return _of_ollama({"name": model, **shown}, _loaded(get("/api/ps")))
    return ServedModel(model, elsewhere=runs_elsewhere(model))


def is_loopback(host: str) -> bool:
    """Whether the host's name or address is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def runs_elsewhere(model: str) -> str:
    """The host a model runs on by its name alone, though a server here passes it on; or ""."""
    _, colon, tag = model.rpartition(":")
    return _CLOUD if colon and (tag == "cloud" or tag.endswith("-cloud")) else ""


# Each kind of server, as documented


def _ollama(url: str, get: Get) -> ModelServer | None:
    """https://docs.ollama.com/api: GET /api/version, /api/tags, /api/ps."""
    version, listed = get("/api/version"), get("/api/tags")
    if not isinstance(_field(version, "version"), str) or not _is_list(listed, "models"):
        return None
    loaded = _loaded(get("/api/ps"))
    models = tuple(_of_ollama(each, loaded) for each in _entries(listed, "models", "name"))
    chatting = tuple(each for each in models if each is not None)
    return _server("Ollama", url, chatting, version["version"], "`ollama pull` fetches one")


def _of_ollama(entry: Mapping[str, Any], loaded: Mapping[str, int]) -> ServedModel:
    """A model of `/api/tags` or `/api/show`; newer versions tell more than older ones."""
    name, told = str(entry["name"]), entry.get("capabilities")
    details, known = _dict(entry.get("details")), _dict(entry.get("model_info"))
    trained = [v for k, v in known.items() if k.endswith(".context_length")]
    most = _number(details.get("context_length")) or _number(trained[0] if trained else 0)
    context = loaded.get(name) or _context_set(entry.get("parameters"))
    if not context and most:
        context = min(most, _OLLAMA_CONTEXT)
    elsewhere = urlsplit(str(entry.get("remote_host") or "")).hostname or runs_elsewhere(name)
    tools = "tools" in told if isinstance(told, list) else None
    size = _number(entry.get("size"))
    return ServedModel(name, size, context, tools, elsewhere, "Ollama")


def _loaded(running: Any) -> dict[str, int]:
    """The context that each model was loaded with, by name."""
    return {
        str(each["name"]): _number(each.get("context_length"))
        for each in _entries(running, "models", "name")
    }


def _context_set(told: Any) -> int:
    """``num_ctx`` among a Modelfile's parameters, one a line; 0 where it is not set."""
    found = re.search(r"^\s*num_ctx[ \t]+(\S+)", str(told or ""), re.MULTILINE)
    return _number(found[1]) if found else 0


def _lm_studio(url: str, get: Get) -> ModelServer | None:
    """https://lmstudio.ai/docs/developer/rest: GET /api/v0/models, or /v1/models without it."""
    listed = get("/api/v0/models")
    if listed is REFUSED:
        return _locked("LM Studio", url)
    if not _is_list(listed, "data"):
        listed = get("/v1/models")
        entries = _entries(listed, "data", "id")
        if not entries or any(each.get("owned_by") != "organization_owner" for each in entries):
            return None
    chatting = [
        each
        for each in _entries(listed, "data", "id")
        if each.get("type") not in ("embeddings", "embedding")
        and not str(each["id"]).startswith("text-embedding-")
    ]
    models = tuple(map(_of_lm_studio, chatting))
    return _server("LM Studio", url, models, "", "load one in LM Studio")


def _of_lm_studio(entry: Mapping[str, Any]) -> ServedModel:
    told = entry.get("capabilities")
    context = _number(entry.get("loaded_context_length"))
    if not context:  # a model that is loaded for the first question gets this or less
        context = min(_number(entry.get("max_context_length")), _OLLAMA_CONTEXT)
    tools = "tool_use" in told if isinstance(told, list) else None
    return ServedModel(str(entry["id"]), 0, context, tools, server="LM Studio")


def _llama_cpp(url: str, get: Get) -> ModelServer | None:
    """https://github.com/ggml-org/llama.cpp, tools/server: GET /v1/models, /props."""
    listed = get("/v1/models")
    if listed is REFUSED and _field(get("/health"), "status") == "ok":
        return _locked("llama.cpp", url)
    entries = _entries(listed, "data", "id")
    if not entries or entries[0].get("owned_by") != "llamacpp":
        return None
    props = get("/props")
    context = _number(_dict(_field(props, "default_generation_settings")).get("n_ctx"))
    can = _dict(_field(props, "chat_template_caps")).get("supports_tools")
    tools = can if isinstance(can, bool) else None

    def served(entry: Mapping[str, Any]) -> ServedModel:
        meta = _dict(entry.get("meta"))
        holds = context or _number(meta.get("n_ctx")) or _number(meta.get("n_ctx_train"))
        size = _number(meta.get("size"))
        return ServedModel(str(entry["id"]), size, holds, tools, server="llama.cpp")

    build = str(_field(props, "build_info") or "")
    return _server("llama.cpp", url, tuple(map(served, entries)), build, "start it with a model")


def _vllm(url: str, get: Get) -> ModelServer | None:
    """https://docs.vllm.ai, the OpenAI-compatible server: GET /version, /v1/models."""
    version, listed = get("/version"), get("/v1/models")
    if listed is REFUSED and isinstance(_field(version, "version"), str):
        return _locked("vLLM", url)
    entries = _entries(listed, "data", "id")
    if not entries or any(each.get("owned_by") != "vllm" for each in entries):
        return None
    models = tuple(
        ServedModel(str(each["id"]), 0, _number(each.get("max_model_len")), server="vLLM")
        for each in entries
    )
    return _server("vLLM", url, models, str(_field(version, "version") or ""), "start it with one")


_KINDS: Mapping[str, Callable[[str, Get], ModelServer | None]] = {
    "Ollama": _ollama,
    "LM Studio": _lm_studio,
    "llama.cpp": _llama_cpp,
    "vLLM": _vllm,
}


def _server(
    name: str, url: str, models: tuple[ServedModel, ...], version: str, remedy: str
) -> ModelServer:
    trouble = "" if models else f"It has no model yet: {remedy}."
    return ModelServer(name, url, models, version, trouble)


def _locked(name: str, url: str) -> ModelServer:
    trouble = "It asks for a key. Enter the key above and its address under Server."
    return ModelServer(name, url, trouble=trouble)


# Reading what strangers write


def _asking(url: str, patience: float) -> Get:
    return lambda path: _answer(url, "GET", path, None, patience)


def _answer(url: str, method: str, path: str, body: str | None, patience: float) -> Any:
    # Here, since it takes a tenth of what importing the workspace may take.
    from http.client import HTTPConnection, HTTPException

    place = urlsplit(url)
    connection = HTTPConnection(place.hostname or LOOPBACK, place.port, timeout=patience)
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    try:
        with closing(connection):
            connection.request(method, quote(path), body, headers)
            response = connection.getresponse()
            if response.status in (401, 403):
                return REFUSED
            return json.loads(response.read(_LONGEST)) if response.status == 200 else None
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        log.debug("%s%s: %s", url, path, type(error).__name__)
        return None


def _field(told: Any, name: str) -> Any:
    return told.get(name) if isinstance(told, dict) else None


def _dict(told: Any) -> Mapping[str, Any]:
    return told if isinstance(told, dict) else {}


def _is_list(told: Any, name: str) -> bool:
    return isinstance(_field(told, name), list)


def _entries(told: Any, listed: str, name: str) -> list[Mapping[str, Any]]:
    """The entries of a list in an answer that have a name."""
    entries: Iterable[Any] = told[listed] if _is_list(told, listed) else ()
    return [each for each in entries if isinstance(each, dict) and isinstance(each.get(name), str)]


def _number(told: Any) -> int:
    """A whole number that is no less than 0; 0 for anything else."""
    try:
        return max(0, int(told))
    except (TypeError, ValueError, OverflowError):
        return 0
