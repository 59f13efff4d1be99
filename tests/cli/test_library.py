"""Backups, the check of an installation and the glossary from the command line."""

from pathlib import Path

from docqa.workspace import Workspace
from tests.cli.conftest import Run


def test_backup_and_restore(run: Run, tmp_path: Path) -> None:
    code, [made] = run("backup", str(tmp_path / "b.zip"))
    assert (code, made["documents"], made["without_pdf"]) == (0, 2, [])
    code, [restored] = run("restore", str(tmp_path / "b.zip"), library=tmp_path / "other")
    assert (code, restored["documents"]) == (0, 2)
    _, [before] = run("search", "monthly rent")
    _, [after] = run("search", "monthly rent", library=tmp_path / "other")
    assert after["hits"] == before["hits"]
    code, [told] = run("restore", str(tmp_path / "b.zip"))
    assert (code, told["kind"]) == (1, "LibraryNotEmpty")


def test_a_backup_is_made_while_another_holds_the_library(
    run: Run, shelf: Path, tmp_path: Path
) -> None:
    with Workspace(shelf):
        code, [made] = run("backup", str(tmp_path / "b.zip"))
    assert (code, made["documents"]) == (0, 2)


def test_doctor(run: Run) -> None:
    code, [told] = run("doctor")
    assert told["healthy"], [each for each in told["checks"] if not each["fine"]]
    assert code == 0


def test_a_library_has_names_of_its_own_for_things(
    run: Run, own_shelf: Path, tmp_path: Path
) -> None:
    assert run("glossary", library=own_shelf)[1] == [{"glossary": []}]
    own = tmp_path / "own.txt"
    own.write_text("stipend | rent", encoding="utf-8")
    assert run("glossary", str(own), library=own_shelf) == (0, [{"glossary": ["stipend | rent"]}])
    _, [found] = run("search", "How high is the stipend?", library=own_shelf)
    assert found["plan"]["queries"] == ["How high is the stipend?", "rent"]
    own.write_text("stipend", encoding="utf-8")
    for refused in (own, tmp_path / "missing.txt"):
        code, [told] = run("glossary", str(refused), library=own_shelf)
        assert (code, told["kind"]) == (1, "GlossaryUnreadable")
    assert run("glossary", library=own_shelf)[1] == [{"glossary": ["stipend | rent"]}]
