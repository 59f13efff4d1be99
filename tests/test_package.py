"""docqa as pip installs it: every file, the command line, and the app, from another folder."""

import json
import os
import re
import shutil
import socket
import subprocess
import sysconfig
import time
import tomllib
import urllib.request
import venv
from collections.abc import Mapping
from importlib import util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKED = (
    "app.py", "docqa", ".streamlit", "pyproject.toml", "requirements.txt",
    "requirements-local.txt", "README.md",
)  # fmt: skip
SECONDS = 120  # until the server must answer


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that docqa was installed in, without a network."""
    if util.find_spec("setuptools") is None:
        pytest.skip("needs setuptools, which builds the package")
    folder = tmp_path_factory.mktemp("installed")
    source, environment = _copied(folder / "source"), folder / "environment"
    venv.create(environment, with_pip=False)
    inside = {"base": str(environment), "platbase": str(environment)}
    packages = Path(sysconfig.get_path("purelib", "venv", inside))
    (packages / "requirements.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    scripts = Path(sysconfig.get_path("scripts", "venv", inside))
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    command = [str(scripts / "python"), "-m", "pip", *install, str(source)]
    subprocess.run(command, cwd=folder, check=True)
    return scripts


def _copied(source: Path) -> Path:
    """The sources alone: pip builds beside them."""
    source.mkdir()
    for name in PACKED:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(ROOT / name, source)
    return source


def test_the_changelog_begins_with_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    [newest, *_] = re.findall(r"^## \[(.+)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert newest == project["version"]


def _environment(library: Path, more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "DOCQA_LIBRARY": str(library), **more}


@pytest.mark.slow
def test_every_file_of_the_package_is_installed(scripts: Path, tmp_path: Path) -> None:
    command = [str(scripts / "python"), "-c", "import docqa; print(docqa.__path__[0])"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    installed = Path(run.stdout.strip())
    assert installed != ROOT / "docqa"
    there = {path.relative_to(installed) for path in installed.rglob("*")}
    here = {path.relative_to(ROOT / "docqa") for path in (ROOT / "docqa").rglob("*.*")}
    wanted = {path for path in here if path.suffix != ".pyc" and (ROOT / "docqa" / path).is_file()}
    assert len(wanted) > 100
    assert wanted - there == set()


@pytest.mark.slow
def test_a_command_runs_from_another_folder(scripts: Path, tmp_path: Path) -> None:
    environment = _environment(tmp_path / "library", {})
    listed, doctor = (
        subprocess.run(
            [scripts / "docqa", command, "--json"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            check=True,
        )
        for command in ("list", "doctor")
    )
    assert json.loads(listed.stdout) == {"documents": []}
    checks = {each["name"]: each["detail"] for each in json.loads(doctor.stdout)["checks"]}
    assert checks["server address"] == "127.0.0.1"
    assert re.fullmatch(r"[\d.]+", checks["numpy"])


@pytest.mark.slow
def test_docqa_alone_opens_the_app(scripts: Path, tmp_path: Path) -> None:
    """On this machine alone, as .streamlit/config.toml has it, though a folder's own says else."""
    (tmp_path / ".streamlit").mkdir()
    own = tmp_path / ".streamlit" / "config.toml"
    own.write_text("[server]\naddress = '0.0.0.0'\n", encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = _environment(tmp_path / "library", {"STREAMLIT_SERVER_PORT": str(port)})
    log = tmp_path / "log.txt"
    with log.open("wb") as output:
        app = subprocess.Popen(
            [scripts / "docqa"], cwd=tmp_path, env=environment, stdout=output, stderr=output
        )
        try:
            assert _answer(f"http://127.0.0.1:{port}/_stcore/health", app) == b"ok"
            assert b"<!doctype html" in _answer(f"http://127.0.0.1:{port}/", app).lower()
        finally:
            app.terminate()
            app.wait(30)
    shown = log.read_text(encoding="utf-8")
    assert f"http://127.0.0.1:{port}" in shown
    assert "0.0.0.0" not in shown


def _answer(url: str, app: "subprocess.Popen[bytes]") -> bytes:
    end = time.monotonic() + SECONDS
    while app.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return bytes(answer.read())
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"{url} did not answer")
