"""What can be measured of a candidate beside a question; each is a number a person can read."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.candidates import Candidate
from docqa.answer.findings.line_items import also_called, other_names
from docqa.answer.findings.operations import row_odds
from docqa.language.amounts import measured_amounts
from docqa.language.organisations import names_organisation
from docqa.language.periods import (
    YEAR,
    dates_in,
    months_asked,
    months_named,
    periods_in,
    years_named,
)
from docqa.language.vocabulary import NEAR, acronyms
from docqa.language.words import content_words, stem
from docqa.types.question import Question
from docqa.types.table import STATEMENTS

NAMES = (
    "cosine",  # of question and candidate, by the encoder
    "cosine behind",  # how far behind the best of all candidates
    "read",  # the reranker's score of the candidate, as log odds
    "read behind",
    "words held",  # the share of the question's words the candidate has, rare ones weighing more
    "words around",  # the same with its headings and columns
    "words asked",  # the share of the candidate's own words that are asked for
    "is row",
    "has figure",
    "has date",
    "has name",
    "wants figure",
    "wants value",
    "wants list",
    "wants clause",
    "period",  # 1 where it is of the time asked for, -1 where of another, else 0
    "length asked",  # the same of the length of time
    "passage",  # the reranker's score of its passage
    "passage rank",  # 1 the first, falling to 0 with the last
    "passage cosine",
    "opening",  # the chance that it is asked for as the opening of its document; 0 elsewhere
    "length",  # the logarithm of its characters
    "depth",  # of a row below its groups
    "is total",
    "is of a statement",
    "row asked",  # the log odds that a row answers it, by how the question is put
    "group words",  # the share of the words of a row's groups that are asked for
    "name asked",  # the share of the words it is called by that are asked for
)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as candidates are held against it."""

    stems: tuple[str, ...]
    weights: Mapping[str, float]
    years: frozenset[int]
    months: int  # that its figures are for; 0 where it names no length of time
    figure: bool
    question: Question


# Words of a question for a figure.
FIGURES = (
    r"amounts?|rates?|prices?|ratios?|margins?|revenues?|sales|income|costs?|expenses?|rents?|fees?"
    r"|percent(?:age)?|totals?|number of|value|balance|assets|liabilit\w+|cash|debt|profit|earnings"
    r"|size|area"
)
_FIGURE = re.compile(
    rf"\b(?:how (?:much|many)|{FIGURES}|change|difference|average)\b", re.IGNORECASE
)
_UNWEIGHED = frozenset(content_words("quarter period year month fiscal fy amount total end ended"))
_UNWEIGHED_WEIGHT = 0.3  # words of time and quantity stand everywhere


def asking_of(question: Question, pool: Sequence[Candidate]) -> Asking:
    """The question's words, weighted by their rarity in the pool (Spärck Jones 1972)."""
    words = (word for word in content_words(question.topic) if not re.fullmatch(YEAR, word))
    stems = tuple(dict.fromkeys(words))
    seen = Counter(word for each in pool for word in _own(each) | _around(each))
    total = len(pool) + 1
    weights = {
        word: (1 + math.log(total / (seen[word] or 1)))
        * (_UNWEIGHED_WEIGHT if word in _UNWEIGHED else 1)
        for word in stems
    }
    years = years_named(question.whole)
    months = months_asked(question.whole)
    return Asking(stems, weights, years, months, bool(_FIGURE.search(question.whole)), question)


def features(
    question: Question,
    pool: Sequence[Candidate],
    cosines: Sequence[float],
    reads: Sequence[float],
) -> NDArray[np.float32]:
    """One row for each of the pool, (n, len(NAMES)).

    ``cosines`` and ``reads`` (0–1) are what the encoder and the reranker make of them.
    """
    asking = asking_of(question, pool)
    read = [log_odds(each) for each in reads]
    best_cosine, best_read = max(cosines, default=0.0), max(read, default=0.0)
    last = max(1, len({each.piece.label for each in pool}) - 1)
    ranks = {
        label: at / last for at, label in enumerate(dict.fromkeys(c.piece.label for c in pool))
    }
    made = [
        [
            cosine, cosine - best_cosine, odds, odds - best_read,
            *_words(each, asking), *_kinds(each, asking), *_times(each, asking),
            log_odds(each.piece.hit.scores.get("read", 0.5)), 1 - ranks[each.piece.label],
            each.piece.hit.scores.get("dense", 0.0), each.piece.hit.scores.get("opening", 0.0),
            *_shape(each, asking), _name_asked(each, asking),
        ]
        for each, cosine, odds in zip(pool, cosines, read, strict=True)
    ]  # fmt: skip
    return np.array(made, dtype=np.float32).reshape(len(pool), len(NAMES))


def shared_words(candidate: Candidate, asking: Asking) -> float:
    """The share of the question's words that a candidate has, those around it weighing half."""
    held, around, _ = _words(candidate, asking)
    return held + around / 2


def log_odds(chance: float, least: float = 1e-4) -> float:
    """The log odds of a chance, one below ``least`` being as good as another."""
    bounded = min(max(chance, least), 1 - least)
    return math.log(bounded / (1 - bounded))


def _words(candidate: Candidate, asking: Asking) -> tuple[float, float, float]:
    own = _own(candidate)
    every = own | _around(candidate)
    total = sum(asking.weights.values()) or 1.0
    held = sum(weight for word, weight in asking.weights.items() if has_word(own, word))
    around = sum(weight for word, weight in asking.weights.items() if has_word(every, word))
    named = [word for word in own if not word.isdigit()]
    return held / total, around / total, _share_asked(named, asking)


def has_word(stems: Collection[str], word: str) -> bool:
    """Whether stems have the word, one that means the same, or it spelt out."""
    return has_near(stems, word) or is_spelt_out(stems, word)


def has_near(stems: Collection[str], word: str) -> bool:
    """Whether stems have the word, or one that means the same."""
    return word in stems or not NEAR.get(word, frozenset()).isdisjoint(stems)


def is_spelt_out(stems: Collection[str], word: str) -> bool:
    """Whether stems have all that an abbreviation stands for."""
    return word in SPELT_OUT and SPELT_OUT[word].issubset(stems)


def _share_asked(words: Collection[str], asking: Asking) -> float:
    """The share of some words that are asked for, 0 of none."""
    return sum(has_near(asking.stems, word) for word in words) / len(words) if words else 0.0


def _own(candidate: Candidate) -> frozenset[str]:
    if candidate.row is None:
        return _stems(candidate.text)
    others = other_names(candidate.row.label)
    return _stems(candidate.called).union(*others, *map(_stems, candidate.words))


def _around(candidate: Candidate) -> frozenset[str]:
    over = " ".join(candidate.over[-2:])
    if candidate.table is None or candidate.row is None:
        return _stems(over)
    heads = " ".join(column.heading for column in candidate.table.columns)
    path = " ".join(candidate.row.path)
    return _stems(over) | _stems(candidate.table.title) | _stems(heads) | _stems(path)


@lru_cache(maxsize=20_000)
def _stems(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _kinds(candidate: Candidate, asking: Asking) -> tuple[float, ...]:
    wants = asking.question.wants
    said = " ".join(candidate.words) if candidate.row else candidate.text
    figure, date, name = _holds(said)
    figure = figure or "" in candidate.words
    return (
        float(candidate.row is not None), float(figure), float(date), float(name),
        float(asking.figure), float(wants in ("value", "computation")),
        float(wants in ("list", "summary", "comparison") or asking.question.several),
        float(wants == "clause"),
    )  # fmt: skip


@lru_cache(maxsize=20_000)
def _holds(text: str) -> tuple[bool, bool, bool]:
    """Whether a text has an amount, a date, and the name of a person or organisation."""
    named = names_organisation(text) or re.search(r"\b(?:Mr|Ms|Mrs|Dr)\b", text)
    return bool(measured_amounts(text)), bool(dates_in(text)), bool(named)


def _times(candidate: Candidate, asking: Asking) -> tuple[float, float]:
    years, lengths = _spans(candidate)
    return _agrees(asking.years, years), _agrees({asking.months} - {0}, lengths)


def _agrees(asked: frozenset[int] | set[int], told: frozenset[int]) -> float:
    if not asked or not told:
        return 0.0
    return 1.0 if asked & told else -1.0


def _spans(candidate: Candidate) -> tuple[frozenset[int], frozenset[int]]:
    """The years and the lengths of time that a candidate is of."""
    if candidate.table is None or candidate.row is None:
        text = " ".join((*candidate.over[-1:], candidate.text))
        return years_named(text), months_named(candidate.text)
    periods = [c.period for c in candidate.table.columns] + [candidate.row.period]
    own = periods_in(candidate.row.label)
    years = frozenset(period.year for period in (*periods, *own) if period.year)
    months = (period.months for period in periods if period.year)
    return years, frozenset(each for each in months if each)


def _shape(candidate: Candidate, asking: Asking) -> tuple[float, ...]:
    length = math.log1p(len(candidate.text))
    asked = row_odds(asking.question.whole)
    if candidate.table is None or candidate.row is None:
        return length, 0.0, 0.0, 0.0, asked, 0.0
    row, statement = candidate.row, candidate.table.role in STATEMENTS
    total = re.match(r"(?:total|net)\b", row.label, re.IGNORECASE)
    named = _share_asked(_stems(" ".join(row.path)), asking)
    return length, float(len(row.path)), float(bool(total)), float(statement), asked, named


def _name_asked(candidate: Candidate, asking: Asking) -> float:
    """How much of what a candidate is called is asked for; numbers are no words."""
    others = also_called(candidate.called) if candidate.row else ()
    names = map(_stems, (candidate.called, *others))
    return max(_share_asked([word for word in name if word.isalpha()], asking) for name in names)


SPELT_OUT = {
    stem(short.lower()): frozenset(content_words(full)) for short, full in acronyms().items()
}
