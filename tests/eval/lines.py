"""Whether an answer without a key gives a line of a primary statement, first, from the statement.

    python -m tests.eval.lines FOLDER... --libraries DIR [--misses FILE]

asks each filing in FOLDERs for the cells that were drawn of its income statement, balance sheet and
cash flow statement (``statement_cells.jsonl``, made by hand), by label and period: "What was total
liabilities at September 25, 2021?" DIR keeps a library for each folder.

- ``figure``: the first line of the answer has the cell's figure;
- ``place``: and it is cited from the statement's page.
"""

import argparse
import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from docqa.answer.evidence import MARKER
from docqa.library.filenames import clean_name
from docqa.types.answer import Answer
from docqa.workspace import Workspace
from tests.eval.labelled import Tally, labels
from tests.eval.library import add_folder, library_folder

KINDS = ("income", "balance sheet", "cash flows")
Cell = Mapping[str, Any]


def question_of(cell: Cell) -> str:
    """
    >>> question_of({"label": "Net sales", "period": "year ended 2022-06-30"})
    'What was net sales in fiscal 2022?'
    >>> question_of({"label": "Total assets", "period": "2022-12-31"})
    'What was total assets at December 31, 2022?'
    """
    length, _, end = cell["period"].rpartition(" ")
    year, month, day = map(int, end.split("-"))
    date = f"{calendar.month_name[month]} {day}, {year}"
    label = cell["label"].rstrip(" :")
    name = label[:1].lower() + label[1:] if label[1:2].islower() else label
    when = f"for the {length} {date}" if length else f"at {date}"
    return f"What was {name} {f'in fiscal {year}' if length == 'year ended' else when}?"


def asked_of(cells: Sequence[Cell]) -> Iterator[Cell]:
    """The cells with a figure that no other cell of the page is likely to have by chance."""
    for cell in cells:
        told = len(re.findall(r"\d", cell["value"])) > 1
        if cell["kind"] in KINDS and "period" in cell and told:
            yield cell


def first_line(answer: Answer) -> str:
    return next((line for line in answer.text.splitlines() if MARKER.search(line)), "")


def measure(workspace: Workspace, cells: Sequence[Cell], held_out: set[str], tally: Tally) -> None:
    workspace.warming.start().join()
    ids = {document.name: document.id for document in workspace.documents()}
    for cell in cells:
        if document_id := ids.get(clean_name(cell["document"])):
            asked = question_of(cell)
            *_, answer = workspace.ask(asked, document_ids=[document_id], answerer="extractive")
            assert isinstance(answer, Answer)
            line, figure = first_line(answer), re.sub(r"[^\d.,]", "", cell["value"])
            cited = [each for each in answer.citations if f"[{each.label}]" in line]
            right = re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d,]|\.\d)", line) is not None
            here = any(b.page == cell["page"] for each in cited for b in each.blocks)
            told = f"{cell['document']}, {asked} {cell['value']}: {line}"
            half = cell["document"] in held_out
            tally.count("figure", right, half, told)
            tally.count("place", right and here, half, told)


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask for lines of primary statements.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--libraries", type=Path, help="kept and used again; else temporary ones")
    parser.add_argument("--misses", type=Path, help="written: what is wrong in the half seen")
    options = parser.parse_args()
    cells = list(asked_of(labels("statement_cells")))
    held_out = {each["document"] for each in labels("statement_labels") if each["held_out"]}
    tally = Tally()
    for folder in options.folders:
        kept = options.libraries / folder.name if options.libraries else None
        with library_folder(kept) as place, Workspace(place) as workspace:
            add_folder(workspace, folder / "pdf" if (folder / "pdf").is_dir() else folder)
            measure(workspace, cells, held_out, tally)
    tally.print(options.misses)


if __name__ == "__main__":
    main()
