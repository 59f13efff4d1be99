"""A review whose filling is killed again and again: nothing lost, nothing filled twice."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from docqa.types.review import Cell, Column
from docqa.workspace import Workspace

KILLS = 8  # each starts docqa anew, twice
COLUMNS = 16  # times five documents, so that there is something to fill until the last kill
STARTING = 120.0  # seconds that a child may take until it has filled a cell
ASKED = (
    ("How much is the security deposit?", "figure"),
    ("Which law governs the lease?", "clause"),
    ("When does the term expire?", "date"),
    ("Who is the landlord?", "text"),
)
FILL = """
import sys
from pathlib import Path
from docqa.workspace import Workspace

with Workspace(Path(sys.argv[1])) as workspace:
    workspace.reviews.fill(sys.argv[2])
    workspace.reviews.wait(sys.argv[2])
"""


@pytest.mark.slow
def test_kills_lose_no_cell_and_fill_none_twice(sample_library: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(sample_library, tmp_path / "library")
    with Workspace(folder) as workspace:
        columns = [
            Column(f"{n}", *ASKED[n % len(ASKED)])  # type: ignore[arg-type]
            for n in range(COLUMNS)
        ]
        review_id = workspace.reviews.create("All", columns).id
    kept: dict[tuple[str, str], Cell] = {}
    for kill in range(KILLS):
        killed_while_filling(folder, review_id, wait=0.07 * (kill % 5))
        kept = still_there(folder, review_id, kept, settle=kill)
    assert 0 < len(kept) < 5 * COLUMNS
    with Workspace(folder) as workspace:
        workspace.reviews.fill(review_id)
        workspace.reviews.wait(review_id)
        assert workspace.reviews.table(review_id).open == 0
    still_there(folder, review_id, kept, settle=KILLS)


def killed_while_filling(folder: Path, review_id: str, *, wait: float) -> None:
    """Let a process fill the review, and end it with SIGKILL shortly after its next cell."""
    before = cells_kept(folder, review_id)
    child = subprocess.Popen([sys.executable, "-c", FILL, str(folder), review_id])
    try:
        deadline = time.monotonic() + STARTING
        while cells_kept(folder, review_id) == before:
            assert child.poll() is None, "it ended before it was killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(wait)
    finally:
        child.kill()
    assert child.wait() == -9


def cells_kept(folder: Path, review_id: str) -> int:
    with Workspace(folder, read_only=True) as reader:
        return len(reader.resources.catalog.reviews.filled(review_id))


def still_there(
    folder: Path, review_id: str, before: dict[tuple[str, str], Cell], *, settle: int
) -> dict[tuple[str, str], Cell]:
    """The cells kept now, when those kept before are as they were; one more of them is settled."""
    with Workspace(folder) as workspace:
        reviews = workspace.reviews
        cells = reviews.table(review_id).cells
        for place, cell in before.items():
            assert cells[place] == cell
        filled = workspace.resources.catalog.reviews.filled(review_id)
        assert set(filled.values()) == {1}
        assert filled.keys() == {place for place, each in cells.items() if each.proposal}
        found = [place for place, each in cells.items() if each.state in ("found", "likely")]
        key = (review_id, *found[settle % len(found)])
        settled = reviews.accept(key) if settle % 2 else reviews.correct(key, f"£{settle + 1}")
        return {p: each for p, each in {**cells, key[1:]: settled}.items() if each.proposal}
