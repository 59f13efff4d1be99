"""What kind of file a name and its first bytes say it is, and whether it is safe to unpack."""

import zipfile
from pathlib import Path, PurePath
from typing import Literal

from docqa.errors import EmptyFile, FileMissing, ReadingFailed, TooLarge
from docqa.settings import Settings

Kind = Literal["pdf", "docx", "pptx", "xlsx", "html", "md", "txt"]

KINDS: dict[str, Kind] = {
    ".docx": "docx",
    ".pptx": "pptx",
    ".xlsx": "xlsx",
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".markdown": "md",
    ".txt": "txt",
}
PACKED = {"docx", "pptx", "xlsx"}  # ZIP archives of XML
UNPACKED = 256 * 1024**2  # bytes such an archive may unpack to; XML trees take about ten times it


def kind_of(name: str) -> Kind:
    """The kind a file's name tells; whatever has no known ending is taken for a PDF.

    >>> kind_of("Rents.XLSX"), kind_of("Lease")
    ('xlsx', 'pdf')
    """
    return KINDS.get(PurePath(name).suffix.lower(), "pdf")


def check(path: Path, name: str, *, limits: Settings) -> None:
    """Whether a file that is no PDF can be read at all, looked at before anything is unpacked.

    Raises `FileMissing`, `EmptyFile`, `TooLarge`, `ReadingFailed`.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError as error:
        raise FileMissing(name) from error
    if size == 0:
        raise EmptyFile(name)
    _check_size(size, limits.max_file_size, name)
    if kind_of(name) in PACKED:
        _check_size(_unpacked_size(path, name), UNPACKED, name)


def _check_size(size: int, limit: int, name: str) -> None:
    if size > limit:
        told = (f"{each / 1024**2:,.0f} MB" for each in (size, limit))
        raise TooLarge(name, what=next(told), limit=next(told))


def _unpacked_size(path: Path, name: str) -> int:
    """Bytes all members unpack to, as declared: the reader of an archive gives out no more."""
    try:
        with zipfile.ZipFile(path) as archive:
            return sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        reason = "it is damaged, protected by a password, or not what its name says"
        raise ReadingFailed(name, reason=reason) from error
