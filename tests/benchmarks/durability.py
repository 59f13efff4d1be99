"""Kill a process that adds and removes documents, at random moments, and see what is left.

    python -m tests.benchmarks.durability --trials 40 --seed 1

Each trial starts a child that adds and removes at random and says what it has finished; it is
killed (SIGKILL) after a random time. Then the library is opened and brought in line, and must
hold each document that was reported as added and not since removed, and nothing of any other:
in the catalog, the keyword index, the vectors, and the folder of PDFs.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.library.catalog import Catalog
from docqa.library.files import FileStore, content_id
from docqa.library.lock import LibraryLock
from docqa.library.upkeep import bring_in_line
from docqa.library.vectors import VectorIndex
from docqa.types import Block, Box, Chunk, Document

DIMENSIONS = 32
HERE = Box(72.0, 72.0, 540.0, 90.0)
LONGEST = 4.0  # seconds before the child is killed, at most


class Library:
    def __init__(self, folder: Path) -> None:
        self.lock = LibraryLock(folder)
        self.catalog = Catalog(folder)
        self.index = VectorIndex(folder, encoder="tiny", dimensions=DIMENSIONS)
        self.files = FileStore(folder)

    def close(self) -> None:
        for each in (self.index, self.catalog, self.lock):
            each.close()


def vectors_of(document_id: str, count: int) -> NDArray[np.float32]:
    draw = np.random.default_rng(int(document_id[:8], 16))
    vectors = draw.normal(size=(count, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def chunks_of(document_id: str) -> list[Chunk]:
    """Between 1 and 200 chunks, the same ones for the same id."""
    return [
        Chunk(
            f"{document_id}:{place}",
            document_id,
            place,
            (Block(f"w{document_id[:12]} passage {place} " * 8, 1, HERE),),
        )
        for place in range(1 + int(document_id[:6], 16) % 200)
    ]


def add(library: Library, source: Path) -> str:
    document_id = content_id(source)
    chunks = chunks_of(document_id)
    vectors = vectors_of(document_id, len(chunks))
    library.catalog.begin(document_id)
    library.files.put(source)
    library.index.add(document_id, [chunk.id for chunk in chunks], vectors)
    library.catalog.save(
        Document(document_id, source.name, 1, chunk_count=len(chunks)),
        blocks=[block for chunk in chunks for block in chunk.blocks],
        chunks=chunks,
        vectors=vectors,
        health=[],
        discards=[],
    )
    return document_id


def remove(library: Library, document_id: str) -> None:
    library.catalog.remove(document_id)
    library.index.remove(document_id)
    library.files.remove(document_id)
    library.catalog.abandon(document_id)


def work(folder: Path, seed: int) -> None:
    """The child: adds and removes until it is killed, saying each step before and after."""
    library = Library(folder)
    draw = random.Random(seed)
    for number in range(10**9):
        held = [document.id for document in library.catalog.documents()]
        if held and draw.random() < 0.35:
            document_id = draw.choice(held)
            say("removing", document_id)
            remove(library, document_id)
            say("removed", document_id)
        else:
            source = folder.parent / "source.pdf"
            source.write_bytes(f"{seed} {number}".encode() * draw.randint(1, 200_000))
            say("adding", content_id(source))
            say("added", add(library, source))


def say(step: str, document_id: str) -> None:
    sys.stdout.write(json.dumps([step, document_id]) + "\n")
    sys.stdout.flush()


def killed_run(folder: Path, seed: int, seconds: float) -> list[tuple[str, str]]:
    """What the child said until it was killed."""
    command = [sys.executable, "-m", "tests.benchmarks.durability", "--work", str(folder)]
    with subprocess.Popen([*command, "--seed", str(seed)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        first = child.stdout.readline()  # it has opened the library and begun
        time.sleep(seconds)
        child.kill()
        rest = child.stdout.read()
    lines = (first + rest).decode().splitlines()
    return [(step, document_id) for step, document_id in map(json.loads, filter(_whole, lines))]


def _whole(line: str) -> bool:
    return line.endswith("]")


def expected(before: set[str], said: list[tuple[str, str]]) -> tuple[set[str], str]:
    """The documents that must be there, and the one of which either is right ("" for none)."""
    held, open_step = set(before), ""
    for step, document_id in said:
        open_step = document_id if step in ("adding", "removing") else ""
        if step == "added":
            held.add(document_id)
        elif step == "removed":
            held.discard(document_id)
    return held, open_step


def check(library: Library, held: set[str], either: str) -> list[str]:
    """What is wrong with the library, in words."""
    wrong = []
    kept = {document.id for document in library.catalog.documents()}
    if kept - {either} != held - {either}:
        wrong.append(f"catalog: lost {len(held - kept)}, left over {len(kept - held)}")
    if set(library.files.ids()) != kept:
        wrong.append("files differ from the catalog")
    chunks = {chunk.id for each in kept for chunk in chunks_of(each)}
    if not library.catalog.chunk_count() == library.index.count() == len(chunks):
        wrong.append(f"{library.index.count()} vectors for {len(chunks)} chunks")
    for each in kept:
        wrong += check_document(library, each)
    words = {chunk_id for chunk_id, _ in library.catalog.keyword_search(["passage"], limit=10**6)}
    if words != chunks or not library.catalog.is_sound():
        wrong.append("the catalog or its keyword index is damaged")
    return wrong


def check_document(library: Library, document_id: str) -> list[str]:
    chunks = chunks_of(document_id)
    wrong = []
    if library.catalog.document_chunks(document_id) != chunks:
        wrong.append("chunks differ")
    vectors = vectors_of(document_id, len(chunks))
    if not np.array_equal(library.catalog.vectors([chunk.id for chunk in chunks]), vectors):
        wrong.append("kept vectors differ")
    for place in (0, len(chunks) // 2, len(chunks) - 1):
        found = library.index.search(vectors[place], limit=1, document_ids=[document_id])
        if not found or found[0][0] != chunks[place].id:
            wrong.append("a vector is not found")
    if content_id(library.files.path(document_id)) != document_id:
        wrong.append("a PDF differs")
    return wrong


def trials(count: int, seed: int) -> int:
    draw = random.Random(seed)
    failures, when, steps = 0, Counter[str](), 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "library"
        held: set[str] = set()
        for trial in range(count):
            said = killed_run(folder, seed * 10_000 + trial, draw.uniform(0, LONGEST))
            held, either = expected(held, said)
            steps += len(said)
            when[said[-1][0] if said else "starting"] += 1
            library = Library(folder)
            bring_in_line(library.catalog, library.index, library.files)
            wrong = check(library, held, either)
            held = {document.id for document in library.catalog.documents()}
            library.close()
            failures += bool(wrong)
            for each in wrong:
                print(f"trial {trial}: {each}")
    print(f"{count} kills, seed {seed}, {steps} steps; killed while or after: {dict(when)};")
    print(f"{failures} libraries wrong, {len(held)} documents at the end")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.seed)
    return 1 if trials(options.trials, options.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
