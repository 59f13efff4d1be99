"""What re-indexing has set aside keeps nothing of documents that are deleted."""

from pathlib import Path

from docqa.library import reindex_store
from docqa.library.catalog import CATALOG_NAME
from tests.library.nouns import document_id, save

SECRET = b"zanzibarquux"


def half_forgotten(folder: Path) -> None:
    """Of two documents set aside one was taken out, but for its words in the keyword index."""
    with reindex_store.opened(folder, recipe="r") as done:
        save(done, "a.pdf", [f"the {SECRET.decode()} clause"])
        save(done, "b.pdf", ["other words"])
        done.remove(document_id("a.pdf"))


def holding(folder: Path) -> list[str]:
    return [p.name for p in folder.rglob("*") if p.is_file() and SECRET in p.read_bytes()]


def test_forgetting_that_was_broken_off_is_finished(tmp_path: Path) -> None:
    half_forgotten(tmp_path)
    assert holding(tmp_path)
    reindex_store.finish_forgetting(tmp_path)
    assert holding(tmp_path) == []
    with reindex_store.opened(tmp_path, recipe="r") as done:
        assert [each.name for each in done.documents()] == ["b.pdf"]
        assert done.unfinished() == []


def test_what_is_damaged_is_discarded(tmp_path: Path) -> None:
    half_forgotten(tmp_path)
    (tmp_path / reindex_store.FOLDER_NAME / CATALOG_NAME).write_bytes(b"no catalog" * 1000)
    reindex_store.finish_forgetting(tmp_path)
    assert not reindex_store.waiting(tmp_path)
