"""Questions with known answers, from the forms in which the development sets come.

Each set is a folder with PDFs (in it, or in "pdf") and one of these files:

- ``questions.jsonl``: what `docqa.retrieve.evaluate.read_questions` reads;
- ``clause_pages.json`` and ``category_descriptions.csv`` (CUAD, contracts): the description of
  each category of clause is asked of each contract; it is unanswerable where no clause is named;
- ``qa.jsonl`` and ``qa_dontknows.jsonl``: answers end in "[file.pdf#page=3]";
- ``questions.json``: ``question`` and the names of the files that answer it in ``gold``.
"""

import csv
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docqa.retrieve.evaluate import read_questions
from docqa.types.evaluation import GoldQuestion, Scope

_SOURCE = re.compile(r"\[([^\[\]#]+\.pdf)#page=(\d+)\]")


@dataclass(frozen=True, slots=True)
class Set:
    """Questions and the PDFs they are asked of, in the scopes in which they make sense."""

    name: str
    pdfs: Path
    questions: tuple[GoldQuestion, ...]
    scopes: tuple[Scope, ...]


def read_set(folder: Path) -> Set:
    """The set in a folder; FileNotFoundError where none of the forms is there."""
    pdfs = folder / "pdf" if (folder / "pdf").is_dir() else folder
    if (folder / "clause_pages.json").exists():
        return Set(folder.name, pdfs, tuple(_clauses(folder)), ("document",))
    if (folder / "qa.jsonl").exists():
        return Set(folder.name, pdfs, tuple(_cited(folder)), ("library",))
    if (folder / "questions.json").exists():
        return Set(folder.name, pdfs, tuple(_of_files(folder)), ("library",))
    asked = tuple(read_questions(folder / "questions.jsonl"))
    return Set(folder.name, pdfs, asked, ("document", "library"))


def _clauses(folder: Path) -> list[GoldQuestion]:
    """Each contract asked for each category; the pages of all its clauses answer."""
    rows: list[dict[str, Any]] = json.loads((folder / "clause_pages.json").read_text("utf-8"))
    pages: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for row in rows:
        pages[row["file"], _plain(row["category"])].update(row["pages"])
    return [
        GoldQuestion(asked, {file: tuple(sorted(pages.get((file, category), ())))}, answerable)
        for file in dict.fromkeys(row["file"] for row in rows)
        for category, asked in _descriptions(folder / "category_descriptions.csv")
        for answerable in [(file, category) in pages]
    ]


def _descriptions(path: Path) -> list[tuple[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [(_plain(row[0].partition(": ")[2]), row[1].partition(": ")[2]) for row in rows]


def _plain(category: str) -> str:
    return re.sub(r"\W+", " ", category).lower().strip()


def _cited(folder: Path) -> list[GoldQuestion]:
    made = []
    for line in (folder / "qa.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        sources: defaultdict[str, list[int]] = defaultdict(list)
        for name, page in _SOURCE.findall(row["truth"]):
            sources[name].append(int(page))
        made.append(GoldQuestion(row["question"], {k: tuple(v) for k, v in sources.items()}))
    absent = (folder / "qa_dontknows.jsonl").read_text("utf-8").splitlines()
    return made + [GoldQuestion(json.loads(line)["question"], answerable=False) for line in absent]


def _of_files(folder: Path) -> list[GoldQuestion]:
    rows: list[dict[str, Any]] = json.loads((folder / "questions.json").read_text("utf-8"))
    return [GoldQuestion(row["question"], dict.fromkeys(row["gold"], ())) for row in rows]
