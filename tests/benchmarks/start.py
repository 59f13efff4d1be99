"""Starting: the import, the first view of a full library, the first answer, and the memory."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from docqa import installation
from docqa.samples.questions import QUESTIONS
from docqa.types.document import Discard, Document, PageHealth
from docqa.workspace import Workspace
from tests.benchmarks.rows import Options, Row, medians

SECTION = "start"
DOCUMENTS, PAGES = 300, 160
APP = Path(__file__).parents[2] / "app.py"
_IMPORT = "import docqa.workspace"
_VIEW = """
import json, sys, time
from streamlit.testing.v1 import AppTest
app, took = AppTest.from_file(sys.argv[1], default_timeout=300), []
for _ in range(2):
    began = time.perf_counter()
    app.run()
    took.append(time.perf_counter() - began)
assert not app.exception
print(json.dumps(took))
"""
_ANSWER = """
import sys
from pathlib import Path
from docqa.types.answer import Answer
from docqa.workspace import Workspace
with Workspace(Path(sys.argv[1])) as workspace:
    answers = [each for each in workspace.ask(sys.argv[2], answerer="extractive")
               if isinstance(each, Answer)]
assert answers[0].found
"""
_MEMORY = """
import json, os, sys
from pathlib import Path
from docqa.ingest.reading.children import resident_bytes
from docqa.workspace import Workspace
with Workspace(Path(sys.argv[1])) as workspace:
    workspace.documents()
    before = resident_bytes(os.getpid())
    workspace.warming.start().join()
    workspace.resources.encoder.encode(["ready"])
    pids = [os.getpid(), *workspace.resources.reader.pids()]
    loaded = sum(map(resident_bytes, pids))
    print(json.dumps([before, loaded]))
"""


def run(options: Options) -> Iterator[Row]:
    """Seconds and megabytes, each taken in processes of their own."""
    turns = options.turns
    took = medians(
        {"docqa": lambda: _python(_IMPORT), "python": lambda: _python("pass")}, turns=turns
    )
    seconds = took["docqa"] - took["python"]
    yield Row(SECTION, "import of docqa", seconds, "s", turns, note="beyond Python's own")
    count = 5 if options.short else DOCUMENTS
    library = options.scratch / "listed"
    list_documents(library, count)
    yield from _views(library, count, turns)
    yield from _first_answer(options)
    before, loaded = json.loads(_python(_MEMORY, str(library)))
    yield Row(SECTION, "memory before models", before / 1e6, "MB")
    note = "encoder, index, reading process"
    yield Row(SECTION, "memory with everything loaded", loaded / 1e6, "MB", note=note)
    opened = medians({"docqa": lambda: _listed(library)}, turns=turns)["docqa"]
    yield Row(SECTION, f"open and list {count} documents", opened * 1000, "ms", turns)


def _views(library: Path, count: int, turns: int) -> Iterator[Row]:
    """The script's first run in a fresh process, Streamlit's import left out, and its second."""
    took = [json.loads(_python(_VIEW, str(APP), library=library)) for _ in range(turns)]
    for place, name in enumerate(("first view", "next view")):
        value = median(times[place] for times in took)
        yield Row(SECTION, f"{name}, {count} documents", value, "s", turns)


def _first_answer(options: Options) -> Iterator[Row]:
    """From the start of Python to an answer, with nothing loaded before."""
    library = options.scratch / "answered"
    with Workspace(library) as workspace:
        asked = [path for path in installation.sample_paths() if path.name in QUESTIONS[0].pages]
        workspace.add(asked if options.short else installation.sample_paths())
    question = QUESTIONS[0].question
    took = medians({"docqa": lambda: _python(_ANSWER, str(library), question)}, turns=options.turns)
    note = "Python's start, imports and models with it"
    yield Row(SECTION, "first answer without a key", took["docqa"], "s", options.turns, note=note)


def list_documents(folder: Path, count: int) -> None:
    """A library that lists so many documents with their pages, without passages."""
    nothing = np.zeros((0, 384), np.float32)
    with Workspace(folder) as workspace:
        for number in range(count):
            document = Document(
                f"{number:064x}",
                f"Filing {number:03}.pdf",
                PAGES,
                discard_count=1,
                state="complete",
            )
            workspace.resources.catalog.save(
                document,
                blocks=[],
                chunks=[],
                vectors=nothing,
                health=[_health(page) for page in range(1, PAGES + 1)],
                discards=[Discard(document.id, 1, "too short", "Page 1")],
            )


def _health(page: int) -> PageHealth:
    return PageHealth(page, str(page), 612, 792, 3000, "text layer" if page % 50 else "OCR")


def _listed(folder: Path) -> None:
    with Workspace(folder) as workspace:
        workspace.documents()


def _python(code: str, *arguments: str, library: Path | None = None) -> str:
    command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
    environment = {**os.environ, "DOCQA_LIBRARY": str(library)} if library else None
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout
