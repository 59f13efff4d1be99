"""A library to measure on: kept between runs, or thrown away after one."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docqa.library.filenames import clean_name
from docqa.workspace import Workspace


@contextmanager
def library_folder(chosen: Path | None) -> Iterator[Path]:
    """The folder chosen, else a temporary one."""
    if chosen is not None:
        yield chosen
        return
    with tempfile.TemporaryDirectory(prefix="docqa-eval-") as folder:
        yield Path(folder)


def add_folder(workspace: Workspace, folder: Path) -> None:
    """Add the folder's PDFs that are not in the library yet, telling what became of each."""
    known = {document.name for document in workspace.documents()}
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf")
    for path in paths:
        if clean_name(path.name) not in known:
            (result,) = workspace.add([path])
            sys.stderr.write(f"{result.status}: {result.file} {result.error}\n")
