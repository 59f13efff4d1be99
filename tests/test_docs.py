"""The documentation names what there is: commands, keys, files, packages."""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from docqa.cli.main import main

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").glob("*.md")))
PLACES = r"(?:docqa|tests|docs|\.ci|\.streamlit)/[\w./-]*|app\.py|requirements\.txt|pyproject\.toml"


def shell_blocks(page: Path) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def in_docs(name: str) -> Path:
    return ROOT / "docs" / name


def test_the_checks_run_the_test_command_as_written() -> None:
    [command] = [block.strip() for block in shell_blocks(README) if "pytest" in block]
    assert "\n" not in command
    assert command in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_start_command_is_one_line_that_runs_the_app() -> None:
    [command] = [block.strip() for block in shell_blocks(README) if "streamlit run" in block]
    assert "\n" not in command
    assert command.endswith("streamlit run app.py")


def offered_commands(capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit):
        main(["--help"])
    return set(re.findall(r"^    (\w+)(?:  |$)", capsys.readouterr().out, re.MULTILINE))


def test_every_command_is_documented_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    reference = "\n".join(shell_blocks(in_docs("command-line.md")))
    offered = offered_commands(capsys)
    assert set(re.findall(r"^python -m docqa (\w+)", reference, re.MULTILINE)) == offered
    named = {
        command
        for page in PAGES
        for command in re.findall(r"python -m docqa (\w+)", page.read_text("utf-8"))
    }
    assert named <= offered


def options_of(command: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    return set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}


def test_every_option_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    reference = in_docs("command-line.md").read_text("utf-8")
    offered = {option for each in offered_commands(capsys) for option in options_of(each, capsys)}
    assert len(offered) > 20
    assert {option for option in offered if option not in reference} == set()


def test_every_key_of_the_json_is_documented() -> None:
    reference = in_docs("command-line.md").read_text("utf-8")
    tree = ast.parse((ROOT / "docqa" / "present" / "as_json.py").read_text("utf-8"))
    keys = {
        re.split("[=:]", name)[0]  # "place=where" is written under the first
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"(?:[a-z_]+(?:=[a-z_.]+)?(?::\d)?(?: |$))+", node.value)
        for name in node.value.split()
    } - {"table", "heading"}  # which are values
    assert len(keys) > 100
    assert {key for key in keys if f'"{key}"' not in reference} == set()


def test_every_path_named_is_there() -> None:
    named = {
        (page.name, path)
        for page in PAGES
        for path in re.findall(rf"`({PLACES})`", page.read_text("utf-8"))
    }
    assert len(named) > 40
    assert sorted(each for each in named if not (ROOT / each[1]).exists()) == []


def test_every_name_after_a_path_stands_in_that_file() -> None:
    named = [
        (path, name)
        for page in PAGES
        for path, name in re.findall(r"`([\w/]+\.py)` \(`(\w+)`\)", page.read_text("utf-8"))
    ]
    assert named
    assert [each for each in named if each[1] not in (ROOT / each[0]).read_text("utf-8")] == []


def test_every_program_named_can_be_run() -> None:
    programs = {
        program
        for page in PAGES
        for program in re.findall(r"python -m ((?:docqa|tests)[\w.]*)", page.read_text("utf-8"))
    }
    assert len(programs) > 10
    assert sorted(each for each in programs if find_spec(each) is None) == []


def test_every_link_leads_somewhere() -> None:
    broken = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
        if not target.startswith("http") and not reachable(page, target)
    ]
    assert broken == []


def reachable(page: Path, target: str) -> bool:
    """Whether a link's file is there, with a heading of its fragment's name if it has one."""
    path, _, fragment = target.partition("#")
    file = page.parent / path if path else page
    if not file.exists():
        return False
    headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE) if fragment else []
    return not fragment or fragment in map(anchor, headings)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_every_requirement_is_pinned_and_explained_and_nothing_else_is() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").split()
    pinned = {re.split(r"[\[=]", line)[0].lower() for line in lines if "==" in line}
    assert len(pinned) == len(lines)
    reasons = in_docs("development.md").read_text("utf-8").partition("| package | for |")[2]
    explained = ", ".join(re.findall(r"^\| (.+?) \|", reasons.partition("\n#")[0], re.MULTILINE))
    # What comes with another package, or with Python, says so in brackets.
    assert {n.lower() for n in explained.split(", ") if "(" not in n} - {"---"} == pinned


def test_the_readme_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 160
