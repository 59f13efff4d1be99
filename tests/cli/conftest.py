"""A library with two leases, and the command line run on it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docqa.cli.main import main
from tests import pdfs
from tests.conftest import Once

Run = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="session")
def shelf(once: Once) -> Path:
    """A library with two leases in it, for all tests: one that changes it takes `own_shelf`."""
    return once("shelf", add_leases) / "library"


def add_leases(folder: Path) -> None:
    rent = "The monthly rent is {}, due on the first day of each month. The term is {} years. "
    pdfs.text_pages(folder / "Lease North.pdf", [rent.format("$25,000", "five") * 2])
    pdfs.text_pages(folder / "Lease South.pdf", [rent.format("$31,500", "ten") * 2])
    assert main(["add", str(folder), "--library", str(folder / "library")]) == 0


@pytest.fixture
def own_shelf(shelf: Path, tmp_path: Path) -> Path:
    return shutil.copytree(shelf, tmp_path / "shelf")


@pytest.fixture
def run(shelf: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str, library: Path = shelf) -> tuple[int, Any]:
        capsys.readouterr()
        code = main([*words, "--library", str(library), "--json"])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return call


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
