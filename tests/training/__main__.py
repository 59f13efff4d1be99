"""Makes docqa's own reranker.

    python -m tests.training FOLDER --libraries DIR --out FILE.onnx [--lessons FILE] [--steps N]

FOLDER holds the development sets. Learnt from are questions that a language model composed on half
of their documents and on documents written for it (`tests.training.composed`), and those that the
judge of findings learns from, most of which people asked (`tests.training.judge`). Every eighth
document of both is held back: on these the score is calibrated, and it is told how often what
answers scores highest.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch

from docqa.models.registry import MINILM, required_folder
from docqa.workspace import Workspace
from tests.eval import tatqa
from tests.eval.library import add_files
from tests.training import judge
from tests.training.calibrate import platt
from tests.training.composed import composed_questions, write_documents
from tests.training.examples import Example, Lesson, read_lessons, write_lessons
from tests.training.held_back import parted
from tests.training.lessons import of_composed, of_labelled
from tests.training.network import Reader, bundled_weights, save
from tests.training.train import PASSAGE, PIECE, Texts, Turn, scores, train, turns

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
STEPS = 1860  # with more, pieces held back were told apart less well
QUESTIONS = 48  # of a step
OTHER_PASSAGES, OTHER_PIECES = 7, 15  # that what answers is told apart from


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, help="kept between runs")
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args()
    torch.manual_seed(0)
    if given.lessons and given.lessons.exists():
        lessons = read_lessons(given.lessons)
    else:
        lessons = collected(given.folder, given.libraries)
        if given.lessons:
            write_lessons(lessons, given.lessons)
    learnt, held = parted(lessons)
    print(f"{len(learnt)} questions to learn from, {len(held)} held back")
    save(taught(learnt, held, steps=given.steps), given.out)
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


def taught(learnt: Sequence[Lesson], held: Sequence[Lesson], *, steps: int) -> Reader:
    folder = required_folder(MINILM)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    reader, texts = Reader(bundled_weights(folder)).to(device), Texts(folder)
    train(reader, texts, list(_kinds(learnt)), steps=steps)
    found = read(reader, texts, [each.passages for each in held])
    told("passages", found)
    told("pieces", read(reader, texts, [each.pieces for each in held]))
    answers = [place < len(each.right) for each, of in found for place in range(len(of))]
    reader.slope, reader.shift = platt([score for _, of in found for score in of], answers)
    return reader


def _kinds(learnt: Sequence[Lesson]) -> Iterator[Iterator[Turn]]:
    """Turns of passages and of pieces by turns."""
    passages = [each.passages for each in learnt]
    pieces = [each.pieces for each in learnt]
    yield turns(passages, questions=QUESTIONS, wrong=OTHER_PASSAGES, most=PASSAGE, random=Random(0))
    yield turns(pieces, questions=QUESTIONS, wrong=OTHER_PIECES, most=PIECE, random=Random(0))


def read(
    reader: Reader, texts: Texts, lessons: Sequence[Example]
) -> list[tuple[Example, list[float]]]:
    """The lessons that can be learnt from, with their scores."""
    return [(each, scores(reader, texts, each)) for each in lessons if each.wrong]


def told(kind: str, found: Sequence[tuple[Example, Sequence[float]]]) -> None:
    """How often one that answers scores highest, and how well scores tell whether any does."""
    answered = [(max(of[: len(each.right)]), max(of)) for each, of in found if each.right]
    first = sum(right == best for right, best in answered)
    best = [best for _, best in answered]
    absent = [max(of) for each, of in found if not each.right]
    apart = np.mean(np.greater.outer(best, absent)) if best and absent else np.nan
    print(
        f"{kind} held back: one that answers scores highest for {first} of {len(answered)}; above "
        f"the highest of a question that nothing answers for {apart:.3f} of the pairs"
    )


if __name__ == "__main__":
    main()
