"""A library of 300 documents and 100,000 passages beside one of 30 and 10,000.

    python -m tests.benchmarks.load --folder FOLDER

Makes the two in FOLDER where they are not there yet (words as in `tests.benchmarks.catalog`,
vectors drawn at random), then measures both in turn, each time in a process of its own: opening
until the first search has been answered, later searches, memory, adding one more document,
removing it. The figures of the large library are given as multiples of the small one's.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.ingest.reading.children import resident_bytes
from docqa.models.load import BUNDLED
from docqa.types.document import Block, Chunk, Document, PageHealth
from docqa.workspace import Workspace
from tests import pdfs
from tests.benchmarks.catalog import HERE, Words
from tests.library.nouns import unit_vectors

SIZES = (30, 300)  # documents
CHUNKS = 334  # of each document
DIMENSIONS = 384
SEED = 1  # of the words that documents are made of


def library(folder: Path, documents: int, *, seed: int = SEED) -> Path:
    """A library of so many documents in ``folder``, made where it is not there yet."""
    made = folder / f"{documents} documents"
    if not made.exists():
        _make(made, documents, seed)
    return made


def _make(folder: Path, documents: int, seed: int) -> None:
    words = Words(seed)
    with Workspace(folder) as workspace:
        workspace.resources.catalog.set_setting("encoder", BUNDLED)
        for number in range(documents):
            _put(workspace, number, words)


def _put(workspace: Workspace, number: int, words: Words) -> None:
    source = workspace.folder / "source.tmp"
    source.write_bytes(f"%PDF-1.7 stands for a filing, {number}".encode())
    path = workspace.resources.files.put(source)
    source.unlink()
    chunks = [_chunk(path.stem, place, words) for place in range(CHUNKS)]
    vectors = _vectors(number)
    workspace.resources.index.add(path.stem, [chunk.id for chunk in chunks], vectors)
    workspace.resources.catalog.save(
        Document(path.stem, f"Filing {number:03}.pdf", CHUNKS // 4 + 1, chunk_count=CHUNKS),
        blocks=[block for chunk in chunks for block in chunk.blocks],
        chunks=chunks,
        vectors=vectors,
        health=[
            PageHealth(page + 1, "", 612, 792, 3000, "text layer")
            for page in range(CHUNKS // 4 + 1)
        ],
        discards=[],
    )
    workspace.resources.catalog.tables(path.stem)  # made and kept, as when a document is added


def _chunk(owner: str, place: int, words: Words) -> Chunk:
    blocks = [Block(words.text(125), 1 + place // 4, HERE, index=row) for row in range(8)]
    context = "Report of a company, fiscal year 2024"
    return Chunk(f"{owner}:{place}", owner, place, tuple(blocks), ("Item 7",), context)


def _vectors(number: int) -> NDArray[np.float32]:
    """Around one direction for each document, as the passages of one filing are."""
    middle = unit_vectors(1, seed=number, dimensions=DIMENSIONS)
    around = middle + 0.8 * unit_vectors(CHUNKS, seed=10_000 + number, dimensions=DIMENSIONS)
    vectors: NDArray[np.float32] = around / np.linalg.norm(around, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def measure(folder: Path, searches: int, seed: int) -> dict[str, float]:
    """Run in a process of its own: what it costs to open, search, add and remove."""
    words = Words(seed)
    questions = [" ".join(words.question(5)) for _ in range(searches + 1)]
    started = time.perf_counter()
    with Workspace(folder) as workspace:
        workspace.search(questions.pop())
        opened = time.perf_counter() - started
        took = []
        for question in questions:
            begun = time.perf_counter()
            workspace.search(question)
            took.append(time.perf_counter() - begun)
        memory = resident_bytes(os.getpid())
        adding, removing = _one_more(workspace, seed)
    return {
        "start and first search, s": opened,
        "search, median, s": statistics.median(took),
        "search, 95th of 100, s": sorted(took)[int(0.95 * len(took))],
        "memory after searching, MB": memory / 1e6,
        "adding one document, s": adding,
        "removing it, s": removing,
    }


def _one_more(workspace: Workspace, seed: int) -> tuple[float, float]:
    workspace.resources.reader.start()
    dice = random.Random(seed)
    texts = [
        f"Clause {dice.randrange(10**9)}. The rent is ${n},500 a month. " * 12 for n in range(20)
    ]
    with tempfile.TemporaryDirectory() as scratch:
        path = pdfs.text_pages(Path(scratch) / "One more.pdf", texts)
        begun = time.perf_counter()
        [result] = workspace.add([path])
        adding = time.perf_counter() - begun
    assert result.document is not None, result.error
    begun = time.perf_counter()
    workspace.remove(result.document.id)
    return adding, time.perf_counter() - begun


def measured_apart(folder: Path, *, searches: int, seed: int) -> dict[str, float]:
    """`measure` in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.load", "--measure", str(folder)]
    command += ["--searches", str(searches), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("ci-output/load"))
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--searches", type=int, default=60)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure, options.searches, options.seed)))
        return
    folders = [library(options.folder, size, seed=options.seed) for size in SIZES]
    runs = [
        [measured_apart(folder, searches=options.searches, seed=options.seed) for folder in folders]
        for turn in range(options.turns)
    ]
    print(f"{SIZES[0]} and {SIZES[1]} documents of {CHUNKS} passages; median of {options.turns}")
    for name in runs[0][0]:
        small, large = (statistics.median(run[which][name] for run in runs) for which in (0, 1))
        print(f"{name:28} {small:9.3f} {large:9.3f}   x {large / small:5.2f}")


if __name__ == "__main__":
    main()
