"""Docling's layout network as files: where it is looked for, and what is said of damaged ones."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docqa.models import load
from docqa.models.load import LAYOUT, model_statuses, with_layout
from docqa.settings import DEFAULTS, adjust
from docqa.types.model import ModelStatus
from tests.layouts import REPOSITORY, Seen, layout_models

SEEN = [Seen("text", (0, 0, 1, 1))]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The network's folder, within the one that the environment names."""
    monkeypatch.setenv("DOCQA_LAYOUT_MODELS", str(tmp_path / "models"))
    return layout_models(tmp_path / "models", SEEN) / REPOSITORY


def status() -> ModelStatus:
    (found,) = [each for each in model_statuses() if each.name == LAYOUT]
    return found


def folder() -> str:
    return with_layout(DEFAULTS).reading.layout_model


def test_without_its_files_geometry_reads_and_nothing_is_wrong() -> None:
    assert (status().state, status().used, status().fault) == ("missing", False, "")
    assert with_layout(DEFAULTS) is DEFAULTS


def test_the_folder_named_may_be_its_own_or_the_one_above(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder() == str(home)
    assert (status().state, status().used, status().fault) == ("cached", True, "")
    monkeypatch.setenv("DOCQA_LAYOUT_MODELS", str(home))
    assert folder() == str(home)


def test_files_that_the_hubs_cache_has_are_used(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "hub" / "models--docling-project--docling-layout-heron-onnx"
    (kept / "refs").mkdir(parents=True)
    (kept / "refs" / "main").write_text("abc")
    (kept / "snapshots").mkdir()
    home.rename(kept / "snapshots" / "abc")
    monkeypatch.delenv("DOCQA_LAYOUT_MODELS")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    assert folder() == str(kept / "snapshots" / "abc")


def test_reading_with_it_may_take_longer(home: Path) -> None:
    given = with_layout(adjust(DEFAULTS, range_seconds=10, reading_seconds=20))
    assert (given.reading.range_seconds, given.reading.reading_seconds) == (40, 80)
    assert with_layout(given) is given


def test_it_can_be_turned_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(home))
    monkeypatch.setenv("DOCQA_LAYOUT_MODELS", "off")
    assert folder() == ""
    assert status().note.endswith("turned off by DOCQA_LAYOUT_MODELS=off")
    assert not status().fault


def without_weights(home: Path) -> None:
    (home / "model.onnx").unlink()


def cut(home: Path) -> None:
    path = home / "model.onnx"
    path.write_bytes(path.read_bytes()[:-200])


def empty(home: Path) -> None:
    (home / "config.json").write_text("{}")


def no_json(home: Path) -> None:
    (home / "preprocessor_config.json").write_text("<html>")


def with_code(home: Path) -> None:
    config = json.loads((home / "config.json").read_text())
    (home / "config.json").write_text(json.dumps({**config, "auto_map": {"AutoConfig": "x.y"}}))


def otherwise(home: Path) -> None:
    other = layout_models(home.parent / "other", SEEN, inputs=("pixel_values", "orig_target_sizes"))
    (other / REPOSITORY / "model.onnx").replace(home / "model.onnx")


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (without_weights, "these files are missing: model.onnx"),
        (cut, "model.onnx is damaged: "),
        (empty, "is not a layout network's"),
        (no_json, "cannot be read: "),
        (with_code, "config.json asks for code of its own"),
        (otherwise, "is not a layout network: it reads orig_target_sizes, pixel_values"),
    ],
)
def test_what_is_wrong_with_its_files_is_told_and_they_are_not_used(
    home: Path, harm: Callable[[Path], None], told: str
) -> None:
    harm(home)
    assert told in status().fault
    assert not status().used
    assert folder() == ""


def test_files_that_are_mended_are_used(home: Path) -> None:
    config = (home / "config.json").read_text()
    empty(home)
    assert folder() == ""
    (home / "config.json").write_text(config)
    assert folder() == str(home)
    assert load.is_whole(LAYOUT)
