"""What `doctor` looks at: versions, models, the library's stores, and each line of privacy.

It reads settings where the libraries that obey them read them, since importing Streamlit or
Chroma to ask would take seconds. What it can mend, `repair` mends; the rest has a sentence.
"""

import os
import platform
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from docqa import supported
from docqa.app import reindex
from docqa.app.add import Additions
from docqa.app.resources import Resources
from docqa.errors import LibraryReadOnly, VectorServerUnreachable
from docqa.ingest.prepare import recipe
from docqa.library import reindex_store
from docqa.library.lock import owner
from docqa.models import load
from docqa.settings import api_key, app_folder, hub_folder, telemetry_off
from docqa.types.document import Document
from docqa.types.phrases import count

ROOT = app_folder()
SPACE_WANTED = 2 * 1024**3  # bytes: room for a large upload, its vectors and a model
LAYOUT_REMEDY = (
    "Fetch its files again, or set DOCQA_LAYOUT_MODELS=off; until then files are read by geometry."
)
REPAIR = "`python -m docqa doctor --repair` mends it."
_PIN = re.compile(r"([\w.-]+)(?:\[.*?\])?==([\w.]+)")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it is as it should be, what was seen, what to do if not."""

    name: str
    fine: bool
    detail: str
    remedy: str = ""


def examine(resources: Resources) -> list[Finding]:
    """Every check, in the order they are shown; opens the index, reads every file and vector."""
    return [
        _python(),
        *_packages(),
        *_models(),
        _disk(resources),
        _folder(resources),
        _catalog(resources),
        _index(resources),
        _files(resources),
        _cutting(resources),
        *_pages(resources),
        *_privacy(resources),
    ]


def repair(resources: Resources, additions: Additions) -> list[str]:
    """Mend what can be mended without asking; a sentence for each thing that was."""
    mended = []
    if not _folder(resources).fine and sys.platform != "win32":
        resources.folder.chmod(0o700)
        mended.append("the library folder is for its owner alone")
    if not resources.catalog.is_sound() and resources.catalog.mend():
        mended.append("the keyword index was made anew from the passages")
    if not index_agrees(resources):
        additions.rebuild_index()
        mended.append("the vector index was made anew from the catalog")
    return mended


def lost_files(resources: Resources) -> list[Document]:
    """The documents whose file is not there as it was added; reads every file."""
    documents = resources.catalog.documents()
    return [each for each in documents if not resources.files.is_whole(each.id)]


def is_chunked_differently(resources: Resources) -> bool:
    """Whether the passages were made in another way than they would be made now."""
    now = recipe(resources.encoder.name, resources.settings)
    catalog = resources.catalog
    return bool(catalog.documents()) and catalog.get_setting("recipe") != now


def index_agrees(resources: Resources) -> bool:
    """Whether every vector of the catalog can be read from the index; reads all."""
    catalog, index = resources.catalog, resources.index
    return index.count() == catalog.vector_count() and all(
        index.holds(ids, kept) for _, ids, kept in catalog.all_vectors()
    )


def _python() -> Finding:
    fine = supported.OLDEST <= sys.version_info[:2] <= supported.NEWEST
    seen = f"{platform.python_version()} on {platform.system()}"
    return Finding("python", fine, seen, f"docqa is made for {supported.PYTHONS}.")


def _packages() -> Iterator[Finding]:
    try:
        wanted = _PIN.findall((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    except OSError:
        yield Finding("requirements", False, "requirements.txt is not beside the package")
        return
    for name, version in wanted:
        try:
            seen = metadata.version(name)
        except metadata.PackageNotFoundError:
            seen = "not installed"
        fine = seen.split("+")[0] == version
        shown = seen if fine else f"{seen}, tested with {version}"
        yield Finding(name, fine, shown, "Install the requirements again: pip install -r.")


def _models() -> Iterator[Finding]:
    for each in load.model_statuses():
        if each.fault:
            yield Finding(f"model {each.name}", False, each.fault, LAYOUT_REMEDY)
            continue
        whole = each.state == "missing" or load.is_whole(each.name)
        used = ", in use" if each.used else ""
        seen = f"{each.state}, for the {each.purpose}{used}" if whole else "its files are damaged"
        again = "Install the requirements again."
        if each.state == "cached":
            again = f"Delete its folder in {hub_folder()} and download it again."
        yield Finding(f"model {each.name}", whole, seen, again)


def _disk(resources: Resources) -> Finding:
    free = shutil.disk_usage(resources.folder).free
    return Finding("disk", free > SPACE_WANTED, f"{free / 1e9:.1f} GB free", "Free some space.")


def _folder(resources: Resources) -> Finding:
    folder, mode = resources.folder.resolve(), resources.folder.stat().st_mode & 0o777
    if sys.platform == "win32":  # which has no mode; a person's own folders are closed to others
        own = folder.is_relative_to(Path.home())
        where = "in a folder of yours" if own else "in no folder of yours: others may read it"
        return Finding("library folder", own, f"{folder}, {where}", f"Move it into {Path.home()}.")
    return Finding("library folder", mode & 0o077 == 0, f"{folder}, mode {mode:o}", REPAIR)


def _catalog(resources: Resources) -> Finding:
    sound = resources.catalog.is_sound()
    documents, chunks = len(resources.catalog.documents()), resources.catalog.chunk_count()
    seen = f"{count(documents, 'document')}, {count(chunks, 'passage')}"
    broken = "the file or its keyword index is damaged"
    remedy = f"{REPAIR} Where it does not, restore a backup."
    return Finding("catalog", sound, seen if sound else f"{seen}; {broken}", remedy)


def _index(resources: Resources) -> Finding:
    if resources.read_only:
        seen = f"not looked at: another docqa has the library ({owner(resources.folder)})"
        return Finding("vector index", True, seen)
    try:
        agrees, vectors = index_agrees(resources), resources.index.count()
    except VectorServerUnreachable as error:
        return Finding("vector index", False, str(error))
    where = f" at {resources.index.place}" if resources.index.place else ""
    seen = f"{vectors} vectors{where}, {'all as' if agrees else 'not those'} in the catalog"
    return Finding("vector index", agrees, seen, REPAIR)


def _files(resources: Resources) -> Finding:
    lost = [document.name for document in lost_files(resources)]
    seen = f"lost or damaged: {', '.join(lost)}" if lost else "all there and whole"
    return Finding("files", not lost, seen, "Add these files again; nothing else is lost.")


def _cutting(resources: Resources) -> Finding:
    remedy = "`python -m docqa reindex` cuts and embeds all of it in one way."
    if reindex_store.waiting(resources.folder):
        goes_on = "`python -m docqa reindex` goes on where it stopped."
        return Finding("passages", False, "indexing again was broken off", goes_on)
    if is_chunked_differently(resources):
        return Finding("passages", False, "cut by another docqa or other settings", remedy)
    if number := reindex.outdated(resources):
        read = count(number, "document was", "documents were")
        seen = f"{read} read by an earlier docqa, or without the layout network"
        return Finding("passages", False, seen, "`python -m docqa reindex` reads them again.")
    return Finding("passages", True, f"made with {resources.encoder.name} as they are now")


def _pages(resources: Resources) -> Iterator[Finding]:
    for document in resources.catalog.documents():
        marked = [page for page in resources.catalog.health(document.id) if page.warnings]
        seen = "; ".join(f"{page.where}: {', '.join(page.warnings)}" for page in marked)
        if document.waiting_pages:
            waiting = count(document.waiting_pages, "page waits", "pages wait")
            seen = f"{waiting} for OCR; {seen}".rstrip("; ")
        yield Finding(f"pages of {document.name}", not marked, seen or "all read")


def _privacy(resources: Resources) -> Iterator[Finding]:
    address = streamlit_option("server", "address")
    local = address in ("127.0.0.1", "localhost", "::1")
    restored = "Put .streamlit/config.toml back and unset STREAMLIT_… in the environment."
    yield Finding("server address", local, str(address or "every address"), restored)
    xsrf = streamlit_option("server", "enableXsrfProtection") is True
    yield Finding("protection from other pages (XSRF)", xsrf, "on" if xsrf else "off", restored)
    off = streamlit_option("browser", "gatherUsageStats") is False
    yield Finding("telemetry of Streamlit", off, "off" if off else "on", restored)
    with suppress(VectorServerUnreachable, LibraryReadOnly):  # said under the vector index
        for name, off in {**telemetry_off(), "Chroma": resources.index.is_silent()}.items():
            yield Finding(f"telemetry of {name}", off, "off" if off else "on")
    yield _key(resources)


def streamlit_option(section: str, name: str) -> object:
    """What ``streamlit run app.py`` would take: the environment, the app's file, the person's."""
    words = re.sub(r"([A-Z])", r"_\1", f"{section}_{name}").upper()
    setting = os.environ.get(f"STREAMLIT_{words}")
    if setting is not None:
        return {"true": True, "false": False}.get(setting.lower(), setting)
    for folder in (ROOT, Path.home()):
        try:
            text = (folder / ".streamlit" / "config.toml").read_text(encoding="utf-8")
            return tomllib.loads(text)[section][name]
        except (OSError, KeyError, tomllib.TOMLDecodeError):
            continue
    return None


def _key(resources: Resources) -> Finding:
    key = api_key()
    if not key:
        return Finding("key", True, "none set; nothing is sent anywhere")
    files = [path for path in resources.folder.rglob("*") if path.is_file()]
    holding = [path.name for path in files if _holds(path, key.encode())]
    if holding:
        seen = f"stands in {', '.join(holding)}"
        return Finding("key", False, seen, "Delete what holds it, and have the key replaced.")
    return Finding("key", True, "in the environment, in no file of the library")


def _holds(path: Path, marker: bytes) -> bool:
    """Whether the file holds these bytes, if it is still there; read in pieces that overlap."""
    before = b""
    with suppress(FileNotFoundError), path.open("rb") as file:
        while piece := file.read(1 << 20):
            if marker in before + piece:
                return True
            before = piece[-len(marker) :]
    return False
