"""Kill a process that adds, removes, re-indexes and backs up, at random moments; see what is left.

    python -m tests.benchmarks.durability --trials 200 --seed 1

Each trial starts a child that works at random and says what it begins and has finished; it is
killed (SIGKILL) at a random moment of a step that is drawn from adding, removing, indexing again
and backing up, in some trials while it still opens the library. Then the library is opened again
and must hold each document that was reported as added and not since removed, and nothing of any
other: in the catalog, the keyword index, the vectors, the PDFs, and what is kept for work under
way; a word of a removed document is in no file. Every document is cut in one way, either the old
or the new, and every passage is found. A backup that has its name is restored and compared in the
same way.
"""

import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np

from docqa.ingest.chunks.pack import chunk
from docqa.ingest.chunks.validate import validate
from docqa.library import reindex_store
from docqa.library.backup import restore_backup, write_backup
from docqa.library.files import SCRATCH, content_id
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.document import Chunk, Document
from tests.library.small import QuickEncoder, SmallWorkspace, made_pdf, word_of

OPEN = "open"  # said before the first step
STEPS = ("adding", "removing", "reindexing", "backing up")
USUAL = 0.5  # seconds a step takes, until one has been seen
STARTING = 3.0  # seconds within which it is killed where that is to be before its first step
WHILE_STARTING = 0.15  # share of trials
_WORD = re.compile(rb"w\d+x")  # as `word_of` makes them
CUTS: tuple[Settings, ...] = (DEFAULTS, adjust(DEFAULTS, chunk_chars=250, overlap_chars=0))


# The child


def work(folder: Path, seed: int, towards: str) -> None:
    """Work until killed, every other step the one named, saying each before and after."""
    draw = random.Random(seed)
    with SmallWorkspace(folder / "library", CUTS[seed % 2]) as workspace:
        workspace.resources.index.count()
        say(OPEN)
        for number in range(10**9):
            held = [document.id for document in workspace.documents()]
            step = draw.choice([*STEPS, "adding", "adding", *[towards] * len(STEPS)])
            if step == "adding" or not held:
                _add(workspace, folder, draw)
            elif step == "removing":
                _remove(workspace, draw.choice(held), at_once=draw.random() < 0.5)
            elif step == "reindexing":
                say(step)
                workspace.maintenance.reindex()
                say("reindexed")
            else:
                say(step)
                target = folder / f"{number % 2}.zip"
                target.unlink(missing_ok=True)
                write_backup(folder / "library", target)
                say("backed up")


def _add(workspace: SmallWorkspace, folder: Path, draw: random.Random) -> None:
    source = folder / "source.pdf"
    seed = draw.randrange(10**9)
    made_pdf(source, seed=seed, passages=draw.choice((1, 5, 40, 150)))
    document_id = content_id(source)
    say("adding", document_id, seed)
    [result] = workspace.add([source], names=[f"{document_id[:12]}.pdf"])
    assert result.status == "added", result.error
    say("added", document_id, seed)


def _remove(workspace: SmallWorkspace, document_id: str, *, at_once: bool) -> None:
    """Remove a document, clearing its traces away at once or while other steps go on."""
    say("removing", document_id)
    if at_once:
        workspace.remove(document_id)
    else:
        workspace.removals.withdraw(document_id)
    say("removed", document_id)


def say(step: str, document_id: str = "", seed: int = -1) -> None:
    sys.stdout.write(json.dumps([step, document_id, seed]) + "\n")
    sys.stdout.flush()


# The parent


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a number of kills led to; ``wrong`` has a line for each thing that was."""

    trials: int
    seed: int
    steps: int
    when: Counter[str]
    wrong: tuple[str, ...]
    documents: int
    backups: int

    def __str__(self) -> str:
        lines = [
            f"{self.trials} kills, seed {self.seed}, {self.steps} steps",
            f"last said before the kill: {dict(self.when.most_common())}",
            *self.wrong,
            f"{len(self.wrong)} things wrong; {self.documents} documents at the end, "
            f"{self.backups} backups restored and compared",
        ]
        return "\n".join(lines)


Said = tuple[str, str, int]  # step, document id, the number its text is made of


@dataclass(slots=True)
class Child:
    """A child's output up to now, and how long the steps of all children took."""

    output: IO[bytes]
    lasted: dict[str, list[float]]
    said: list[Said] = field(default_factory=list)
    began: float = 0.0

    def listen(self) -> bool:
        """Wait for one more line; whether it is whole."""
        line = self.output.readline().decode()
        if not line.endswith("]\n"):
            return False
        if self.said and self.said[-1][0] in STEPS:
            self.lasted.setdefault(self.said[-1][0], []).append(time.monotonic() - self.began)
        self.began = time.monotonic()
        step, document_id, seed = json.loads(line)
        self.said.append((step, document_id, seed))
        return True

    def usual(self, step: str) -> float:
        return statistics.median(self.lasted.get(step, [USUAL])[-20:])


def killed_run(
    folder: Path, seed: int, draw: random.Random, lasted: dict[str, list[float]]
) -> list[Said]:
    """What the child said until it was killed."""
    command = [sys.executable, "-m", "tests.benchmarks.durability", "--work", str(folder)]
    step = "starting" if draw.random() < WHILE_STARTING else draw.choice(STEPS)
    command += ["--seed", str(seed), "--towards", step if step in STEPS else "adding"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        child = Child(started.stdout, lasted)
        if step == "starting":
            time.sleep(draw.uniform(0, STARTING))
        else:
            for _ in range(draw.randint(1, 3)):
                while child.listen() and child.said[-1][0] != step:
                    pass
            time.sleep(draw.uniform(0, child.usual(step)))
        started.kill()
        while child.listen():
            pass
    return child.said


def expected(before: set[str], said: list[Said]) -> tuple[set[str], str]:
    """The documents that must be there, and the one of which either is right ("" for none)."""
    held, open_step = set(before), ""
    for step, document_id, _ in said:
        open_step = document_id if step in ("adding", "removing") else ""
        if step == "added":
            held.add(document_id)
        elif step == "removed":
            held.discard(document_id)
    return held, open_step


def trials(count: int, seed: int) -> Outcome:
    draw = random.Random(seed)
    when, steps, backups = Counter[str](), 0, 0
    wrong: list[str] = []
    held: set[str] = set()
    seeds: dict[str, int] = {}  # by document id
    lasted: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for trial in range(count):
            said = killed_run(folder, seed * 10_000 + trial, draw, lasted)
            held, either = expected(held, said)
            seeds |= {document_id: number for _, document_id, number in said if number >= 0}
            steps += len(said)
            when[said[-1][0] if said else "starting"] += 1
            found = list(check(folder / "library", held, either))
            held = held_now(folder / "library")
            found += check_removed(
                folder / "library", {seeds[each] for each in seeds.keys() - held}
            )
            for archive in folder.glob("*.zip"):
                found += check_backup(archive)
                backups += 1
            wrong += [f"trial {trial} after {said[-1:]}: {each}" for each in found]
    return Outcome(count, seed, steps, when, tuple(wrong), len(held), backups)


def held_now(folder: Path) -> set[str]:
    with SmallWorkspace(folder) as workspace:
        return {document.id for document in workspace.documents()}


def check_backup(archive: Path) -> Iterator[str]:
    """What is wrong with what it restores to; the archive is used up."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "restored"
        restore_backup(archive, folder)
        yield from (f"backup: {each}" for each in check(folder, held_now(folder), ""))
    archive.unlink()


def check(folder: Path, held: set[str], either: str) -> Iterator[str]:
    """What is wrong with a library, in words."""
    with SmallWorkspace(folder) as workspace:
        workspace.additions.finish()  # what was being read is taken up where it was broken off
        vectors = workspace.resources.index.count()
        documents = workspace.documents()
        kept = {document.id for document in documents}
        if kept - {either} != held - {either}:
            yield f"catalog: lost {len(held - kept)}, left over {len(kept - held)}"
        if set(workspace.resources.files.ids()) != kept or workspace.resources.catalog.unfinished():
            yield "files or journal differ from the catalog"
        if (folder / SCRATCH).exists():
            yield "something is left of what was under way"
        chunks = [chunk for each in documents for chunk in chunks_of(workspace, each)]
        if not workspace.resources.catalog.chunk_count() == vectors == len(chunks):
            yield f"{vectors} vectors for {len(chunks)} chunks"
        words = workspace.resources.catalog.keyword_search(["lease"], limit=10**6)
        if {chunk_id for chunk_id, _ in words} != {chunk.id for chunk in chunks}:
            yield "the keyword index has other passages"
        if not workspace.resources.catalog.is_sound():
            yield "the catalog is damaged"
        for document in documents:
            yield from check_document(workspace, document)
        yield from check_aside(folder, kept)


def check_removed(folder: Path, seeds: set[int]) -> Iterator[str]:
    """The files in which a word stands of a document that is no longer there."""
    words = {word_of(seed, 0)[:-1].encode() for seed in seeds}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and words.intersection(_WORD.findall(path.read_bytes())):
            yield f"{path.relative_to(folder)} holds words of a removed document"


def check_aside(folder: Path, kept: set[str]) -> Iterator[str]:
    """What was set aside may be there only of documents that are."""
    if not reindex_store.waiting(folder):
        return
    copy = folder.parent / "aside"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder / reindex_store.FOLDER_NAME, copy / "library")
    with SmallWorkspace(copy / "library") as workspace:
        if not {document.id for document in workspace.documents()} <= kept:
            yield "a removed document is still set aside"
    shutil.rmtree(copy)


def chunks_of(workspace: SmallWorkspace, document: Document) -> list[Chunk]:
    """The document's chunks as they must be, cut in the way the library records."""
    recorded = json.loads(workspace.resources.catalog.get_setting("recipe") or "{}")
    settings = next(each for each in CUTS if each.chunking.chunk_chars == recorded["chunk_chars"])
    encoder = QuickEncoder()
    made = chunk(
        document.id,
        document.name,
        document.title,
        workspace.contents.blocks(document.id),
        count_tokens=encoder.count_tokens,
        max_tokens=encoder.max_tokens,
        settings=settings,
    )
    return validate(made, settings=settings)[0]


def check_document(workspace: SmallWorkspace, document: Document) -> Iterator[str]:
    chunks = workspace.resources.catalog.document_chunks(document.id)
    vectors = QuickEncoder().encode([each.embedded_text for each in chunks])
    ids = [each.id for each in chunks]
    if not np.array_equal(workspace.resources.catalog.vectors(ids), vectors):
        yield "kept vectors differ from the texts"
    index = workspace.resources.index
    if not index.holds(ids, vectors):
        yield "the index has other vectors"
    for place in (0, len(chunks) // 2, len(chunks) - 1):
        found = index.search(vectors[place], limit=1, document_ids=[document.id])
        if not found or abs(found[0][1] - 1) > 1e-3:
            yield "a vector is not found"
    if content_id(workspace.resources.files.path(document.id)) != document.id:
        yield "a PDF differs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--towards", choices=STEPS, default="adding", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.seed, options.towards)
    outcome = trials(options.trials, options.seed)
    print(outcome)
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
