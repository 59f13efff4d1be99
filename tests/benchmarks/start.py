"""Starting: the import, memory before and after the models, opening a full library."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from docqa.types import Document
from docqa.workspace import Workspace
from tests.benchmarks.rows import Options, Row, medians

SECTION = "start"
DOCUMENTS = 300
_IMPORT = "import docqa.workspace"
_MEMORY = """
import json, os, sys
from pathlib import Path
from docqa.ingest.worker import resident_bytes
from docqa.workspace import Workspace
with Workspace(Path(sys.argv[1])) as workspace:
    workspace.documents()
    before = resident_bytes(os.getpid())
    workspace.warm().join()
    children = workspace.reader._full.child, workspace.reader._light.child
    pids = [os.getpid(), *(each.pid for each in children if each)]
    loaded = sum(map(resident_bytes, pids))
    print(json.dumps([before, loaded]))
"""


def run(options: Options) -> Iterator[Row]:
    """Seconds of the import and of Python itself; megabytes; see `tests.browser` for the page."""
    took = medians(
        {"docqa": lambda: _python(_IMPORT), "python": lambda: _python("pass")}, turns=options.turns
    )
    seconds = took["docqa"] - took["python"]
    yield Row(SECTION, "import of docqa", seconds, "s", options.turns, note="beyond Python's own")
    library = options.scratch / "listed"
    list_documents(library, 5 if options.short else DOCUMENTS)
    before, loaded = json.loads(_python(_MEMORY, str(library)))
    yield Row(SECTION, "memory before models", before / 1e6, "MB")
    note = "encoder, index, reading process"
    yield Row(SECTION, "memory with everything loaded", loaded / 1e6, "MB", note=note)
    opened = medians({"docqa": lambda: _listed(library)}, turns=options.turns)["docqa"]
    yield Row(SECTION, f"open and list {DOCUMENTS} documents", opened * 1000, "ms", options.turns)


def list_documents(folder: Path, count: int) -> None:
    """A library that lists so many documents, without passages."""
    nothing = np.zeros((0, 384), np.float32)
    with Workspace(folder) as workspace:
        for number in range(count):
            document = Document(f"{number:064x}", f"Filing {number:03}.pdf", 160)
            workspace.catalog.save(
                document, blocks=[], chunks=[], vectors=nothing, health=[], discards=[]
            )


def _listed(folder: Path) -> None:
    with Workspace(folder) as workspace:
        workspace.documents()


def _python(code: str, *arguments: str) -> str:
    command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
