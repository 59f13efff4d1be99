"""Whether every PDF in a folder ends in a result or in a sentence.

    python -m tests.eval.every_pdf FOLDER [--ocr]

reads each in the reading process as the app does, and with --ocr the pages that wait for it too.
A line for each file that was refused or has pages with remarks, then the counts.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from docqa.errors import FileError
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS


def _never() -> bool:
    return False


def _untold(done: int, total: int) -> None:
    """Nobody follows the progress here."""


def outcome(process: ReadingProcess, path: Path, *, ocr: bool) -> tuple[str, str]:
    """What became of one file: "read" or "refused", and what is to be said of it."""
    try:
        parsed = process.read(
            path, path.name, settings=DEFAULTS, progress=_untold, cancelled=_never
        )
        waiting = [page.page for page in parsed.health if page.waiting]
        for page in waiting if ocr else ():
            process.read_page(path, path.name, page, settings=DEFAULTS, cancelled=_never)
    except FileError as error:
        return "refused", str(error)
    told = [*parsed.warnings[:2], f"{len(waiting)} pages wait for OCR" if waiting else ""]
    return "read", " ".join(filter(None, told))


def run(folder: Path, *, ocr: bool = False, say: Callable[[str], None] = print) -> Counter[str]:
    """The outcome of every PDF under the folder, counted; anything else raised is a fault."""
    counts: Counter[str] = Counter()
    with ReadingProcess() as process:
        for path in sorted(folder.rglob("*.pdf")):
            started = time.perf_counter()
            ended, told = outcome(process, path, ocr=ocr)
            counts[ended] += 1
            counts["with a remark"] += ended == "read" and bool(told)
            if told:
                say(f"{path.name} ({time.perf_counter() - started:.1f} s): {ended}. {told}")
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ocr", action="store_true")
    options = parser.parse_args()
    counts = run(options.folder, ocr=options.ocr)
    print(f"n={counts['read'] + counts['refused']}: {dict(counts)}")


if __name__ == "__main__":
    main()
