"""Questions that a language model composed on passages, and documents that it wrote for them.

``composed.jsonl`` has a line for each question: the document's name, the page, the question, and
the words of the passage that answer it, none where the document does not. The passages of documents
written for this are in ``composed_documents.jsonl``, which `write_documents` makes files of; the
other documents are those of the development sets that are learnt from.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from docqa.language.words import fold

HERE = Path(__file__).parent
QUESTIONS = HERE / "composed.jsonl"
DOCUMENTS = HERE / "composed_documents.jsonl"


@dataclass(frozen=True, slots=True)
class Composed:
    """A question of a page of a document; ``answer`` are the words there that answer it, "" where
    the document does not answer.

    Documents written for it are not known by pages: ``page`` is 0.
    """

    document: str
    page: int
    question: str
    answer: str


def composed_questions(path: Path = QUESTIONS) -> list[Composed]:
    return [Composed(**each) for each in read_lines(path)]


def write_documents(folder: Path, path: Path = DOCUMENTS) -> None:
    """The documents as Markdown, each passage under its headings."""
    for name, passages in groupby(read_lines(path), key=lambda each: each["document"]):
        text = "\n\n".join([f"# {Path(name).stem}", *map(_passage, passages)])
        (folder / name).write_text(text + "\n", encoding="utf-8")


def _passage(passage: dict[str, Any]) -> str:
    above = [f"{'#' * (2 + depth)} {each}" for depth, each in enumerate(passage["headings"])]
    text = _table(passage["text"]) if passage["kind"] == "table" else passage["text"]
    return "\n\n".join([*above, text])


def _table(text: str) -> str:
    """Lines of cells as a table of Markdown; what stands before it stays a line of text."""
    lines = text.splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if "|" in line]
    before = [line for line in lines if "|" not in line]
    width = max(map(len, rows), default=0)
    drawn = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in rows]
    rule = "|" + " --- |" * width
    return "\n".join([*before, "", *drawn[:1], rule, *drawn[1:]])


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def says(text: str, answer: str) -> bool:
    """Whether a passage has the words that answer, however they are spaced or cased."""
    return _bare(answer) in _bare(text)


@lru_cache(maxsize=16)  # a document is asked about many times
def _bare(text: str) -> str:
    return "".join(letter for letter in fold(text) if letter.isalnum())
