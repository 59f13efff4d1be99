"""What keeps docqa at home on Linux, macOS and Windows, and on Python 3.11 to 3.13."""

import ast
import re
import subprocess
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "docqa").rglob("*.py"))]
PYTHONS = ("3.11.0", "3.12.0", "3.13.0")

NOT_ON_WINDOWS = {"fcntl", "grp", "pwd", "resource", "termios"}  # modules
UNIX_CALLS = {"fork", "forkpty", "geteuid", "getuid", "chown", "killpg", "setsid", "mkfifo"}
LINKS = {"symlink", "symlink_to", "hardlink_to", "link"}  # need a right of their own there
UNNAMEABLE = re.compile(r'[<>:"|?*\\]|[ .]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)
LONGEST = 120  # characters of a path here: Windows takes 260 with the folders above


def called(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2], node


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_nothing_is_asked_of_the_system_that_only_some_have(source: Path) -> None:
    tree = ast.parse(source.read_text("utf-8"))
    assert not {name for name, _ in called(tree)} & (UNIX_CALLS | LINKS)
    first = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {alias.name for node in first for alias in node.names}
    assert not imported & NOT_ON_WINDOWS  # within a function that looks at the system first, it may


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_text_is_read_and_written_in_an_encoding_that_is_named(source: Path) -> None:
    """Otherwise it is the system's, which on Windows is not UTF-8."""
    for name, call in called(ast.parse(source.read_text("utf-8"))):
        if name in ("read_text", "write_text") and "/proc/" not in ast.unparse(call):
            placed = call.args[{"read_text": 0, "write_text": 1}[name] :]
            assert placed or any(each.arg == "encoding" for each in call.keywords), call.lineno


def test_every_file_has_a_name_that_windows_takes() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("the files are not under git")
    for path in map(Path, listed.stdout.splitlines()):
        assert len(str(path)) <= LONGEST
        assert not [part for part in path.parts if UNNAMEABLE.search(part)]


def test_every_package_takes_every_python() -> None:
    pins = re.findall(r"^([\w.-]+)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    assert len(pins) > 10
    for name in pins:
        wanted = SpecifierSet(metadata.metadata(name)["Requires-Python"] or "")
        assert [python for python in PYTHONS if python not in wanted] == [], name
