"""What `doctor` looks at: versions, models, the library folder, its three stores, privacy."""

import os
import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any

from docqa.settings import api_key
from docqa.workspace import Workspace

PACKAGES = (
    "streamlit",
    "docling-slim",
    "chromadb",
    "sentence-transformers",
    "anthropic",
    "numpy",
    "rapidfuzz",
    "onnxruntime",
)
SPACE_WANTED = 2 * 1024**3  # bytes: room for a large upload, its vectors and a model


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it is as it should be, and what was seen."""

    name: str
    fine: bool
    detail: str

    def row(self) -> dict[str, Any]:
        return asdict(self)


def examine(workspace: Workspace) -> list[Finding]:
    """Every check, in the order they are shown; opens the index, loads no model's weights."""
    return [
        _python(),
        *_packages(),
        *_models(workspace),
        _disk(workspace),
        _folder(workspace),
        _stores(workspace),
        *_pages(workspace),
        _privacy(),
    ]


def _python() -> Finding:
    fine = (3, 11) <= sys.version_info[:2] <= (3, 13)
    return Finding("python", fine, f"{platform.python_version()} on {platform.system()}")


def _packages() -> list[Finding]:
    return [Finding(name, *_version(name)) for name in PACKAGES]


def _version(package: str) -> tuple[bool, str]:
    try:
        return True, metadata.version(package)
    except metadata.PackageNotFoundError:
        return False, "not installed; install the requirements again"


def _models(workspace: Workspace) -> list[Finding]:
    return [
        Finding(f"model {each.name}", True, f"{each.state}, for {each.purpose}")
        for each in workspace.model_statuses()
    ]


def _disk(workspace: Workspace) -> Finding:
    free = shutil.disk_usage(workspace.folder).free
    return Finding("disk", free > SPACE_WANTED, f"{free / 1e9:.1f} GB free")


def _folder(workspace: Workspace) -> Finding:
    mode = workspace.folder.stat().st_mode & 0o777
    private = os.name == "nt" or mode & 0o077 == 0
    return Finding("library folder", private, f"{workspace.folder}, mode {mode:o}")


def _stores(workspace: Workspace) -> Finding:
    vectors, chunks = workspace.index.count(), workspace.catalog.chunk_count()
    documents = len(workspace.documents())
    detail = f"{documents} documents, {chunks} passages, {vectors} vectors"
    return Finding("library", vectors == chunks, detail)


def _pages(workspace: Workspace) -> list[Finding]:
    return [
        Finding(f"pages of {document.name}", not marked, "; ".join(marked) or "all read")
        for document in workspace.documents()
        for marked in [_marked_pages(workspace, document.id)]
    ]


def _marked_pages(workspace: Workspace, document_id: str) -> list[str]:
    return [
        f"p. {page.page}: {', '.join(page.warnings)}"
        for page in workspace.health(document_id)
        if page.warnings
    ]


def _privacy() -> Finding:
    sent = (
        "questions and cited passages go to the model's server" if api_key() else "nothing is sent"
    )
    return Finding("privacy", True, f"{sent}; telemetry is off")
