"""Teaches which sentences beside a question are no part of what is asked.

    python -m tests.training.asides --out docqa/question/asides.json

``asides.jsonl`` holds sentences that a language model wrote as people put them beside questions:
of the kinds "answer" (how to answer) and "asker" (who asks, and why), which are beside what is
asked, "narrows" and "subject", which are part of it, and "request", which ask without a question
mark, as do many of those composed for the reranker. Printed is how many of each kind are told
rightly to be beside what is asked or not by a classifier that was taught on the other half.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.language.linear import linear_of
from docqa.models.load import BUNDLED, load_encoder
from tests.training.composed import composed_questions
from tests.training.terms import taught

WRITTEN = Path(__file__).with_suffix(".jsonl")
CLASSES = {"answer": "beside", "asker": "beside", "narrows": "part", "subject": "part"}
KINDS = ("beside", "part", "request")  # in the order of the classes
REQUESTS = 200  # composed for the reranker
SEEN = 2  # sentences that a term must be in
LEAST = 0.14  # of a weight that is kept


def written() -> list[tuple[str, str]]:
    """Sentences and their kinds, in an order of chance."""
    rows = map(json.loads, WRITTEN.read_text(encoding="utf-8").splitlines())
    made = [(each["text"], each["kind"]) for each in rows]
    random = Random(0)
    asked = random.sample([each.question for each in composed_questions()], REQUESTS)
    made += [(each, "request") for each in asked]
    return random.sample(made, len(made))


def _taught(examples: Sequence[tuple[str, str]], vectors: NDArray[np.float32]) -> dict[str, Any]:
    texts, labels = [text for text, _ in examples], [number_of(kind) for _, kind in examples]
    return taught(
        texts, labels, classes=len(KINDS), seen=SEEN, least=LEAST, vectors=vectors, balanced=True
    )


def number_of(kind: str) -> int:
    return KINDS.index(CLASSES.get(kind, kind))


def told_right(
    kept: dict[str, Any], examples: Sequence[tuple[str, str]], vectors: NDArray[np.float32]
) -> list[tuple[str, bool]]:
    """The kinds of the examples, and whether each is told to be beside what is asked or not."""
    model = linear_of(kept)
    return [
        (kind, (number_of(kind) == 0) == (model.odds(text, vector).argmax() == 0))
        for (text, kind), vector in zip(examples, vectors, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.asides")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    examples = written()
    with tempfile.TemporaryDirectory() as cache:
        vectors = load_encoder(Path(cache), name=BUNDLED).encode([text for text, _ in examples])
    found: list[tuple[str, bool]] = []
    for own, others in ((0, 1), (1, 0)):
        kept = _taught(examples[others::2], vectors[others::2])
        found += told_right(kept, examples[own::2], vectors[own::2])
    for name in sorted({kind for kind, _ in found}):
        right = [told for kind, told in found if kind == name]
        print(f"{name}: {sum(right)} of {len(right)} told right")
    given.out.write_text(json.dumps(_taught(examples, vectors)) + "\n", encoding="utf-8")
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
