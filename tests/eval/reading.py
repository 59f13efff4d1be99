"""Documents read for a measurement, and kept until the file or the code of reading changes."""

import hashlib
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import docqa
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS
from docqa.types.document import Block, Document

PACKAGE = Path(docqa.__file__).parent
SOURCES = ("ingest/geometry", "ingest/reading", "types/document.py")  # what blocks come of


@dataclass(frozen=True, slots=True)
class Read:
    """A document with the blocks that were read of it."""

    document: Document
    blocks: tuple[Block, ...]


def found(folders: Iterable[Path], names: Iterable[str]) -> dict[str, Path]:
    """The files of those names under the folders; the samples are looked among too."""
    wanted = set(names)
    everywhere = (path for root in (*folders, PACKAGE / "samples") for path in root.rglob("*.*"))
    return {path.name: path for path in everywhere if path.name in wanted}


def each_read(paths: Iterable[Path], kept: Path) -> Iterator[Read]:
    """The files as the app reads them, from ``kept`` where they are there already."""
    kept.mkdir(parents=True, exist_ok=True)
    with ReadingProcess() as process:
        for path in paths:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            file = kept / f"{content[:16]}-{_reading()[:16]}.pickle"
            if not file.exists():
                file.write_bytes(pickle.dumps(_parsed(process, path)))
            parsed: Parsed = pickle.loads(file.read_bytes())
            named = Document(content, path.name, len(parsed.health), title=parsed.title)
            yield Read(named, parsed.blocks)


def _parsed(process: ReadingProcess, path: Path) -> Parsed:
    return process.read(
        path,
        path.name,
        settings=DEFAULTS,
        progress=lambda done, total: None,
        cancelled=lambda: False,
    )


@cache
def _reading() -> str:
    """A hash of the code that blocks come of."""
    roots = [PACKAGE / source for source in SOURCES]
    files = [path for root in roots for path in (root, *sorted(root.rglob("*.py")))]
    whole = b"".join(path.read_bytes() for path in files if path.is_file())
    return hashlib.sha256(whole).hexdigest()
