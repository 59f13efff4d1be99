"""How often a question on how a figure moved is answered with both its figures, without a key.

    python -m tests.eval.over_time [--library DIR] [--show]

asks the questions of ``over_time_questions.jsonl``, each of one of the documents that the judge
learns from (``tests/training``): ratios of two times, some of one alone, and lines of statements.
The figures were worked out of the statements before docqa was asked. A question is answered right
where the first line, stated outright, has all of them. Those held out were looked at after they had
been asked once; what they gave then stands in ``docs/measurements.md``.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docqa.language.amounts import stated_amounts
from docqa.library.filenames import clean_name
from docqa.types.answer import Answer
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.labelled import HALVES, labels
from tests.eval.library import library_folder
from tests.training.asked import library_of_asked

_ROUNDED = (0.006, 0.0006)  # what a figure may be off by, and the share of it


def is_right(answer: Answer, figures: Sequence[float]) -> bool:
    """Whether the first line of an answer states all figures, in the scale that is printed."""
    first = answer.text.splitlines()[0] if answer.found and not answer.likely else ""
    told = [abs(float(amount.value)) for amount in stated_amounts(first, words=False)]
    return all(any(_agree(one, figure) for one in told) for figure in figures)


def _agree(one: float, other: float) -> bool:
    return abs(one - other) <= max(_ROUNDED[0], _ROUNDED[1] * other)


def ask(workspace: Workspace, asked: dict[str, Any]) -> Answer:
    document = workspace.document(clean_name(asked["document"]))
    *_, answer = workspace.ask(
        asked["question"], document_ids=[document.id], answerer="extractive", sides=()
    )
    assert isinstance(answer, Answer)
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure answers on how figures moved.")
    parser.add_argument("--library", type=Path, help="kept and used again; else a temporary one")
    parser.add_argument("--show", action="store_true", help="what is not answered right")
    options = parser.parse_args()
    right: dict[tuple[str, bool], list[bool]] = {}
    with library_folder(options.library) as folder, library_of_asked(folder) as workspace:
        for asked in labels("over_time_questions"):
            answer = ask(workspace, asked)
            own = right.setdefault((asked["kind"], asked["held_out"]), [])
            own.append(is_right(answer, asked["figures"]))
            if options.show and not own[-1]:
                print(f"{asked['question']} {asked['figures']}\n{answer.text}\n")
    for (kind, held_out), every in right.items():
        print(f"{kind:8}{HALVES[held_out]:10}{Rate(sum(every), len(every))}")


if __name__ == "__main__":
    main()
