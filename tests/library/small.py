"""A workspace whose reader and encoder are quick, so that its stores can be worked hard.

Everything else is real: preflight, chunking, checks, catalog, index, files, lock.
"""

import atexit
import re
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS, Settings
from docqa.types.document import Block, Box, PageHealth
from docqa.workspace import Workspace
from tests import pdfs

HERE = Box(72.0, 72.0, 540.0, 90.0)
_SEED = re.compile(rb"%seed (\d+) (\d+)")


def made_pdf(path: Path, *, seed: int, passages: int) -> Path:
    """A file of one page that pdfium opens; the reader here makes ``passages`` paragraphs of it."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<>>>>"
    catalog, tree = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    body = pdfs.assemble([catalog, tree, page])
    path.write_bytes(body + b"%%seed %d %d\n" % (seed, passages) + b"%" + b"x" * (seed % 90_000))
    return path


def texts_of(seed: int, passages: int) -> list[str]:
    """What stands in such a file: each paragraph is found by a word of its own, `word_of`."""
    return [
        f"Clause {word_of(seed, place)} of the lease: the rent is ${seed % 900},{place:03} a year. "
        f"{'It is due on the first day of every month. ' * (place % 3)}".strip()
        for place in range(passages)
    ]


def word_of(seed: int, place: int) -> str:
    return f"w{seed}x{place}"


class QuickReader(ReadingProcess):
    """Reads what `made_pdf` wrote, in this process."""

    def read(
        self,
        path: Path,
        name: str,
        *,
        settings: Settings,
        password: str | None = None,
        facts: Sequence[PageFacts] = (),
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> Parsed:
        found = _SEED.search(path.read_bytes())
        assert found is not None
        texts = texts_of(int(found[1]), int(found[2]))
        blocks = [Block(text, 1, HERE, index=place) for place, text in enumerate(texts)]
        health = PageHealth(1, "", 612.0, 792.0, sum(map(len, texts)), "text layer")
        progress(1, 1)
        return Parsed(f"Lease {found[1].decode()}", tuple(blocks), (health,), "quick", ())


class QuickEncoder:
    """Vectors that follow from the words: alike for texts that share many."""

    name = "quick"
    dimensions = 32
    max_tokens = 256

    def encode(
        self, texts: Sequence[str], *, progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.float32]:
        vectors = np.stack([self._vector(text) for text in texts])
        if progress:
            progress(len(texts), len(texts))
        return vectors

    def encode_now(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.encode(texts)

    def encode_query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def _vector(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(self.dimensions)
        for word in set(text.lower().split()):
            total += _direction(word, self.dimensions)
        unit: NDArray[np.float64] = total / np.linalg.norm(total)
        return unit.astype(np.float32)


@cache
def _direction(word: str, dimensions: int) -> NDArray[np.float64]:
    return np.random.default_rng(zlib.crc32(word.encode())).normal(size=dimensions)


@cache
def quick_reader() -> QuickReader:
    """One for all small workspaces, which starts a process; it ends with the tests."""
    reader = QuickReader()
    atexit.register(reader.close)
    return reader


class SmallWorkspace(Workspace):
    """With the quick reader and encoder."""

    def __init__(self, library: Path, settings: Settings = DEFAULTS) -> None:
        super().__init__(library, settings, reader=quick_reader(), load=lambda name: QuickEncoder())
