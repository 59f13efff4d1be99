"""Questions with the pages that answer them, from a JSON Lines file.

Each line has ``question``, ``document`` (a file name) and ``pages`` (from 1).
"""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    document: str
    pages: tuple[int, ...]


def read_questions(path: Path) -> list[Question]:
    """The questions of a file that name pages, in its order."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [
        Question(row["question"], row["document"], tuple(row["pages"]))
        for row in rows
        if row.get("pages")
    ]
