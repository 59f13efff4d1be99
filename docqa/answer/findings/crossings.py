"""The cell of a table where what a question measures crosses whose or which it asks for; pure.

A segment note has revenue, income and assets under one another, and the segments in its rows or its
columns: a cell is what its group, its label, its column and its table say together.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from docqa.answer.findings.features import has_near, has_word
from docqa.answer.findings.line_items import OTHER, other_names
from docqa.answer.findings.values import (
    MOVING,
    TOTAL,
    Value,
    asks_why,
    columns_of_months,
    numbers_in,
    periods_asked,
)
from docqa.language.periods import months_asked, says_only_when, without_times
from docqa.language.words import content_words, name_in_words
from docqa.types.document import Document
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table

_FEWEST = 2  # words of a question that name a crossing
_ANY = MOVING | frozenset(
    content_words(
        "total amount figure segment geography geographic region net"
        " end fiscal year quarter dollar euro pound million percent percentage rate fast"
        " difference much average sum come came brought earned generated"
    )
)
# Of a figure that may be told in no other way: the one without such a word goes before it.
_QUALIFIED = frozenset(content_words("adjusted underlying normalised normalized comparable"))
_WHOLE = frozenset(content_words("company group corporation period quarter year"))
RATIOS = frozenset(content_words("margin ratio yield rate percentage"))
_BRACKETED = re.compile(r"\([^()]*\)")
# "US" in small letters is another word, and "US$" a currency.
_STATES = re.compile(r"\bUSA?\b(?!\$)|\bUnited States(?: of America)?\b|\bU\.S\.(?:A\.)?")
_BUT = re.compile(
    r"\b(?:not|non(?![- ]?GAAP)|without|except|excluding|exclusive|other than|before)\b", re.I
)


# A cell, the words asked that it has only by words of like meaning, and the words of its table that
# are not asked.
_Crossing = tuple[Value, tuple[int, int]]


def crossing_of(question: Question, tables: Sequence[Table], document: Document) -> Value | None:
    """The one cell that a question names by two of its group, label, column and table, and of the
    time it names; None for none and for several of different amounts.

    Words of the name and title of the document the tables are of are not looked for.
    """
    known = own_words(document)
    asked = words_asked(question.topic, known)
    if len(asked) < _FEWEST or _BUT.search(question.topic) or asks_why(question):
        return None
    found = [each for table in tables for each in _crossings(question, asked, table, known)]
    least = min((apart for _, apart in found), default=(0, 0))
    best = [value for value, apart in found if apart == least]
    rows = {value.row.block for value in best}
    amounts = {value.number for value in best}
    return best[0] if len(rows) == 1 or len(amounts) == 1 else None


def names_states(text: str) -> bool:
    """Whether a text names the United States."""
    return _STATES.search(text) is not None


def missing(words: Iterable[str], table: Table, row: Row) -> list[str]:
    """The stems that are neither in a row, nor in what it stands under, nor in the groups and
    totals of its table, which may say that it is an expense."""
    sums = (each.label for each in table.rows if each.is_group or TOTAL.search(each.label))
    known = _stems(" ".join((row.label, *row.path, *sums, table.role)))
    known = known.union(*other_names(row.label))
    return [word for word in words if not _has_word(known, word)]


def own_words(document: Document) -> frozenset[str]:
    """The stems of what a document is called."""
    return frozenset(content_words(f"{name_in_words(document.name)} {document.title}"))


def names_a_part(topic: str, tables: Sequence[Table], document: Document) -> bool:
    """Whether all that a text says is what one row or column is called: a segment, a country."""
    asked = set(words_asked(topic, own_words(document) | _WHOLE))
    if not asked:
        return False
    labels = {row.label for table in tables for row in table.rows}
    heads = {column.heading for table in tables for column in table.columns}
    return any(asked <= _stems(called) for called in labels | heads)


def words_asked(topic: str, known: Set[str]) -> list[str]:
    """The stems of a text but for figures and times, for words of any table, and those known."""
    plain = _STATES.sub("U.S.", without_times(topic))
    said = " ".join(word for word in plain.split() if not _is_when(word))
    stems = (w for w in dict.fromkeys(content_words(said)) if any(map(str.isalpha, w)))
    return [word for word in stems if word not in _ANY and word not in known]


def _is_when(word: str) -> bool:
    return says_only_when(word.strip("?,.;:"))


def _around(table: Table) -> frozenset[str]:
    """What stands over a table: its title, the heading that it stands under, and its corner."""
    return _stems(" ".join((table.title, *table.section[-1:], table.corner)))


def _crossings(
    question: Question, asked: Sequence[str], table: Table, known: Set[str]
) -> Iterator[_Crossing]:
    """The cells of a table that are called by all words asked, no one part of it by all of them."""
    if table.role == "contents":
        return
    around = _around(table)
    called = (text for row in table.rows for text in (row.label, *row.path))
    known_here = around | _stems(" ".join((*(c.heading for c in table.columns), *called)))
    if not all(has_word(known_here, word) for word in asked):
        return
    heads = [head_of(table, at) for at in range(len(table.columns))]
    labels = [_stems(row.label) for row in table.rows]
    apart, names = {*heads}, _names(question)
    for row, label in zip(table.rows, labels, strict=True):
        if OTHER.search(row.label):
            continue
        path = _stems(" ".join(row.path))
        for value in _of_time(question, table, row):
            head = heads[value.column]
            parts = (label, path, head, around)
            heard = [{word for word in asked if _has_word(part, word)} for part in parts]
            if set().union(*heard) < set(asked) or any(len(h) == len(asked) for h in heard):
                continue
            if not heard[0] and not heard[2]:
                continue
            own = label | path | head
            if heard[0] & names and _alone(heard[0], labels) and _alone(heard[2], apart):
                own = frozenset(heard[0] | heard[2])  # a name may be shortened, and so a heading
            told = frozenset() if table.role in STATEMENTS else around
            near = sum(word not in own | around for word in asked)
            if not _unasked(own - known - _QUALIFIED, asked):
                qualified = _unasked(own & _QUALIFIED, asked)
                beside = qualified + _unasked(told - known, asked)
                yield value, (near, beside)


def _names(question: Question) -> frozenset[str]:
    """The stems of the names in a question: of its words with a capital that no question has by
    being its first word, or an abbreviation."""
    words = (w for w in question.topic.split()[1:] if w[:1].isupper() and not w.isupper())
    return frozenset(content_words(" ".join(words)))


def _alone(heard: Set[str], called: Iterable[Set[str]]) -> bool:
    """Whether some words asked are what one alone is called."""
    return sum(all(_has_word(each, word) for word in heard) for each in called) == 1


def _of_time(question: Question, table: Table, row: Row) -> list[Value]:
    """A row's numbers of the periods and the length of time asked for; of the latest for none."""
    months, columns = months_asked(question.whole), columns_of_months(question, table)
    every = [v for v in numbers_in(table, row) if not columns or v.column in columns]
    numbers = [value for value in every if value.period.months == months] or every
    years = {period.year for period in periods_asked(question)}
    if years:
        return [value for value in numbers if value.period.year in years]
    latest = max((value.period.end for value in numbers), default=())
    return [value for value in numbers if value.period.end == latest]


def _stems(text: str) -> frozenset[str]:
    """The words of a label, what it has in brackets apart ("Operating income (loss)")."""
    return frozenset(content_words(_STATES.sub("U.S.", _BRACKETED.sub(" ", text))))


def head_of(table: Table, column: int) -> frozenset[str]:
    """The words of a column's head that not all columns of its year have, or not all columns where
    it is the only one: "Revenues", beside "Assets"."""
    return _heads(tuple((each.heading, each.period.year) for each in table.columns))[column]


@lru_cache(maxsize=256)
def _heads(columns: tuple[tuple[str, int], ...]) -> list[frozenset[str]]:
    """As `head_of`, of all columns by their heads and years."""
    words = [_measuring(heading) for heading, _ in columns]
    found = []
    for own, (_, year) in zip(words, columns, strict=True):
        alike = [each for each, (_, other) in zip(words, columns, strict=True) if other == year]
        several = alike if len(alike) > 1 else words
        found.append(own - frozenset.intersection(*several) if len(several) > 1 else own)
    return found


def _measuring(heading: str) -> frozenset[str]:
    """The stems of a heading that are no times."""
    words = without_times(heading).split()
    return _stems(" ".join(word for word in words if not _is_when(word)))


def _has_word(stems: Set[str], word: str) -> bool:
    """Whether stems have a word or one that means the same; of a ratio, the word itself."""
    return word in stems if word in RATIOS else has_word(stems, word)


def _unasked(words: Set[str], asked: Sequence[str]) -> int:
    return sum(not has_near(asked, word) for word in words - _ANY if any(map(str.isalpha, word)))
