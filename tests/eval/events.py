"""How well search finds kinds of events and facts that a page tells of without naming them.

    python -m tests.eval.events FOLDER... [--libraries DIR]

asks of the folders' PDFs those of the questions in ``event_questions.jsonl`` that are on them, each
of its document: "Were jobs cut?" is answered by a page on a restructuring plan. The questions are
on filings and on handbooks, and were written with their pages before the search was measured.
"""

import argparse
from pathlib import Path

from docqa.retrieve.evaluate import read_questions
from tests.eval.library import library_of
from tests.eval.retrieval import evaluate, keywords_alone
from tests.eval.sets import Set

QUESTIONS = Path(__file__).with_name("event_questions.jsonl")


def events_of(folder: Path) -> Set:
    """The questions on the folder's PDFs."""
    here = {path.name for path in folder.glob("*.pdf")}
    asked = (each for each in read_questions(QUESTIONS) if here.issuperset(each.sources))
    return Set(folder.name, folder, tuple(asked), ("document",))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure search for kinds of events and facts.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--libraries", type=Path, help="kept and used again; else temporary ones")
    options = parser.parse_args()
    for folder in options.folders:
        asked = events_of(folder)
        with library_of(asked, options.libraries) as workspace:
            keywords_alone(asked, workspace)
            evaluate(asked, workspace, "search")


if __name__ == "__main__":
    main()
