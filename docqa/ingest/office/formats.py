"""Whether a file that is no PDF can be read at all, looked at before anything is unpacked."""

import zipfile
from pathlib import Path

from docqa.errors import (
    EmptyFile,
    FileMissing,
    OfficeProtected,
    OfficeTooOld,
    ReadingFailed,
    TooLarge,
)
from docqa.settings import Settings
from docqa.types.document import FileKind

MAIN_PART: dict[FileKind, str] = {  # of the ZIP archives of XML that office files are
    "docx": "word/",
    "pptx": "ppt/",
    "xlsx": "xl/",
}
UNPACKED = 256 * 1024**2  # bytes such an archive may unpack to; XML trees take about ten times it
MARKUP_LIMIT = 32 * 1024**2  # bytes of a file that is text; its tree takes about forty times it
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the container of old and of encrypted files
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def check(path: Path, name: str, kind: FileKind, *, limits: Settings) -> None:
    """Raises `FileMissing`, `EmptyFile`, `TooLarge`, `ReadingFailed`, and as `refuse_compound`."""
    try:
        size = path.stat().st_size
    except FileNotFoundError as error:
        raise FileMissing(name) from error
    if size == 0:
        raise EmptyFile(name)
    if kind not in MAIN_PART:
        _check_size(size, min(limits.reading.max_file_size, MARKUP_LIMIT), name)
        _check_text(path, name)
        return
    _check_size(size, limits.reading.max_file_size, name)
    _check_size(_unpacked_size(path, name, MAIN_PART[kind]), UNPACKED, name)


def text_of(path: Path) -> str:
    """What a file that is text says: in UTF-8 or UTF-16 as it tells, else as Windows writes it."""
    content = path.read_bytes()
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _check_size(size: int, limit: int, name: str) -> None:
    if size > limit:
        sizes = (f"{each / 1024**2:,.0f} MB" for each in (size, limit))
        raise TooLarge(name, what=next(sizes), limit=next(sizes))


def _check_text(path: Path, name: str) -> None:
    """What has zero bytes at its start is no text, whatever its name says (UTF-16 aside)."""
    with path.open("rb") as file:
        start = file.read(4096)
    if b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadingFailed(name, reason="it is not text, whatever its name says")


def _unpacked_size(path: Path, name: str, main_part: str) -> int:
    """Bytes all members unpack to, as declared: the reader of an archive gives out no more."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as error:
        refuse_compound(path, name)
        reason = "it is damaged or not what its name says"
        raise ReadingFailed(name, reason=reason) from error
    if any(member.flag_bits & 1 for member in members):
        raise OfficeProtected(name)
    if not any(member.filename.startswith(main_part) for member in members):
        raise ReadingFailed(name, reason="it is not what its name says")
    return sum(member.file_size for member in members)


def refuse_compound(path: Path, name: str) -> None:
    """Refuse what is kept as Office once did, or as it keeps what a password protects.

    Raises `OfficeProtected`, `OfficeTooOld`, and `FileMissing` where it cannot be looked at.
    """
    try:
        with path.open("rb") as file:
            if not file.read(len(_COMPOUND)).startswith(_COMPOUND):
                return
            raise OfficeProtected(name) if _ENCRYPTED in file.read() else OfficeTooOld(name)
    except OSError as error:
        raise FileMissing(name) from error
