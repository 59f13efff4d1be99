"""PDFs with something wrong in them, read as uploads are: each ends in a result or a sentence.

    python -m tests.ingest.fuzzed 2000 [--seed 0] [--seconds 600]

reads that many, or as many as the seconds allow, and prints how they ended; the suite reads a few.
"""

import argparse
import os
import random
import re
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from docqa.errors import FileError
from docqa.ingest.reading.children import resident_bytes
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS
from tests import hostile, pdfs

MAKERS: tuple[Callable[[Path], Path], ...] = (
    pdfs.structured,
    pdfs.two_columns,
    pdfs.ruled_table,
    pdfs.rotated,
    pdfs.cropped,
    pdfs.encrypted,
    hostile.script_and_attachment,
    hostile.markup,
)
OBJECT = re.compile(rb"\d+ 0 obj.*?endobj", re.DOTALL)
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)


def mutated(content: bytes, draw: random.Random) -> bytes:
    """The file with something wrong: bits, its end, a piece, two objects, numbers, a stream."""
    ways = (_flipped, _cut, _doubled, _swapped, _renumbered, _drawn_wrongly)
    return draw.choice(ways)(content, draw)


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


def _renumbered(content: bytes, draw: random.Random) -> bytes:
    """Digits become others: lengths, offsets, references, sizes."""
    changed = bytearray(content)
    digits = [place for place, byte in enumerate(content) if 48 <= byte < 58]
    for place in draw.sample(digits, min(len(digits), draw.randint(1, 12))):
        changed[place] = draw.choice(b"0123456789-.")
    return bytes(changed)


def _drawn_wrongly(content: bytes, draw: random.Random) -> bytes:
    """What a stream holds, unpacked where it was packed, with bytes of it changed."""
    streams = list(STREAM.finditer(content))
    if not streams:
        return _flipped(content, draw)
    found = draw.choice(streams)
    try:
        plain, packed = zlib.decompress(found[1]), True
    except zlib.error:
        plain, packed = found[1], False
    changed = _renumbered(_flipped(plain, draw), draw) if plain else b"Q" * 10_000
    again = zlib.compress(changed) if packed else changed
    return content[: found.start(1)] + again + content[found.end(1) :]


@dataclass(slots=True)
class Outcome:
    """How mutated files ended; ``wrong`` has a line for each that told nothing of use."""

    seed: int
    ends: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    longest: float = 0.0  # seconds for one file
    replaced: int = 0  # reading processes that ended and were replaced

    def __str__(self) -> str:
        memory = resident_bytes(os.getpid()) / 1e6
        lines = [
            f"{self.ends.total()} files, seed {self.seed}: {dict(self.ends.most_common())}",
            *self.wrong,
            f"{len(self.wrong)} without a sentence; the longest took {self.longest:.1f} s; "
            f"{self.replaced} reading processes replaced; this process lives, {memory:.0f} MB",
        ]
        return "\n".join(lines)


def read_mutated(
    reader: ReadingProcess, folder: Path, *, count: int, seed: int, seconds: float = inf
) -> Outcome:
    """What so many mutated files ended in, or as many of them as are read within the seconds."""
    outcome, children = Outcome(seed), set[int]()
    until = time.monotonic() + seconds
    for number in range(count):
        if time.monotonic() > until:
            break
        draw = random.Random(f"{seed} {number}")  # so that one file can be made again alone
        path = draw.choice(MAKERS)(folder / f"{number % 8}.pdf")
        path.write_bytes(mutated(path.read_bytes(), draw))
        began = time.monotonic()
        end, is_told = _end_of(reader, path)
        outcome.ends[end] += 1
        outcome.longest = max(outcome.longest, time.monotonic() - began)
        if not is_told:
            outcome.wrong.append(f"file {number}: {end}")
        children |= set(reader.pids())
    outcome.replaced = max(0, len(children) - len(reader.pids()))
    return outcome


def _end_of(reader: ReadingProcess, path: Path) -> tuple[str, bool]:
    """The end of reading a file, and whether the person is told enough about it."""
    try:
        parsed = reader.read(
            path,
            path.name,
            settings=DEFAULTS,
            progress=lambda done, total: None,
            cancelled=lambda: False,
        )
    except FileError as error:
        told = str(error).startswith(path.name) or f" {path.name} " in str(error)
        return type(error).__name__, told
    return "read" if parsed.blocks else "no text", True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=inf)
    options = parser.parse_args()
    with ReadingProcess() as reader, tempfile.TemporaryDirectory() as folder:
        outcome = read_mutated(
            reader,
            Path(folder),
            count=options.count,
            seed=options.seed,
            seconds=options.seconds,
        )
    print(outcome)
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
