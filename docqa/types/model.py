"""A neural model as a person sees it: what it is for, and whether it is here."""

from dataclasses import dataclass
from typing import Literal

Purpose = Literal["encoder", "reranker", "layout", "answers"]
ModelState = Literal["bundled", "cached", "missing"]


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model docqa can use. ``size`` is in bytes, of the download where it is missing.

    ``fault`` says what is wrong with it, where that can be told quickly.
    """

    name: str
    purpose: Purpose
    state: ModelState
    size: int
    note: str = ""
    used: bool = False  # of a reranker: by searches; of a layout network: by reading
    fault: str = ""
    file: str = ""  # of a model that answers and is here: its path


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A language model as the server that runs it describes it.

    ``size`` is in bytes and ``context`` in tokens, 0 where not told; ``tools`` is whether it can
    call tools, None where not told. ``elsewhere`` is the host it runs on where the server only
    passes on what it is sent, "" for this machine.
    """

    name: str
    size: int = 0
    context: int = 0
    tools: bool | None = None
    elsewhere: str = ""
    server: str = ""  # the program that serves it; "" where it is not known


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A server of language models on this machine; ``trouble`` says why it cannot be used."""

    name: str
    url: str
    models: tuple[ServedModel, ...] = ()
    version: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF file that fits this machine: ``context`` in tokens, ``needs`` and ``free`` in bytes.

    ``tools`` is whether the model was taught to call tools.
    """

    name: str
    path: str
    context: int
    needs: int
    free: int
    tools: bool
