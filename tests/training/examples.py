"""Questions with the texts that answer them and others that do not, and the file they are kept in.

The file is JSON, compressed: every text once, and lessons that name texts by their numbers.
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the texts that answer it and others that a search finds beside them.

    Without ``right`` no text answers; without both nothing is known.
    """

    question: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    passages: Example
    pieces: Example
    group: str  # the document, or what else is held back together


def write_lessons(lessons: Sequence[Lesson], target: Path) -> None:
    numbers: dict[str, int] = {}

    def numbered(texts: Sequence[str]) -> list[int]:
        return [numbers.setdefault(text, len(numbers)) for text in texts]

    rows = [(each.group, each.passages.question, *map(numbered, _texts(each))) for each in lessons]
    with gzip.open(target, "wt", encoding="utf-8") as file:
        json.dump({"texts": list(numbers), "lessons": rows}, file)


def _texts(lesson: Lesson) -> tuple[Sequence[str], ...]:
    passages, pieces = lesson.passages, lesson.pieces
    return passages.right, passages.wrong, pieces.right, pieces.wrong


def read_lessons(path: Path) -> list[Lesson]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        kept: dict[str, Any] = json.load(file)
    texts: list[str] = kept["texts"]

    def example(question: str, *numbers: Sequence[int]) -> Example:
        right, wrong = (tuple(texts[each] for each in own) for own in numbers)
        return Example(question, right, wrong)

    return [
        Lesson(example(question, *own[:2]), example(question, *own[2:]), group)
        for group, question, *own in kept["lessons"]
    ]
