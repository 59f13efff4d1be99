"""The language model: whether it is used, and opened with the library's prices and budget."""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docqa.answer.model.costs import SpendingLimit
from docqa.answer.model.fit import ANY, fit, fitted
from docqa.app.costs import Ledger
from docqa.app.resources import Resources
from docqa.errors import LlamaMissing, ModelError, NoKey, OwnModelFailed, RunsElsewhere
from docqa.models import gguf, llama, machine, servers
from docqa.settings import ANTHROPIC, DEFAULTS, Settings, server_ports, server_url
from docqa.types.answer import Usage
from docqa.types.events import Retrying
from docqa.types.model import ModelFile, ModelServer, ServedModel
from docqa.types.search import Hit

if TYPE_CHECKING:
    from docqa.answer.model.claude import ClaudeAnswerer

OWN = "http://127.0.0.1"  # docqa's own model; its port is known once it is loaded
_LOOK_AGAIN = 0.3  # seconds between looks at a model that is being loaded


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of the documents: the question, where it belongs, and what may answer it.

    ``document_ids`` are those searched, () for all. ``sides`` are the documents it compares where
    that is settled, () for none. ``key`` is used for this request and kept nowhere.
    """

    question: str
    settings: Settings
    key: str = field(repr=False)
    document_ids: Sequence[str] = ()
    conversation_id: str | None = None
    answerer: str | None = None
    sides: Sequence[str] | None = None
    period: str = ""  # that a comparison's figures are of
    shared: Sequence[Hit] = ()  # passages given to a model with this question and with others


def answerer_kind(wanted: str | None, key: str, settings: Settings) -> str:
    """ "claude" or "extractive": who answers, by what is wanted and what there is.

    A server that is set as one's own may need no key. Raises `NoKey`.
    """
    kind = wanted or settings.answering.answerer
    reachable = bool(key or settings.server.base_url or settings.server.model_file)
    if kind == "claude" and not reachable:
        raise NoKey
    if kind == "auto":
        return "claude" if reachable else "extractive"
    return kind


def loading(resources: Resources, settings: Settings) -> Iterator[Retrying]:
    """Have docqa's own model loaded, where the settings name one, telling how long it takes.

    Raises `OwnModelFailed`.
    """
    started = time.monotonic()
    while settings.server.model_file and not _is_loaded(resources, settings):
        yield Retrying(time.monotonic() - started, "The model is being loaded")


def _is_loaded(resources: Resources, settings: Settings) -> bool:
    try:
        return resources.llama(Path(settings.server.model_file)).wait(_LOOK_AGAIN)
    except ModelError as error:
        raise OwnModelFailed(str(error)) from error


def open_claude(
    resources: Resources,
    settings: Settings,
    key: str,
    conversation_id: str | None = None,
    *,
    sends: bool = True,
) -> "ClaudeAnswerer":
    """Claude, as the settings say; what it takes is noted, for the conversation where it has one.

    Where docqa is to run the model itself, it is loaded first, unless nothing will be sent. Raises
    `NoKey`, `OwnModelFailed`, and `RunsElsewhere` for a model that only seems to run here.
    """
    from docqa.answer.model.claude import ClaudeAnswerer

    ledger = Ledger(resources.catalog)

    def spend(usage: Usage) -> None:
        ledger.note(usage, model=settings.answering.model, conversation_id=conversation_id or "")

    prices = {} if settings.server.model_file else ledger.prices()
    budget: Decimal | None = (
        Decimal(str(settings.server.budget_usd)) if settings.server.budget_usd else ledger.budget
    )
    served = None if destination(settings) else _described(resources, settings)
    if served and settings.answering.model not in prices:
        budget = None  # what runs on this machine costs nothing
    url, key = address(settings), key if settings.server.send_key else ""
    if settings.server.model_file and sends:
        url, key = _own(resources, settings)
    return ClaudeAnswerer(
        api_key=key,
        base_url="" if url == ANTHROPIC else url,
        model=settings.answering.model,
        settings=fitted(settings, served) if served else settings,
        spending=SpendingLimit(prices, budget, ledger.today().cost_usd, spend),
        fit=fit(served) if served else ANY,
    )


def _described(resources: Resources, settings: Settings) -> ServedModel:
    """What the server on this machine, or the file, says of the model."""
    if not settings.server.model_file:
        served = servers.describe(address(settings), settings.answering.model)
        if served.elsewhere:  # which its name does not say
            raise RunsElsewhere(served.name, host=served.elsewhere)
        return served
    try:
        own = resources.llama(Path(settings.server.model_file))
    except ModelError as error:
        raise OwnModelFailed(str(error)) from error
    name, tools = settings.answering.model, own.model.tools
    return ServedModel(name, own.model.size, own.context, tools, server="llama.cpp")


def _own(resources: Resources, settings: Settings) -> tuple[str, str]:
    """The address and key of docqa's own model, once it is loaded. Raises `OwnModelFailed`."""
    deque(loading(resources, settings), maxlen=0)
    own = resources.llama(Path(settings.server.model_file))
    return own.url, own.key


def address(settings: Settings) -> str:
    """The server that would be sent to."""
    if settings.server.model_file:
        return OWN
    return settings.server.base_url or server_url() or ANTHROPIC


def destination(settings: Settings = DEFAULTS) -> str:
    """The host that questions and passages would be sent to; "" where they stay on this machine.

    A server here may pass on what it is sent: Ollama does with the models of its own cloud.
    """
    host = urlsplit(address(settings)).hostname or address(settings)
    return servers.runs_elsewhere(settings.answering.model) if servers.is_loopback(host) else host


def model_file(path: Path) -> ModelFile:
    """What a GGUF file is, and what it takes of this machine's memory; loads nothing.

    Raises `LlamaMissing`, `NotAModelFile` and `ModelTooLarge`.
    """
    if not llama.installed():
        raise LlamaMissing
    state = path.stat() if path.is_file() else None
    model = _head(path, state.st_mtime_ns, state.st_size) if state else gguf.read(path)
    free = machine.memory_to_use()
    context = gguf.context_that_fits(model, memory=free)
    return ModelFile(model.name, str(path), context, gguf.needed(model, context), free, model.tools)


@lru_cache(maxsize=8)
def _head(path: Path, changed: int, size: int) -> gguf.Gguf:
    """The head of a file, read once for each of its states."""
    return gguf.read(path)


def find_servers(settings: Settings = DEFAULTS) -> tuple[ModelServer, ...]:
    """The servers of language models on this machine, asked at their usual ports; in 3 s.

    None where the settings say not to look for them.
    """
    return servers.find(server_ports()) if settings.server.find_servers else ()
