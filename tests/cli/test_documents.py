"""Adding, listing, removing and annotating documents from the command line."""

from pathlib import Path

import pytest

from docqa.cli.main import main
from docqa.ingest.reading.reader import ReadingProcess
from docqa.workspace import Workspace
from tests import pdfs
from tests.cli.conftest import Run
from tests.messages_server import MessagesServer, Turn, text


def test_an_outline(tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    library = tmp_path / "library"
    path = tmp_path / "Terms.md"
    path.write_text("# Terms\n\n## Rent\n\nIt is $5.\n\n## Repairs\n\nThe tenant does them.\n")
    assert main(["add", str(path), "--library", str(library)]) == 0
    code, [made] = run("outline", "Terms", library=library)
    assert code == 0
    assert [(each["title"], each["level"], each["kind"]) for each in made["outline"]] == [
        ("Terms", 1, "heading"),
        ("Rent", 2, "heading"),
        ("Repairs", 2, "heading"),
    ]
    assert main(["outline", "Terms", "--library", str(library)]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()[-3:]
    page = made["outline"][1]["page"]
    assert (first, second) == ("Terms, section 1", f"  Rent, section {page}")


def test_list(run: Run) -> None:
    code, [listed] = run("list")
    assert code == 0
    names = [each["document"] for each in listed["documents"]]
    assert names == ["Lease North.pdf", "Lease South.pdf"]
    assert all(each["chunks"] and each["pages"] == 1 for each in listed["documents"])
    assert all(isinstance(each["description"], str) for each in listed["documents"])


def test_adding_reports_each_file(run: Run, tmp_path: Path) -> None:
    good = pdfs.structured(tmp_path / "good.pdf")
    bad = pdfs.not_a_pdf(tmp_path / "bad.pdf")
    code, [told] = run("add", str(good), str(bad), library=tmp_path / "library")
    assert code == 1
    assert [each["status"] for each in told["results"]] == ["added", "failed"]
    assert "bad.pdf" in told["results"][1]["error"]


def test_adding_nothing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "drawing.dwg").touch()
    assert main(["add", str(tmp_path), "--library", str(tmp_path / "library")]) == 1
    assert capsys.readouterr().err == "There is no file there that docqa reads.\n"


def test_remove(run: Run, own_shelf: Path) -> None:
    code, [told] = run("remove", "Lease North", "nobody", library=own_shelf)
    assert code == 1
    assert told["removed"] == ["Lease North.pdf"]
    assert len(told["errors"]) == 1


def test_quotes_go_with_their_document_on_request(
    run: Run, tmp_path: Path, reader: ReadingProcess
) -> None:
    library = tmp_path / "library"
    words = ["The zanzibarquux fee is $7,750 a month, due in advance on the first day. " * 3]
    paths = [
        pdfs.text_pages(tmp_path / "Marked.pdf", words),
        pdfs.structured(tmp_path / "Other.pdf"),
    ]
    with Workspace(library, reader=reader) as workspace:
        workspace.add(paths)
        asked = workspace.conversations.begin("Fees")
        for question, name in (("What is the fee?", "Marked.pdf"), ("Vacancy?", "Other.pdf")):
            chosen = [workspace.document(name).id]
            list(workspace.ask(question, document_ids=chosen, conversation_id=asked))
    code, [told] = run("remove", "Marked", "--with-quotes", library=library)
    assert (code, told["answers"]) == (0, 1)
    holding = [path for path in library.rglob("*") if path.is_file()]
    assert not [path.name for path in holding if b"zanzibarquux" in path.read_bytes()]
    with Workspace(library) as workspace:
        [kept, *_] = workspace.conversations.messages(asked)
        assert kept.text == "Vacancy?"


@pytest.mark.usefixtures("key")
def test_notes_are_estimated_and_confirmed_before_anything_is_sent(
    run: Run, own_shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ("contextualize", "Lease South")
    with MessagesServer(Turn([text("The lease of South.")])) as server:
        own = ("--base-url", server.url)
        code, [told] = run(*given, *own, library=own_shelf)
        assert (code, told["written"], server.requests) == (0, 0, [])
        assert told["estimate"]["passages"] == 1
        assert float(told["estimate"]["cost_usd"]) > 0
        for typed in ("n", "y"):
            assert len(server.requests) == 0
            monkeypatch.setattr("builtins.input", lambda _, typed=typed: typed)
            assert main([*given, *own, "--library", str(own_shelf)]) == 0
            assert "1 passage of 1 document without a note" in capsys.readouterr().out
        assert len(server.requests) == 1
        code, [told] = run(
            "contextualize", "Lease North", "--yes", "--model", "local", *own, library=own_shelf
        )
        assert (code, told["written"]) == (0, 1)
        assert server.requests[-1]["model"] == "local"
