"""How well a program fits a question: trees over what a person would look at, taught by
`tests.training.programs` on tables with questions, and the chance that the best of all is right.

Programs of a question are ranked against one another (Burges, "From RankNet to LambdaRank to
LambdaMART", 2010); a logistic regression of how far the first is ahead tells its chance.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, reduce
from importlib import resources
from operator import and_, or_

import numpy as np

from docqa.answer.findings.features import log_odds
from docqa.answer.findings.grids import Grid, Line, bits
from docqa.answer.findings.operations import Operation, chances_of
from docqa.answer.findings.programs import (
    OPERATIONS_OF,
    WAYS,
    Cells,
    Program,
    cells_of,
    program_of,
)
from docqa.answer.findings.values import periods_asked
from docqa.language.numbers import COUNT, count_of
from docqa.language.trees import Numbers, Trees, trees_of
from docqa.language.words import content_words

WORKED: tuple[Operation, ...] = ("difference", "change", "average", "sum", "share")
LIKELY = 3  # operations that are looked at
# What the first has at the least, whatever its chance: a word of the question, and the log odds
# that its operation is asked for, and that one of its rows answers.
_LEAST = {"words own": 0.01, "asked": log_odds(0.3), "judged best": log_odds(0.1)}
_PAIRS = ("row pair", "column pair")
_PLANNED = re.compile(
    r"\b(?:budget|plan|forecast|target|estimat|limit|project|guidance|approved|original|expected)",
    re.IGNORECASE,
)
_UNITS = {"year": 12, "half": 6, "quarter": 3, "month": 1}  # months of each
_UNIT = rf"({'|'.join(_UNITS)})s?"
# How far before a time another is: "two years ago", "the quarter before", "year on year".
_BEFORE = re.compile(
    rf"(?:(?P<count>{COUNT})\s+)?\b{_UNIT}\s+(?:before|earlier|prior|ago)\b"
    rf"|\b(?:previous|prior|last|preceding|past)\s+(?:\w+\s+)?{_UNIT}\b"
    rf"|\b{_UNIT}[\s-]+(?:on|over)[\s-]+\w+",
    re.IGNORECASE,
)
_OF_ONE = ("words", "unasked", "meaning", "judged", "read", "asked", "from end", "planned")

NAMES = (
    *(f"is {each}" for each in WORKED), "asked", "none asked", "smaller first",
    *(f"by {each}" for each in WAYS),
    "cells", "every row", "is run",
    "words", "words own", "words of rows", "words of columns", "words apart", "words apart most",
    "rows unasked", "columns unasked",
    "judged best", "judged least", "judged behind", "table judged", "table rank",
    "read best", "read least", "read mean", "read behind", "read ahead",
    "column read best", "column read least", "column read behind", "column read ahead",
    "row meaning", "row meaning least", "row meaning behind",
    "column meaning", "column meaning least", "column meaning behind",
    "title meaning", "title meaning behind", "chosen meaning", "chosen behind", "chosen words",
    "times asked", "times held", "times missed", "cells of times", "exactly those asked",
    "row place", "column place", "figures asked", "is list", "rows named", "rows meant",
    "has total", "tells a difference", "in per cent", "distance asked",
    "months apart", "distance held", "steps apart", "ends of series", "one measure", "one time",
    "in time order", "next to", "whole is total",
    *(f"{which} {each}" for which in ("first", "second") for each in _OF_ONE),
)  # fmt: skip
# What tells the chance of the first.
SURE = (
    "score", "ahead", "share", "asked", "none asked", "words", "rows unasked", "columns unasked",
    "judged behind", "table judged", "times missed", "is run", "exactly those asked",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Taught:
    trees: Trees
    weights: Numbers  # of SURE, and of 1


@dataclass(frozen=True, slots=True)
class Fitting:
    """A program with the chance, 0–1, that it is what a question asks for."""

    program: Program
    grid: Grid
    chance: float


@lru_cache(maxsize=1)
def _taught() -> _Taught:
    text = resources.files("docqa.answer.findings").joinpath("programs.json").read_text("utf-8")
    kept = json.loads(text)
    return _Taught(trees_of(kept, NAMES), np.array(kept["sure"], np.float32))


def best_fit(found: Sequence[Grid], odds: Numbers) -> Fitting | None:
    """The program that fits best, of all tables; ``odds`` are the log odds of each of `OPERATIONS`
    that the question asks for. None where there is none, or the best is not of what is asked."""
    every = [(grid, *own) for grid in found for own in measured(grid, odds)]
    if not every:
        return None
    rows = np.array([row for *_, row in every], np.float32)
    taught = _taught()
    scores = taught.trees.odds(rows)
    programs = [program for _, program, _ in every]
    best = int(scores.argmax())
    if any(rows[best, NAMES.index(name)] < least for name, least in _LEAST.items()):
        return None
    results = [each.result for each in programs]
    sure = float(taught.weights @ [*signs(results, rows, scores), 1.0])
    return Fitting(programs[best], every[best][0], 1 / (1 + math.exp(-sure)))


def signs(results: Sequence[Decimal | None], rows: Numbers, scores: Numbers) -> list[float]:
    """What tells the chance of the first of programs, in the order of `SURE`: its score, how far it
    is ahead of the first that has another of the ``results``, its share, and features of it."""
    best = int(scores.argmax())
    sizes = [None if result is None else abs(result) for result in results]
    same = np.array([size == sizes[best] for size in sizes])
    shares = np.exp(scores - scores[best])
    ahead = scores[best] - scores[~same].max() if not same.all() else 0.0
    own = [rows[best, NAMES.index(name)] for name in SURE[3:]]
    return [float(each) for each in (scores[best], ahead, shares[same].sum() / shares.sum(), *own)]


def measured(grid: Grid, odds: Numbers) -> Iterator[tuple[Program, list[float]]]:
    """Each program of a table by the likeliest operations, with its features."""
    chances = chances_of(odds)
    likely = sorted(WORKED, key=lambda each: -chances[each])[:LIKELY]
    none = log_odds(chances["none"])
    distance = months_before(grid.question.whole)
    periods = len(periods_asked(grid.question))
    for cells in cells_of(grid):
        operations = [each for each in OPERATIONS_OF[cells.way] if each in likely]
        own = _features(grid, cells, distance, periods) if operations else []
        for operation in operations:
            program = program_of(grid, operation, cells)
            is_of = [float(operation == each) for each in WORKED]
            asked = log_odds(chances[operation])
            yield program, [*is_of, asked, none, _smaller_first(program, cells), *own]


def _smaller_first(program: Program, cells: Cells) -> float:
    if cells.way not in _PAIRS:
        return 0.0
    first, second = (abs(value.amount) for value in program.values)
    return float(np.sign(float(second - first)))


def _features(grid: Grid, cells: Cells, distance: int, periods: int) -> list[float]:
    at_rows = list(dict.fromkeys(row for row, _ in cells.at))
    at_columns = list(dict.fromkeys(column for _, column in cells.at))
    rows, columns = ([grid.rows[at] for at in at_rows], [grid.columns[at] for at in at_columns])
    total = max(len(grid.asked), 1)
    of_rows, of_columns = _together(rows), _together(columns)
    own = of_rows | of_columns
    told = [line.words for line in (columns if len(columns) > 1 else rows)]
    shared = reduce(and_, told)
    apart = [(each & ~shared).bit_count() for each in told]
    judged, best = [grid.judged[at] for at in at_rows], max(grid.judged)
    times = [grid.rows[row].times | grid.columns[column].times for row, column in cells.at]
    held, of_times = reduce(or_, times).bit_count(), sum(map(bool, times)) / len(times)
    return [
        *(float(cells.way == each) for each in WAYS),
        math.log(len(cells.at)),
        float(cells.way in ("column set", "part") and len(cells.at) == len(grid.things)),
        float(cells.is_run),
        (own | grid.around).bit_count() / total, own.bit_count() / total,
        of_rows.bit_count() / total, of_columns.bit_count() / total,
        float(min(apart)), float(max(apart)),
        sum(line.unasked for line in rows) / len(rows),
        sum(line.unasked for line in columns) / len(columns),
        max(judged), min(judged), max(judged) - best, best, float(grid.rank),
        *_read(grid, at_rows), *_read_columns(grid, at_columns),
        *_meaning(rows, grid.rows), *_meaning(columns, grid.columns),
        grid.meaning[grid.table.title], grid.meaning[grid.table.title] - grid.nearest,
        *_chosen(grid, cells),
        float(periods), float(held), float(periods - held), of_times,
        float(periods == held and of_times == 1),
        at_rows[0] / len(grid.rows), at_columns[0] / len(grid.columns),
        float(any(at in grid.figures for at in at_columns)), float(grid.is_list),
        sum(at in grid.named for at in at_rows) / len(rows),
        sum(at in grid.meant for at in at_rows) / len(rows),
        float(any(line.is_total for line in (*rows, *columns))),
        float(any(line.is_apart for line in columns)),
        float(grid.numbers[cells.at[0][0]][cells.at[0][1]].unit == "%"), float(distance),
        *(_pair(grid, cells, distance) if cells.way in _PAIRS else _NO_PAIR),
    ]  # fmt: skip


def _together(lines: Sequence[Line]) -> int:
    return reduce(or_, (line.words for line in lines))


def _read(grid: Grid, rows: Sequence[int]) -> tuple[float, ...]:
    """The likeliest and the least likely of some rows, their mean, how far they are behind the best
    row of all tables, and how far ahead of the others of theirs that are no totals."""
    own = [grid.read.rows[at] for at in rows]
    others = [grid.read.rows[at] for at in grid.things if at not in rows]
    ahead = min(own) - max(others) if others else 0.0
    return max(own), min(own), sum(own) / len(own), max(own) - grid.best, ahead


def _read_columns(grid: Grid, columns: Sequence[int]) -> tuple[float, ...]:
    """The likeliest and the least likely of some columns, how far they are behind the best of their
    table, and how far ahead of its others."""
    every = grid.read.columns
    own = [every[at] for at in columns]
    others = [each for at, each in enumerate(every) if at not in columns]
    ahead = min(own) - max(others) if others else 0.0
    return max(own), min(own), max(own) - max(every), ahead


def _meaning(lines: Sequence[Line], every: Sequence[Line]) -> tuple[float, float, float]:
    own = [line.meaning for line in lines]
    return max(own), min(own), max(own) - max(line.meaning for line in every)


def _chosen(grid: Grid, cells: Cells) -> tuple[float, float, float]:
    """How near the text by which rows were chosen is to the question, how far it is behind the
    nearest of its column, and how many of the words asked it has."""
    if cells.chosen is None:
        return 0.0, 0.0, 0.0
    column, text = cells.chosen
    nearest = max(grid.meaning[other] for at, other in grid.kinds if at == column)
    words = bits(grid.asked, content_words(text)).bit_count()
    return grid.meaning[text], grid.meaning[text] - nearest, float(words)


def _pair(grid: Grid, cells: Cells, distance: int) -> list[float]:
    """What sets two cells apart, and what each of them has by itself."""
    in_row = cells.way == "row pair"
    lines = grid.columns if in_row else grid.rows
    places = [column if in_row else row for row, column in cells.at]
    first, second = (lines[at] for at in places)
    ends = [grid.columns[column].end or grid.rows[row].end for row, column in cells.at]
    months = [end[0] * 12 + (end[1] or 12) if end else 0 for end in ends]
    apart = abs(months[0] - months[1]) if all(months) else -1
    held = (1.0 if apart == distance else -1.0) if distance and apart >= 0 else 0.0
    series = [at for at, line in enumerate(lines) if line.end and line.measures == first.measures]
    extremes = len(series) > 2 and {*places} == {series[0], series[-1]}
    later = sorted({line.end for line in lines if line.end}, reverse=True)
    ranks = [later.index(line.end) if line.end else -1 for line in (first, second)]
    nearest = max(line.meaning for line in lines)
    own = [
        [
            float(lines[at].words.bit_count()), lines[at].unasked, lines[at].meaning - nearest,
            grid.judged[row],
            (grid.read.columns if in_row else grid.read.rows)[at],
            float(bool(grid.rows[row].times | grid.columns[column].times)),
            float(rank), float(bool(_PLANNED.search(lines[at].name))),
        ]
        for at, rank, (row, column) in zip(places, ranks, cells.at, strict=True)
    ]  # fmt: skip
    return [
        float(apart), held, float(abs(places[0] - places[1])), float(extremes),
        float(first.measures == second.measures), float(apart == 0 or not any(ends)),
        float(np.sign(months[0] - months[1])) if all(months) else 0.0,
        float(min(ranks) >= 0 and ranks[1] - ranks[0] == 1), float(second.is_total),
        *own[0], *own[1],
    ]  # fmt: skip


_NO_PAIR = [0.0] * (9 + 2 * len(_OF_ONE))


def months_before(text: str) -> int:
    """How many months before another a time is that a text names so; 0 where it names none.

    >>> months_before("up on two years ago?"), months_before("vs the quarter before"), \
    months_before("in 2023")
    (24, 3, 0)
    """
    found = 0
    for match in _BEFORE.finditer(text):
        unit = next(filter(None, match.groups()[1:])).lower()
        found = max(found, _UNITS[unit] * (count_of(match["count"]) if match["count"] else 1))
    return found
