"""The vector index: add, delete, reopen, beside Chroma used as its documentation shows."""

from collections.abc import Iterator
from pathlib import Path

from docqa.library.vectors import VectorIndex
from tests.benchmarks.rows import Action, Options, Row, against, medians
from tests.library.nouns import unit_vectors

SECTION = "index"
PEER = "chromadb"
DIMENSIONS = 384


def run(options: Options) -> Iterator[Row]:
    count = 200 if options.short else 5000
    vectors = unit_vectors(count, dimensions=DIMENSIONS)
    ids = [f"d:{place}" for place in range(count)]
    index = VectorIndex(options.scratch / "index", encoder="drawn", dimensions=DIMENSIONS)
    peer = _collection(options.scratch / "chroma")

    def remove() -> None:
        index.remove("d")

    adding = medians(
        {
            "docqa": lambda: index.add("d", ids, vectors),
            PEER: lambda: peer.add(ids=ids, embeddings=vectors),
        },
        turns=1,
    )
    yield from against(SECTION, f"add {count} vectors", adding, turns=1, unit="s")
    asked = unit_vectors(1, seed=9, dimensions=DIMENSIONS)
    searching: dict[str, Action] = {
        "docqa": lambda: index.search(asked[0], limit=20),
        PEER: lambda: peer.query(query_embeddings=asked, n_results=20),
    }
    turns = 5 * options.turns
    name = f"20 nearest of {count}"
    yield from against(SECTION, name, medians(searching, turns=turns), turns=turns)
    removing = medians({"docqa": remove, PEER: lambda: peer.delete(ids=ids)}, turns=1)
    yield from against(SECTION, f"delete {count} vectors", removing, turns=1, unit="s")
    index.close()
    opening = medians({"docqa": lambda: _opened(options.scratch / "index")}, turns=options.turns)
    yield from against(SECTION, "reopen", opening, turns=options.turns)


def _collection(folder: Path):  # type: ignore[no-untyped-def]
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(folder, Settings(anonymized_telemetry=False))
    return client.create_collection("peer", embedding_function=None)


def _opened(folder: Path) -> None:
    index = VectorIndex(folder, encoder="drawn", dimensions=DIMENSIONS)
    index.count()
    index.close()
