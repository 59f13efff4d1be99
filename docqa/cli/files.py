"""The files that a result can be written into: the arguments that name them, and the writing."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from docqa.present import export
from docqa.present.evidence import Pack, evidence
from docqa.types.phrases import series
from docqa.workspace import Workspace

Forms = Sequence[export.Format[Any]]


def add_files(parser: argparse.ArgumentParser, forms: Forms = ()) -> None:
    """An argument for each of the forms, and one for the evidence pack."""
    for form in forms:
        _add(parser, form.ending, f"write it as {form.label}", form.ending)
    packed = "write what it rests on, with pictures of the pages: OUT.html or OUT.docx"
    _add(parser, "evidence", packed, "html", "htm", "docx")


def _add(parser: argparse.ArgumentParser, name: str, text: str, *endings: str) -> None:
    def path_to(given: str) -> Path:
        path, names = Path(given), series([f".{each}" for each in endings], "or")
        if path.suffix and path.suffix.lower().removeprefix(".") not in endings:
            raise argparse.ArgumentTypeError(f"{path.name} has to end in {names}.")
        return path

    parser.add_argument(f"--{name}", type=path_to, metavar="OUT", help=text)


def write_files(options: argparse.Namespace, forms: Forms, record: object) -> None:
    """Write each file that was asked for, whole or not at all."""
    for form in forms:
        _write(getattr(options, form.ending), partial(form.write, record))


def write_evidence(options: argparse.Namespace, pack: Pack, workspace: Workspace) -> None:
    """The evidence pack, as Word where the file is named so, else as a web page."""
    out: Path | None = options.evidence
    ending = "docx" if out and out.suffix.lower() == ".docx" else "html"
    [form] = [each for each in export.EVIDENCE if each.ending == ending]
    _write(out, lambda: form.write(evidence(pack, workspace.contents.page_cutout)))


def _write(path: Path | None, content: Callable[[], bytes]) -> None:
    if path is not None:
        path.write_bytes(content())
        print(f"Written: {path}", file=sys.stderr)
