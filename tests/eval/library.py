"""A library to measure on: kept between runs, or thrown away after one."""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from docqa.library.filenames import clean_name
from docqa.workspace import Workspace
from tests.eval.sets import Set, read_set


@contextmanager
def library_folder(chosen: Path | None) -> Iterator[Path]:
    """The folder chosen, else a temporary one."""
    if chosen is not None:
        yield chosen
        return
    with tempfile.TemporaryDirectory(prefix="docqa-eval-") as folder:
        yield Path(folder)


@contextmanager
def library_of(asked: Set, libraries: Path | None) -> Iterator[Workspace]:
    """The set's library with its PDFs: kept under ``libraries``, or thrown away."""
    kept = libraries / asked.name if libraries else None
    with library_folder(kept) as folder, Workspace(folder) as workspace:
        add_folder(workspace, asked.pdfs)
        yield workspace


def each_set(description: str, *, kept: bool = False) -> Iterator[tuple[Path, Set, Workspace]]:
    """The sets that the command line names, with their folders and libraries.

    With ``kept``, it has to say where the libraries are.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument(
        "--libraries", type=Path, required=kept, help="a library for each set, used again"
    )
    options = parser.parse_args()
    for folder in options.folders:
        asked = read_set(folder)
        with library_of(asked, options.libraries) as workspace:
            yield folder, asked, workspace


def add_folder(workspace: Workspace, folder: Path) -> None:
    """Add the folder's PDFs that are not in the library yet, telling what became of each."""
    paths = [path for path in folder.iterdir() if path.suffix.lower() == ".pdf"]
    _add(workspace, paths)


def add_files(workspace: Workspace, folder: Path) -> None:
    """Add the PDFs and texts below the folder that are not in the library yet."""
    _add(workspace, [path for path in folder.rglob("*") if path.suffix.lower() in (".pdf", ".md")])


def add_texts(workspace: Workspace, texts: Iterable[tuple[str, str]]) -> None:
    """Add texts under the names of files, those that are not in the library yet."""
    known = {document.name for document in workspace.documents()}
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in texts:
            if name not in known:
                paths.append(Path(folder) / name)
                paths[-1].write_text(text, encoding="utf-8")
        for result in workspace.add(paths) if paths else ():
            if result.error:
                print(f"{result.file}: {result.error}")


def _add(workspace: Workspace, paths: list[Path]) -> None:
    known = {document.name for document in workspace.documents()}
    for path in sorted(paths):
        if clean_name(path.name) not in known:
            (result,) = workspace.add([path])
            sys.stderr.write(f"{result.status}: {result.file} {result.error}\n")
