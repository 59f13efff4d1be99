"""Labels made by hand from the pages, and when what was read says the same as they do.

Each label file has a line for each document or table; with ``held_out``, a half that nobody who
mends the reading has looked at. Figures are given for both halves.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docqa.types.evaluation import Rate
from docqa.types.period import Period

FOLDER = Path(__file__).parent
HALVES = {False: "seen", True: "held out"}
MONTHS = {"year": 12, "three": 3, "six": 6, "nine": 9, "twelve": 12}
_MARK = re.compile(r"(?<=[^\W\d])\s*\((?:\d|[a-z])\)$")
_MARKS = re.compile(r"(?:\s*\((?:\d|[a-z])\))+$")
_DASH = re.compile(r"[‐-―−]")


def labels(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def letters(text: str) -> str:
    """Letters and digits alone, whatever their case."""
    return re.sub(r"[\W_]", "", text).lower()


def value(text: str) -> str:
    """A cell without the ways of printing: signs of money and percent, commas, marks, brackets.

    >>> value("$ (1,204 )"), value("— %"), value("5.0 %"), value("Variable rate (2)")
    ('-1204', '-', '5.0', 'variablerate')
    """
    text = _MARK.sub("", _DASH.sub("-", text.strip()))
    if re.search(r"[^\W\d_]", text):
        return letters(text)
    plain = re.sub(r"[\s$€£%,*†‡]", "", text)
    return re.sub(r"^\(([\d.]+)\)$", r"-\1", plain)


def names_row(label: str, found: str) -> bool:
    """Whether a row's label is the one wanted; of one over several lines the last is enough."""
    wanted, other = (letters(_MARKS.sub("", text)) for text in (label, found))
    return wanted == other or (len(wanted) > 5 and other.endswith(wanted))


def heads(path: Sequence[str], found: str) -> bool:
    """Whether a heading has all the words of the path wanted."""
    here = letters(found)
    return all(letters(word) in here for part in path for word in part.split())


def same_period(wanted: str, period: Period) -> bool:
    """
    >>> same_period("year ended 2022-05-31", Period(months=12, year=2022, month=5, day=31))
    True
    >>> same_period("2022-05-31", Period(months=12, year=2022, month=5, day=31))
    False
    """
    length, _, end = wanted.rpartition(" ")
    months = MONTHS[length.split()[0]] if length else 0
    date = tuple(int(part) for part in end.split("-"))
    return (period.months or 0) == months and (period.year, period.month, period.day) == date


@dataclass(slots=True)
class Tally:
    """Counts of what is right, by measure and half, and what is wrong in the half that is seen."""

    right: defaultdict[tuple[str, bool], int] = field(default_factory=lambda: defaultdict(int))
    n: defaultdict[tuple[str, bool], int] = field(default_factory=lambda: defaultdict(int))
    missed: list[str] = field(default_factory=list)

    def count(self, measure: str, right: bool, held_out: bool, told: str) -> None:
        """``told`` says what is wrong where something is; what was said before is said once."""
        self.n[measure, held_out] += 1
        self.right[measure, held_out] += right
        line = f"{measure}: {told}"
        if not right and not held_out and self.missed[-1:] != [line]:
            self.missed.append(line)

    def lines(self) -> Iterable[str]:
        for measure in dict.fromkeys(measure for measure, _ in self.n):
            shares = [self._share(measure, held_out) for held_out in HALVES]
            yield f"{measure:44}" + "".join(f"{share:>34}" for share in shares)

    def _share(self, measure: str, held_out: bool) -> str:
        right, n = self.right[measure, held_out], self.n[measure, held_out]
        if not n:
            return f"{HALVES[held_out]} –"
        return f"{HALVES[held_out]} {Rate(right, n).value:.3f} ({right} of {n})"

    def print(self, misses: Path | None) -> None:
        print("\n".join(self.lines()))
        if misses:
            misses.write_text("".join(f"{line}\n" for line in self.missed), "utf-8")


def arguments(description: str | None) -> argparse.ArgumentParser:
    """FOLDER… --read DIR [--misses FILE]."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--read", type=Path, required=True, help="what was read, used again")
    parser.add_argument("--misses", type=Path, help="written: what is wrong in the half seen")
    return parser
