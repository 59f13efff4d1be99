"""The neural models: one that comes with the requirements, others when they were downloaded.

Every model runs in onnxruntime. Nothing is downloaded unless `download` is called. The layout
network, which sees the regions of a page, is run where files are read.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from docqa.errors import ModelDamaged, ModelMissing
from docqa.models import layout, llama
from docqa.models.download import fetch
from docqa.models.network import Network, Told
from docqa.models.recent import RecentVectors
from docqa.models.registry import (
    BGE,
    HERON,
    KNOWN,
    MINILM_INT8,
    OWN,
    RERANKERS,
    Model,
    check,
    folder_of,
    is_bundled,
    required_folder,
)
from docqa.settings import OFF, Settings, adjust, layout_is_off
from docqa.types.model import ModelState, ModelStatus
from docqa.types.progress import no_progress

log = logging.getLogger(__name__)

BUNDLED = MINILM_INT8.name
LAYOUT = HERON.name
SLOWER = 4  # times the time a file may take, where the layout network reads along


class Encoder(Protocol):
    """Turns texts into vectors of length 1, whose dot product is their cosine."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...
    def encode(self, texts: Sequence[str], *, progress: Told | None = None) -> NDArray[np.float32]:
        """The passages' vectors, shape (n, d); tokens after the first ``max_tokens`` are unread.

        For those a library keeps: a text's vector depends on nothing that is read with it.
        """

    def encode_now(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same for the few that a question waits for, remembered for the next question."""

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """The question's vector, shape (d,)."""

    def count_tokens(self, text: str) -> int:
        """The tokens of the whole text, special ones included; loads the tokenizer alone."""


class Reranker(Protocol):
    """Reads a question and a passage together."""

    @property
    def name(self) -> str: ...
    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """How well each passage answers, 0–1, shape (n,), in the order given."""


class TableReader(Reranker, Protocol):
    """A reranker that reads lines of tables, too."""

    def score_lines(self, question: str, lines: Sequence[str]) -> NDArray[np.float32]:
        """How likely each row or column is one that answers, 0–1, shape (n,), in order."""


def load_encoder(cache: Path, *, name: str | None = None) -> Encoder:
    """The encoder of that name; without a name, the best there is on this machine.

    Quick: networks are loaded at their first use, which exports one to ``cache`` and may then
    raise ModelDamaged or ModelFailed. Raises ModelMissing.
    """
    model = _chosen(name)
    if model.purpose != "encoder":
        encoders = (each.name for each in KNOWN.values() if each.purpose == "encoder")
        raise ModelMissing(model.name, known=tuple(encoders))
    folder = required_folder(model)
    return _TextEncoder(model, Network(model, folder, cache))


def load_reranker(cache: Path, *, own: bool = False) -> TableReader | None:
    """The best reranker whose files are here and whole, loaded at its first use; None without.

    With ``own``, docqa's own and no other, which alone reads tables.
    """
    for model in [OWN] if own else RERANKERS:
        folder = folder_of(model)
        if folder is not None and is_whole(model.name):
            return Network(model, folder, cache)
        if folder is not None:
            log.warning("The files of %s are damaged, so it is not used", model.name)
    return None


def best_reranker() -> str:
    """The name of the best reranker that is here, by file names alone; "" for none."""
    return next((model.name for model in RERANKERS if folder_of(model) is not None), "")


def model_statuses() -> list[ModelStatus]:
    """What every model is for and whether it is here; those that answer only where they can run.

    Looks at file names alone, but for a layout network, whose files are read once.
    """
    used = {best_reranker(), LAYOUT if layout.usable_folder() else ""}
    known = [each for each in KNOWN.values() if each.purpose != "answers" or llama.installed()]
    return [_status(each, used=each.name in used) for each in known]


def _status(model: Model, *, used: bool) -> ModelStatus:
    folder, note = folder_of(model), model.note
    if model is HERON and layout_is_off():
        note = f"{note}; turned off by DOCQA_LAYOUT_MODELS={OFF}"
    return ModelStatus(
        model.name,
        model.purpose,
        _state(model),
        model.size,
        note,
        used=used,
        fault=layout.fault() if model is HERON else "",
        file=str(folder / model.file) if folder and model.file else "",
    )


def is_whole(name: str) -> bool:
    """Whether the model's files, which must be here, are those they should be; reads them."""
    model = _chosen(name)
    if model is HERON:
        return not layout.fault()
    try:
        check(model, required_folder(model), model.files)
    except ModelDamaged:
        return False
    return True


def download(name: str, *, progress: Told | None = None) -> None:
    """Fetch a model from the Hugging Face hub; ``progress`` is told bytes, from other threads.

    Raises DownloadFailed, within seconds where the hub is out of reach; ModelMissing for a name
    that is not in `model_statuses`.
    """
    model = _chosen(name)
    if _state(model) == "missing":
        fetch(model, progress=progress or no_progress)


def with_layout(settings: Settings) -> Settings:
    """The settings to read files with: the layout network that is here, and the time it needs."""
    folder = layout.usable_folder()
    if settings.reading.layout_model or folder is None:
        return settings
    return adjust(
        settings,
        layout_model=str(folder),
        reading_seconds=SLOWER * settings.reading.reading_seconds,
        range_seconds=SLOWER * settings.reading.range_seconds,
    )


class _TextEncoder:
    """An encoder in onnxruntime; safe to use from several threads."""

    def __init__(self, model: Model, network: Network) -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self.max_tokens = model.max_tokens
        self._prefix = model.query_prefix
        self._network = network
        self._recent = RecentVectors()

    def encode(self, texts: Sequence[str], *, progress: Told | None = None) -> NDArray[np.float32]:
        read = self._network.read_texts(texts)
        return self._network.run(read, progress).reshape(len(read), self.dimensions)

    def encode_now(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._recent.of(texts, self.encode)
        return np.array(vectors, np.float32).reshape(len(texts), self.dimensions)

    def encode_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.encode_now([self._prefix + text])[0]
        return vector

    def count_tokens(self, text: str) -> int:
        return self._network.count_tokens(text)


def _chosen(name: str | None) -> Model:
    if name is None:
        return BGE if folder_of(BGE) else MINILM_INT8
    if name not in KNOWN:
        raise ModelMissing(name, known=tuple(KNOWN))
    return KNOWN[name]


def _state(model: Model) -> ModelState:
    if folder_of(model) is None:
        return "missing"
    return "bundled" if is_bundled(model) else "cached"
