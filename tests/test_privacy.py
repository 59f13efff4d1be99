"""A key leaves no trace, whatever goes wrong; nothing reaches out unasked."""

import logging
import os
import socket
import traceback
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from docqa.errors import AnswerError, DocqaError
from docqa.library.backup import write_backup
from docqa.library.vectors import VectorIndex
from docqa.settings import DEFAULTS, environment_for_reading
from docqa.ui.boundary import attempt
from docqa.ui.state import Screen
from tests.library.small import SmallWorkspace, made_pdf

KEY = "sk-ant-zanzibarquux-0123456789"


def test_a_key_is_in_no_error_trace_log_catalog_or_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DOCQA_LOG", "DEBUG")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    away = replace(DEFAULTS, base_url=f"http://127.0.0.1:{port}", max_retries=0)
    told = []
    with caplog.at_level(logging.DEBUG), SmallWorkspace(tmp_path / "library", away) as opened:
        opened.add([made_pdf(tmp_path / "1.pdf", seed=1, passages=5)])
        asked = opened.catalog.new_conversation("Rent")

        def ask() -> None:
            list(opened.ask("Rent?", conversation_id=asked, answerer="claude", api_key=KEY))

        with pytest.raises(AnswerError) as caught:
            ask()
        told += traceback.format_exception(caught.value)
        told.append(attempt(ask))
        told.append(repr(opened))
    write_backup(tmp_path / "library", tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        contents = [archive.read(name) for name in archive.namelist()]
    contents += [path.read_bytes() for path in (tmp_path / "library").rglob("*") if path.is_file()]
    assert KEY not in "".join(told) + caplog.text
    assert not [content for content in contents if KEY.encode() in content]


def test_a_key_is_not_shown_with_the_session_that_holds_it() -> None:
    assert KEY not in repr(Screen(api_key=KEY))


def test_what_reads_files_is_given_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert KEY not in environment_for_reading().values()


def test_chroma_obeys_no_setting_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANONYMIZED_TELEMETRY", "True")
    monkeypatch.setenv("CHROMA_OTEL_COLLECTION_ENDPOINT", "http://198.51.100.7:4317")
    monkeypatch.setenv("CHROMA_OTEL_GRANULARITY", "all")
    index = VectorIndex(tmp_path, encoder="tiny", dimensions=8)
    assert index.is_silent()
    index.close()


def test_a_file_that_fails_is_not_named_in_the_log(tmp_path: Path) -> None:
    bad = tmp_path / "Project Zanzibarquux.pdf"
    bad.write_bytes(b"no PDF")
    with SmallWorkspace(tmp_path / "library") as opened:
        [result] = opened.add([bad])
        assert bad.name in result.error
        opened.add([made_pdf(tmp_path / "Zanzibarquux 2.pdf", seed=2, passages=3)])
        for _ in range(2):
            try:
                opened.document("Zanzibarquux 99 nothing")
            except DocqaError:
                continue
    log = (tmp_path / "library" / "docqa.log").read_text("utf-8")
    assert "A file was not added: NotAPdf" in log
    assert "anzibarquux" not in log
    assert os.sep not in log.replace("docqa.workspace", "")
