"""The command line as it is typed: exit codes, JSON on standard output, sentences on the other."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docqa.cli.main import main
from docqa.workspace import Workspace
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]


def test_what_cannot_be_done_is_said(run: Run, tmp_path: Path) -> None:
    code, [told] = run("search", "rent", "--document", "Annual report")
    assert code == 1
    assert told["kind"] == "UnknownDocument"
    code, [told] = run("ask", "rent?", "--answerer", "claude")
    assert (code, told["kind"]) == (1, "NoKey")
    code, [told] = run("search", "")
    assert (code, told["kind"]) == (1, "EmptyQuestion")
    code, [told] = run("search", "rent", library=tmp_path / "library")
    assert (code, told["kind"]) == (1, "LibraryMissing")
    Workspace(tmp_path / "library").close()
    code, [told] = run("search", "rent", library=tmp_path / "library")
    assert (code, told["kind"]) == (1, "NoDocuments")


@pytest.mark.parametrize(
    "words",
    [
        ["search"],
        ["search", "x", "--pages", "3-1"],
        ["search", "x", "--pages", "three"],
        ["why", "x", "y", "--page", "1"],
        ["ask"],
        ["add"],
        ["fly"],
        [],
    ],
)
def test_a_wrong_command_line(words: list[str], shelf: Path) -> None:
    try:
        code: object = main([*words, "--library", str(shelf)] if words else [])
    except SystemExit as stop:
        code = stop.code
    assert code == 2


@pytest.mark.parametrize("words", [("--evidence", "out.pdf"), ("--docx", "out.PDF")])
def test_a_file_is_not_written_under_the_name_of_another_kind(
    words: tuple[str, str], shelf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["review", "Leases", *words, "--library", str(shelf)])
    assert f"{words[1]} has to end in ." in capsys.readouterr().err


def test_where_the_library_is_may_be_said_before_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    Workspace(here).close()
    for words in (
        ["--library", str(here), "--json", "list"],
        ["--json", "list", "--library", str(here)],
    ):
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out) == {"documents": []}


def test_the_exit_code_reaches_the_shell(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "docqa", "search", "rent", "--library", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr


def test_a_reader_that_has_enough_is_no_failure() -> None:
    command = [sys.executable, "-m", "docqa", "models"]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.close()
    _, said = running.communicate()
    assert (running.returncode, said) == (0, b"")


def test_a_file_that_cannot_be_read_or_written_is_said(run: Run, tmp_path: Path) -> None:
    code, [told] = run("search", "--questions", str(tmp_path / "asked.jsonl"))
    assert (code, told["kind"]) == (1, "QuestionsUnreadable")
    out = tmp_path / "nowhere" / "out.md"
    code, [*_, told] = run("compare", "Lease North", "Lease South", "--md", str(out))
    assert (code, told["kind"]) == (1, "FileNotFoundError")
    assert told["error"] == f"{out}: No such file or directory."


def test_what_reads_goes_on_while_the_library_is_open_for_writing(
    run: Run, own_shelf: Path
) -> None:
    questions = own_shelf.parent / "questions.jsonl"
    asked = {"question": "What is the monthly rent?", "sources": {"Lease North.pdf": [1]}}
    questions.write_text(json.dumps(asked), encoding="utf-8")
    reads = [
        ["list"],
        ["search", "monthly rent"],
        ["ask", "What is the monthly rent of Lease North?"],
        ["compare", "Lease North.pdf", "Lease South.pdf"],
        ["why", "monthly rent", "When is it due?"],
        ["evaluate", str(questions)],
        ["backup", str(own_shelf.parent / "backup.zip")],
        ["costs"],
        ["glossary"],
        ["models"],
    ]
    with Workspace(own_shelf):
        assert {words[0]: run(*words, library=own_shelf)[0] for words in reads} == {
            words[0]: 0 for words in reads
        }
        code, [report] = run("doctor", library=own_shelf)
        held = [each for each in report["checks"] if each["name"] == "vector index"]
        assert "another docqa has the library" in held[0]["detail"]
        for words in (["add", str(questions)], ["remove", "x"], ["doctor", "--repair"]):
            code, [told] = run(*words, library=own_shelf)
            assert (code, told["kind"]) == (1, "LibraryLocked")
            assert f"process {os.getpid()} on" in told["error"]
