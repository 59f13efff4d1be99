"""A library of each earlier version opens with everything that was in it."""

import sqlite3
from pathlib import Path

import pytest

from docqa.library.catalog import CATALOG_NAME, Catalog
from docqa.library.records import to_json
from docqa.library.schema import MIGRATIONS
from docqa.types.answer import Message
from docqa.types.document import Document
from tests.library.nouns import chunk, document_id, table_row, unit_vectors


def library_of(version: int, folder: Path) -> None:
    """A library as docqa made it when it had that many migrations, by that version's tables."""
    connection = sqlite3.connect(folder / CATALOG_NAME)
    connection.executescript(
        "".join(f"{each};" for each in MIGRATIONS[:version]) + f"PRAGMA user_version = {version}"
    )
    owner, kept = document_id("a.pdf"), chunk("a.pdf", 0, "The rent is due in advance")
    document = Document(owner, "a.pdf", 1, chunk_count=1)
    rows: list[tuple[str, tuple[object, ...]]] = [
        ("setting (key, value)", ("encoder", "tiny")),
        ("document (number, id, noun, first_row, last_row)", (1, owner, to_json(document), 1, 1)),
        ("block (document, page, position, noun)", (1, 1, 0, to_json(table_row("$5")))),
        (
            "chunk (row, document, id, noun, words)",
            (1, 1, kept.id, to_json(kept), kept.embedded_text),
        ),
        ("vector (row, numbers)", (1, unit_vectors(1)[0].astype("<f4").tobytes())),
        ("conversation (number, id, title, created, updated)", (1, "c", "Rent", "1", "2")),
        ("message (conversation, noun)", (1, to_json(Message("user", "What is the rent?")))),
    ]
    for table, values in rows:
        marks = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", values)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_a_library_of_an_earlier_version_is_brought_up_to_date(
    tmp_path: Path, version: int
) -> None:
    library_of(version, tmp_path)
    for _ in range(2):  # brought up to date, and then as it is
        catalog = Catalog(tmp_path)
        owner = document_id("a.pdf")
        assert [each.name for each in catalog.documents()] == ["a.pdf"]
        assert catalog.get_setting("encoder") == "tiny"
        assert len(catalog.blocks(owner)) == catalog.chunk_count() == 1
        assert [found for found, _ in catalog.keyword_search(["rent"], limit=5)] == [f"{owner}:0"]
        assert [each.text for each in catalog.conversations.messages("c")] == ["What is the rent?"]
        assert catalog.is_sound()
        catalog.close()
    catalog = Catalog(tmp_path)
    catalog.remove(document_id("a.pdf"))
    assert catalog.keyword_search(["rent"], limit=5) == []
    catalog.close()
