"""Where results and progress go: results to standard output, all else to standard error."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from docqa.types.progress import Progress


def write_json(value: Any) -> None:
    """JSON in an encoding that has not all letters writes them as numbers, and stays the same."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not unicode))


def write(
    options: argparse.Namespace,
    value: dict[str, Any],
    lines: Iterable[str],
    *,
    remarks: Iterable[str] = (),
) -> None:
    """The value as JSON, or the lines, with remarks on standard error."""
    if options.json:
        write_json(value)
        return
    for line in lines:
        print(line)
    for remark in remarks:
        print(remark, file=sys.stderr)


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
