"""A model's network as ONNX: made once, by a child process, from sentence-transformers' own model.

So transformers (8 s to import with torch, 500 MB) never loads in the application. The bundled
encoder is written from its weights (see `onnx_graph`): the first question does not wait for it.
"""

import logging
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from docqa.errors import ModelFailed
from docqa.models import onnx_graph
from docqa.models.registry import (
    MINILM,
    MINILM_INT8,
    SHIPPED,
    WEIGHTS,
    Model,
    check,
    path_of,
    sha256,
)
from docqa.settings import environment_for_reading

log = logging.getLogger(__name__)

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
VERSION = 1  # of what `export` writes; another is exported anew
WRITTEN = {MINILM.name: "float32", MINILM_INT8.name: "int8"}  # not traced; the form of each
LONGEST = 900.0  # seconds an export may take
_PART = "exporting-"
_EAGER = {"attn_implementation": "eager"}  # the one that can be traced

Compute = Callable[[dict[str, Any]], Any]  # from the inputs by name to the result


def exported(model: Model, folder: Path, cache: Path) -> Path:
    """The network as ONNX: docqa's own, or exported where that was not yet done or it is damaged.

    The name says which weights it was made from, and what its bytes are. Raises ModelDamaged
    where the model's own files are not what they should be, ModelFailed.
    """
    if SHIPPED in model.files:
        check(model, folder, [SHIPPED])
        return path_of(folder, SHIPPED)
    weights = model.sha256.get(WEIGHTS) or sha256(folder / WEIGHTS, model.name)
    form = WRITTEN.get(model.name, model.purpose)
    made_from = f"{model.name}-{weights[:16]}-"
    stem = f"{made_from}{VERSION}{'w' if model.name in WRITTEN else ''}"
    for path in cache.glob(f"{made_from}*.onnx"):
        if f"{stem}-" not in path.name:  # an earlier docqa wrote it otherwise
            with suppress(OSError):  # something may have it open
                path.unlink()
    for path in cache.glob(f"{stem}-*.onnx"):
        if path.stem.endswith(f"-{sha256(path, model.name)}"):
            return path
        log.warning("The exported network of %s is damaged and is exported again", model.name)
        path.unlink()
    check(model, folder, model.files)
    try:
        return _export_anew(model, folder, cache, stem, form)
    except OSError as error:
        raise ModelFailed(model.name, reason=error.strerror or str(error)) from error


def _export_anew(model: Model, folder: Path, cache: Path, stem: str, form: str) -> Path:
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    _clear_broken_off(cache)
    with tempfile.TemporaryDirectory(prefix=_PART, dir=cache) as made:
        part = Path(made) / "network.onnx"
        started = time.perf_counter()
        _run_export(model, folder, part, form)
        log.info("Exported %s in %.1f s", model.name, time.perf_counter() - started)
        return part.replace(cache / f"{stem}-{sha256(part, model.name)}.onnx")


def _clear_broken_off(cache: Path) -> None:
    """Remove what an export that was killed left behind; one under way is younger."""
    for folder in cache.glob(f"{_PART}*"):
        if time.time() - folder.stat().st_mtime > 2 * LONGEST:
            shutil.rmtree(folder, ignore_errors=True)


def _run_export(model: Model, folder: Path, target: Path, form: str) -> None:
    """Export in a child process, which takes torch's memory with it when it ends."""
    # At a low priority: the screen comes first where there are few cores.
    lowered = "import os, sys; getattr(os, 'nice', int)(10); "
    code = lowered + "from docqa.models.export import export; export(*sys.argv[1:])"
    arguments = [str(folder), str(target), form]
    try:
        child = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, *arguments],
            env=environment_for_reading(),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        reason = f"exporting it took longer than {LONGEST:.0f} seconds"
        raise ModelFailed(model.name, reason=reason) from error
    if child.returncode or not target.is_file():
        log.error("Exporting %s failed: %s", model.name, child.stderr[-2000:])
        raise ModelFailed(model.name, reason=_last_line(child.stderr))


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else "the exporting process was ended"


def export(folder: str, target: str, form: str) -> None:
    """Write a model's network as ONNX; run in a process of its own.

    ``form`` is a purpose, or one that is `WRITTEN`, which needs no torch.
    What is traced is sentence-transformers' own model, so pooling and normalisation are inside
    the graph, as the model's files say. An encoder's output is (n, d), of length 1; a reranker's
    is (n,), 0–1.
    """
    if form in WRITTEN.values():
        onnx_graph.write(Path(folder), Path(target), int8=form == "int8")
        return
    import torch

    read = _reranking if form == "reranker" else _encoding
    example = torch.full((2, 16), 2000)
    axes = {name: {0: "text", 1: "token"} for name in INPUTS}
    torch.onnx.export(
        _as_module(read(folder)),
        (example, torch.ones_like(example), torch.zeros_like(example)),
        target,
        input_names=list(INPUTS),
        output_names=["result"],
        dynamic_axes={**axes, "result": {0: "text"}},
        opset_version=17,
        dynamo=False,
    )


def _encoding(folder: str) -> tuple[Any, Compute]:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        folder, device="cpu", local_files_only=True, model_kwargs=_EAGER
    ).eval()
    return model, lambda inputs: model(inputs)["sentence_embedding"]


def _reranking(folder: str) -> tuple[Any, Compute]:
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(folder, device="cpu", local_files_only=True, model_kwargs=_EAGER)
    network = model.model.eval()
    return network, lambda inputs: network(**inputs).logits[:, 0].sigmoid()


def _as_module(read: tuple[Any, Compute]) -> Any:
    """The network as one with three plain inputs, which is what can be exported."""
    import torch

    model, result = read

    class Traced(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: Any) -> Any:
            return result(dict(zip(INPUTS, inputs, strict=True)))

    return Traced().eval()
