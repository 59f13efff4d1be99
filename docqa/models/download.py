"""Models from the Hugging Face hub, when a person asks for one and never otherwise."""

import errno
import io
from collections.abc import Callable
from typing import Any

from docqa.errors import DownloadFailed
from docqa.models.registry import SHA256, Model, cache_of, folder_of, sha256
from docqa.settings import hub_folder
from docqa.types.progress import no_progress

PATIENCE = 5.0  # seconds the hub has to answer
_WEIGHTS = (".safetensors", ".onnx", ".gguf")
_EXTRAS = (
    "tokenizer_config.json",
    "special_tokens_map.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "vocab.txt",
)


def fetch(model: Model, *, progress: Callable[[int, int], None]) -> None:
    """Fetch the model's files into the hub's cache; ``progress`` is told bytes of the weights.

    Weights go on where an earlier attempt broke off. Raises DownloadFailed, within seconds where
    the hub is out of reach.
    """
    from huggingface_hub import errors, snapshot_download

    try:
        _reach_hub()
        _fetch_weights(model, progress)
        snapshot_download(
            model.repository,
            cache_dir=hub_folder(),
            allow_patterns=[*model.files, *_EXTRAS],
            tqdm_class=_progress_bar(no_progress),
        )
    except (errors.HTTPError, OSError) as error:  # type: ignore[attr-defined]  # httpx2's
        raise DownloadFailed(model.name, reason=_reason(error)) from error
    if folder_of(model) is None:
        raise DownloadFailed(model.name, reason="the hub does not have all of its files")


def _fetch_weights(model: Model, progress: Callable[[int, int], None]) -> None:
    """Fetch the one large file to where the hub's library looks for it before it fetches itself.

    That library begins anew with each attempt, which is a long way at five gigabytes.
    """
    from huggingface_hub import HfApi, get_hf_file_metadata, hf_hub_url
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils import WeakFileLock  # type: ignore[attr-defined]

    name = next(each for each in model.files if each.endswith(_WEIGHTS))
    revision = HfApi().model_info(model.repository, revision="main").sha
    file = get_hf_file_metadata(hf_hub_url(model.repository, name, revision=revision))
    folder = cache_of(model.repository) / "blobs"
    folder.mkdir(parents=True, exist_ok=True)
    whole, part = folder / str(file.etag), folder / f"{file.etag}.part"
    with WeakFileLock(part.with_suffix(".lock"), timeout=PATIENCE):
        if whole.exists():
            return
        with part.open("ab") as arriving:
            http_get(
                file.location,
                arriving,
                resume_size=arriving.tell(),
                expected_size=file.size,
                tqdm_class=_progress_bar(progress),
            )
        if SHA256.fullmatch(whole.name) and sha256(part, model.name) != whole.name:
            part.unlink()
            raise DownloadFailed(model.name, reason="what arrived is damaged")
        part.rename(whole)


def _reach_hub() -> None:
    """One short attempt, since the library itself goes on trying for a minute."""
    from huggingface_hub import constants
    from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

    get_session().head(constants.ENDPOINT, timeout=PATIENCE)


def _progress_bar(progress: Callable[[int, int], None]) -> type[Any]:
    """A bar that draws nothing and tells ``progress`` of the bytes that arrived."""
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    class Bar(tqdm):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            named.pop("name", None)
            super().__init__(*given, **{**named, "file": io.StringIO(), "disable": False})

        def update(self, n: float | None = 1) -> bool | None:
            told = super().update(n)
            if self.unit == "B" and self.total:
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
