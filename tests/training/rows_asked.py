"""Teaches which questions ask for rows of a list, as `docqa.answer.findings.rows_asked` tells it.

    python -m tests.training.rows_asked --out docqa/answer/findings/rows_asked.json

``rows_asked.jsonl`` has questions that a language model wrote, in words of their own, for the rows
of lists in the documents that it wrote for the other networks. Questions for a fact or a clause of
those documents (``asked.jsonl``, ``asked_reader.jsonl``) ask for no rows, nor do those composed on
other documents, or those for a sum. Printed is how many of those in ``rows_asked_held.jsonl``, on
other documents, are told to ask for rows.
"""

import argparse
import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.rows_asked import ASKS
from docqa.language.linear import linear_of
from docqa.models.load import BUNDLED, load_encoder
from docqa.types.evaluation import Rate
from tests.training.asked import READER_QUESTIONS, asked_questions
from tests.training.composed import composed_questions, read_lines
from tests.training.operations import WRITTEN as SUMS
from tests.training.terms import taught

HERE = Path(__file__).parent
WRITTEN, HELD = HERE / "rows_asked.jsonl", HERE / "rows_asked_held.jsonl"
OTHERS = 900  # questions of the documents that ask for no rows
COMPOSED = 4000  # the same of other documents
LEAST, SEEN = 0.1, 4  # of a weight that is kept, and questions that a term must be in


def for_rows(path: Path) -> list[str]:
    return [each["question"] for each in read_lines(path)]


def for_no_rows() -> list[str]:
    """Questions for a fact or a clause of the documents and of others, and for sums."""
    documents = {each["document"] for each in read_lines(WRITTEN)}
    every = (*asked_questions(), *asked_questions(READER_QUESTIONS))
    own = [e for e in every if e.kind in ("fact", "clause", "yesno") and e.document in documents]
    chosen = Random(0).sample(own, min(OTHERS, len(own)))
    composed = sorted({each.question for each in composed_questions() if each.answer})
    worked = ("difference", "change", "average", "sum", "share")
    sums = dict.fromkeys(e["question"] for e in read_lines(SUMS) if e["operation"] in worked)
    return [*(e.question for e in chosen), *Random(0).sample(composed, COMPOSED), *sums]


def teach(rows: list[str], others: list[str], vectors: NDArray[np.float32]) -> dict[str, Any]:
    """A classifier for `linear_of`; ``vectors`` are of ``rows`` and ``others``, (n, d)."""
    labels = [1] * len(rows) + [0] * len(others)
    return taught([*rows, *others], labels, classes=2, seen=SEEN, least=LEAST, vectors=vectors)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.rows_asked")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    rows, others, held = for_rows(WRITTEN), for_no_rows(), for_rows(HELD)
    with tempfile.TemporaryDirectory() as cache:
        encoder = load_encoder(Path(cache), name=BUNDLED)
        made = teach(rows, others, encoder.encode([*rows, *others]))
        vectors = encoder.encode(held)
    linear = linear_of(made)
    told = [linear.odds(*each)[0] >= ASKS for each in zip(held, vectors, strict=True)]
    print(f"told of those held out: {Rate(sum(told), len(told))}")
    given.out.write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
