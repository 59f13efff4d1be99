import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from docqa.errors import LibraryUnusable
from docqa.library import vectors as vectors_room
from docqa.library.vectors import FOLDER_NAME, VectorIndex
from tests.library.nouns import document_id, unit_vectors


def open_index(folder: Path) -> VectorIndex:
    return VectorIndex(folder, encoder="tiny", dimensions=8)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[VectorIndex]:
    index = open_index(tmp_path)
    yield index
    index.close()


def fill(index: VectorIndex, name: str, count: int, *, seed: int = 0) -> list[str]:
    ids = [f"{name}:{number}" for number in range(count)]
    index.add(document_id(name), ids, unit_vectors(count, seed=seed))
    return ids


def test_search_gives_cosines_best_first(index: VectorIndex) -> None:
    vectors = np.zeros((3, 8), dtype=np.float32)
    vectors[0, 0] = vectors[1, 1] = 1.0
    vectors[2, :2] = 0.6, 0.8
    index.add(document_id("a"), ["a:0", "a:1", "a:2"], vectors)
    query = np.eye(8, dtype=np.float32)[1]
    found = index.search(query, limit=3)
    assert [chunk_id for chunk_id, _ in found] == ["a:1", "a:2", "a:0"]
    assert [score for _, score in found] == pytest.approx([1.0, 0.8, 0.0], abs=1e-6)


def test_equal_cosines_come_in_the_order_of_their_ids(index: VectorIndex) -> None:
    vectors = np.tile(np.eye(8, dtype=np.float32)[0], (4, 1))
    index.add(document_id("a"), ["d", "b", "c", "a"], vectors)
    assert [found for found, _ in index.search(vectors[0], limit=4)] == ["a", "b", "c", "d"]


def test_search_within_documents_finds_only_theirs(index: VectorIndex) -> None:
    for seed, name in enumerate("abc"):
        fill(index, name, 20, seed=seed)
    query = unit_vectors(1, seed=9)[0]
    found = index.search(query, limit=50, document_ids=[document_id("a"), document_id("c")])
    assert len(found) == 40
    assert {chunk_id[0] for chunk_id, _ in found} == {"a", "c"}
    assert index.search(query, limit=5, document_ids=["unknown"]) == []


def test_search_agrees_with_the_exact_one(index: VectorIndex) -> None:
    vectors = unit_vectors(2500)
    ids = [f"{number:05}" for number in range(2500)]
    for start in range(0, 2500, 50):
        owner = document_id(str(start))
        index.add(owner, ids[start : start + 50], vectors[start : start + 50])
    for query in unit_vectors(10, seed=1):
        cosines = vectors @ query
        assert [found for found, _ in index.search(query, limit=20)] == [
            ids[place] for place in np.argsort(-cosines)[:20]
        ]
        within = index.search(query, limit=20, document_ids=[document_id("1000")])
        best = 1000 + np.argsort(-cosines[1000:1050])[:20]
        assert [found for found, _ in within] == [ids[place] for place in best]


def test_an_empty_index_finds_nothing(index: VectorIndex) -> None:
    assert index.search(unit_vectors(1)[0], limit=5) == []
    assert index.search(unit_vectors(1)[0], limit=0) == []
    assert index.count() == 0


def test_adding_again_replaces_and_removing_removes(index: VectorIndex) -> None:
    fill(index, "a", 10)
    fill(index, "b", 3)
    fill(index, "a", 4)
    assert index.count() == 7
    index.remove(document_id("a"))
    index.remove(document_id("unknown"))
    assert index.count() == 3


def test_more_vectors_than_a_batch_are_added(index: VectorIndex) -> None:
    fill(index, "a", 2300)
    assert index.count() == 2300


def test_vectors_outlive_a_restart(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    fill(index, "a", 5)
    before = index.search(unit_vectors(1)[0], limit=5)
    index.close()
    index = open_index(tmp_path)
    assert index.search(unit_vectors(1)[0], limit=5) == before
    index.close()


def test_vectors_of_another_encoder_are_not_kept(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    fill(index, "a", 5)
    index.close()
    index = VectorIndex(tmp_path, encoder="large", dimensions=16)
    assert index.count() == 0
    index.add("a", ["a:0"], unit_vectors(1, dimensions=16))
    assert index.holds(["a:0"], unit_vectors(1, dimensions=16))
    index.close()


def graph_files(folder: Path) -> list[Path]:
    return [path for path in (folder / FOLDER_NAME).glob("*/*") if path.is_file()]


def damage(folder: Path, how: str) -> None:
    if how == "no folder":
        shutil.rmtree(folder / FOLDER_NAME)
    elif how == "no rows":
        (folder / FOLDER_NAME / "chroma.sqlite3").unlink()
    elif how == "rows of noise":
        (folder / FOLDER_NAME / "chroma.sqlite3").write_bytes(os.urandom(10_000))
    else:
        for path in graph_files(folder):
            path.unlink() if how == "no graph" else path.write_bytes(b"\xff" * 1000)


@pytest.mark.parametrize(
    "how", ["no folder", "no rows", "rows of noise", "no graph", "graph of noise"]
)
def test_a_damaged_index_is_noticed_and_rebuilt(tmp_path: Path, how: str) -> None:
    vectors = unit_vectors(1500)
    ids = [f"{number:04}" for number in range(1500)]
    index = open_index(tmp_path)
    index.add(document_id("a"), ids, vectors)
    assert index.is_consistent_with(1500)
    index.close()
    assert graph_files(tmp_path)
    damage(tmp_path, how)
    index = open_index(tmp_path)
    assert not index.is_consistent_with(1500)
    index.rebuild([(document_id("a"), ids, vectors)])
    assert index.is_consistent_with(1500)
    assert index.search(vectors[7], limit=1)[0][0] == ids[7]
    index.close()


def test_consistency_is_a_matter_of_the_count_too(index: VectorIndex) -> None:
    assert index.is_consistent_with(0)
    fill(index, "a", 3)
    assert index.is_consistent_with(3)
    assert not index.is_consistent_with(4)


def test_settings_of_the_person_do_not_reach_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("ALLOW_RESET=true\nPERSIST_DIRECTORY=elsewhere\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHROMA_API_IMPL", "nonsense")
    index = open_index(tmp_path / "library")
    fill(index, "a", 1)
    index.close()
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryUnusable):
        open_index(tmp_path / "file")


def test_every_error_of_chroma_becomes_one_of_ours(index: VectorIndex) -> None:
    from chromadb import errors

    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    chroma = [kind for kind in kinds if issubclass(kind, errors.ChromaError)]
    assert len(chroma) > 5
    for kind in [each for each in chroma if not each.__abstractmethods__]:
        with pytest.raises(LibraryUnusable), index._translated():
            raise kind("anything")


def files_with(folder: Path, vectors: NDArray[np.float32]) -> set[str]:
    """The files in which the numbers of any of the vectors stand, or almost (1 in 10^5)."""
    found = set()
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for start in range(4):
                numbers = np.frombuffer(
                    content[start : len(content) - (len(content) - start) % 4], "<f4"
                )
                found |= {path.name for vector in vectors if _stands_in(numbers, vector)}
    return found


def _stands_in(numbers: NDArray[np.float32], vector: NDArray[np.float32]) -> bool:
    with np.errstate(all="ignore"):  # most bytes are no numbers
        distance = np.abs(numbers[: -len(vector)] - vector[0])
        first = np.flatnonzero(distance < 1e-5 * abs(vector[0]))
        return any(np.allclose(numbers[at : at + len(vector)], vector, rtol=1e-4) for at in first)


@pytest.mark.parametrize("count", [1, 40, 1200])
def test_the_numbers_of_removed_vectors_are_nowhere(tmp_path: Path, count: int) -> None:
    index = VectorIndex(tmp_path, encoder="tiny", dimensions=8)
    removed, kept = unit_vectors(count, seed=1), unit_vectors(count, seed=2)
    index.add("removed", [f"removed:{place}" for place in range(count)], removed)
    index.add("kept", [f"kept:{place}" for place in range(count)], kept)
    looked_for = removed[:: max(1, count // 5)]
    assert files_with(tmp_path, looked_for)
    index.remove("removed")
    assert files_with(tmp_path, looked_for) == set()
    index.close()
    index = VectorIndex(tmp_path, encoder="tiny", dimensions=8)
    assert files_with(tmp_path, looked_for) == set()
    assert index.count() == count
    assert index.holds([f"kept:{place}" for place in range(count)], kept)
    assert not index.holds([f"kept:{place}" for place in range(count)], removed)
    index.close()


def test_after_many_removals_the_nearest_are_still_found(tmp_path: Path) -> None:
    index = VectorIndex(tmp_path, encoder="tiny", dimensions=16)
    groups = {name: unit_vectors(60, seed=name, dimensions=16) for name in range(20)}
    for name, vectors in groups.items():
        index.add(str(name), [f"{name}:{place}" for place in range(60)], vectors)
    for name in range(0, 20, 2):
        index.remove(str(name))
    left = {
        f"{name}:{place}": groups[name][place] for name in range(1, 20, 2) for place in range(60)
    }
    matrix, names, shared = np.stack(list(left.values())), list(left), 0
    queries = unit_vectors(50, seed=99, dimensions=16)
    for query in queries:
        exact = {names[place] for place in np.argsort(-(matrix @ query))[:10]}
        shared += len(exact & {found for found, _ in index.search(query, limit=10)})
    assert shared >= 0.98 * 10 * len(queries)
    index.close()


def test_an_index_of_an_earlier_docqa_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = {"hnsw": {"space": "cosine", "ef_construction": 200, "max_neighbors": 32}}
    with monkeypatch.context() as before:
        before.setattr(vectors_room, "_CONFIGURATION", earlier)
        before.setattr(vectors_room, "_SYNC_THRESHOLD", 1000)
        index = VectorIndex(tmp_path, encoder="tiny", dimensions=8)
        index.add("a", ["a:0", "a:1"], unit_vectors(2))
        index.close()
    index = VectorIndex(tmp_path, encoder="tiny", dimensions=8)
    assert not index.is_consistent_with(2)
    index.rebuild([("a", ["a:0", "a:1"], unit_vectors(2))])
    index.remove("a")
    assert files_with(tmp_path, unit_vectors(2)) == set()
    index.close()


def test_an_index_that_is_locked_for_a_moment_is_not_made_anew(tmp_path: Path) -> None:
    index = open_index(tmp_path)
    ids = fill(index, "a", 3)
    index.close()
    held = sqlite3.connect(tmp_path / FOLDER_NAME / "chroma.sqlite3", check_same_thread=False)
    held.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(7, held.rollback)  # Chroma itself waits for five seconds
    release.start()
    index = open_index(tmp_path)
    release.join()
    held.close()
    assert index.holds(ids, unit_vectors(3))
    index.close()
