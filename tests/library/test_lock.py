import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from docqa.errors import LibraryLocked, LibraryUnusable
from docqa.library import lock
from docqa.library.lock import LOCK_NAME, LibraryLock

HOLD = """
import sys, time
from pathlib import Path
from docqa.library.lock import LibraryLock
lock = LibraryLock(Path(sys.argv[1]))
sys.stdout.write("held\\n"); sys.stdout.flush()
time.sleep(60)
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_lock_is_refused_naming_the_first(tmp_path: Path) -> None:
    held = LibraryLock(tmp_path)
    with pytest.raises(LibraryLocked, match=f"process {os.getpid()} on "):
        LibraryLock(tmp_path)
    held.close()
    held.close()
    LibraryLock(tmp_path).close()


def test_another_process_is_refused_and_its_death_lets_go(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with pytest.raises(
            LibraryLocked, match=rf"process {process.pid} on .*, since 20\d\d-\d\d-\d\d \d\d:\d\d\)"
        ):
            LibraryLock(tmp_path)
        process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        process.wait()
    LibraryLock(tmp_path).close()


def test_a_file_left_behind_locks_nobody_out(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).write_text('{"pid": 1, "host": "elsewhere"}')
    LibraryLock(tmp_path).close()


def test_the_address_of_a_holder_is_known_as_long_as_it_holds(tmp_path: Path) -> None:
    assert lock.address_of_holder(tmp_path / "none") == ""
    assert not (tmp_path / "none").exists()
    held = LibraryLock(tmp_path, address="http://127.0.0.1:8501")
    assert lock.address_of_holder(tmp_path) == "http://127.0.0.1:8501"
    with pytest.raises(LibraryLocked, match=r"open at http://127\.0\.0\.1:8501"):
        LibraryLock(tmp_path)
    held.close()
    assert lock.address_of_holder(tmp_path) == ""
    with closing(LibraryLock(tmp_path)):
        assert lock.address_of_holder(tmp_path) == ""
    (tmp_path / LOCK_NAME).write_text('{"address": "http://127.0.0.1:8501"}')  # of one that died
    assert lock.address_of_holder(tmp_path) == ""


def test_an_unreadable_owner_is_still_an_owner(tmp_path: Path) -> None:
    held = LibraryLock(tmp_path)
    (tmp_path / LOCK_NAME).write_text("{")
    with pytest.raises(LibraryLocked, match="another process"):
        LibraryLock(tmp_path)
    held.close()


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LibraryUnusable, match="choose another folder"):
        LibraryLock(tmp_path / "file")
