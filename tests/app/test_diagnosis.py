"""What `doctor` finds wrong in a library that is, and what it mends."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docqa.app import diagnosis
from docqa.app.diagnosis import Finding, _folder, streamlit_option
from docqa.types.answer import Message
from tests.library.small import SmallWorkspace, made_pdf


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[SmallWorkspace]:
    paths = [made_pdf(tmp_path / f"{seed}.pdf", seed=seed, passages=6) for seed in (1, 2)]
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add(paths)
        yield opened


def wrong(workspace: SmallWorkspace) -> dict[str, Finding]:
    return {each.name: each for each in workspace.maintenance.examine() if not each.fine}


def test_a_good_library_is_found_good_and_nothing_is_mended(workspace: SmallWorkspace) -> None:
    assert wrong(workspace) == {}
    assert workspace.maintenance.repair() == []
    names = {each.name for each in workspace.maintenance.examine()}
    assert {"server address", "telemetry of Chroma", "telemetry of Streamlit", "key"} <= names
    assert {"chromadb", "streamlit", "model all-MiniLM-L6-v2"} <= names


def test_a_disk_that_is_nearly_full_is_told_of(
    workspace: SmallWorkspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=10**9)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert [each.detail for each in wrong(workspace).values()] == ["1.0 GB free"]


def test_an_open_folder_is_closed(workspace: SmallWorkspace) -> None:
    workspace.folder.chmod(0o755)
    assert set(wrong(workspace)) == {"library folder"}
    assert workspace.maintenance.repair() == ["the library folder is for its owner alone"]
    assert wrong(workspace) == {}


def test_on_windows_a_folder_is_private_among_the_persons_own(
    workspace: SmallWorkspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "somebody else")
    assert "others may read it" in _folder(workspace.resources).detail
    assert not _folder(workspace.resources).fine
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert _folder(workspace.resources).fine


def test_a_keyword_index_that_differs_is_made_anew(workspace: SmallWorkspace) -> None:
    with workspace.resources.catalog._database.writing() as connection:
        connection.execute("INSERT INTO keyword (keyword) VALUES ('delete-all')")
    assert set(wrong(workspace)) == {"catalog"}
    assert workspace.search("lease").hits
    assert len(workspace.maintenance.repair()) == 1
    assert wrong(workspace) == {}
    assert workspace.resources.catalog.keyword_search(["w1x3"], limit=5)


def test_an_index_that_lost_vectors_is_made_anew(workspace: SmallWorkspace) -> None:
    workspace.resources.index.remove(workspace.documents()[0].id)
    assert set(wrong(workspace)) == {"vector index"}
    assert len(workspace.maintenance.repair()) == 1
    assert wrong(workspace) == {}


def test_a_lost_pdf_comes_back_when_it_is_added_again(
    workspace: SmallWorkspace, tmp_path: Path
) -> None:
    first, second = workspace.documents()
    workspace.resources.files.path(first.id).unlink()
    workspace.resources.files.path(second.id).write_bytes(b"damaged")
    assert wrong(workspace)["files"].detail == "lost or damaged: 1.pdf, 2.pdf"
    assert workspace.search("rent").hits  # the text is in the catalog
    results = workspace.add([tmp_path / "1.pdf", tmp_path / "2.pdf"])
    assert [each.status for each in results] == ["already there"] * 2
    assert wrong(workspace) == {}


def test_passages_of_other_settings_are_told_of(workspace: SmallWorkspace) -> None:
    workspace.resources.catalog.set_setting("recipe", "{}")
    assert "reindex" in wrong(workspace)["passages"].remedy
    workspace.maintenance.reindex()
    assert wrong(workspace) == {}


def test_another_version_of_a_package_is_told_of(
    workspace: SmallWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements.txt").write_text("numpy==1.0\nno-such-package[x]==2\n")
    shutil.copytree(diagnosis.ROOT / ".streamlit", tmp_path / ".streamlit")
    monkeypatch.setattr(diagnosis, "ROOT", tmp_path)
    found = wrong(workspace)
    assert found["numpy"].detail.endswith("tested with 1.0")
    assert found["no-such-package"].detail.startswith("not installed")


def test_a_server_open_to_others_is_told_of(
    workspace: SmallWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMLIT_SERVER_ADDRESS", "0.0.0.0")
    monkeypatch.setenv("STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION", "false")
    monkeypatch.setenv("STREAMLIT_BROWSER_GATHER_USAGE_STATS", "true")
    assert set(wrong(workspace)) == {
        "server address",
        "protection from other pages (XSRF)",
        "telemetry of Streamlit",
    }


def test_settings_are_looked_for_where_streamlit_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "ROOT", tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert streamlit_option("server", "address") is None
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text("[server]\naddress = '127.0.0.1'")
    assert streamlit_option("server", "address") == "127.0.0.1"


KEY = "sk-ant-zanzibarquux-0123456789"


def test_a_key_in_a_file_is_found(
    workspace: SmallWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    [found] = [each for each in workspace.maintenance.examine() if each.name == "key"]
    assert "in no file of the library" in found.detail
    asked = workspace.conversations.begin("Keys")
    workspace.conversations.add(asked, Message("user", f"Is {KEY} mine?"))
    assert "key" in wrong(workspace)
    assert KEY not in str(wrong(workspace))
