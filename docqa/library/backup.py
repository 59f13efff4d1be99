"""A library as one ZIP file: the catalog as it was last committed, and the files it names.

The library may be in use meanwhile, by this process or another. Vectors are not in the file: the
catalog holds them, and the index is rebuilt from it. Nothing in it depends on the machine.

    docqa-backup.json     SHA-256 and size of every other member
    catalog.sqlite3
    files/<SHA-256>.pdf, files/<SHA-256>.docx, …
"""

import errno
import hashlib
import json
import re
import shutil
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from docqa.errors import (
    BackupDamaged,
    BackupUnwritable,
    FileMissing,
    LibraryMissing,
    LibraryNotEmpty,
    LibraryUnusable,
)
from docqa.library import vectors
from docqa.library.catalog import CATALOG_NAME, Catalog
from docqa.library.database import snapshot
from docqa.library.files import KINDS, FileStore, clear_scratch, content_id, created, scratch
from docqa.library.lock import LibraryLock
from docqa.types.document import kind_of
from docqa.types.progress import no_progress

Told = Callable[[int, int], None]  # members done, of how many

PACKED = "backup.zip"
MANIFEST = "docqa-backup.json"
FORMAT = 1
_BLOCK = 1 << 20  # bytes read at a time
_LONGEST_MANIFEST = 50_000_000  # bytes; a document takes about 150
# What zipfile raises for a member that is missing, cut off, encrypted or packed in another way.
_DAMAGE = (
    KeyError,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)
_MEMBER = re.compile(rf"{re.escape(CATALOG_NAME)}|files/[0-9a-f]{{64}}\.(?:{'|'.join(KINDS)})")


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds. ``without_pdf`` names documents whose file was lost or damaged."""

    made: str  # ISO 8601, UTC
    documents: int
    size: int  # bytes, unpacked
    without_pdf: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Member:
    sha256: str
    size: int  # bytes


def write_backup(folder: Path, target: Path, *, progress: Told | None = None) -> Backup:
    """Write the library in ``folder`` to ``target``, which is there whole or not at all.

    It is read back and compared before it takes its name. Raises BackupUnwritable, also where
    the file exists already, LibraryMissing and LibraryUnusable.
    """
    if not (folder / CATALOG_NAME).is_file():
        raise LibraryMissing(str(folder))
    if target.exists():
        raise BackupUnwritable(str(target), reason="a file of this name already exists")
    work = target.with_name(f"{target.name}.part")
    shutil.rmtree(work, ignore_errors=True)  # what a killed one left
    try:
        work.mkdir(mode=0o700)
        made = _pack(folder, work, progress or no_progress)
        _read_back(work / PACKED, target)
        (work / PACKED).replace(target)
    except OSError as error:
        raise BackupUnwritable(str(target), reason=_reason(error)) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return made


def _pack(folder: Path, work: Path, progress: Told) -> Backup:
    files = FileStore(folder)
    at_first = set(files.ids())
    snapshot(folder / CATALOG_NAME, work / CATALOG_NAME)
    with created(work / PACKED) as packed, zipfile.ZipFile(packed, "w") as archive:
        with closing(Catalog(work)) as catalog:
            members, without = _put_files(archive, catalog, files, at_first, progress)
            catalog.finish(catalog.unfinished())  # removals, and what was being added
            count = len(catalog.documents())
            if not catalog.is_sound():
                raise LibraryUnusable(str(folder), reason="its catalog is damaged; run `doctor`")
        members[CATALOG_NAME] = _put(archive, work / CATALOG_NAME, CATALOG_NAME, packed=True)
        size = sum(member.size for member in members.values())
        now = datetime.now(UTC).isoformat(timespec="seconds")
        made = Backup(now, count, size, tuple(without))
        listed = {name: asdict(member) for name, member in members.items()}
        text = json.dumps({"format": FORMAT, **asdict(made), "members": listed}, indent=1)
        archive.writestr(MANIFEST, text, compress_type=zipfile.ZIP_DEFLATED)
    return made


def _put_files(
    archive: zipfile.ZipFile,
    catalog: Catalog,
    files: FileStore,
    at_first: set[str],
    progress: Told,
) -> tuple[dict[str, Member], list[str]]:
    """The members that were put in, and the names of documents whose file is lost or damaged."""
    documents = catalog.documents()
    members, without = {}, []
    for done, document in enumerate(documents):
        progress(done, len(documents))
        path = files.path(document.id)
        try:
            if content_id(path) == document.id:
                members[f"files/{path.name}"] = _put(archive, path, f"files/{path.name}")
                continue
        except (FileMissing, FileNotFoundError):
            if document.id in at_first:  # it was removed while the backup was under way
                catalog.remove(document.id)
                continue
        without.append(document.name)
    progress(len(documents), len(documents))
    return members, without


def _put(archive: zipfile.ZipFile, path: Path, name: str, *, packed: bool = False) -> Member:
    """Most files are compressed already, and all go in as they are."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as source:
        entry = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
        entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        with archive.open(entry, "w") as target:
            while piece := source.read(_BLOCK):
                target.write(piece)
                digest.update(piece)
                size += len(piece)
    return Member(digest.hexdigest(), size)


def restore_backup(source: Path, folder: Path, *, progress: Told | None = None) -> Backup:
    """Unpack a backup into ``folder``, which must be empty or hold an empty library.

    Every byte is compared with its hash before anything takes its place; the catalog comes last.
    Raises BackupDamaged, LibraryNotEmpty, LibraryTooNew, LibraryLocked, LibraryUnusable.
    """
    with closing(LibraryLock(folder)), _opened(source) as archive:
        _refuse_what_is_there(folder)
        backup, members = _manifest(archive, source)
        clear_scratch(folder)
        staging = scratch(folder)
        try:
            _unpack(archive, members, staging, source, progress or no_progress)
            _check_catalog(staging, source)
            _move_in(staging, folder)
        except OSError as error:
            raise LibraryUnusable(str(folder), reason=_reason(error)) from error
        finally:
            clear_scratch(folder)
    return backup


def _refuse_what_is_there(folder: Path) -> None:
    if not (folder / CATALOG_NAME).exists():
        return
    with closing(Catalog(folder)) as catalog:
        if catalog.documents() or catalog.conversations.all():
            raise LibraryNotEmpty(str(folder))


def _manifest(archive: zipfile.ZipFile, source: Path) -> tuple[Backup, dict[str, Member]]:
    try:
        if archive.getinfo(MANIFEST).file_size > _LONGEST_MANIFEST:
            raise BackupDamaged(str(source), reason="its list of contents is too long")
        manifest = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise BackupDamaged(str(source), reason="it was made by a newer version of docqa")
        members = {name: Member(**member) for name, member in manifest["members"].items()}
        backup = Backup(
            str(manifest["made"]),
            int(manifest["documents"]),
            sum(int(member.size) for member in members.values()),
            tuple(map(str, manifest["without_pdf"])),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BackupDamaged(str(source), reason="it is not a docqa backup") from error
    if CATALOG_NAME not in members or not all(map(_MEMBER.fullmatch, members)):
        raise BackupDamaged(str(source), reason="it is not a docqa backup")
    return backup, members


def _read_back(packed: Path, target: Path) -> None:
    try:
        with _opened(packed) as archive:
            _, members = _manifest(archive, packed)
            for name, member in members.items():
                deque(_checked(archive, name, member, packed), maxlen=0)
    except BackupDamaged as error:
        reason = "it did not read back as it was written; check the disk"
        raise BackupUnwritable(str(target), reason=reason) from error


def _unpack(
    archive: zipfile.ZipFile,
    members: Mapping[str, Member],
    staging: Path,
    source: Path,
    progress: Told,
) -> None:
    (staging / "files").mkdir(mode=0o700)
    if shutil.disk_usage(staging).free < sum(member.size for member in members.values()):
        raise OSError(errno.ENOSPC, "not enough room")
    for done, (name, member) in enumerate(members.items()):
        progress(done, len(members))
        with created(staging / name) as file:
            file.writelines(_checked(archive, name, member, source))
    progress(len(members), len(members))


def _checked(archive: zipfile.ZipFile, name: str, member: Member, source: Path) -> Iterator[bytes]:
    """The member's bytes, never more than it is said to have. Raises BackupDamaged."""
    digest, left = hashlib.sha256(), member.size
    try:
        with archive.open(name) as packed:
            while piece := packed.read(_BLOCK):
                left -= len(piece)
                if left < 0:
                    break
                digest.update(piece)
                yield piece
    except _DAMAGE as error:
        raise BackupDamaged(str(source), reason=f"{name} in it cannot be read") from error
    if left or digest.hexdigest() != member.sha256:
        raise BackupDamaged(str(source), reason=f"{name} in it is not what was backed up")


def _check_catalog(staging: Path, source: Path) -> None:
    damaged = BackupDamaged(str(source), reason="the catalog in it is damaged")
    try:
        with closing(Catalog(staging)) as catalog:
            sound = catalog.is_sound()
    except LibraryUnusable as error:
        raise damaged from error
    if not sound:
        raise damaged


def _move_in(staging: Path, folder: Path) -> None:
    """The catalog comes last: until then the library is as empty as it was."""
    vectors.discard(folder)
    files = FileStore(folder)
    for path in (staging / "files").iterdir():
        path.replace(files.path(path.stem, kind_of(path.name)))
    for ending in ("-wal", "-shm"):
        (folder / f"{CATALOG_NAME}{ending}").unlink(missing_ok=True)
    (staging / CATALOG_NAME).replace(folder / CATALOG_NAME)


@contextmanager
def _opened(source: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(source)
    except OSError as error:
        raise BackupDamaged(str(source), reason=_reason(error)) from error
    except zipfile.BadZipFile as error:
        reason = "it is not a ZIP file, or it is truncated"
        raise BackupDamaged(str(source), reason=reason) from error
    with archive:
        yield archive


def _reason(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "the disk is full; free some space"
    return error.strerror or str(error)
