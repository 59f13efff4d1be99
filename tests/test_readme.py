"""The README's commands and tables are those that are run and held."""

import ast
import re
from pathlib import Path

import pytest

from docqa.cli.main import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def shell_blocks() -> list[str]:
    return re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


def test_the_checks_run_the_test_command_as_written() -> None:
    [command] = [block.strip() for block in shell_blocks() if "pytest" in block]
    assert "\n" not in command
    assert command in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_start_command_is_one_line_that_runs_the_app() -> None:
    [command] = [block.strip() for block in shell_blocks() if "streamlit run" in block]
    assert "\n" not in command
    assert command.endswith("streamlit run app.py")


def test_every_command_is_in_the_readme_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    written = set(re.findall(r"^python -m docqa (\w+)", "\n".join(shell_blocks()), re.MULTILINE))
    with pytest.raises(SystemExit):
        main(["--help"])
    offered = set(re.findall(r"^    (\w+)(?:  |$)", capsys.readouterr().out, re.MULTILINE))
    assert written == offered


def test_every_key_of_the_json_is_in_the_readme() -> None:
    tree = ast.parse((ROOT / "docqa" / "present" / "as_json.py").read_text("utf-8"))
    promised = {"hit", "search_result", "answer", "citation", "comparison", "figure_comparison"} | {
        "term_comparison",
        "change",
        "lone_hit",
        "fate",
        "explanation",
        "rate",
        "figures",
        "judged",
        "evaluation",
    }
    keys = {
        key.value
        for function in tree.body
        if isinstance(function, ast.FunctionDef) and function.name in promised
        for node in ast.walk(function)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }
    assert len(keys) > 20
    assert {key for key in keys if f'"{key}"' not in README} == set()


def test_every_requirement_is_explained_and_pinned() -> None:
    requirements = (ROOT / "requirements.txt").read_text("utf-8").split()
    packages = "\n".join(re.findall(r"^\| (.+?) \|", README, re.MULTILINE))
    for requirement in requirements:
        name, version = re.fullmatch(r"([\w-]+)(?:\[.*\])?==([\d.]+)", requirement).groups()  # type: ignore[union-attr]
        assert name in packages, requirement
        assert version
