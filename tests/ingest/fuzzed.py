"""PDFs with something wrong in them, read as uploads are: each ends in a result or a sentence.

    python -m tests.ingest.fuzzed 2000 [--seed 0]

reads that many; the suite reads a few.
"""

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from docqa.errors import FileError
from docqa.ingest.worker import ReadingProcess
from docqa.settings import DEFAULTS
from tests import pdfs

MAKERS: tuple[Callable[[Path], Path], ...] = (
    pdfs.structured,
    pdfs.two_columns,
    pdfs.ruled_table,
    pdfs.rotated,
    pdfs.cropped,
    pdfs.encrypted,
)
OBJECT = re.compile(rb"\d+ 0 obj.*?endobj", re.DOTALL)


def mutated(content: bytes, draw: random.Random) -> bytes:
    """The file with bits flipped, its end cut off, a piece doubled, or two objects swapped."""
    return draw.choice((_flipped, _cut, _doubled, _swapped))(content, draw)


def _flipped(content: bytes, draw: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(draw.choice((1, 8, 64))):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _cut(content: bytes, draw: random.Random) -> bytes:
    return content[: draw.randrange(len(content))]


def _doubled(content: bytes, draw: random.Random) -> bytes:
    first = draw.randrange(len(content))
    last = min(len(content), first + draw.randrange(1, 2000))
    return content[:last] + content[first:]


def _swapped(content: bytes, draw: random.Random) -> bytes:
    objects = list(OBJECT.finditer(content))
    if len(objects) < 2:
        return _cut(content, draw)
    one, other = sorted(draw.sample(objects, 2), key=lambda found: found.start())
    between = content[one.end() : other.start()]
    return content[: one.start()] + other[0] + between + one[0] + content[other.end() :]


def read_mutated(process: ReadingProcess, folder: Path, *, count: int, seed: int) -> Counter[str]:
    """How many of so many mutated files ended in a result, and how many in which error."""
    draw = random.Random(seed)
    ends: Counter[str] = Counter()
    for number in range(count):
        path = draw.choice(MAKERS)(folder / f"{number % 8}.pdf")
        path.write_bytes(mutated(path.read_bytes(), draw))
        try:
            process.read(
                path,
                path.name,
                settings=DEFAULTS,
                progress=lambda done, total: None,
                cancelled=lambda: False,
            )
            ends["read"] += 1
        except FileError as error:
            told = str(error).startswith(path.name) or f" {path.name} " in str(error)
            ends[type(error).__name__ if told else "a nameless error"] += 1
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with ReadingProcess() as process, tempfile.TemporaryDirectory() as folder:
        ends = read_mutated(process, Path(folder), count=options.count, seed=options.seed)
    print(f"n={options.count}: {dict(ends.most_common())}")


if __name__ == "__main__":
    main()
