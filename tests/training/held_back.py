"""Which documents a network did not learn from."""

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

HELD_BACK = 8  # every eighth


class Grouped(Protocol):
    @property
    def group(self) -> str: ...


T = TypeVar("T", bound=Grouped)


def parted(lessons: Sequence[T]) -> tuple[list[T], list[T]]:
    """Those to learn from, and those of every eighth group."""
    groups = sorted({each.group for each in lessons})
    back = set(Random(0).sample(groups, len(groups) // HELD_BACK))
    return (
        [each for each in lessons if each.group not in back],
        [each for each in lessons if each.group in back],
    )
