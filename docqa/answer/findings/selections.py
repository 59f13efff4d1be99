"""Which rows of a table a question asks for, all of them: sets of rows, ranked by what was learnt.

A set is those of a kind, of a group, of a time or size, those that have or have not something in a
column, or the likeliest by the network for tables. Which of them a question means, trees tell that
`tests.training.selections` teaches: the sets of a question are ranked against one another (Burges,
"From RankNet to LambdaRank to LambdaMART", 2010); a logistic regression of how far the first is
ahead tells its chance.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from importlib import resources
from operator import and_, or_

import numpy as np

from docqa.answer.findings.features import log_odds
from docqa.answer.findings.grids import Grid, bits
from docqa.answer.findings.lists import asks_for_most
from docqa.answer.findings.operations import chances_of
from docqa.answer.findings.rows_meant import is_blank, is_negated
from docqa.language.trees import Numbers, Trees, trees_of
from docqa.language.words import content_words

_LIKELIEST = 14  # rows of a set of the likeliest, at most
_GROUPS, _TELLING = 10, 4  # sets of rows
WAYS = ("likeliest", "every", "named", "meant", "limited", "group", "times", "words", "kind",
        "other kinds", "filled", "blank")  # fmt: skip

NAMES = (
    *(f"is {each}" for each in WAYS),
    "rows", "share", "ways",
    "read best", "read least", "read mean", "read behind", "read ahead", "likelihood", "lost",
    "judged best", "judged least", "judged mean", "judged behind", "table judged", "table rank",
    "words", "words own", "words shared", "words of others", "unasked",
    "row meaning", "row meaning least", "title meaning", "title meaning behind",
    "chosen meaning", "chosen behind", "chosen words", "named share", "meant share",
    "column read best", "negated", "limited", "most asked", "asks for rows", "none asked",
    "is list", "has total",
)  # fmt: skip
# What tells the chance of the first.
SURE = ("score", "ahead", "share of all", "rows", "read least", "read ahead", "lost", "words",
        "judged best", "judged behind", "asks for rows", "none asked", "title meaning")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some rows of a table, by their places in order; ``ways`` are those by which they are a set,
    and ``text`` what a cell says by which they were chosen, with its column."""

    rows: tuple[int, ...]
    ways: frozenset[str]
    by: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of a table with the chance, 0–1, that they are what a question asks for."""

    rows: tuple[int, ...]
    grid: Grid
    chance: float


def sets_of(grid: Grid) -> list[Chosen]:
    """The sets of rows that a question may mean; no totals."""
    every = [at for at, row in enumerate(grid.rows) if not row.is_total and grid.is_filled(at)]
    found: dict[tuple[int, ...], Chosen] = {}
    for way, rows, by in _ways(grid, every):
        own = tuple(sorted({*rows} & {*every}))
        known = found.get(own)
        if own:
            ways = (known.ways if known else frozenset[str]()) | {way}
            found[own] = Chosen(own, ways, (known.by if known else None) or by)
    return list(found.values())


_Way = tuple[str, Sequence[int], tuple[int, str] | None]


def _ways(grid: Grid, every: Sequence[int]) -> Iterator[_Way]:
    likeliest = sorted(every, key=lambda at: -grid.read.rows[at])
    for count in range(1, min(len(every), _LIKELIEST) + 1):
        yield "likeliest", likeliest[:count], None
    yield "every", every, None
    yield "named", sorted(grid.named), None
    yield "meant", sorted(grid.meant), None
    yield "limited", sorted(grid.limited), None
    groups: dict[tuple[str, ...], list[int]] = {}
    for at in every:
        groups.setdefault(grid.table.rows[at].path, []).append(at)
    for rows in [*groups.values()][:_GROUPS]:
        yield "group", rows, None
    yield "times", [at for at in every if grid.rows[at].times], None
    own = {at: grid.rows[at].words & ~grid.around for at in every}
    telling = sorted({*own.values()} - {0}, key=lambda words: (-words.bit_count(), words))
    for words in telling[:_TELLING]:
        yield "words", [at for at in every if own[at] & words == words], None
    for word in range(len(grid.asked)):
        yield "words", [at for at in every if own[at] >> word & 1], None
    for chosen, rows in grid.kinds.items():
        yield "kind", rows, chosen
        yield "other kinds", [at for at in every if at not in rows], chosen
    for column in range(len(grid.columns)):
        blank = [at for at in every if is_blank(grid.table.rows[at].cells[column])]
        yield "blank", blank, None
        yield "filled", [at for at in every if at not in blank], None


def best_selection(
    found: Sequence[Grid], odds: Numbers, *, asks_for_rows: float
) -> Selection | None:
    """The set of rows that a question most likely means, of all tables; ``odds`` are the log odds
    of each of `OPERATIONS`, and ``asks_for_rows`` that it asks for rows. None where there is none.
    """
    every = [(grid, *own) for grid in found for own in measured(grid, odds, asks_for_rows)]
    if not every:
        return None
    rows = np.array([row for *_, row in every], np.float32)
    taught = _taught()
    scores = taught.trees.odds(rows)
    best = int(scores.argmax())
    sure = float(taught.weights @ [*signs(rows, scores), 1.0])
    grid, chosen, _ = every[best]
    return Selection(chosen.rows, grid, 1 / (1 + math.exp(-sure)))


def signs(rows: Numbers, scores: Numbers) -> list[float]:
    """What tells the chance of the first of sets, in the order of `SURE`: its score, how far it is
    ahead of the next, its share of all, and features of it."""
    best = int(scores.argmax())
    others = np.delete(scores, best)
    ahead = scores[best] - others.max() if len(others) else 0.0
    share = 1 / np.exp(scores - scores[best]).sum()
    own = [rows[best, NAMES.index(name)] for name in SURE[3:]]
    return [float(each) for each in (scores[best], ahead, share, *own)]


def measured(
    grid: Grid, odds: Numbers, asks_for_rows: float
) -> Iterator[tuple[Chosen, list[float]]]:
    """Each set of rows of a table with its features."""
    none = log_odds(chances_of(odds)["none"])
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
        float(bool(grid.limited)), float(asks_for_most(grid.question)), asks_for_rows, none,
        float(grid.is_list), float(any(row.is_total for row in grid.rows)),
    ]  # fmt: skip
    for each in sets:
        own = _features(grid, each, every, likelihood[each], likelihood[each] - most)
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
        sum(at in grid.meant for at in rows) / len(rows),
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


@dataclass(frozen=True, slots=True)
class _Taught:
    trees: Trees
    weights: Numbers  # of SURE, and of 1


@lru_cache(maxsize=1)
def _taught() -> _Taught:
    text = resources.files("docqa.answer.findings").joinpath("selections.json").read_text("utf-8")
    kept = json.loads(text)
    return _Taught(trees_of(kept, NAMES), np.array(kept["sure"], np.float32))
