"""Any number of processes read a library beside the one that writes to it."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docqa.errors import (
    LibraryLocked,
    LibraryMissing,
    LibraryReadOnly,
    LibraryTooOld,
    UnknownDocument,
)
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS, adjust
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.workspace import Workspace
from tests import pdfs
from tests.library.small import QuickEncoder, SmallWorkspace, made_pdf, word_of
from tests.messages_server import MessagesServer, Turn, text
from tests.sources import ROOT


def reading(folder: Path) -> Workspace:
    return Workspace(folder, read_only=True, load=lambda name: QuickEncoder())


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SmallWorkspace]:
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add([made_pdf(tmp_path / "first.pdf", seed=1, passages=4)])
        yield opened


def found(workspace: Workspace, seed: int) -> list[str]:
    return [hit.document.name for hit in workspace.search(f"Clause {word_of(seed, 1)}").hits]


def test_a_reader_sees_what_is_added_and_removed_meanwhile(
    writer: SmallWorkspace, tmp_path: Path
) -> None:
    with reading(writer.folder) as one, reading(writer.folder) as other:
        assert [each.name for each in one.documents()] == ["first.pdf"]
        assert found(one, 1)[0] == "first.pdf"
        writer.add([made_pdf(tmp_path / "second.pdf", seed=2, passages=5)])
        assert found(one, 2)[0] == found(other, 2)[0] == "second.pdf"
        writer.remove(one.document("first.pdf").id)
        assert set(found(one, 1)) == {"second.pdf"}
        with pytest.raises(UnknownDocument):
            other.document("first.pdf")


def test_a_reader_finds_by_meaning_what_the_writer_finds(writer: SmallWorkspace) -> None:
    asked = "When is the rent of the lease due?"
    with reading(writer.folder) as reader:
        theirs, ours = (each.search(asked).hits for each in (writer, reader))
    assert [hit.chunk.id for hit in ours] == [hit.chunk.id for hit in theirs]
    assert [hit.scores for hit in ours] == [pytest.approx(hit.scores) for hit in theirs]


CHANGES: dict[str, Callable[[Workspace, str], object]] = {
    "add": lambda opened, _: opened.add([Path("any.pdf")]),
    "finish": lambda opened, _: opened.additions.finish(),
    "judge": lambda opened, document_id: opened.judgements.remove("any", document_id, 1),
    "reindex": lambda opened, _: opened.maintenance.reindex(),
    "remove": lambda opened, document_id: opened.remove(document_id),
    "withdraw": lambda opened, document_id: opened.removals.withdraw(document_id),
    "keep_upload": lambda opened, _: opened.additions.keep_upload(b"%PDF"),
    "rename": lambda opened, document_id: opened.rename(document_id, "other.pdf"),
    "set_glossary": lambda opened, _: opened.glossary.set("NOI | net operating income"),
    "write_contexts": lambda opened, _: opened.notes.write(api_key="key"),
    "repair": lambda opened, _: opened.maintenance.repair(),
    "begin": lambda opened, _: opened.conversations.begin("A title"),
    "set_budget": lambda opened, _: opened.ledger.set_budget(None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_would_change_the_library_names_who_has_it(
    writer: SmallWorkspace, change: Callable[[Workspace, str], object]
) -> None:
    document = writer.documents()[0]
    with (
        reading(writer.folder) as reader,
        pytest.raises(LibraryReadOnly, match=f"for writing by process {os.getpid()} on "),
    ):
        change(reader, document.id)
    assert writer.documents() == [document]


def test_only_one_writes(writer: SmallWorkspace) -> None:
    with reading(writer.folder), pytest.raises(LibraryLocked, match=f"process {os.getpid()}"):
        Workspace(writer.folder)


def files_of(folder: Path) -> dict[str, str]:
    """Every file with what is in it, but SQLite's log and the index of it, which are shared."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def test_reading_leaves_a_library_as_it_was(sample_library: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(sample_library, tmp_path / "library")
    before = files_of(folder)
    with Workspace(folder, read_only=True) as reader:
        reader.warming.start().join()
        first, second, *_ = [each.id for each in reader.documents()]
        assert reader.search("What is the cap rate of Property A?").hits
        *_, answer = reader.ask("What is the cap rate of Property A?", api_key="")
        *_, comparison = reader.comparisons.make([first, second], "", api_key="")
        assert reader.evaluations.why("cap rate", "What is the price?").summary
        assert reader.contents.page_image(first, 1)
    assert isinstance(answer, Answer)
    assert isinstance(comparison, Comparison)
    assert files_of(folder) == before


def test_a_reader_is_examined_but_for_what_the_writer_holds(writer: SmallWorkspace) -> None:
    with reading(writer.folder) as reader:
        findings = {each.name: each for each in reader.maintenance.examine()}
    assert findings["catalog"].fine
    assert f"process {os.getpid()}" in findings["vector index"].detail


def test_what_a_readers_answer_cost_is_noted(writer: SmallWorkspace) -> None:
    with (
        MessagesServer(Turn([text("It is due monthly.")])) as server,
        reading(writer.folder) as reader,
    ):
        settings = adjust(DEFAULTS, base_url=server.url, max_retries=0)
        list(reader.ask("When is the rent due?", api_key="key", settings=settings))
    assert writer.ledger.today().requests == 1


def test_a_library_is_neither_made_nor_brought_up_to_date(
    writer: SmallWorkspace, tmp_path: Path
) -> None:
    with pytest.raises(LibraryMissing, match="There is no library in"):
        Workspace(tmp_path / "nowhere", read_only=True)
    assert not (tmp_path / "nowhere").exists()
    with writer.resources.catalog._database.writing() as connection:
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(LibraryTooOld, match="Open it in the app"):
        reading(writer.folder)


@pytest.mark.slow
def test_searches_of_another_process_see_what_is_committed_while_files_are_added(
    sample_library: Path, tmp_path: Path, reader: ReadingProcess
) -> None:
    folder = shutil.copytree(sample_library, tmp_path / "library")
    asked = [{"question": f"What is the monthly rent of unit {unit % 8}?"} for unit in range(50)]
    questions, results = tmp_path / "questions.jsonl", tmp_path / "results.jsonl"
    questions.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    command = [sys.executable, "-m", "docqa", "search", "--questions", str(questions), "--json"]
    added = 0
    with results.open("w") as output, Workspace(folder, reader=reader) as app:
        searching = subprocess.Popen([*command, "--library", str(folder)], stdout=output, cwd=ROOT)
        while searching.poll() is None:
            [result] = app.add([lease(tmp_path / f"Lease {added}.pdf", unit=added)])
            assert result.status == "added"
            added += 1
        known = {each.name for each in app.documents()}
    assert searching.returncode == 0
    found = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    seen = {hit["document"] for each in found for hit in each["hits"]}
    assert len(found) == 50
    assert all(each["hits"] for each in found)
    assert seen <= known
    assert any(name.startswith("Lease") for name in seen)


def lease(path: Path, *, unit: int) -> Path:
    rent = f"The monthly rent of unit {unit} is $25,{unit:03}, due on the first day of the month. "
    term = f"The lease of unit {unit} runs for {unit + 2} years and may be extended once. "
    return pdfs.text_pages(path, [(rent + term) * 2])
