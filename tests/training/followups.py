"""Teaches how a question that leans on the one before it is made whole.

    python -m tests.training.followups [--out docqa/question/followups.json]

``followups.jsonl`` has dialogues that a language model wrote: a question, the one before it, what
it means, and of which of `docqa.question.leaning.SORTS` it is. Of those that stand alone only the
question itself is right; of others a rewrite is as right as its words and their order are those of
what was written. Each is learnt from with and without what the encoder makes of it.

Printed is how many are made whole rightly by what did not learn from them: of every fold, and of
``followups_held.jsonl``; without ``--out`` the latter alone, by what ships. LightGBM, which teaches
the trees, is not among docqa's packages: `pip install lightgbm`.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from docqa.language.linear import linear_of
from docqa.language.trees import Numbers, trees_of
from docqa.language.words import content_words, words
from docqa.models.load import BUNDLED, load_encoder
from docqa.question.asides import Vectors
from docqa.question.leaning import (
    FALLING,
    NAMES,
    RISING,
    SORTS,
    Taught,
    bundled,
    chosen,
    manner,
    measured,
    taught_of,
)
from docqa.question.phrases import Asked, asked
from docqa.question.rewrites import Rewrite, rewrites
from tests.training import terms
from tests.training.boosted import as_numbers
from tests.training.composed import read_lines

WRITTEN = Path(__file__).with_suffix(".jsonl")
HELD = WRITTEN.with_name("followups_held.jsonl")
ROUNDS, LEAVES, RATE, SEEN, SHARE = 240, 31, 0.07, 10, 0.4
FOLDS = 5
SEEN_TERMS, LEAST_WEIGHT = 5, 0.25
BEST, NEARLY, RIGHT, ROUGHLY = 4, 3, 2, 1  # grades
GAINS = (0, 1, 3, 6, 12)  # of each grade
BEHIND = 0.15  # of likeness, by which what is nearly right may be behind the best
AGREED = 0.85  # agreement from which a question is taken to be made whole
SPOILT = 5  # what leaving alone a question that stands alone weighs, beside making another whole
LEASTS = [step / 8 for step in range(-8, 9)]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A question after another, what it means, and what it may mean."""

    before: Asked
    question: Asked
    whole: str
    sort: str
    every: Sequence[Rewrite]

    @property
    def alone(self) -> bool:
        return self.sort == "alone"

    def grades(self) -> list[int]:
        """How right each rewrite is, 0 to `BEST`."""
        if self.alone:
            return [BEST * (made.way == "alone") for made in self.every]
        near = [likeness(made.text, self.whole) for made in self.every]
        most = max(near)[1]
        grades = [grade(*each, most) for each in near]
        last = RIGHT if max(grades) < NEARLY else 0  # of one question after the other
        pairs = zip(grades, self.every, strict=True)
        return [min(own, last if made.way == "after" else BEST) for own, made in pairs]

    def is_told(self, made: Rewrite) -> bool:
        if self.alone:
            return made.way == "alone"
        return agreement(made.text, self.whole) >= AGREED


@dataclass(frozen=True, slots=True)
class Measured:
    """A dialogue with the features of its rewrites, without and with cosines."""

    dialogue: Dialogue
    rows: tuple[Numbers, Numbers]


def agreement(one: str, other: str) -> float:
    """The F1 of two texts' telling words, 0–1."""
    said, due = set(content_words(one)), set(content_words(other))
    return 2 * len(said & due) / max(1, len(said) + len(due))


def likeness(one: str, other: str) -> tuple[float, float]:
    """The agreement of two texts, and how alike their words are in their order, 0–1 each."""
    return agreement(one, other), SequenceMatcher(None, words(one), words(other)).ratio()


def grade(agreed: float, alike: float, most: float) -> int:
    """The grade of a rewrite, where ``most`` is how alike the one is that comes nearest."""
    if alike == 1.0:
        return BEST
    if agreed < 1.0:
        return ROUGHLY if agreed >= AGREED else 0
    return NEARLY if alike >= most - BEHIND else RIGHT


def dialogues(path: Path) -> list[Dialogue]:
    return [*map(_dialogue, read_lines(path))]


def _dialogue(line: dict[str, Any]) -> Dialogue:
    before, question = asked(line["before"]), asked(line["question"])
    return Dialogue(before, question, line["whole"], line["kind"], rewrites(question, before))


def sorts_of(examples: Sequence[Dialogue]) -> dict[str, Any]:
    """A classifier of `SORTS`."""
    texts = [manner(each.question) for each in examples]
    labels = [SORTS.index(each.sort) for each in examples]
    return terms.taught(texts, labels, classes=len(SORTS), seen=SEEN_TERMS, least=LEAST_WEIGHT)


def measured_of(
    examples: Sequence[Dialogue], odds: Sequence[Numbers], vectors: Vectors
) -> list[Measured]:
    found = []
    for each, own in zip(examples, odds, strict=True):
        deaf, heard = (
            measured(each.question, each.before, each.every, own, means)
            for means in (None, vectors)
        )
        found.append(Measured(each, (deaf, heard)))
    return found


def learnt_of(examples: Sequence[Dialogue], vectors: Vectors) -> list[Measured]:
    """The examples with odds by classifiers that did not learn from them."""
    odds: dict[int, Numbers] = {}
    for fold in range(FOLDS):
        model = linear_of(sorts_of([e for at, e in enumerate(examples) if at % FOLDS != fold]))
        for at in range(fold, len(examples), FOLDS):
            odds[at] = model.odds(manner(examples[at].question))
    return measured_of(examples, [odds[at] for at in range(len(examples))], vectors)


def trees(examples: Sequence[Measured]) -> dict[str, Any]:
    """Trees that rank the rewrites of each dialogue, without and with cosines."""
    grades = [each.dialogue.grades() for each in examples]
    lightgbm: Any = import_module("lightgbm")
    told = lightgbm.Dataset(
        np.concatenate([rows for each in examples for rows in each.rows]),
        np.concatenate([own for own in grades for _ in range(2)]),
        group=[len(own) for own in grades for _ in range(2)],
    )
    model = lightgbm.train(
        {
            "objective": "lambdarank", "lambdarank_truncation_level": 20, "label_gain": [*GAINS],
            "learning_rate": RATE, "num_leaves": LEAVES, "min_data_in_leaf": SEEN,
            "feature_fraction": SHARE, "seed": 0, "verbose": -1, "deterministic": True,
            "num_threads": 1,
            "monotone_constraints": [(name in RISING) - (name in FALLING) for name in NAMES],
        },
        told,
        ROUNDS,
    )  # fmt: skip
    return as_numbers(model, NAMES)


def scores_apart(examples: Sequence[Measured]) -> list[tuple[Numbers, Numbers]]:
    """The scores of each dialogue's rewrites, without and with cosines, by trees that did not learn
    from it."""
    found: dict[int, tuple[Numbers, Numbers]] = {}
    for fold in range(FOLDS):
        model = trees_of(trees([e for at, e in enumerate(examples) if at % FOLDS != fold]), NAMES)
        for at in range(fold, len(examples), FOLDS):
            deaf, heard = examples[at].rows
            found[at] = model.odds(deaf), model.odds(heard)
    return [found[at] for at in range(len(examples))]


def least_of(examples: Sequence[Measured], scores: Sequence[tuple[Numbers, Numbers]]) -> float:
    """How far ahead another rewrite has to be, so that most are told rightly, where a question
    that stands alone counts `SPOILT` times."""

    def right(least: float) -> int:
        return sum(
            (SPOILT if each.dialogue.alone else 1)
            * each.dialogue.is_told(each.dialogue.every[chosen(own, least)])
            for each, both in zip(examples, scores, strict=True)
            for own in both
        )

    return max(LEASTS, key=lambda least: (right(least), least))


def report(
    examples: Sequence[Measured], scores: Sequence[tuple[Numbers, Numbers]], least: float
) -> str:
    lines = []
    for name, at in (("without cosines", 0), ("with cosines", 1)):
        told: dict[str, list[bool]] = {sort: [] for sort in SORTS}
        best = 0
        for each, own in zip(examples, scores, strict=True):
            number = chosen(own[at], least)
            told[each.dialogue.sort].append(each.dialogue.is_told(each.dialogue.every[number]))
            best += each.dialogue.grades()[number] >= NEARLY
        every = [right for own in told.values() for right in own]
        parts = ", ".join(f"{sort} {sum(own)} of {len(own)}" for sort, own in told.items())
        lines.append(
            f"{name}: {sum(every)} of {len(every)} made whole rightly ({parts}), {best} as well as "
            "they can be"
        )
    return "\n".join(lines)


def scores_of(taught: Taught, examples: Sequence[Measured]) -> list[tuple[Numbers, Numbers]]:
    return [(taught.trees.odds(each.rows[0]), taught.trees.odds(each.rows[1])) for each in examples]


def taught_on(examples: Sequence[Dialogue], vectors: Vectors) -> dict[str, Any]:
    """What is learnt of dialogues, in the form that `leaning.taught_of` takes."""
    learnt = learnt_of(examples, vectors)
    apart = scores_apart(learnt)
    least = least_of(learnt, apart)
    print(f"of every fold, {least} ahead\n{report(learnt, apart, least)}")
    return {"sorts": sorts_of(examples), "trees": trees(learnt), "least": least}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.followups")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        vectors = load_encoder(Path(cache), name=BUNDLED).encode_now
        taught, held = bundled(), dialogues(HELD)
        if given.out:
            kept = taught_on(dialogues(WRITTEN), vectors)
            given.out.write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")
            taught = taught_of(kept)
        odds = [taught.sorts.odds(manner(each.question)) for each in held]
        others = measured_of(held, odds, vectors)
    print(f"held back\n{report(others, scores_of(taught, others), taught.least)}")


if __name__ == "__main__":
    main()
