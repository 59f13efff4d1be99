"""Which rows of a list a question means, told by what they have in one column; learnt.

"Who is behind on rent?" means the rows of a list with something under "Arrears". Each column of
each list parts its rows by what they have there (words, some figure, or nothing), and so do the
headings that they stand under and what they are called. What the encoder and the reranker make of
each of these values beside the question says where to cut, and boosted trees over readable features
how likely the rows above a cut are those that are meant. `tests.training.selections` teaches them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.judge import Networks, Trees, trees_of
from docqa.answer.findings.relation import date_columns, things, title_of
from docqa.answer.findings.values import number_of
from docqa.language.linear import Linear, linear_of
from docqa.language.periods import dates_in
from docqa.language.words import STOP_WORDS, content_words
from docqa.types.table import Row, Table

NAMES = (
    "cosine least",  # of the question and the likeliest values, by the encoder
    "cosine most",
    "cosine beside",  # of the question and another value, the most
    "read least",  # the same, by the reranker (0–1)
    "read most",
    "read beside",
    "gap",  # between the likeliest values and the others, cosine and read together
    "behind",  # how far the best of them is behind the best of all columns
    "head cosine",
    "head read",
    "title cosine",
    "words held",  # the share of the question's words that the column and these values have
    "words beside",  # the same of the other values
    "words around",  # the same of the list's title and heads
    "words of rows",  # of what the rows are called
    "values",  # how many there are
    "values likeliest",
    "rows",
    "share chosen",  # of the rows
    "is heading",
    "is label",
    "is something",  # whether some figure is likeliest, or nothing
    "is nothing",
    "says yes",  # the share of the values of the rows chosen that say so
    "says no",  # the same, or that have nothing
    "is negated",
    "is others",  # whether the rows are those that do not have the likeliest values
    "asks for rows",  # the log odds that the question asks for rows of a list, by how it is put
)
HEADING, LABEL = -1, -2  # in place of a column
MOST_VALUES = 24  # of a column that parts rows
MOST_TEXTS = 240  # that are read for a question
CERTAIN = 0.3  # the chance from which on rows are told
CUTS = 3  # of a column's values
VALUE_CHARS = 120  # that are read of a value
MOST_WORDS = 8  # that several values of a column share
SOMETHING, NOTHING, OTHERS = "\0some", "\0none", "\0others"

_NONE = re.compile(r"\W*|\W*(?:n/?a|n/?r|none|nil|not applicable)\W*|\W*0(?:\.0+)?\W*", re.I)
_YES, _NO = re.compile(r"yes\b", re.I), re.compile(r"(?:no|not|never)\b", re.I)
_NEGATED = re.compile(
    r"\b(?:not|cannot|no|nobody|none|without|w/o|never|except|excluding|other than|neither|lacks?"
    r"|lacking|missing)\b|n[’']t\b|\b(?:is|are|was|were|do|does|did|has|have|ca|wo|could|would)nt\b",
    re.IGNORECASE,
)

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to part the rows of a list: the values of a column, each with its rows."""

    table: Table
    column: int
    values: tuple[tuple[str, tuple[Row, ...]], ...]

    @property
    def head(self) -> str:
        """What stands over its values."""
        named = {HEADING: "", LABEL: self.table.corner}
        return named[self.column] if self.column < 0 else self.table.columns[self.column].heading

    def says_yes(self, value: str) -> bool:
        """Whether a value is a yes, or is apart from one that is a no."""
        beside = any(_NO.match(other) for other, _ in self.values)
        return (beside and value == OTHERS) or _YES.match(value) is not None

    def says_no(self, value: str) -> bool:
        """Whether a value is a no, nothing, or apart from one that is a yes."""
        beside = any(_YES.match(other) for other, _ in self.values)
        return (beside and value == OTHERS) or value == NOTHING or _NO.match(value) is not None

    def read(self, value: str) -> str:
        """A value as it is read beside a question."""
        if value == SOMETHING:
            return self.head
        said = {NOTHING: "none", OTHERS: "other"}.get(value, value[:VALUE_CHARS])
        return f"{self.head}: {said}" if self.head else said


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of a list that have the likeliest values of a column, or the ``others``."""

    way: Way
    likeliest: frozenset[str]
    others: bool = False

    @property
    def chosen(self) -> list[str]:
        """The values of its rows."""
        return [value for value, _ in self.way.values if (value in self.likeliest) != self.others]

    @property
    def rows(self) -> list[Row]:
        """In the order of the table."""
        own = dict(self.way.values)
        chosen = {id(row) for value in self.chosen for row in own[value]}
        return [row for row in self.way.table.rows if id(row) in chosen]


def ways_of(table: Table) -> Iterator[Way]:
    """The ways to part a list's rows."""
    rows, dates = things(table, vacant=True), set(date_columns(table))
    columns = {
        at: [_value(row.cells[at], dated=at in dates) for row in rows]
        for at in range(len(table.columns))
    }
    columns[HEADING] = [row.path[-1] if row.path else NOTHING for row in rows]
    columns[LABEL] = [row.label for row in rows]
    for at, values in columns.items():
        for parted in (*_by_words(values), *_by_presence(values), values):
            named = {value.casefold(): value for value in reversed(parted)}
            if 1 < len(named) <= MOST_VALUES:
                own: dict[str, list[Row]] = {key: [] for key in sorted(named)}
                for row, value in zip(rows, parted, strict=True):
                    own[value.casefold()].append(row)
                yield Way(table, at, tuple((named[key], tuple(own[key])) for key in own))


def _by_words(values: Sequence[str]) -> Iterator[list[str]]:
    """The values apart that have a word in common ("Yes – in writing", "Yes"), for each word."""
    words = {value: set(_words(value)) for value in values}
    shared = Counter(
        word for own in {v.casefold(): words[v] for v in values}.values() for word in own
    )
    for word, count in sorted(shared.items(), key=lambda each: (-each[1], each[0]))[:MOST_WORDS]:
        if count > 1:
            yield [word if word in words[value] else OTHERS for value in values]


def _by_presence(values: Sequence[str]) -> Iterator[list[str]]:
    """What is there, whatever it says, apart from nothing."""
    if NOTHING in values and not {SOMETHING, NOTHING}.issuperset(values):
        yield [NOTHING if value == NOTHING else SOMETHING for value in values]


def _words(text: str) -> list[str]:
    """The words of a value; none of what is no words."""
    if text.startswith("\0"):
        return []
    every = re.findall(r"[^\W\d_][\w’'-]+", text.casefold())
    return [word for word in every if word in ("yes", "no", "not") or word not in STOP_WORDS]


def _value(cell: str, *, dated: bool) -> str:
    """What a cell says beside others: nothing, something that is a figure or a date, or words."""
    cell = cell.strip()
    if _NONE.fullmatch(cell):
        return NOTHING
    if number_of(cell) is not None or (dated and any(date.year for date in dates_in(cell))):
        return SOMETHING
    return cell


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the networks make of texts beside a question: cosines, and reads (0–1)."""

    question: str
    cosine: dict[str, float]
    read: dict[str, float]

    def score(self, text: str) -> float:
        return self.cosine[text] + self.read[text]

    @property
    def is_negated(self) -> bool:
        return _NEGATED.search(self.question) is not None

    def held(self, *texts: str) -> float:
        """The share of the question's words that some texts have."""
        asked = set(content_words(self.question))
        return len(asked & set(content_words(" ".join(texts)))) / max(len(asked), 1)


def selections(
    question: str, tables: Sequence[Table], networks: Networks, *, asks: float
) -> tuple[list[Selection], Numbers]:
    """The selections of rows that a question may mean, and their features, (n, len(NAMES)).

    ``asks`` are the log odds that it asks for rows. The first tables are read, as far as there is
    room.
    """
    ways = list(_within(way for table in tables for way in ways_of(table)))
    texts = list(dict.fromkeys(text for way in ways for text in _texts(way)))
    if not texts:
        return [], np.zeros((0, len(NAMES)), np.float32)
    scores = (networks.cosines(question, texts), networks.reads(question, texts))
    reading = _Reading(question, *(dict(zip(texts, own, strict=True)) for own in scores))
    best = max(reading.score(way.read(value)) for way in ways for value, _ in way.values)
    found = [each for way in ways for each in _cuts(way, reading)]
    rows = [[*_features(each, reading, best), asks] for each in found]
    return found, np.array(rows, np.float32)


def _within(ways: Iterator[Way]) -> Iterator[Way]:
    room = MOST_TEXTS
    for way in ways:
        room -= len(way.values)
        if room < 0:
            return
        yield way


def _texts(way: Way) -> Iterator[str]:
    yield from (way.head, title_of(way.table))
    yield from (way.read(value) for value, _ in way.values)


def _cuts(way: Way, reading: _Reading) -> Iterator[Selection]:
    """The likeliest values of a way, cut where what is beside is least alike; of a negated question
    also the others. None that say no where the question does not, or yes where it denies."""
    score = {value: reading.score(way.read(value)) for value, _ in way.values}
    order = sorted(score, key=lambda value: -score[value])
    gaps = [score[one] - score[other] for one, other in pairwise(order)]
    for at in sorted(range(len(gaps)), key=lambda at: -gaps[at])[:CUTS]:
        for others in (False, True) if reading.is_negated else (False,):
            found = Selection(way, frozenset(order[: at + 1]), others)
            if not all(map(way.says_yes if reading.is_negated else way.says_no, found.chosen)):
                yield found


def _features(selection: Selection, reading: _Reading, best: float) -> Iterator[float]:
    """As `NAMES` but the last; ``best`` is the score of the best value of all ways."""
    way, table = selection.way, selection.way.table
    likely = [way.read(value) for value, _ in way.values if value in selection.likeliest]
    beside = [way.read(value) for value, _ in way.values if value not in selection.likeliest]
    for scores in (reading.cosine, reading.read):
        yield min(scores[text] for text in likely)
        yield max(scores[text] for text in likely)
        yield max(scores[text] for text in beside)
    yield min(map(reading.score, likely)) - max(map(reading.score, beside))
    yield best - max(map(reading.score, likely))
    yield from (reading.cosine[way.head], reading.read[way.head])
    yield reading.cosine[title_of(table)]
    yield from (reading.held(*likely), reading.held(*beside))
    heads = (column.heading for column in table.columns)
    yield reading.held(table.title, *table.section[-1:], table.corner, *heads)
    every = [row for _, own in way.values for row in own]
    yield reading.held(*(row.label for row in every))
    yield from (len(way.values), len(likely), len(every), len(selection.rows) / len(every))
    yield from (way.column == HEADING, way.column == LABEL)
    yield from (sign in selection.likeliest for sign in (SOMETHING, NOTHING))
    chosen = selection.chosen
    yield from (sum(map(says, chosen)) / len(chosen) for says in (way.says_yes, way.says_no))
    yield from (reading.is_negated, selection.others)


@lru_cache(maxsize=1)
def _taught() -> tuple[Linear, Trees]:
    text = resources.files("docqa.answer.findings").joinpath("selections.json").read_text("utf-8")
    kept = json.loads(text)
    return linear_of(kept["asks"]), trees_of(kept["trees"], NAMES)


def asks_for_rows(question: str, vector: Numbers) -> float:
    """The log odds that a question asks for rows of a list, by how it is put and its vector."""
    return float(_taught()[0].odds(question, vector)[0])


def likeliest(
    question: str, tables: Sequence[Table], networks: Networks, *, asks: float
) -> Selection | None:
    """The rows that a question most likely means; None where none are likely enough."""
    found, rows = selections(question, tables, networks, asks=asks)
    if not found:
        return None
    chances = _taught()[1].chances(rows)
    best = int(chances.argmax())
    return found[best] if chances[best] >= CERTAIN else None
