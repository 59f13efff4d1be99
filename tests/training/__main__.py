"""Makes docqa's own reranker.

    python -m tests.training FOLDER --libraries DIR --out FILE.onnx [--lessons FILE] [--steps N]
        [--further FILE.onnx]

FOLDER holds the development sets. Learnt from are questions that a language model composed on half
of their documents and on documents written for it (`tests.training.composed`), those that the
judge of findings learns from, most of which people asked (`tests.training.judge`), and questions as
people ask them of documents written for these (`tests.training.asked`). Every eighth
document of all is held back: on these the score is calibrated, and it is told how often what
answers scores highest. With ``--further`` a network made before learns on, most of it from the
questions as people ask them, and is averaged with what it was: what ships was made so, in an hour
of two cores.
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
from tests.training.asked import (
    READER_DOCUMENTS,
    READER_QUESTIONS,
    asked_questions,
    library_of_asked,
)
from tests.training.calibrate import platt
from tests.training.composed import composed_questions, write_documents
from tests.training.examples import Example, Lesson, read_lessons, write_lessons
from tests.training.held_back import parted
from tests.training.lessons import of_composed, of_labelled
from tests.training.network import Reader, bundled_weights, save
from tests.training.read_back import reader_in
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
ASKED = "asked_reader"  # that of those written for questions as people ask them
STEPS = 1860  # with more, pieces held back were told apart less well
QUESTIONS = 48  # of a step
OTHER_PASSAGES, OTHER_PIECES = 7, 15  # that what answers is told apart from
FURTHER_STEPS, FURTHER_QUESTIONS, FURTHER_RATE = 480, 16, 0.6
FURTHER_SHARE = 0.7  # of what learnt on: alone it read pieces better, and passages less well


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, help="kept between runs")
    parser.add_argument("--steps", type=int, help=f"{STEPS}, or {FURTHER_STEPS} further")
    parser.add_argument("--further", type=Path, help="a network made before")
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
    if given.further:
        reader = reader_in(given.further)
        steps = given.steps or FURTHER_STEPS
        teach(reader, _further(learnt, asked), steps=steps, rate=FURTHER_RATE)
        reader = averaged(reader_in(given.further), reader, share=FURTHER_SHARE)
    else:
        reader = Reader(bundled_weights(required_folder(MINILM)))
        teach(reader, _kinds([*learnt, *asked]), steps=given.steps or STEPS)
    calibrate(reader, held)
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


def teach(
    reader: Reader, kinds: Sequence[Iterator[Turn]], *, steps: int, rate: float = 1.0
) -> None:
    reader.to(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    train(reader, Texts(required_folder(MINILM)), kinds, steps=steps, rate=rate)


def averaged(before: Reader, after: Reader, *, share: float) -> Reader:
    """The mean of what a network was and what it learnt on, of which it has ``share``: Wortsman et
    al., "Robust fine-tuning of zero-shot models", 2022."""
    with torch.no_grad():
        for one, other in zip(before.parameters(), after.cpu().parameters(), strict=True):
            one.lerp_(other, share)
    return before


def calibrate(reader: Reader, held: Sequence[Lesson]) -> None:
    """Scores become chances; how well they tell what answers is printed."""
    reader.eval()
    texts = Texts(required_folder(MINILM))
    found = read(reader, texts, [each.passages for each in held])
    told("passages", found)
    told("pieces", read(reader, texts, [each.pieces for each in held]))
    answers = [place < len(each.right) for each, of in found for place in range(len(of))]
    reader.slope, reader.shift = platt([score for _, of in found for score in of], answers)


def _kinds(learnt: Sequence[Lesson]) -> list[Iterator[Turn]]:
    """Turns of passages and of pieces by turns."""
    return [_passages(learnt, QUESTIONS), _pieces(learnt, QUESTIONS)]


def _further(learnt: Sequence[Lesson], asked: Sequence[Lesson]) -> list[Iterator[Turn]]:
    """Turns of which every fifth is of passages, and every fifth of pieces, that were learnt from
    before: what is not asked again is forgotten."""
    pieces = _pieces(asked, FURTHER_QUESTIONS)
    return [
        pieces,
        _passages(learnt, FURTHER_QUESTIONS),
        pieces,
        _passages(asked, FURTHER_QUESTIONS),
        _pieces(learnt, FURTHER_QUESTIONS),
    ]


def _passages(lessons: Sequence[Lesson], questions: int) -> Iterator[Turn]:
    made = [each.passages for each in lessons]
    return turns(made, questions=questions, wrong=OTHER_PASSAGES, most=PASSAGE, random=Random(0))


def _pieces(lessons: Sequence[Lesson], questions: int) -> Iterator[Turn]:
    made = [each.pieces for each in lessons]
    return turns(made, questions=questions, wrong=OTHER_PIECES, most=PIECE, random=Random(0))


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
