"""The whole path, from a file to the first search that finds something in it.

Beside it, what a tutorial builds: pypdf, langchain's recursive splitter (1000 characters, 100 of
overlap), sentence-transformers, Chroma. Models are loaded on both sides before the clock starts.
The tutorial's passages are cut off at the encoder's 256 tokens; its pages have no structure.
"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docqa.models.registry import MINILM, required_folder
from docqa.workspace import Workspace
from tests.benchmarks import made
from tests.benchmarks.rows import (
    Options,
    Row,
    exponent,
    give_torch_every_core,
    installed,
    missing,
    peer,
)

SECTION = "whole path"
PEER = "pypdf, langchain, sentence-transformers, chromadb"
PAGES = 160
GROWTH = (20, 40, 80)


def run(options: Options) -> Iterator[Row]:
    chosen = _chosen(options)
    turns = 1 if options.short else min(options.turns, 3)
    compared = installed("pypdf", "langchain_text_splitters")
    ours, theirs = [], []
    for turn in range(turns):
        ours.append(added(chosen, options.scratch / f"whole-{turn}"))
        if compared:
            theirs.append(tutorial(chosen, options.scratch / f"tutorial-{turn}"))
    peer_value = sorted(theirs)[turns // 2] if compared else None
    if not compared:
        yield missing(SECTION, chosen.name, PEER)
    for place, name in enumerate(("searchable by words", "complete")):
        value = sorted(times[place] for times in ours)[turns // 2]
        yield Row(SECTION, f"{chosen.name}, {name}", value, "s", turns, PEER, peer_value)
    if not options.short:
        yield from _growth(options)


def _chosen(options: Options) -> Path:
    """The longest of the files given, else one that is made."""
    if options.files:
        return max(options.files, key=lambda path: path.stat().st_size)
    pages = 6 if options.short else PAGES
    return made.filing(options.scratch / f"Made filing of {pages} pages.pdf", pages)


def _growth(options: Options) -> Iterator[Row]:
    took = []
    for pages in GROWTH:
        path = made.filing(options.scratch / f"grown-{pages}.pdf", pages, seed=pages)
        took.append(added(path, options.scratch / f"grown-{pages}")[1])
    yield Row(SECTION, "growth with pages", exponent(GROWTH, took), "exponent", len(GROWTH))


def added(path: Path, library: Path) -> tuple[float, float]:
    """Seconds until words of the file are found, and until all of it is read and embedded."""
    with Workspace(library) as workspace:
        workspace.warming.start().join()
        workspace.resources.encoder.encode(["ready"])
        ended, found = threading.Event(), [0.0]
        started = time.perf_counter()
        watcher = threading.Thread(target=_watch, args=(workspace, started, found, ended))
        watcher.start()
        [result] = workspace.add([path])
        seconds = time.perf_counter() - started
        ended.set()
        watcher.join()
    assert result.document is not None, result.error
    return found[0], seconds


def _watch(
    workspace: Workspace, started: float, found: list[float], ended: threading.Event
) -> None:
    while not workspace.resources.catalog.chunk_count():
        if ended.wait(0.02):
            break
    found[0] = time.perf_counter() - started


def tutorial(path: Path, folder: Path) -> float:
    """Seconds the tutorial's way takes until it is complete, which is when it is searchable."""
    encoder, collection = _loaded(folder)
    started = time.perf_counter()
    text = "\n".join(page.extract_text() for page in peer("pypdf").PdfReader(path).pages)
    splitters = peer("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=100)
    pieces = splitter.split_text(text)
    vectors = encoder.encode(pieces, show_progress_bar=False)
    ids = [str(number) for number in range(len(pieces))]
    collection.add(ids=ids, embeddings=vectors, documents=pieces)
    question = encoder.encode(made.QUESTION, show_progress_bar=False)
    collection.query(query_embeddings=[question], n_results=5)
    return time.perf_counter() - started


def _loaded(folder: Path) -> tuple[Any, Any]:
    import chromadb
    from chromadb.config import Settings
    from sentence_transformers import SentenceTransformer

    weights = str(required_folder(MINILM))
    encoder = SentenceTransformer(weights, device="cpu", local_files_only=True)
    give_torch_every_core()
    encoder.encode("ready", show_progress_bar=False)
    client = chromadb.PersistentClient(folder, Settings(anonymized_telemetry=False))
    return encoder, client.create_collection("tutorial", embedding_function=None)
