"""Docling's layout network: where it is, and what would keep Docling from running it.

It is run in the reading process, by Docling. Here its files alone are looked at.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from docqa.errors import ModelDamaged, ModelFailed
from docqa.models.network import ports
from docqa.models.registry import HERON, NETWORK, check, folder_of, folders, missing
from docqa.settings import layout_folder, layout_is_off

INPUTS = {"images", "orig_target_sizes"}  # the page's picture; its width and height
OUTPUTS = 3  # labels, boxes, scores

Stamp = tuple[tuple[int, int], ...]  # size and time of change of each file


def usable_folder() -> Path | None:
    """The folder of the network that reading is to use: one is here, whole, and not turned off."""
    folder = None if layout_is_off() else folder_of(HERON)
    return folder if folder and not fault() else None


def fault() -> str:
    """What is wrong with the network that is here, or was to be; "" for nothing."""
    folder = folder_of(HERON)
    if folder is not None:
        return _fault_of(folder, _stamp(folder))
    named = layout_folder()
    if named is None:
        return ""
    absent = min((missing(HERON, each) for each in folders(HERON)), key=len)
    told = ", ".join(absent)
    return f"DOCQA_LAYOUT_MODELS names {named}, where these files are missing: {told}"


def _stamp(folder: Path) -> Stamp:
    stats = [(folder / name).stat() for name in HERON.files]
    return tuple((each.st_size, each.st_mtime_ns) for each in stats)


@lru_cache(maxsize=4)
def _fault_of(folder: Path, stamp: Stamp) -> str:
    """What is wrong with the files, which are read once for each ``stamp``."""
    try:
        check(HERON, folder, HERON.files)
        labels = _loaded(folder / "config.json").get("id2label")
        prepared = _loaded(folder / "preprocessor_config.json").get("image_processor_type")
        inputs, outputs = ports(HERON, folder / NETWORK)
    except ModelDamaged:
        return f"the files in {folder} are not those that the hub has"
    except ModelFailed as error:
        return f"{folder / NETWORK} is damaged: {error}"
    except (OSError, ValueError) as error:
        return f"a file in {folder} cannot be read: {error}"
    if not labels or not isinstance(labels, dict) or not prepared:
        return f"config.json or preprocessor_config.json in {folder} is not a layout network's"
    if inputs != INPUTS or len(outputs) < OUTPUTS:
        return f"{folder / NETWORK} is not a layout network: it reads {', '.join(sorted(inputs))}"
    return ""


def _loaded(path: Path) -> dict[str, Any]:
    """A JSON object. Raises ValueError for what is none, or would have code of its own loaded."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} is not an object")
    if "auto_map" in found:
        raise ValueError(f"{path.name} asks for code of its own")
    return found
