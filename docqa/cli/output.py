"""Where results and progress go: results to standard output, all else to standard error."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from docqa.present import export
from docqa.present.evidence import Pack, evidence
from docqa.types.progress import Progress
from docqa.workspace import Workspace

EVIDENCE = ("html", "htm", "docx")  # what an evidence pack's file may be named


def write_json(value: Any) -> None:
    """JSON in an encoding that has not all letters writes them as numbers, and stays the same."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not unicode))


def write(
    options: argparse.Namespace, value: dict[str, Any], text: str, warnings: Sequence[str]
) -> None:
    if options.json:
        write_json(value)
        return
    print(text)
    for warning in warnings:
        print(f"Note: {warning}", file=sys.stderr)


def print_progress() -> Callable[[Progress], None]:
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if progress.stage in ("reading", "OCR", "embedding") and time.monotonic() - last > 2:
            last = time.monotonic()
            line = f"{progress.file}: {progress.stage} {progress.done}/{progress.total}"
            print(line, file=sys.stderr)

    return report


def print_count(what: str) -> Callable[[int, int], None]:
    last = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > 2:
            last = time.monotonic()
            print(f"{done} of {total} {what}", file=sys.stderr)

    return report


def write_evidence(out: Path | None, pack: Pack, workspace: Workspace) -> None:
    """The evidence pack, as Word where the file is named so, else as a web page."""
    ending = "docx" if out and out.suffix.lower() == ".docx" else "html"
    [form] = [each for each in export.EVIDENCE if each.ending == ending]
    write_file(out, lambda: form.write(evidence(pack, workspace.contents.page_cutout)))


def write_file(path: Path | None, content: Callable[[], bytes]) -> None:
    """Write a file that was asked for, and say so."""
    if path is not None:
        path.write_bytes(content())
        print(f"Written: {path}", file=sys.stderr)
