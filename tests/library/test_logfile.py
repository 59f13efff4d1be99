"""What is written down of the work, and what never is."""

import logging
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docqa.library import logfile
from docqa.library.logfile import KEPT, LOG_NAME, LogFile

log = logging.getLogger("docqa.library.made_up")


@pytest.fixture(autouse=True)
def _level_as_before() -> Iterator[None]:
    before = logging.getLogger("docqa").level
    yield
    logging.getLogger("docqa").setLevel(before)


def test_the_log_is_in_the_library_and_ends_when_closed(tmp_path: Path) -> None:
    kept = LogFile(tmp_path)
    log.info("One document was added")
    log.debug("The rent is $25,000")
    logging.getLogger("chromadb").error("The rent is $25,000")
    kept.close()
    log.info("Another was added")
    text = (tmp_path / LOG_NAME).read_text("utf-8")
    assert "INFO docqa.library.made_up: One document was added" in text
    assert "rent" not in text
    assert "Another" not in text
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / LOG_NAME).stat().st_mode) == 0o600


def test_more_is_written_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCQA_LOG", "debug")
    kept = LogFile(tmp_path)
    log.debug("The whole trace")
    kept.close()
    assert "The whole trace" in (tmp_path / LOG_NAME).read_text("utf-8")


def test_the_log_turns_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logfile, "LARGEST", 2000)
    kept = LogFile(tmp_path)
    for number in range(200):
        log.info("Event %d of many that are alike", number)
    kept.close()
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [LOG_NAME, *(f"{LOG_NAME}.{number}" for number in range(1, KEPT + 1))]
    assert all(path.stat().st_size <= 2100 for path in tmp_path.iterdir())
    assert "Event 199" in (tmp_path / LOG_NAME).read_text("utf-8")


def test_a_log_that_cannot_be_written_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / LOG_NAME).mkdir()
    kept = LogFile(tmp_path)
    log.warning("Nobody reads this")
    kept.close()
    assert capsys.readouterr().err == ""
