"""Teaches which questions ask for rows of a list, as `docqa.answer.findings.rows_asked` tells it.

    python -m tests.training.rows_asked --out docqa/answer/findings/rows_asked.json

``rows_asked.jsonl`` has questions that a language model wrote, in words of their own, for the rows
of lists in the documents that it wrote for the other networks, and `table_questions.FOR_TREES`
those for rows of tables. Questions for a fact or a clause of those documents (``asked.jsonl``,
``asked_reader.jsonl``) ask for no rows, nor do those composed on other documents, or those for one
figure or a sum. Printed is how many are told to ask for rows of those that do, on documents that
are not learnt from (``rows_asked_held.jsonl`` and `table_questions.HELD`), and of those that ask
for one figure.
"""

import argparse
import json
import math
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.rows_asked import ASKS, KINDS
from docqa.language.linear import linear_of
from docqa.models.load import BUNDLED, load_encoder
from docqa.types.evaluation import Rate
from tests.training.asked import READER_QUESTIONS, asked_questions
from tests.training.composed import composed_questions, read_lines
from tests.training.operations import WRITTEN as SUMS
from tests.training.table_questions import FOR_TREES, questions_for
from tests.training.table_questions import HELD as TABLES_HELD
from tests.training.terms import taught

HERE = Path(__file__).parent
WRITTEN, HELD = HERE / "rows_asked.jsonl", HERE / "rows_asked_held.jsonl"
OTHERS = 900  # questions of the documents that ask for no rows
COMPOSED = 4000  # the same of other documents
CHANCE = 1 / (1 + math.exp(-ASKS))
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
    figures = questions_for(FOR_TREES, "printed", *worked)
    told = (e.question for e in chosen)
    return [*told, *Random(0).sample(composed, COMPOSED), *sums, *figures]


def examples() -> list[tuple[str, int]]:
    """Questions with the number of what they ask for, of `KINDS`."""
    of_kind = {
        "other": for_no_rows(),
        "rows": [*for_rows(WRITTEN), *questions_for(FOR_TREES, "list")],
        "most": questions_for(FOR_TREES, "highest"),
        "least": questions_for(FOR_TREES, "lowest"),
    }
    of_sums = [(e["question"], e["operation"]) for e in read_lines(SUMS)]
    for kind, operation in (("most", "highest"), ("least", "lowest")):
        of_kind[kind] += [question for question, own in of_sums if own == operation]
    return [(text, KINDS.index(kind)) for kind, texts in of_kind.items() for text in texts]


def teach(learnt: list[tuple[str, int]], vectors: NDArray[np.float32]) -> dict[str, Any]:
    """A classifier for `linear_of`; ``vectors`` are of the questions, (n, d)."""
    texts, labels = zip(*learnt, strict=True)
    return taught(texts, labels, classes=len(KINDS), seen=SEEN, least=LEAST, vectors=vectors)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.rows_asked")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    learnt = examples()
    held = {
        "rows of lists": for_rows(HELD),
        "rows of tables": questions_for(TABLES_HELD, "list"),
        "the most or least": questions_for(TABLES_HELD, "highest", "lowest"),
        "one figure": questions_for(TABLES_HELD, "printed"),
    }
    with tempfile.TemporaryDirectory() as cache:
        encoder = load_encoder(Path(cache), name=BUNDLED)
        made = teach(learnt, encoder.encode([text for text, _ in learnt]))
        linear = linear_of(made)
        for name, texts in held.items():
            odds = np.array(
                [linear.odds(*e) for e in zip(texts, encoder.encode(texts), strict=True)]
            )
            told = np.exp(odds - np.logaddexp.reduce(odds, axis=1)[:, None])
            rows = Rate(int((told[:, 1] >= CHANCE).sum()), len(texts))
            furthest = Rate(int((told[:, 2:].sum(axis=1) >= CHANCE).sum()), len(texts))
            print(f"{name}: told to ask for rows {rows}, for the most or least {furthest}")
    given.out.write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
