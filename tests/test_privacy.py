"""A key leaves no trace, whatever goes wrong; nothing reaches out unasked."""

import io
import logging
import os
import traceback
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import docqa
from docqa.errors import DocqaError
from docqa.library.backup import write_backup
from docqa.library.catalog import Catalog
from docqa.library.vectors import VectorIndex
from docqa.present.conversation import Transcript
from docqa.present.export import CONVERSATION
from docqa.settings import DEFAULTS, Key, adjust, environment_for_reading, without_keys
from docqa.types.document import Block
from docqa.types.events import TextDelta
from docqa.ui.error_boundary import attempt
from docqa.ui.state import Screen
from tests.library.small import SmallWorkspace, made_pdf
from tests.messages_server import MessagesServer, Page, Refusal, Script, Turn, text, tool_use

KEY = "sk-ant-zanzibarquux-0123456789"


MARKER = KEY[:12]
HELD = f"The key {KEY} is not one of ours"
ENDINGS: dict[str, Script] = {
    "refused": Refusal(401, "authentication_error", HELD),
    "forbidden": Refusal(403, "permission_error", HELD),
    "repeated": Refusal(400, "invalid_request_error", HELD),
    "repeated in a form of its own": Refusal(418, "", HELD),
    "cut within the key": Refusal(400, "invalid_request_error", "x" * 290 + KEY),
    "not found": Refusal(404, "not_found_error", HELD),
    "busy": Refusal(429, "rate_limit_error", HELD, {"retry-after": KEY}),
    "broken": Refusal(500, "api_error", HELD),
    "no server of this kind": Page(f"<html>{HELD}</html>"),
    "led elsewhere": Refusal(307, "", HELD, {"location": f"http://198.51.100.7/{KEY}"}),
    "answered": Turn([text(f"The rent is due. {HELD}.")]),
    "broken off": Turn([text(f"The rent is due. {HELD}.")], end="truncated"),
    "failed in mid-answer": Turn(
        [text("The rent is due.")], end="error", error="invalid_request_error", message=HELD
    ),
    "a tool that is none": Turn([tool_use(KEY, query=KEY)], stop_reason="tool_use"),
    "a page that cannot be read": Turn(
        [tool_use("read_page", document="1.pdf", page=1)], stop_reason="tool_use"
    ),
}


def traces_with_values(error: BaseException) -> Iterator[str]:
    """The values of every variable of docqa on the way to an error, as a crash report has them."""
    trace: BaseException | None = error
    while trace is not None:
        for frame in traceback.TracebackException.from_exception(trace, capture_locals=True).stack:
            if Path(frame.filename).is_relative_to(Path(docqa.__file__).parent):
                yield f"{frame.filename}:{frame.lineno} {frame.locals}"
        trace = trace.__cause__ or trace.__context__


def ours(record: logging.LogRecord) -> bool:
    """Whether docqa's log file takes it; it takes nothing of a library that docqa uses."""
    return record.name.startswith("docqa")


def exports_of(opened: SmallWorkspace, conversation_id: str) -> Iterator[bytes]:
    """The conversation in every form it is exported in, unpacked."""
    said = opened.conversations.messages(conversation_id)
    exchanges = [("Rent?", message) for message in said]
    for form in CONVERSATION:
        yield from unpacked(form.write(Transcript("Rent", exchanges)))


def unpacked(content: bytes) -> Iterator[bytes]:
    yield content
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from (archive.read(name) for name in archive.namelist())


class Crashing(Catalog):
    """One of which reading a page for the model is a fault of the program."""

    def blocks(self, document_id: str, page: int | None = None) -> list[Block]:
        if page is not None:
            raise ZeroDivisionError("a page of the rent")
        return super().blocks(document_id, page)


def test_a_key_stays_out_of_all_that_is_kept_or_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever a server does with it: the library, its log, exports, sentences, traces."""
    monkeypatch.setenv("DOCQA_LOG", "DEBUG")
    folder = tmp_path / "library"
    with (
        caplog.at_level(logging.DEBUG),
        SmallWorkspace(folder) as opened,
        closing(Crashing(folder)) as opened.resources.catalog,
    ):
        opened.add([made_pdf(tmp_path / "1.pdf", seed=1, passages=5)])
        asked = opened.conversations.begin("Rent")
        for ending, script in ENDINGS.items():
            told = list(told_of(script, opened, asked))
            assert not [each for each in told if MARKER in each], ending
        kept = list(exports_of(opened, asked))
    write_backup(tmp_path / "library", tmp_path / "b.zip")
    kept += unpacked((tmp_path / "b.zip").read_bytes())
    kept += [path.read_bytes() for path in (tmp_path / "library").rglob("*") if path.is_file()]
    assert not [each for each in kept if MARKER.encode() in each]
    assert not [each for each in caplog.records if MARKER in each.getMessage() and ours(each)]


def told_of(script: Script, opened: SmallWorkspace, conversation_id: str) -> Iterator[str]:
    """All that is said while a server of that script is asked: events, errors, their traces."""
    with MessagesServer(script, Turn([text("Done.")]), models=(f"model-{KEY}",)) as server:
        away = adjust(DEFAULTS, base_url=server.url, max_retries=0)

        def ask() -> list[str]:
            events = opened.ask(
                "Rent?", conversation_id=conversation_id, api_key=Key(KEY), settings=away
            )
            return [str(each) for each in events if not isinstance(each, TextDelta)]

        try:
            yield from ask()
        except Exception as error:
            yield from traceback.format_exception(error)
            yield from traces_with_values(error)
            server.scripts.insert(0, script)
        yield attempt(ask)
    assert server.headers[0]["x-api-key"] == KEY


def test_a_key_is_not_shown_with_the_session_that_holds_it() -> None:
    assert KEY not in repr(Screen(api_key=Key(KEY)))


def test_a_key_is_taken_out_of_words_as_long_as_it_is_in_use() -> None:
    one, other = Key(KEY), Key(KEY)
    assert without_keys(f"{KEY}, {KEY[:-1]}") == f"[key], {KEY[:-1]}"
    del one
    assert without_keys(other) == "[key]"
    short = Key("rent")
    assert without_keys("The rent") == f"The {short}"


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
