"""Makes docqa's own reranker.

    python -m tests.training FOLDER --libraries DIR --out FILE.onnx [--lessons FILE]
        [--average FILE.onnx] [--steps N] [--last-steps N]

FOLDER holds the development sets. Learnt from are questions that a language model composed on half
of their documents and on documents written for it (`tests.training.composed`), those that the
judge of findings learns from, most of which people asked (`tests.training.judge`), and questions as
people ask them of documents written for these (`tests.training.asked`), which are learnt from once
more at the end (`tests.training.teach`). With ``--average`` weights and calibration are the mean of
what was learnt and of a network made before. Every eighth document of all is held back: on these
the score is calibrated, and it is told how often what answers scores highest.
"""

import argparse
import tempfile
from pathlib import Path

import torch

from docqa.workspace import Workspace
from tests.eval import tatqa
from tests.eval.library import add_files
from tests.training import judge
from tests.training.asked import (
    READER_DOCUMENTS,
    READER_QUESTIONS,
    asked_questions,
    library_of_asked,
)
from tests.training.composed import composed_questions, write_documents
from tests.training.examples import Lesson, read_lessons, write_lessons
from tests.training.held_back import parted
from tests.training.lessons import of_composed, of_labelled
from tests.training.network import save
from tests.training.read_back import reader_in
from tests.training.teach import LAST_STEPS, STEPS, averaged, calibrate, taught

# Libraries by the folders of the development sets that their files are from.
SETS = {
    "cuad": ["cuad/pdf"],
    "cuad_more": ["cuad_more/pdf"],
    "northwind": ["northwind"],
    "filings_more": ["filings_more"],
    "others": ["versions", "tables", "docling_truth/sources", "chunking_eval"],
    "tatqa": [],
}
WRITTEN = "composed"  # the library of the documents written for it
ASKED = "asked_reader"  # that of those written for questions as people ask them


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, help="kept between runs")
    parser.add_argument("--average", type=Path, help="a network made before, for the mean")
    parser.add_argument("--steps", type=int, default=STEPS, help="of all lessons")
    parser.add_argument("--last-steps", type=int, default=LAST_STEPS, help="mostly as people ask")
    given = parser.parse_args()
    torch.manual_seed(0)
    if given.lessons and given.lessons.exists():
        lessons = read_lessons(given.lessons)
    else:
        lessons = collected(given.folder, given.libraries)
        if given.lessons:
            write_lessons(lessons, given.lessons)
    learnt, held = parted(lessons)
    asked, asked_held = parted(as_people_ask(given.libraries))
    held += asked_held
    print(f"{len(learnt) + len(asked)} questions to learn from, {len(held)} held back")
    reader = taught(learnt, asked, steps=given.steps, last_steps=given.last_steps).cpu()
    calibrate(reader, held)
    if given.average:
        reader = averaged(reader_in(given.average), reader, share=0.5)
    save(reader, given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")


def collected(folder: Path, libraries: Path) -> list[Lesson]:
    """Every lesson; makes the library of the documents written for it where it is not there."""
    asked = composed_questions()
    found: list[Lesson] = []
    with Workspace(libraries / WRITTEN) as workspace:
        with tempfile.TemporaryDirectory() as place:
            write_documents(Path(place))
            add_files(workspace, Path(place))
        found += of_composed(workspace, asked)
    for name, folders in SETS.items():
        with Workspace(libraries / name) as workspace:
            for each in folders:
                add_files(workspace, folder / each)
            if name == "tatqa":
                tatqa.add_contexts(workspace, folder / "tatqa_dev", "even")
            found += of_composed(workspace, asked)
            found += of_labelled(workspace, judge.asked_of(name, workspace, folder))
    return found


def as_people_ask(libraries: Path) -> list[Lesson]:
    """Lessons from the questions as people ask them that are for the reranker."""
    with library_of_asked(libraries / ASKED, READER_DOCUMENTS) as workspace:
        questions = asked_questions(READER_QUESTIONS)
        return list(of_labelled(workspace, judge.of_asked(workspace, questions)))


if __name__ == "__main__":
    main()
