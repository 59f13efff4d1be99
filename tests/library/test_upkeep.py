from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from docqa.library.catalog import Catalog
from docqa.library.files import FileStore, content_id
from docqa.library.upkeep import clear_away, reconcile
from docqa.library.vectors import WRITING_NAME, VectorIndex
from docqa.types.document import Block, Chunk, Document
from tests.library.nouns import HERE, unit_vectors


@dataclass
class Library:
    """The three stores together, and the steps of adding to them."""

    folder: Path

    def __post_init__(self) -> None:
        self.catalog = Catalog(self.folder)
        self.index = VectorIndex(self.folder, encoder="tiny", dimensions=8)
        self.files = FileStore(self.folder)

    def close(self) -> None:
        self.catalog.close()
        self.index.close()

    def add(self, name: str, *, steps: int = 4) -> str:
        """Add a document of three chunks, or break off after some of the four steps."""
        source = self.folder / name
        source.write_text(name)
        owner = content_id(source)
        chunks = [
            Chunk(f"{owner}:{place}", owner, place, (Block(f"{name} {place}", 1, HERE),))
            for place in range(3)
        ]
        vectors = unit_vectors(3, seed=len(name))
        document = Document(owner, name, 1)
        sequence: list[Callable[[], object]] = [
            lambda: self.catalog.begin(owner),
            lambda: self.files.put(source),
            lambda: self.index.add(owner, [chunk.id for chunk in chunks], vectors),
            lambda: self.catalog.save(
                document,
                blocks=[],
                chunks=chunks,
                vectors=vectors,
                health=[],
                discards=[],
            ),
        ]
        for step in sequence[:steps]:
            step()
        return owner

    def remove(self, owner: str, *, steps: int = 2) -> None:
        """Remove a document, or break off before or after its traces are cleared away."""
        if steps > 0:
            self.catalog.remove(owner)
        if steps > 1:
            clear_away(self.catalog, self.index, self.files)

    def reconcile(self) -> list[tuple[int, int]]:
        """What is told of rebuilding the index comes back: passages done, and of how many."""
        told: list[tuple[int, int]] = []
        reconcile(
            self.catalog,
            self.index,
            self.files,
            progress=lambda done, total: told.append((done, total)),
        )
        return told

    def check(self, *owners: str) -> None:
        assert [document.id for document in self.catalog.documents()] == list(owners)
        assert self.files.ids() == sorted(owners)
        assert self.catalog.unfinished() == []
        assert self.index.count() == self.catalog.chunk_count() == 3 * len(owners)
        for _, ids, vectors in self.catalog.all_vectors():
            for chunk_id, vector in zip(ids, vectors, strict=True):
                found = self.index.search(vector, limit=1, document_ids=[chunk_id.split(":")[0]])
                assert found[0][0] == chunk_id


def holding(folder: Path) -> list[str]:
    """The files with the marked word in them."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if b"zanzibarquux" in path.read_bytes()]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(tmp_path)
    yield library
    library.close()


@pytest.mark.parametrize("steps", range(5))
def test_an_adding_that_broke_off_is_undone_or_complete(library: Library, steps: int) -> None:
    kept = library.add("kept.pdf")
    added = library.add("other.pdf", steps=steps)
    library.reconcile()
    library.check(*([kept, added] if steps == 4 else [kept]))


REMOVING: list[Callable[[Library, str], object]] = [
    lambda library, owner: library.catalog.remove(owner),
    lambda library, owner: library.index.remove(owner),
    lambda library, owner: library.files.remove(owner),
    lambda library, owner: library.catalog.purge(),
    lambda library, owner: library.catalog.abandon(owner),
]


@pytest.mark.parametrize("steps", range(6))
def test_a_removal_that_broke_off_is_completed(library: Library, steps: int) -> None:
    kept, removed = library.add("kept.pdf"), library.add("zanzibarquux.pdf")
    (library.folder / "zanzibarquux.pdf").unlink()  # the person's own copy
    for step in REMOVING[:steps]:
        step(library, removed)
    library.reconcile()
    library.check(*([kept] if steps else [kept, removed]))
    assert bool(holding(library.folder)) == (not steps)


def test_indexing_again_that_broke_off_goes_back_to_what_was_saved(library: Library) -> None:
    owner = library.add("again.pdf")
    library.catalog.begin(owner)
    library.index.add(owner, [f"{owner}:0", "new:1", "new:2"], np.eye(8, dtype=np.float32)[:3])
    library.reconcile()
    library.check(owner)


def test_nothing_of_a_removed_document_is_left_in_any_file(library: Library) -> None:
    library.add("kept.pdf")
    removed = library.add("zanzibarquux.pdf")
    (library.folder / "zanzibarquux.pdf").unlink()
    assert holding(library.folder)
    library.remove(removed)
    assert holding(library.folder) == []


def test_what_is_added_again_meanwhile_is_not_cleared_away(library: Library) -> None:
    kept, removed = library.add("kept.pdf"), library.add("again.pdf")
    library.remove(removed, steps=1)
    assert library.add("again.pdf") == removed
    clear_away(library.catalog, library.index, library.files)
    library.check(kept, removed)


def test_a_document_that_has_no_vectors_yet_is_no_reason_to_build_the_index_anew(
    library: Library,
) -> None:
    library.add("kept.pdf")
    draft = Document("d" * 64, "draft.pdf", 1, state="text")
    chunk = Chunk(f"{draft.id}:text0", draft.id, 0, (Block("words", 1, HERE),))
    library.catalog.save(draft, blocks=[], chunks=[chunk], vectors=None, health=[], discards=[])
    told = library.reconcile()
    assert told == []
    assert library.index.count() == 3


def test_a_lost_index_is_rebuilt(library: Library) -> None:
    owners = [library.add("one.pdf"), library.add("two of them.pdf")]
    library.index.remove(owners[0])
    library.reconcile()
    library.check(*owners)


def test_a_document_whose_pdf_is_lost_keeps_its_text(library: Library) -> None:
    owner = library.add("lost.pdf")
    library.files.remove(owner)
    library.reconcile()
    assert library.index.count() == 3
    assert len(library.catalog.document_chunks(owner)) == 3


def test_many_that_were_under_way_are_put_in_by_one_rebuilding(library: Library) -> None:
    owners = [library.add(f"{'long ' * number}name.pdf") for number in range(7)]
    for owner in owners:
        library.catalog.begin(owner)
    library.index.rebuild([])
    told = library.reconcile()
    library.check(*owners)
    assert told == [(3 * done, 21) for done in range(1, 8)]


@pytest.mark.parametrize("name", ["index_metadata.pickle", "header.bin", "data_level0.bin"])
def test_a_file_of_the_index_that_was_half_written_is_no_obstacle(
    tmp_path: Path, name: str
) -> None:
    library = Library(tmp_path)
    owners = [library.add(f"{'long ' * number}name.pdf") for number in range(3)]
    library.catalog.begin(owners[0])
    library.close()
    for path in (tmp_path / "vectors").rglob(name):
        path.write_bytes(b"")
    (tmp_path / WRITING_NAME).touch()  # it was being written when the process ended
    library = Library(tmp_path)
    assert library.index.count() == 0
    library.reconcile()
    library.check(*owners)
    library.close()


def test_a_change_of_the_index_is_marked_while_it_lasts(library: Library) -> None:
    mark = library.folder / WRITING_NAME
    seen: list[bool] = []
    library.add("a.pdf")
    assert not mark.exists()
    library.index.rebuild(
        library.catalog.all_vectors(), progress=lambda done, total: seen.append(mark.exists())
    )
    assert seen == [True]
    assert not mark.exists()
