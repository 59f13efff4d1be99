"""Makes a reranker from a folder of PDFs.

    python -m tests.training FOLDER --out FILE.onnx [--library DIR] [--steps N]

The PDFs are added to a library (kept in DIR, or thrown away), questions are made out of their
structure, and one in ten is held back: its passages calibrate the score, and tell how often the
right one scores highest. The 300 steps that made docqa's own took nine minutes of one core.
"""

import argparse
from pathlib import Path
from random import Random

import torch

from docqa.neural.known import MINILM, required_folder
from docqa.workspace import Workspace
from tests.eval.library import add_folder, library_folder
from tests.training.calibrate import platt
from tests.training.negatives import Example, examples
from tests.training.network import Lower, Reader, Upper, bundled_weights, save
from tests.training.train import Texts, scores, train


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--library", type=Path, help="kept between runs")
    parser.add_argument("--steps", type=int, default=300)
    given = parser.parse_args()
    with library_folder(given.library) as place, Workspace(place) as workspace:
        add_folder(workspace, given.folder)
        learnt = examples(workspace.catalog, workspace.encoder, random=Random(0))
    save(trained(learnt, steps=given.steps), given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")


def trained(learnt: list[Example], *, steps: int) -> Reader:
    """A network that has learnt from nine in ten, and is calibrated by the rest."""
    torch.manual_seed(0)
    folder = required_folder(MINILM)
    weights = bundled_weights(folder)
    upper, lower = Upper(weights), Lower(weights)
    texts = Texts(lower, folder)
    print(f"{len(learnt)} questions")
    train(upper, texts, [each for place, each in enumerate(learnt) if place % 10], steps=steps)
    slope, shift = calibrated(upper, texts, learnt[::10])
    return Reader(lower, upper, slope=slope, shift=shift)


def calibrated(upper: Upper, texts: Texts, held_back: list[Example]) -> tuple[float, float]:
    found = [(each, scores(upper, texts, each)) for each in held_back]
    first = sum(max(of) in of[: len(each.right)] for each, of in found)
    print(f"a right passage scores highest: {first} of {len(found)} questions held back")
    answers = [place < len(each.right) for each, of in found for place in range(len(of))]
    return platt([score for _, of in found for score in of], answers)


if __name__ == "__main__":
    main()
