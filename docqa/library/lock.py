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

LOCK_NAME = "in-use.lock"
_LOCKED_BYTE = 1 << 30  # far past the text, which others must be able to read on Windows


class LibraryLock:
    """Held from construction until `close`; raises LibraryLocked while another holds it."""

    def __init__(self, folder: Path) -> None:
        self._file = _open(folder / LOCK_NAME)
        try:
            _acquire(self._file)
        except OSError as error:
            self._file.close()
            raise _refusal(folder, error) from error
        _write_owner(self._file)

    def close(self) -> None:
        """Let go of the folder. The file stays: removing it would race with who comes next."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


def _open(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        reason = f"nothing can be written there ({error.strerror}); choose another folder"
        raise LibraryUnusable(str(path.parent), reason=reason) from error
    return os.fdopen(descriptor, "r+", encoding="utf-8")


def _acquire(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(_LOCKED_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _refusal(folder: Path, error: OSError) -> Exception:
    if isinstance(error, BlockingIOError | PermissionError):
        return LibraryLocked(str(folder), owner=_owner(folder / LOCK_NAME))
    reason = f"its disk cannot lock files ({error.strerror}); choose a folder on a local disk"
    return LibraryUnusable(str(folder), reason=reason)


def _write_owner(file: IO[str]) -> None:
    started = datetime.now(UTC).isoformat(timespec="seconds")
    file.truncate(0)
    json.dump({"pid": os.getpid(), "host": socket.gethostname(), "started": started}, file)
    file.flush()


def _owner(path: Path) -> str:
    """Who holds the lock, in words; the file may be half-written at this moment."""
    try:
        owner = json.loads(path.read_text(encoding="utf-8"))
        started = datetime.fromisoformat(owner["started"]).astimezone()
        return f"process {owner['pid']} on {owner['host']}, since {started:%Y-%m-%d %H:%M}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
