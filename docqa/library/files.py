"""The files themselves, named by the SHA-256 of their bytes, readable by their owner alone."""

import errno
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, get_args

from docqa.errors import DocqaError, FileMissing, LibraryUnusable, ReadingFailed
from docqa.types.document import FileKind, kind_of

SCRATCH = "scratch"  # the library's folder for what is under way; emptied when it is opened
_BLOCK = 1 << 20  # bytes read at a time
_PART = ".part"
_HELD = 5.0  # seconds that are waited for a file that is being read, or scanned for viruses
# Without O_BINARY, which only Windows has, bytes would change on the way.
_CREATE = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
_CONTENT_ID = re.compile(r"[0-9a-f]{64}")
KINDS: tuple[FileKind, ...] = get_args(FileKind)


def content_id(path: Path) -> str:
    """The SHA-256 of the file's bytes, in hexadecimal. Raises FileMissing, ReadingFailed."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from error


def open_private(path: Path) -> IO[str]:
    """The file, made where it is missing, and its folder, for their owner alone.

    Raises LibraryUnusable.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        reason = f"nothing can be written there ({error.strerror}); choose another folder"
        raise LibraryUnusable(str(path.parent), reason=reason) from error
    return os.fdopen(descriptor, "r+", encoding="utf-8")


@contextmanager
def created(path: Path) -> Iterator[IO[bytes]]:
    """A new file, for its owner alone, on disk once the block has ended."""
    with os.fdopen(os.open(path, _CREATE, 0o600), "w+b") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def scratch(folder: Path) -> Path:
    """A new folder in the library for files on their way; whoever asks for it removes it.

    Here, and not in the system's folder for temporary files, what a killed process leaves is
    found and deleted when the library is next opened. Raises LibraryUnusable.
    """
    with _translated(folder):
        (folder / SCRATCH).mkdir(parents=True, exist_ok=True, mode=0o700)
        return Path(tempfile.mkdtemp(dir=folder / SCRATCH))


def in_scratch(folder: Path, content: bytes, kind: FileKind = "pdf") -> Path:
    """A file with these bytes, in a `scratch` folder of its own. Raises LibraryUnusable."""
    path = scratch(folder) / f"upload.{kind}"
    with _translated(folder):
        try:
            path.write_bytes(content)
        except OSError:
            shutil.rmtree(path.parent, ignore_errors=True)
            raise
    return path


def clear_scratch(folder: Path) -> None:
    """Delete what ended processes left there; only with the library locked."""
    shutil.rmtree(folder / SCRATCH, ignore_errors=True)


def delete_folder(folder: Path) -> None:
    """Delete a folder with all that is in it; no folder is no error. Raises LibraryUnusable.

    Windows deletes no file that is open, and Chroma closes its own a moment after it was told.
    """
    with _translated(folder.parent):
        _insist(lambda: shutil.rmtree(folder))


def _insist(delete: Callable[[], None]) -> None:
    """Delete what may not be there, and wait a while for whoever has it open."""
    until = time.monotonic() + _HELD
    while True:
        try:
            return delete()
        except FileNotFoundError:
            return None
        except PermissionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


class FileStore:
    """Files in the folder "files" of the library, each there whole or not at all.

    A file's ending is its kind: "….pdf", "….docx".
    """

    def __init__(self, folder: Path) -> None:
        """Makes the folder. Raises LibraryUnusable."""
        self._folder = folder / "files"
        with _translated(folder):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def clear_broken_off(self) -> None:
        """Clear away copies that were broken off; only with the library locked."""
        with _translated(self._folder):
            for part in self._folder.glob(f"*{_PART}"):
                part.unlink()

    def put(self, path: Path) -> Path:
        """Copy a file in and return where it now is; its stem is the content id.

        The ending of ``path`` tells its kind, unless the file is there already.
        The copy is read again from disk before it takes its name. Putting the same bytes twice
        keeps one copy, and mends a damaged one. Raises FileMissing, ReadingFailed,
        LibraryUnusable.
        """
        document_id = content_id(path)
        kept = self.path(document_id, self._kind(document_id) or kind_of(path.name))
        if kept.exists() and content_id(kept) == document_id:
            return kept
        part = self._folder / f"{document_id}-{os.getpid()}{_PART}"
        try:
            with _translated(self._folder):
                with created(part) as copy:
                    copy.writelines(_pieces(path))
                if content_id(part) != document_id:
                    reason = "a copy of a file did not read back as it was written; check the disk"
                    raise LibraryUnusable(str(self._folder), reason=reason)
                part.replace(kept)
        finally:
            part.unlink(missing_ok=True)
        return kept

    def path(self, document_id: str, kind: FileKind | None = None) -> Path:
        """Where the file of this id is; without one, where that of the kind would be."""
        if not _CONTENT_ID.fullmatch(document_id):
            raise ValueError(f"not a content id: {document_id!r}")
        return self._folder / f"{document_id}.{kind or self._kind(document_id) or 'pdf'}"

    def _kind(self, document_id: str) -> FileKind | None:
        """The kind under which the file is kept."""
        kept = (kind for kind in KINDS if (self._folder / f"{document_id}.{kind}").exists())
        return next(kept, None)

    def remove(self, document_id: str) -> None:
        """Remove the file; no file is no error. Raises LibraryUnusable."""
        with _translated(self._folder):
            for kind in KINDS:
                _insist(self.path(document_id, kind).unlink)

    def is_whole(self, document_id: str) -> bool:
        """Whether the file is there and its bytes are those it is named by."""
        path = self.path(document_id)
        try:
            return content_id(path) == document_id
        except (FileMissing, ReadingFailed):
            return False

    def ids(self) -> list[str]:
        """The ids of the files that are there, sorted."""
        kept = (path for path in self._folder.iterdir() if path.suffix[1:] in KINDS)
        return sorted({path.stem for path in kept if _CONTENT_ID.fullmatch(path.stem)})


def _pieces(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while piece := file.read(_BLOCK):
                yield piece
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> DocqaError:
    if isinstance(error, FileNotFoundError):
        return FileMissing(path.name)
    return ReadingFailed(path.name, reason=error.strerror or str(error))


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = f"{error.strerror}; check the folder and its permissions"
        if error.errno == errno.ENOSPC:
            reason = "the disk is full; free some space and try again"
        raise LibraryUnusable(str(folder), reason=reason) from error
