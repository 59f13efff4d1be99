"""How the catalog holds up as it grows: python -m tests.benchmarks.catalog --chunks 100000

Words are drawn as in a language (Zipf), chunks are about 1000 characters, documents 500 chunks.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from docqa.library.catalog import Catalog
from docqa.types.document import Block, Box, Chunk, Document, PageHealth

CHUNKS_OF_DOCUMENT = 500
VOCABULARY = 30_000
HERE = Box(72.0240020751953, 90.5120010375977, 540.0239868164062, 102.2519989013672)


class Words:
    """Made-up words, common ones often."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = [self._word() for _ in range(VOCABULARY)]
        weights = 1.0 / np.arange(1, VOCABULARY + 1)
        self._cumulative = np.cumsum(weights / weights.sum())
        self._draw = np.random.default_rng(seed)

    def _word(self) -> str:
        return "".join(self._random.choices("etaoinshrdlucmfwyp", k=self._random.randint(3, 10)))

    def text(self, characters: int) -> str:
        places = np.searchsorted(self._cumulative, self._draw.random(characters // 6))
        return " ".join(self._words[min(place, VOCABULARY - 1)] for place in places)[:characters]

    def question(self, count: int) -> list[str]:
        """Words as a question has them once stop words are gone: neither common nor unique."""
        return [self._words[self._random.randint(60, 3000)] for _ in range(count)]


def chunks_of(document_id: str, words: Words) -> list[Chunk]:
    return [
        Chunk(
            f"{document_id}:{index}",
            document_id,
            index,
            tuple(Block(words.text(125), 1 + index // 4, HERE, index=place) for place in range(8)),
            headings=("Item 7", "Liquidity"),
            context="Report of a company, fiscal year 2024, page 12",
        )
        for index in range(CHUNKS_OF_DOCUMENT)
    ]


def fill(catalog: Catalog, count: int, words: Words) -> list[str]:
    ids = [f"{number:064x}" for number in range(count // CHUNKS_OF_DOCUMENT)]
    draw = np.random.default_rng(0)
    for document_id in ids:
        chunks = chunks_of(document_id, words)
        catalog.save(
            Document(document_id, f"{document_id[-4:]}.pdf", 125),
            blocks=[block for chunk in chunks for block in chunk.blocks],
            chunks=chunks,
            vectors=draw.normal(size=(len(chunks), 384)).astype(np.float32),
            health=[PageHealth(page, "", 612, 792, 3000, "text layer") for page in range(1, 126)],
            discards=[],
        )
    return ids


def milliseconds(action: Callable[[], object], times: int) -> str:
    took, worked = [], []
    for _ in range(times):
        started, working = time.perf_counter(), time.process_time()
        action()
        worked.append((time.process_time() - working) * 1000)
        took.append((time.perf_counter() - started) * 1000)
    longest = sorted(took)[int(0.95 * len(took))]
    return (
        f"median {statistics.median(took):7.1f} ms, 95th {longest:7.1f} ms, "
        f"processor median {statistics.median(worked):7.1f} ms (n={times})"
    )


def measure(catalog: Catalog, ids: list[str], words: Words, times: int) -> None:
    draw = random.Random(1)

    def within(count: int) -> object:
        chosen = draw.sample(ids, min(count, len(ids)))
        return catalog.keyword_search(words.question(5), limit=20, document_ids=chosen)

    def forty() -> object:
        wanted = [f"{draw.choice(ids)}:{draw.randrange(CHUNKS_OF_DOCUMENT)}" for _ in range(40)]
        return catalog.chunks(wanted), catalog.vectors(wanted)

    report = [
        ("keywords, whole library", lambda: catalog.keyword_search(words.question(5), limit=20)),
        ("keywords in 1 document", lambda: within(1)),
        ("keywords in 3 documents", lambda: within(3)),
        ("keywords in 30 documents", lambda: within(30)),
        ("40 chunks and their vectors", forty),
        ("blocks of a page", lambda: catalog.blocks(draw.choice(ids), 7)),
        ("list of documents", catalog.documents),
        ("number of chunks", catalog.chunk_count),
    ]
    for name, action in report:
        print(f"{name:30} {milliseconds(action, times)}")
    for document_id in ids[:3]:
        started = time.perf_counter()
        catalog.remove(document_id)
        print(f"{'remove a document':30} {time.perf_counter() - started:6.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    words = Words(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        catalog = Catalog(Path(folder))
        started = time.perf_counter()
        ids = fill(catalog, options.chunks, words)
        seconds = time.perf_counter() - started
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        print(f"{options.chunks} chunks, seed {options.seed}: saved in {seconds:.1f} s,", end=" ")
        print(f"{size / 1e6:.0f} MB on disk")
        measure(catalog, ids, words, options.times)
        catalog.close()


if __name__ == "__main__":
    main()
