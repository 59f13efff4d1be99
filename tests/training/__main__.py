"""Makes docqa's own reranker.

    python -m tests.training FOLDER --libraries DIR --out FILE.onnx [--lessons FILE] [--steps N]
        [--begun FILE.onnx]

FOLDER holds the development sets. Learnt from are questions that a language model composed on half
of their documents and on documents written for it (`tests.training.composed`), and those that the
judge of findings learns from, most of which people asked (`tests.training.judge`). Every eighth
document of both is held back: on these the score is calibrated, and it is told how often what
answers scores highest. With ``--begun`` a network made before is taught further.
"""

import argparse
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import torch

from docqa.models.registry import MINILM, required_folder
from docqa.workspace import Workspace
from tests.eval import tatqa
from tests.eval.library import add_files
from tests.training import judge
from tests.training.calibrate import platt
from tests.training.composed import composed_questions, write_documents
from tests.training.held_back import parted
from tests.training.lessons import Example, Lesson, of_composed, of_labelled
from tests.training.network import Lower, Reader, Upper, bundled_weights, save
from tests.training.train import PASSAGE, PIECE, Texts, Turn, scores, train, turns
from tests.training.written import read_back

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
TRIED = 300  # of those held back
# Lessons of a step, and what each is told apart from.
PASSAGES, OTHER_PASSAGES = 6, 3
PIECES, OTHER_PIECES = 6, 9


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, help="kept between runs")
    parser.add_argument("--steps", type=int, default=1750)
    parser.add_argument("--begun", type=Path, help="a network to go on from")
    given = parser.parse_args()
    torch.manual_seed(0)
    if given.lessons and given.lessons.exists():
        lessons = pickle.loads(given.lessons.read_bytes())
    else:
        lessons = collected(given.folder, given.libraries)
        if given.lessons:
            given.lessons.write_bytes(pickle.dumps(lessons))
    learnt, held = parted(lessons)
    print(f"{len(learnt)} questions to learn from, {len(held)} held back")
    save(taught(learnt, held, steps=given.steps, begun=given.begun), given.out)
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


def taught(
    learnt: Sequence[Lesson], held: Sequence[Lesson], *, steps: int, begun: Path | None
) -> Reader:
    folder = required_folder(MINILM)
    weights = bundled_weights(folder)
    lower, upper = Lower(weights), Upper(weights)
    if begun:
        read_back(begun, upper)
    texts = Texts(lower, folder)
    train(upper, texts, list(_kinds(learnt)), steps=steps)
    tried = Random(0).sample(held, min(TRIED, len(held)))
    found = read(upper, texts, [each.passages for each in tried])
    told("passages", found)
    told("pieces", read(upper, texts, [each.pieces for each in tried]))
    answers = [place < len(each.right) for each, of in found for place in range(len(of))]
    slope, shift = platt([score for _, of in found for score in of], answers)
    return Reader(lower, upper, slope=slope, shift=shift)


def _kinds(learnt: Sequence[Lesson]) -> Iterator[Iterator[Turn]]:
    """Turns of passages and of pieces by turns."""
    passages = [each.passages for each in learnt]
    pieces = [each.pieces for each in learnt]
    yield turns(passages, questions=PASSAGES, wrong=OTHER_PASSAGES, most=PASSAGE, random=Random(0))
    yield turns(pieces, questions=PIECES, wrong=OTHER_PIECES, most=PIECE, random=Random(0))


def read(
    upper: Upper, texts: Texts, lessons: Sequence[Example]
) -> list[tuple[Example, list[float]]]:
    """The lessons that can be learnt from, with their scores."""
    return [(each, scores(upper, texts, each)) for each in lessons if each.right and each.wrong]


def told(kind: str, found: Sequence[tuple[Example, Sequence[float]]]) -> None:
    first = sum(max(of) in of[: len(each.right)] for each, of in found)
    print(f"{kind} held back: one that answers scores highest for {first} of {len(found)}")


if __name__ == "__main__":
    main()
