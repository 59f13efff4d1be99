"""Makes a reranker from a folder of PDFs.

    python -m tests.training FOLDER --out FILE.onnx [--library DIR] [--steps N] [--distil N]

The PDFs are added to a library (kept in DIR, or thrown away), and questions are made out of the
structure of half of them (by their SHA-256). A network of six layers learns to choose what answers
them; one of three, and then one of two, learn to score as it does. The other half of the PDFs
calibrates the score and tells how often the right passage scores highest in documents that none
of them has seen.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path
from random import Random

import torch

from docqa.models.registry import MINILM, required_folder
from docqa.types.document import Document
from docqa.workspace import Workspace
from tests.eval.library import add_folder, library_folder
from tests.training.calibrate import platt
from tests.training.distil import distil, scores
from tests.training.negatives import Example, examples
from tests.training.network import Lower, Reader, Upper, bundled_weights, save, smaller
from tests.training.train import Texts, train

# Of each network the layers that the next one starts with, and how many of these read apart.
SMALLER = (((0, 3, 5), 1), ((0, 2), 0))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--library", type=Path, help="kept between runs")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--distil", type=int, default=1000, help="steps of each smaller network")
    given = parser.parse_args()
    torch.manual_seed(0)
    with library_folder(given.library) as place, Workspace(place) as workspace:
        add_folder(workspace, given.folder)
        opened = workspace.resources
        learnt, unseen = (
            examples(opened.catalog, opened.encoder, documents, random=Random(0))
            for documents in halves(workspace.documents())
        )
    print(f"{len(learnt)} questions to learn from, {len(unseen)} of documents held back")
    save(trained(learnt, unseen, steps=given.steps, distil_steps=given.distil), given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")


def halves(documents: Iterable[Document]) -> tuple[list[Document], list[Document]]:
    """The documents to learn from, and those held back."""
    every = list(documents)
    odd = [int(document.id[:6], 16) % 2 == 1 for document in every]
    return (
        [each for each, learnt in zip(every, odd, strict=True) if learnt],
        [each for each, learnt in zip(every, odd, strict=True) if not learnt],
    )


def trained(
    learnt: list[Example], unseen: list[Example], *, steps: int, distil_steps: int
) -> Reader:
    folder = required_folder(MINILM)
    weights = bundled_weights(folder)
    teacher = Reader(Lower(weights), Upper(weights))
    texts = Texts(teacher.lower, folder)
    train(teacher.upper, texts, learnt, steps=steps)
    student = teacher
    for kept, apart in SMALLER:
        student = smaller(student, kept=kept, apart=apart)
        distil(teacher, student, texts, learnt, steps=distil_steps, random=Random(0))
    return calibrated(student, texts, unseen)


def calibrated(reader: Reader, texts: Texts, unseen: list[Example]) -> Reader:
    """The network with scores that are as often right as they say."""
    found = [(each, scores(reader, texts, each)) for each in unseen]
    first = sum(max(of) in of[: len(each.right)] for each, of in found)
    print(f"a right passage scores highest: {first} of {len(found)} questions held back")
    answers = [place < len(each.right) for each, of in found for place in range(len(of))]
    slope, shift = platt([score for _, of in found for score in of], answers)
    return Reader(reader.lower, reader.upper, slope=slope, shift=shift)


if __name__ == "__main__":
    main()
