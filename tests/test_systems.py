"""What keeps docqa at home on Linux, macOS and Windows, and on Python 3.11 to 3.13."""

import ast
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from docqa import supported
from docqa.app.diagnosis import index_agrees
from docqa.errors import LibraryUnusable
from docqa.library import backup, files, logfile
from docqa.library.files import FileStore, delete_folder
from docqa.library.vectors import FOLDER_NAME
from docqa.types.answer import Message
from tests.library.small import SmallWorkspace, made_pdf
from tests.sources import ROOT, Offence, Source, hold
from tests.windows import UNNAMEABLE, Windows

PYTHONS = ("3.11.0", "3.12.0", "3.13.0")

NOT_ON_WINDOWS = {"fcntl", "grp", "pwd", "resource", "termios"}  # modules
UNIX_CALLS = {"fork", "forkpty", "geteuid", "getuid", "chown", "killpg", "setsid", "mkfifo"}
LINKS = {"symlink", "symlink_to", "hardlink_to", "link"}  # need a right of their own there
LONGEST = 120  # characters of a path here: Windows takes 260 with the folders above


def called(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2], node


def only_on_some_systems(source: Source) -> Iterator[Offence]:
    for name, call in called(source.tree):
        if name in UNIX_CALLS | LINKS:
            yield call.lineno, f"calls {name}"
    # Within a function that looks at the system first, a module may be imported.
    for node in source.tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for each in {alias.name for alias in node.names} & NOT_ON_WINDOWS:
                yield node.lineno, f"imports {each}"


def test_nothing_is_asked_of_the_system_that_only_some_have() -> None:
    hold(only_on_some_systems)


def without_encoding(source: Source) -> Iterator[Offence]:
    for name, call in called(source.tree):
        given = {each.arg for each in call.keywords}
        if name in ("read_text", "write_text") and "/proc/" not in ast.unparse(call):
            placed = call.args[{"read_text": 0, "write_text": 1}[name] :]
            if not placed and "encoding" not in given:
                yield call.lineno, f"{name} in the system's encoding"
        if name in ("run", "Popen") and "text" in given and "encoding" not in given:
            yield call.lineno, f"{name} in the system's encoding"


def test_text_is_read_and_written_in_an_encoding_that_is_named() -> None:
    """Otherwise it is the system's, which on Windows is not UTF-8."""
    hold(without_encoding)


ON_ONE_SYSTEM = """
import fcntl
os.getuid()
path.write_text("x")
path.read_text("utf-8")
subprocess.run(["x"], text=True)
"""


def test_the_rules_see_what_breaks_them() -> None:
    bad = Source(Path("bad.py"), "bad", ON_ONE_SYSTEM, ast.parse(ON_ONE_SYSTEM))
    assert sorted(line for line, _ in only_on_some_systems(bad)) == [2, 3]
    assert sorted(line for line, _ in without_encoding(bad)) == [4, 6]


def test_every_file_has_a_name_that_windows_takes() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("the files are not under git")
    for path in map(Path, listed.stdout.splitlines()):
        assert len(str(path)) <= LONGEST
        assert not [part for part in path.parts if UNNAMEABLE.search(part)]


def test_no_file_is_changed_on_its_way_to_windows(tmp_path: Path) -> None:
    """Git for Windows ends lines its own way, in PDFs too where their bytes look like text."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    (tmp_path / ".gitattributes").write_bytes((ROOT / ".gitattributes").read_bytes())
    sample = next((ROOT / "docqa" / "samples").glob("Lease_*.pdf"))
    (tmp_path / sample.name).write_bytes(sample.read_bytes())
    git = ["git", "-c", "core.autocrlf=true"]
    for words in (["init"], ["add", "."]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / sample.name).unlink()
    subprocess.run([*git, "checkout-index", "-a"], cwd=tmp_path, check=True)
    assert (tmp_path / sample.name).read_bytes() == sample.read_bytes()


def test_every_package_takes_every_python() -> None:
    pins = re.findall(r"^([\w.-]+)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    assert len(pins) > 10
    for name in pins:
        wanted = SpecifierSet(metadata.metadata(name)["Requires-Python"] or "")
        assert [python for python in PYTHONS if python not in wanted] == [], name


# Where it cannot run


@pytest.mark.parametrize("version", [(3, 7, 16), (3, 10, 13)])
def test_an_old_python_is_told_which_it_should_be(version: tuple[int, ...]) -> None:
    said = supported.objection(version, ["numpy"])
    assert said.startswith("docqa needs Python 3.11, 3.12 or 3.13; this is Python 3.")
    assert supported.remark(version) == ""


def test_a_newer_python_is_let_run_and_said_to_be_untested() -> None:
    for version in ((3, 11, 0), (3, 13, 9)):
        assert supported.objection(version, []) == supported.remark(version) == ""
    assert supported.objection((3, 14, 0), []) == ""
    assert supported.remark((3, 14, 0)).endswith("was not tested with 3.14.")


def test_every_package_is_looked_for_at_the_start() -> None:
    pins = re.findall(r"^([\w-]+)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    made_by = metadata.packages_distributions()
    found = [made_by[module][0].lower().replace("_", "-") for module in supported.MODULES]
    assert sorted(found) == sorted(pins)


@pytest.mark.parametrize("command", [["-m", "docqa", "list"], ["app.py"]])
def test_what_is_not_installed_is_named_with_what_to_do(tmp_path: Path, command: list[str]) -> None:
    """A Python that finds no torch: the rest is not imported, and no trace is shown."""
    hiding = "from importlib import util\nfind = util.find_spec\n"
    hiding += "util.find_spec = lambda name, *more: None if name == 'torch' else find(name, *more)"
    (tmp_path / "sitecustomize.py").write_text(hiding, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "DOCQA_LIBRARY": str(tmp_path / "l")}
    ended = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].endswith(f"(torch): {supported.INSTALL}")
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "l").exists()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_what_the_console_cannot_write_is_no_error(tmp_path: Path, encoding: str) -> None:
    """Windows gives a program whose output goes to a file or a pipe 256 letters."""
    with SmallWorkspace(tmp_path) as opened:
        [added] = opened.add([made_pdf(tmp_path / "1.pdf", seed=1, passages=5)])
        assert added.document is not None
        opened.rename(added.document.id, "Договор “Аренда” ≥ 5.pdf")
    command = [sys.executable, "-m", "docqa", "list", "--library", str(tmp_path)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    words, told = (
        subprocess.run([*command, *more], cwd=ROOT, env=environment, capture_output=True)
        for more in ([], ["--json"])
    )
    assert words.returncode == told.returncode == 0, words.stderr
    assert words.stdout.decode(encoding).startswith("??????? ")
    [listed] = json.loads(told.stdout)["documents"]
    assert listed["document"] == "Договор “Аренда” ≥ 5.pdf"


# What can be deleted, replaced and named on Windows


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[Windows]:
    if sys.platform != "linux":
        pytest.skip("what is open is looked up in /proc")
    refusing = Windows(tmp_path)
    yield refusing
    refusing.close()


def test_what_windows_refuses_is_refused_here(windows: Windows, tmp_path: Path) -> None:
    (tmp_path / "closed").touch()
    (tmp_path / "folder").mkdir()
    with (tmp_path / "open").open("w"), (tmp_path / "folder" / "open").open("w"):
        for attempt in (
            (tmp_path / "open").unlink,
            lambda: (tmp_path / "closed").replace(tmp_path / "open"),
            lambda: (tmp_path / "folder").rename(tmp_path / "other"),
            (tmp_path / "aux.txt").touch,
            (tmp_path / "a:b").mkdir,
            (tmp_path / "Closed").touch,
            lambda: (tmp_path / "link").symlink_to(tmp_path / "closed"),
        ):
            with pytest.raises(PermissionError):
                attempt()
    assert len(windows.refused) == 7
    (tmp_path / "open").unlink()


def test_nothing_is_deleted_or_replaced_while_it_is_open(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logfile, "LARGEST", 2000)
    paths = [made_pdf(tmp_path / f"{seed}.pdf", seed=seed, passages=20) for seed in (1, 2, 3)]
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add(paths)
        first, second, _ = opened.documents()
        opened.contents.page_image(first.id, 1)
        opened.removals.put_back(opened.removals.withdraw(first.id))
        opened.remove(second.id)
        opened.maintenance.reindex()
        opened.additions.rebuild_index()
        asked = opened.conversations.begin("Rent")
        opened.conversations.add(asked, Message("user", "What is the rent?"))
        opened.conversations.remove(asked)
        for number in range(60):
            logging.getLogger("docqa").warning("a line of the log %d %s", number, "-" * 90)
        backup.write_backup(tmp_path / "library", tmp_path / "b.zip")
    with SmallWorkspace(tmp_path / "restored") as empty:
        empty.resources.index.count()
    backup.restore_backup(tmp_path / "b.zip", tmp_path / "restored")
    with SmallWorkspace(tmp_path / "restored") as restored:
        assert restored.search("clause w3x1").hits[0].document.name == "3.pdf"
    held = f"{FOLDER_NAME}/chroma.sqlite3"  # by Chroma, for a moment; it is waited for
    assert [each for each in windows.refused if held not in each.partition("\n")[0]] == []


@pytest.mark.parametrize("name", ["header.bin", "chroma.sqlite3", "data_level0.bin"])
def test_a_damaged_index_is_made_anew_although_what_is_open_cannot_be_deleted(
    windows: Windows, tmp_path: Path, name: str
) -> None:
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add([made_pdf(tmp_path / "1.pdf", seed=1, passages=20)])
    [damaged] = (tmp_path / "library" / FOLDER_NAME).rglob(name)
    damaged.write_bytes(b"x" * 100)
    with SmallWorkspace(tmp_path / "library") as opened:
        assert index_agrees(opened.resources)
    [made] = (tmp_path / "library" / FOLDER_NAME).rglob("header.bin")  # of the old, nothing stays
    assert made.parent.parent == tmp_path / "library" / FOLDER_NAME


def test_a_file_that_is_being_read_is_deleted_once_it_is_not(
    windows: Windows, tmp_path: Path
) -> None:
    """A removal ends the reading of its file, which the reading process lets go of soon after."""
    store = FileStore(tmp_path / "library")
    kept = store.put(made_pdf(tmp_path / "1.pdf", seed=1, passages=1))
    reading = kept.open("rb")
    ending = threading.Timer(0.3, reading.close)
    ending.start()
    store.remove(kept.stem)
    ending.join()
    assert windows.refused
    assert not kept.exists()


def test_a_file_that_stays_open_is_told_of(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_HELD", 0.2)
    store = FileStore(tmp_path / "library")
    kept = store.put(made_pdf(tmp_path / "1.pdf", seed=1, passages=1))
    with kept.open("rb"), pytest.raises(LibraryUnusable):
        store.remove(kept.stem)
    with kept.open("rb"), pytest.raises(LibraryUnusable):
        delete_folder(kept.parent)
    delete_folder(kept.parent)
    delete_folder(kept.parent)
    assert not kept.parent.exists()
