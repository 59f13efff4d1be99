"""Which rows of a table a question asks for, all of them: sets of rows, ranked by what was learnt.

Which of the sets of `row_sets` a question means, trees tell that `tests.training.selections`
teaches: the sets of a question are ranked against one another (Burges, "From RankNet to LambdaRank
to LambdaMART", 2010); a logistic regression of how far the first is ahead tells its chance.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from importlib import resources
from operator import and_, or_

import numpy as np

from docqa.answer.findings.direction import Direction, direction_of
from docqa.answer.findings.features import log_odds
from docqa.answer.findings.grids import Grid, Line, bits
from docqa.answer.findings.judge import Networks
from docqa.answer.findings.operations import chances_of, operation_odds
from docqa.answer.findings.row_sets import NOTHING, WAYS, Beyond, Chosen, sets_of
from docqa.answer.findings.rows_asked import RowsAsked, rows_asked
from docqa.answer.findings.rows_meant import is_negated
from docqa.answer.findings.values import PLANNED
from docqa.language.trees import Numbers, Trees, trees_of
from docqa.language.words import content_words
from docqa.types.question import Question

# Words of a heading that others are held against.
_HELD_AGAINST = PLANNED | frozenset(
    content_words(
        "limit benchmark allowance covenant prior previous last opening original approved tender"
        " contract market due cap maximum"
    )
)

NAMES = (
    *(f"is {each}" for each in WAYS),
    "rows", "share", "ways",
    "read best", "read least", "read mean", "read behind", "read ahead", "likelihood", "lost",
    "judged best", "judged least", "judged mean", "judged behind", "table judged", "table rank",
    "words", "words own", "words shared", "words of others", "unasked",
    "row meaning", "row meaning least", "title meaning", "title meaning behind",
    "chosen meaning", "chosen behind", "chosen words", "named share",
    "later as asked", "measured as asked", "left as asked", "sign as asked",
    "greater read", "lesser read", "greater words", "lesser words", "columns meaning",
    "of one measure", "beside", "is of a difference",
    "limit read", "limit words", "limit meaning", "limit said", "limit as asked", "limit plain",
    "most read", "most words", "most meaning", "most said", "most as asked", "most counted",
    "column read best", "negated", "asks for rows", "none asked", "is list", "has total",
    "asks apart", "asks more", "asks most", "asks highest",
)  # fmt: skip
# What tells the chance of the first.
SURE = ("score", "ahead", "share of all", "rows", "read least", "read ahead", "lost", "words",
        "judged best", "judged behind", "asks for rows", "none asked", "title meaning",
        "is apart", "asks apart", "is limit", "is most", "asks most")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of a table with the chance, 0–1, that they are what a question asks for, the columns by
    which they were chosen, and whether that was for having the most, or the least."""

    rows: tuple[int, ...]
    grid: Grid
    chance: float
    columns: tuple[int, ...] = ()
    is_most: bool = False


@dataclass(frozen=True, slots=True)
class Asks:
    """How a question is put: the log odds that it asks for no sum, which rows it asks for, and in
    which direction they are to be apart from what they are held against."""

    none: float
    asked: RowsAsked
    direction: Direction


def asks_of(question: Question, networks: Networks) -> Asks:
    topic = networks.vector(question.topic)
    odds = operation_odds(question.whole, networks.vector(question.whole))
    asked = rows_asked(question.topic, topic)
    direction = direction_of(question.topic, topic)
    return Asks(log_odds(chances_of(odds)["none"]), asked, direction)


def best_selection(found: Sequence[Grid], asks: Asks) -> Selection | None:
    """The rows that a question most likely means, of all tables; None where there are none."""
    every = [(grid, *own) for grid in found for own in measured(grid, asks)]
    if not every:
        return None
    rows = np.array([row for *_, row in every], np.float32)
    taught = _taught()
    scores = taught.trees.odds(rows)
    best = int(scores.argmax())
    sure = float(taught.weights @ [*signs(rows, scores), 1.0])
    grid, chosen, _ = every[best]
    if is_negated(grid.question) and all(grid.rows[at].words & ~grid.around for at in chosen.rows):
        return None  # which are rather those that are not meant
    return Selection(
        chosen.rows, grid, 1 / (1 + math.exp(-sure)), chosen.columns, chosen.most is not None
    )


def signs(rows: Numbers, scores: Numbers) -> list[float]:
    """What tells the chance of the first of sets, in the order of `SURE`: its score, how far it is
    ahead of the next, its share of all, and features of it."""
    best = int(scores.argmax())
    others = np.delete(scores, best)
    ahead = scores[best] - others.max() if len(others) else 0.0
    share = 1 / np.exp(scores - scores[best]).sum()
    own = [rows[best, NAMES.index(name)] for name in SURE[3:]]
    return [float(each) for each in (scores[best], ahead, share, *own)]


def measured(grid: Grid, asks: Asks) -> Iterator[tuple[Chosen, list[float]]]:
    """Each set of rows of a table with its features."""
    sets = sets_of(grid)
    if not sets:
        return
    every = sorted({at for each in sets for at in each.rows})
    inside = {at: -math.log1p(math.exp(-grid.read.rows[at])) for at in every}
    outside = {at: -math.log1p(math.exp(grid.read.rows[at])) for at in every}
    likelihood = {
        each: sum(inside[at] if at in each.rows else outside[at] for at in every) for each in sets
    }
    most = max(likelihood.values())
    of_question = [
        max(grid.read.columns, default=0.0), float(is_negated(grid.question)),
        asks.asked.rows, asks.none,
        float(grid.is_list), float(any(row.is_total for row in grid.rows)),
        asks.direction.asked, asks.direction.more, asks.asked.furthest, asks.asked.most,
    ]  # fmt: skip
    for each in sets:
        own = _features(grid, each, every, likelihood[each], likelihood[each] - most)
        own += _of_columns(grid, each.apart, asks.direction.more)
        own += _beyond(grid, each.limit, asks.direction.more)
        own += _beyond(grid, each.most, asks.asked.most)
        yield each, [*own, *of_question]


def _features(
    grid: Grid, chosen: Chosen, every: Sequence[int], likelihood: float, lost: float
) -> list[float]:
    rows, others = chosen.rows, [at for at in every if at not in chosen.rows]
    read, judged = [grid.read.rows[at] for at in rows], [grid.judged[at] for at in rows]
    lines = [grid.rows[at] for at in rows]
    total = max(len(grid.asked), 1)
    some = reduce(or_, (line.words for line in lines))
    shared = reduce(and_, (line.words for line in lines))
    beside = reduce(or_, (grid.rows[at].words for at in others), 0)
    meaning = [line.meaning for line in lines]
    title = grid.meaning[grid.table.title]
    return [
        *(float(each in chosen.ways) for each in WAYS),
        math.log(len(rows)), len(rows) / len(every), float(len(chosen.ways)),
        max(read), min(read), sum(read) / len(read), max(read) - grid.best,
        min(read) - max(grid.read.rows[at] for at in others) if others else 0.0,
        likelihood / len(every), lost,
        max(judged), min(judged), sum(judged) / len(judged), max(judged) - max(grid.judged),
        max(grid.judged), float(grid.rank),
        (some | grid.around).bit_count() / total, some.bit_count() / total,
        shared.bit_count() / total, (shared & ~beside).bit_count() / total,
        sum(line.unasked for line in lines) / len(lines),
        max(meaning), min(meaning), title, title - grid.nearest,
        *_by(grid, chosen.by),
        sum(at in grid.named for at in rows) / len(rows),
    ]  # fmt: skip


def _by(grid: Grid, chosen: tuple[int, str] | None) -> tuple[float, float, float]:
    """How near the text by which rows were chosen is to the question, how far it is behind the
    nearest of its column, and how many of the words asked it has."""
    if chosen is None:
        return 0.0, 0.0, 0.0
    column, text = chosen
    nearest = max(grid.meaning[other] for at, other in grid.kinds if at == column)
    words = bits(grid.asked, content_words(text)).bit_count()
    return grid.meaning[text], grid.meaning[text] - nearest, float(words)


def _of_columns(grid: Grid, apart: tuple[int, int] | None, more: float) -> list[float]:
    """How the columns that tell rows apart are as the question asks; ``more`` are the log odds that
    it asks for what is more rather than less."""
    if apart is None:
        return [0.0] * 12
    greater, lesser = (grid.columns[at] if at != NOTHING else None for at in apart)
    known = [each for each in (greater, lesser) if each]
    total = max(len(grid.asked), 1)
    later = measured = left = sign = 0.0
    if greater and lesser:
        later = more * ((greater.end > lesser.end) - (greater.end < lesser.end))
        measured = more * (_is_held_against(lesser) - _is_held_against(greater))
        left = more * (1 if apart[0] < apart[1] else -1)
    else:
        sign = more if greater else -more

    def read(at: int) -> float:
        return grid.read.columns[at] if at != NOTHING else 0.0

    return [
        later, measured, left, sign, read(apart[0]), read(apart[1]),
        greater.words.bit_count() / total if greater else 0.0,
        lesser.words.bit_count() / total if lesser else 0.0,
        max(each.meaning for each in known),
        float(bool(greater and lesser and greater.measures == lesser.measures)),
        float(abs(apart[0] - apart[1]) == 1),
        float(any(each.is_apart for each in known)),
    ]  # fmt: skip


def _beyond(grid: Grid, chosen: Beyond | None, more: float) -> list[float]:
    """How the column by which rows are beyond a limit, or have the most, is as the question asks;
    ``more`` as of `_of_columns`."""
    if chosen is None:
        return [0.0] * 6
    column = grid.columns[chosen.column]
    words = column.words.bit_count() / max(len(grid.asked), 1)
    read = grid.read.columns[chosen.column]
    said, count = float(chosen.said), float(chosen.count)
    return [read, words, column.meaning, said, more * chosen.above, count]


def _is_held_against(column: Line) -> bool:
    """Whether others are held against a column."""
    return not _HELD_AGAINST.isdisjoint(content_words(column.name))


@dataclass(frozen=True, slots=True)
class _Taught:
    trees: Trees
    weights: Numbers  # of SURE, and of 1


@lru_cache(maxsize=1)
def _taught() -> _Taught:
    text = resources.files("docqa.answer.findings").joinpath("selections.json").read_text("utf-8")
    kept = json.loads(text)
    return _Taught(trees_of(kept, NAMES), np.array(kept["sure"], np.float32))
