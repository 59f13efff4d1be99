"""Teaches whether a question asks for what is more, or less, than what it is held against.

    python -m tests.training.direction --out docqa/answer/findings/direction.json

``direction.jsonl`` has questions that a language model wrote, in words of their own: for rows that
are more, less or neither. Those of `table_questions.FOR_TREES` for a figure, or for one as a share
of another, ask for neither. Printed is how many of every fifth written question are told rightly,
by what learnt from the others.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.direction import DIRECTIONS
from docqa.language.linear import linear_of
from docqa.models.load import BUNDLED, load_encoder
from docqa.types.evaluation import Rate
from tests.training.composed import read_lines
from tests.training.table_questions import FOR_TREES, questions_for
from tests.training.terms import taught

WRITTEN = Path(__file__).parent / "direction.jsonl"
NEITHER = ("printed", "share", "none")
LEAST, SEEN = 0.1, 3  # of a weight that is kept, and questions that a term must be in
HELD_BACK = 5  # every fifth


def written() -> list[tuple[str, int]]:
    return [(each["question"], DIRECTIONS.index(each["asks"])) for each in read_lines(WRITTEN)]


def others() -> list[tuple[str, int]]:
    return [(question, 0) for question in questions_for(FOR_TREES, *NEITHER)]


def teach(learnt: Sequence[tuple[str, int]], vectors: NDArray[np.float32]) -> dict[str, Any]:
    """A classifier for `linear_of`; ``vectors`` are of the questions, (n, d)."""
    texts, labels = zip(*learnt, strict=True)
    return taught(
        texts, labels, classes=len(DIRECTIONS), seen=SEEN, least=LEAST, vectors=vectors,
        balanced=True,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.direction")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    every = [*written(), *others()]
    with tempfile.TemporaryDirectory() as cache:
        vectors = load_encoder(Path(cache), name=BUNDLED).encode([text for text, _ in every])
    back = [at for at in range(len(written())) if at % HELD_BACK == 0]
    learnt = [at for at in range(len(every)) if at not in set(back)]
    model = linear_of(teach([every[at] for at in learnt], vectors[learnt]))
    told = [int(model.odds(every[at][0], vectors[at]).argmax()) for at in back]
    for number, name in enumerate(DIRECTIONS):
        own = [found for at, found in zip(back, told, strict=True) if every[at][1] == number]
        print(f"{name}: told of those held back {Rate(own.count(number), len(own))}")
    made = json.dumps(teach(every, vectors), separators=(",", ":"))
    given.out.write_text(made + "\n", encoding="utf-8")
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
