"""One docqa at a time in one library folder.

The operating system holds the lock on an open file and lets go of it when the process ends,
however it ends, so a lock can never be left behind. Two processes writing one vector index
corrupt it without an error, which is why this exists.
"""

import json
import os
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from docqa.errors import LibraryLocked, LibraryUnusable
from docqa.library.files import open_private

LOCK_NAME = "in-use.lock"
_LOCKED_BYTE = 1 << 30  # far past the text, which others must be able to read on Windows


class LibraryLock:
    """Held from construction until `close`; raises LibraryLocked while another holds it."""

    def __init__(self, folder: Path, *, address: str = "") -> None:
        """``address`` is where a browser finds the screen of this process, "" without one."""
        self._file = open_private(folder / LOCK_NAME)
        try:
            _acquire(self._file)
        except OSError as error:
            self._file.close()
            raise _refusal(folder, error) from error
        _write_owner(self._file, address)

    def close(self) -> None:
        """Let go of the folder. The file stays: removing it would race with who comes next."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


def _acquire(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def address_of_holder(folder: Path) -> str:
    """Where a browser finds the docqa that holds the folder; "" where none does, or no screen."""
    try:
        with (folder / LOCK_NAME).open("r+", encoding="utf-8") as file:
            _acquire(file)
    except FileNotFoundError:
        return ""
    except OSError:
        return address(folder)
    return ""


def _refusal(folder: Path, error: OSError) -> Exception:
    if isinstance(error, BlockingIOError | PermissionError):
        described = owner(folder) or "another process"
        return LibraryLocked(str(folder), owner=described, address=address(folder))
    reason = f"its disk cannot lock files ({error.strerror}); choose a folder on a local disk"
    return LibraryUnusable(str(folder), reason=reason)


def _write_owner(file: IO[str], address: str) -> None:
    started = datetime.now(UTC).isoformat(timespec="seconds")
    owner = {"pid": str(os.getpid()), "host": socket.gethostname(), "started": started}
    file.truncate(0)
    json.dump({**owner, "address": address}, file)
    file.flush()


def address(folder: Path) -> str:
    """Where a browser finds the docqa that took the lock last; "" where it let go, or none."""
    return _owner(folder).get("address", "")


def owner(folder: Path) -> str:
    """Who took the lock last, in words; "" where they let go, or the file is half-written."""
    held = _owner(folder)
    try:
        started = datetime.fromisoformat(held["started"]).astimezone()
        return f"process {held['pid']} on {held['host']}, since {started:%Y-%m-%d %H:%M}"
    except (ValueError, KeyError):
        return ""


def _owner(folder: Path) -> dict[str, str]:
    """What the holder wrote of itself; the file may be half-written at this moment."""
    try:
        held = json.loads((folder / LOCK_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {key: str(value) for key, value in held.items()} if isinstance(held, dict) else {}
