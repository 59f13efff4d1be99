"""Questions on tables, with the cells that answer them, and what docqa makes of these.

Documents of tables with some text, and their questions, were written by a language model: each
question has the table, the cells that answer it as row and column, and what is to be done with
them. Files of them are lines of JSON.
"""

import html
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from docqa.answer.evidence import add_evidence, choose_hits
from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.grids import Grid, grids
from docqa.answer.findings.judge import judge
from docqa.answer.findings.operations import operation_odds
from docqa.answer.findings.selections import Asks, asks_of
from docqa.answer.findings.values import may_tell
from docqa.app.findings import means
from docqa.app.search import read_question, search
from docqa.language.trees import Numbers
from docqa.library.filenames import clean_name
from docqa.workspace import Workspace
from tests.training.composed import read_lines

HERE = Path(__file__).parent
# The network for tables learns from the first, what weighs its readings from the second; no field
# of the third is learnt from.
FOR_NETWORK = HERE / "table_reader.jsonl"
FOR_TREES = HERE / "table_questions.jsonl"
HELD = HERE / "table_questions_held.jsonl"


@dataclass(frozen=True, slots=True)
class Written:
    """A question of a document; ``cells`` are those that answer it, as texts, () for none, and
    ``places`` their table, row and column, from 0, the labels being the first column."""

    document: str
    question: str
    operation: str
    cells: tuple[str, ...]
    places: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """A question as docqa looks at the tables of its document, with the log odds of each operation
    and how it is put."""

    grids: Sequence[Grid]
    odds: Numbers
    asks: Asks


def written(path: Path) -> Iterator[Written]:
    for each in read_lines(path):
        tables = [part["rows"] for part in each["parts"] if part["kind"] == "table"]
        name = clean_name(f"{each['document']}.html")
        for asked in each["questions"]:
            table = asked["table"]
            cells = tuple(str(tables[table][row][at]) for row, at in asked["cells"])
            places = tuple((table, row, at) for row, at in asked["cells"])
            yield Written(name, asked["question"], asked["operation"], cells, places)


def questions_for(path: Path, *operations: str) -> list[str]:
    """The questions that ask for one of these."""
    return [each.question for each in written(path) if each.operation in operations]


def add_written(workspace: Workspace, path: Path) -> None:
    """Add the documents, where a library has none yet."""
    with tempfile.TemporaryDirectory() as place:
        if not workspace.documents():
            write_documents(Path(place), path)
            workspace.add(sorted(Path(place).iterdir()))


def write_documents(folder: Path, path: Path) -> None:
    """The documents as files of HTML."""
    for each in read_lines(path):
        body = "".join(map(_part, each["parts"]))
        text = f"<html><body><h1>{html.escape(each['document'])}</h1>{body}</body></html>"
        (folder / f"{each['document']}.html").write_text(text, encoding="utf-8")


def _part(part: dict[str, Any]) -> str:
    if part["kind"] == "text":
        return f"<p>{html.escape(part['text'])}</p>"
    title = f"<h2>{html.escape(part['title'])}</h2>" if part["title"] else ""
    *groups, last = part["head"]
    spans = [[(name, len([*own])) for name, own in groupby(each)] for each in groups]
    heads = [*spans, [(name, 1) for name in last]]
    lines = ["".join(f'<th colspan="{n}">{html.escape(t)}</th>' for t, n in each) for each in heads]
    widest = max(map(len, part["rows"]))
    rows = ([*row, *[""] * (widest - len(row))] for row in part["rows"])
    lines += ["".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows]
    return f"{title}<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def looked_at(workspace: Workspace, document: str, question: str) -> Looked:
    """The tables of a document, by its name, that a question may ask for figures or rows of."""
    resources = workspace.resources
    ids = {document.name: document.id for document in workspace.documents()}
    asked = read_question(resources, question, document_ids=(ids[document],))
    result = search(resources, asked, settings=resources.settings)
    chosen = choose_hits(result.hits, max_chars=resources.settings.answering.evidence_chars)
    every = candidates(add_evidence((), chosen))
    telling = [piece for piece in every if may_tell(piece, asked)] or every
    networks = means(resources).networks
    judged = judge(asked, telling, networks)
    documents = {hit.document.id: hit.document for hit in chosen}
    found = [
        grid
        for key, own in documents.items()
        for grid in grids(asked, judged, own, resources.catalog.tables(key), networks)
    ]
    odds = operation_odds(asked.whole, networks.vector(asked.whole))
    return Looked(found, odds, asks_of(asked, networks))
