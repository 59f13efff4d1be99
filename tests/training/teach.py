"""Teaches a network all lessons, then those that are put as people ask, and calibrates it.

What is learnt last stays best: questions as people ask them are a fifth of all, and what docqa is
asked. The mean of the network before and after keeps more of what it had learnt.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random

import numpy as np
import torch

from docqa.models.registry import MINILM, required_folder
from tests.training.calibrate import platt
from tests.training.examples import Example, Lesson
from tests.training.network import Reader, bundled_weights
from tests.training.train import PASSAGE, PIECE, Texts, Turn, scores, train, turns

STEPS = 1860  # with more, pieces held back were told apart less well
QUESTIONS = 48  # of a step
OTHER_PASSAGES, OTHER_PIECES = 7, 15  # that what answers is told apart from
LAST_STEPS, LAST_QUESTIONS, LAST_RATE = 480, 16, 0.6
LAST_SHARE = 0.7  # of what is learnt last: alone it reads pieces better, and passages less well


def taught(
    learnt: Sequence[Lesson],
    asked: Sequence[Lesson],
    *,
    steps: int = STEPS,
    last_steps: int = LAST_STEPS,
) -> Reader:
    """A network that learnt all lessons, and then most of all those of ``asked``."""
    folder = required_folder(MINILM)
    reader, texts = Reader(bundled_weights(folder)), Texts(folder)
    reader.to(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    train(reader, texts, _kinds([*learnt, *asked]), steps=steps)
    before = deepcopy(reader)
    train(reader, texts, _last(learnt, asked), steps=last_steps, rate=LAST_RATE)
    return averaged(before, reader, share=LAST_SHARE)


def averaged(before: Reader, after: Reader, *, share: float) -> Reader:
    """The mean of what a network was and what it learnt on, of which it has ``share``: Wortsman et
    al., "Robust fine-tuning of zero-shot models", 2022."""
    with torch.no_grad():
        for one, other in zip(before.parameters(), after.parameters(), strict=True):
            one.lerp_(other, share)
    before.slope += share * (after.slope - before.slope)
    before.shift += share * (after.shift - before.shift)
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


def _last(learnt: Sequence[Lesson], asked: Sequence[Lesson]) -> list[Iterator[Turn]]:
    """Turns of which every fifth is of passages, and every fifth of pieces, that were learnt from
    before: what is not asked again is forgotten."""
    pieces = _pieces(asked, LAST_QUESTIONS)
    return [
        pieces,
        _passages(learnt, LAST_QUESTIONS),
        pieces,
        _passages(asked, LAST_QUESTIONS),
        _pieces(learnt, LAST_QUESTIONS),
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
